"""Python's door to a game table: states are bytes, moves are integers.

For tests, position files and small questions; search and playouts use the table directly.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy

from oddsmith.kernels.game cimport (
    CHANCE, MAX_OUTCOMES, MAX_PLAYERS, MAX_SUMMARY, OVER, Game, Outcome,
    apply_t, evaluate_t, key_t, move_t, nth_move_t, outcomes_t, payoff_t, policy_t, redeal_t,
    summary_t, turn_t,
)
from oddsmith.kernels.rng cimport Generator


cdef class GameTable:
    """One rule set as a table of functions (see game.pxd).

    Every method takes a state as bytes of the size that the rule set declares.

    Raises:
        ValueError: the state has another size, or a call that its turn doesn't allow.
    """

    cdef int _check_state(self, bytes state) except -1:
        if len(state) != self.game.state_size:
            raise ValueError(f"a state has {self.game.state_size} bytes, not {len(state)}")
        return 0

    def add_policy(self, str name, size_t address, bint default=False):
        """Let seats play by a compiled function of the type `policy_t` (game.pxd).

        For instance a Numba `@cfunc` with the signature of `kernels/strategy.py`.

        Args:
            name: for `policies`.
            address: of the function; the caller keeps it alive.
            default: whether playouts of a search follow it, too.
        """
        self.policies[name] = address
        if default:
            self.game.policy = <policy_t>address

    def use_evaluate(self, size_t address):
        """Let a search order moves by a compiled function of the type of `evaluate` (game.pxd)."""
        self.game.evaluate = <evaluate_t>address

    @property
    def state_size(self):
        """Bytes of a state."""
        return self.game.state_size

    @property
    def functions(self):
        """Addresses of the table's functions, by name, for compiled code that calls them."""
        return {
            "turn": <size_t>self.game.turn, "n_moves": <size_t>self.game.n_moves,
            "nth_move": <size_t>self.game.nth_move, "apply": <size_t>self.game.apply,
            "outcomes": <size_t>self.game.outcomes, "sample": <size_t>self.game.sample,
            "redeal": <size_t>self.game.redeal, "payoff": <size_t>self.game.payoff,
            "summary": <size_t>self.game.summary, "policy": <size_t>self.game.policy,
            "evaluate": <size_t>self.game.evaluate, "key": <size_t>self.game.key,
        }

    @property
    def default_policy(self):
        """Name of the policy that playouts follow."""
        return next(name for name, address in self.policies.items()
                    if address == <size_t>self.game.policy)

    def turn(self, bytes state):
        """The seat to decide, -1 for a chance event, -2 when the game is over."""
        self._check_state(state)
        return self.game.turn(self.rules, <const char*>state)

    def n_moves(self, bytes state):
        """The number of legal moves; 0 unless a seat decides."""
        self._check_state(state)
        if self.game.turn(self.rules, <const char*>state) < 0:
            return 0
        return self.game.n_moves(self.rules, <const char*>state)

    def moves(self, bytes state):
        """All legal moves in the game's fixed order."""
        cdef int k
        return [self.game.nth_move(self.rules, <const char*>state, k)
                for k in range(self.n_moves(state))]

    def outcomes(self, bytes state):
        """(outcome, weight) of the chance event; empty unless one is due."""
        cdef Outcome found[MAX_OUTCOMES]
        cdef int k, n
        if self.turn(state) != CHANCE:
            return []
        n = self.game.outcomes(self.rules, <const char*>state, found)
        return [(found[k].move, found[k].weight) for k in range(n)]

    def let_chance(self, bytes state, Generator draw):
        """The state after all chance events that are due, drawn as `sample` would one by one."""
        cdef bytearray after = bytearray(state)
        self._check_state(state)
        let_chance(&self.game, self.rules, <void*><char*>after, &draw._stream)
        return bytes(after)

    def apply(self, bytes state, move_t move):
        """The state after a move or an outcome; it must be a legal one."""
        if self.turn(state) == CHANCE:
            legal = [outcome for outcome, _ in self.outcomes(state)]
        else:
            legal = self.moves(state)
        if move not in legal:
            raise ValueError(f"{move} is not legal here")
        return self.apply_unchecked(state, move)

    def apply_unchecked(self, bytes state, move_t move):
        """`apply` for a move that is known to be legal."""
        cdef bytearray after = bytearray(state)
        self._check_state(state)
        self.game.apply(self.rules, <char*>after, move)
        return bytes(after)

    def sample(self, bytes state, Generator draw):
        """An outcome of the chance event, drawn by weight."""
        if self.turn(state) != CHANCE:
            raise ValueError("no chance event is due")
        return self.game.sample(self.rules, <const char*>state, &draw._stream)

    def redeal(self, bytes state, int viewer, Generator draw):
        """The state with everything resampled that the viewer can't know."""
        cdef bytearray after = bytearray(state)
        self._check_state(state)
        self.game.redeal(self.rules, <char*>after, viewer, &draw._stream)
        return bytes(after)

    def payoff(self, bytes state):
        """Result per player in units of 1/60 of a win; the game must be over."""
        cdef int32_t out[MAX_PLAYERS]
        cdef int k
        if self.turn(state) != OVER:
            raise ValueError("the game is not over")
        self.game.payoff(self.rules, <const char*>state, out)
        return [out[k] for k in range(self.n_players)]

    def summary(self, bytes state):
        """The game's own numbers of a finished game."""
        cdef int32_t out[MAX_SUMMARY]
        cdef int k, n
        if self.turn(state) != OVER:
            raise ValueError("the game is not over")
        n = self.game.summary(self.rules, <const char*>state, out)
        return [out[k] for k in range(n)]

    def policy_move(self, bytes state, str name, Generator draw):
        """The move that a policy of the game chooses."""
        if self.turn(state) < 0:
            raise ValueError("nobody decides here")
        cdef policy_t policy = <policy_t><size_t>self.policies[name]
        return policy(self.rules, <const char*>state, &draw._stream)

    def evaluate(self, bytes state, int player):
        """Static estimate of a seat's result, 0..1.

        Raises:
            ValueError: the game has none.
        """
        self._check_state(state)
        if self.game.evaluate == NULL:
            raise ValueError("the game has no static estimate")
        return self.game.evaluate(self.rules, <const char*>state, player)

    def key(self, bytes state):
        """64-bit hash of the state."""
        self._check_state(state)
        return self.game.key(self.rules, <const char*>state)

    def perft(self, bytes state, int depth):
        """Count the lines of `depth` moves and outcomes; shorter ones that end the game count too.

        Returns:
            (lines, weighted): each line once; each line by the product of its outcomes' weights.
        """
        turn = self.turn(state)
        if depth == 0 or turn == OVER:
            return 1, 1
        if turn != CHANCE and depth == 1:
            n = self.n_moves(state)
            return n, n
        lines = weighted = 0
        steps = self.outcomes(state) if turn == CHANCE else [(m, 1) for m in self.moves(state)]
        for move, weight in steps:
            below, weighted_below = self.perft(self.apply_unchecked(state, move), depth - 1)
            lines += below
            weighted += weight * weighted_below
        return lines, weighted


