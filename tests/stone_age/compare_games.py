"""Comparing whole games of the compiled Stone Age with the plain reference."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from oddsmith.kernels.rng import Generator
from oddsmith.solver.games import stone_age
from oddsmith.solver.games.stone_age import engine
from oddsmith.solver.games.stone_age.position import CAUSES, PHASES
from oddsmith.solver.games.stone_age.rules import table as table_of
from tests.reference import stone_age as reference
from tests.reference.stone_age_rules import Final, final, winners
from tests.reference.stone_age_table import CARDS, HUNT, TILES
from tests.stone_age.options import OPTIONS

KEEP_DEFAULT = 0.3
WAKE, FEEDING = (("wake",),), (("feeding",),)
RARE = ("choose_resources", "extra_card_scoring_only", "tool")
"""Tops of cards that are rarely bought late."""
POLICIES = ("greedy", "greedy", "tuned", "random", "starve")
PHASE = {
    "start": "start player", "tile": "turn tile", "card": "deal", "place": "placing",
    "people": "how many", "act": "acting", "roll": "roll", "tools": "tools", "pay": "paying",
    "extra": "extra card", "gift": "gift roll", "die": "gift", "raise": "raising",
    "two": "choosing", "hunger": "feeding", "over": "over",
}
CAUSE = {"": "", "cards": "cards", "tiles": "tiles", "max_rounds": "rounds"}
DERIVED = ("free", "crowd", "visitors", "extra_open")  # the reference doesn't keep them
ONLY_GOING_ON = ("actor", "to_move", "fed", "gifts")  # mean nothing when the game is over


def random_options(draw):
    """Some options changed."""
    options = {name: values[0] if name != "players" and draw.random() < KEEP_DEFAULT
               else draw.choice(values) for name, values in OPTIONS.items()}
    if options["players"] * options["stack_size"] > len(TILES):
        options["stack_size"] = 7
    return options


def both_rules(options):
    supply = options["resource_supply"]
    plain = reference.Options(**{**options, "dice": str(options["dice"]),
                                 "resource_supply": None if supply == "unlimited" else supply})
    return stone_age.Rules(**options), plain


# States and moves as the kernel tells them --------------------------------------------------------


def seat_fields(state, number):
    seat = state.seats[number]
    hidden = {state.extra[0]} if state.extra and state.extra[1] == number else set()
    low = seat.tool_value // 3
    return {
        "goods": list(seat.goods), "score": seat.score, "food": seat.food, "people": seat.people,
        "left": seat.left, "track": seat.track, "tools": seat.tool_value,
        "used_low": seat.tools.count((low, True)) if low else 0,
        "used_high": seat.tools.count((low + 1, True)),
        "one_use": sum(1 << (value - 2) for value in seat.one_use), "two": int(seat.two),
        "cards": sorted(card - 1 for card in seat.cards - hidden),
        "tiles": sorted(tile - 1 for tile in seat.tiles),
        "on": {place: people for place, people in enumerate(seat.on) if people},
    }


def gifts_of(state):
    """The gifts that wait, and the one whose dice are being taken, at its place among them."""
    gifts = [(list(dice), sorted(seats)) for dice, seats in state.gifts]
    for task in state.agenda:
        if task[0] == "die":
            _, dice, takers, waiting, index = task
            gifts.insert(index, (sorted(dice), sorted((*takers, *waiting))))
    return gifts


def scratch(state):
    """What only the present phase needs."""
    found = dict.fromkeys(("place", "kind", "dice", "sum"), 0)
    name, *rest = state.agenda[0]
    if name in ("people", "pay"):
        found["place"] = rest[1]
    elif name == "tile":
        found["place"] = rest[0]
    elif name == "die":
        found["place"] = rest[3]
    elif name == "hunger":
        found["sum"] = rest[1]
    elif name == "two" and state.agenda[1][0] == "hunger":
        found["sum"] = state.agenda[1][2]
    elif name in ("roll", "tools"):
        divisor = rest[1]
        card = bool(rest[3]) if len(rest) > 3 else False
        found["place"] = engine.PLACES.index("card 1") if card else HUNT + divisor - 2
        found["kind"] = 4 if divisor == 2 else divisor - 3
        found["dice" if name == "roll" else "sum"] = rest[2]
    return found


def fields_of(state):
    """A reference state as the kernel's `unpack` tells it."""
    names = [task[0] for task in state.agenda]
    set_up = names[0] == "start" or "new round" in names
    turns = [task[1] for task in state.agenda if task[0] in ("act", "actions", "turn")]
    actor = turns[0] if turns else 0 if set_up else state.start
    turn = reference.turn(state)
    if not isinstance(turn, int):
        turn = state.start if set_up else actor
    return {
        "seats": [seat_fields(state, number) for number in range(len(state.seats))],
        "deck": sorted(card - 1 for card in state.deck),
        "unseen": sorted(tile - 1 for tile in state.unseen),
        "supply": list(state.supply or (0, 0, 0, 0)),
        "rounds": state.rounds + (not set_up and names[0] != "over"),
        "gifts": gifts_of(state),
        "slots": [card - 1 if card else None for card in state.slots],
        "tops": [tile - 1 if tile else None for tile in state.tops],
        "stacks": list(state.stacks),
        "extra": state.extra[0] - 1 if state.extra else None,
        "extra_seat": state.extra[1] if state.extra else 0,
        "start": state.start, "actor": actor,
        "to_move": turn, "phase": PHASES.index(PHASE[names[0]]), **scratch(state),
        "fed": int("end of round" in names and "feeding" not in names),
        "cause": CAUSES.index(CAUSE[state.cause]),
    }


