"""Reef: policies for whole games.

greedy: the play with most points now; if none scores, take the card whose best placement would
score most (the deck's top card counts like those on display, whatever it costs); with nothing to
take, the play.  Ties by what the rest of the hand could score: the sum of what each other card in hand
would score if it were played next, best placed; then by move order.
"""
from libc.stdint cimport uint32_t
from libc.string cimport memset

from oddsmith.kernels.game cimport GameTable, move_t
from oddsmith.kernels.reef cimport (
    PAIR, SAME, Board, Card, Move, Room, Rules, Walk,
    count, look_for_room, next_placement, play_move, spend, start_walk,
)
from oddsmith.kernels.reef_best cimport best_count
from oddsmith.kernels.reef_bounds cimport GainTables, Pieces, add_coral, highest_count
from oddsmith.kernels.reef_game cimport (
    DRAW, HAND, START, TAKE, GameRules, State, can_draw, can_take, code,
    nth_move, n_moves, nth_payment, play_code,
)
from oddsmith.kernels.rng cimport Stream, below

cdef enum:
    MOST_PIECES = 4          # coral of two cards, the most that a bound here looks ahead


cdef int could_score(const GameRules* g, const Card* c, const Board* b, const Room* room,
                     uint32_t supply, int above) noexcept nogil:
    """Points of a card played next with its best placement; -1 where it can't be played.

    If they are not more than `above`, any number up to there.
    """
    cdef int floor = above // c.points if above >= 0 else -1
    cdef int found = best_count(g.scoring, g.gains, c, b, room, supply, floor)
    return found * c.points if found >= 0 else -1


cdef struct Rest:            # the hand without the card that is played
    int n
    const Card* card[HAND]
    int most[HAND]           # no placement of the played card lets each score more than this
    int bound                # nor all of them together


cdef void look_at_rest(const GameRules* g, const State* s, int played, Rest* rest) noexcept nogil:
    cdef const Card* c
    cdef Pieces p
    cdef int k
    rest.n = rest.bound = 0
    for k in range(s.n_hand[s.to_move]):
        if s.hand[s.to_move][k] != played:
            c = &g.scoring.cards[s.hand[s.to_move][k]]
            memset(&p, 0, sizeof(Pieces))
            add_coral(&g.scoring.cards[played], &p)
            add_coral(c, &p)
            rest.card[rest.n] = c
            rest.most[rest.n] = c.points * highest_count(g.scoring, g.gains, c,
                                                         &s.board[s.to_move], &p)
            rest.bound += rest.most[rest.n]
            rest.n += 1


cdef int rest_could_score(const GameRules* g, const Rest* rest, const Board* after,
                          uint32_t supply, int least) noexcept nogil:
    """What the rest of the hand could score after a play; -1 as soon as it is not above `least`."""
    cdef Room room = look_for_room(g.scoring, after)
    cdef int k, total = rest.bound
    for k in range(rest.n):
        if total <= least:
            return -1
        total -= rest.most[k]
        total += max(could_score(g, rest.card[k], after, &room, supply, least - total), 0)
    return total if total > least else -1


cdef move_t best_play(const GameRules* g, const State* s, const int* points,
                      int most) noexcept nogil:
    """Of the plays that score `most`, the first that leaves most to the rest of the hand."""
    cdef int seat = s.to_move, k, card, found, best_rest = -1
    cdef const Card* c
    cdef Rest rest
    cdef Walk walk
    cdef Move move
    cdef Board after
    cdef move_t best = 0
    for k in range(s.n_hand[seat]):
        if points[k] != most:
            continue
        card = s.hand[seat][k]
        c = &g.scoring.cards[card]
        look_at_rest(g, s, card, &rest)
        if rest.bound <= best_rest:
            continue
        start_walk(g.scoring, c, &s.board[seat], s.supply, &walk)
        while next_placement(&walk, &move):
            after = s.board[seat]
            play_move(&after, &move)
            if c.points * count(g.scoring, c, &after) != most:
                continue
            found = rest_could_score(g, &rest, &after, spend(s.supply, &move), best_rest)
            if found > best_rest:
                best, best_rest = play_code(card, &move), found
                if found >= rest.bound:
                    break
    return best


cdef move_t best_take(const GameRules* g, const State* s, const Room* room) noexcept nogil:
    """The first display card, else the top card, that would score most; 0 if none can be taken.

    The rest of the hand is the same whichever card is taken, so ties are broken by order alone.
    """
    cdef int k, points, most = -2
    cdef move_t best = 0
    cdef const Board* b = &s.board[s.to_move]
    if not can_take(g, s):
        return 0
    for k in range(s.n_display):
        points = could_score(g, &g.scoring.cards[s.display[k]], b, room, s.supply, most)
        if points > most:
            best, most = code(TAKE, k, 0), points
    if can_draw(g, s):
        points = could_score(g, &g.scoring.cards[s.top], b, room, s.supply, most)
        if points > most:
            best = code(DRAW, nth_payment(g, s, 0), 0)
    return best


cdef move_t greedy(const void* rules, const void* state, Stream* draw) noexcept nogil:
    cdef const GameRules* g = <const GameRules*>rules
    cdef const State* s = <const State*>state
    cdef int points[HAND]
    cdef int k, seat = s.to_move, most = -1
    cdef Room room
    cdef move_t take
    if s.phase == START:
        # No card can be judged before there is a board: any arrangement, by chance.
        return nth_move(rules, state, below(draw, n_moves(rules, state)))
    room = look_for_room(g.scoring, &s.board[seat])
    for k in range(s.n_hand[seat]):
        points[k] = could_score(g, &g.scoring.cards[s.hand[seat][k]], &s.board[seat], &room,
                                s.supply, most - 1)
        most = max(most, points[k])
    if most > 0:
        return best_play(g, s, points, most)
    take = best_take(g, s, &room)
    if take or most < 0:
        return take            # code 0 is the pass
    return best_play(g, s, points, most)


cdef class Greedy:
    """Adds the greedy policy, and the tables of its bounds, to a table of Reef."""

    cdef GainTables _tables

    def __init__(self, GameTable table, Rules scoring):
        cdef GameRules* g = <GameRules*>table.rules
        cdef int card
        self._tables = GainTables()
        for card in range(scoring.rules.n_cards):
            if scoring.rules.cards[card].kind in (SAME, PAIR):
                self._tables.prepare(&scoring.rules, scoring.rules.cards[card].shape, MOST_PIECES)
        g.gains = &self._tables.gains
        table.policies["greedy"] = <size_t>greedy
        table.game.policy = greedy
