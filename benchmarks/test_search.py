"""Tree search, one thread: what it adds to the game's own functions, and Reef."""

from __future__ import annotations

import random

from oddsmith.kernels.search import Tree
from oddsmith.solver.games import reef
from tests import toys

MEMORY = 1 << 28


def full_tree(depth, draw):
    if depth == 0:
        return toys.leaf(draw.randrange(61), draw.randrange(61))
    return (depth % 2, [full_tree(depth - 1, draw) for _ in range(4)])


def test_search_overhead(benchmark, figure):
    """A game whose functions take some 5 ns each: nearly all is the search's own."""
    table, root = toys.tree_table(full_tree(8, random.Random(1)), 2)
    tree = Tree(table, root, 1, 0, MEMORY)
    tree.grow(50_000)
    before, n = tree.visited, tree.simulations
    benchmark.pedantic(tree.grow, args=(100_000,), rounds=5)
    nodes = 100_000 * (tree.visited - before) / (tree.simulations - n)
    figure("search: a visited node, toy game and all",
           1e9 * benchmark.stats.stats.median / nodes, "ns", "150 ns")


def test_reef_simulations(benchmark, figure):
    rules = reef.Rules()
    table, state = reef.table(rules), reef.to_state(reef.new(rules, 7))
    benchmark.pedantic(lambda: Tree(table, state, 1, 0, MEMORY).grow(2000), rounds=5)
    figure("search: Reef, opening", 2000 / benchmark.stats.stats.median, "simulations/s")
