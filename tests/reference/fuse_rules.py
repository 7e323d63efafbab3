"""FUSE: what each rule decides, and how often it did so.

The sentences are the rules page's (docs/rules/fuse.md) or close to it. The number of an option
value grows where another value of this option would have given another answer.
"""

from collections import Counter
from typing import Any

RULES: dict[str, str] = {
    # Set-up
    "setup.first": "each player gets 2 bombs face up: the first is any card",
    "setup.second_free": "the first is worth less than 3: the second is any card",
    "setup.second_easy": "the first is worth 3, 4 or 6: the second must be 1 or 2",
    "setup.second_rejects": "some cards were no second bomb: redraw until one is 1 or 2",
    "setup.solo_four": "solo 4 bombs",
    "setup.solo_redeal": "solo: not three different values among the four: redeal all",
    "setup.deck": "the bomb deck of the table for players and level, opening hands not counted",
    "setup.centre": "5 of these go face up in the centre",
    "setup.small_deck": "a deck of fewer than 5 bombs: all go face up",
    "setup.fuses": "6 random fuse cards are shuffled into the rest",
    "setup.six_out": "the 6-point bombs are left out unless wanted",
    "setup.all_dice": "25 dice in a bag, 5 of each colour",
    # 1 Draw and roll
    "draw.as_many_as_players": "draw and roll as many dice as players",
    "draw.four_with_two": "4 dice with two players",
    "draw.three_solo": "3 dice solo",
    "draw.by_colour": "dice are drawn from the bag at random: colours by what is in it",
    "draw.fewer": "fewer in the bag: roll those",
    "draw.next_turn": "the bag passes on each turn: every turn draws anew",
    # 2 Take and place
    "take.one_each": "each player takes at most one die: this player has taken his",
    "take.two_each": "two players take two each: this player may take a second one",
    "take.two_taken": "two players take two each: this player has taken two",
    "take.solo_more": "solo takes up to three: another one",
    "take.any_seat": "the team chooses who takes what: several seats could take this die",
    "take.several_on_one": "with 1-2 players several dice may go on one bomb",
    "take.no_bombs": "a player without bombs takes no die",
    "take.declined": "at most: a die stays over that somebody could have placed",
    "take.none_fits": "must place what he takes: a die that fits nowhere isn't taken",
    "take.all_placed": "no die stays over",
    "take.row_any_order": "row cards fill in any order: a slot right of an empty one",
    "take.stack_bottom_up": "stacks from the bottom up: a slot above an empty one takes no die",
    "take.pyramid_under": "a pyramid die needs the card or two dice under it: it had not",
    "take.not_accepted": "a slot that doesn't accept the die",
    "take.not_completable": "faces must still finish the bomb: no faces would",
    "take.five_of_a_colour": "at most 5 dice a colour: only a sixth one would finish it",
    "take.sign_broken": "the die would break a sign with its neighbours",
    "slot.color": "a slot with a colour takes this die",
    "slot.number": "a slot with a number takes this die",
    "slot.both": "a slot with a colour and a number takes this die",
    "slot.split": "a split slot takes this die by either",
    "slot.number_chip": "#: any number",
    "slot.color_chip": "the colour chip: any colour",
    "slot.both_chips": "a slot that is an operand of signs of number and of colour",
    "slot.question": "?: anything",
    "sign.eq_number": "=: the numbers are the same",
    "sign.eq_color": "=: the colours are the same",
    "sign.ne": "≠: the neighbours differ",
    "sign.order": "> or <: the numbers of the neighbours are in this order",
    "sign.total": "+ or −: the numbers give this sum or difference",
    "sign.link": "[#/c]=[#/c]: the pair shares its number or its colour",
    # 3 Unplaced dice
    "unplaced.order": "one at a time in an order the team chooses: there was a choice",
    "unplaced.one_at_a_time": "one at a time: further dice wait while this one is resolved",
    "unplaced.rerolled": "the die is rolled: it shows a new number and keeps its colour",
    "unplaced.back": "unplaced dice return to the bag",
    "remove.by_number": "a placed die has the new number",
    "remove.by_color": "a placed die has the colour",
    "remove.every_player": "every player removes one: more than one player has to",
    "remove.unable": "if he has one: a player with bombs has no such die",
    "remove.choice": "his choice: he has several such dice",
    "remove.any_bomb": "any of his bombs: such dice lie on several of them",
    "remove.covered_safe": "a die below another in a stack or pyramid is safe",
    "remove.uncovered": "the upper die of a stack or pyramid isn't safe",
    "remove.back": "removed dice return to the bag",
    "remove.finished_gone": "dice of finished bombs are gone already: the player defused one before",
    # 4 Defusing
    "defuse.at_once": "a full bomb is defused at once",
    "defuse.before_next": "a filled bomb is resolved before the next die: dice are still there",
    "defuse.dice_back": "its dice return to the bag",
    "defuse.new_bomb_same_turn": "a die goes on a bomb taken in this turn",
    "pick.choice": "its player takes a centre bomb of his choice",
    "pick.nothing_left": "no centre bomb is left: nothing is taken",
    "refill.bomb": "the centre is refilled from the deck",
    "refill.deck_out": "until the deck is out: the centre stays below 5",
    "fuse.color": "a fuse card revealed: dice of its colour",
    "fuse.number": "a fuse card revealed: dice of its number",
    "fuse.every_player": "each player removes one: more than one player has to",
    "fuse.unable": "if able: a player with bombs has no such die",
    "fuse.choice": "the player has several such dice",
    "fuse.covered_safe": "such die: a covered one is safe from a fuse card too",
    "fuse.next_card": "and the next card is drawn",
    "fuse.in_a_row": "the next card is a fuse card too",
    "fuse.last_of_deck": "a fuse card is the last card of the deck",
    # 5 End
    "win.last_centre": "win the moment the last centre bomb is taken, the deck empty",
    "win.dice_left": "at that moment: dice that were rolled don't matter any more",
    "win.not_yet": "the last centre bomb is taken, but insane goes on",
    "win.hands_defused": "insane: the bombs in hand are defused too",
    "lose.time": "lose: time is up",
    "lose.bag": "lose: the bag is empty when dice must be drawn",
    # Score, time
    "score.won": "10 if won",
    "score.time": "1 per full 10 seconds left if won",
    "score.lost": "lost: nothing for the game and the time",
    "score.bombs": "the values of the defused bombs",
    "score.fuses": "2 per fuse card activated",
    "score.unknown": "a defused bomb without known value counts as `unknown_points`",
    "time.last_roll": "roll k counts if it ends by 600 s: it ends exactly then",
    "time.drawn": "the time of a roll is drawn from a distribution",
    # Options
    **{
        f"option.{name}.{value}": f"option {name} = {value} decided"
        for name, values in {
            "level": ("training", "standard", "expert", "elite", "insane", "deck size"),
            "deck": ("documented", "synthetic", "user"),
            "unknown_points": ("2", "other"),
            "six_point_bombs": ("out", "in"),
            "fuse_cards": ("6", "other"),
            "seconds": ("600", "other"),
            "seconds_per_roll": ("number", "normal", "lognormal", "list"),
            "solo_dice": ("three", "one"),
            "two_player_same_bomb": (True, False),
            "decline": ("allowed", "forbidden"),
            "placement": ("completable", "any_not_yet_violated"),
            "same_number_or_color": ("linkwise", "whole"),
            "covered_dice_safe": (True, False),
            "removal": ("one", "all"),
            "pick": ("free", "easy_if_hard"),
            "insane_hands": (True, False),
            "setup": ("standard", "chosen_values"),
            "edition": ("2015", "2019"),
        }.items()
        for value in values
    },
    "clear.owner": "any_not_yet_violated: the owner clears a bomb that can't be finished any more",
    "clear.not_needed": "a bomb that can still be finished isn't cleared",
    "pick.forced": "easy_if_hard: holding a 3 or 4, only such bombs are in the centre",
}

FIRED: Counter[str] = Counter()


def fired(rule: str, when: Any = True) -> None:
    """Count the rule if it decided something."""
    if when:
        assert rule in RULES, rule
        FIRED[rule] += 1


def fired_option(name: str, value: Any, when: Any = True) -> None:
    """Count the option value; another one would have given another answer."""
    fired(f"option.{name}.{value}", when)
