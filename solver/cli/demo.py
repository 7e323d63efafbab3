"""`oddsmith demo`: the shipped examples through the commands."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from oddsmith.solver.answer import Answer, Table
from oddsmith.solver.cli.common import ResultFile, emit


def example_files(game: str) -> list[Path]:
    """The shipped positions of a game, by name."""
    spec = find_spec("oddsmith.examples")  # a folder of data, not a package with code
    folders = spec.submodule_search_locations if spec else None
    return sorted(path for folder in folders or () for path in Path(folder).glob(f"{game}-*.toml"))


@click.command()
@click.option("-o", "--output", default="demo.html", show_default=True, metavar="FILE",
              help="Where to write the page.")
def command(output: str) -> None:
    """Run the shipped examples; print a table and write one HTML page with all of them."""
    page_file = ResultFile(output)
    from oddsmith import reports
    from oddsmith.solver.games.reef import examine, plan_position, questions

    rows = []
    answers: list[Answer] = []
    for file in example_files("reef"):
        position, faults = examine(str(file))
        if faults:
            raise faults[0]
        found = plan_position(position)
        shown = f"oddsmith reef plan examples/{file.name}"
        mover = position.players[position.to_move]
        rows.append((file.name, mover.name, ", ".join(str(number) for number in mover.hand),
                     str(found.total), " then ".join(str(step.card) for step in found.steps)))
        answers.append(questions.show_answer(
            position, f"oddsmith reef show examples/{file.name}", file.name))
        answers.append(questions.plan_answer(found, shown))
    table = Table(("position", "to move", "hand", "best plan", "order"), tuple(rows), numeric=(3,))
    summary = Answer(
        game="reef", question="demo", title="Oddsmith on its shipped examples",
        answer=[dict(zip(table.columns, row, strict=True)) for row in rows], exact=True,
        method="each hand's plan, proven optimal by branch and bound", blocks=(table,),
        command="oddsmith demo",
    )
    emit(summary, "text")
    page = reports.render([summary, *answers], "html", title="Oddsmith demo",
                          command="oddsmith demo")
    page_file.write(page)
    click.echo(f"\nThe whole page: {output}")
