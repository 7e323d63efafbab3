"""Each rule id of the Forbidden Island reference is counted where the rule decides, and only there."""

from collections.abc import Callable
from typing import Any

import pytest

from . import island
from .island_cases import (
    BREAKERS,
    BRONZE,
    CLIFFS,
    CRIMSON,
    DEFAULT,
    DUNES,
    EMBERS,
    FOUR,
    GOLD,
    HOWLING,
    LANDING,
    LIFT,
    MARSH,
    MOON,
    RISE,
    SANDBAGS,
    SUN,
    TIDAL,
    after,
    before_draw,
    before_flood,
    block,
    counts,
    game,
)
from .island_table import CHOICES, FIRED, LAYOUTS, NUMBERS, RULE_IDS, TILES, Options, State

Call = Callable[[], object]
AROUND = (HOWLING, TIDAL, CLIFFS, MARSH)
DEALT = (("earth", "earth"), ("wind", "wind"))
FIVE = ("earth", "earth", "wind", "fire", "ocean")
THREE = Options(players=3)


def listing(options: Options = DEFAULT, **given: Any) -> Call:
    state = game(options, **given)
    return lambda: island.moves(options, state)


def then(state: State, *choices: Any, options: Options = DEFAULT) -> Call:
    """Steps only: `apply` would also list the moves."""

    def call() -> None:
        after_all = state
        for choice in choices:
            after_all = island.step(options, after_all, choice)

    return call


def listing_then(state: State, *choices: Any, options: Options = DEFAULT) -> Call:
    last = after(state, *choices, options=options)
    return lambda: island.moves(options, last)


def dealing(options: Options = DEFAULT, flooded: tuple[str, ...] = TILES[10:], **_: Any) -> Call:
    roles = ("diver", "pilot") if options.roles == "random" else ()
    return lambda: island.dealt(options, TILES, flooded, roles, DEALT)


def as_role(role: str, options: Options = DEFAULT, **given: Any) -> Call:
    others = [each for each in ("messenger", "engineer", "explorer") if each != role]
    return listing(options, roles=(role, *others)[: options.players], **given)


def sinking(
    tile: str = BREAKERS, role: str = "engineer", options: Options = DEFAULT, **given: Any
) -> Call:
    """Seat 0 has this role; this tile sinks, and what can be done then is listed."""
    flooded = (*given.pop("flooded", ()), tile)
    roles = (role, *(each for each in ("messenger", "navigator") if each != role))
    named = {"roles": roles[: options.players], "flooded": flooded} | given
    state = before_flood(tile, options=options, **named)

    def call() -> None:
        following = island.step(options, state, tile)
        island.moves(options, following)

    return call


def drawing(*cards: str, options: Options = DEFAULT, **given: Any) -> Call:
    return then(before_draw(options, **given), *cards, options=options)


def flooding(tile: str, options: Options = DEFAULT, **given: Any) -> Call:
    return then(before_flood(tile, options=options, **given), tile, options=options)


def winning(*choices: Any, **given: Any) -> Call:
    values = {"captured": frozenset(FOUR), "pawns": (LANDING, LANDING), "hands": {1: (LIFT,)}}
    return then(game(**(values | given)), *choices)


NOT_OVER = listing(hands={0: ("earth",)})
ALL_THERE = {"captured": frozenset(FOUR), "pawns": (LANDING, LANDING)}
LAST_FIRE = {"pile": counts("fire"), "discarded": ("wind",)}
BOTH = {"pawns": (BREAKERS, BREAKERS)}
RISEN = {"flood_discard": block(SUN), "flooded": (SUN,)}
STRANDED = {"sunk": AROUND}
WHOLE_PILE = Options(rise_shuffle="whole_pile")
CARDS_OVER = {"hands": {0: FIVE}}

