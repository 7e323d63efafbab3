"""Forbidden Island: `rules`, a fast rule policy for whole games.

Each action goes to the aim with the highest worth for each action that it takes: capture a treasure, bring
cards together, shore up what is likely to sink, go home.  What a flooded tile is worth is what its loss
would cost times the chance that it sinks in this turn, which follows from the blocks of the flood pile.
"""
from libc.stdint cimport uint32_t

from oddsmith.kernels.game cimport GameTable, move_t
from oddsmith.kernels.island cimport (
    ACTIONS, ANY_NUMBER, BEFORE_FLOOD, CAPTURE, DISCARD, DIVER, DROP, ENGINEER,
    EXPLORER, FLY, GIVE, KINDS, LANDING, LIFT, MESSENGER, NAVIGATE, NAVIGATOR, NOBODY, PASS, PILOT,
    PLAY_LIFT, PLAY_SANDBAGS, RISE, SANDBAGS, SHORE, SPACES, SWIM, SWIM_TO, TREASURES, WALK,
    WIN, IslandRules, State,
    around, beside, bit, cards_of, code, dive, lowest, n_cards, next_to, popcount, shores, walks,
)
from oddsmith.kernels.island_moves cimport can_win, decider, navigations, swims
from oddsmith.kernels.rng cimport Stream

cdef enum:
    FAR = 50
    ALL_TREASURES = 0xF

cdef double[SPACES + 1] INVERSE = [
    0.0, 1 / 1., 1 / 2., 1 / 3., 1 / 4., 1 / 5., 1 / 6., 1 / 7., 1 / 8., 1 / 9., 1 / 10., 1 / 11.,
    1 / 12., 1 / 13., 1 / 14., 1 / 15., 1 / 16., 1 / 17., 1 / 18., 1 / 19., 1 / 20., 1 / 21.,
    1 / 22., 1 / 23., 1 / 24.,
]

# What things are worth, in games; found by trying many values over 2, 3 and 4 players.
cdef double CRITICAL = 1.0           # loss of the game
cdef double CAPTURE_WORTH = 3.27     # with the cards in hand, on the way to its tile
cdef double COMPLETE = 1.79          # give the card that completes a set, or helps to at once
cdef double GIVE_ONE = 0.25          # give another card; times the cards then together
cdef double BRING_LAST = 0.673       # walk to where a set gets complete
cdef double BRING_ONE = 0.0371       # walk to where a set grows; times the cards together
cdef double LAST_PAIR = 0.506        # loss of a tile whose other tile is flooded too
cdef double PAIR = 0.233             # loss of one tile of an uncaptured treasure
cdef double PLAIN = 0.0697           # loss of any tile
cdef double SOON = 0.114             # share of what happens in the turn after this one
cdef double HOME = 1.85              # walk home when all treasures are captured
cdef double SANDBAGS_LEAST = 0.166   # Sandbags are played for at least this
cdef double PAWN = 0.042             # loss of a tile with a pawn on it
cdef double LEAST = 0.0014           # worth less than this is not done
cdef double SEND = 0.274             # send another to a treasure, or home
cdef double NEAR = 0.0483            # loss of a tile beside Fools' Landing
cdef double FETCH = 0.075            # walk to the owner of missing cards
cdef double ALWAYS = 0.0948          # chance given to every flooded tile
cdef double CORNERED = 0.0108        # loss of a tile whose pawn has only flooded tiles to go to
cdef double SOON_CARDS = 0.68        # turns that "soon" looks ahead
cdef double SOON_RISE = 5.93         # the same for cards of the discard, if Waters Rise! comes


cdef inline double share(double w, int n) noexcept nogil:
    """The chance of being among the first w of n cards."""
    return 0.0 if w <= 0 else min(1.0, w * INVERSE[n])


