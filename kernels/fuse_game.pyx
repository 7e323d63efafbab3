"""FUSE: whole games, as a table of functions (game.pxd).

The team decides as one mind.  What a roll brings is assigned die by die: any die that lies there goes
on any bomb of a player with a take left, or the team stops.  What every rule leaves no choice in
happens at once: removals with one die to remove, unplaced dice of one colour.
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from oddsmith.kernels.fuse cimport (
    ALL_FACES, ASSIGN, BAG_EMPTY, BOMB, CHOOSE, CLEAR, CLOCK, COLORS, DEAL_CENTRE, DEAL_HANDS, DIE, DROP,
    EMPTY, FINISHED, FULL, FUSE, FUSE_CARDS, HELD, IN_CENTRE, LENGTH, MAX_DICE, MAX_SLOTS, NO_BOMB,
    NO_DIE, NO_FACE, NUMBER, NUMBERS, PICK, PLACE, REFILL, REMOVE, REROLL, ROLL, SEATS, STOP, TAKE,
    THROW, TIME_UP, VALUE, VALUES, WON,
    FuseRules, Rules, State,
    bit, class_at, class_without, code, color_mask, colors_left, die, droppable, fits_of, fuse_mask,
    lay_down, lowest, n_below, n_dice, n_in_bag, no_dice, number_mask, one_die, pick_up, place_of,
    popcount, select, step, takeable,
)
from oddsmith.kernels.fuse_chance cimport next_face, outcomes, sample
from oddsmith.kernels.fuse_results cimport evaluate, key, payoff, summary
from oddsmith.kernels.game cimport CHANCE, OVER, GameTable, move_t
from oddsmith.kernels.rng cimport Stream, below
from oddsmith.kernels.fuse import state_fields

cdef enum:
    DICE_OF_COLOR = 5


# Whose turn, and what can be done ---------------------------------------------------------------

cdef int turn(const void* rules, const void* state) noexcept nogil:
    """Who holds the bag speaks for the team; who takes a bomb or removes a die, for himself."""
    cdef const State* s = <const State*>state
    if s.phase == ASSIGN or s.phase == THROW:
        return s.holder
    if s.phase == PICK or s.phase == REMOVE:
        return s.seat
    return OVER if s.phase == FINISHED else CHANCE


cdef void look_up(const FuseRules* g, const State* s, Menu* menu) noexcept nogil:
    """Every placement, by bomb and die; bombs that may be cleared; whether the team may stop."""
    cdef int i, d, face, before = NO_FACE, total = 0
    cdef uint32_t open = s.open
    cdef const uint8_t* fits
    cdef uint64_t places
    for d in range(MAX_DICE):
        face = die(s, d)
        menu.face[d] = NO_FACE if face == before else face
        before = face
    while open:
        i = lowest(open)
        open &= open - 1
        fits, places = fits_of(g, s, i), 0
        for d in range(MAX_DICE):
            places |= <uint64_t>fits[menu.face[d]] << (8 * d)
        menu.places[i] = places
        total += popcount(places)
    menu.n_places, menu.n_clears = total, 0
    if g.clears:
        find_clears(g, s, menu)
    menu.can_stop = not g.must_place or total == 0
    menu.total = total + menu.n_clears + menu.can_stop


cdef void find_clears(const FuseRules* g, const State* s, Menu* menu) noexcept nogil:
    """Bombs that can't be finished any more."""
    cdef int i
    for i in range(HELD):
        if s.bomb[i] != NO_BOMB and not g.bombs[s.bomb[i]].completable[class_at(g, s, i)]:
            menu.clears[menu.n_clears] = i
            menu.n_clears += 1


cdef move_t choose(const FuseRules* g, const State* s, const Menu* menu, int k) noexcept nogil:
    cdef int i, n
    cdef uint32_t open = s.open
    cdef uint64_t places
    if k < menu.n_places:
        while True:
            i = lowest(open)
            open &= open - 1
            places = menu.places[i]
            n = popcount(places)
            if k < n:
                break
            k -= n
        return placement(s, menu, i, select(places, k))
    k -= menu.n_places
    if k < menu.n_clears:
        return code(CLEAR, s.bomb[menu.clears[k]])
    return code(STOP)


