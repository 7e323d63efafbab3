"""Forbidden Island: `rules`, a fast rule policy for whole games.

Each action goes to the aim with the highest worth for each action that it takes: capture a treasure, bring
cards together, shore up what is likely to sink, go home.  What a flooded tile is worth is what its loss
would cost times the chance that it sinks in this turn, which follows from the blocks of the flood pile.
"""
from libc.stdint cimport int32_t, uint32_t, uint64_t

from oddsmith.kernels.game cimport GameTable, move_t
from oddsmith.kernels.island cimport (
    ACTIONS, ANY_NUMBER, BEFORE_FLOOD, BETWEEN_DRAWS, CAPTURE, DISCARD, DIVER, DROP, ENGINEER,
    EXPLORER, FLY, GIVE, KINDS, LANDING, LIFT, MESSENGER, NAVIGATE, NAVIGATOR, NOBODY, PASS, PILOT,
    PLAY_LIFT, PLAY_SANDBAGS, RISE, SANDBAGS, SEATS, SHORE, SPACES, SWIM, SWIM_TO, TREASURES, WALK,
    WIN, IslandRules, State,
    around, beside, bit, cards_of, code, dive, lowest, n_cards, next_to, popcount, shores, specials,
    walks,
)
from oddsmith.kernels.island_moves cimport can_win, decider, navigations, swims
from oddsmith.kernels.rng cimport Stream

cdef enum:
    FAR = 50
    ALL_TREASURES = 0xF

cdef double[30] W = [
    0.6,    # 0 capture
    0.35,   # 1 give completes
    0.08,   # 2 give helps
    0.25,   # 3 meet completes
    0.04,   # 4 meet helps
    1.0,    # 5 critical tile
    0.5,    # 6 pair both flooded
    0.2,    # 7 one of pair flooded
    0.05,   # 8 plain
    0.2,    # 9 future risk
    0.6,    # 10 home
    0.10,   # 11 sandbags threshold
    0.05,   # 12 pawn on the tile
    0.02,   # 13 least worth
    0.5,    # 14 navigate factor
    0.03,   # 15 captured / plain next to landing
    0.15,   # 16 collector goes to holder
    0.5,    # 17 cost exponent-ish: late factor
    0.05, 0.2, 1.0, 1.0, 1.0, 0, 4, 0, 0, 0, 0, 0]


cdef struct View:            # what a decision looks at again and again
    uint32_t top             # blocks of the flood pile
    uint32_t second
    double sinks[4]          # chance that a flooded tile sinks this turn: top, second, discard, rest
    double worth[4]          # of shoring up a tile whose loss costs 1
    uint32_t critical        # flooded tiles whose loss is the game, or a pawn
    uint32_t last_pair       # of an uncaptured treasure, both tiles flooded
    uint32_t pair            # of an uncaptured treasure
    uint32_t near            # beside Fools' Landing
    uint32_t pawns
    uint32_t cornered        # pawns with no dry tile to go to
    int team_lifts           # in hands
    int holder               # of a Helicopter Lift, or NOBODY
    bint home                # all treasures captured


cdef inline double share(double w, int n) noexcept nogil:
    """The chance of being among the first w of n cards."""
    return 0.0 if w <= 0 or n == 0 else 1.0 if w >= n else w / n


cdef void look_at_cards(const IslandRules* g, const State* s, View* v) noexcept nogil:
    """How likely flooded tiles are to sink, from the blocks of the flood pile."""
    cdef int n_deck = n_cards(s.deck), draws = s.draws, n_top, n_second, k
    cdef int n_discard = popcount(s.discard)
    cdef double w, rise = 0.0
    v.top = s.pile[s.n_blocks - 1]
    v.second = s.pile[s.n_blocks - 2] if s.n_blocks > 1 else 0
    n_top, n_second = popcount(v.top), popcount(v.second)
    w = s.floods
    if s.phase == ACTIONS:
        draws = 2
    if s.floods == 0:
        w = g.meter[s.mark]
        rise = min(1.0, <double>(draws * cards_of(s.deck, RISE)) / max(1, n_deck))
    v.sinks[0] = (1 - rise) * share(w, n_top)
    v.sinks[1] = (1 - rise) * share(w - n_top, n_second)
    v.sinks[2] = v.sinks[3] = 0.0
    v.worth[0] = W[9] * share(w + W[20] * w, n_top)
    v.worth[1] = W[9] * share(w + W[20] * w - n_top, n_second)
    v.worth[2] = W[9] * min(1.0, W[21] * rise)
    v.worth[3] = 0.0
    if rise > 0:
        w = g.meter[min(s.mark + 1, g.n_marks - 1)]
        v.sinks[2] = rise * share(w, n_discard)
        v.sinks[0] += rise * share(w - n_discard, n_top)
        v.sinks[1] += rise * share(w - n_discard - n_top, n_second)
    for k in range(4):
        v.worth[k] += v.sinks[k] + W[18]


