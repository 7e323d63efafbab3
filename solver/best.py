"""Answers of `best` and `value`: ranked moves, moves settled by play, and what a position is worth.

Knows no game; a game's package gives `table`, `search_state`, `parse_code`, `format_line`,
`make_answer`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from oddsmith.solver.answer import Answer, Bars, Block, Interval, Table
from oddsmith.solver.errors import InputError
from oddsmith.solver.search import (
    PAYOFF_UNIT,
    SEARCH,
    Found,
    Ranked,
    Settled,
    effort,
    search,
    settle,
)
from oddsmith.solver.simulate import check_policies, seats_from
from oddsmith.solver.statistics import percent_range, range_words, share_interval

SHOWN = 12
"""Rows of a ranked table, unless told otherwise."""

METHOD = ("tree search: {trees} independent trees, {simulations:,} simulations; value under this "
          "search, interval from the spread over the trees")


def _search(game: Any, position: Any, **budget: Any) -> Found:
    return search(game.table(position.rules), game.search_state(position), **budget)


def _told(one: Ranked, texts: Sequence[str], rank: int, seat: int) -> dict[str, Any]:
    return {
        "rank": rank, "move": texts[0], "value": one.values[seat], "ci95": list(one.interval),
        "gap": one.gap, "p_best": one.p_best, "unclear": one.unclear, "simulations": one.visits,
        "line": list(texts),
    }


def best_answer(
    game: Any, position: Any, *, top: int = SHOWN, command: str = "", **budget: Any
) -> tuple[Answer, bool]:
    """The moves of the player to move, ranked by search.

    Args:
        game: the package of the game.
        position: a seat decides in it.
        top: rows to show; the value of the answer has every move that was tried.
        command: as typed.
        budget: the keywords of `search`.

    Returns:
        The answer, and whether the precision asked was reached.
    """
    found = _search(game, position, **budget)
    lines = [game.format_line(position, one.line) for one in found.ranked]
    value = [_told(one, texts, rank, found.seat)
             for rank, (one, texts) in enumerate(zip(found.ranked, lines, strict=True), 1)]
    first = found.ranked[0]
    note = effort(found)
    answer: Answer = game.make_answer(
        "best", f"Best: {lines[0][0]}", value, position.rules, exact=False,
        method=METHOD.format(trees=found.trees, simulations=found.simulations),
        assumptions=(*game.rules_assumptions(position.rules),
                     "value: games won, shared wins split, when all play on as the search does"),
        interval=Interval(*first.interval, found.simulations, found.seed),
        inputs=_inputs(game, position, found), blocks=_blocks(value[:top], len(value), note),
        command=command,
    )
    return answer, found.precise


def _inputs(game: Any, position: Any, found: Found) -> dict[str, Any]:
    """What reproduces the answer, also where a clock ended the search."""
    return {"simulations": found.simulations, "trees": found.trees, "seed": found.seed,
            "moves": found.n_moves, "position": game.format_position(position)}


def _blocks(value: list[dict[str, Any]], n_tried: int, note: str) -> tuple[Block, ...]:
    rows = tuple(
        (str(one["rank"]), one["move"], _percent(one["value"]), percent_range(one["ci95"]),
         "" if one["rank"] == 1 else _percent(one["gap"]) + (" ?" if one["unclear"] else ""),
         f"{100 * one['p_best']:.0f} %", f"{one['simulations']:,}", " · ".join(one["line"][1:]))
        for one in value
    )
    left = f"{n_tried - len(value)} more below. " if n_tried > len(value) else ""
    return (
        Table(
            ("", "move", "value", "95 %", "gap", "best", "simulations", "then"), rows,
            numeric=(0, 2, 4, 5, 6), marked=(0,),
            note=f"{left}Best: chance of being best of those tried. ?: not told from the first. "
            f"Ranked by value less 1/2 / sqrt(simulations). {note}",
        ),
        Bars(
            tuple(one["move"] for one in value), tuple(100 * one["value"] for one in value),
            title="Value of each move", unit="%",
            low=tuple(100 * one["ci95"][0] for one in value),
            high=tuple(100 * one["ci95"][1] for one in value),
        ),
    )


def _percent(share: float) -> str:
    return f"{100 * share + 0.0:.1f} %".replace("-0.0", "0.0")


def value_answer(
    game: Any, position: Any, *, command: str = "", **budget: Any
) -> tuple[Answer, bool]:
    """What the position is worth to each seat, if the player to move does what is best.

    A team wins or loses as one: it has one value, and one interval.

    Args and Returns: as `best_answer`.
    """
    found = _search(game, position, **budget)
    first = found.ranked[0]
    n = first.visits
    together = hasattr(game, "PROGRESS")
    asked = first.values[found.seat]
    value: dict[str, Any] = {"value": asked, "ci95": list(first.interval)}
    seats: list[dict[str, Any]] = []
    rows: list[tuple[str, str, str]] = []
    if together:
        rows.append(("the team", _percent(asked), percent_range(first.interval)))
    else:
        for seat, share in enumerate(first.values):
            interval = first.interval if seat == found.seat else share_interval(share, n)
            seats.append({"seat": seat + 1, "value": share, "ci95": list(interval)})
            rows.append((f"player {seat + 1}" + (" (to move)" if seat == found.seat else ""),
                         _percent(share), percent_range(interval)))
    shown = [value] if together else seats
    line = game.format_line(position, first.line)
    answer: Answer = game.make_answer(
        "value", f"The team wins {_percent(asked)}" if together
        else f"Player {found.seat + 1} to move wins {_percent(asked)}",
        {**({"team": value} if together else {"seats": seats}), "best": line[0], "line": line},
        position.rules, exact=False,
        method=METHOD.format(trees=found.trees, simulations=found.simulations),
        assumptions=(*game.rules_assumptions(position.rules),
                     f"the player to move chooses {line[0]}"
                     + ("" if together else "; shared wins are split")),
        interval=Interval(*first.interval, found.simulations, found.seed),
        inputs=_inputs(game, position, found),
        blocks=(
            Table(("", "value", "95 %"), tuple(rows), numeric=(1,), note=effort(found)),
            Bars(tuple(row[0] for row in rows), tuple(100 * one["value"] for one in shown),
                 title="Games won", unit="%", low=tuple(100 * one["ci95"][0] for one in shown),
                 high=tuple(100 * one["ci95"][1] for one in shown)),
        ),
        command=command,
    )
    return answer, found.precise


def settle_answer(
    game: Any, position: Any, texts: Sequence[str], policies: Sequence[str], *, seed: int,
    command: str = "", **budget: Any,
) -> tuple[Answer, bool]:
    """Some chosen moves compared by whole games on common random numbers.

    Args:
        game, position, command: as `best_answer`.
        texts: the moves as typed, two or more.
        policies: of the seats; fewer are repeated in order.
        seed, budget: the keywords of `settle`.

    Raises:
        InputError: fewer than two moves, one twice, one not legal, a policy that isn't known or
            that searches.
    """
    table, state = game.table(position.rules), game.search_state(position)
    hint = f'such as --moves "{game.TYPED_MOVES[1]}"'
    if not all(texts):
        raise InputError("--moves has an empty move", why="moves are separated by commas, or by "
                         "semicolons where they have commas in them", hint=hint,
                         source="<command line>")
    # What is typed as one move may be several decisions.
    parse = getattr(game, "parse_codes", lambda at, text: [game.parse_code(at, text)])
    try:
        codes = [tuple(parse(position, text)) for text in texts]
    except InputError as error:
        raise InputError(error.what, why=error.why, hint=error.hint,
                         source="<command line>") from None
    names = [game.format_line(position, some)[0] if len(some) == 1 else " ".join(text.split())
             for some, text in zip(codes, texts, strict=True)]
    if len(codes) < 2 or len(set(codes)) < len(codes):
        raise InputError("--moves needs two different moves or more",
                         hint=hint, source="<command line>")
    check_policies(table, policies)
    if SEARCH in policies:
        raise InputError("the games after the moves can't be played by search",
                         why="they would take hours", hint="choose another --policy")
    found = settle(table, state, codes, seats_from(policies, table.n_players), seed=seed, **budget)
    means = [float(Fraction(one.total, one.n * PAYOFF_UNIT)) for one in found.payoffs]
    order = sorted(range(len(codes)), key=lambda k: -means[k])
    value: list[dict[str, Any]] = []
    rows = []
    for rank, k in enumerate(order, 1):
        interval = share_interval(means[k], found.games)
        value.append({"rank": rank, "move": names[k], "value": means[k], "ci95": list(interval)})
        rows.append((str(rank), names[k], _percent(means[k]), percent_range(interval)))
    differences = _differences(found, names)
    title = _settled_title(found, names)
    answer: Answer = game.make_answer(
        "best", title, {"moves": value, "differences": differences}, position.rules, exact=False,
        method="whole games after each move, the same deals for all of them; "
        "differences are Student's intervals over pairs",
        assumptions=(*game.rules_assumptions(position.rules),
                     f"after the move all play {', '.join(policies)}"),
        interval=Interval(value[0]["ci95"][0], value[0]["ci95"][1], found.games, seed),
        inputs={"moves": names, "policies": list(policies), "games": found.games, "seed": seed,
                "position": game.format_position(position)},
        blocks=(
            Table(("", "move", "value", "95 %"), tuple(rows), numeric=(0, 2), marked=(0,)),
            Table(("difference", "value", "95 %"),
                  tuple((one["moves"], f"{100 * one['value']:+.2f} %",
                         range_words(one["ci95"], 2, 100, " %", signed=True))
                        for one in differences), numeric=(1,)),
        ),
        command=command,
    )
    return answer, found.precise


def _differences(found: Settled, names: Sequence[str]) -> list[dict[str, Any]]:
    """The first move typed less each of the others."""
    return [
        {"moves": f"{names[0]} less {name}", "value": float(one.mean / PAYOFF_UNIT),
         "ci95": [max(-1.0, one.low / PAYOFF_UNIT), min(1.0, one.high / PAYOFF_UNIT)]}
        for name, one in zip(names[1:], found.differences, strict=True)
    ]


def _settled_title(found: Settled, names: Sequence[str]) -> str:
    signs = {one.sign for one in found.differences}
    if signs == {1}:
        return f"{names[0]} is better, over {found.games:,} games of each"
    if signs == {-1} and len(names) == 2:
        return f"{names[1]} is better, over {found.games:,} games of each"
    return f"{found.games:,} game{'s' * (found.games != 1)} of each move"
