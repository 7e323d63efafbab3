"""Stone Age's exact questions about dice and tools: yields, people, splits, gifts, tables.

Everything is a fraction of integer weights; the kernels count the ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from oddsmith.kernels.stone_age_dice import Split, sum_ways
from oddsmith.solver.answer import Answer
from oddsmith.solver.errors import InputError, TooLarge
from oddsmith.solver.games.stone_age import charts
from oddsmith.solver.games.stone_age.notation import (
    MOST_DICE,
    format_tools,
    levels,
    parse_roll,
    people,
)
from oddsmith.solver.games.stone_age.position import Position
from oddsmith.solver.games.stone_age.questions import make_answer
from oddsmith.solver.games.stone_age.rules import CARD, DIVISORS, GOODS, HUNT, Rules, good
from oddsmith.solver.odds import Distribution, die, format_fraction

MOST_ROLLS, MOST_TOOLS, MOST_NEEDED = 5, 6, 999
EXACT_BITS = 62
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
    title = f"{n} people for {what}" + (f" with tools {used}" if used != "none" else "")
    return make_answer(
        "yield", title, value, Rules(), sources=(),
        assumptions=("all the tools are added to this roll",),
        method=f"all 6^{n} rolls; floor((sum + {sum(tools) + sum(one_use)}) / {DIVISORS[what]})",
        inputs={"people": n, "good": what, "tools": list(tools), "one_use": list(one_use)},
        blocks=charts.yield_blocks(found, what), command=command,
    )


def fewest_people(
    what: str, at_least: int, confidence: Fraction, tools: int = 0
) -> tuple[int, Fraction] | None:
    """The fewest people that bring so much with this probability, and theirs; None if 10 don't."""
    for n in range(1, MOST_DICE + 1):
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
        InputError: no such good; or 10 people are not enough.
    """
    what, bonus = good(what), sum(tools) + sum(one_use)
    rows = [(n, yields(n, what, bonus).p_where(lambda k: k >= at_least))
            for n in range(1, MOST_DICE + 1)]
    found = fewest_people(what, at_least, confidence, bonus)
    if found is None:
        raise InputError(
            f"10 people don't bring {at_least} {what} with a chance of {confidence}",
            why=f"their chance is {format_fraction(rows[-1][1])}", source="<command line>")
    n, p = found
    return make_answer(
        "people", f"{n} people for at least {at_least} {what}",
        {"people": n, "p": format_fraction(p),
         "chances": [[k, format_fraction(chance)] for k, chance in rows]}, Rules(), sources=(),
        method="exact chances of 1 to 10 people; the first that is enough",
        assumptions=("all the tools are added to this roll",),
        inputs={"good": what, "at_least": at_least, "confidence": format_fraction(confidence),
                "tools": list(tools), "one_use": list(one_use)},
        blocks=charts.people_blocks(rows, n, at_least, what), command=command,
    )


# Tools over several rolls ------------------------------------------------------------------------


class SplitQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """Several rolls that share some tools.

    Args:
        rolls: (people, good) in order.
        tools, one_use: values; each is used whole, on one roll.
        values: of a food, wood, brick, stone, gold.
        target: goods that are needed; empty to maximise the value.
        fixed: whether the rolls are made in the order given; else each next roll is chosen.
    """

    rolls: tuple[tuple[int, str], ...]
    tools: tuple[int, ...] = ()
    one_use: tuple[int, ...] = ()
    values: tuple[int, ...] = (2, 3, 4, 5, 6)
    target: tuple[tuple[str, int], ...] = ()
    fixed: bool = False


class Choice(msgspec.Struct, frozen=True):
    """What to do in one situation of a split.

    Args:
        left: rolls left, as indices; `tools` left, as indices.
        needs: code of the goods still needed.
        roll: index of the roll to make next.
        uses: (first sum, last sum, tools to use as indices), sums in order.
    """

    left: tuple[int, ...]
    tools: tuple[int, ...]
    needs: int
    roll: int
    uses: tuple[tuple[int, int, tuple[int, ...]], ...]


def split(asked: SplitQuestion) -> tuple[Fraction, list[Choice]]:
    """The best adaptive use of the tools: its value (or chance) and what to do everywhere.

    Raises:
        InputError: too many rolls or tools, or a target that no roll can help.
        TooLarge: the exact integers would pass 2^62.

    >>> question = SplitQuestion(rolls=((4, "wood"), (3, "gold")), tools=(2, 3, 4), fixed=True)
    >>> split(question)[0]
    Fraction(31, 1)
    """
    tools = (*asked.tools, *asked.one_use)
    if not 1 <= len(asked.rolls) <= MOST_ROLLS or len(tools) > MOST_TOOLS:
        raise InputError(f"{len(asked.rolls)} rolls and {len(tools)} tools",
                         why=f"1 to {MOST_ROLLS} rolls and at most {MOST_TOOLS} tools are split")
    target = dict(asked.target)
    for what, n in asked.target:
        if what not in [one for _, one in asked.rolls]:
            raise InputError(f"no roll brings {what}", why=f"the target asks for {n}")
    n_dice = sum(n for n, _ in asked.rolls)
    most = sum((6 * n + sum(tools)) // DIVISORS[what] * asked.values[GOODS.index(what)]
               for n, what in asked.rolls)
    if (6**n_dice * max(most, 1)).bit_length() > EXACT_BITS:
        raise TooLarge(f"a split of {n_dice} dice",
                       estimate=f"integers of {(6**n_dice * most).bit_length()} bits",
                       hint="fewer dice, or smaller --values")
    rolls = [(n, DIVISORS[what], 0 if target else asked.values[GOODS.index(what)],
              GOODS.index(what)) for n, what in asked.rolls]
    try:
        kernel = Split(rolls, list(tools), {GOODS.index(k): n for k, n in target.items()},
                       asked.fixed)
    except ValueError:
        raise TooLarge("this target", estimate="more than 16,384 combinations of goods needed",
                       hint="ask for fewer goods") from None
    total, ways = kernel.solve()
    return Fraction(total, ways), _policy(kernel, len(rolls), len(tools))


def _policy(kernel: Split, n_rolls: int, n_tools: int) -> list[Choice]:
    """What to do in every situation that can come about, in the order they are reached."""
    first = ((1 << n_rolls) - 1, (1 << n_tools) - 1, -1)
    waiting, seen, found = [first], {first}, []
    for rolls, tools, needs in waiting:
        roll, rows = kernel.decide(rolls, tools, needs)
        uses: list[tuple[int, int, tuple[int, ...]]] = []
        for pips, used, after in rows:
            chosen = _members(used)
            if uses and uses[-1][2] == chosen:
                uses[-1] = (uses[-1][0], pips, chosen)
            else:
                uses.append((pips, pips, chosen))
            situation = (rolls & ~(1 << roll), tools & ~used, after)
            if situation[0] and situation not in seen:
                seen.add(situation)
                waiting.append(situation)
        found.append(Choice(_members(rolls), _members(tools), needs, roll, tuple(uses)))
    return found


def _chance(n: int, low: int, high: int) -> Fraction:
    """That the sum of n dice is from low to high."""
    return Fraction(sum(sum_ways(n)[low - n : high - n + 1]), 6**n)


def _members(mask: int) -> tuple[int, ...]:
    return tuple(k for k in range(mask.bit_length()) if mask >> k & 1)


def split_answer(asked: SplitQuestion, rules: Rules | None = None, command: str = "") -> Answer:
    """The best split, with its policy roll by roll.

    Raises:
        InputError, TooLarge: as `split`.
    """
    best, policy = split(asked)
    rolls = [f"{n}:{what}" for n, what in asked.rolls]
    tools = (*asked.tools, *asked.one_use)

    def names(indices: Sequence[int]) -> str:
        n = len(asked.tools)
        return format_tools([tools[k] for k in indices if k < n],
                            [tools[k] for k in indices if k >= n])

    told = [
        {"rolls_left": [rolls[k] for k in one.left], "tools_left": names(one.tools),
         **({"needs": one.needs} if asked.target else {}), "roll": rolls[one.roll],
         "use": [{"sums": [low, high], "tools": names(used),
                  "p": format_fraction(_chance(asked.rolls[one.roll][0], low, high))}
                 for low, high, used in one.uses]}
        for one in policy
    ]
    aim = ", ".join(f"{n} {what}" for what, n in asked.target)
    title = f"Chance of {aim}" if aim else "Best expected value"
    return make_answer(
        "split", f"{title}: {format_fraction(best)}", {"value": format_fraction(best),
                                                       "policy": told},
        rules or Rules(), sources=(),
        method="dynamic programming over rolls and tools left, exact integers; " + (
            "rolls in the order given" if asked.fixed else "each next roll is chosen, too"),
        assumptions=(() if aim else ("values of food, wood, brick, stone, gold: "
                                     + ", ".join(map(str, asked.values)),)),
        inputs={"rolls": rolls, "tools": list(asked.tools), "one_use": list(asked.one_use),
                "values": list(asked.values), "target": dict(asked.target),
                "order": "fixed" if asked.fixed else "best"},
        blocks=charts.split_blocks(best, told, bool(aim)), command=command,
    )


def split_of_position(position: Position, **more: Any) -> SplitQuestion | None:
    """The rolls that the player to move still has to make, with the tools that are ready.

    Tools gained earlier in the turn are among them.  None where there is nothing to roll.
    """
    player = position.players[position.to_move]
    rolls = tuple((n, GOODS[place - HUNT]) for place, n in player.placed if HUNT <= place < CARD)
    if not rolls:
        return None
    ready = list(levels(player.tools))
    for value in player.used:
        ready.remove(value)
    return SplitQuestion(rolls=rolls, tools=tuple(ready), one_use=player.one_use, **more)


def parse_target(text: str) -> tuple[tuple[str, int], ...]:
    """`4:wood,1:gold` as goods needed.

    Raises:
        InputError: another form, or a good twice.
    """
    found: list[tuple[str, int]] = []
    for part in text.split(","):
        n, what = parse_roll(part.strip())
        if what in dict(found):
            raise InputError(f"{what} is named twice in --target")
        found.append((what, n))
    return tuple(found)


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
