"""How answers about dice look: tables of fractions and bars (no output is made here)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from oddsmith.solver.answer import Bars, Block, Table, Text
from oddsmith.solver.odds import Distribution, format_fraction, parse_fraction

SITUATIONS = 12
"""Situations of a policy that are shown; the value of the answer has all of them."""


def percent(p: Fraction) -> str:
    """A probability to a hundredth of a percent."""
    return f"{float(100 * p):.2f} %"


def yield_blocks(found: Distribution[int], what: str) -> tuple[Block, ...]:
    """Probabilities as a table with fractions, and as bars."""
    at_least = dict(found.at_least())
    rows = tuple(
        (str(k), format_fraction(found.p(k)), percent(found.p(k)),
         format_fraction(at_least[k]), percent(at_least[k]))
        for k in found.outcomes
    )
    mean = found.mean()
    return (
        Table((what, "exactly", "", "at least", ""), rows, numeric=(0, 1, 2, 3, 4),
              note=f"Mean {format_fraction(mean)} = {float(mean):.4f}."),
        Bars(tuple(f"{k} {what}" for k in found.outcomes),
             tuple(float(100 * found.p(k)) for k in found.outcomes), title="Chance of each yield",
             unit="%"),
    )


def people_blocks(
    rows: Sequence[tuple[int, Fraction]], best: int, at_least: int, what: str
) -> tuple[Block, ...]:
    """The chance of each number of people, the answer marked."""
    return (
        Table(("people", f"at least {at_least} {what}", ""),
              tuple((f"{n} (fewest)" if n == best else str(n), format_fraction(p), percent(p))
                    for n, p in rows), numeric=(0, 1, 2), marked=(best - 1,)),
        Bars(tuple(f"{n} people" for n, _ in rows), tuple(float(100 * p) for _, p in rows),
             title=f"Chance of at least {at_least} {what}", unit="%"),
    )


def _sums(ends: Sequence[int]) -> str:
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _goods(numbers: Mapping[str, int]) -> str:
    return " ".join(f"{what} {n}" for what, n in numbers.items())


def split_blocks(best: Fraction, told: Sequence[Mapping[str, Any]], chance: bool
                 ) -> tuple[Block, ...]:
    """The value, then what to do in each situation, roll by roll; the first as bars."""
    # What is needed, or left in a supply, tells situations apart that are otherwise alike.
    wide = next((name for name in ("needs", "supply") if name in told[0]), "")
    rows = tuple(
        (*((", ".join(one["rolls_left"]), one["tools_left"],
            *([_goods(one[wide])] if wide else []), one["roll"]) if k == 0
           else ("",) * (4 if wide else 3)), _sums(use["sums"]), use["tools"])
        for one in told[:SITUATIONS] for k, use in enumerate(one["use"])
    )
    shown = percent(best) if chance else f"{float(best):.4f}"
    more = len(told) - SITUATIONS
    chances: dict[str, Fraction] = {}
    for use in told[0]["use"]:
        chances[use["tools"]] = chances.get(use["tools"], Fraction()) + parse_fraction(use["p"])
    first = told[0]["roll"]
    columns = ("rolls left", "tools left", *([wide] if wide else []), "roll", "sum", "use")
    table = Table(columns, rows,
                  note=f"{more} more situations: --json lists them." if more > 0 else "")
    if first.startswith("rolled"):
        now = f"Use {told[0]['use'][0]['tools']} now, on what is {first}."
        return (Text(body=f"{format_fraction(best)} = {shown}.  {now}"), table)
    lead = Text(body=f"{format_fraction(best)} = {shown}.  First roll {first}.")
    if len(chances) == 1:
        return (lead, table)
    return (
        lead, table,
        Bars(tuple(chances), tuple(float(100 * p) for p in chances.values()), unit="%",
             title=f"How often each set of tools is used on the first roll, {first}"),
    )


def gift_blocks(shares: Sequence[Distribution[int]], words: Sequence[str]) -> tuple[Block, ...]:
    """The chance of each die for each seat."""
    names = tuple("buyer" if k == 0 else f"pick {k + 1}" for k in range(len(shares)))
    rows = tuple(
        (f"{face}: {words[face - 1]}",
         *(cell for one in shares for cell in (format_fraction(one.p(face)), percent(one.p(face)))))
        for face in range(6, 0, -1)
    )
    most = max(float(100 * one.p(face)) for one in shares for face in range(1, 7))
    columns = ("die", *(column for name in names for column in (name, "")))
    return (
        Table(columns, rows, numeric=tuple(range(1, len(columns)))),
        *(Bars(tuple(f"{face}: {words[face - 1]}" for face in range(6, 0, -1)),
               tuple(float(100 * one.p(face)) for face in range(6, 0, -1)),
               title=f"Dice of the {name}", unit="%", most=most)
          for name, one in zip(names, shares, strict=True)),
    )


def table_blocks(means: Mapping[str, Sequence[Sequence[Fraction]]]) -> tuple[Block, ...]:
    """A table for each good, and what a person more is worth without tools."""
    n_tools = len(next(iter(means.values()))[0])
    tables = tuple(
        Table(("people", *(f"+{tools}" for tools in range(n_tools))),
              tuple((str(n), *(f"{float(mean):.2f}" for mean in row))
                    for n, row in enumerate(rows, 1)),
              numeric=tuple(range(n_tools + 1)), title=what.capitalize(),
              note="Means rounded to hundredths; --json has the fractions.")
        for what, rows in means.items()
    )
    bars = tuple(
        Bars(tuple(f"{n} people" for n in range(1, len(rows) + 1)),
             tuple(float(row[0]) for row in rows), title=f"Mean {what} without tools")
        for what, rows in means.items()
    )
    return (*tables, *bars)
