"""Stone Age: the best use of tools over several rolls, decided after each roll, exactly.

The rolls are typed, or those that a player has still to make in a position: under its rules, from
its supply, and with the dice or the sum that lie on the table first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from oddsmith.kernels.stone_age_dice import Split
from oddsmith.solver.answer import Answer
from oddsmith.solver.errors import InputError, TooLarge
from oddsmith.solver.games.stone_age import charts
from oddsmith.solver.games.stone_age.notation import format_tools, levels, odd_tools
from oddsmith.solver.games.stone_age.position import Position
from oddsmith.solver.games.stone_age.questions import make_answer, rules_assumptions
from oddsmith.solver.games.stone_age.rules import (
    CARD,
    CROWD,
    DIVISORS,
    GOODS,
    HUNT,
    KINDS,
    MOST_PEOPLE,
    PLACES,
    Rules,
    good,
)
from oddsmith.solver.odds import format_fraction

MOST_ROLLS, MOST_TOOLS, MOST_NEEDED = 5, 6, 999
"""Of a question; a roll that lies on the table comes on top."""

EXACT_BITS = 62


class SplitQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """Several rolls that share some tools.

    Args:
        rolls: (people, good) in order.
        rolled: a sum that lies on the table, and its good: its tools come before all rolls.
        due: whether the first of the rolls is made before all others.
        bare: whether that one takes no tools: a card's, where tools_on_card_roll is false.
        tools, one_use: values; each is used whole, on one roll.
        values: of a food, wood, brick, stone, gold.
        target: goods that are needed; empty to maximise the value.
        fixed: whether the rolls are made in the order given; else each next roll is chosen.
        dice: the rule of that name: six-sided, or all showing 3 or 3.5.
        supply: wood, brick, stone, gold that there are; None where they are unlimited.
    """

    rolls: tuple[tuple[int, str], ...]
    rolled: tuple[int, str] | None = None
    due: bool = False
    bare: bool = False
    tools: tuple[int, ...] = ()
    one_use: tuple[int, ...] = ()
    values: tuple[int, ...] = (2, 3, 4, 5, 6)
    target: tuple[tuple[str, int], ...] = ()
    fixed: bool = False
    dice: int | str = "six_sided"
    supply: tuple[int, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Of all rolls, the one on the table first: `4:wood`, `rolled 9:gold`."""
        first = [f"rolled {self.rolled[0]}:{self.rolled[1]}"] if self.rolled else []
        return (*first, *(f"{n}:{what}" for n, what in self.rolls))

    @property
    def goods(self) -> tuple[str, ...]:
        """What each of these brings."""
        return (*([self.rolled[1]] if self.rolled else []), *(what for _, what in self.rolls))

    @property
    def sums(self) -> tuple[tuple[int, int], ...]:
        """The least and the greatest sum of each."""
        first = [(self.rolled[0], self.rolled[0])] if self.rolled else []
        half_pips = 0 if self.dice == "six_sided" else int(2 * float(self.dice))
        return (*first, *((n * half_pips // 2,) * 2 if half_pips else (n, 6 * n)
                          for n, _ in self.rolls))


class Choice(msgspec.Struct, frozen=True):
    """What to do in one situation of a split.

    Args:
        left: rolls left, as indices; `tools` left, as indices.
        needs: goods still needed for the target; without one what a supply has left of them.
        roll: index of the roll to make next.
        uses: (first sum, last sum, tools to use as indices, chance), sums in order.
    """

    left: tuple[int, ...]
    tools: tuple[int, ...]
    needs: dict[str, int]
    roll: int
    uses: tuple[tuple[int, int, tuple[int, ...], Fraction], ...]


def split(asked: SplitQuestion) -> tuple[Fraction, list[Choice]]:
    """The best adaptive use of the tools: its value (or chance) and what to do everywhere.

    Raises:
        InputError: too many rolls, people or tools, or a target that no roll can help.
        TooLarge: the exact integers would pass 2^62.

    >>> question = SplitQuestion(rolls=((4, "wood"), (3, "gold")), tools=(2, 3, 4), fixed=True)
    >>> split(question)[0]
    Fraction(31, 1)
    """
    tools, goods, sums = (*asked.tools, *asked.one_use), asked.goods, asked.sums
    _check(asked, tools)
    target = dict(asked.target)
    most_of = [(high + sum(tools)) // DIVISORS[what]
               for what, (_, high) in zip(goods, sums, strict=True)]
    worth = [asked.values[GOODS.index(what)] for what in goods]
    n_dice = sum(low for low, high in sums if low < high)
    most = 6**n_dice * max(1, sum(n * v for n, v in zip(most_of, worth, strict=True)))
    if most.bit_length() > EXACT_BITS:
        raise TooLarge(f"a split of {n_dice} dice",
                       estimate=f"integers of {most.bit_length()} bits",
                       hint="fewer dice, or smaller --values")
    supply = {} if target else _scarce(asked, most_of)
    limited = target or supply
    try:
        kernel = Split(
            [(low if low < high else 0, DIVISORS[what], 0 if target else value, GOODS.index(what))
             for what, value, (low, high) in zip(goods, worth, sums, strict=True)],
            list(tools), {GOODS.index(what): n for what, n in target.items()}, asked.fixed,
            certain={k: low for k, (low, high) in enumerate(sums) if low == high},
            supply={GOODS.index(what): n for what, n in supply.items()},
            due=asked.due or asked.rolled is not None, bare=asked.bare)
    except ValueError:
        raise TooLarge("this target", estimate="more than 16,384 combinations of goods needed",
                       hint="ask for fewer goods") from None
    total, ways = kernel.solve()
    return Fraction(total, ways), _policy(kernel, len(goods), len(tools), limited)


def _check(asked: SplitQuestion, tools: Sequence[int]) -> None:
    """Raise InputError for what can't be split."""
    n_rolls = len(asked.goods) - (asked.due or asked.rolled is not None)
    if not asked.goods or n_rolls > MOST_ROLLS or len(tools) > MOST_TOOLS:
        raise InputError(f"{len(asked.goods)} rolls and {len(tools)} tools",
                         why=f"1 to {MOST_ROLLS} rolls and at most {MOST_TOOLS} tools are split")
    for n, what in asked.rolls:
        if what in KINDS and n > CROWD:
            raise InputError(f"{n} people can't roll for {what} together",
                             why=f"the {PLACES[HUNT + GOODS.index(what)]} takes {CROWD}")
    for what, n in asked.target:
        if what not in asked.goods:
            raise InputError(f"no roll brings {what}", why=f"the target asks for {n}")
        if asked.supply is not None and what in KINDS and asked.supply[KINDS.index(what)] < n:
            raise InputError(f"nobody can get {n} {what}",
                             why=f"the supply has {asked.supply[KINDS.index(what)]}")


def _scarce(asked: SplitQuestion, most_of: Sequence[int]) -> dict[str, int]:
    """What the supply has of the goods of which the rolls might bring more."""
    found = {}
    for kind, there in zip(KINDS, asked.supply or (), strict=asked.supply is not None):
        brought = sum(n for n, what in zip(most_of, asked.goods, strict=True) if what == kind)
        if brought > there:
            found[kind] = there
    return found


def _policy(kernel: Split, n_rolls: int, n_tools: int, limited: dict[str, int]) -> list[Choice]:
    """What to do in every situation that can come about, in the order they are reached."""
    first = ((1 << n_rolls) - 1, (1 << n_tools) - 1, -1)
    waiting, seen, found = [first], {first}, []
    for rolls, tools, needs in waiting:
        roll, rows = kernel.decide(rolls, tools, needs)
        total = sum(ways for _, ways, _, _ in rows)
        uses: list[tuple[int, int, tuple[int, ...], Fraction]] = []
        for pips, ways, used, after in rows:
            chosen, p = _members(used), Fraction(ways, total)
            if uses and uses[-1][2] == chosen:
                uses[-1] = (uses[-1][0], pips, chosen, uses[-1][3] + p)
            else:
                uses.append((pips, pips, chosen, p))
            situation = (rolls & ~(1 << roll), tools & ~used, after)
            if situation[0] and situation not in seen:
                seen.add(situation)
                waiting.append(situation)
        found.append(Choice(_members(rolls), _members(tools), _needed(needs, limited), roll,
                            tuple(uses)))
    return found


def _needed(code: int, limited: dict[str, int]) -> dict[str, int]:
    """The goods that the kernel's code of what is needed stands for; at the start it is -1."""
    if code < 0:
        return dict(limited)
    found = {}
    for what, n in limited.items():
        code, found[what] = divmod(code, n + 1)
    return found


def _members(mask: int) -> tuple[int, ...]:
    return tuple(k for k in range(mask.bit_length()) if mask >> k & 1)


def split_answer(asked: SplitQuestion, rules: Rules | None = None, command: str = "") -> Answer:
    """The best split, with its policy roll by roll.

    Raises:
        InputError, TooLarge: as `split`.
    """
    rules = rules or Rules()
    best, policy = split(asked)
    rolls, tools = asked.names, (*asked.tools, *asked.one_use)

    def names(indices: Sequence[int]) -> str:
        n = len(asked.tools)
        return format_tools([tools[k] for k in indices if k < n],
                            [tools[k] for k in indices if k >= n])

    left = "needs" if asked.target else "supply"
    told = [
        {"rolls_left": [rolls[k] for k in one.left], "tools_left": names(one.tools),
         **({left: one.needs} if one.needs else {}), "roll": rolls[one.roll],
         "use": [{"sums": [low, high], "tools": names(used), "p": format_fraction(p)}
                 for low, high, used, p in one.uses]}
        for one in policy
    ]
    aim = ", ".join(f"{n} {what}" for what, n in asked.target)
    title = f"Chance of {aim}" if aim else "Best expected value"
    return make_answer(
        "split", f"{title}: {format_fraction(best)}", {"value": format_fraction(best),
                                                       "policy": told},
        rules, sources=(),
        method="dynamic programming over rolls and tools left, exact integers; " + (
            "rolls in the order given" if asked.fixed else "each next roll is chosen, too"),
        assumptions=(*rules_assumptions(rules), *_assumptions(asked)),
        inputs={"rolls": list(rolls), "tools": list(asked.tools), "one_use": list(asked.one_use),
                "values": list(asked.values), "target": dict(asked.target),
                "supply": asked.supply, "order": "fixed" if asked.fixed else "best"},
        blocks=charts.split_blocks(best, told, bool(aim)), command=command,
    )


def _assumptions(asked: SplitQuestion) -> list[str]:
    found = odd_tools(asked.tools, asked.one_use)
    if not asked.target:
        found.append("values of food, wood, brick, stone, gold: "
                     + ", ".join(map(str, asked.values)))
    if asked.supply is not None:
        found.append("the supply has " + ", ".join(
            f"{n} {kind}" for kind, n in zip(KINDS, asked.supply, strict=True))
            + "; nothing is paid or taken in between")
    people = sum(n for n, _ in asked.rolls)
    if people > MOST_PEOPLE:
        found.append(f"{people} people roll, though nobody has more than {MOST_PEOPLE}")
    return found


def split_of_position(position: Position, **more: Any) -> SplitQuestion | None:
    """The rolls that the player to move still has to make, with the tools that are ready.

    A roll that is due and a sum that lies on the table come first.  Tools gained earlier in the
    turn are among them.  None where there is nothing to roll.
    """
    rules, player = position.rules, position.players[position.to_move]
    rolls = tuple((n, GOODS[place - HUNT]) for place, n in player.placed if HUNT <= place < CARD)
    what = (*KINDS, "food")[position.kind]
    if position.phase == "roll":
        rolls = ((position.dice, what), *rolls)
        more |= {"due": True,
                 "bare": position.place >= CARD and not rules.tools_on_card_roll}
    if position.phase == "tools":
        more["rolled"] = (position.sum, what)
    elif not rolls:
        return None
    ready = list(levels(player.tools))
    for value in player.used:
        ready.remove(value)
    return SplitQuestion(rolls=rolls, tools=tuple(ready), one_use=player.one_use,
                         dice=rules.dice, supply=position.supply, **more)


def split_of_rules(
    rules: Rules, rolls: tuple[tuple[int, str], ...], **more: Any
) -> SplitQuestion:
    """Rolls under some rules, with nothing taken from the supply yet."""
    there = None if rules.resource_supply == "unlimited" else rules.resource_supply
    return SplitQuestion(rolls=rolls, dice=rules.dice, supply=there, **more)


def parse_target(text: str) -> tuple[tuple[str, int], ...]:
    """`4:wood,1:gold` as goods needed.

    Raises:
        InputError: another form, a number that can't be, or a good twice.
    """
    found: dict[str, int] = {}
    for part in text.split(","):
        count, colon, word = part.strip().partition(":")
        if not colon or not re.fullmatch("[0-9]{1,6}", count):
            raise InputError(f"--target can't be {text!r}",
                             why="it is NUMBER:GOOD, such as 4:wood,1:gold",
                             source="<command line>")
        what, n = good(word), int(count)
        if not 1 <= n <= MOST_NEEDED:
            raise InputError(f"--target can't ask for {n} {what}", why=f"1 to {MOST_NEEDED}",
                             source="<command line>")
        if what in found:
            raise InputError(f"{what} is named twice in --target", source="<command line>")
        found[what] = n
    return tuple(found.items())
