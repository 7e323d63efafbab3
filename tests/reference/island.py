"""Forbidden Island: whole games from the set-up to the end, in plain Python.

Written only from the rules page (docs/rules/forbidden-island.md), on top of `island_table.py`
(tiles, cards, options, the state), `island_setup.py` (the deal), `island_roles.py` (moving, shoring
up, swimming) and `island_specials.py` (the special cards). A game is a chain of immutable States: `outcomes` where a card is turned up,
`moves` where the team decides, and `apply` for both.

Windows: specials can be played between any two events. "After" one event and "before" the next is
the same window, so there is one decision between two events: a phase with the move ("go on",), or
the actions or the swim that come next. A window with nothing but specials to decide is skipped
exactly if nobody holds a special card. The phases of a turn are
  "actions" - before and after every action. ("end actions",) leads straight to the first card.
  "draw" - chance: a treasure card. "between draws" - the window after the first one.
  "before flood" - the window before each flood card. "flood" - chance: a flood card.
  "swim" - the next pawn on a sunk tile. "discard" - a hand is over its limit.
After the last flood card comes the first action of the next turn; where there is no next turn,
there is a "last window".

How open points are read:

1. "enforced at once": while a hand is over the limit, only its own cards can be discarded or, if
   special, used, until it isn't. Nobody else plays a special before that.
2. `hand_limit_between_draws` = false: the limit is enforced when all cards of the turn are drawn.
3. A hand limit below the two dealt cards is enforced after the set-up, the lowest seat first.
4. "Both treasure piles empty: nothing is drawn": when this is so as a card is due, the cards of
   the turn that are still due fall away together. There is no window between them.
5. "reshuffled the moment it is used up": with an empty discard there is nothing to shuffle. The
   pile stays empty until a card is due; cards discarded by then are shuffled then. `on_demand`:
   only then. Either happens after the window before that card, which can fill the discard.
6. "Two in one turn: +2, shuffled once": each Waters Rise! is resolved as it is drawn. The second
   one finds no flood discard, so only the meter moves. `whole_pile`: likewise, without a discard
   nothing is shuffled, and the blocks stay.
7. Diver: he moves orthogonally. Swimming to the `nearest` tile counts orthogonal steps on the grid
   over whatever lies between, open sea too. `any`: every tile that he could reach by a move from
   the space of the sunk tile.
8. Navigator, `step`: each of the 2 steps is one space. Entering a missing space is the Diver's
   first step, leaving it his second. `navigator_split`: two other players move one step each.
9. `pilot_swim_free` = false: swimming to an orthogonally adjacent tile is no flight. Swimming
   anywhere else is one: it needs a flight that isn't used yet in this turn, and uses it. "reset
   every turn": also in turns of other seats, so the Pilot can swim so then.
10. Pawns on one sunk tile swim in the order of the seats, from seat 0. A pawn that can't swim is
    lost when its time comes, unless `lift_rescue` holds and somebody holds a Helicopter Lift: then
    the team can lift it, or go on and lose. Without `lift_rescue` nobody is lifted from the sunk
    tile; other Lifts remain legal.
11. "A drawn flood card resolves, joins the discard, and only then an empty pile is reshuffled":
    before the pawns swim.
12. Flooding all 24 tiles in the set-up uses the flood pile up: it is reshuffled at once.
13. A meter of one's own can show 0: then no flood card is drawn, and the turn is over.
14. `max_turns`: the turn with this number is the last one; after its last window the game is over.
15. Moves to the same state are one move: a walk, also the Diver's, is named by its end, and so are
    the Navigator's steps; a Lift by its holder, the moved pawns (never one that stands there
    already) and the target; an unlimited flight to an adjacent tile is a walk.
"""

import random
from typing import Any

from . import island_roles
from .island_roles import swims
from .island_setup import SETUP_PHASES, Chooser, chosen, new_game, setup_outcomes, setup_step
from .island_specials import holders, specials
from .island_table import (
    CARDS,
    DRY,
    FIRED,
    FLOODED,
    LANDING,
    LIFT,
    RULE_IDS,
    SANDBAGS,
    SPECIALS,
    SUNK,
    TILES,
    TILES_OF,
    TREASURE_DRAWS,
    TREASURE_OF,
    WATERS_RISE,
    Choice,
    Options,
    State,
    changed,
    discard_card,
    drop_card,
    fired,
    fired_option,
    give_card,
    in_play,
    put,
    replace,
    status,
    with_status,
)