cdef int n_moves(const void* rules, const void* state) noexcept nogil:
    cdef const FuseRules* g = <const FuseRules*>rules
    cdef const State* s = <const State*>state
    cdef Menu menu
    cdef int i, n = 0
    if s.phase == ASSIGN:
        look_up(g, s, &menu)
        return menu.total
    if s.phase == PICK:
        return popcount(takeable(g, s))
    if s.phase == THROW:
        return popcount(colors_left(s))
    for i in range(s.seat << g.shift, (s.seat << g.shift) + s.n_held[s.seat]):
        n += popcount(droppable(g, s, i, s.match))
    return n


cdef move_t nth_other(const FuseRules* g, const State* s, int k) noexcept nogil:
    """The k-th move outside of ASSIGN."""
    cdef uint64_t mask = 0
    cdef int i = s.seat << g.shift
    if s.phase == PICK:
        mask = takeable(g, s)
    elif s.phase == THROW:
        mask = colors_left(s)
    else:
        while True:
            mask = droppable(g, s, i, s.match)
            if k < popcount(mask):
                break
            k -= popcount(mask)
            i += 1
    k = select(mask, k)
    if s.phase == PICK:
        return code(TAKE, k)
    if s.phase == THROW:
        return code(CHOOSE, k)
    return code(DROP, s.bomb[i], k)


cdef move_t nth_move(const void* rules, const void* state, int k) noexcept nogil:
    cdef const FuseRules* g = <const FuseRules*>rules
    cdef const State* s = <const State*>state
    cdef Menu menu
    if s.phase != ASSIGN:
        return nth_other(g, s, k)
    look_up(g, s, &menu)
    return choose(g, s, &menu, k)


cdef move_t random_policy(const void* rules, const void* state, Stream* draw) noexcept nogil:
    """Random play: the same as a uniform `nth_move`, looking the placements up only once."""
    cdef const FuseRules* g = <const FuseRules*>rules
    cdef const State* s = <const State*>state
    cdef Menu menu
    if s.phase != ASSIGN:
        return nth_other(g, s, below(draw, n_moves(rules, state)))
    look_up(g, s, &menu)
    return choose(g, s, &menu, below(draw, menu.total))


cdef void redeal(const void* rules, void* state, int viewer, Stream* draw) noexcept nogil:
    """Nothing is hidden: the order of the bomb deck is not stored."""


# Dice and bombs ---------------------------------------------------------------------------------

cdef inline void end(State* s, int ending) noexcept nogil:
    s.phase, s.ending = FINISHED, ending