def told(table, state):
    fields = table.unpack(state)
    for name in DERIVED:
        del fields[name]
    if PHASES[fields["phase"]] in ("roll", "tools"):  # which card place is of no consequence
        fields["place"] = min(fields["place"], engine.PLACES.index("card 1"))
    return fields


def differences(kernel, expected):
    """The fields in which the kernel and the reference differ, for the message."""
    return "".join(f"{name}: {kernel[name]} for {expected[name]}\n" for name in expected
                   if kernel[name] != expected[name])


def kernel_code(state, move):
    """A reference move or outcome as a code of the kernel."""
    name, *rest = move
    if name in ("pay", "take", "feed"):
        return engine.GOODS_MOVES[name] | sum(n << (8 + 4 * kind) for kind, n in enumerate(rest[0]))
    if name in engine.PLAIN:
        return engine.PLAIN[name]
    if name == "tools":
        low = state.seats[reference.turn(state)].tool_value // 3
        slots, one_use = rest
        return (engine.TOOLS | slots.count(low) << 8 | slots.count(low + 1) << 16
                | sum(1 << (value - 2) for value in one_use) << 24)
    if name == "gift":
        return engine.GIFT | sum(1 << (4 + 4 * pips) for pips in rest[0])
    if name == "raise":
        return engine.RAISE | (rest[0] == "used") << 8
    kind = {"start": engine.START, "tile": engine.TILE, "card": engine.CARD, "roll": engine.ROLL,
            "place": engine.PLACE, "people": engine.PEOPLE, "use": engine.USE,
            "die": engine.DIE}[name]
    return kind | (rest[0] - (name in ("tile", "card"))) << 8


# Made-up positions --------------------------------------------------------------------------------


def seats_late(options, draw, hands, built):
    """What seats may have late in a game, with these cards and tiles."""
    supply = list(options.resource_supply or (40, 40, 40, 40))
    poor = draw.random() < 0.3
    seats = []
    for cards, tiles in zip(hands, built, strict=True):
        tops = [CARDS[card]["immediate"] for card in cards]
        goods = [draw.randint(0, min(left, draw.choice((0, 1, 3, 9)))) for left in supply]
        supply = [left - n for left, n in zip(supply, goods, strict=True)]
        level, higher = divmod(draw.choice((0, 1, 2, 4, 5, 6, 8, 9, 11, 12)), 3)
        seats.append(reference.Seat(
            goods=tuple(goods), score=draw.randint(-30, 99),
            food=0 if poor else draw.randint(0, 15),
            people=draw.choice((options.start_people, draw.randint(options.start_people, 10), 10)),
            track=0 if poor else draw.choice((0, 3, 9, 10)),
            tools=((level, False),) * (3 - higher) + ((level + 1, False),) * higher,
            one_use=tuple(sorted(top["amount"] for top in tops if top["type"] == "one_use_tool")),
            two=options.choose_two == "later"
            and any(top["type"] == "choose_resources" for top in tops),
            cards=frozenset(cards), tiles=frozenset(tiles),
        ))
    return tuple(seats), tuple(supply) if options.resource_supply else None


def shared_out(draw, things, n):
    piles = [[] for _ in range(n)]
    for thing in things:
        draw.choice(piles).append(thing)
    return piles


def late_state(options, draw, *tasks):
    """A made-up start of a round or of its feeding: few cards and tiles left, players with much or nothing."""
    n, tasks = options.players, tasks or draw.choice((WAKE, WAKE, FEEDING))
    cards, tiles = draw.sample(sorted(CARDS), len(CARDS)), draw.sample(sorted(TILES), len(TILES))
    for k in range(4, len(cards)):  # somebody has the two-resource card, often
        if CARDS[cards[k]]["immediate"]["type"] == "choose_resources":
            cards.append(cards.pop(k))
            break
    wanted = [k for k in range(4, len(cards)) if CARDS[cards[k]]["immediate"]["type"] in RARE]
    if wanted and draw.random() < 0.5:  # rare cards are for sale
        k, slot = draw.choice(wanted), draw.randrange(4)
        cards[k], cards[slot] = cards[slot], cards[k]
    n_deck = draw.choice((0, 0, 1, 3, 6, 12))
    stacks = tuple(draw.randint(1, options.stack_size) for _ in range(n))
    n_built = n * options.stack_size - sum(stacks)
    seats, supply = seats_late(options, draw, shared_out(draw, cards[4 + n_deck :], n),
                               shared_out(draw, tiles[n : n + n_built], n))
    state = reference.State(
        seats=seats, agenda=tasks, deck=frozenset(cards[4 : 4 + n_deck]),
        unseen=frozenset(tiles[n + n_built :]), supply=supply, slots=tuple(cards[:4]),
        tops=tuple(tiles[:n]), stacks=stacks, start=draw.randrange(n),
        rounds=draw.randrange(options.max_rounds),
    )
    return reference.advance(options, state)