__all__ = ["FIRED", "RULE_IDS", "Options", "State", "apply", "deal", "dealt", "decider", "moves"]
__all__ += ["new_game", "outcomes", "random_game", "result", "step", "turn"]

CHANCE = (*SETUP_PHASES, "draw", "flood")
PURE_WINDOWS = ("between draws", "before flood", "last window")
NO_CARDS = (0,) * len(CARDS)


def turn(state: State) -> str:
    """Who is next: "team", "chance", or nobody ("over")."""
    if state.phase == "over":
        return "over"
    return "chance" if state.phase in CHANCE else "team"


def result(state: State) -> tuple[str, ...] | None:
    """("win",), ("lost", cause) or ("max_turns",) when the game is over."""
    return state.result


def decider(options: Options, state: State) -> int | None:
    """The seat whose action, discard or swim it is; None where only specials can be played."""
    if state.phase == "actions":
        return state.seat
    if state.phase == "discard":
        return over_limit(options, state)[0]
    return swimmers(state)[0] if state.phase == "swim" else None


# The set-up in one go


def deal(options: Options, chooser: Chooser) -> State:
    """The start of the first turn; the chooser gets each state of the set-up and its outcomes."""
    state = new_game(options)
    while state.phase in SETUP_PHASES:
        state = apply(options, state, chooser(state, outcomes(options, state)))
    return state


def dealt(
    options: Options,
    board: tuple[str, ...],
    flooded: tuple[str, ...],
    roles: tuple[str, ...],
    hands: tuple[tuple[str, ...], ...],
) -> State:
    """The start of the first turn after this deal."""
    return deal(options, chosen(board, flooded, roles, hands))


# Chance: one card at a time


def outcomes(options: Options, state: State) -> list[tuple[Any, int]]:
    """What can come next by chance, with integer weights."""
    if state.phase in SETUP_PHASES:
        return list(setup_outcomes(options, state))
    if state.phase == "draw":
        pile = zip(CARDS, state.pile, strict=True)
        return [(card, number) for card, number in pile if number]
    if state.phase == "flood":
        fired("flood.top_block", len(state.flood_pile) > 1)
        return [(tile, 1) for tile in TILES if tile in state.flood_pile[0]]
    raise ValueError(f"no chance in phase {state.phase}")


def treasure_card(options: Options, state: State, card: str) -> State:
    """Draw this treasure card: into the hand, or "Waters Rise!"."""
    fired("draw.to_hand", card != WATERS_RISE)
    state = replace(state, pile=changed(state.pile, card, -1), draws_left=state.draws_left - 1)
    if card == WATERS_RISE:
        state = waters_rise(options, state)
    else:
        state = give_card(state, state.seat, card)
    if not any(state.pile) and options.treasure_reshuffle == "at_once":
        state = reshuffle_treasures(options, state)
        fired("rise.last_card", card == WATERS_RISE)
    if state.water > len(options.water_meter):
        fired("lose.water")
        fired_option(options, "water_meter")
        return over(state, "lost", "water")
    return after_draw(options, state)


def waters_rise(options: Options, state: State) -> State:
    """ "meter +1, shuffle the flood discard and put it on top of the flood pile, discard"."""
    fired("rise.meter")
    fired("rise.discarded")
    second = state.draws_left == 0
    shuffled, pile = state.flood_discard, state.flood_pile
    fired("rise.no_discard", not shuffled)
    fired("rise.second_in_turn", not shuffled and second)
    if shuffled:
        fired("rise.on_top", options.rise_shuffle == "on_top")
        fired_option(options, "rise_shuffle")
        on_top = options.rise_shuffle == "on_top"
        pile = (shuffled, *pile) if on_top else (shuffled.union(*pile),)
    return replace(
        state,
        water=state.water + 1,
        flood_pile=pile,
        flood_discard=frozenset(),
        discard=changed(state.discard, WATERS_RISE, 1),
    )


def reshuffle_treasures(options: Options, state: State) -> State:
    """The discard becomes the pile."""
    fired("draw.reshuffled", any(state.discard))
    fired_option(options, "treasure_reshuffle", any(state.discard))
    return replace(state, pile=state.discard, discard=NO_CARDS)


