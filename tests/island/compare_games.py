"""Comparing whole games of the compiled Forbidden Island with the plain reference."""

from __future__ import annotations

import random
from collections import Counter

from oddsmith.kernels.rng import Generator
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.rules import Rules
from tests.reference import island as reference
from tests.reference.island_table import CARDS, LAYOUTS, ROLES, TILES, TREASURES

DRAWN = ("#" * 12 + "...", "." * 3 + "#" * 12)
ODD = ("#.#.#.#.#.#.#.#.#.#.#.#", ".#.#.#.#.#.#.#.#.#.#.#.", "...........#...........")
OPTIONS = {
    "players": (2, 3, 4),
    "layout": (*LAYOUTS, DRAWN, ODD),
    "difficulty": ("novice", "normal", "elite", "legendary"),
    "water_level": (None, None, None, 1, 3, 5, 8),
    "lift_rescue": (True, False),
    "lift_from": ("one_tile", "one_tile", "anywhere"),
    "rise_shuffle": ("on_top", "on_top", "whole_pile"),
    "navigator_uses_target_power": ("step", "none"),
    "navigator_split": (False, False, True),
    "diver_swim": ("nearest", "any"),
    "pilot_swim_free": (True, False),
    "hand_limit_between_draws": (True, False),
    "treasure_reshuffle": ("at_once", "on_demand"),
    "hand_limit": (5, 5, 5, 1, 2, 3, 7),
    "actions": (3, 3, 3, 1, 2, 5),
    "cards_per_treasure": (5, 5, 5, 2, 3, 7),
    "cards_to_capture": (4, 4, 2, 1, 3, 5),
    "initial_flood": (6, 6, 6, 0, 1, 12, 18, 24),
    "waters_rise": (3, 3, 3, 0, 1, 6),
    "helicopters": (3, 3, 3, 0, 1, 5),
    "sandbags": (2, 2, 2, 0, 1, 5),
    "water_meter": ((2, 2, 3, 3, 3, 4, 4, 5, 5),) * 3 + ((0, 1, 0, 6, 9, 2, 0, 1),),
    "pilot_flights_per_turn": (1, 1, 2, "unlimited"),
    "max_turns": (200, 200, 3, 12),
}
KEEP_DEFAULT = 0.7
ANY = ("players", "layout", "difficulty")  # all values alike
PHASES = {
    "tiles": engine.DEAL_TILES, "initial flood": engine.DEAL_FLOOD, "roles": engine.DEAL_ROLES,
    "hands": engine.DEAL_HANDS, "actions": engine.ACTIONS, "discard": engine.DISCARD,
    "between draws": engine.BETWEEN_DRAWS, "before flood": engine.BEFORE_FLOOD,
    "swim": engine.SWIM, "last window": engine.LAST_WINDOW, "draw": engine.DRAW,
    "flood": engine.FLOOD, "over": engine.FINISHED, "next turn": engine.NEXT_TURN,
}
ENDINGS = {
    ("win",): 1, ("lost", "treasure"): 2, ("lost", "landing"): 3, ("lost", "drowned"): 4,
    ("lost", "water"): 5, ("max_turns",): 6,
}


def random_options(draw):
    """Some options changed; roles named now and then."""
    options = {name: values[0] if name not in ANY and draw.random() < KEEP_DEFAULT
               else draw.choice(values) for name, values in OPTIONS.items()}
    if options["water_level"] and options["water_level"] > len(options["water_meter"]):
        options["water_level"] = None
    if draw.random() < 0.2:
        options["roles"] = tuple(draw.sample(ROLES, options["players"]))
    dealt = 4 * options["cards_per_treasure"] + options["helicopters"] + options["sandbags"]
    return options if dealt >= 2 * options["players"] else random_options(draw)


def both_rules(options):
    plain = reference.Options(**options)
    layout = options["layout"]
    return Rules(**{**options, "layout": layout if isinstance(layout, str) else "/".join(layout)}), plain


def mask(spaces):
    return sum(1 << space for space in spaces)


