"""Pages of the open web. Whatever an address says, nothing of this machine or its network is reached by it.

An address comes from a search engine, a feed or a redirect: from strangers. So the address that a connection is made
to is what is checked, each time one is made: there is no gap between the check and the connection, and no spelling of
an address (decimal, octal, IPv4 within IPv6) and no name that resolves to one passes by. Proxies are not used: behind
one, there would be no address to check.
"""

import asyncio
import ipaddress
import re
import socket
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from faithflow.retrieval.model import WebError, WebPage
from faithflow.text.charset import decoded, is_text
from resources.http import AddressDeniedError, HttpError, Received, exchange, open_session
from resources.reply_cache import ReplyCache
from resources.web_page import page_of

if TYPE_CHECKING:
    from aiohttp import BaseConnector, ClientSession
    from yarl import URL

_HTML = ("text/html", "application/xhtml+xml")
_PLAIN = "text/plain"
_PORTS = (80, 443)
_LONGEST_URL = 4096
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\]")

_TIMEOUT_S = 30.0
_MAX_BYTES = 5 * 2**20
_MOST_REDIRECTS = 5

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
# Reachable from everywhere by the registries, and yet a machine's own: the metadata services of two clouds.
_METADATA = frozenset(ipaddress.IPv4Address(address) for address in ("168.63.129.16", "192.0.0.192"))


class WebFetcher:
    """Fetches pages over http and https, at most 5 MiB (decompressed), in at most 30 s, over at most 5 redirects.

    `cache`: a folder in which pages are kept by their address. `allow_loopback` lets in this machine's own servers, on
    any port: for tests alone. Belongs to one event loop.
    """

    def __init__(self, cache: Path | None = None, *, allow_loopback: bool = False) -> None:
        self._cache = ReplyCache(cache) if cache else None
        self._allow_loopback = allow_loopback
        self._session: ClientSession | None = None

    async def fetch(self, url: str) -> WebPage:
        """The page at an address, its main text alone. Raises WebError with the reason where there is none."""
        asked = ["page", url]
        kept = self._cache.get(asked) if self._cache else None
        if isinstance(kept, dict):
            return WebPage(**{name: str(kept[name]) for name in ("url", "title", "text", "date")})
        final, received = await self._follow(url, (*_HTML, _PLAIN))
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                page = await asyncio.to_thread(_page, final, received)
        except TimeoutError:
            raise WebError(f"{url}: its main text could not be told from the rest within {_TIMEOUT_S:g} s") from None
        if not page.text:
            raise WebError(f"{url}: the page shows no text")
        if self._cache:
            self._cache.put(asked, {"url": page.url, "title": page.title, "text": page.text, "date": page.date})
        return page

    async def download(self, url: str) -> bytes:
        """What lies at an address, whatever it is, under the same caps. Raises WebError."""
        _, received = await self._follow(url, None)
        return received.body

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _follow(self, url: str, types: Collection[str] | None) -> tuple[str, Received]:
        """The reply at the end of the redirects, and its address. Each address on the way is checked like the first."""
        from yarl import URL

        try:
            async with asyncio.timeout(_TIMEOUT_S):
                target = self._checked(url)
                for _ in range(_MOST_REDIRECTS + 1):
                    received = await exchange(
                        self._connected(), "GET", target, timeout_s=_TIMEOUT_S, max_bytes=_MAX_BYTES, types=types
                    )
                    if received.location is None:
                        return str(target), received
                    target = self._checked(str(target.join(URL(received.location))))
        except TimeoutError:
            raise HttpError(f"{url}: no whole reply within {_TIMEOUT_S:g} s", transient=True) from None
        except ValueError:
            raise WebError(f"{url}: it points to an address that is none") from None
        except HttpError as error:
            raise HttpError(
                f"{url}: {error.reason}",
                status=error.status,
                transient=error.transient,
                retry_after=error.retry_after,
            ) from None
        raise WebError(f"{url}: more than {_MOST_REDIRECTS} redirects")

    def _checked(self, url: str) -> "URL":
        """A web address without user, password and unusual port. Where it leads is checked when it is connected to."""
        from yarl import URL

        shown = url[:200]
        if len(url) > _LONGEST_URL or _UNSAFE.search(url):
            raise WebError(f"{shown!r}: an address that is too long or holds blanks, controls or backslashes")
        try:
            parsed = URL(url)
            port, host, user, password = parsed.port, parsed.host, parsed.user, parsed.password
        except ValueError as error:
            raise WebError(f"{shown!r}: no address of a page ({error})") from None
        if parsed.scheme not in ("http", "https") or not host:
            raise WebError(f"{shown!r}: only http and https addresses are fetched")
        if user is not None or password is not None:
            raise WebError(f"{host}: an address that holds a user or a password is not fetched")
        if port not in _PORTS and not self._allow_loopback:
            raise WebError(f"{shown!r}: port {port} is not one of the web's (80, 443)")
        return parsed.with_fragment(None)

    def _connected(self) -> "ClientSession":
        if self._session is None:
            self._session = open_session(_connector(self._allow_loopback), by_proxy=False)
        return self._session


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet, as an address of this machine's networks does not.

    Refused: private, loopback, link-local, shared (carrier-grade NAT), multicast, reserved and unspecified addresses,
    metadata services, and IPv6 addresses that stand for such an IPv4 one (mapped, NAT64, 6to4, Teredo).
    """
    ip = ipaddress.ip_address(address.split("%")[0])
    if isinstance(ip, ipaddress.IPv4Address):
        return ip.is_global and not ip.is_multicast and ip not in _METADATA
    if ip.ipv4_mapped is not None:
        return is_public(str(ip.ipv4_mapped))
    if ip in _NAT64:
        return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    return ip in _GLOBAL_UNICAST and ip.is_global and ip.sixtofour is None and ip.teredo is None


def _connector(allow_loopback: bool) -> "BaseConnector":
    """A connector that refuses a name as soon as one of its addresses is not public, and then each address itself."""
    from aiohttp import TCPConnector, ThreadedResolver
    from aiohttp.abc import AbstractResolver, ResolveResult

    def check(address: str) -> None:
        ip = ipaddress.ip_address(address.split("%")[0])
        if not (is_public(address) or (allow_loopback and ip.is_loopback)):
            raise AddressDeniedError(f"it leads to {address}, which is no address of the public web")

    class CheckedResolver(AbstractResolver):
        def __init__(self) -> None:
            self._resolver = ThreadedResolver()

        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
        ) -> list[ResolveResult]:
            found = await self._resolver.resolve(host, port, family)
            for result in found:
                check(result["host"])
            return found

        async def close(self) -> None:
            await self._resolver.close()

    def socket_for(address: tuple[Any, ...]) -> socket.socket:
        # addresses written as numbers come here without having been resolved
        family, kind, protocol, _, where = address
        check(str(where[0]))
        return socket.socket(family, kind, protocol)

    return TCPConnector(resolver=CheckedResolver(), socket_factory=socket_for, use_dns_cache=False)


def _page(url: str, received: Received) -> WebPage:
    text = decoded(received.body, received.charset)
    if not is_text(text):
        raise WebError(f"{url}: it says that it is {received.content_type}, and is no text")
    if received.content_type != _PLAIN:
        return page_of(text, url)
    lines = (" ".join(line.split()) for line in text.replace("\x00", "").splitlines())
    return WebPage(url, "", re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip())