cdef void look_at_cards(const IslandRules* g, const State* s, View* v) noexcept nogil:
    """How likely flooded tiles are to sink, from the blocks of the flood pile."""
    cdef int n_deck = n_cards(s.deck), draws = s.draws, n_top, n_second
    cdef int n_discard = popcount(s.discard)
    cdef double w, rise = 0.0, top, second, discard = 0.0
    v.top = s.pile[s.n_blocks - 1]
    v.second = s.pile[s.n_blocks - 2] if s.n_blocks > 1 else 0
    n_top, n_second = popcount(v.top), popcount(v.second)
    w = s.floods
    if s.phase == ACTIONS:
        draws = 2
    if s.floods == 0:
        w = g.meter[s.mark]
        rise = min(1.0, <double>(draws * cards_of(s.deck, RISE)) / max(1, n_deck))
    top = (1 - rise) * share(w, n_top)
    second = (1 - rise) * share(w - n_top, n_second)
    v.worth[0] = SOON * share(w + SOON_CARDS * w, n_top) + ALWAYS
    v.worth[1] = SOON * share(w + SOON_CARDS * w - n_top, n_second) + ALWAYS
    v.worth[2] = SOON * min(1.0, SOON_RISE * rise) + ALWAYS
    v.worth[3] = ALWAYS
    if rise > 0:
        w = g.meter[min(s.mark + 1, g.n_marks - 1)]
        discard = rise * share(w, n_discard)
        top += rise * share(w - n_discard, n_top)
        second += rise * share(w - n_discard - n_top, n_second)
    v.worth[0] += top
    v.worth[1] += second
    v.worth[2] += discard
    v.most = max(max(v.worth[0], v.worth[1]), max(v.worth[2], v.worth[3]))
    v.sinks[0], v.sinks[1], v.sinks[2], v.sinks[3] = top, second, discard, 0.0


cdef inline void look_at_lifts(const IslandRules* g, const State* s, View* v) noexcept nogil:
    cdef int seat, n
    v.team_lifts, v.holder = 0, NOBODY
    for seat in range(g.players):
        n = cards_of(s.hand[seat], LIFT)
        if n:
            v.team_lifts += n
            v.holder = seat
    v.home = s.captured == ALL_TREASURES


cdef void look_at_dangers(const IslandRules* g, const State* s, View* v) noexcept nogil:
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
    for seat in range(g.players):
        here = bit(s.pawn[seat])
        v.pawns |= here
        if here & s.flooded and s.role[seat] != PILOT and s.role[seat] != DIVER:
            out = next_to(g, s.role[seat], s.pawn[seat]) & s.in_play
            if out == 0:
                v.critical |= here
            elif out & ~s.flooded == 0:
                v.cornered |= here


cdef void look(const IslandRules* g, const State* s, View* v) noexcept nogil:
    look_at_lifts(g, s, v)
    look_at_dangers(g, s, v)


cdef inline double cost_of_loss(const View* v, uint32_t tile) noexcept nogil:
    """What it costs if a flooded tile sinks; 1 is the game."""
    cdef double cost
    if tile & v.critical:
        return CRITICAL
    cost = LAST_PAIR if tile & v.last_pair else PAIR if tile & v.pair else PLAIN
    if tile & v.near:
        cost += NEAR
    if tile & v.pawns:
        cost += PAWN
        if tile & v.cornered:
            cost += CORNERED
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
    double worth             # for each action that it takes
    move_t move


cdef inline void consider(Choice* best, double worth, move_t move) noexcept nogil:
    if worth > best.worth:
        best.worth, best.move = worth, move


cdef inline uint32_t aims(const IslandRules* g, const State* s, int seat) noexcept nogil:
    """The tiles where a seat can capture a treasure with the cards in its hand."""
    # One byte a treasure: adding 128 - n carries into the top bit from n cards on.
    cdef uint32_t ready = ((<uint32_t>s.hand[seat] + (128 - g.cards_to_capture) * <uint32_t>0x01010101)
                           & <uint32_t>0x80808080)
    cdef uint32_t found = 0
    cdef int treasure
    while ready:
        treasure = lowest(ready) >> 3
        ready &= ready - 1
        if not s.captured >> treasure & 1:
            found |= s.tiles_of[treasure]
    return found & s.in_play