cdef class FunctionTable(GameTable):
    """A game whose functions were compiled elsewhere, for instance by Numba's `@cfunc`.

    Args:
        state_size: bytes of a state.
        n_players: seats.
        functions: address of each function by its name in game.pxd; "evaluate" may be left out,
            "policies" is a dict of addresses whose first is the default.
        rules: address of what the functions get as their rules.
        hidden: whether seats know different things.
        fields: (name, NumPy format, offset) of the state's fields, for `strategy.state_dtype`.
        owner: what keeps the functions alive.

    Raises:
        KeyError: a function is missing.
        ValueError: the number of seats is not in 1..5.
    """

    def __init__(self, size_t state_size, int n_players, dict functions, *, size_t rules=0,
                 bint hidden=False, list fields=None, object owner=None):
        cdef dict policies = functions["policies"]
        if not 1 <= n_players <= MAX_PLAYERS:
            raise ValueError(f"1 to {MAX_PLAYERS} seats, not {n_players}")
        self.n_players, self.owner, self.policies = n_players, owner, dict(policies)
        self.rules, self.fields = <const void*>rules, fields or []
        self.game.state_size, self.game.hidden = state_size, hidden
        self.game.turn = <turn_t><size_t>functions["turn"]
        self.game.n_moves = <turn_t><size_t>functions["n_moves"]
        self.game.nth_move = <nth_move_t><size_t>functions["nth_move"]
        self.game.apply = <apply_t><size_t>functions["apply"]
        self.game.outcomes = <outcomes_t><size_t>functions["outcomes"]
        self.game.sample = <policy_t><size_t>functions["sample"]
        self.game.redeal = <redeal_t><size_t>functions["redeal"]
        self.game.payoff = <payoff_t><size_t>functions["payoff"]
        self.game.summary = <summary_t><size_t>functions["summary"]
        self.game.policy = <policy_t><size_t>next(iter(policies.values()))
        self.game.evaluate = <evaluate_t><size_t>functions.get("evaluate", 0)
        self.game.key = <key_t><size_t>functions["key"]