cdef inline int place_of(const State* s, const View* v, uint32_t tile) noexcept nogil:
    return 0 if tile & v.top else 2 if tile & s.discard else 1 if tile & v.second else 3


cdef void look(const IslandRules* g, const State* s, View* v) noexcept nogil:
    cdef int treasure, seat
    cdef uint32_t left, here, out
    look_at_cards(g, s, v)
    v.critical = s.tiles_of[LANDING]
    v.last_pair = v.pair = v.pawns = v.cornered = 0
    v.near = beside(g, v.critical)
    for treasure in range(TREASURES):
        if s.captured >> treasure & 1:
            continue
        left = s.tiles_of[treasure] & s.in_play
        if left & (left - 1) == 0:
            v.critical |= left
        elif left & ~s.flooded == 0:
            v.last_pair |= left
        else:
            v.pair |= left
    v.team_lifts, v.holder = 0, NOBODY
    for seat in range(g.players):
        here = bit(s.pawn[seat])
        v.pawns |= here
        if here & s.flooded and s.role[seat] != PILOT and s.role[seat] != DIVER:
            out = next_to(g, s.role[seat], s.pawn[seat]) & s.in_play
            if out == 0:
                v.critical |= here
            elif out & ~s.flooded == 0:
                v.cornered |= here
        if cards_of(s.hand[seat], LIFT):
            v.team_lifts += cards_of(s.hand[seat], LIFT)
            v.holder = seat
    v.home = s.captured == ALL_TREASURES


cdef inline double cost_of_loss(const View* v, uint32_t tile) noexcept nogil:
    """What it costs if a flooded tile sinks; 1 is the game."""
    cdef double cost
    if tile & v.critical:
        return 1.0
    cost = W[6] if tile & v.last_pair else W[7] if tile & v.pair else W[8]
    if tile & v.near:
        cost += W[15]
    if tile & v.pawns:
        cost += W[12]
        if tile & v.cornered:
            cost += W[19]
    return cost


# Distances --------------------------------------------------------------------------------------

cdef inline uint32_t ring(const IslandRules* g, const State* s, int role,
                          uint32_t spaces) noexcept nogil:
    """The tiles one move action away from any of a set."""
    if role == DIVER:
        return dive(g, s.in_play, s.flooded, spaces)
    if role == EXPLORER:
        return around(g, spaces) & s.in_play
    return beside(g, spaces) & s.in_play


cdef inline bint may_fly(const IslandRules* g, const State* s, int seat) noexcept nogil:
    return (s.role[seat] == PILOT
            and (seat != s.to_move or g.flights == ANY_NUMBER or s.flights < g.flights))


cdef int distance(const IslandRules* g, const State* s, int seat, uint32_t target,
                  uint32_t* step) noexcept nogil:
    """Move actions from a seat to a set of tiles; `step`: the tiles of a first move there."""
    cdef uint32_t here = bit(s.pawn[seat]), reached = target & s.in_play, more
    cdef int n = 0
    step[0] = 0
    if reached == 0:
        return FAR
    if reached & here:
        return 0
    if may_fly(g, s, seat):
        step[0] = reached
        return 1
    while True:
        n += 1
        more = ring(g, s, s.role[seat], reached)
        if more & here:
            step[0] = ring(g, s, s.role[seat], here) & reached
            return n
        if more & ~reached == 0:
            return FAR
        reached |= more


cdef inline move_t move_to(const IslandRules* g, const State* s, uint32_t step) noexcept nogil:
    """The first move action towards an aim; dry tiles are liked better."""
    cdef uint32_t on_foot = step & walks(g, s, s.to_move)
    if on_foot:
        return code(WALK, lowest(on_foot & ~s.flooded if on_foot & ~s.flooded else on_foot))
    return code(FLY, lowest(step & ~s.flooded if step & ~s.flooded else step))


