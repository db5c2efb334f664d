"""Ingestion from the Press Corner, against a server that plays it with its faults."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from faithflow.corpus.document import CorpusContent, Document
from faithflow.corpus.press_corner import Skipped
from faithflow.errors import CorpusError
from resources.http import USER_AGENT
from resources.polite import Polite
from resources.press_corner import PressCorner
from resources.web_fetch import WebFetcher
from tests.press_corner_server import BROKEN, EMPTY, LIST, NOT_JSON, NULL, Fault, PressCornerServer, Release

T = TypeVar("T")

SINCE, UNTIL = dt.date(2026, 1, 1), dt.date(2026, 3, 31)


def using(
    server: PressCornerServer, work: Callable[[PressCorner], Awaitable[T]], cache: Path | None = None, retries: int = 3
) -> T:
    async def run() -> T:
        client = PressCorner(server.base_url, cache, Polite(0.0, [0.0] * retries))
        try:
            return await work(client)
        finally:
            await client.close()

    return asyncio.run(run())


def releases(count: int, start: int = 1, **more: object) -> list[Release]:
    """Documents on successive days from 1 January 2026 on."""
    return [
        Release(f"IP/26/{start + i}", f"Number {start + i}", SINCE + dt.timedelta(days=i % 90), **more)
        for i in range(count)
    ]


def references(items: Sequence[object]) -> list[str]:
    return [item.reference for item in items]


def collected(server: PressCornerServer, topics: Sequence[str], limit: int = 10, **more: object) -> CorpusContent:
    cache = more.pop("cache", None)
    return using(server, lambda client: client.collect(topics, SINCE, UNTIL, "en", limit, **more), cache)


# ---- searches


def test_a_search_gives_the_newest_documents_first_across_months() -> None:
    with PressCornerServer(releases(90)) as server:
        found = using(server, lambda client: client.search("harbours", SINCE, UNTIL, "en", 40))
        assert references(found) == [f"IP/26/{number}" for number in range(90, 50, -1)]
        assert [asked["datefrom"] for asked in server.asked("search")] == ["01032026", "01022026"]


def test_each_page_is_asked_for_by_the_lower_case_parameter() -> None:
    with PressCornerServer(releases(31), largest=10) as server:
        found = using(server, lambda client: client.search("harbours", SINCE, dt.date(2026, 1, 31), "en", 100))
        assert len(found) == 31
        assert [asked["pagenumber"] for asked in server.asked("search")] == ["1", "2", "3", "4"]
        assert all("pageNumber" not in asked for asked in server.asked("search"))


@pytest.mark.parametrize("clamps", [False, True])
def test_a_total_that_counts_phantoms_ends_with_the_documents(clamps: bool) -> None:
    with PressCornerServer(releases(25), phantoms=(1000, 3), largest=10, clamps=clamps) as server:
        found = using(server, lambda client: client.search("harbours", None, None, "en", 100))
        assert len(found) == 25
        assert len(server.asked("search")) == 4


@pytest.mark.parametrize("fault", [BROKEN, NOT_JSON, Fault(429, headers={"Retry-After": "0"})])
def test_a_page_that_fails_is_asked_for_again(fault: Fault) -> None:
    with PressCornerServer(releases(25), largest=10) as server:
        server.fail("page 2", fault, fault, fault)
        found = using(server, lambda client: client.search("harbours", None, None, "en", 100))
        assert len(found) == 25


@pytest.mark.parametrize("fault", [BROKEN, NOT_JSON, EMPTY, NULL, LIST, Fault(body="{}"), Fault(404)])
def test_a_page_that_keeps_failing_is_an_error_and_never_the_end_of_the_list(fault: Fault) -> None:
    with PressCornerServer(releases(25), largest=10) as server:
        server.fail("page 2", *[fault] * 10)
        with pytest.raises(CorpusError, match="'harbours', page 2, failed"):
            using(server, lambda client: client.search("harbours", None, None, "en", 100))


def test_one_reference_that_stands_twice_is_one_document() -> None:
    twice = [*releases(3), *releases(2)]
    with PressCornerServer(twice) as server:
        found = using(server, lambda client: client.search("harbours", None, None, "en", 100))
        assert sorted(references(found)) == ["IP/26/1", "IP/26/2", "IP/26/3"]


def test_releases_and_statements_are_searched_unless_other_types_are_named() -> None:
    mixed = [Release(f"{code}/26/1", code, SINCE) for code in ("IP", "STATEMENT", "MEX")]
    with PressCornerServer(mixed) as server:
        found = using(server, lambda client: client.search("harbours"))
        assert sorted(references(found)) == ["IP/26/1", "STATEMENT/26/1"]
        found = using(server, lambda client: client.search("harbours", types=()))
        assert len(found) == 3


def test_every_request_says_who_asks() -> None:
    with PressCornerServer(releases(1)) as server:
        collected(server, ["harbours"])
        assert {request.headers["User-Agent"] for request in server.requests} == {USER_AGENT}
        assert {request.headers["Accept"] for request in server.requests} == {"application/json"}


# ---- documents


@pytest.mark.parametrize(
    ("fault", "asked", "reason"),
    [(EMPTY, 2, "empty"), (NULL, 1, "null"), (LIST, 1, "a list"), (Fault(404), 1, "HTTP 404")],
)
def test_a_document_that_is_not_there_is_skipped_after_the_tries_that_make_sense(
    fault: Fault, asked: int, reason: str
) -> None:
    with PressCornerServer(releases(1)) as server:
        server.fail("IP/26/1", *[fault] * 10)
        found = using(server, lambda client: client.document("IP/26/1"))
        assert isinstance(found, Skipped)
        assert reason in found.reason
        assert len(server.asked("documents")) == asked


def test_an_empty_reply_that_was_an_accident_is_made_good_by_the_second_try() -> None:
    with PressCornerServer(releases(1)) as server:
        server.fail("IP/26/1", EMPTY)
        assert isinstance(using(server, lambda client: client.document("IP/26/1")), Document)


@pytest.mark.parametrize("fault", [BROKEN, NOT_JSON, Fault(body='{"a": NaN}'), Fault(301, headers={"Location": "/x"})])
def test_a_document_on_which_the_server_fails_is_an_error(fault: Fault) -> None:
    with PressCornerServer(releases(1)) as server:
        server.fail("IP/26/1", *[fault] * 10)
        with pytest.raises(CorpusError, match="IP/26/1"):
            using(server, lambda client: client.document("IP/26/1"))


def test_a_server_that_is_not_there_is_an_error_that_says_what_to_do() -> None:
    with PressCornerServer([]) as server:
        pass
    with pytest.raises(CorpusError, match="run the same command again"):
        collected(server, ["harbours"])


# ---- collections


def test_a_document_found_under_two_topics_is_one_with_both() -> None:
    shared = Release("IP/26/50", "Both", dt.date(2026, 3, 30), topics=("harbours", "rails"))
    with PressCornerServer([shared, *releases(3), *releases(3, 60, topics=("rails",))]) as server:
        content = collected(server, ["harbours", "rails", "harbours"], 4)
        assert references(content.documents) == [f"IP/26/{n}" for n in (50, 3, 2, 1, 62, 61, 60)]
        assert content.documents[0].topics == ("harbours", "rails")
        assert content.documents[1].topics == ("harbours",)
        assert len(server.asked("documents")) == 7
        assert content.warnings == ()


def test_the_next_newest_takes_the_place_of_a_document_without_text() -> None:
    with PressCornerServer([*releases(5), Release("IP/26/9", "PDF", UNTIL, html="")]) as server:
        server.fail("IP/26/5", *[BROKEN] * 10)
        content = collected(server, ["harbours"], 3)
        assert references(content.documents) == ["IP/26/4", "IP/26/3", "IP/26/2"]
        assert [warning.split(" ")[0] for warning in content.warnings] == ["IP/26/9", "IP/26/5"]
        assert "PDF alone" in content.warnings[0]


def test_too_few_documents_are_told() -> None:
    with PressCornerServer(releases(2)) as server:
        content = collected(server, ["harbours", "whales"], 3)
        assert [warning.split(":")[0] for warning in content.warnings] == ["topic 'harbours'", "topic 'whales'"]


def test_a_server_that_fails_three_times_in_a_row_ends_the_work() -> None:
    with PressCornerServer(releases(9)) as server:
        for number in (9, 8, 7):
            server.fail(f"IP/26/{number}", *[BROKEN] * 10)
        with pytest.raises(CorpusError, match="IP/26/7"):
            collected(server, ["harbours"])


def test_progress_is_told_document_by_document() -> None:
    said: list[str] = []
    with PressCornerServer(releases(2)) as server:
        collected(server, ["harbours"], 2, say=said.append)
    assert said == ["harbours: 1 of 2 documents", "harbours: 2 of 2 documents"]


def test_an_interrupted_collection_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with PressCornerServer(releases(9)) as server:
        for number in (6, 5, 4):
            server.fail(f"IP/26/{number}", *[BROKEN] * 4)
        with pytest.raises(CorpusError):
            collected(server, ["harbours"], 9, cache=tmp_path)
        before = len(server.requests)
        content = collected(server, ["harbours"], 9, cache=tmp_path)
        assert len(content.documents) == 9
        asked_again = [
            request.query["reference"] for request in server.requests[before:] if "documents" in request.path
        ]
        assert asked_again == [f"IP/26/{number}" for number in (6, 5, 4, 3, 2, 1)]
        before = len(server.asked("documents"))
        assert collected(server, ["harbours"], 9, cache=tmp_path) == content
        assert len(server.asked("documents")) == before


def test_what_may_change_by_tomorrow_is_not_kept(tmp_path: Path) -> None:
    later = [
        Release("IP/26/1", "Under embargo", SINCE, changes={"isEmbargo": True}),
        Release("IP/26/2", "No text yet", SINCE, html=""),
    ]
    with PressCornerServer(later) as server:
        for _ in range(2):
            content = collected(server, ["harbours"], 9, cache=tmp_path)
            assert [document.access for document in content.documents] == ["embargo"]
        assert len(server.asked("documents")) == 4


def test_a_damaged_file_of_the_cache_is_fetched_anew(tmp_path: Path) -> None:
    with PressCornerServer(releases(1)) as server:
        content = collected(server, ["harbours"], 1, cache=tmp_path)
        (kept,) = tmp_path.rglob("*.json")
        kept.write_bytes(kept.read_bytes()[:50])
        assert collected(server, ["harbours"], 1, cache=tmp_path) == content
        assert len(server.asked("documents")) == 2


# ---- feeds


def feed(*links: str) -> str:
    items = "".join(
        f"<item><title>Item {i}</title><link>{link}</link><pubDate>Fri, 18 Sep 2026 09:00:00 GMT</pubDate>"
        f"<description>An excerpt</description></item>"
        for i, link in enumerate(links)
    )
    return f'<rss version="2.0"><channel><title>News</title>{items}</channel></rss>'


def fed(server: PressCornerServer, url: str | None = None) -> CorpusContent:
    async def work(client: PressCorner) -> CorpusContent:
        fetcher = WebFetcher(allow_loopback=True)
        try:
            return await client.from_feed(url or f"{server.base_url}/api/rss?language=en", fetcher)
        finally:
            await fetcher.close()

    return using(server, work)


def test_a_feeds_documents_come_by_reference_and_never_from_its_excerpts() -> None:
    with PressCornerServer([Release("IP/26/1707", "Whole", SINCE, "<p>The whole text</p>", language="fr")]) as server:
        server.feed = feed(f"{server.base_url}/detail/fr/ip_26_1707", f"{server.base_url}/detail/fr/ip_26_1707")
        (document,) = fed(server).documents
        assert (document.reference, document.language, document.text) == ("IP/26/1707", "fr", "The whole text")


def test_other_addresses_of_a_feed_are_fetched_as_pages() -> None:
    with PressCornerServer([]) as server:
        server.feed = feed(f"{server.base_url}/robots", "http://10.0.0.1/secret", "file:///etc/passwd")
        content = fed(server)
        assert content.documents == ()
        assert "shows no text" in content.warnings[1]
        assert "10.0.0.1, which is no address of the public web" in content.warnings[2]
        assert "1 entries without an address" in content.warnings[0]


def test_a_feed_that_is_none_is_a_clear_error() -> None:
    with PressCornerServer([]) as server:
        with pytest.raises(CorpusError, match="no readable RSS"):
            fed(server)
        with pytest.raises(CorpusError, match="cannot be read"):
            fed(server, "http://10.0.0.1/rss")