cdef inline void go(const IslandRules* g, const State* s, uint32_t target, double worth, int more,
                    Choice* best) noexcept nogil:
    """Consider walking to a set of tiles, where `more` actions are needed."""
    cdef uint32_t step
    cdef int d
    if worth > best.worth * (1 + more):          # else even one step away it is not the best
        d = distance(g, s, s.to_move, target, &step)
        if 0 < d < FAR:
            consider(best, worth / (d + more), move_to(g, s, step))


cdef inline bint collects(const IslandRules* g, const State* s, int other, int theirs,
                          int mine) noexcept nogil:
    """Whether another seat should rather have the cards of a treasure than the seat to move."""
    if theirs == mine:
        return (s.role[s.to_move] == MESSENGER
                or (other < s.to_move and s.role[other] != MESSENGER))
    return theirs > mine


cdef void share_cards(const IslandRules* g, const State* s, int treasure, int mine, int other,
                      Choice* best) noexcept nogil:
    """Bring the cards of a treasure together with those of another seat."""
    cdef int me = s.to_move, theirs = cards_of(s.hand[other], treasure)
    cdef int missing = g.cards_to_capture - theirs
    cdef bint completes = mine >= missing
    if missing <= 0:
        return
    if collects(g, s, other, theirs, mine):
        if s.pawn[other] == s.pawn[me] or s.role[me] == MESSENGER:
            if completes or n_cards(s.hand[other]) < g.hand_limit:
                consider(best, COMPLETE if completes else GIVE_ONE * (theirs + mine),
                         code(GIVE, other, treasure))
        else:
            go(g, s, bit(s.pawn[other]), BRING_LAST if completes else BRING_ONE * (theirs + mine),
               min(missing, mine), best)
    elif theirs and completes and s.role[other] != MESSENGER:
        go(g, s, bit(s.pawn[other]), FETCH, 0, best)


cdef void look_at_treasures(const IslandRules* g, const State* s, Choice* best) noexcept nogil:
    """Capture, give, and go where either can be done."""
    cdef int treasure, mine, other
    for treasure in range(TREASURES):
        if s.captured >> treasure & 1:
            continue
        mine = cards_of(s.hand[s.to_move], treasure)
        if mine == 0:
            continue
        if mine >= g.cards_to_capture:
            if s.tiles_of[treasure] >> s.pawn[s.to_move] & 1:
                consider(best, FAR, code(CAPTURE, treasure))
            else:
                go(g, s, s.tiles_of[treasure], CAPTURE_WORTH, 1, best)
            continue
        for other in range(g.players):
            if other != s.to_move:
                share_cards(g, s, treasure, mine, other, best)


cdef void look_at_shores(const IslandRules* g, const State* s, const View* v,
                         Choice* best) noexcept nogil:
    """Shore up, or go where it can be done while there are actions left."""
    cdef int me = s.to_move, role = s.role[me], n, first = NOBODY, second = NOBODY
    cdef uint32_t here = shores(g, s, me), left = here, tile, near, reach
    cdef double worth, one = 0.0, two = 0.0
    while left:
        tile = left & -left
        left &= left - 1
        worth = cost_of_loss(v, tile) * v.worth[place_of(s, v, tile)]
        if worth > one:
            two, second = one, first
            one, first = worth, lowest(tile)
        elif worth > two:
            two, second = worth, lowest(tile)
    if first != NOBODY:
        if role != ENGINEER:
            second = NOBODY
        elif second != NOBODY:
            one += two
            if second < first:
                first, second = second, first
        consider(best, one, code(SHORE, first, second))
    left = s.flooded & ~here if s.actions > 1 else 0
    # What can't be the best even one step away isn't looked at.
    if 2 * best.worth >= CRITICAL * v.most:
        left = 0
    elif 2 * best.worth >= (PLAIN + NEAR + PAWN + CORNERED) * v.most:
        left &= v.critical | v.last_pair | v.pair
    while left:
        tile = left & -left
        left &= left - 1
        worth = cost_of_loss(v, tile) * v.worth[place_of(s, v, tile)]
        if worth > 2 * best.worth:
            near = next_to(g, role, lowest(tile)) | tile
            n = distance(g, s, me, near, &reach)
            if n < s.actions:
                consider(best, worth / (n + 1), move_to(g, s, reach))


