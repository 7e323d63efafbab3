"""Comparisons in two processes: what the tests against the references share."""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor


def count(compare_one, seeds, *more):
    """The sum of the counts of compare_one(seed, *more) over some seeds."""
    found = Counter()
    with ProcessPoolExecutor(2) as pool:
        futures = [pool.submit(compare_one, seed, *more) for seed in seeds]
        try:
            for future in futures:
                found += future.result()
        finally:
            pool.shutdown(cancel_futures=True)  # after a disagreement the rest can't matter
    return found


def count_for_long(batch, first, step, rules):
    """The sum of batch(seed) from a first seed on, until DECISIONS (default 100,000) are compared.

    In 2 million decisions every rule has to fire 1,000 times, in fewer at all.
    """
    wanted = int(os.environ.get("DECISIONS", "100000"))
    seed, fired = first, Counter()
    while fired["decisions"] < wanted:
        fired += batch(seed)
        seed += step
        print(f"\r{fired['decisions']:,} decisions", end="", flush=True)
    print()
    every_rule_fired(fired, rules, 1000 if wanted >= 2_000_000 else 1)


def every_rule_fired(fired, rules, least):
    """Print how often each rule has decided something; all of them at least so often."""
    for rule in rules:
        print(f"{fired[rule]:>12,}  {rule}")
    rare = [rule for rule in rules if fired[rule] < least]
    assert not rare, f"these rules decided fewer than {least} times: " + ", ".join(rare)