def after_draw(options: Options, state: State) -> State:
    """The hand limit, then the window before the next card of either kind."""
    if state.draws_left:
        following = "between draws"
    else:
        following = "before flood"
        shown = options.water_meter[state.water - 1]
        fired("flood.as_many", shown)
        fired_option(options, "water_meter")
        state = replace(state, floods_left=shown)
    fired("draw.one_by_one", state.draws_left and holders(state))
    over_it = over_limit(options, state)
    if state.draws_left and over_it:
        fired_option(options, "hand_limit_between_draws")
        fired("limit.between_draws", options.hand_limit_between_draws)
        if not options.hand_limit_between_draws:
            return settle(options, replace(state, phase=following))
    fired("limit.draw", over_it)
    return enforce_limit(options, state, following)


def flood_card(options: Options, state: State, tile: str) -> State:
    """Draw this flood card: "a dry tile floods; a flooded tile sinks and leaves the game"."""
    block = state.flood_pile[0] - {tile}
    pile = (block, *state.flood_pile[1:]) if block else state.flood_pile[1:]
    state = replace(state, flood_pile=pile, floods_left=state.floods_left - 1)
    sinks = status(state, tile) == FLOODED
    fired("flood.sinks" if sinks else "flood.floods")
    if sinks:
        fired("sandbags.too_late", any(SANDBAGS in hand for hand in state.hands))
        state = with_status(state, tile, SUNK)
    else:
        state = with_status(state, tile, FLOODED)
        state = replace(state, flood_discard=state.flood_discard | {tile})
    if not pile:
        fired("flood.reshuffled")
        fired("flood.reshuffled_mid_draw", state.floods_left)
        fired("flood.resolved_first", not sinks)
        state = replace(state, flood_pile=(state.flood_discard,), flood_discard=frozenset())
    if sinks:
        cause = lost_with(state, tile)
        fired("swim.loss_first", cause and tile in state.pawns)
        if cause:
            return over(state, "lost", cause)
        fired("swim.each_separately", state.pawns.count(tile) > 1)
    return settle(options, replace(state, phase="swim"))


def lost_with(state: State, tile: str) -> str | None:
    """Why the game is lost now that this tile has sunk, if it is."""
    if tile == LANDING:
        fired("lose.landing")
        return "landing"
    treasure = TREASURE_OF[tile]
    if treasure and not any(in_play(state, each) for each in TILES_OF[treasure]):
        fired("lose.not_captured", treasure in state.captured)
        if treasure not in state.captured:
            fired("lose.treasure")
            return "treasure"
    return None


# What happens by itself, up to the next card, decision, or the end


def over(state: State, *how: str) -> State:
    return replace(state, phase="over", result=how)


def over_limit(options: Options, state: State) -> list[int]:
    return [seat for seat, hand in enumerate(state.hands) if len(hand) > options.hand_limit]


def swimmers(state: State) -> list[int]:
    """The seats whose pawns are on a sunk tile."""
    return [seat for seat, tile in enumerate(state.pawns) if not in_play(state, tile)]


def can_be_rescued(options: Options, state: State) -> bool:
    """A pawn that can't swim: "a Lift may save pawns from a tile that just sank"."""
    held = any(LIFT in hand for hand in state.hands)
    fired_option(options, "lift_rescue", held)
    return options.lift_rescue and held


def enforce_limit(options: Options, state: State, following: str) -> State:
    """Hands over the limit are brought down to it before this phase."""
    for seat in over_limit(options, state):
        hand = state.hands[seat]
        treasures_only = [card for card in hand if card not in SPECIALS]
        fired("limit.specials_count", len(treasures_only) <= options.hand_limit)
        fired("limit.outside_turn", seat != state.seat)
        fired_option(options, "hand_limit")
    return settle(options, replace(state, phase="discard", then=following))


def settle(options: Options, state: State) -> State:
    """Go on until a card is due, the team can decide something, or the game is over."""
    while not stands(options, state):
        state = proceed(options, state)
    return state


def stands(options: Options, state: State) -> bool:
    """Whether the state is one of chance, one of decision, or over."""
    if state.phase == "actions":
        return state.actions_left > 0 or bool(holders(state))
    if state.phase == "discard":
        return bool(over_limit(options, state))
    if state.phase == "draw":
        return any(state.pile)
    if state.phase == "before flood" and not state.floods_left:
        return False
    if state.phase in PURE_WINDOWS:
        return bool(holders(state))
    if state.phase == "swim" and swimmers(state):
        swimmer = swimmers(state)[0]
        return bool(swims(options, state, swimmer)) or can_be_rescued(options, state)
    return state.phase in ("flood", "over")