DECIDES: dict[str, tuple[Call, Call]] = {
    "setup.tiles": (dealing(), NOT_OVER),
    "setup.flood": (dealing(), dealing(Options(initial_flood=0))),
    "setup.role": (dealing(), dealing(Options(roles=("diver", "pilot")))),
    "setup.start_tile": (dealing(), NOT_OVER),
    "setup.start_flooded": (dealing(flooded=TILES[4:]), dealing()),  # the diver's IRON
    "setup.cards": (dealing(), NOT_OVER),
    "setup.no_waters_rise": (dealing(), dealing(Options(waters_rise=0))),
    "setup.level": (dealing(), NOT_OVER),
    "actions.none_taken": (
        then(game(), ("end actions",)),
        then(game(actions_left=2), ("end actions",)),
    ),
    "actions.not_all": (
        then(game(actions_left=2), ("end actions",)),
        then(game(), ("end actions",)),
    ),
    "actions.used_up": (
        then(game(actions_left=1), ("walk", 0, MARSH)),
        then(game(), ("walk", 0, MARSH)),
    ),
    "move.adjacent": (listing(), listing(**STRANDED)),
    "move.not_diagonal": (listing(), as_role("explorer")),
    "move.onto_flooded": (listing(flooded=(MARSH,)), listing(flooded=(SUN,))),
    "move.not_missing": (listing(sunk=(MARSH,)), listing(sunk=(SUN,))),
    "shore.own": (listing(flooded=(BREAKERS,)), listing(flooded=(MARSH,))),
    "shore.adjacent": (listing(flooded=(MARSH,)), listing(flooded=(BREAKERS, SUN))),
    "give.same_tile": (NOT_OVER, listing(hands={0: ("earth",)}, **BOTH)),
    "give.no_special": (listing(hands={0: (LIFT,)}, **BOTH), listing(hands={0: (LIFT,)})),
    "give.receiver_empty": (
        listing(hands={0: ("fire",)}, **BOTH),
        listing(hands={0: ("fire",), 1: (LIFT,)}, **BOTH),
    ),
    "give.receiver_full": (
        then(game(hands={0: ("fire",), 1: FIVE}, **BOTH), ("give", 0, 1, "fire")),
        then(game(hands={0: ("fire",), 1: FIVE[1:]}, **BOTH), ("give", 0, 1, "fire")),
    ),
    "capture.either_tile": (
        listing(pawns=(SUN, DUNES), hands={0: ("earth",) * 4}),
        listing(pawns=(SUN, DUNES), hands={0: ("earth",) * 4}, sunk=(MOON,)),
    ),
    "capture.flooded": (
        listing(pawns=(SUN, DUNES), hands={0: ("earth",) * 4}, flooded=(SUN,)),
        listing(pawns=(SUN, DUNES), hands={0: ("earth",) * 4}),
    ),
    "capture.too_few": (
        listing(pawns=(SUN, DUNES), hands={0: ("earth",) * 3}),
        listing(pawns=(SUN, DUNES), hands={0: ("earth",) * 4}),
    ),
    "capture.one_hand": (
        listing(pawns=(SUN, DUNES), hands={0: ("earth",) * 3, 1: ("earth",)}),
        listing(pawns=(SUN, DUNES), hands={0: ("earth",) * 3}),
    ),
    "capture.keeps_rest": (
        then(game(hands={0: ("earth",) * 5}, pawns=(SUN, DUNES)), ("capture", "earth")),
        then(game(hands={0: ("earth",) * 4}, pawns=(SUN, DUNES)), ("capture", "earth")),
    ),
    "capture.to_discard": (
        then(game(hands={0: ("earth",) * 4}, pawns=(SUN, DUNES)), ("capture", "earth")),
        then(game(hands={0: ("earth",) * 4}, pawns=(SUN, DUNES)), ("walk", 0, MOON)),
    ),
    "draw.to_hand": (drawing("fire"), drawing(RISE)),
    "draw.one_by_one": (drawing(LIFT), drawing("fire")),
    "draw.nothing_left": (drawing("fire", pile=counts("fire")), drawing("fire")),
    "draw.reshuffled": (drawing("fire", **LAST_FIRE), drawing("fire", pile=counts("fire"))),
    "rise.meter": (drawing(RISE), drawing("fire")),
    "rise.on_top": (drawing(RISE, **RISEN), drawing(RISE)),
    "rise.discarded": (drawing(RISE), drawing("fire")),
    "rise.no_discard": (drawing(RISE), drawing(RISE, **RISEN)),
    "rise.second_in_turn": (drawing(RISE, RISE, **RISEN), drawing(RISE, "fire", **RISEN)),
    "rise.last_card": (drawing(RISE, pile=counts(RISE)), drawing("fire", pile=counts("fire"))),
    "flood.as_many": (drawing("fire", draws=1), drawing("fire")),
    "flood.floods": (flooding(SUN), flooding(SUN, flooded=(SUN,))),
    "flood.sinks": (flooding(SUN, flooded=(SUN,)), flooding(SUN)),
    "flood.top_block": (
        lambda: island.outcomes(DEFAULT, before_flood(SUN)),
        lambda: island.outcomes(DEFAULT, game(phase="flood", floods_left=1)),
    ),
    "flood.reshuffled": (
        flooding(SUN, flood_pile=(block(SUN),)),
        flooding(SUN, flood_pile=(block(SUN), block(MARSH))),
    ),
    "flood.reshuffled_mid_draw": (
        flooding(SUN, flood_pile=(block(SUN),), floods_left=2),
        flooding(SUN, flood_pile=(block(SUN),)),
    ),
    "flood.resolved_first": (
        flooding(SUN, flood_pile=(block(SUN),)),
        flooding(SUN, flood_pile=(block(SUN),), flooded=(SUN,)),
    ),
    "swim.adjacent": (sinking(), sinking(**STRANDED)),
    "swim.flooded": (sinking(flooded=(MARSH,)), sinking(flooded=(SUN,))),
    "swim.each_separately": (sinking(**BOTH), sinking()),
    "swim.loss_first": (
        sinking(LANDING, pawns=(LANDING, DUNES)),
        sinking(LANDING),
    ),
    "swim.stranded_lives": (
        listing(pawns=(LANDING, DUNES), sunk=TILES[1:5]),
        listing(pawns=(LANDING, DUNES), sunk=TILES[1:4]),
    ),
    "limit.draw": (drawing("fire", **CARDS_OVER), drawing("fire")),
    "limit.specials_count": (
        drawing("fire", hands={0: (*FIVE[:4], LIFT)}),
        drawing("fire", **CARDS_OVER),
    ),
    "limit.outside_turn": (
        then(game(hands={0: ("fire",), 1: FIVE}, **BOTH), ("give", 0, 1, "fire")),
        drawing("fire", **CARDS_OVER),
    ),
    "limit.between_draws": (drawing("fire", **CARDS_OVER), drawing("fire", draws=1, **CARDS_OVER)),
    "limit.use_special": (
        listing_then(before_draw(hands={0: (*FIVE[:4], LIFT)}), "fire"),
        listing_then(before_draw(hands={0: FIVE, 1: (LIFT,)}), "fire"),
    ),
    "limit.discard_special": (
        then(after(before_draw(hands={0: (*FIVE[:4], LIFT)}), "fire"), ("discard", 0, LIFT)),
        then(after(before_draw(hands={0: (*FIVE[:4], LIFT)}), "fire"), ("discard", 0, "fire")),
    ),
    "limit.after_reshuffle": (
        then(after(before_draw(**LAST_FIRE, **CARDS_OVER), "fire"), ("discard", 0, "fire")),
        then(after(before_draw(discarded=("wind",), **CARDS_OVER), "fire"), ("discard", 0, "fire")),
    ),
    "special.off_turn": (listing(hands={1: (LIFT,)}), listing(hands={0: (LIFT,)})),
    "special.no_action": (
        listing(hands={0: (LIFT,)}, actions_left=0),
        listing(hands={0: (LIFT,)}, actions_left=1),
    ),
    "special.between_floods": (
        listing(hands={0: (LIFT,)}, phase="before flood", floods_left=1),
        listing(hands={0: (LIFT,)}),
    ),
    "special.while_swimming": (sinking(hands={1: (LIFT,)}), sinking()),
    "lift.several": (listing(hands={0: (LIFT,)}, **BOTH), listing(hands={0: (LIFT,)})),
    "lift.one_of_several": (listing(hands={0: (LIFT,)}, **BOTH), listing(hands={0: (LIFT,)})),
    "lift.target_in_play": (
        listing(hands={0: (LIFT,)}, sunk=(SUN,)),
        listing(hands={0: (LIFT,)}),
    ),
    "sandbags.any_tile": (
        listing(hands={0: (SANDBAGS,)}, flooded=(SUN, MARSH)),
        listing(hands={0: (SANDBAGS,)}, flooded=(SUN,)),
    ),
    "sandbags.needs_flooded": (
        listing(hands={0: (SANDBAGS,)}),
        listing(hands={0: (SANDBAGS,)}, flooded=(SUN,)),
    ),
    "sandbags.too_late": (
        flooding(SUN, flooded=(SUN,), hands={0: (SANDBAGS,)}),
        flooding(SUN, flooded=(SUN,), hands={0: (LIFT,)}),
    ),
    "explorer.move": (as_role("explorer"), as_role("engineer")),
    "explorer.shore": (as_role("explorer", flooded=(SUN,)), as_role("explorer", flooded=(MARSH,))),
    "explorer.swim": (sinking(role="explorer"), sinking()),
    "pilot.fly": (as_role("pilot"), as_role("pilot", flights=1)),
    "pilot.once": (as_role("pilot", flights=1), as_role("pilot")),
    "pilot.reset": (flooding(SUN, flights=1), flooding(SUN)),
    "pilot.swim": (sinking(role="pilot"), sinking()),
    "navigator.moves_other": (as_role("navigator"), as_role("pilot")),
    "navigator.two_steps": (
        as_role("navigator"),
        as_role("navigator", sunk=(CRIMSON, EMBERS), pawns=(BREAKERS, DUNES)),
    ),
    "navigator.not_himself": (as_role("navigator"), as_role("pilot")),
    "diver.through": (as_role("diver", flooded=(MARSH,)), as_role("diver")),
    "diver.not_through_dry": (as_role("diver"), as_role("diver", flooded=TILES)),
    "diver.swim": (sinking(role="diver", **STRANDED), sinking(role="diver")),
    "engineer.two": (listing(flooded=(MARSH, TIDAL)), listing(flooded=(MARSH,))),
    "engineer.last_action": (
        listing(flooded=(MARSH, TIDAL), actions_left=1),
        listing(flooded=(MARSH, TIDAL), actions_left=2),
    ),
    "messenger.anywhere": (as_role("messenger", hands={0: ("fire",)}), as_role("messenger")),
    "turn.clockwise": (flooding(SUN), flooding(SUN, floods_left=2)),
    "win": (winning(("win", 1)), winning(("lift", 1, (0,), SUN))),
    "win.flooded_landing": (winning(("win", 1), flooded=(LANDING,)), winning(("win", 1))),
    "win.off_turn": (winning(("win", 1)), winning(("win", 0), hands={0: (LIFT,)})),
    "win.between_floods": (
        winning(("win", 1), phase="before flood", floods_left=1),
        winning(("win", 1)),
    ),
    "win.hand_limit": (
        winning("fire", ("win", 0), phase="draw", draws_left=2, hands={0: (*FIVE[:4], LIFT)}),
        winning(("win", 1)),
    ),
    "win.not_all_there": (
        listing(captured=frozenset(FOUR), pawns=(LANDING, MARSH), hands={0: (LIFT,)}),
        listing(captured=frozenset(FOUR), pawns=(LANDING, LANDING), hands={0: (LIFT,)}),
    ),
    "lose.treasure": (
        flooding(SUN, flooded=(SUN,), sunk=(MOON,)),
        flooding(SUN, flooded=(SUN,)),
    ),
    "lose.not_captured": (
        flooding(SUN, flooded=(SUN,), sunk=(MOON,), captured=frozenset({"earth"})),
        flooding(SUN, flooded=(SUN,), sunk=(MOON,)),
    ),
    "lose.landing": (flooding(LANDING, flooded=(LANDING,)), flooding(LANDING)),
    "lose.drowned": (sinking(**STRANDED), sinking()),
    "lose.water": (drawing(RISE, water=9), drawing(RISE, water=8)),
}

