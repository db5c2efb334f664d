"""How to ask a public server: one request at a time, a pause after each, patience with passing faults."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Never, TypeVar

from resources.http import HttpError, Received, exchange, open_session

if TYPE_CHECKING:
    from aiohttp import ClientSession

T = TypeVar("T")

BACKOFF_S = (2.0, 4.0, 8.0)
"""The waits before the second, third and fourth try."""

# A server that asks to wait for longer than this is left for the next run.
_LONGEST_WAIT_S = 120.0

_TIMEOUT_S = 60.0
_MAX_BYTES = 32 * 2**20


class EmptyReplyError(HttpError):
    """A reply of status 200 without a body, twice in a row."""


class Polite:
    """Requests to one server, one after the other, at least `min_interval_s` seconds from the end of one to the next.

    Belongs to one event loop.
    """

    def __init__(self, min_interval_s: float = 1.0, backoff_s: Sequence[float] = BACKOFF_S) -> None:
        self._min_interval_s = min_interval_s
        self._backoff_s = tuple(backoff_s)
        self._turn = asyncio.Lock()
        self._ended_at: float | None = None

    async def run(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """What `attempt` returns, tried again after transient errors; `Retry-After` is honoured up to two minutes.

        Raises the last HttpError; other errors pass at once.
        """
        async with self._turn:
            for number in range(len(self._backoff_s) + 1):
                await self._pause()
                try:
                    return await attempt()
                except HttpError as error:
                    wish = error.retry_after or 0.0
                    retries = min(len(self._backoff_s), error.most_retries)
                    error.tries = number + 1
                    if not error.transient or number >= retries or wish > _LONGEST_WAIT_S:
                        raise
                    wait = max(self._backoff_s[number], wish)
                finally:
                    self._ended_at = time.monotonic()
                await asyncio.sleep(wait)
        raise AssertionError("the last try returns or raises")

    async def _pause(self) -> None:
        if self._ended_at is not None:
            left = self._ended_at + self._min_interval_s - time.monotonic()
            if left > 0:
                await asyncio.sleep(left)


class JsonService:
    """A service that answers in JSON, asked politely."""

    def __init__(self, polite: Polite) -> None:
        self._polite = polite
        self._session: ClientSession | None = None

    async def ask(self, method: str, url: str, **request: Any) -> Any:
        """The JSON value of the reply; `request` goes to the HTTP client (params, json, headers).

        A reply that is no JSON is asked for again like a server's fault, an empty one only once more. Raises HttpError.
        """
        return await self._polite.run(lambda: self._once(method, url, request))

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _once(self, method: str, url: str, request: dict[str, Any]) -> Any:
        if self._session is None:
            self._session = open_session(by_proxy=True)
        headers = {"Accept": "application/json", **request.get("headers", {})}
        received = await exchange(
            self._session,
            method,
            url,
            timeout_s=_TIMEOUT_S,
            max_bytes=_MAX_BYTES,
            **{**request, "headers": headers},
        )
        return _json(received)


def _json(received: Received) -> Any:
    if received.location is not None:
        where = received.location.split("?")[0][:200]
        raise HttpError(f"the server points to another address, {where}; use that one")
    if not received.body.strip():
        raise EmptyReplyError("the reply is empty", status=200, transient=True, most_retries=1)
    try:
        return json.loads(received.body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise HttpError(f"the reply is no JSON but {received.content_type}", status=200, transient=True) from None


def _no_constant(name: str) -> Never:
    raise ValueError(f"{name} is not JSON")
