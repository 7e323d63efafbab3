"""FUSE: a first assignment of a roll, fast, and playouts that begin with chosen moves.

Progress is counted in expected offers (exact hardness of what is left on each bomb) spared by the dice
placed, less about what every unplaced die costs: as if it were thrown alone, onto the bombs as they lie
before the dice are placed.  The best is found by dynamic programming over the players: for each set of
dice the most that the players so far spare with exactly these.  solver/games/fuse/assignments.py
counts exactly what the unplaced dice cost, and lists all assignments.
"""
from libc.math cimport INFINITY
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

from oddsmith.kernels.fuse cimport (
    ASSIGN, CHOOSE, COLORS, FITS, FULL, MAX_DICE, NUMBERS, PICK, PLACE, THROW, WON,
    Bomb, FuseRules, State,
    class_at, code, die, lowest, n_dice, popcount, step,
)
from oddsmith.kernels.fuse_game cimport FuseTable
from oddsmith.kernels.fuse_policies cimport unplaced_costs
from oddsmith.kernels.game cimport OVER, let_chance, move_t
from oddsmith.kernels.rng cimport Stream, open_stream

cdef enum:
    SUBSETS = 1 << MAX_DICE
    MAX_CHOSEN = 16


cdef struct Best:
    double gain
    move_t move


# The most offers that a seat saves by placing exactly the dice of `dice`, one after the other.
cdef double place_all(const FuseRules* g, const State* s, int seat, int dice, int* cls,
                      int used, move_t* first) noexcept nogil:
    cdef double best = -INFINITY, gain
    cdef int d, i, slot, mask, then, old, left = dice, face
    cdef move_t ignored
    cdef const Bomb* b
    if dice == 0:
        return 0.0
    while left:
        d = lowest(left)
        left &= left - 1
        face = die(s, d)
        for i in range(s.n_held[seat]):
            if cls[i] == FULL or used >> i & 1:
                continue
            b = &g.bombs[s.bomb[(seat << g.shift) + i]]
            mask = g.fits[(g.first[s.bomb[(seat << g.shift) + i]] + cls[i]) * FITS + face]
            while mask:
                slot = lowest(mask)
                mask &= mask - 1
                then = step(g, s.bomb[(seat << g.shift) + i], cls[i], slot, face)
                if b.offers[then] == INFINITY or b.offers[cls[i]] == INFINITY:
                    continue
                old = cls[i]
                cls[i] = then
                gain = b.offers[old] - b.offers[then] + place_all(
                    g, s, seat, dice & ~(1 << d), cls,
                    used | 1 << i if g.one_bomb_each else used, &ignored)
                cls[i] = old
                if gain > best:
                    best = gain
                    first[0] = code(PLACE, s.bomb[(seat << g.shift) + i], slot, face)
    return best