# Actions ----------------------------------------------------------------------------------------

cdef struct Choice:
    double worth             # for each action
    move_t move


cdef inline void consider(Choice* best, double worth, move_t move) noexcept nogil:
    if worth > best.worth:
        best.worth, best.move = worth, move


cdef inline bint wants(const IslandRules* g, const State* s, int treasure) noexcept nogil:
    return not s.captured >> treasure & 1


cdef inline bint complete(const IslandRules* g, const State* s, int seat, int treasure) noexcept nogil:
    return (wants(g, s, treasure) and cards_of(s.hand[seat], treasure) >= g.cards_to_capture)


cdef void look_at_treasures(const IslandRules* g, const State* s, const View* v,
                            Choice* best) noexcept nogil:
    """Capture, give, and go where either can be done."""
    cdef int me = s.to_move, treasure, mine, theirs, other, d, missing
    cdef uint32_t step
    cdef double worth
    for treasure in range(TREASURES):
        if not wants(g, s, treasure):
            continue
        mine = cards_of(s.hand[me], treasure)
        if mine >= g.cards_to_capture:
            d = distance(g, s, me, s.tiles_of[treasure], &step)
            if d == 0:
                consider(best, 10.0, code(CAPTURE, treasure))
            elif d < FAR:
                consider(best, W[0] / (d + 1), move_to(g, s, step))
            continue
        for other in range(g.players):
            if other == me:
                continue
            theirs = cards_of(s.hand[other], treasure)
            if theirs >= g.cards_to_capture:
                continue
            if mine and (theirs > mine or (theirs == mine and (
                    s.role[me] == MESSENGER or (other < me and s.role[other] != MESSENGER)))):
                missing = g.cards_to_capture - theirs
                worth = W[1] if mine >= missing else W[2] * (theirs + mine)
                missing = min(missing, mine)
                if s.pawn[other] == s.pawn[me] or s.role[me] == MESSENGER:
                    if n_cards(s.hand[other]) < g.hand_limit or (
                            mine + theirs >= g.cards_to_capture):
                        consider(best, worth, code(GIVE, other, treasure))
                else:
                    d = distance(g, s, me, bit(s.pawn[other]), &step)
                    if d < FAR:
                        worth = (W[3] if mine + theirs >= g.cards_to_capture
                                 else W[4] * (theirs + mine))
                        consider(best, worth / (d + missing), move_to(g, s, step))
            elif theirs and mine + theirs >= g.cards_to_capture and (
                    s.role[other] != MESSENGER) and s.pawn[other] != s.pawn[me]:
                d = distance(g, s, me, bit(s.pawn[other]), &step)
                if d < FAR:
                    consider(best, W[16] / d, move_to(g, s, step))


cdef void look_at_shores(const IslandRules* g, const State* s, const View* v,
                         Choice* best) noexcept nogil:
    """Shore up, or go where it can be done."""
    cdef int me = s.to_move, role = s.role[me], n, first = NOBODY, second = NOBODY
    cdef uint32_t left = s.flooded, tile, near, reach, here = shores(g, s, me)
    cdef uint32_t rings[8]
    cdef double worth, one = 0.0, two = 0.0
    rings[0] = bit(s.pawn[me])
    for n in range(1, s.actions):
        if n == 1 and may_fly(g, s, me):
            rings[n] = s.in_play
        else:
            rings[n] = rings[n - 1] | ring(g, s, role, rings[n - 1])
    while left:
        tile = left & -left
        left &= left - 1
        worth = cost_of_loss(v, tile) * v.worth[place_of(s, v, tile)]
        if tile & here:
            if worth > one:
                two, second = one, first
                one, first = worth, lowest(tile)
            elif worth > two:
                two, second = worth, lowest(tile)
            continue
        near = next_to(g, role, lowest(tile)) | tile
        for n in range(1, s.actions):
            if rings[n] & near:
                if worth / (n + 1) > best.worth:
                    distance(g, s, me, near, &reach)
                    consider(best, worth / (n + 1), move_to(g, s, reach))
                break
    if first != NOBODY:
        if role != ENGINEER:
            second = NOBODY
        else:
            one += two
        if second != NOBODY and second < first:
            first, second = second, first
        consider(best, one, code(SHORE, first, second))


