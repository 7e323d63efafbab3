"""`oddsmith explain TOPIC`: what the words of an answer mean."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import click

from oddsmith.solver import variants
from oddsmith.solver.answer import Answer, Block, Table, Text
from oddsmith.solver.cli.common import command_line, emit, game_module, output_options
from oddsmith.solver.errors import InputError, nearest, typed
from oddsmith.solver.games import GAMES


def _topics() -> dict[str, Any]:
    with (Path(__file__).parent / "topics.toml").open("rb") as file:
        return tomllib.load(file)


def _word(default: object) -> str:
    if default is None:
        return "see meaning"
    return str(default).lower() if isinstance(default, bool) else str(default)


def _options_table(game: str) -> Table:
    rows = tuple(
        (field.name, field.expected, _word(field.default), field.description)
        for field in variants.fields(game_module(game).Rules)
    )
    return Table(("option", "values", "default", "meaning"), rows,
                 title=f"Options of {typed(game)} (--set OPTION=VALUE, or [rules] in a file)")


@click.command()
@click.argument("topic", required=False)
@output_options
def command(topic: str | None, fmt: str) -> None:
    """Explain a topic; without TOPIC, list them.

    Every game is a topic too: its options and how open points of its rules are read.
    """
    topics = _topics()
    if topic is not None and topic.replace("-", "_") in topics:  # both are typed
        topic = topic.replace("-", "_")
    if topic is None:
        rows = tuple((typed(name), entry["title"]) for name, entry in topics.items())
        blocks: tuple[Block, ...] = (Table(("topic", "about"), rows),)
        title, value = "Topics", [typed(name) for name in topics]
    elif topic in topics:
        entry = topics[topic]
        parts: list[Block] = [Text(body=part.strip()) for part in entry["text"].split("\n\n")]
        if topic in GAMES:
            parts.append(_options_table(topic))
        blocks, title, value = tuple(parts), entry["title"], entry["text"]
    else:
        known = [typed(name) for name in topics]
        near = nearest(topic, known)
        raise InputError(f"`{topic}` is not a topic",
                         why=f"topics are {', '.join(known)}",
                         hint=f"oddsmith explain {near}" if near else "oddsmith explain")
    emit(
        Answer(game=topic if topic in GAMES else "", question="explain", title=title,
               answer=value, exact=True, method="from the manual", blocks=blocks,
               command=command_line()),
        fmt,
    )
