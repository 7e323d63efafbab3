"""Stone Age: what things are worth in points, for policies and the static estimate.

A rough accountant: what will be spent later counts in pips (a wood 3, a gold 6), each worth less
than a point; people, food track and tools count for every round that is still expected.
"""
from libc.math cimport exp
from libc.stdint cimport uint64_t

from oddsmith.kernels.stone_age cimport (
    BUILDER, CARD, FARMER, FEEDING, FIELD, FINISHED, FOREST, HOW_MANY, HUNT, HUT, KINDS,
    MOST_PEOPLE, MOST_TOOLS, MOST_TRACK, NONE, PLACING, ROLLING, SHAMAN, TILE, TOOLMAKER, TOOLS,
    TOOL_MAKER, TOP_EXTRA, TOP_FIELD, TOP_FOOD, TOP_GIFT, TOP_ONE_USE, TOP_POINTS, TOP_RESOURCE,
    TOP_ROLL, TOP_TOOL, Card, Rules, Seat, State, Tile, lane, lowest, n_high, popcount,
    n_low, one_use_value, penalty, total, value_of,
)
from oddsmith.kernels.stone_age_play cimport extra_points, final_points

cdef double PIPS_A_DIE = 3.5
cdef double SCALE = 25.0         # points of lead that make 73 % (logistic)

# Round numbers, set by hand.
PLAIN.pip, PLAIN.food, PLAIN.person, PLAIN.track, PLAIN.tool = 0.65, 1.2, 1.5, 1.3, 0.65
PLAIN.price, PLAIN.green, PLAIN.farmer, PLAIN.toolmaker = 3.0, 0.5, 0.35, 0.5
PLAIN.builder, PLAIN.shaman, PLAIN.missing, PLAIN.spare = 0.5, 0.25, 0.4, 0.4
PLAIN.hungry, PLAIN.card_pace, PLAIN.tile_pace, PLAIN.starves = 1.5, 0.7, 1.4, False

# Found from those by changing one to three numbers at a time and keeping what won more games
# against the version before, at two and at four players.
TUNED.pip, TUNED.food, TUNED.person, TUNED.track, TUNED.tool = 0.78, 1.2, 1.5, 1.15, 0.67
TUNED.price, TUNED.green, TUNED.farmer, TUNED.toolmaker = 3.3, 0.53, 0.45, 0.58
TUNED.builder, TUNED.shaman, TUNED.missing, TUNED.spare = 0.22, 0.14, 0.18, 0.64
TUNED.hungry, TUNED.card_pace, TUNED.tile_pace, TUNED.starves = 0.63, 0.56, 1.78, False

STARVING = TUNED
STARVING.food, STARVING.person, STARVING.track, STARVING.starves = 0.0, 2.3, 0.1, True


cdef double rounds_left(const Rules* g, const State* s, const Taste* t) noexcept nogil:
    """Rounds expected after this one: until cards, a stack or the limit of rounds run out."""
    cdef double by_cards = popcount(s.deck) / (t.card_pace * g.players + 1.1)
    cdef double by_tiles = 100.0
    cdef int k
    for k in range(g.players):
        by_tiles = min(by_tiles, t.tile_pace * s.stack[k])
    return max(0.0, min(min(by_cards, by_tiles), <double>(g.max_rounds - s.rounds)))


cdef double goods_worth(uint64_t goods, const Taste* t) noexcept nogil:
    return t.pip * value_of(goods)


cdef inline double track_worth(const Seat* p, const Taste* t, double rounds) noexcept nogil:
    if p.track == MOST_TRACK:
        return 0.0
    return p.figures[FARMER] + rounds * (t.track if p.track < p.people else 0.2 * t.track)


cdef inline double tool_worth(const Seat* p, const Taste* t, double rounds) noexcept nogil:
    return 0.0 if p.tools == MOST_TOOLS else p.figures[TOOLMAKER] + t.tool * rounds


cdef double die_worth(const Seat* p, int value, const Taste* t, double rounds) noexcept nogil:
    """A die of a gift."""
    if value <= KINDS:
        return t.pip * (value + 2)
    return tool_worth(p, t, rounds) if value == 5 else track_worth(p, t, rounds)