cdef void go_home(const IslandRules* g, const State* s, const View* v,
                  Choice* best) noexcept nogil:
    cdef uint32_t step
    cdef int d = distance(g, s, s.to_move, s.tiles_of[LANDING], &step)
    if 0 < d < FAR:
        consider(best, W[10] / d, move_to(g, s, step))


cdef void navigate(const IslandRules* g, const State* s, const View* v,
                   Choice* best) noexcept nogil:
    """Send others to where they can capture, or home."""
    cdef int other, treasure, d
    cdef uint32_t to, step, aim
    for other in range(g.players):
        if other == s.to_move:
            continue
        aim = 0
        if v.home:
            aim = s.tiles_of[LANDING]
        else:
            for treasure in range(TREASURES):
                if complete(g, s, other, treasure):
                    aim |= s.tiles_of[treasure] & s.in_play
        if aim == 0:
            continue
        d = distance(g, s, other, aim, &step)
        if d == 0:
            continue
        to = navigations(g, s, other)
        if to & aim:
            consider(best, W[14], code(NAVIGATE, other, lowest(to & aim), NOBODY, NOBODY))
        elif d < FAR:
            # Two rings closer, if any tile there is within reach.
            if to & step:
                consider(best, W[14] / 2, code(NAVIGATE, other, lowest(to & step), NOBODY, NOBODY))


cdef move_t lift_now(const IslandRules* g, const State* s, const View* v) noexcept nogil:
    """A Helicopter Lift that saves walking: home with one to spare, or to a treasure."""
    cdef int seat, treasure, d, most = 1, who = NOBODY, me
    cdef uint32_t step, aim = 0, seats = 0
    if v.holder == NOBODY:
        return 0
    if v.home:
        if v.team_lifts < 2:
            return 0
        for seat in range(g.players):
            d = distance(g, s, seat, s.tiles_of[LANDING], &step)
            if d > most:
                most, who = d, seat
        if who == NOBODY:
            return 0
        for seat in range(g.players):
            if s.pawn[seat] == s.pawn[who]:
                seats |= bit(seat)
        return code(PLAY_LIFT, v.holder, seats, lowest(s.tiles_of[LANDING]))
    for treasure in range(TREASURES):
        for seat in range(g.players):
            if complete(g, s, seat, treasure):
                d = distance(g, s, seat, s.tiles_of[treasure], &step)
                if d > most:
                    most, who, aim = d, seat, s.tiles_of[treasure] & s.in_play
    if who == NOBODY and s.phase == ACTIONS:
        me = s.to_move
        for treasure in range(TREASURES):
            d = cards_of(s.hand[me], treasure)
            if s.captured >> treasure & 1 or d == 0 or d >= g.cards_to_capture or s.role[me] == MESSENGER:
                continue
            for seat in range(g.players):
                if seat != me and cards_of(s.hand[seat], treasure) < g.cards_to_capture and d + cards_of(s.hand[seat], treasure) >= g.cards_to_capture and g.cards_to_capture - cards_of(s.hand[seat], treasure) <= s.actions:
                    if distance(g, s, me, bit(s.pawn[seat]), &step) > 1:
                        return code(PLAY_LIFT, v.holder, bit(me), s.pawn[seat])
    if who == NOBODY or aim == 0:
        return 0
    return code(PLAY_LIFT, v.holder, bit(who), lowest(aim))


cdef move_t choose_action(const IslandRules* g, const State* s) noexcept nogil:
    cdef View v
    cdef Choice best
    cdef move_t move
    look(g, s, &v)
    move = lift_now(g, s, &v)
    if move:
        return move
    best.worth, best.move = W[13], code(PASS)
    if s.actions:
        if v.home:
            go_home(g, s, &v, &best)
        else:
            look_at_treasures(g, s, &v, &best)
        if s.role[s.to_move] == NAVIGATOR:
            navigate(g, s, &v, &best)
        if s.flooded:
            look_at_shores(g, s, &v, &best)
    return best.move


# Windows and forced decisions -------------------------------------------------------------------