cdef void give_back(const FuseRules* g, State* s, int i) noexcept nogil:
    """All dice of a bomb in hand go into the bag."""
    cdef int left = g.filled[s.row[i]], slot
    while left:
        slot = lowest(left)
        left &= left - 1
        s.bag += one_die(s.face[i][slot] // NUMBERS)
        s.face[i][slot] = NO_DIE
    s.row[i], s.lying[i] = g.first[s.bomb[i]] + EMPTY, 0


cdef inline void hold(const FuseRules* g, State* s, int seat, int bomb) noexcept nogil:
    """A bomb comes into a hand; nothing lies on it."""
    cdef int i = (seat << g.shift) + s.n_held[seat]
    s.n_held[seat] += 1
    s.bomb[i], s.row[i] = bomb, g.first[bomb] + EMPTY


cdef void let_go(const FuseRules* g, State* s, int i) noexcept nogil:
    """A bomb on which nothing lies leaves a hand; the others close up."""
    cdef int seat = i >> g.shift, last
    s.n_held[seat] -= 1
    last = (seat << g.shift) + s.n_held[seat]
    while i < last:
        s.bomb[i], s.row[i], s.used[i] = s.bomb[i + 1], s.row[i + 1], s.used[i + 1]
        s.lying[i] = s.lying[i + 1]
        memcpy(&s.face[i][0], &s.face[i + 1][0], MAX_SLOTS)
        i += 1
    s.bomb[i], s.row[i], s.used[i], s.lying[i] = NO_BOMB, 0, 0, 0
    memset(&s.face[i][0], NO_DIE, MAX_SLOTS)


cdef void find_open(const FuseRules* g, State* s) noexcept nogil:
    """The places in hands that may take a die."""
    cdef int seat, i
    s.open = 0
    for seat in range(g.players):
        for i in range(seat << g.shift, (seat << g.shift) + s.n_held[seat]):
            s.open |= (s.taken[seat] < g.takes and not s.used[i]) << i


# The roll ---------------------------------------------------------------------------------------

cdef void begin_roll(const FuseRules* g, State* s) noexcept nogil:
    """Time and bag are looked at before dice are drawn."""
    if s.elapsed >= g.milliseconds:
        end(s, TIME_UP)
    elif s.bag == 0:
        end(s, BAG_EMPTY)
    elif g.n_lengths > 1:
        s.phase = CLOCK
    else:
        take_time(g, s, g.lengths[0])


cdef void take_time(const FuseRules* g, State* s, uint32_t length) noexcept nogil:
    """A roll counts if it ends in time."""
    if s.elapsed + length > g.milliseconds:
        end(s, TIME_UP)
        return
    s.elapsed += length
    s.roll += 1
    s.holder = s.holder + 1 if s.roll > 1 and s.holder + 1 < g.players else 0
    s.to_draw = min(<int>g.dice, n_in_bag(s))
    s.phase = ROLL


cdef inline void roll_die(const FuseRules* g, State* s, int face) noexcept nogil:
    s.bag -= one_die(face // NUMBERS)
    lay_down(s, face)
    s.to_draw -= 1
    if s.to_draw == 0:
        s.phase = ASSIGN
        find_open(g, s)


cdef void place(const FuseRules* g, State* s, int bomb, int slot, int face) noexcept nogil:
    cdef int i = place_of(s, bomb), cls = step(g, bomb, class_at(g, s, i), slot, face)
    cdef int seat = i >> g.shift
    pick_up(s, n_below(s, face))
    s.row[i] = g.first[bomb] + cls
    s.face[i][slot] = face
    s.lying[i] |= <uint32_t>1 << face
    s.taken[seat] += 1
    if s.taken[seat] == g.takes:
        s.open &= ~(((1u << g.per_hand) - 1) << (seat << g.shift))
    elif g.one_bomb_each:
        s.used[i] = True
        s.open &= ~(1u << i)
    if cls == FULL:
        defuse(g, s, i)
    else:
        go_on(g, s)


cdef void go_on(const FuseRules* g, State* s) noexcept nogil:
    """After a die has been placed and what follows from it."""
    cdef Menu menu
    s.phase = ASSIGN
    if no_dice(s):
        menu.n_clears = 0
        if g.clears:                 # the last die may have spoilt a bomb
            find_clears(g, s, &menu)
        if menu.n_clears == 0:
            unplaced(g, s)


cdef void defuse(const FuseRules* g, State* s, int i) noexcept nogil:
    cdef int seat = i >> g.shift, k, n = 0
    s.points += g.bombs[s.bomb[i]].points
    s.defused += 1
    give_back(g, s, i)
    let_go(g, s, i)
    find_open(g, s)
    if s.centre:
        s.seat, s.phase = seat, PICK
        return
    for k in range(g.players):       # only where the bombs in hand are to be defused, too
        n += s.n_held[k]
    if n:
        go_on(g, s)
    else:
        end(s, WON)


cdef void take_bomb(const FuseRules* g, State* s, int bomb) noexcept nogil:
    s.centre &= ~bit(bomb)
    hold(g, s, s.seat, bomb)
    s.seat = 0
    find_open(g, s)
    if s.centre == 0 and not g.hands_too:
        end(s, WON)
    else:
        refill(g, s)


cdef void refill(const FuseRules* g, State* s) noexcept nogil:
    """The centre is filled up as long as there are cards."""
    if popcount(s.centre) < IN_CENTRE and s.bombs_left + s.fuse_left:
        s.phase = REFILL
    else:
        go_on(g, s)


cdef void unplaced(const FuseRules* g, State* s) noexcept nogil:
    """The dice that are left are rolled again, one at a time; then the next roll."""
    cdef int colors
    memset(s.taken, 0, SEATS)
    memset(s.used, 0, HELD)
    s.open = 0
    if no_dice(s):
        begin_roll(g, s)
        return
    colors = colors_left(s)
    s.phase = THROW
    if colors & (colors - 1) == 0:
        throw(s, lowest(colors))


cdef inline void throw(State* s, int color) noexcept nogil:
    pick_up(s, n_below(s, NUMBERS * color))
    s.thrown, s.phase = color, REROLL


cdef inline void thrown_again(const FuseRules* g, State* s, int number) noexcept nogil:
    cdef int color = s.thrown
    s.bag += one_die(color)
    s.thrown = 0
    begin_removal(g, s, color_mask(color) | number_mask(number), THROW)


# Removal ----------------------------------------------------------------------------------------

cdef void remove_die(const FuseRules* g, State* s, int i, int slot) noexcept nogil:
    cdef int left
    s.bag += one_die(s.face[i][slot] // NUMBERS)
    s.row[i] = g.first[s.bomb[i]] + class_without(g, s, i, slot)
    s.face[i][slot] = NO_DIE
    s.lying[i] = 0
    for left in range(MAX_SLOTS):
        s.lying[i] |= <uint32_t>1 << (s.face[i][left] & 31) & <uint32_t>ALL_FACES


cdef void begin_removal(const FuseRules* g, State* s, uint32_t match, int then) noexcept nogil:
    s.match, s.then, s.phase, s.seat = match, then, REMOVE, 0
    remove(g, s)


cdef void remove(const FuseRules* g, State* s) noexcept nogil:
    """Every player from `seat` on, until one has a choice."""
    cdef uint32_t hits = 0, hand = (1u << g.per_hand) - 1, of_seat
    cdef int i, mask, n, last_i = 0, last_mask = 0
    for i in range(HELD):
        hits |= (s.lying[i] & s.match != 0) << i
    hits &= ~((1u << (s.seat << g.shift)) - 1)
    while hits:
        s.seat, n = lowest(hits) >> g.shift, 0
        of_seat = hits & hand << (s.seat << g.shift)
        hits &= ~of_seat
        while of_seat:
            i = lowest(of_seat)
            of_seat &= of_seat - 1
            mask = droppable(g, s, i, s.match)
            n += popcount(mask)
            if mask:
                last_i, last_mask = i, mask
            while g.remove_all and mask:
                remove_die(g, s, i, lowest(mask))
                mask &= mask - 1
        if n > 1 and not g.remove_all:
            return
        if n == 1 and not g.remove_all:
            remove_die(g, s, last_i, lowest(last_mask))
    s.match = s.seat = 0
    n, s.then = s.then, 0
    if n == REFILL:
        refill(g, s)
    else:
        unplaced(g, s)


# One step ---------------------------------------------------------------------------------------

cdef void deal(const FuseRules* g, State* s, int bomb) noexcept nogil:
    s.unseen &= ~bit(bomb)
    if s.phase == DEAL_HANDS:
        hold(g, s, s.dealt // g.per_hand, bomb)
        s.dealt += 1
        if s.dealt == g.per_hand * g.players:
            s.dealt, s.phase = 0, DEAL_CENTRE
    else:
        s.centre |= bit(bomb)
        s.bombs_left -= 1
        if g.by_value:
            s.value_left[s.value] -= 1
        if s.phase == REFILL:
            s.value = 0
            refill(g, s)
            return
        if popcount(s.centre) == IN_CENTRE:
            begin_roll(g, s)
    s.value = 0


cdef void apply(const void* rules, void* state, move_t move) noexcept nogil:
    cdef const FuseRules* g = <const FuseRules*>rules
    cdef State* s = <State*>state
    cdef int kind = move & 0xFF, a = move >> 8 & 0xFF, b = move >> 16 & 0xFF
    if kind == DIE:
        roll_die(g, s, a)
    elif kind == PLACE:
        place(g, s, a, b, move >> 24 & 0xFF)
    elif kind == NUMBER:
        thrown_again(g, s, a)
    elif kind == STOP:
        unplaced(g, s)
    elif kind == DROP:
        remove_die(g, s, place_of(s, a), b)
        s.seat += 1
        remove(g, s)
    elif kind == CHOOSE:
        throw(s, a)
    elif kind == BOMB:
        deal(g, s, a)
    elif kind == TAKE:
        take_bomb(g, s, a)
    elif kind == FUSE:
        s.fuse_unseen &= ~(1 << a)
        s.fuse_left -= 1
        begin_removal(g, s, fuse_mask(a), REFILL)
    elif kind == LENGTH:
        take_time(g, s, <uint32_t>(move >> 8))
    elif kind == VALUE:
        s.value = a
    else:
        give_back(g, s, place_of(s, a))
        go_on(g, s)


cdef int chance(const void* rules, void* state, Stream* draw) noexcept nogil:
    """Roll and deal, with the draws of `sample`, until somebody decides."""
    cdef const FuseRules* g = <const FuseRules*>rules
    cdef State* s = <State*>state
    while True:
        if s.phase == ROLL:
            roll_die(g, s, next_face(s, draw))
        elif s.phase == REROLL:
            thrown_again(g, s, below(draw, NUMBERS))
        elif turn(rules, state) == CHANCE:
            apply(rules, state, sample(rules, state, draw))
        else:
            return turn(rules, state)


cdef void clear_state(State* s) noexcept nogil:
    """No bomb in hand, no dice on the table."""
    memset(s, 0, sizeof(State))
    memset(s.bomb, NO_BOMB, HELD)
    memset(s.face, NO_DIE, HELD * MAX_SLOTS)
    s.dice = <uint64_t>0x1F1F1F1F1F1F1F1F


# The table ---------------------------------------------------------------------------------------

cdef class FuseTable(GameTable):
    """FUSE as a game table.

    Args:
        compiled: the rules; `owner` of the table.
    """

    def __init__(self, Rules compiled):
        self._compiled = compiled
        self.rules = &compiled.rules
        self.owner = compiled
        self.n_players = compiled.rules.players
        self.game.state_size = sizeof(State)
        self.game.turn = turn
        self.game.n_moves = n_moves
        self.game.nth_move = nth_move
        self.game.apply = apply
        self.game.outcomes = outcomes
        self.game.sample = sample
        self.game.chance = chance
        self.game.redeal = redeal
        self.game.payoff = payoff
        self.game.summary = summary
        self.game.policy = random_policy
        self.game.evaluate = evaluate
        self.game.key = key
        self.policies = {"random": <size_t>random_policy}
        self.fields = state_fields()

    def new_game(self):
        """The state before the first bomb is dealt."""
        cdef const FuseRules* g = &self._compiled.rules
        cdef State s
        cdef int k
        clear_state(&s)
        s.unseen, s.phase = g.pool, DEAL_HANDS
        s.fuse_unseen, s.fuse_left = (1 << FUSE_CARDS) - 1, g.fuse_cards
        s.bombs_left = g.deck_size
        for k in range(COLORS):
            s.bag += DICE_OF_COLOR * one_die(k)
        for k in range(VALUES):
            s.value_left[k] = g.chosen[k]
        return (<char*>&s)[:sizeof(State)]

    def pack(self, dict fields):
        """The state with these fields, named as in `unpack`; the classes and the bag follow.

        Raises:
            ValueError: too many of something, or dice that can't lie so.
        """
        cdef const FuseRules* g = &self._compiled.rules
        cdef State s
        cdef int k, i, seat, slot, cls
        clear_state(&s)
        if len(fields["dice"]) > MAX_DICE or len(fields["hands"]) != g.players:
            raise ValueError("too many dice, or not a hand for each player")
        for k in range(COLORS):
            s.bag += DICE_OF_COLOR * one_die(k)
        s.unseen, s.centre = fields["unseen"], fields["centre"]
        s.match, s.elapsed, s.roll = fields["match"], fields["elapsed"], fields["roll"]
        s.fuse_unseen, s.fuse_left = fields["fuse_unseen"], fields["fuse_left"]
        s.points, s.defused, s.bombs_left = (
            fields["points"], fields["defused"], fields["bombs_left"])
        for seat, hand in enumerate(fields["hands"]):
            if len(hand) > g.per_hand:
                raise ValueError("too many bombs in a hand")
            for bomb, faces, used in hand:
                i = (seat << g.shift) + s.n_held[seat]
                hold(g, &s, seat, bomb)
                s.used[i] = used
                cls = EMPTY
                for slot in range(g.bombs[s.bomb[i]].n_slots):
                    if faces[slot] is not None:
                        k = faces[slot]
                        cls = step(g, s.bomb[i], cls, slot, k)
                        if cls < 0:
                            raise ValueError("dice that can't lie so")
                        s.face[i][slot] = k
                        s.lying[i] |= <uint32_t>1 << k
                        s.bag -= one_die(k // NUMBERS)
                s.row[i] = g.first[s.bomb[i]] + cls
            s.taken[seat] = fields["taken"][seat]
        for i in sorted(fields["dice"]):
            lay_down(&s, i)
            s.bag -= one_die(i // NUMBERS)
        for k in range(VALUES):
            s.value_left[k] = fields["value_left"][k]
        s.to_draw, s.value, s.phase = fields["to_draw"], fields["value"], fields["phase"]
        s.then, s.seat, s.thrown = fields["then"], fields["seat"], fields["thrown"]
        s.holder = (s.roll - 1) % g.players if s.roll else 0
        s.ending, s.dealt = fields["ending"], fields.get("dealt", 0)
        if s.phase == REROLL:
            s.bag -= one_die(s.thrown)
        if ASSIGN <= s.phase <= PICK or s.phase == REFILL or s.then == REFILL:
            find_open(g, &s)
        return (<char*>&s)[:sizeof(State)]

    def unpack(self, bytes state):
        """The fields of a state: sets of bombs as masks, faces by slot, None where no die lies."""
        self._check_state(state)
        cdef const FuseRules* g = &self._compiled.rules
        cdef const State* s = <const State*><const char*>state
        cdef int k, i, seat
        hands = []
        for seat in range(g.players):
            hand = []
            for i in range(seat << g.shift, (seat << g.shift) + s.n_held[seat]):
                faces = tuple([None if s.face[i][k] == NO_DIE else s.face[i][k]
                               for k in range(g.bombs[s.bomb[i]].n_slots)])
                hand.append((s.bomb[i], faces, bool(s.used[i])))
            hands.append(hand)
        return {
            "unseen": s.unseen, "centre": s.centre, "match": s.match, "elapsed": s.elapsed,
            "roll": s.roll, "fuse_unseen": s.fuse_unseen, "fuse_left": s.fuse_left,
            "points": s.points, "defused": s.defused, "bombs_left": s.bombs_left,
            "hands": hands, "classes": [
                [class_at(g, s, i) for i in range(seat << g.shift, (seat << g.shift) + s.n_held[seat])]
                for seat in range(g.players)],
            "taken": [s.taken[seat] for seat in range(g.players)],
            "dice": [die(s, k) for k in range(n_dice(s))],
            "bag": [s.bag >> (8 * k) & 0xFF for k in range(COLORS)],
            "value_left": [s.value_left[k] for k in range(VALUES)],
            "to_draw": s.to_draw, "value": s.value, "phase": s.phase, "then": s.then,
            "seat": s.seat, "thrown": s.thrown, "ending": s.ending, "dealt": s.dealt,
        }