SPLIT = {"roles": ("navigator", "messenger", "engineer")}
NEAR = {"roles": ("navigator", "explorer")}
OVER_FIRST = {"draws": 2, **CARDS_OVER}
SUNK_AROUND = {"role": "diver", "sunk": (MARSH,)}


def for_choices() -> dict[str, tuple[Call, Call]]:
    """Options with a few values: the case for each value, and one where all values do the same."""
    found: dict[str, tuple[Call, Call]] = {}

    def add(
        name: str, call: Callable[[Options], Call], quiet: Callable[[Options], Call], **given: Any
    ) -> None:
        for value in CHOICES[name]:
            options = Options(**{name: value}, **given)
            found[f"option.{name}.{str(value).lower()}"] = call(options), quiet(options)

    def plain(options: Options) -> Call:
        return listing(options)

    add("difficulty", dealing, plain)
    add(
        "lift_rescue",
        lambda options: sinking(options=options, hands={0: (LIFT,)}),
        lambda options: listing(options, hands={0: (LIFT,)}),
    )
    add(
        "lift_from",
        lambda options: listing(options, hands={0: (LIFT,)}),
        lambda options: listing(options, hands={0: (LIFT,)}, **BOTH),
    )
    add(
        "rise_shuffle",
        lambda options: drawing(RISE, options=options, **RISEN),
        lambda options: drawing(RISE, options=options),
    )
    add(
        "navigator_uses_target_power",
        lambda options: listing(options, **NEAR),
        lambda options: listing(options, roles=("navigator", "pilot")),
    )
    add(
        "navigator_split",
        lambda options: listing(options, **SPLIT),
        lambda options: listing(options, **SPLIT, sunk=(BRONZE, GOLD)),
        players=3,
    )
    add(
        "diver_swim",
        lambda options: sinking(options=options, **SUNK_AROUND),
        lambda options: sinking(options=options, role="diver"),
    )
    add(
        "pilot_swim_free",
        lambda options: sinking(options=options, role="pilot", flights=1),
        lambda options: sinking(options=options, role="pilot"),
    )
    add(
        "hand_limit_between_draws",
        lambda options: drawing("fire", options=options, **OVER_FIRST),
        lambda options: drawing("fire", options=options, draws=1, **CARDS_OVER),
    )
    add(
        "treasure_reshuffle",
        lambda options: drawing("fire", options=options, **LAST_FIRE),
        lambda options: drawing("fire", options=options),
    )
    return found


