"""One HTTP exchange, held to a size and a time, with one kind of failure."""

import asyncio
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from faithflow import __version__
from faithflow.retrieval.model import WebError
from resources.retry_after import retry_after

if TYPE_CHECKING:
    from aiohttp import BaseConnector, ClientResponse, ClientSession

USER_AGENT = f"faithflow/{__version__} (evaluation of retrieval-augmented generation)"

REDIRECTS = frozenset({301, 302, 303, 307, 308})
_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_LONGEST_REASON = 300


class HttpError(WebError):
    """An exchange that failed. `status` is HTTP's, 0 where there was none; `transient` says that the same request may
    succeed when it is made again (at most `most_retries` times), after `retry_after` seconds where the server asks for
    that; `tries` counts how often it was made."""

    def __init__(
        self,
        reason: str,
        *,
        status: int = 0,
        transient: bool = False,
        retry_after: float | None = None,
        most_retries: int = 100,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        self.transient = transient
        self.retry_after = retry_after
        self.most_retries = most_retries
        self.tries = 1

    def __str__(self) -> str:
        return self.reason if self.tries == 1 else f"{self.reason} ({self.tries} tries)"


@dataclass(frozen=True, slots=True)
class Received:
    """A reply with its whole body (bytes, decompressed); `location` is set, and the body empty, for a redirect."""

    content_type: str
    charset: str | None
    body: bytes
    location: str | None = None


def open_session(connector: "BaseConnector | None" = None, *, by_proxy: bool) -> "ClientSession":
    """A session without cookies that says who it is. `by_proxy`: through the proxy of the environment, if it names one.

    Needs a running event loop; the caller closes it.
    """
    from aiohttp import ClientSession, DummyCookieJar

    # no encoding but these two: every decoder is a way to send a small bomb
    headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "gzip, deflate"}
    return ClientSession(connector=connector, cookie_jar=DummyCookieJar(), headers=headers, trust_env=by_proxy)


async def exchange(
    session: "ClientSession",
    method: str,
    url: Any,
    *,
    timeout_s: float,
    max_bytes: int,
    types: Collection[str] | None = None,
    **request: Any,
) -> Received:
    """Send one request and read its reply. `types`: the media types whose bodies are read at all (None: every one).

    Redirects are not followed. Raises HttpError for every failure: no connection, no whole reply within `timeout_s`,
    more than `max_bytes` (compressed or not), another status than 200, another type.
    """
    from aiohttp import ClientConnectionError, ClientError, ClientPayloadError
    from aiohttp.http_exceptions import HttpProcessingError

    try:
        async with (
            asyncio.timeout(timeout_s),
            session.request(method, url, allow_redirects=False, **request) as response,
        ):
            if response.status in REDIRECTS:
                return Received("", None, b"", response.headers.get("Location", ""))
            if response.status != 200:
                raise await _refusal(response)
            if types is not None and response.content_type not in types:
                raise HttpError(f"it is {response.content_type}, which is not read")
            body = await _body(response, max_bytes)
            return Received(response.content_type, _charset(response), body)
    except TimeoutError:
        raise HttpError(f"no whole reply within {timeout_s:g} s", transient=True) from None
    except (ClientError, HttpProcessingError, OSError, ValueError) as error:
        refused = _denied(error)
        if refused is not None:
            raise HttpError(refused) from None
        passing = isinstance(error, ClientConnectionError | ClientPayloadError)
        reason = f"no reply ({type(error).__name__}: {error})"
        raise HttpError(reason[:_LONGEST_REASON], transient=passing) from None


async def _body(response: "ClientResponse", max_bytes: int) -> bytes:
    too_large = HttpError(f"it is larger than {max_bytes / 2**20:g} MiB")
    if response.content_length is not None and response.content_length > max_bytes:
        raise too_large
    parts: list[bytes] = []
    size = 0
    async for part in response.content.iter_any():
        size += len(part)
        if size > max_bytes:
            raise too_large
        parts.append(part)
    return b"".join(parts)


async def _refusal(response: "ClientResponse") -> HttpError:
    """The error of a status other than 200, with what a JSON reply says about it."""
    reason = f"HTTP {response.status}"
    if response.content_type.endswith(("/json", "+json")):
        said = _message(await response.content.read(4096))
        reason = f"{reason}: {said}" if said else reason
    return HttpError(
        reason[:_LONGEST_REASON],
        status=response.status,
        transient=response.status in _TRANSIENT,
        retry_after=retry_after(response.headers),
    )


def _message(body: bytes) -> str:
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    fields = cast("Mapping[str, Any]", payload) if isinstance(payload, Mapping) else {}
    return next((fields[name] for name in ("error", "message") if isinstance(fields.get(name), str)), "")


def _charset(response: "ClientResponse") -> str | None:
    try:
        return response.charset
    except (RuntimeError, ValueError):
        return None


def _denied(error: BaseException) -> str | None:
    """What our own refusal of an address said, where one is at the bottom of a client's error."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, AddressDeniedError):
            return str(cause)
        cause = cause.__cause__ or cause.__context__
    return None


class AddressDeniedError(PermissionError):
    """An address that must not be connected to. An OSError, because HTTP clients expect those of a resolver."""
