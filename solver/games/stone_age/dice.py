"""Stone Age's exact questions about dice: yields, people, gifts, tables; splits are in splits.py.

Everything is a fraction of integer weights; the kernels count the ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from oddsmith.kernels.stone_age_dice import sum_ways
from oddsmith.solver.answer import Answer
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.stone_age import charts
from oddsmith.solver.games.stone_age.notation import MOST_DICE, format_tools, odd_tools, people
from oddsmith.solver.games.stone_age.questions import make_answer
from oddsmith.solver.games.stone_age.rules import (
    CROWD,
    DIVISORS,
    GOODS,
    HUNT,
    KINDS,
    PLACES,
    Rules,
    good,
)
from oddsmith.solver.odds import Distribution, die, format_fraction

TABLE_TOOLS = 13
"""Tools of 0 to 12 in the printed tables."""


def yields(n: int, what: str, tools: int = 0) -> Distribution[int]:
    """What n people bring: floor((sum of the dice + tools) / 2..6).

    Args:
        n: people, 1..10.
        what: food, wood, brick, stone or gold.
        tools: total value of the tools added.

    Raises:
        InputError: no such good or number of people.

    >>> yields(4, "wood").p_where(lambda k: k >= 4)
    Fraction(493, 648)
    """
    divisor = DIVISORS[good(what)]
    ways = enumerate(sum_ways(people(n)), n)
    return Distribution(((pips + tools) // divisor, w) for pips, w in ways)


def yield_answer(
    n: int, what: str, tools: Sequence[int] = (), one_use: Sequence[int] = (), command: str = ""
) -> Answer:
    """The distribution of a roll with all the tools given.

    Raises:
        InputError: as `yields`.
    """
    what = good(what)
    found = yields(n, what, sum(tools) + sum(one_use))
    value = {
        "distribution": [[k, format_fraction(found.p(k))] for k in found.outcomes],
        "mean": format_fraction(found.mean()),
        "at_least": [[k, format_fraction(p)] for k, p in found.at_least()],
    }
    used = format_tools(tools, one_use)
    notes = odd_tools(tools, one_use)
    if n > most_together(what):
        notes.append(f"{place_of(what)} takes {CROWD} people: no roll of a game is of {n}")
    title = f"{n} people for {what}" + (f" with tools {used}" if used != "none" else "")
    return make_answer(
        "yield", title, value, Rules(), sources=(),
        assumptions=("all the tools are added to this roll", *notes),
        method=f"all 6^{n} rolls; floor((sum + {sum(tools) + sum(one_use)}) / {DIVISORS[what]})",
        inputs={"people": n, "good": what, "tools": list(tools), "one_use": list(one_use)},
        blocks=charts.yield_blocks(found, what), command=command,
    )


def most_together(what: str) -> int:
    """How many people can roll for a good together."""
    return CROWD if good(what) in KINDS else MOST_DICE


def place_of(what: str) -> str:
    """Where people roll for a good, in words."""
    return f"the {PLACES[HUNT + GOODS.index(good(what))]}"


def fewest_people(
    what: str, at_least: int, confidence: Fraction, tools: int = 0
) -> tuple[int, Fraction] | None:
    """The fewest people that bring so much with this probability, and theirs.

    None if as many as there is room for don't.
    """
    for n in range(1, most_together(what) + 1):
        p = yields(n, what, tools).p_where(lambda k: k >= at_least)
        if p >= confidence:
            return n, p
    return None


def people_answer(
    what: str, at_least: int, confidence: Fraction, tools: Sequence[int] = (),
    one_use: Sequence[int] = (), command: str = "",
) -> Answer:
    """The fewest people for a yield, and the chance of each number of people.

    Raises:
        InputError: no such good; or as many people as there is room for are not enough.
    """
    what, bonus = good(what), sum(tools) + sum(one_use)
    most = most_together(what)
    rows = [(n, yields(n, what, bonus).p_where(lambda k: k >= at_least))
            for n in range(1, most + 1)]
    found = fewest_people(what, at_least, confidence, bonus)
    if found is None:
        p = format_fraction(rows[-1][1])
        takes = (f"{place_of(what)} takes {CROWD}" if what in KINDS else
                 f"nobody has more than {MOST_DICE}")
        raise InputError(
            f"{most} people don't bring {at_least} {what} with a chance of {confidence}",
            why=f"their chance is {p}, and {takes}",
            hint="more --tools, a smaller --confidence, or two rounds", source="<command line>")
    n, p_fewest = found
    return make_answer(
        "people", f"{n} people for at least {at_least} {what}",
        {"people": n, "p": format_fraction(p_fewest),
         "chances": [[k, format_fraction(chance)] for k, chance in rows]}, Rules(), sources=(),
        method=f"exact chances of 1 to {most} people; the first that is enough",
        assumptions=("all the tools are added to this roll", *odd_tools(tools, one_use)),
        inputs={"good": what, "at_least": at_least, "confidence": format_fraction(confidence),
                "tools": list(tools), "one_use": list(one_use)},
        blocks=charts.people_blocks(rows, n, at_least, what), command=command,
    )


# The dice gift -----------------------------------------------------------------------------------

GIFT_WORDS = ("1 wood", "1 brick", "1 stone", "1 gold", "1 tool", "food track +1")


def gift_shares(players: int, rank: Sequence[int]) -> list[Distribution[int]]:
    """Which die each seat takes, buyer first, if everybody takes the one that ranks first.

    Args:
        players: dice that are rolled.
        rank: the values 1..6, the one that everybody likes best first.

    >>> gift_shares(2, (6, 5, 4, 3, 2, 1))[0].p(6)
    Fraction(11, 36)
    """
    one = die(6).map(rank.index)
    rolls: Distribution[tuple[int, ...]] = one.map(lambda place: (place,))
    for _ in range(players - 1):
        rolls = rolls.bind(lambda some: one.map(lambda place: (*sorted((*some, place)),)))
    return [rolls.map(lambda some, seat=seat: rank[some[seat]])  # type: ignore[misc]
            for seat in range(players)]


def gift_answer(
    players: int, rank: Sequence[int] = (6, 5, 4, 3, 2, 1), command: str = ""
) -> Answer:
    """What each seat can expect of a dice gift.

    Raises:
        InputError: not 2 to 4 players, or `rank` is not an order of 1 to 6.
    """
    if not 2 <= players <= 4:
        raise InputError(f"a gift for {players} players", why="Stone Age is for 2 to 4")
    if sorted(rank) != [1, 2, 3, 4, 5, 6]:
        raise InputError(f"--rank can't be {','.join(map(str, rank))}",
                         why="it puts the dice 1 to 6 in order, each once, best first")
    shares = gift_shares(players, list(rank))
    value = [
        {"seat": seat, "dice": [[face, format_fraction(one.p(face))] for face in range(1, 7)],
         "mean_rank": format_fraction(one.map(lambda face: rank.index(face) + 1).mean())}
        for seat, one in enumerate(shares, 1)
    ]
    return make_answer(
        "gift", f"Dice gift of {players} players", {"best_first": list(rank), "seats": value},
        Rules(players=players), sources=(),
        method=f"all 6^{players} rolls; each seat takes what ranks first",
        assumptions=("everybody ranks the dice " + ", ".join(
            f"{face} ({GIFT_WORDS[face - 1]})" for face in rank),),
        inputs={"players": players, "rank": list(rank)},
        blocks=charts.gift_blocks(shares, GIFT_WORDS), command=command,
    )


# Printed tables ----------------------------------------------------------------------------------


def table_answer(command: str = "") -> Answer:
    """The reference tables: mean yields of 1 to 10 people for each good and tools of 0 to 12."""
    means = {
        what: [[yields(n, what, tools).mean() for tools in range(TABLE_TOOLS)]
               for n in range(1, MOST_DICE + 1)]
        for what in GOODS
    }
    value = {what: [[format_fraction(mean) for mean in row] for row in rows]
             for what, rows in means.items()}
    return make_answer(
        "table", "Mean yields by people and tools", value, Rules(), sources=(),
        method="exact means; people 1 to 10 by row, tools 0 to 12 by column",
        blocks=charts.table_blocks(means), command=command,
    )