cdef move_t choose_sandbags(const IslandRules* g, const State* s, const View* v, int holder,
                            double least) noexcept nogil:
    cdef uint32_t left = s.flooded, tile
    cdef double worth
    cdef int space = NOBODY
    while left:
        tile = left & -left
        left &= left - 1
        worth = cost_of_loss(v, tile) * v.sinks[place_of(s, v, tile)]
        if worth > least:
            least, space = worth, lowest(tile)
    return code(PLAY_SANDBAGS, holder, space) if space != NOBODY else 0


cdef move_t choose_in_window(const IslandRules* g, const State* s) noexcept nogil:
    cdef View v
    cdef int seat
    cdef move_t move
    if s.phase != BEFORE_FLOOD:
        return code(PASS)
    for seat in range(g.players):
        if cards_of(s.hand[seat], SANDBAGS):
            look(g, s, &v)
            move = choose_sandbags(g, s, &v, seat, W[11])
            return move if move else code(PASS)
    return code(PASS)


cdef move_t choose_drop(const IslandRules* g, const State* s, int seat) noexcept nogil:
    """A useless card, else the one missed least; a special card is rather played."""
    cdef View v
    cdef int kind, n, other, best_kind = 0
    cdef double keep, least = 1e9
    cdef move_t move
    look(g, s, &v)
    for kind in range(KINDS - 1):
        n = cards_of(s.hand[seat], kind)
        if n == 0:
            continue
        if kind == SANDBAGS:
            keep = 0.9
        elif kind == LIFT:
            keep = 0.6 if v.team_lifts > 1 else 5.0
        elif s.captured >> kind & 1:
            keep = 0.0
        elif n > g.cards_to_capture:
            keep = 0.1
        else:
            keep = n + 0.3 * cards_of(s.used, kind)
            for other in range(g.players):
                if other != seat and cards_of(s.hand[other], kind) > n:
                    keep += 0.1
        if keep < least:
            least, best_kind = keep, kind
    if best_kind == SANDBAGS:
        move = choose_sandbags(g, s, &v, seat, 0.0)
        if move:
            return move
    if best_kind == LIFT:
        v.holder = seat
        move = lift_now(g, s, &v)
        if move:
            return move
    return code(DROP, seat, best_kind)


cdef move_t choose_swim(const IslandRules* g, const State* s) noexcept nogil:
    """To the tile nearest to the seat's aim; a Helicopter Lift for a stranded pawn."""
    cdef int seat = lowest(s.swimmers), space, treasure, other
    cdef uint32_t to = swims(g, s, seat), aim = 0, reached
    if to == 0:
        for other in range(g.players):
            if cards_of(s.hand[other], LIFT):
                return code(PLAY_LIFT, other, bit(seat), lowest(s.tiles_of[LANDING]))
        return code(PASS)
    for treasure in range(TREASURES):
        if complete(g, s, seat, treasure):
            aim |= s.tiles_of[treasure] & s.in_play
    if aim == 0:
        aim = s.tiles_of[LANDING] & s.in_play
    reached = aim
    while reached & to == 0:
        aim = reached | ring(g, s, s.role[seat], reached)
        if aim == reached:
            reached = to
        else:
            reached = aim
    to &= reached
    space = lowest(to & ~s.flooded if to & ~s.flooded else to)
    return code(SWIM_TO, seat, space)


cdef move_t team_plan(const void* rules, const void* state, Stream* draw) noexcept nogil:
    cdef const IslandRules* g = <const IslandRules*>rules
    cdef const State* s = <const State*>state
    cdef int seat
    if s.captured == ALL_TREASURES and can_win(g, s):
        for seat in range(g.players):
            if cards_of(s.hand[seat], LIFT) and (s.phase != DISCARD or seat == decider(g, s)):
                return code(WIN, seat)
    if s.phase == ACTIONS:
        return choose_action(g, s)
    if s.phase == DISCARD:
        return choose_drop(g, s, decider(g, s))
    if s.phase == SWIM:
        return choose_swim(g, s)
    return choose_in_window(g, s)


cdef class TeamPlan:
    """Adds the policy `rules` to a table of Forbidden Island, also as its default for playouts."""

    def __init__(self, GameTable table):
        table.policies["rules"] = <size_t>team_plan
        table.game.policy = team_plan


def tune(values):
    for k in range(len(values)):
        W[k] = values[k]


def tastes():
    return [W[k] for k in range(30)]
