"""Made-up positions of FUSE in which rare rules decide: few cards, few dice, little time."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from tests.reference import fuse as reference
from tests.reference.fuse_bombs import (
    COLORS,
    FACES,
    FUSES,
    NUMBERS,
    covered,
    faces_for,
    is_link,
    put,
)
from tests.reference.fuse_table import CENTRE, State, into_bag, replace, with_dice

DICE = 5  # of a colour


def late_state(sides, draw):
    """A position that isn't decided yet."""
    while True:
        state = made_up(sides.options, draw)
        if len(set(state.unplaced)) == 1:  # the kernel asks only where there is a choice
            state = reference.step(sides.options, state, ("roll", state.unplaced[0]))
        if state.phase != "over":
            return state


def made_up(options, draw):
    box = draw.sample(options.in_the_box, len(options.in_the_box))
    first = draw.choice((many_slots, links, five_of_a_color, five_of_a_color, None, None))
    if first:
        box.sort(key=lambda bomb: first(options.bombs[bomb]), reverse=True)
    hands, centre, piles, defused, n_fuses = dealt(options, draw, box)
    fuses = draw.sample(list(FUSES), len(FUSES))
    seen = draw.randint(0, len(FUSES) - n_fuses)
    pace = options.seconds_per_roll
    length = Fraction(pace[1] if isinstance(pace, tuple) else pace)
    left = draw.choice((0, 0, 1, 1, 2, 5, 20)) * length + draw.choice((0, 0, Fraction(1, 2)))
    used = max(min(length, options.seconds), options.seconds - left)
    state = State(
        phase="take", hands=tuple(tuple((bomb, options.bombs[bomb].empty) for bomb in sorted(hand))
                                  for hand in hands),
        centre=tuple(sorted(centre)), piles=piles, fuses=(tuple(fuses[seen:]), n_fuses),
        taken=(0,) * options.players, defused=tuple(defused), activated=tuple(fuses[:seen]),
        rolls=draw.randint(1, 30), used=Fraction(used),
    )
    state = with_dice_on_bombs(options, state, draw)
    if draw.random() < 0.2:
        return reference.settled(options, reference.begin_turn(options, state))
    if draw.random() < 0.1:
        return unplaced(options, state, draw)
    return reference.settled(options, rolled(options, state, draw))


# Which bombs are in hands: with many slots dice run out; the others are rare.


def many_slots(bomb):
    return len(bomb.slots)


def links(bomb):
    return any(map(is_link, bomb.relations))


def five_of_a_color(bomb):
    """Whether so many slots and one more take a colour."""
    takers = [{color for color, _ in faces_for(bomb, slot)} for slot in range(len(bomb.slots))]
    return any(sum(color in colors for colors in takers) > DICE for color in COLORS)


# The parts of a position --------------------------------------------------------------------------