def fields_of(options, state):
    """A reference state as the kernel's `unpack` tells it; what only set-up phases use left out."""
    space = {tile: k for k, tile in enumerate(state.board)}
    status = dict(zip(TILES, state.status, strict=True))
    swimmers = [seat for seat, tile in enumerate(state.pawns) if status[tile] == "sunk"]
    return {
        "in_play": mask(space[tile] for tile in state.board if status[tile] != "sunk"),
        "flooded": mask(space[tile] for tile in state.board if status[tile] == "flooded"),
        "discard": mask(space[tile] for tile in state.flood_discard),
        "pile": [mask(space[tile] for tile in block) for block in reversed(state.flood_pile)] or [0],
        "place": [space[tile] for tile in TILES],
        "hands": [[hand.count(card) for card in CARDS] for hand in state.hands],
        "roles": [ROLES.index(role) for role in state.roles],
        "pawns": [space[tile] for tile in state.pawns],
        "deck": list(state.pile), "used": list(state.discard), "mark": state.water - 1,
        "captured": mask(TREASURES.index(one) for one in state.captured),
        "to_move": state.seat, "phase": PHASES[state.phase], "actions": state.actions_left,
        "flights": state.flights, "draws": state.draws_left, "floods": state.floods_left,
        "swimmers": mask(swimmers), "then": PHASES[state.then] if state.then else 0,
        "turn": state.turn, "ending": ENDINGS[state.result] if state.result else 0,
    }


def told(table, state):
    fields = table.unpack(state)
    del fields["dealt"], fields["undealt"]
    if fields["phase"] != engine.DISCARD:
        fields["then"] = 0
    return fields


def kernel_code(state, move):
    """A reference move or outcome of a state after the set-up as a code of the kernel."""
    def at(tile):
        return state.board.index(tile)

    match move:
        case ("end actions",) | ("go on",):
            return engine.encode(engine.PASS)
        case ("walk", _, tile):
            return engine.encode(engine.WALK, at(tile))
        case ("fly", tile):
            return engine.encode(engine.FLY, at(tile))
        case ("shore", (tile,)):
            return engine.encode(engine.SHORE, at(tile), engine.NOBODY)
        case ("shore", tiles):
            return engine.encode(engine.SHORE, *sorted(map(at, tiles)))
        case ("give", _, to, card):
            return engine.encode(engine.GIVE, to, CARDS.index(card))
        case ("capture", treasure):
            return engine.encode(engine.CAPTURE, TREASURES.index(treasure))
        case ("navigate", seat, tile):
            return engine.encode(engine.NAVIGATE, seat, at(tile), engine.NOBODY, engine.NOBODY)
        case ("navigate", one, tile, two, other):
            return engine.encode(engine.NAVIGATE, one, at(tile), two, at(other))
        case ("lift", holder, seats, tile):
            return engine.encode(engine.LIFT, holder, mask(seats), at(tile))
        case ("win", holder):
            return engine.encode(engine.WIN, holder)
        case ("sandbags", holder, tile):
            return engine.encode(engine.SANDBAGS, holder, at(tile))
        case ("discard", seat, card):
            return engine.encode(engine.DROP, seat, CARDS.index(card))
        case ("swim", seat, tile):
            return engine.encode(engine.SWIM_TO, seat, at(tile))
    raise AssertionError(move)


def outcome_code(state, outcome):
    if state.phase == "tiles":
        return engine.encode(engine.TILE, TILES.index(outcome))
    if state.phase in ("flood", "initial flood"):
        return engine.encode(engine.FLOOD_CARD, state.board.index(outcome))
    if state.phase == "roles":
        return engine.encode(engine.ROLE, ROLES.index(outcome))
    return engine.encode(engine.CARD, CARDS.index(outcome))


def seat_of(options, state):
    seat = reference.decider(options, state)
    return state.seat if seat is None else seat


class Taste:
    """Who plays a game: at random, by the rule policy, or a mixture; specials rarely or often."""

    def __init__(self, draw, table, seed):
        self.draw, self.table = draw, table
        self.p_policy = draw.choice((0, 0, 0.5, 0.9, 1))
        self.p_special = draw.choice((0.05, 0.3, 1))
        self.thinking = Generator(seed, 1)

    def choose(self, state, codes):
        if self.draw.random() < self.p_policy:
            return self.table.policy_move(state, "rules", self.thinking)
        plain = [code for code in codes if code & 0xFF not in (engine.LIFT, engine.SANDBAGS)]
        if plain and self.draw.random() > self.p_special:
            codes = plain
        if len(codes) > 1 and self.draw.random() < 0.5:
            codes = [code for code in codes if code & 0xFF != engine.PASS]
        return self.draw.choice(codes)