cdef double card_worth(const Rules* g, const Seat* p, int card, const Taste* t,
                       double rounds) noexcept nogil:
    """Both halves of a card, for a seat as it stands."""
    cdef const Card* c = &g.cards[card]
    cdef int have
    cdef double worth = 0.0, more = min(rounds, 6.0)
    if c.symbol != NONE:
        have = p.symbols
        if have >> c.symbol & 1:
            have = p.doubles
        # The square grows by 2 n + 1; a set begun makes the next ones worth more.
        worth = 2 * popcount(have) + 1 + t.green * more
    elif c.figure == FARMER:
        worth = c.count * (p.track + t.farmer * more)
    elif c.figure == TOOLMAKER:
        worth = c.count * (p.tools + t.toolmaker * more)
    elif c.figure == BUILDER:
        worth = c.count * (popcount(p.tiles) + t.builder * more)
    else:
        worth = c.count * (p.people + t.shaman * more)
    if c.top == TOP_FOOD:
        return worth + c.amount * t.food
    if c.top == TOP_RESOURCE:
        return worth + c.amount * t.pip * (c.kind + 3)
    if c.top == TOP_POINTS:
        return worth + c.amount
    if c.top == TOP_TOOL:
        return worth + tool_worth(p, t, rounds)
    if c.top == TOP_FIELD:
        return worth + track_worth(p, t, rounds)
    if c.top == TOP_ONE_USE:
        return worth + t.pip * c.amount
    if c.top == TOP_EXTRA:
        return worth + 4.0
    if c.top == TOP_ROLL:
        return worth + t.pip * (2 * PIPS_A_DIE - 0.5 * (c.kind + 2))
    if c.top == TOP_GIFT:
        # Best of as many dice as players, roughly a 5 or a gold.
        return worth + max(die_worth(p, 5, t, rounds), t.pip * 6)
    return worth + 2 * 6 * t.pip


cdef double tile_price(const Rules* g, const State* s, const Seat* p, int tile,
                       const Taste* t) noexcept nogil:
    """What a tile is expected to gain above the goods paid, as far as they are there or coming."""
    cdef const Tile* c = &g.tiles[tile]
    cdef uint64_t cost
    cdef int kind, have, here, pips, missing = 0
    cdef double coming = 0.0, kinds = 0.0
    if c.points:
        cost = g.payments[c.first]
        for kind in range(KINDS):
            have = lane(p.goods, kind)
            if have < lane(cost, kind):
                here = p.on[1 + kind]
                missing += <int>max(0.0, lane(cost, kind) - have
                                    - PIPS_A_DIE * here / (kind + 3) + 0.5)
        pips = c.points
    else:
        for kind in range(KINDS):
            here = p.on[1 + kind]
            coming += lane(p.goods, kind) + (PIPS_A_DIE * here - 1.5) / (kind + 3) * (here > 0)
            kinds += lane(p.goods, kind) > 0 or here > 0
        if c.least == c.most:
            missing = <int>max(0.0, c.least - coming + 0.5)
            pips = 4 * c.least
        else:
            pips = <int>(4.3 * min(<double>c.most, coming))
    return (p.figures[BUILDER] + (1.0 - t.pip) * pips) * (1.0 if missing == 0 else t.missing / missing)


cdef inline double tools_ready(const Seat* p) noexcept nogil:
    cdef int level = p.tools // 3
    return (n_low(p) - p.used_low) * level + (n_high(p) - p.used_high) * (level + 1)


cdef double hunger_saved(const Seat* p, double food, const Taste* t, double rounds) noexcept nogil:
    """What so much food is worth: most where this round's is missing, little beyond all rounds'."""
    cdef double missing = max(0.0, <double>p.people - p.track - p.food)
    cdef double later = max(0.0, <double>p.people - p.track) * rounds + min(
        0.0, <double>p.people - p.track - p.food)
    cdef double now = min(food, missing)
    return t.food * (t.hungry * now + min(food - now, max(0.0, later))
                     + 0.1 * max(0.0, food - now - max(0.0, later)))