cdef void navigate(const IslandRules* g, const State* s, const View* v,
                   Choice* best) noexcept nogil:
    """Send others to where they can capture, or home."""
    cdef int other
    cdef uint32_t to, step, aim
    for other in range(g.players):
        if other == s.to_move:
            continue
        aim = s.tiles_of[LANDING] if v.home else aims(g, s, other)
        if aim and 0 < distance(g, s, other, aim, &step):
            to = navigations(g, s, other)
            if to & aim:
                consider(best, SEND, code(NAVIGATE, other, lowest(to & aim), NOBODY, NOBODY))
            elif to & step:
                consider(best, SEND / 2, code(NAVIGATE, other, lowest(to & step), NOBODY, NOBODY))


cdef move_t lift_home(const IslandRules* g, const State* s, const View* v) noexcept nogil:
    """The farthest tile's pawns fly home, if a Helicopter Lift is left for the win."""
    cdef int seat, d, most = 1, who = NOBODY
    cdef uint32_t step, seats = 0
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


cdef inline bint any_set(const IslandRules* g, const State* s) noexcept nogil:
    """Whether the seat to move and another one hold enough cards of a treasure together.

    One byte a treasure: adding 128 - n carries into the top bit from n cards on.
    """
    cdef uint32_t enough = (128 - g.cards_to_capture) * <uint32_t>0x01010101
    cdef uint32_t mine = <uint32_t>s.hand[s.to_move], theirs
    cdef uint32_t found = 0
    cdef int seat
    for seat in range(g.players):
        theirs = <uint32_t>s.hand[seat]
        if seat != s.to_move:
            found |= (mine + theirs + enough) & ~(theirs + enough)
    return found & ~(mine + enough) & <uint32_t>0x80808080 != 0


cdef move_t lift_to_treasure(const IslandRules* g, const State* s, const View* v) noexcept nogil:
    """Whoever can capture flies there, the farthest first; else the cards fly to complete a set."""
    cdef int seat, treasure, d, mine, theirs, most = 1, who = NOBODY, me = s.to_move
    cdef uint32_t step, target, aim = 0
    for seat in range(g.players):
        target = aims(g, s, seat)
        if target:
            d = distance(g, s, seat, target, &step)
            if d > most:
                most, who, aim = d, seat, target
    if who != NOBODY:
        return code(PLAY_LIFT, v.holder, bit(who), lowest(aim))
    if s.phase != ACTIONS or s.role[me] == MESSENGER or not any_set(g, s):
        return 0
    for treasure in range(TREASURES):
        mine = cards_of(s.hand[me], treasure)
        if s.captured >> treasure & 1 or mine == 0 or mine >= g.cards_to_capture:
            continue
        for seat in range(g.players):
            theirs = cards_of(s.hand[seat], treasure)
            if (seat != me and theirs < g.cards_to_capture
                    and g.cards_to_capture - theirs <= min(mine, s.actions)
                    and distance(g, s, me, bit(s.pawn[seat]), &step) > 1):
                return code(PLAY_LIFT, v.holder, bit(me), s.pawn[seat])
    return 0


cdef inline move_t lift_now(const IslandRules* g, const State* s, const View* v) noexcept nogil:
    """A Helicopter Lift that saves walking, or 0."""
    if v.holder == NOBODY:
        return 0
    return lift_home(g, s, v) if v.home else lift_to_treasure(g, s, v)


