"""What one run may spend. A call is let through only if what it is expected to use still fits."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


class BudgetSpentError(Exception):
    """A call does not fit any more, and no call under way may still leave room for it."""


@dataclass(slots=True)
class Spending:
    """The running totals of a run against its limits (None: no limit). Calls under way are held by their estimate.

    The total goes beyond a limit by no more than what the calls then under way use above their estimates.
    """

    cost_limit: float | None = None
    token_limit: int | None = None
    cost: float = 0.0
    tokens: int = 0
    cost_is_known: bool = True
    _held_cost: float = 0.0
    _held_tokens: int = 0
    _under_way: int = 0
    _change: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_limited(self) -> bool:
        return self.cost_limit is not None or self.token_limit is not None

    @asynccontextmanager
    async def hold(self, tokens: int, cost: float) -> AsyncGenerator[None]:
        """Reserve an expected use while a call is under way, waiting for those before it where they may leave room.

        Raises BudgetSpentError where it does not fit and nothing is under way.
        """
        while not self._fits(tokens, cost):
            if self._under_way == 0:
                raise BudgetSpentError
            await self._change.wait()
        self._under_way += 1
        self._held_tokens += tokens
        self._held_cost += cost
        try:
            yield
        finally:
            self._under_way -= 1
            self._held_tokens -= tokens
            self._held_cost -= cost
            self._change.set()
            self._change = asyncio.Event()

    def spend(self, tokens: int, cost: float | None) -> None:
        """Book what a finished call used; a cost of None makes the total unknown."""
        self.tokens += tokens
        if cost is None:
            self.cost_is_known = False
        else:
            self.cost += cost

    def _fits(self, tokens: int, cost: float) -> bool:
        if self.token_limit is not None and self.tokens + self._held_tokens + tokens > self.token_limit:
            return False
        return self.cost_limit is None or self.cost + self._held_cost + cost <= self.cost_limit