cdef double place_worth(const Rules* g, const State* s, int seat, int place, int n,
                        const Taste* t, double rounds) noexcept nogil:
    """What n people of a seat on a place are expected to bring."""
    cdef const Seat* p = &s.seat[seat]
    cdef double pips, price
    cdef int kind
    if place == TOOL_MAKER:
        return tool_worth(p, t, rounds + 0.3)
    if place == HUT:
        return (p.figures[SHAMAN] + t.person * rounds - t.food) if p.people < MOST_PEOPLE else 0.0
    if place == FIELD:
        return track_worth(p, t, rounds + 1)
    if place == HUNT:
        return hunger_saved(p, (PIPS_A_DIE * n - 0.5) / 2, t, rounds)
    if place < CARD:
        kind = place - FOREST
        # Tools are counted where most dice are; a share of them.
        pips = PIPS_A_DIE * n + (0.5 * tools_ready(p) if n > 1 else 0.0) - 0.5 * (kind + 2)
        return t.pip * max(pips, 1.0)
    if place < TILE:
        price = place - CARD + 1
        pips = total(p.goods) + 2 * p.two
        for kind in range(KINDS):
            pips += p.on[1 + kind] * (PIPS_A_DIE - 0.5) / (kind + 3)
        if pips + 0.5 < price:
            price = 100.0
        return max(0.0, card_worth(g, p, s.slot[place - CARD], t, rounds) - t.price * t.pip * price)
    return tile_price(g, s, p, s.top[place - TILE], t)


cdef double worth(const Rules* g, const State* s, int seat, double rounds,
                  const Taste* t) noexcept nogil:
    """Everything that a seat has, in points."""
    cdef const Seat* p = &s.seat[seat]
    cdef double all = p.score + final_points(g, p) - total(p.goods) - 2 * p.two
    cdef double more = min(rounds, 6.0)
    cdef double food
    cdef int here = p.here, place, missing, n
    all += goods_worth(p.goods, t) + t.pip * (one_use_value(p.one_use) + 10 * p.two)
    all += rounds * (t.person * p.people + t.tool * p.tools + t.track * min(p.track, p.people))
    all += more * (t.farmer * p.figures[FARMER] + t.toolmaker * p.figures[TOOLMAKER]
                   + t.builder * p.figures[BUILDER] + t.shaman * p.figures[SHAMAN]
                   + t.green * popcount(p.symbols))
    # Food that will be eaten; what is missing now costs resources or the penalty.
    food = min(<double>p.food, max(0.0, <double>p.people - p.track) * (rounds + 1))
    all += t.food * food + 0.1 * (p.food - food)
    if not s.fed or s.phase == FEEDING and s.to_move == seat:
        missing = p.people - p.track - p.food
        if s.phase == FEEDING:
            missing = s.sum
        elif here >> HUNT & 1:
            missing -= <int>(1.75 * p.on[0])
        if missing > 0:
            all -= min(<double>penalty(g, missing), 1.8 * missing + 1.0)
    if s.phase == PLACING or s.phase == HOW_MANY:
        all += 2.2 * p.left
    while here:
        place = lowest(here)
        here &= here - 1
        n = 1
        if HUNT <= place < CARD:
            n = p.on[place - HUNT]
        all += place_worth(g, s, seat, place, n, t, rounds)
    if (s.phase == TOOLS or s.phase == ROLLING) and s.to_move == seat:
        all += t.pip * (s.sum if s.phase == TOOLS else 3.5 * s.dice)
    return all


cdef double estimate(const void* rules, const void* state, int player) noexcept nogil:
    """Logistic in the lead over the best other seat."""
    cdef const Rules* g = <const Rules*>rules
    cdef const State* s = <const State*>state
    cdef double rounds = 0.0 if s.phase == FINISHED else rounds_left(g, s, &TUNED)
    cdef double own = worth(g, s, player, rounds, &TUNED) + extra_points(g, s, player)
    cdef double other = -1e9
    cdef int seat
    for seat in range(g.players):
        if seat != player:
            other = max(other, worth(g, s, seat, rounds, &TUNED))
    return 1.0 / (1.0 + exp((other - own) / SCALE))
