"""Rule sets drawn from all options."""

from __future__ import annotations

from oddsmith.solver.games import stone_age

OPTIONS = {
    "players": (2, 2, 3, 4),
    "resource_supply": ("unlimited", "unlimited", (20, 16, 12, 10), (28, 18, 12, 10), (5, 3, 2, 1)),
    "starvation": ("flat", "per_missing", "flat_plus"),
    "hunt_again": (False, False, True),
    "choose_two": ("later", "at_once"),
    "dice_gift": ("at_once", "on_own_turn"),
    "tools_on_card_roll": (True, False),
    "village_limit_small_games": (True, False),
    "resource_limit_small_games": (True, False),
    "place_at_max": ("allowed", "forbidden"),
    "one_use_tools_score": (False, True),
    "upgraded_tool_ready": (False, True),
    "tie_break": ("shared", "food"),
    "max_rounds": (60, 60, 1, 2, 3, 12),
    "start_food": (12, 0, 3, 30),
    "start_people": (5, 1, 2, 9, 10),
    "stack_size": (7, 1, 2, 3),
    "dice": ("six_sided", "six_sided", 3, "3.5"),
}


def random_options(draw):
    return {name: draw.choice(values) for name, values in OPTIONS.items()}


def random_rules(draw):
    return stone_age.Rules(**random_options(draw))
