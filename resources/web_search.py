"""Search engines: SerpApi, Serper and SearXNG. Each finds addresses; the pages come through the web fetcher."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, quote_plus

from faithflow.identity import Json
from faithflow.retrieval.model import WebError, WebPage, WebResult
from resources.http import HttpError
from resources.polite import JsonService, Polite
from resources.reply_cache import ReplyCache
from resources.web_fetch import WebFetcher

# A page of results is ten entries at all three, and a first page is all that is asked for.
_MOST_RESULTS = 10

# What is paid for by the search needs no more rest than this between two.
_PAUSE_S = 0.1


class _SearchEngine(ABC):
    """A `faithflow.retrieval.model.Web` over a JSON interface, asked one search at a time.

    `cache` is the folder of what was found, so that no search is paid for twice; one without results is not kept,
    because engines fail that way too. Belongs to one event loop.
    """

    name: str

    def __init__(
        self,
        fetcher: WebFetcher,
        cache: Path | None,
        *,
        base_url: str,
        polite: Polite,
        api_key: str = "",
    ) -> None:
        self._fetcher = fetcher
        self._cache = ReplyCache(cache) if cache else None
        self._base_url = base_url.rstrip("/")
        self._service = JsonService(polite)
        self._api_key = api_key
        self._turn = asyncio.Lock()

    async def search(self, query: str, k: int) -> list[WebResult]:
        """The first k results (of at most ten), each address once. Raises WebError where the engine fails; no result
        is an empty list."""
        async with self._turn:
            try:
                found = await self._found(query)
            except WebError as error:
                raise WebError(_without(self._api_key, f"{self.name}: {error}")) from None
        return found[:k]

    async def fetch(self, url: str) -> WebPage:
        return await self._fetcher.fetch(url)

    async def close(self) -> None:
        await self._service.close()
        await self._fetcher.close()

    @abstractmethod
    async def _ask(self, query: str) -> Any:
        """The engine's reply to a query. Raises HttpError."""

    @abstractmethod
    def _entries(self, reply: Mapping[str, Any]) -> Iterable[tuple[object, object, object]]:
        """Address, title and snippet of each result. Raises WebError where the reply reports a failure."""

    async def _found(self, query: str) -> list[WebResult]:
        asked: Json = ["search", self.name, self._base_url, query]
        kept = self._cache.get(asked) if self._cache else None
        if isinstance(kept, list):
            return [WebResult(*cast("list[str]", entry)) for entry in kept]
        reply = await self._ask(query)
        if not isinstance(reply, Mapping):
            raise WebError("the reply is no JSON object")
        results: dict[str, WebResult] = {}
        for url, title, snippet in self._entries(cast("Mapping[str, Any]", reply)):
            if isinstance(url, str) and url.startswith(("http://", "https://")):
                results.setdefault(url, WebResult(url, _line(title), _line(snippet)))
        found = list(results.values())[:_MOST_RESULTS]
        if self._cache and found:
            self._cache.put(asked, [[entry.url, entry.title, entry.snippet] for entry in found])
        return found


class SerpApi(_SearchEngine):
    """Google through serpapi.com (reply: `organic_results` of `link`, `title`, `snippet`)."""

    name = "serpapi"

    def __init__(
        self,
        fetcher: WebFetcher,
        api_key: str,
        cache: Path | None = None,
        *,
        base_url: str = "https://serpapi.com",
        polite: Polite | None = None,
    ) -> None:
        super().__init__(fetcher, cache, base_url=base_url, polite=polite or Polite(_PAUSE_S), api_key=api_key)

    async def _ask(self, query: str) -> Any:
        parameters = {"engine": "google", "q": query, "api_key": self._api_key}
        return await self._service.ask("GET", f"{self._base_url}/search.json", params=parameters)

    def _entries(self, reply: Mapping[str, Any]) -> Iterable[tuple[object, object, object]]:
        error = reply.get("error")
        # that Google found nothing is reported as an error too
        if isinstance(error, str) and "any results" not in error:
            raise WebError(error[:200])
        return _fields(reply.get("organic_results"), "link", "title", "snippet")


class Serper(_SearchEngine):
    """Google through serper.dev (reply: `organic` of `link`, `title`, `snippet`)."""

    name = "serper"

    def __init__(
        self,
        fetcher: WebFetcher,
        api_key: str,
        cache: Path | None = None,
        *,
        base_url: str = "https://google.serper.dev",
        polite: Polite | None = None,
    ) -> None:
        super().__init__(fetcher, cache, base_url=base_url, polite=polite or Polite(_PAUSE_S), api_key=api_key)

    async def _ask(self, query: str) -> Any:
        headers = {"X-API-KEY": self._api_key}
        return await self._service.ask("POST", f"{self._base_url}/search", json={"q": query}, headers=headers)

    def _entries(self, reply: Mapping[str, Any]) -> Iterable[tuple[object, object, object]]:
        if "organic" not in reply and isinstance(reply.get("message"), str):
            raise WebError(reply["message"][:200])
        return _fields(reply.get("organic"), "link", "title", "snippet")


class SearXng(_SearchEngine):
    """A SearXNG server of one's own, whose settings must allow the format json (reply: `results` of `url`, `title`,
    `content`)."""

    name = "searxng"

    def __init__(
        self,
        fetcher: WebFetcher,
        base_url: str,
        cache: Path | None = None,
        *,
        polite: Polite | None = None,
    ) -> None:
        super().__init__(fetcher, cache, base_url=base_url, polite=polite or Polite())

    async def _ask(self, query: str) -> Any:
        try:
            return await self._service.ask("GET", f"{self._base_url}/search", params={"q": query, "format": "json"})
        except HttpError as error:
            if error.status == 403:
                raise WebError("HTTP 403; add json to search.formats in the server's settings") from None
            raise

    def _entries(self, reply: Mapping[str, Any]) -> Iterable[tuple[object, object, object]]:
        silent = reply.get("unresponsive_engines")
        if not reply.get("results") and silent:
            raise WebError(f"none of its engines answered: {str(silent)[:200]}")
        return _fields(reply.get("results"), "url", "title", "content")


def _without(key: str, text: str) -> str:
    """The text without the key, as it stands or as addresses spell it."""
    for spelling in (key, quote(key, safe=""), quote_plus(key)) if key else ():
        text = text.replace(spelling, "[key]")
    return text


def _fields(entries: object, *names: str) -> Iterable[tuple[object, object, object]]:
    """The three named fields of each entry; what is no list, and no object in it, is passed over."""
    for entry in cast("list[object]", entries) if isinstance(entries, list) else []:
        if isinstance(entry, Mapping):
            fields = cast("Mapping[str, Any]", entry)
            address, title, text = (fields.get(name) for name in names)
            yield address, title, text


def _line(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