def dealt(options, draw, box):
    """Hands, the centre, the bomb deck, defused bombs, fuse cards in the deck."""
    size, players = options.hand_size, options.players
    sizes, n_centre, n_fuses = [size] * players, draw.choice((1, 1, 2, 3, 4, 5, 5, 5)), 0
    if options.insane and draw.random() < 0.6:
        n_centre = 0
        most = draw.choice((0, 1, size))
        sizes = [draw.randint(0, most) for _ in range(players)]
        if not any(sizes):
            sizes[draw.randrange(players)] = 1
    hands = [[box.pop(0) for _ in range(n)] for n in sizes]
    centre = [box.pop(0) for _ in range(n_centre)]
    if draw.random() < 0.3:  # hard bombs beside hard ones: what may be picked
        hard = [bomb for bomb in box if options.value(bomb) in (3, 4)]
        box = hard + [bomb for bomb in box if bomb not in hard]
    n_defused = draw.randint(0, len(box) // 2)
    defused, unseen = box[:n_defused], sorted(box[n_defused:])
    n_deck = 0
    if n_centre == CENTRE:
        n_deck = min(len(unseen), draw.choice((0, 0, 1, 2, 5, 9)))
        n_fuses = min(draw.choice((0, 1, 2, 4, 11)), options.number_of_fuses)
    if options.setup == "standard":
        return hands, centre, ((tuple(unseen), n_deck),), defused, n_fuses
    deck = Counter(options.value(bomb) for bomb in draw.sample(unseen, n_deck))
    by_value = [tuple(bomb for bomb in unseen if options.value(bomb) == value) for value in range(1, 7)]
    piles = tuple((bombs, deck[value]) for value, bombs in enumerate(by_value, 1))
    return hands, centre, piles, defused, n_fuses


def with_dice_on_bombs(options, state, draw):
    """Dice lie on the bombs, from few to as many as leave one slot free on each."""
    share = draw.choice((0, 0.3, 0.7, 1, 1))
    for seat, hand in enumerate(state.hands):
        for bomb, _ in hand:
            card = options.bombs[bomb]
            if five_of_a_color(card) and draw.random() < 0.8:
                state = with_four_of_a_color(options, state, seat, bomb, draw)
                continue
            for _ in range(len(card.slots) - 1):
                if draw.random() < share:
                    state = with_one_more(options, state, seat, bomb, draw)
            dice = dict(state.hands[seat])[bomb]
            below = [slot for slot, die in enumerate(dice) if die and covered(card, dice, slot)]
            if below and not options.covered_dice_safe and draw.random() < 0.3:
                slot = draw.choice(below)  # an upper die stays where it is
                state = into_bag(with_dice(state, seat, bomb, put(dice, slot, None)), dice[slot])
    return state


def with_one_more(options, state, seat, bomb, draw):
    """Another die of the bag on the bomb, if one of a few that are tried can lie there."""
    card, dice = options.bombs[bomb], dict(state.hands[seat])[bomb]
    slots = [slot for slot, die in enumerate(dice) if die is None]
    if len(slots) == 1:
        return state
    for _ in range(8):
        slot, die = draw.choice(slots), draw.choice(FACES)
        if in_bag(state, die) and not reference.verdict(options, card, dice, slot, die):
            return out_of_bag(with_dice(state, seat, bomb, put(dice, slot, die)), die)
    return state


def with_four_of_a_color(options, state, seat, bomb, draw):
    """Four dice of the colour that most slots take."""
    card, dice = options.bombs[bomb], options.bombs[bomb].empty
    color = max(COLORS, key=lambda color: sum(face[0] == color for slot in range(len(card.slots))
                                              for face in faces_for(card, slot)))
    for slot in draw.sample(range(len(card.slots)), len(card.slots)):
        faces = [die for die in faces_for(card, slot) if die[0] == color and in_bag(state, die)
                 and not reference.verdict(options, card, dice, slot, die)]
        if faces and sum(map(bool, dice)) < DICE - 1:
            die = draw.choice(faces)
            dice = put(dice, slot, die)
            state = out_of_bag(with_dice(state, seat, bomb, dice), die)
    return state


def in_bag(state, die):
    return state.bag[COLORS.index(die[0])]


def out_of_bag(state, die):
    bag = list(state.bag)
    bag[COLORS.index(die[0])] -= 1
    return replace(state, bag=tuple(bag))


def wanted(options, state, draw):
    """A die of the bag that a bomb takes, or of a colour of which few are left, or any."""
    if draw.random() < 0.3:
        _, rare = min((n, color) for color, n in zip(COLORS, state.bag, strict=True) if n)
        return rare, draw.choice(NUMBERS)
    seat = draw.randrange(options.players)
    if state.hands[seat] and draw.random() < 0.6:
        bomb, dice = draw.choice(state.hands[seat])
        slot = draw.choice([slot for slot, die in enumerate(dice) if die is None])
        found = [die for die in FACES if in_bag(state, die)
                 and not reference.verdict(options, options.bombs[bomb], dice, slot, die)]
        if found:
            return draw.choice(found)
    colors = [color for color, n in zip(COLORS, state.bag, strict=True) for _ in range(n)]
    return draw.choice(colors), draw.choice(NUMBERS)


def rolled(options, state, draw):
    """Some dice of the roll lie there, some have been taken."""
    n = draw.randint(1, options.dice_rolled)
    if draw.random() < 0.5:
        n = options.dice_rolled
    taken, placed_on = [0] * options.players, []
    for _ in range(options.dice_rolled - n):
        seat = draw.randrange(options.players)
        holding = [bomb for bomb, dice in state.hands[seat] if any(dice) and bomb not in placed_on]
        if taken[seat] < options.takes and holding:
            taken[seat] += 1
            placed_on.append(draw.choice(holding))
    dice = []
    for _ in range(n):
        if sum(state.bag):
            dice.append(wanted(options, state, draw))
            state = out_of_bag(state, dice[-1])
    return replace(state, rolled=tuple(sorted(dice)), taken=tuple(taken),
                   placed_on=tuple(sorted(placed_on)))


def unplaced(options, state, draw):
    """Dice are to be rolled again."""
    colors = [color for color, n in zip(COLORS, state.bag, strict=True) for _ in range(n)]
    colors = draw.sample(colors, min(len(colors), draw.randint(1, options.dice_rolled)))
    for color in colors:
        state = out_of_bag(state, (color, 1))
    if not colors:
        return reference.begin_turn(options, state)
    return replace(state, phase="unplaced", unplaced=tuple(sorted(colors, key=COLORS.index)))
