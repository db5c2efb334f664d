"""The European Commission's Press Corner over HTTP: searches, documents, and feeds that point to them."""

import datetime as dt
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

from faithflow.corpus.document import PUBLIC, CorpusContent, Document
from faithflow.corpus.press_corner import (
    SITE,
    PressCornerReplyError,
    SearchItem,
    SearchPage,
    Skipped,
    day_of,
    parse_document,
    parse_search,
    search_parameters,
    windows,
)
from faithflow.corpus.rss import FeedItem, parse_feed
from faithflow.errors import CorpusError
from faithflow.retrieval.model import WebError, WebPage
from resources.http import HttpError
from resources.polite import EmptyReplyError, JsonService, Polite
from resources.reply_cache import ReplyCache
from resources.web_fetch import WebFetcher

RELEASES_AND_STATEMENTS = ("IP", "STATEMENT")
"""The types of document that the topics of the study's first source were made of (press releases and statements)."""

Say = Callable[[str], None]
"""Takes a line that tells a person how far the work is."""

_NOT_THERE = frozenset({400, 404, 410})
_GO_ON = "run the same command again, it goes on with what it has"

# So many pages of a search in a row without a new document: there will be none.
_MOST_IDLE_PAGES = 5

# So many documents in a row that cannot be had: it is the server, not they.
_MOST_FAILURES_IN_A_ROW = 3


class PressCorner:
    """A client of the Press Corner, one request a second.

    `cache` is a folder that keeps the replies of public documents, so that an interrupted ingestion goes on where it
    stopped; searches are made anew. Belongs to one event loop.
    """

    def __init__(self, base_url: str = SITE, cache: Path | None = None, polite: Polite | None = None) -> None:
        self._base_url = base_url.rstrip("/")
        self._cache = ReplyCache(cache) if cache else None
        self._polite = polite or Polite()
        self._service = JsonService(self._polite)

    async def search(
        self,
        topic: str,
        since: dt.date | None = None,
        until: dt.date | None = None,
        language: str = "en",
        limit: int = 10,
        types: Sequence[str] = RELEASES_AND_STATEMENTS,
    ) -> list[SearchItem]:
        """The newest documents that a keyword search finds between two days (both included), each reference once.

        Raises CorpusError where a page cannot be had: a list that ends early would pass for the whole.
        """
        items: list[SearchItem] = []
        async with aclosing(self._found(topic, since, until, language, types)) as found:
            async for item in found:
                items.append(item)
                if len(items) == limit:
                    break
        return items

    async def document(self, reference: str, language: str = "en", topics: Sequence[str] = ()) -> Document | Skipped:
        """The document of a reference in a language, or why there is none.

        Raises CorpusError where the server fails: then nothing is known of the document.
        """
        asked = ["press_corner", self._base_url, reference, language]
        kept = self._cache.get(asked) if self._cache else None
        if kept is not None:
            return parse_document(kept, reference, language, topics)
        try:
            payload = await self._ask("documents", {"reference": reference, "language": language})
        except HttpError as error:
            # some references of the archive have an empty reply for good
            if isinstance(error, EmptyReplyError) or error.status in _NOT_THERE:
                return Skipped(reference, language, str(error))
            raise CorpusError(f"{reference} ({language}) is not given by {self._base_url}: {error}; {_GO_ON}") from None
        parsed = parse_document(payload, reference, language, topics)
        # what is under embargo, or has no text yet, may have one tomorrow
        if self._cache and isinstance(parsed, Document) and parsed.access == PUBLIC:
            self._cache.put(asked, payload)
        return parsed

    async def collect(
        self,
        topics: Sequence[str],
        since: dt.date | None,
        until: dt.date | None,
        language: str = "en",
        limit_per_topic: int = 10,
        types: Sequence[str] = RELEASES_AND_STATEMENTS,
        say: Say = lambda _: None,
    ) -> CorpusContent:
        """The newest documents of each topic; one found under two topics is one document with both.

        A document that cannot be had is named in `warnings`, and the next newest takes its place. Raises CorpusError
        where a search fails, or three documents in a row.
        """
        documents: dict[str, Document] = {}
        gathering = _Gathering(self, language)
        for topic in dict.fromkeys(topics):
            count = 0
            async with aclosing(self._found(topic, since, until, language, types)) as found:
                async for item in found:
                    known = documents.get(item.reference) or await gathering.document(item.reference, language)
                    if known is not None:
                        documents[item.reference] = replace(known, topics=(*known.topics, topic))
                        count += 1
                        say(f"{topic}: {count} of {limit_per_topic} documents")
                    if count == limit_per_topic:
                        break
            if count < limit_per_topic:
                gathering.warnings.append(f"topic {topic!r}: {count} documents, {limit_per_topic} were asked for")
        return CorpusContent(tuple(documents.values()), warnings=tuple(gathering.warnings))

    async def from_feed(
        self, url: str, fetcher: WebFetcher, language: str = "en", say: Say = lambda _: None
    ) -> CorpusContent:
        """The documents that an RSS 2.0 feed points to: the Press Corner's by reference, others as web pages (kind
        "web", in `language`, dated by the page, else by the feed).

        What cannot be had is named in `warnings`. Raises CorpusError where the feed cannot be read, or three documents
        of the Press Corner in a row.
        """
        try:
            body = await self._polite.run(lambda: fetcher.download(url))
        except WebError as error:
            raise CorpusError(f"the feed cannot be read: {error}; check its address") from None
        feed = parse_feed(body, url)
        documents: dict[str, Document] = {}
        gathering = _Gathering(self, language)
        if feed.without_address:
            gathering.warnings.append(f"{url}: {feed.without_address} entries without an address were passed over")
        for number, item in enumerate(feed.items, start=1):
            document = await gathering.item(item, fetcher)
            if document is not None:
                documents.setdefault(document.document_id, document)
            say(f"{feed.title or url}: {number} of {len(feed.items)} entries")
        return CorpusContent(tuple(documents.values()), warnings=tuple(gathering.warnings))

    async def close(self) -> None:
        await self._service.close()

    async def page(self, fetcher: WebFetcher, url: str) -> WebPage:
        """A page of the web, asked for as politely as the Press Corner. Raises WebError."""
        return await self._polite.run(lambda: fetcher.fetch(url))

    async def _found(
        self, topic: str, since: dt.date | None, until: dt.date | None, language: str, types: Sequence[str]
    ) -> AsyncGenerator[SearchItem]:
        """What a search finds, month by month and page by page, each reference once.

        The total may count entries that never come, or be too small: beside a page that is not full it ends the list.
        So does an empty page, the page before once more, and some pages in a row that bring nothing new.
        """
        seen: set[str] = set()
        for start, end in windows(since, until):
            page, entries, idle = 1, 0, 0
            before: tuple[SearchItem, ...] = ()
            while True:
                found = await self._page(search_parameters(topic, start, end, language, types, page))
                entries += found.entries
                new = {item.reference: item for item in found.items if item.reference not in seen}
                seen.update(new)
                for item in new.values():
                    yield item
                idle = 0 if new else idle + 1
                is_counted = found.total is not None and entries >= found.total and not found.is_full
                if not found.entries or is_counted or found.items == before != () or idle == _MOST_IDLE_PAGES:
                    break
                page, before = page + 1, found.items

    async def _page(self, parameters: dict[str, str]) -> SearchPage:
        try:
            return parse_search(await self._ask("search", parameters))
        except (HttpError, PressCornerReplyError) as error:
            where = f"the search of {self._base_url} for {parameters['global']!r}, page {parameters['pagenumber']}"
            raise CorpusError(f"{where}, failed: {error}; {_GO_ON}") from None

    async def _ask(self, name: str, parameters: dict[str, str]) -> Any:
        return await self._service.ask("GET", f"{self._base_url}/api/{name}", params=parameters)