def compare_set_up(options, rules, table, draw):
    """All of the set-up: the state after each card and what can come next."""
    plain, state = reference.new_game(options), table.new_game()
    while plain.phase in ("tiles", "initial flood", "roles", "hands"):
        expected = reference.outcomes(options, plain)
        codes = {outcome_code(plain, outcome): (outcome, weight) for outcome, weight in expected}
        assert dict(table.outcomes(state)) == {code: codes[code][1] for code in codes}, options
        code = draw.choice(list(codes))
        plain = reference.step(options, plain, codes[code][0])
        state = table.apply_unchecked(state, code)
    return plain, state


def compare_one_game(options, table, plain, state, draw, taste) -> Counter[str]:
    """A game to its end, both sides compared before each step."""
    seen: Counter[str] = Counter()
    while True:
        question = f"{options} {plain}"
        turn = reference.turn(plain)
        if turn == "over":
            break
        assert told(table, state) == fields_of(options, plain), question
        if turn == "chance":
            assert table.turn(state) == engine.CHANCE, question
            expected = reference.outcomes(options, plain)
            codes = {outcome_code(plain, outcome): outcome for outcome, _ in expected}
            weights = {outcome_code(plain, outcome): weight for outcome, weight in expected}
            assert dict(table.outcomes(state)) == weights, question
            code = draw.choice(list(codes))
            plain = reference.step(options, plain, codes[code])
        else:
            assert table.turn(state) == seat_of(options, plain), question
            moves = {kernel_code(plain, move): move for move in reference.moves(options, plain)}
            found = table.moves(state)
            assert len(set(found)) == len(found) == table.n_moves(state), question
            assert set(found) == moves.keys(), question
            code = taste.choose(state, found)
            plain = reference.step(options, plain, moves[code])
            seen["decisions"] += len(moves) > 1
        state = table.apply_unchecked(state, code)
    assert table.turn(state) == engine.OVER, question
    ending = ENDINGS[plain.result]
    assert table.unpack(state)["ending"] == ending, question
    assert table.payoff(state) == [60 * (ending == 1)] * options.players, question
    assert table.summary(state)[:3] == [ending, plain.turn, len(plain.captured)], question
    seen[engine.ENDINGS[ending]] += 1
    return seen


def late_state(options, draw):
    """A made-up position: many tiles gone, hands full, treasures captured, little in the piles."""
    board = tuple(draw.sample(TILES, 24))
    n_sunk, n_flooded = draw.randint(0, 14), draw.randint(0, 10)
    tiles = draw.sample(TILES, 24)
    sunk, flooded = set(tiles[:n_sunk]), set(tiles[n_sunk : n_sunk + n_flooded])
    captured = frozenset(draw.sample(TREASURES, draw.choice((0, 1, 2, 3, 4, 4))))
    pairs = {treasure: {tile for tile in TILES if reference.TREASURE_OF[tile] == treasure}
             for treasure in TREASURES}
    sunk -= {"fools_landing"}
    for treasure, pair in pairs.items():
        if treasure not in captured and pair <= sunk:
            sunk -= pair
    left = [tile for tile in TILES if tile not in sunk]
    status = tuple("sunk" if tile in sunk else "flooded" if tile in flooded else "dry" for tile in TILES)
    roles = options.roles if options.roles != "random" else tuple(draw.sample(ROLES, options.players))
    spots = draw.choice((left, left, ["fools_landing"], draw.sample(left, 2)))
    pawns = tuple(draw.choice(spots) for _ in roles)
    cards = [card for card, n in zip(CARDS, options.deck, strict=True) for _ in range(n)]
    draw.shuffle(cards)
    hands = [[] for _ in roles]
    for hand in hands:
        for _ in range(draw.randint(0, options.hand_limit)):
            wanted = [card for card in cards if card != "waters_rise"]
            if wanted:
                card = draw.choice([*wanted, *(c for c in wanted if c in ("helicopter_lift", "sandbags"))])
                cards.remove(card)
                hand.append(card)
    n_pile = draw.choice((0, 1, 2, 3, len(cards)))
    pile, discard = cards[:n_pile], cards[n_pile:]
    if draw.random() < 0.05:  # nothing left to draw
        pile = discard = []
    if not pile and options.treasure_reshuffle == "at_once":
        pile, discard = discard, []
    floods = draw.sample(left, len(left))
    blocks, at = [], draw.choice((0, 1, 3, 6))
    flood_discard = frozenset(floods[:at])
    while at < len(floods):
        size = draw.choice((1, 2, 5, 9))
        blocks.append(frozenset(floods[at : at + size]))
        at += size
    if not blocks:
        blocks, flood_discard = [flood_discard], frozenset()
    count = Counter
    state = reference.State(
        phase="before flood", board=board, status=status, pawns=pawns, roles=tuple(roles),
        hands=tuple(tuple(sorted(hand, key=CARDS.index)) for hand in hands), captured=captured,
        pile=tuple(count(pile)[card] for card in CARDS),
        discard=tuple(count(discard)[card] for card in CARDS),
        flood_pile=tuple(blocks[-15:]) if len(blocks) <= 15 else (frozenset().union(*blocks),),
        flood_discard=flood_discard,
        water=draw.randint(1, len(options.water_meter)),
        turn=draw.choice((1, min(9, options.max_turns), options.max_turns)),
        seat=draw.randrange(options.players), floods_left=draw.choice((0, 1, 2, 5)),
    )
    made_rarer = draw.choice((more_than_a_set, won_over_the_limit, second_flight, None))
    return reference.settle(options, made_rarer(options, state, draw) if made_rarer else state)


