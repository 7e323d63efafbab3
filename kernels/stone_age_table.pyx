"""Stone Age as a game table: compiled rules, results, states from and to Python."""
from libc.math cimport exp
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset

from oddsmith.kernels.game cimport PAYOFF_UNIT, GameTable
from oddsmith.kernels.rng cimport mix
from oddsmith.kernels.stone_age cimport (
    FIGURES, GIFTS, HOW_MANY, KINDS, MOST_PAID, N_CARDS, N_TILES, NONE, PLACING, SEATS, SLOTS,
    START_PLAYER, Rules, Seat, State, n_moves, nth_move, outcomes, random_policy, redeal,
    sample, turn,
)
from oddsmith.kernels.stone_age_play cimport (
    apply, extra_points, final_points, keep, occupy, open_places,
)


cdef void payoff(const void* rules, const void* state, int32_t* out) noexcept nogil:
    """Most points; then food track + tools + people; then (an option) food; then shared."""
    cdef const Rules* g = <const Rules*>rules
    cdef const State* s = <const State*>state
    cdef const Seat* p
    cdef int64_t rank[SEATS]
    cdef int64_t best = -(<int64_t>1 << 62)
    cdef int seat, n = 0
    for seat in range(g.players):
        p = &s.seat[seat]
        rank[seat] = (<int64_t>(p.score + final_points(g, p) + extra_points(g, s, seat)) * 64
                      + p.track + p.tools + p.people) * 65536 + (p.food if g.food_ties else 0)
        best = max(best, rank[seat])
    for seat in range(g.players):
        n += rank[seat] == best
    for seat in range(g.players):
        out[seat] = PAYOFF_UNIT // n if rank[seat] == best else 0


cdef int summary(const void* rules, const void* state, int32_t* out) noexcept nogil:
    """Final scores by seat, the rounds, and the cause of the end."""
    cdef const Rules* g = <const Rules*>rules
    cdef const State* s = <const State*>state
    cdef int seat
    for seat in range(g.players):
        out[seat] = s.seat[seat].score + final_points(g, &s.seat[seat]) + extra_points(g, s, seat)
    out[g.players], out[g.players + 1] = s.rounds, s.cause
    return g.players + 2


cdef double lead(const void* rules, const void* state, int player) noexcept nogil:
    """A plain estimate: logistic in the lead, as if the game ended now."""
    cdef const Rules* g = <const Rules*>rules
    cdef const State* s = <const State*>state
    cdef int seat, points, own = 0, other = -1000000
    for seat in range(g.players):
        points = s.seat[seat].score + final_points(g, &s.seat[seat])
        if seat == player:
            own = points + extra_points(g, s, seat)
        else:
            other = max(other, points)
    return 1.0 / (1.0 + exp((other - own) / 40.0))