def compare_final(options, table, draw) -> Counter[str]:
    """The result of a made-up end where seats have the same total."""
    plain = late_state(options, draw, ("end of round",), ("over",))
    if reference.phase(plain) != "over":
        plain = replace(plain, agenda=(("over",),), cause="max_rounds", rounds=options.max_rounds)
    seats = [replace(seat, left=0) for seat in plain.seats]
    most = max(final(options, seat).total for seat in seats)
    for number, seat in enumerate(seats):
        if draw.random() < 0.7:
            alike = seats[0] if draw.random() < 0.7 else seat
            food = draw.choice((seat, alike)).food
            made = replace(seat, people=alike.people, track=alike.track, tools=alike.tools,
                           food=food)
            seats[number] = replace(made, score=made.score + most - final(options, made).total)
    plain = replace(plain, seats=tuple(seats))
    state = table.pack({**fields_of(plain), "extra_open": False})
    check_result(options, table, plain, state)
    return Counter(finals=1)


# Games --------------------------------------------------------------------------------------------


class Taste:
    """Who plays a game: at random, by a policy, or a mixture."""

    def __init__(self, draw, table, seed):
        self.draw, self.table = draw, table
        self.p_policy = draw.choice((0, 0, 0.5, 0.9, 1))
        self.policy = draw.choice(POLICIES)
        self.thinking = Generator(seed, 1)

    def choose(self, state, codes):
        if self.draw.random() < self.p_policy:
            return self.table.policy_move(state, self.policy, self.thinking)
        if len(codes) > 1 and self.draw.random() < 0.6:
            codes = [code for code in codes if code & 0xFF not in (engine.DECLINE, engine.STARVE)]
        return self.draw.choice(codes)


def check_result(options, table, plain, state):
    question = f"{options} {plain}"
    assert table.turn(state) == engine.OVER, question
    kernel, expected = told(table, state), fields_of(plain)
    for name in ONLY_GOING_ON:
        del kernel[name], expected[name]
    assert kernel == expected, differences(kernel, expected) + question
    scores, best = reference.result(options, plain)
    totals = tuple(score.total for score in scores)
    assert all(isinstance(score, Final) for score in scores)
    assert best == winners(options, plain.seats, totals)
    summary = table.summary(state)
    assert tuple(summary[: options.players]) == totals, question
    assert summary[options.players] == plain.rounds, question
    shares = [60 // len(best) if seat in best else 0 for seat in range(options.players)]
    assert list(table.payoff(state)) == shares, question


def compare_one_game(options, table, plain, state, draw, taste) -> Counter[str]:
    """A game to its end, both sides compared before each step."""
    seen: Counter[str] = Counter()
    while (turn := reference.turn(plain)) != "over":
        question = f"{options} {plain}"
        kernel, expected = told(table, state), fields_of(plain)
        assert kernel == expected, differences(kernel, expected) + question
        if turn == "chance":
            assert table.turn(state) == engine.CHANCE, question
            drawn = reference.outcomes(options, plain)
            codes = {kernel_code(plain, outcome): outcome for outcome, _ in drawn}
            weights = {kernel_code(plain, outcome): weight for outcome, weight in drawn}
            found = table.outcomes(state)
            assert len(found) == len(weights) == len(drawn), question
            assert dict(found) == weights, question
            code = draw.choice(list(codes))
            plain = reference.deal(options, plain, codes[code])
            seen["chance"] += 1
        else:
            assert table.turn(state) == turn, question
            moves = {kernel_code(plain, move): move for move in reference.moves(options, plain)}
            found = table.moves(state)
            assert len(set(found)) == len(found) == table.n_moves(state), question
            assert set(found) == moves.keys(), question
            code = taste.choose(state, found)
            plain = reference.advance(options, reference.perform(options, plain, moves[code]))
            seen["decisions"] += 1
        state = table.apply_unchecked(state, code)
    check_result(options, table, plain, state)
    seen[plain.cause] += 1
    return seen


def compare_games(seed: int, n: int, drawn=random_options) -> Counter[str]:
    """At least n decisions of games under random options; all moves, one of them made."""
    reference.FIRED.clear()
    draw = random.Random(seed)
    seen: Counter[str] = Counter()
    while seen["decisions"] < n:
        rules, options = both_rules(drawn(draw))
        table = table_of(rules)
        taste = Taste(draw, table, seed)
        seen += compare_one_game(options, table, reference.new_game(options), table.new_game(),
                                 draw, taste)
        for _ in range(8):
            late = late_state(options, draw)
            if reference.phase(late) == "over":
                continue
            state = table.pack({**fields_of(late), "extra_open": False})
            taste = Taste(draw, table, seed)
            seen += compare_one_game(options, table, late, state, draw, taste)
        for _ in range(8):
            seen += compare_final(options, table, draw)
    return Counter(reference.FIRED) + seen
