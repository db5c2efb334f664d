"""What one run may spend. A call is let through only if what it is expected to use still fits."""

from dataclasses import dataclass


@dataclass(slots=True)
class Spending:
    """The running totals of a run against its limits (None: no limit). Calls under way are held by their estimate."""

    cost_limit: float | None = None
    token_limit: int | None = None
    cost: float = 0.0
    tokens: int = 0
    cost_is_known: bool = True
    _held_cost: float = 0.0
    _held_tokens: int = 0

    @property
    def is_limited(self) -> bool:
        return self.cost_limit is not None or self.token_limit is not None

    def hold(self, tokens: int, cost: float) -> bool:
        """Reserve an expected use; False where it does not fit any more."""
        if self.token_limit is not None and self.tokens + self._held_tokens + tokens > self.token_limit:
            return False
        if self.cost_limit is not None and self.cost + self._held_cost + cost > self.cost_limit:
            return False
        self._held_tokens += tokens
        self._held_cost += cost
        return True

    def release(self, tokens: int, cost: float) -> None:
        """Give a reservation back, whatever became of the call."""
        self._held_tokens -= tokens
        self._held_cost -= cost

    def spend(self, tokens: int, cost: float | None) -> None:
        """Book what a finished call used; a cost of None makes the total unknown."""
        self.tokens += tokens
        if cost is None:
            self.cost_is_known = False
        else:
            self.cost += cost