def with_hand(state, seat, hand):
    """Another hand for a seat, dealt from the cards that are not in other hands."""
    hands = [*state.hands]
    left = Counter(hands[seat])
    for counts in (state.pile, state.discard):
        left += Counter(dict(zip(CARDS, counts, strict=True)))
    if Counter(hand) - left:
        return state
    left -= Counter(hand)
    hands[seat] = tuple(sorted(hand, key=CARDS.index))
    return reference.replace(state, hands=tuple(hands), pile=tuple(left[card] for card in CARDS),
                             discard=(0,) * len(CARDS))


def more_than_a_set(options, state, draw):
    """The seat to move can capture and keeps a card of the kind."""
    n = options.cards_to_capture + 1
    open_ones = [one for one in TREASURES if one not in state.captured]
    if not open_ones or n > min(options.cards_per_treasure, options.hand_limit):
        return state
    treasure = draw.choice(open_ones)
    tile = next(tile for tile in TILES if reference.TREASURE_OF[tile] == treasure
                and state.status[TILES.index(tile)] != "sunk")
    pawns = tuple(tile if seat == state.seat else at for seat, at in enumerate(state.pawns))
    state = with_hand(state, state.seat, [treasure] * n)
    return reference.replace(state, phase="actions", actions_left=options.actions, pawns=pawns,
                             floods_left=0)


def won_over_the_limit(options, state, draw):
    """Everybody is on Fools' Landing with all treasures; the seat to move has to discard."""
    cards = [*TREASURES] * options.cards_per_treasure
    hand = draw.sample(cards, min(options.hand_limit, len(cards)))
    state = with_hand(state, state.seat, ["helicopter_lift", *hand])
    if len(state.hands[state.seat]) <= options.hand_limit:
        return state
    return reference.replace(state, phase="discard", then="before flood", captured=frozenset(TREASURES),
                             pawns=("fools_landing",) * options.players)


def second_flight(options, state, draw):
    """The Pilot has flown and may have to swim."""
    flooded = [tile for tile in state.flood_pile[0]
               if state.status[TILES.index(tile)] == "flooded"]
    flights = options.pilot_flights_per_turn
    if "pilot" not in state.roles or not flooded or flights == "unlimited":
        return state
    pilot = state.roles.index("pilot")
    at = draw.choice(sorted(flooded))
    pawns = tuple(at if seat == pilot else other for seat, other in enumerate(state.pawns))
    return reference.replace(state, seat=pilot, flights=flights, pawns=pawns, floods_left=5)


def compare_games(seed: int, n: int) -> Counter[str]:
    """At least n decisions of games under random options; all moves, one of them made."""
    reference.FIRED.clear()
    draw = random.Random(seed)
    seen: Counter[str] = Counter()
    while seen["decisions"] < n:
        rules, options = both_rules(random_options(draw))
        table = engine.table(rules)
        plain, state = compare_set_up(options, rules, table, draw)
        seen += compare_one_game(options, table, plain, state, draw, Taste(draw, table, seed))
        for _ in range(4):
            late = late_state(options, draw)
            state = table.pack(fields_of(options, late))
            seen += compare_one_game(options, table, late, state, draw, Taste(draw, table, seed))
    return Counter(reference.FIRED) + seen
