"""Group commit: what many coroutines ask at the same time goes to one thread as one batch."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")

_LARGEST_BATCH = 500


class Batcher(Generic[Item, Answer]):
    """A thread that answers items, all that wait at once.

    `handle` gets a list of items and returns an answer, or the exception to raise, for each, in their order. While
    it works the next batch gathers by itself: no delay is added. Usable from any number of event loops.
    """

    def __init__(self, name: str, handle: Callable[[list[Item]], Sequence[Answer | Exception]]) -> None:
        self._handle = handle
        self._change = threading.Condition()
        self._waiting: list[tuple[Item, asyncio.Future[Answer]]] = []
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    async def ask(self, item: Item) -> Answer:
        """Hand in an item and wait for its answer. A caller that is cancelled does not withdraw its item.

        Raises RuntimeError after `close`.
        """
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        with self._change:
            if self._closed:
                raise RuntimeError(f"{self._thread.name} is closed")
            self._waiting.append((item, future))
            if len(self._waiting) == 1:
                self._change.notify()
        return await future

    def close(self) -> None:
        """Answer all that wait, then end the thread. Once is enough, more does no harm."""
        with self._change:
            self._closed = True
            self._change.notify()
        self._thread.join()

    def _work(self) -> None:
        while True:
            with self._change:
                while not self._waiting and not self._closed:
                    self._change.wait()
                batch, self._waiting = self._waiting[:_LARGEST_BATCH], self._waiting[_LARGEST_BATCH:]
            if not batch:
                return
            try:
                answers = self._handle([item for item, _ in batch])
            except Exception as error:
                answers = [error] * len(batch)
            self._wake([future for _, future in batch], answers)

    def _wake(self, futures: list[asyncio.Future[Answer]], answers: Sequence[Answer | Exception]) -> None:
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Answer], Answer | Exception]]] = {}
        for future, answer in zip(futures, answers, strict=True):
            by_loop.setdefault(future.get_loop(), []).append((future, answer))
        for loop, settled in by_loop.items():
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits there any more
                loop.call_soon_threadsafe(_settle, settled)


def _settle(settled: "list[tuple[asyncio.Future[Answer], Answer | Exception]]") -> None:
    for future, answer in settled:
        if future.done():
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)
