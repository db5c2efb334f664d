"""How many calls may be open on one account: slow start, additive increase, one cut per rate-limit episode."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

_FIRST_WINDOW = 16


class AdaptiveLimiter:
    """An adaptive limit on concurrent calls (AIMD, as TCP's congestion window), for one event loop.

    The window starts small and grows by one a success until the first rate limit, then by one a window. A rate limit
    halves it once an episode: replies to calls sent before the cut do not cut again. `Retry-After` holds back every
    call of the account until it has passed.
    """

    def __init__(self, max_concurrency: int) -> None:
        self.max_concurrency = max_concurrency
        self._max = float(max_concurrency)
        self._window = min(float(_FIRST_WINDOW), self._max)
        self._threshold = self._max
        self._open = 0
        self._ahead: deque[asyncio.Future[None]] = deque()
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._cut_at = float("-inf")
        self._paused_until = float("-inf")

    @property
    def window(self) -> float:
        """The calls that may be open now."""
        return self._window

    @asynccontextmanager
    async def slot(self, *, ahead: bool = False) -> AsyncGenerator[float]:
        """Wait for a free slot; gives the time of sending, which `limited` wants back.

        Who comes `ahead` is served before the others: work that further calls depend on, so that none is left over
        for the end, when nothing else could be called beside it.
        """
        await self._acquire(self._ahead if ahead else self._waiting)
        try:
            while (pause := self._paused_until - time.monotonic()) > 0:
                await asyncio.sleep(pause)
            yield time.monotonic()
        finally:
            self._open -= 1
            self._wake()

    def succeeded(self) -> None:
        """A call was answered: widen the window."""
        step = 1.0 if self._window < self._threshold else 1.0 / self._window
        self._window = min(self._max, self._window + step)
        self._wake()

    def limited(self, sent_at: float, retry_after: float) -> None:
        """A call sent at `sent_at` met a rate limit, with the endpoint's `Retry-After` in seconds (0: it gave none)."""
        now = time.monotonic()
        if sent_at > self._cut_at:
            self._window = max(1.0, self._window / 2)
            self._threshold = self._window
            self._cut_at = now
        self._paused_until = max(self._paused_until, now + retry_after)

    async def _acquire(self, queue: deque[asyncio.Future[None]]) -> None:
        if self._open < int(self._window) and not self._ahead and not self._waiting:
            self._open += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._open -= 1
                self._wake()
            raise

    def _wake(self) -> None:
        while (queue := self._ahead or self._waiting) and self._open < int(self._window):
            turn = queue.popleft()
            if not turn.done():
                self._open += 1
                turn.set_result(None)