class _Gathering:
    """Documents taken one by one, with a word on each that cannot be had, until too many in a row cannot."""

    def __init__(self, client: PressCorner, language: str) -> None:
        self._client = client
        self._language = language
        self._left_out: set[str] = set()
        self._failures = 0
        self.warnings: list[str] = []

    async def document(self, reference: str, language: str) -> Document | None:
        if reference in self._left_out:
            return None
        try:
            document = await self._client.document(reference, language)
        except CorpusError as error:
            self._failures += 1
            if self._failures == _MOST_FAILURES_IN_A_ROW:
                raise
            self._leave_out(reference, str(error))
            return None
        self._failures = 0
        if isinstance(document, Skipped):
            self._leave_out(reference, f"{reference} ({language}) left out: {document.reason}")
            return None
        return document

    async def item(self, item: FeedItem, fetcher: WebFetcher) -> Document | None:
        if item.reference is not None:
            return await self.document(item.reference, item.language or self._language)
        try:
            page = await self._client.page(fetcher, item.url)
        except WebError as error:
            self._leave_out(item.url, f"left out: {error}")
            return None
        date = day_of(page.date) or item.date
        return Document(
            reference=page.url,
            kind="web",
            title=page.title or item.title,
            text=page.text,
            date=date,
            language=self._language,
            source_url=page.url,
            valid_from=date,
        )

    def _leave_out(self, reference: str, warning: str) -> None:
        self._left_out.add(reference)
        self.warnings.append(warning)