# The assignment of the dice on the table that leaves least to do; its first move, 0 (STOP) for none.
cdef Best plan(const FuseRules* g, const State* s) noexcept nogil:
    cdef double[COLORS] cost
    cdef double[SUBSETS] most, then
    cdef move_t[SUBSETS] start, then_start
    cdef double[SUBSETS] gain
    cdef move_t[SUBSETS] first
    cdef int[4] cls
    cdef int seat, i, dice, sub, n_rolled = n_dice(s), n = 1 << n_rolled, takes, used, d
    cdef double total
    cdef Best best
    unplaced_costs(g, s, cost)
    for dice in range(n):
        most[dice], start[dice] = -INFINITY, 0
    most[0] = 0
    for seat in range(g.players):
        takes = g.takes - s.taken[seat]
        if takes <= 0 or s.n_held[seat] == 0:
            continue
        used = 0
        for i in range(s.n_held[seat]):
            cls[i] = class_at(g, s, (seat << g.shift) + i)
            used |= s.used[(seat << g.shift) + i] << i
        for sub in range(1, n):
            gain[sub], first[sub] = -INFINITY, 0
            if popcount(sub) <= takes:
                gain[sub] = place_all(g, s, seat, sub, cls, used, &first[sub])
        for dice in range(n):
            then[dice], then_start[dice] = most[dice], start[dice]
            sub = dice
            while sub:
                if gain[sub] > -INFINITY and most[dice & ~sub] + gain[sub] > then[dice]:
                    then[dice] = most[dice & ~sub] + gain[sub]
                    then_start[dice] = start[dice & ~sub] if start[dice & ~sub] else first[sub]
                sub = (sub - 1) & dice
        memcpy(most, then, n * sizeof(double))
        memcpy(start, then_start, n * sizeof(move_t))
    best.gain, best.move = -INFINITY, 0
    for dice in range(n):
        total = most[dice]
        for d in range(n_rolled):
            if not dice >> d & 1:
                total -= cost[die(s, d) // NUMBERS]
        # More dice placed are liked better where it is all the same.
        if total > best.gain or (total == best.gain and start[dice] and not best.move):
            best.gain, best.move = total, start[dice]
    return best


# For Python -------------------------------------------------------------------------------------

def progress(FuseTable table, bytes state):
    """Most offers spared by an assignment of the dice on the table, and its first move (0: stop).

    Raises:
        ValueError: no dice are to be assigned.
    """
    cdef Best best
    table._check_state(state)
    cdef const State* s = <const State*><const char*>state
    if s.phase != ASSIGN:
        raise ValueError("no dice are to be assigned")
    with nogil:
        best = plan(&table._compiled.rules, s)
    return best.gain, best.move


def unplaced(FuseTable table, bytes state):
    """Of each colour: about how many offers an unplaced die of it costs the team; as `progress` counts."""
    cdef double[COLORS] cost
    table._check_state(state)
    unplaced_costs(&table._compiled.rules, <const State*><const char*>state, cost)
    return [cost[k] for k in range(COLORS)]


cdef bint is_legal(FuseTable table, const State* s, move_t move) noexcept nogil:
    """Whether a chosen move can be made now: cards drawn in between may have changed that."""
    cdef int k
    for k in range(table.game.n_moves(table.rules, s)):
        if table.game.nth_move(table.rules, s, k) == move:
            return True
    return False


cdef bint play(FuseTable table, State* s, const move_t* chosen, int n, uint64_t seed, uint64_t trial
               ) noexcept nogil:
    """Chosen moves of one roll, then the policy."""
    cdef const void* rules = table.rules
    cdef Stream chance = open_stream(seed, trial, 0), thinking = open_stream(seed, trial, 1)
    cdef int at = 0, roll = s.roll
    while let_chance(&table.game, rules, s, &chance) != OVER:
        if s.roll != roll:
            at = n
        if at < n and is_legal(table, s, chosen[at]):
            table.game.apply(rules, s, chosen[at])
            at += 1
        elif at < n and (s.phase == THROW or (s.phase == ASSIGN and (chosen[at] & 0xFF) != CHOOSE)):
            at += 1
        else:
            table.game.apply(rules, s, table.game.policy(rules, s, &thinking))
    return s.ending == WON


cdef bint play_pick(FuseTable table, State* s, int picker, move_t take, uint64_t seed, uint64_t trial
                    ) noexcept nogil:
    """The policy, but a seat takes a chosen bomb as soon as it takes one, if it lies there then."""
    cdef const void* rules = table.rules
    cdef Stream chance = open_stream(seed, trial, 0), thinking = open_stream(seed, trial, 1)
    cdef move_t move
    cdef int seat
    seat = let_chance(&table.game, rules, s, &chance)
    while seat != OVER:
        move = table.game.policy(rules, s, &thinking)
        if s.phase == PICK and seat == picker:
            picker = -1
            if is_legal(table, s, take):
                move = take
        table.game.apply(rules, s, move)
        seat = let_chance(&table.game, rules, s, &chance)
    return s.ending == WON


def playouts(FuseTable table, bytes state, moves, uint64_t seed, uint64_t first, uint8_t[::1] won):
    """Play games on, the chosen moves first, then by the table's default policy.

    Args:
        table: the rules.
        state: where they begin.
        moves: codes of moves of this roll, in order; one that can't be made is left out.
        seed, first: game i uses the same chance for all moves.
        won: uint8 (n,): 1 for each game that is won.
    """
    cdef move_t[MAX_CHOSEN] chosen
    cdef State s
    cdef int k, n = len(moves)
    cdef Py_ssize_t i
    cdef const char* start = state
    table._check_state(state)
    if n > MAX_CHOSEN:
        raise ValueError("too many moves")
    for k in range(n):
        chosen[k] = moves[k]
    with nogil:
        for i in range(won.shape[0]):
            memcpy(&s, start, sizeof(State))
            won[i] = play(table, &s, chosen, n, seed, first + i)


def pick_playouts(FuseTable table, bytes state, int seat, move_t take, uint64_t seed, uint64_t first,
                  uint8_t[::1] won):
    """Play games on by the table's default policy, but for the next bomb that a seat takes.

    Args:
        table, state, seed, first, won: as for `playouts`.
        seat: whose next bomb is chosen.
        take: the code of the move; the policy's own where the bomb has gone by then.
    """
    cdef State s
    cdef Py_ssize_t i
    cdef const char* start = state
    table._check_state(state)
    with nogil:
        for i in range(won.shape[0]):
            memcpy(&s, start, sizeof(State))
            won[i] = play_pick(table, &s, seat, take, seed, first + i)