cdef uint64_t key(const void* rules, const void* state) noexcept nogil:
    """Every byte of the state counts; padding is zero from the start on."""
    cdef const uint64_t* word = <const uint64_t*>state
    cdef uint64_t h = 0
    cdef size_t k
    for k in range(sizeof(State) // 8):
        h = mix(h + word[k]) + k
    return h


cdef class StoneAgeTable(GameTable):
    """Stone Age as a game table.

    Args:
        cards: (top, kind, amount, symbol, figure, count) of each card; 255 for no symbol.
        tiles: (cost, points, least, most, kinds) of each tile; cost is None or four numbers,
            kinds 0 for any.
        options: the fields of Rules in stone_age.pxd, by name; supply is four numbers.
    """

    cdef Rules _compiled

    def __init__(self, list cards, list tiles, dict options):
        cdef Rules* g = &self._compiled
        memset(g, 0, sizeof(Rules))
        first_of = self._list_payments()
        for k, (top, kind, amount, symbol, figure, count) in enumerate(cards):
            g.cards[k].top, g.cards[k].kind, g.cards[k].amount = top, kind, amount
            g.cards[k].symbol, g.cards[k].figure, g.cards[k].count = symbol, figure, count
        for k, (cost, points, least, most, kinds) in enumerate(tiles):
            g.tiles[k].points, g.tiles[k].least, g.tiles[k].most = points, least, most
            if cost is not None:
                g.tiles[k].first = self._find_payment(pack_lanes(cost))
                g.tiles[k].last = g.tiles[k].first + 1
            elif kinds:
                g.tiles[k].first, g.tiles[k].last = (first_of[least, kinds],
                                                     first_of[least, kinds + 1])
        g.supply = pack_lanes(options["supply"])
        g.max_rounds, g.players = options["max_rounds"], options["players"]
        g.limited, g.starvation = options["limited"], options["starvation"]
        g.hunt_again, g.at_once = options["hunt_again"], options["at_once"]
        g.own_turn, g.card_roll_tools = options["own_turn"], options["card_roll_tools"]
        g.village_limit, g.visitors = options["village_limit"], options["visitors"]
        g.forbid_max, g.one_use_score = options["forbid_max"], options["one_use_score"]
        g.upgraded_ready, g.food_ties = options["upgraded_ready"], options["food_ties"]
        g.start_food, g.start_people = options["start_food"], options["start_people"]
        g.stack_size, g.half_pips = options["stack_size"], options["half_pips"]
        self.rules = g
        self.n_players = g.players
        self.game.state_size = sizeof(State)
        self.game.hidden = True
        self.game.turn, self.game.n_moves, self.game.nth_move = turn, n_moves, nth_move
        self.game.apply, self.game.outcomes, self.game.sample = apply, outcomes, sample
        self.game.redeal, self.game.payoff, self.game.summary = redeal, payoff, summary
        self.game.policy, self.game.evaluate, self.game.key = random_policy, lead, key
        self.policies = {"random": <size_t>random_policy}
        self.fields = _fields()

    cdef dict _list_payments(self):
        """Fill in all multisets of up to 10 resources; (size, kinds) -> where they begin."""
        n = range(MOST_PAID + 1)
        every = sorted(
            ((sum(one), sum(count > 0 for count in one), one)
             for one in [(w, b, s, g) for w in n for b in n for s in n for g in n]
             if sum(one) <= MOST_PAID),
            key=lambda row: (row[0], row[1], [-count for count in row[2]]),
        )
        first = {}
        for k, (size, kinds, one) in enumerate(every):
            self._compiled.payments[k] = pack_lanes(one)
            first.setdefault((size, kinds), k)
        for size in n:
            self._compiled.first_of_size[size] = min(k for (s, _), k in first.items() if s == size)
            for kinds in range(KINDS + 1, 0, -1):
                first.setdefault((size, kinds), first.get((size, kinds + 1), len(every))
                                 if kinds <= KINDS else self._end_of(every, size))
        self._compiled.first_of_size[MOST_PAID + 1] = len(every)
        return first

    @staticmethod
    def _end_of(every, size):
        return sum(row[0] <= size for row in every)

    cdef int _find_payment(self, uint64_t cost) except -1:
        cdef int k = 0
        while self._compiled.payments[k] != cost:
            k += 1
        return k

    def new_game(self):
        """The state before the start player is drawn."""
        cdef State s
        cdef const Rules* g = &self._compiled
        cdef int seat, k
        memset(&s, 0, sizeof(State))
        s.deck = (<uint64_t>1 << N_CARDS) - 1
        s.unseen = (<uint32_t>1 << N_TILES) - 1
        s.supply = g.supply if g.limited else 0
        s.phase, s.extra = START_PLAYER, NONE
        for k in range(SLOTS):
            s.slot[k] = s.top[k] = NONE
        for seat in range(g.players):
            s.seat[seat].food, s.seat[seat].people = g.start_food, g.start_people
            s.stack[seat] = g.stack_size
        return (<char*>&s)[:sizeof(State)]

    def pack(self, dict fields):
        """The state with these fields, named and formed as in `unpack`.

        What is left to be placed, and where, follows from the people on the places.

        Raises:
            ValueError: more of something than a state has room for.
        """
        cdef State s
        cdef Seat* p
        cdef int seat, k
        if len(fields["seats"]) != self._compiled.players:
            raise ValueError("not a seat for each player")
        if len(fields["gifts"]) > GIFTS:
            raise ValueError(f"a state has room for {GIFTS} gifts")
        if any(len(dice) > SEATS for dice, _ in fields["gifts"]):
            raise ValueError(f"a gift has at most {SEATS} dice")
        for told in fields["seats"]:
            if not all(0 <= card < N_CARDS for card in told["cards"]):
                raise ValueError(f"cards are 0 to {N_CARDS - 1}")
        memset(&s, 0, sizeof(State))
        for k in range(SLOTS):
            s.slot[k] = _code_of(fields["slots"][k])
            s.top[k] = NONE
        for seat, told in enumerate(fields["seats"]):
            p = &s.seat[seat]
            p.goods, p.score, p.food = pack_lanes(told["goods"]), told["score"], told["food"]
            p.cards, p.tiles = _mask(told["cards"]), _mask(told["tiles"])
            p.people, p.track = told["people"], told["track"]
            p.tools, p.used_low, p.used_high = told["tools"], told["used_low"], told["used_high"]
            p.one_use, p.two = told["one_use"], told["two"]
            for card in told["cards"]:
                keep(&self._compiled, p, card)
            s.top[seat], s.stack[seat] = _code_of(fields["tops"][seat]), fields["stacks"][seat]
        s.phase = fields["phase"]
        placing = s.phase == PLACING or s.phase == HOW_MANY
        open_places(&self._compiled, &s)
        for seat, told in enumerate(fields["seats"]):
            for place, n in told["on"].items():
                occupy(&self._compiled, &s, seat, place, n)
            s.seat[seat].left = s.seat[seat].people - sum(told["on"].values()) if placing else 0
        if not placing:
            s.free = 0
            memset(s.crowd, 0, sizeof(s.crowd))
            memset(s.visitors, 0, sizeof(s.visitors))
        s.deck, s.unseen = _mask(fields["deck"]), _mask(fields["unseen"])
        s.supply = pack_lanes(fields["supply"]) if self._compiled.limited else 0
        for k, (dice, seats) in enumerate(fields["gifts"]):
            s.gifts[k] = _mask(24 + seat for seat in seats)
            for value in dice:
                s.gifts[k] += 1 << (4 * (value - 1))
        s.extra, s.extra_seat = _code_of(fields["extra"]), fields["extra_seat"]
        s.extra_open = fields["extra_open"]
        s.rounds, s.start, s.actor = fields["rounds"], fields["start"], fields["actor"]
        s.to_move, s.place = fields["to_move"], fields["place"]
        s.kind, s.dice, s.sum = fields["kind"], fields["dice"], fields["sum"]
        s.fed, s.cause = fields["fed"], fields["cause"]
        return (<char*>&s)[:sizeof(State)]

    def unpack(self, bytes state):
        """The fields of a state: cards and tiles as indices, goods as four numbers."""
        self._check_state(state)
        cdef const State* s = <const State*><const char*>state
        cdef int n = self._compiled.players
        return {
            "seats": [_told(&s.seat[seat]) for seat in range(n)],
            "deck": _members(s.deck), "unseen": _members(s.unseen),
            "supply": _lanes(s.supply), "free": s.free, "rounds": s.rounds,
            "gifts": [_gift(s.gifts[k]) for k in range(GIFTS) if s.gifts[k]],
            "slots": [_or_none(s.slot[k]) for k in range(SLOTS)],
            "tops": [_or_none(s.top[k]) for k in range(n)],
            "stacks": [s.stack[k] for k in range(n)],
            "crowd": [s.crowd[k] for k in range(5)],
            "visitors": [s.visitors[k] for k in range(5)],
            "extra": _or_none(s.extra), "extra_seat": s.extra_seat,
            "extra_open": s.extra_open, "start": s.start,
            "actor": s.actor, "to_move": s.to_move, "phase": s.phase, "place": s.place,
            "kind": s.kind, "dice": s.dice, "sum": s.sum, "fed": s.fed, "cause": s.cause,
        }

    def final_points(self, bytes state, int seat):
        """What cards (the extra card too) and resources would add if the game ended now."""
        self._check_state(state)
        cdef const State* s = <const State*><const char*>state
        return (final_points(&self._compiled, &s.seat[seat])
                + extra_points(&self._compiled, s, seat))


cdef uint64_t pack_lanes(numbers) except? 1:
    return sum(<uint64_t>number << (16 * k) for k, number in enumerate(numbers))


cdef uint64_t _mask(members) except? 1:
    return sum(<uint64_t>1 << member for member in members)


cdef list _members(uint64_t mask):
    return [k for k in range(64) if mask >> k & 1]


cdef list _lanes(uint64_t lanes):
    return [lanes >> (16 * k) & 0xFFFF for k in range(KINDS)]


cdef int _code_of(number) except -1:
    return NONE if number is None else number


cdef object _or_none(int code):
    return None if code == NONE else code


cdef tuple _gift(uint32_t gift):
    dice = [value for value in range(1, 7) for _ in range(gift >> (4 * (value - 1)) & 0xF)]
    return dice, [seat for seat in range(SEATS) if gift >> (24 + seat) & 1]


cdef dict _told(const Seat* p):
    return {
        "goods": _lanes(p.goods), "score": p.score, "food": p.food, "people": p.people,
        "left": p.left, "track": p.track, "tools": p.tools, "used_low": p.used_low,
        "used_high": p.used_high, "one_use": p.one_use, "two": p.two,
        "cards": _members(p.cards), "tiles": _members(p.tiles),
        "on": {place: p.on[place - 3] if 3 <= place < 8 else 1 + (place == 1)
               for place in _members(p.here)},
    }


cdef list _fields():
    """The fields of State as (name, NumPy format, offset)."""
    cdef State s
    cdef char* start = <char*>&s
    seat = [("goods", "u8"), ("cards", "u8"), ("tiles", "u4"), ("score", "i4"), ("food", "u2"),
            ("here", "u2"), ("on", "u1", 5), ("people", "u1"), ("left", "u1"), ("track", "u1"),
            ("tools", "u1"), ("used_low", "u1"), ("used_high", "u1"), ("one_use", "u1"),
            ("two", "u1"), ("symbols", "u1"), ("doubles", "u1"), ("figures", "u1", FIGURES)]
    return [
        ("seat", (seat, (SEATS,)), <char*>&s.seat - start),
        ("deck", "u8", <char*>&s.deck - start),
        ("supply", "u8", <char*>&s.supply - start),
        ("unseen", "u4", <char*>&s.unseen - start),
        ("gifts", ("u4", (GIFTS,)), <char*>&s.gifts - start),
        ("free", "u2", <char*>&s.free - start),
        ("rounds", "u2", <char*>&s.rounds - start),
        ("slot", ("u1", (SLOTS,)), <char*>&s.slot - start),
        ("top", ("u1", (SEATS,)), <char*>&s.top - start),
        ("stack", ("u1", (SEATS,)), <char*>&s.stack - start),
        ("crowd", ("u1", (5,)), <char*>&s.crowd - start),
        ("visitors", ("u1", (5,)), <char*>&s.visitors - start),
        *((name, "u1", offset) for name, offset in [
            ("extra", <char*>&s.extra - start), ("extra_seat", <char*>&s.extra_seat - start),
            ("extra_open", <char*>&s.extra_open - start),
            ("start", <char*>&s.start - start), ("actor", <char*>&s.actor - start),
            ("to_move", <char*>&s.to_move - start), ("phase", <char*>&s.phase - start),
            ("place", <char*>&s.place - start), ("kind", <char*>&s.kind - start),
            ("dice", <char*>&s.dice - start), ("sum", <char*>&s.sum - start),
            ("fed", <char*>&s.fed - start), ("cause", <char*>&s.cause - start),
        ]),
    ]
