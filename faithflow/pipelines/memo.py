"""What was asked of stores and models once, kept for the next pipeline that asks the same."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")

_MOST = 1_024


class Memo:
    """The latest results of blocking work by what was asked. Who asks what another is being told waits for it.

    Pipelines ask much the same of one question: its nearest passages, a walk from these, their order by a reranker. It
    belongs to one event loop, like the tools beside it.
    """

    def __init__(self) -> None:
        self._held: OrderedDict[Hashable, asyncio.Future[Any]] = OrderedDict()

    async def of(self, asked: Hashable, work: Callable[[], T]) -> T:
        """The result of `work`, done in a thread unless it is known. What raised is raised to all who wait for it, and
        is not kept."""
        held = self._held.get(asked)
        if held is None:
            held = asyncio.ensure_future(asyncio.to_thread(work))
            held.add_done_callback(lambda done: self._drop_failed(asked, done))
            self._held[asked] = held
            if len(self._held) > _MOST:
                self._held.popitem(last=False)
        else:
            self._held.move_to_end(asked)
        # one who gives up must not take it from the others
        return await asyncio.shield(held)

    def _drop_failed(self, asked: Hashable, done: "asyncio.Future[Any]") -> None:
        if (done.cancelled() or done.exception() is not None) and self._held.get(asked) is done:
            del self._held[asked]
