"""What was asked of stores and models once, kept for the next pipeline that asks the same."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

_MOST = 1_024
# Single passages, and the links of single passages: a few thousand characters each.
_MOST_PARTS = 8_192


class Memo:
    """The latest results of blocking work by what was asked. Who asks what another is being told waits for it.

    Pipelines ask much the same of one question: its nearest passages, a walk from these, their order by a reranker. It
    belongs to one event loop, like the tools beside it.
    """

    def __init__(self) -> None:
        self._held: OrderedDict[Hashable, asyncio.Future[Any]] = OrderedDict()
        self._parts: dict[tuple[str, str], Any] = {}

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

    async def each(self, kind: str, ids: Sequence[str], work: Callable[[list[str]], Mapping[str, T]]) -> dict[str, T]:
        """What `work`, done in a thread for the ids that are not known, says of each, in the order of the ids; without
        those of which it says nothing."""
        known = {each: self._parts[kind, each] for each in ids if (kind, each) in self._parts}
        unknown = [each for each in dict.fromkeys(ids) if each not in known]
        if unknown:
            said = await asyncio.to_thread(work, unknown)
            known |= {each: said.get(each) for each in unknown}
            self._parts |= {(kind, each): known[each] for each in unknown}
            while len(self._parts) > _MOST_PARTS:
                del self._parts[next(iter(self._parts))]
        return {each: known[each] for each in ids if known[each] is not None}

    def _drop_failed(self, asked: Hashable, done: "asyncio.Future[Any]") -> None:
        if (done.cancelled() or done.exception() is not None) and self._held.get(asked) is done:
            del self._held[asked]
