"""FUSE: games played out by the reference, in plain Python."""

from collections.abc import Callable
from random import Random

from . import fuse
from .fuse_table import Choice, Options, State, drawn_time

Policy = Callable[[Options, State, list[Choice], Random], Choice]


def at_random(_: Options, __: State, offered: list[Choice], rng: Random) -> Choice:
    return rng.choice(offered)


def random_game(
    options: Options, rng: Random, policy: Policy = at_random, start: State | None = None
) -> list[State]:
    """All states of a game from the set-up (or this state) to the end."""
    states = [start or fuse.new_game(options)]
    while fuse.turn(states[-1]) != "over":
        states.append(next_state(options, states[-1], rng, policy))
    return states


def next_state(options: Options, state: State, rng: Random, policy: Policy = at_random) -> State:
    """One step further, by chance or by the policy."""
    if fuse.turn(state) != "chance":
        return fuse.step(options, state, policy(options, state, fuse.moves(options, state), rng))
    if state.phase == "time" and options.pace != "list":
        return fuse.step(options, state, drawn_time(options, rng))
    offered = fuse.outcomes(options, state)
    numbers = [weight for _, weight in offered]
    return fuse.step(options, state, rng.choices([what for what, _ in offered], numbers)[0])
