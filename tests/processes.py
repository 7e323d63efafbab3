"""Comparisons in two processes: what the tests against the references share."""

from __future__ import annotations

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