def proceed(options: Options, state: State) -> State:
    """What follows when nothing (more) is to be decided in this phase."""
    match state.phase:
        case "discard":
            return replace(state, phase=state.then, then="")
        case "actions":
            fired("actions.none_taken", state.actions_left == options.actions)
            fired("actions.not_all", 0 < state.actions_left < options.actions)
            fired("actions.used_up", state.actions_left == 0)
            return replace(state, phase="draw", actions_left=0, draws_left=TREASURE_DRAWS)
        case "between draws":
            return replace(state, phase="draw")
        case "draw" if any(state.discard):
            return reshuffle_treasures(options, state)
        case "draw":
            fired("draw.nothing_left")
            return after_draw(options, replace(state, draws_left=0))
        case "before flood" if state.floods_left:
            return replace(state, phase="flood")
        case "before flood":
            return end_turn(options, state)
        case "swim" if swimmers(state):
            fired("lose.drowned")
            return over(state, "lost", "drowned")
        case "swim":
            return replace(state, phase="before flood")
        case "last window":
            return over(state, "max_turns")
    raise AssertionError(state.phase)


def end_turn(options: Options, state: State) -> State:
    """On to the next seat, or to the end of the last turn."""
    if state.turn == options.max_turns:
        fired_option(options, "max_turns")
        return replace(state, phase="last window")
    fired("turn.clockwise")
    fired("pilot.reset", state.flights)
    return replace(
        state,
        phase="actions",
        turn=state.turn + 1,
        seat=(state.seat + 1) % options.players,
        actions_left=options.actions,
        flights=0,
    )


# Decisions: what is legal


def moves(options: Options, state: State) -> list[Choice]:
    """Every legal move; what goes on without a special comes first."""
    if turn(state) != "team":
        return []
    everybody = list(range(options.players))
    if state.phase == "discard":
        seat = over_limit(options, state)[0]
        return discards(options, state, seat) + specials(options, state, [seat])
    if state.phase == "swim":
        ways = swims(options, state, swimmers(state)[0])
        fired("special.while_swimming", holders(state))
        return (ways or [("go on",)]) + specials(options, state, everybody)
    if state.phase == "actions":
        return [("end actions",), *actions(options, state), *specials(options, state, everybody)]
    return [("go on",), *specials(options, state, everybody)]


def actions(options: Options, state: State) -> list[Choice]:
    """Every way to use an action."""
    if not state.actions_left:
        return []
    fired_option(options, "actions")
    return [
        *island_roles.walks(options, state),
        *island_roles.flights(options, state),
        *island_roles.navigations(options, state),
        *island_roles.shores(options, state),
        *island_roles.gives(state),
        *captures(options, state),
    ]


def captures(options: Options, state: State) -> list[Choice]:
    """ "standing on either of its two tiles, flooded or not, discard 4 of its cards"."""
    tile, hand = state.pawns[state.seat], state.hands[state.seat]
    treasure = TREASURE_OF[tile]
    if not treasure or treasure in state.captured:
        return []
    needed, held = options.cards_to_capture, hand.count(treasure)
    fired_option(options, "cards_to_capture", held)
    if held < needed:
        fired("capture.too_few", held)
        together = sum(each.count(treasure) for each in state.hands)
        fired("capture.one_hand", together >= needed)
        return []
    fired("capture.either_tile", all(in_play(state, each) for each in TILES_OF[treasure]))
    fired("capture.flooded", status(state, tile) == FLOODED)
    return [("capture", treasure)]


def discards(options: Options, state: State, seat: int) -> list[Choice]:
    """The ways to discard one card to the hand limit."""
    fired("limit.use_special", seat in holders(state))
    return [("discard", seat, card) for card in dict.fromkeys(state.hands[seat])]


# Decisions: what a move does


def apply(options: Options, state: State, choice: Any) -> State:
    """The state after this move or outcome; a ValueError where it isn't possible."""
    if turn(state) == "chance":
        possible = any(choice == outcome for outcome, _ in outcomes(options, state))
    else:
        possible = choice in moves(options, state)
    if not possible:
        raise ValueError(f"impossible in phase {state.phase}: {choice}")
    return step(options, state, choice)


def step(options: Options, state: State, choice: Any) -> State:
    """The state after this possible move or outcome."""
    if state.phase in SETUP_PHASES:
        state = setup_step(options, state, choice)
        if state.phase == "actions":
            return enforce_limit(options, state, "actions")
        return state
    if state.phase == "draw":
        return treasure_card(options, state, choice)
    if state.phase == "flood":
        return flood_card(options, state, choice)
    if choice[0] in ("end actions", "go on"):
        return settle(options, proceed(options, state))
    if choice[0] in ("lift", "win", "sandbags"):
        return play_special(options, state, choice)
    if choice[0] == "discard":
        return discard_to_limit(options, state, *choice[1:])
    if choice[0] == "swim":
        return swim(options, state, *choice[1:])
    state = act(options, state, choice)
    state = replace(state, actions_left=state.actions_left - 1)
    return enforce_limit(options, state, "actions")