def for_numbers() -> dict[str, tuple[Call, Call]]:
    """Options with a number: once the default, once another one."""
    found: dict[str, tuple[Call, Call]] = {}

    def add(
        name: str, other: Any, call: Callable[[Options], Call], quiet: Callable[[Options], Call]
    ) -> None:
        for which, options in (("default", Options()), ("other", Options(**{name: other}))):
            found[f"option.{name}.{which}"] = call(options), quiet(options)

    def waiting(options: Options) -> Call:
        return listing(options, actions_left=0)

    add("hand_limit", 3, lambda options: drawing("fire", options=options, **CARDS_OVER), waiting)
    add("actions", 4, listing, waiting)
    for name, other in (
        *(("cards_per_treasure", 4), ("initial_flood", 7), ("waters_rise", 4)),
        *(("helicopters", 2), ("sandbags", 3), ("water_level", 2)),
    ):
        add(name, other, dealing, waiting)
    add(
        "cards_to_capture",
        3,
        lambda options: listing(options, pawns=(SUN, DUNES), hands={0: ("earth",) * 3}),
        waiting,
    )
    add("water_meter", (2,) * 9, lambda options: drawing("fire", options=options, draws=1), waiting)
    add("pilot_flights_per_turn", 2, lambda options: as_role("pilot", options), waiting)
    for which, options in (("default", Options()), ("other", Options(max_turns=3))):
        found[f"option.max_turns.{which}"] = (
            flooding(SUN, options=options, turn=options.max_turns),
            flooding(SUN, options=options),
        )
    del found["option.water_level.default"]  # without it the difficulty counts
    return found


DECIDES |= for_choices() | for_numbers()
DECIDES |= {
    "option.roles.random": (dealing(), dealing(Options(roles=("diver", "pilot")))),
    "option.roles.named": (dealing(Options(roles=("diver", "pilot"))), dealing()),
    "option.layout.drawn": (dealing(Options(layout=("#" * 8,) * 3)), dealing()),
    **{
        f"option.layout.{layout}": (dealing(Options(layout=layout)), listing())
        for layout in LAYOUTS
    },
}


def test_rule_ids_are_listed_once_and_all_have_a_case() -> None:
    assert len(set(RULE_IDS)) == len(RULE_IDS)
    assert set(DECIDES) == set(RULE_IDS)
    assert set(CHOICES) | set(NUMBERS) | {"players", "layout", "roles"} == set(
        Options.__dataclass_fields__
    )


@pytest.mark.parametrize("rule_id", RULE_IDS)
def test_rule_fires_where_it_decides(rule_id: str) -> None:
    for call, fires in zip(DECIDES[rule_id], (True, False), strict=True):
        FIRED.clear()
        call()
        assert (FIRED[rule_id] > 0) == fires
        assert set(FIRED) <= set(RULE_IDS)