cdef move_t choose_action(const IslandRules* g, const State* s) noexcept nogil:
    cdef View v
    cdef Choice best
    cdef move_t move
    look_at_lifts(g, s, &v)
    move = lift_now(g, s, &v)
    if move:
        return move
    best.worth, best.move = LEAST, code(PASS)
    if s.actions == 0:
        return best.move
    look_at_dangers(g, s, &v)
    if v.home:
        go(g, s, s.tiles_of[LANDING], HOME, 0, &best)
    else:
        look_at_treasures(g, s, &best)
    if s.role[s.to_move] == NAVIGATOR:
        navigate(g, s, &v, &best)
    if s.flooded:
        look_at_shores(g, s, &v, &best)
    return best.move


# Windows and forced decisions -------------------------------------------------------------------

cdef move_t choose_sandbags(const State* s, const View* v, int holder,
                            double least) noexcept nogil:
    """Sandbags where they save most, if that is more than `least`; else 0."""
    # While flood cards are drawn, those of the discard don't come back.
    cdef uint32_t left = s.flooded & ~s.discard if s.floods else s.flooded, tile
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
    """Sandbags before a flood card; nothing in other windows."""
    cdef View v
    cdef int seat
    # Only tiles of the top block, and of those below if it is used up, can sink now.
    if s.phase == BEFORE_FLOOD and (s.flooded & s.pile[s.n_blocks - 1]
                                    or s.floods > popcount(s.pile[s.n_blocks - 1])):
        for seat in range(g.players):
            if cards_of(s.hand[seat], SANDBAGS):
                look(g, s, &v)
                return choose_sandbags(s, &v, seat, SANDBAGS_LEAST)      # 0 is the pass
    return code(PASS)


cdef double worth_keeping(const IslandRules* g, const State* s, const View* v, int seat,
                          int kind) noexcept nogil:
    """How much a card is missed: by the cards of its kind in hand, and by what is left of them."""
    cdef int n = cards_of(s.hand[seat], kind), other
    cdef double keep
    if kind == SANDBAGS:
        return 0.9
    if kind == LIFT:
        return 0.6 if v.team_lifts > 1 else 5.0
    if s.captured >> kind & 1:
        return 0.0
    if n > g.cards_to_capture:
        return 0.1
    keep = n + 0.3 * cards_of(s.used, kind)
    for other in range(g.players):
        if other != seat and cards_of(s.hand[other], kind) > n:
            keep += 0.1
    return keep


cdef move_t choose_drop(const IslandRules* g, const State* s, int seat) noexcept nogil:
    """The card that is missed least; a special card is rather played."""
    cdef View v
    cdef int kind, worst = 0
    cdef double keep, least = FAR
    cdef move_t move = 0
    look(g, s, &v)
    for kind in range(KINDS - 1):
        if cards_of(s.hand[seat], kind):
            keep = worth_keeping(g, s, &v, seat, kind)
            if keep < least:
                least, worst = keep, kind
    if worst == SANDBAGS:
        move = choose_sandbags(s, &v, seat, 0.0)
    elif worst == LIFT:
        v.holder = seat
        move = lift_now(g, s, &v)
    return move if move else code(DROP, seat, worst)


cdef move_t rescue(const IslandRules* g, const State* s, int seat) noexcept nogil:
    """A Helicopter Lift to Fools' Landing for a stranded pawn."""
    cdef int holder
    for holder in range(g.players):
        if cards_of(s.hand[holder], LIFT):
            return code(PLAY_LIFT, holder, bit(seat), lowest(s.tiles_of[LANDING]))
    return code(PASS)


cdef move_t choose_swim(const IslandRules* g, const State* s) noexcept nogil:
    """To the tile nearest to where the seat can capture, or to Fools' Landing."""
    cdef int seat = lowest(s.swimmers)
    cdef uint32_t to = swims(g, s, seat), reached = aims(g, s, seat), more
    if to == 0:
        return rescue(g, s, seat)
    if reached == 0:
        reached = s.tiles_of[LANDING]
    while reached & to == 0:
        more = reached | ring(g, s, s.role[seat], reached)
        reached = more if more != reached else to
    to &= reached
    return code(SWIM_TO, seat, lowest(to & ~s.flooded if to & ~s.flooded else to))


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
