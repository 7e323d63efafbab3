"""CSV: the tables of the answers, for spreadsheets and data frames.

One table is a plain CSV file.  Several are separated by a blank line, each under a comment
line "# title".  Charts are tables too, but only where an answer has no other: beside a table
they show the same numbers again.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from oddsmith.reports.words import bars_of, blocks_of, one_line
from oddsmith.solver.answer import Answer, Bars, Block, Table
from oddsmith.solver.errors import InputError


def render_csv(answers: Sequence[Answer]) -> str:
    """Every table of the answers as CSV.

    Args:
        answers: at least one.

    Returns:
        The file's text; rows end in a line feed.

    Raises:
        InputError: no answer holds a table or a chart.
    """
    found: list[tuple[str, Table]] = []
    for answer in answers:
        tables = _tables(blocks_of(answer))
        for table in tables:
            parts = [answer.title] if len(answers) > 1 or not table.title else []
            parts += [table.title] if table.title else []
            found.append((": ".join(parts), table))
    if not found:
        raise InputError(
            "this answer has no table, so there is nothing to write as CSV",
            hint="ask for json, markdown, text or html",
        )
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for i, (title, table) in enumerate(found):
        if len(found) > 1:
            # Not a record, so not quoted: readers that skip comments look for a leading "#".
            buffer.write("\n" * (i > 0) + f"# {one_line(title)}\n")
        for row in (table.columns, *table.rows):
            # A bare carriage return isn't quoted by every version of the csv module.
            writer.writerow([cell.replace("\r\n", "\n").replace("\r", "\n") for cell in row])
    return buffer.getvalue()


def _tables(blocks: Sequence[Block]) -> list[Table]:
    tables = [block for block in blocks if isinstance(block, Table)]
    return tables or [_chart_table(block) for block in blocks if isinstance(block, Bars)]


def _chart_table(block: Bars) -> Table:
    """A chart's numbers in full precision."""
    unit = f" ({block.unit})" if block.unit else ""
    bars = bars_of(block)
    columns: tuple[str, ...] = ("label", f"value{unit}")
    if any(bar.ends for bar in bars):
        columns += ("low", "high")
    rows = [(bar.label, repr(bar.value), *map(repr, bar.ends or ())) for bar in bars]
    return Table(columns=columns, rows=tuple(rows), title=block.title)