def moved(state: State, seat: int, tile: str) -> State:
    return replace(state, pawns=put(state.pawns, seat, tile))


def flown(options: Options, state: State) -> State:
    """One more flight of the Pilot in this turn."""
    if options.pilot_flights_per_turn == "unlimited":
        return state
    return replace(state, flights=state.flights + 1)


def act(options: Options, state: State, move: Choice) -> State:
    """What the action does."""
    match move:
        case ("walk", seat, tile) | ("navigate", seat, tile):
            return moved(state, seat, tile)
        case ("navigate", one, first, other, second):
            return moved(moved(state, one, first), other, second)
        case ("fly", tile):
            return flown(options, moved(state, state.seat, tile))
        case ("shore", tiles):
            for tile in tiles:
                state = with_status(state, tile, DRY)
            return state
        case ("give", giver, receiver, card):
            fired("give.receiver_full", len(state.hands[receiver]) >= options.hand_limit)
            return give_card(drop_card(state, giver, card), receiver, card)
        case ("capture", treasure):
            for _ in range(options.cards_to_capture):
                state = discard_card(state, state.seat, treasure)
            fired("capture.to_discard")
            fired("capture.keeps_rest", treasure in state.hands[state.seat])
            return replace(state, captured=state.captured | {treasure})
    raise ValueError(f"no such move: {move}")


def play_special(options: Options, state: State, move: Choice) -> State:
    """Discard the special card for its effect, then on with what stood to be decided."""
    match move:
        case ("win", seat):
            fired("win")
            fired("win.flooded_landing", status(state, LANDING) == FLOODED)
            fired("win.off_turn", seat != state.seat)
            fired("win.between_floods", state.phase == "before flood")
            fired("win.hand_limit", state.phase == "discard")
            return over(discard_card(state, seat, LIFT), "win")
        case ("lift", seat, pawns, tile):
            state = discard_card(state, seat, LIFT)
            for pawn in pawns:
                state = moved(state, pawn, tile)
        case ("sandbags", seat, tile):
            state = with_status(discard_card(state, seat, SANDBAGS), tile, DRY)
    return settle(options, state)


def discard_to_limit(options: Options, state: State, seat: int, card: str) -> State:
    """A card too many goes to the discard."""
    fired("limit.discard_special", card in SPECIALS)
    fired("limit.after_reshuffle", state.then != "actions" and not any(state.discard))
    return settle(options, discard_card(state, seat, card))


def swim(options: Options, state: State, seat: int, tile: str) -> State:
    """The pawn leaves the sunk tile."""
    if island_roles.is_flight(options, state, seat, tile):
        state = flown(options, state)
    return settle(options, moved(state, seat, tile))


# Whole games


def random_move(options: Options, state: State, rng: random.Random) -> Choice:
    """A random kind of move, then one of this kind.

    Moves that bring the win nearer are preferred, and specials are kept for later windows: so games
    go farther, and rare rules come up more often.
    """
    by_kind: dict[str, list[Choice]] = {}
    for move in moves(options, state):
        by_kind.setdefault(move[0], []).append(move)
    for kind in ("win", "capture"):
        if kind in by_kind and rng.random() < 0.7:
            return rng.choice(by_kind[kind])
    for kind in ("lift", "sandbags"):
        if len(by_kind) > 1 and rng.random() < 0.9:
            by_kind.pop(kind, None)
    if len(by_kind) > 1 and rng.random() < 0.9:
        by_kind.pop("end actions", None)
    return rng.choice(by_kind[rng.choice(list(by_kind))])


def random_game(
    options: Options, rng: random.Random, start: State | None = None
) -> list[tuple[State, Any]]:
    """A game of random choices: each state with what followed, at last the end with None."""
    state, record = start or new_game(options), []
    while turn(state) != "over":
        if turn(state) == "chance":
            values, weights = zip(*outcomes(options, state), strict=True)
            choice = rng.choices(values, weights)[0]
        else:
            choice = random_move(options, state, rng)
        record.append((state, choice))
        state = step(options, state, choice)
    return [*record, (state, None)]
