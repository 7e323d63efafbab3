"""Forbidden Island: what the seat to move can reach by actions and Helicopter Lifts.

As far as it matters for what can be lost: tiles, pawns, treasures (`island_flood` weighs it).
"""
from libc.stdint cimport uint64_t

from oddsmith.kernels.game cimport move_t
from oddsmith.kernels.island cimport (
    ANY_NUMBER, CAPTURE, FLY, LANDING, LIFT, NAVIGATE, NOBODY, PLAY_LIFT, SHORE, TREASURES, WALK,
    IslandRules, State, bit, cards_of, lowest, one_card,
)
from oddsmith.kernels.island_game cimport IslandTable
from oddsmith.kernels.island_moves cimport Menu, can_win, choose, look_up


cdef tuple key_of(const State* s, int n_seats, int lifts):
    cdef uint64_t pawns = 0
    cdef int seat
    for seat in range(n_seats):
        pawns |= <uint64_t>s.pawn[seat] << (8 * seat)
    return (s.flooded, pawns, s.captured, s.actions, s.flights, lifts)


def reachable(IslandTable table, bytes start, int most):
    """States that the seat to move can reach by actions and Helicopter Lifts that take it along.

    Args:
        table: the game.
        start: a state of the phase of actions.
        most: stop at so many states.

    Returns:
        ({(flooded, pawns, captured, actions, flights, lifts): moves that lead there}, the shortest way
        found first, `pawns` one byte a seat; the last key is where the game can be won with a Lift
        that is left, if `won`; won). None beyond `most` states.
    """
    cdef const IslandRules* g = <const IslandRules*>table.rules
    cdef State s, after
    cdef Menu menu
    cdef int k, kind, seat
    cdef move_t move
    cdef const State* given = <const State*><const char*>start
    table._check_state(start)
    lifts = sum([cards_of(given.hand[seat], LIFT) for seat in range(g.players)])
    found = {key_of(given, g.players, lifts): ()}
    if lifts and can_win(g, given):
        return found, True
    edge = [(start, lifts, ())]
    while edge:
        further = []
        for state, lifts, way in edge:
            s = (<const State*><const char*>state)[0]
            if lifts == 0:
                for seat in range(g.players):
                    s.hand[seat] &= ~(<uint64_t>0xFFFF00000000)
            look_up(g, &s, &menu)
            for k in range(menu.total):
                move = choose(g, &s, &menu, k)
                kind = move & 0xFF
                if kind == PLAY_LIFT:
                    # Holders are alike; other pawns can as well be lifted after the draw, unless
                    # the game can be won before it.
                    if not ((move >> 16 & 0xFF) >> s.to_move & 1
                            or (s.captured == (1 << TREASURES) - 1
                                and s.tiles_of[LANDING] == bit(move >> 24 & 0xFF))):
                        continue
                    if <int>(move >> 8 & 0xFF) != lowest(menu.lift_holders):
                        continue
                elif kind not in (WALK, FLY, SHORE, CAPTURE, NAVIGATE):
                    continue
                after = s
                lead(g, &after, move)
                key = key_of(&after, g.players, lifts - (kind == PLAY_LIFT))
                if key not in found:
                    if len(found) >= most:
                        return None
                    found[key] = (*way, move)
                    if key[5] and can_win(g, &after):
                        return found, True
                    further.append(((<char*>&after)[:sizeof(State)], key[5], found[key]))
        edge = further
    return found, False


cdef void lead(const IslandRules* g, State* s, move_t move) noexcept:
    """What a move changes, without going on to other phases."""
    cdef int kind = move & 0xFF, a = move >> 8 & 0xFF, b = move >> 16 & 0xFF
    cdef int c = move >> 24 & 0xFF, d = move >> 32 & 0xFF, seat
    if kind == PLAY_LIFT:
        s.hand[a] -= one_card(LIFT)
        for seat in range(g.players):
            if b >> seat & 1:
                s.pawn[seat] = c
        return
    s.actions -= 1
    if kind == WALK or kind == FLY:
        s.pawn[s.to_move] = a
        s.flights += kind == FLY and g.flights != ANY_NUMBER
    elif kind == SHORE:
        s.flooded &= ~bit(a)
        if b != NOBODY:
            s.flooded &= ~bit(b)
    elif kind == CAPTURE:
        s.captured |= 1 << a
        s.hand[s.to_move] -= g.cards_to_capture * one_card(a)
    else:
        s.pawn[a] = b
        if c != NOBODY:
            s.pawn[c] = d
