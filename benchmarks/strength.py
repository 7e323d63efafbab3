"""How strong the policies are: long matches, resumable, with their results kept in results/.

    python -m benchmarks.strength [MATCH ...]      (or: make strength)

Every finished deal is one line of results/MATCH.jsonl, written at once: a run that was stopped goes
on where it was, and nothing is played or counted twice.  A deal is played once in each seating.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from importlib import import_module
from pathlib import Path

import msgspec
import numpy as np

from oddsmith.solver import variants
from oddsmith.solver.games import GAMES
from oddsmith.solver.search import play_searching
from oddsmith.solver.simulate import PAYOFF_UNIT, PolicyResult, seatings
from oddsmith.solver.statistics import Tally

RESULTS = Path(__file__).parent / "results"


class Match(msgspec.Struct, frozen=True):
    """A match: deals of a game between policies; the first policy's share of wins is measured.

    Args:
        game: key of GAMES.
        policies: rotated over the seats.
        deals: each played once in every seating.
        simulations: of a searching seat, a move.
        seed: deal i depends on (seed, i) only.
        least: the lower end of the 95 % interval that is asked for; 0 for none.
        rules: options that differ from the default.
    """

    game: str
    policies: tuple[str, ...]
    deals: int
    simulations: int
    seed: int = 1
    least: float = 0.0
    rules: dict[str, object] = {}


PUBLISHED = {
    (2, "novice"): 0.2019, (3, "novice"): 0.1847, (4, "novice"): 0.0869,
    (2, "normal"): 0.0891, (3, "normal"): 0.0846, (4, "normal"): 0.0393,
}
"""Forbidden Island: wins of the best published program (its rules forbid the rescue by Lift)."""

MATCHES = {
    **{f"island-search-{players}-{difficulty}": Match(
        "island", ("search",), 300, 1000, least=round(2.5 * rate, 4),
        rules={"players": players, "difficulty": difficulty, "lift_rescue": False})
       for (players, difficulty), rate in PUBLISHED.items()},
    "reef-search-greedy": Match("reef", ("search", "greedy"), 200, 2000, least=0.80),
    "reef-search-greedy-3p": Match("reef", ("search", "greedy", "greedy"), 40, 2000,
                                   rules={"players": 3}),
    "stone-age-search-greedy": Match("stone_age", ("search", "greedy"), 100, 1000, least=0.80),
    "stone-age-search-tuned": Match("stone_age", ("search", "tuned"), 100, 1000),
}


def finished(name: str, match: Match) -> dict[int, list[list[int]]]:
    """The deals that an earlier run has played: payoffs by seating and seat."""
    path = RESULTS / f"{name}.jsonl"
    done: dict[int, list[list[int]]] = {}
    if not path.exists():
        return done
    lines = path.read_text(encoding="utf-8").splitlines()
    if lines and json.loads(lines[0]) != header(name, match):
        sys.exit(f"{path} is of another match; move it away to play this one")
    for line in lines[1:]:
        try:
            one = json.loads(line)
        except json.JSONDecodeError:  # cut off when the run was killed
            continue
        done[one["deal"]] = one["payoffs"]
    return done


def header(name: str, match: Match) -> dict[str, object]:
    module = import_module(GAMES[match.game])
    rules = variants.from_values(module.Rules(), match.rules)
    made = {
        "command": f"python -m benchmarks.strength {name}",
        "rules_id": variants.rules_id(match.game, rules),
        **{key: value for key, value in msgspec.to_builtins(match).items()
           if key not in ("deals", "least")},
    }
    return json.loads(json.dumps(made))  # as it is read back


def play_deal(match: Match, deal: int) -> list[list[int]]:
    module = import_module(GAMES[match.game])
    table = module.table(variants.from_values(module.Rules(), match.rules))
    payoffs = []
    for seats in seatings(match.policies, table.n_players):
        row = np.zeros((1, table.n_players + 1), np.int32)
        play_searching(table, table.new_game(), seats, match.seed, deal, row, False,
                       match.simulations)
        payoffs.append(row[0, :-1].tolist())
    return payoffs


def run(name: str, match: Match, workers: int) -> None:
    """Play what is left of a match, in order of deals, and write each deal when it is done."""
    done = finished(name, match)
    path = RESULTS / f"{name}.jsonl"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    with path.open("a", encoding="utf-8") as out, ThreadPoolExecutor(workers) as pool:
        if not text:
            out.write(json.dumps(header(name, match)) + "\n")
        elif not text.endswith("\n"):
            out.write("\n")  # the line that a kill cut off stays alone
        left = (deal for deal in range(match.deals) if deal not in done)
        running = {pool.submit(play_deal, match, deal): deal
                   for deal in itertools.islice(left, workers)}
        try:
            while running:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    deal = running.pop(future)
                    done[deal] = future.result()
                    out.write(json.dumps({"deal": deal, "payoffs": done[deal]}) + "\n")
                    out.flush()
                    os.fsync(out.fileno())
                    running |= {pool.submit(play_deal, match, other): other
                                for other in itertools.islice(left, 1)}
                if sys.stderr.isatty():
                    print(f"\r{name}: {len(done)} of {match.deals} deals", end="",
                          file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            sys.exit(130)
    print(summary(name, match, done))


def summary(name: str, match: Match, done: dict[int, list[list[int]]]) -> str:
    """One line: the first policy's share of wins with its interval; each deal counts once."""
    module = import_module(GAMES[match.game])
    table = module.table(variants.from_values(module.Rules(), match.rules))
    seated = seatings(match.policies, table.n_players)
    own = [(k, seat) for k, seats in enumerate(seated) for seat, policy in enumerate(seats)
           if policy == match.policies[0]]
    sums = [sum(payoffs[k][seat] for k, seat in own) for _, payoffs in sorted(done.items())]
    result = PolicyResult(len(own), Tally.of(sums))
    low, high = result.win_interval()
    share = float(result.wins / result.games)
    asked = f", asked: lower end {match.least:.2f}" if match.least else ""
    assert sum(sums) <= result.games * PAYOFF_UNIT
    return (f"| {name} | {' v '.join(match.policies)} | {match.simulations:,} "
            f"| {len(done)} x {len(seated)} | {100 * share:.2f} % | {100 * low:.2f} to "
            f"{100 * high:.2f} %{asked} | {match.seed} |")


def write_table() -> None:
    """results/README.md from what has been played."""
    lines = ["# Strength", "",
             "Written by `make strength`; the deals are in the .jsonl files beside this one.  "
             "Share: of games won by the first policy, shared wins split; each deal counts "
             "once in the interval.", "",
             "| match | policies | simulations a move | deals x seatings | share | 95 % | seed |",
             "|---|---|---|---|---|---|---|"]
    lines += [summary(name, match, done) for name, match in MATCHES.items()
              if (done := finished(name, match))]
    (RESULTS / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("match", nargs="*", default=list(MATCHES),
                        help=f"of {', '.join(MATCHES)}; default: all")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    unknown = [name for name in options.match if name not in MATCHES]
    if unknown:
        parser.error(f"no match {unknown[0]}; there are {', '.join(MATCHES)}")
    for name in options.match:
        run(name, MATCHES[name], options.workers)
    write_table()


if __name__ == "__main__":
    main()
