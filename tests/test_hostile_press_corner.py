"""The Press Corner and its feeds where they contradict themselves, repeat themselves or point elsewhere."""

import asyncio
import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import pytest
from aiohttp import web

from faithflow.corpus.document import PUBLIC, Document
from faithflow.corpus.press_corner import EMBARGO, parse_document, parse_search
from faithflow.corpus.rss import parse_feed
from resources.polite import Polite
from resources.press_corner import PressCorner
from tests.press_corner_server import PHANTOM, Release
from tests.web_server import WebServer

FEED = "https://ec.europa.eu/commission/presscorner/api/rss"
DAY = dt.date(2026, 3, 4)


def entries(first: int, last: int) -> list[dict[str, Any]]:
    return [Release(f"IP/26/{number}", f"Number {number}", DAY).entry for number in range(first, last + 1)]


def found(page: Callable[[int], dict[str, Any]], limit: int = 1_000) -> tuple[list[str], int]:
    """What a search finds on a server of these pages (from 1), and how many pages were asked for."""

    async def answer(request: web.Request) -> web.StreamResponse:
        return web.json_response(page(int(request.query["pagenumber"])))

    async def search(url: str) -> list[str]:
        client = PressCorner(url, polite=Polite(0.0, [0.0]))
        try:
            return [item.reference for item in await client.search("ports", limit=limit)]
        finally:
            await client.close()

    with WebServer(answer) as server:
        return asyncio.run(search(server.url)), len(server.requests)


def pages_of(total: object, count: int = 250, size: int = 100, **more: Any) -> Callable[[int], dict[str, Any]]:
    every = entries(1, count)

    def page(number: int) -> dict[str, Any]:
        return {"totalNumber": total, "docuLanguageListResources": every[(number - 1) * size : number * size], **more}

    return page


@pytest.mark.parametrize("total", [0, 1, 100, 250, 9_999, None, "250", "many", True, -1, 2.5])
def test_a_total_that_lies_hides_no_document(total: object) -> None:
    references, asked = found(pages_of(total))
    assert len(set(references)) == len(references) == 250
    assert asked <= 4


def test_pages_that_are_smaller_than_asked_for_are_all_read() -> None:
    assert len(found(pages_of(10, count=50, size=10, pageSize=10))[0]) == 50


@pytest.mark.parametrize(
    "repeated", [[PHANTOM] * 100, entries(1, 100), [*entries(1, 50), *[PHANTOM] * 50], [{"refCode": None}]]
)
def test_a_page_that_comes_again_and_again_ends_the_search(repeated: list[dict[str, Any]]) -> None:
    references, asked = found(lambda _: {"totalNumber": 10**9, "docuLanguageListResources": repeated})
    assert len(set(references)) == len(references)
    assert asked < 10


def test_two_pages_that_take_turns_without_end_end_the_search() -> None:
    pages = [entries(1, 100), entries(101, 200)]
    references, asked = found(lambda n: {"totalNumber": 10**9, "docuLanguageListResources": pages[n % 2]})
    assert len(set(references)) == len(references) == 200
    assert asked < 10


def test_a_list_that_shrinks_while_it_is_read_gives_each_document_once() -> None:
    def page(number: int) -> dict[str, Any]:
        return {"totalNumber": 150, "docuLanguageListResources": [entries(1, 100), entries(91, 140), []][number - 1]}

    references, _ = found(page)
    assert references == [f"IP/26/{number}" for number in range(1, 141)]


@pytest.mark.parametrize(
    ("said", "access"),
    [
        (False, PUBLIC),
        (None, PUBLIC),
        ("false", PUBLIC),
        (True, EMBARGO),
        ("true", EMBARGO),
        (1, EMBARGO),
        ("Y", EMBARGO),
        ({}, EMBARGO),
    ],
)
def test_what_is_not_surely_free_of_an_embargo_is_not_public(said: object, access: str) -> None:
    payload = Release("IP/26/1", "One", DAY, changes={"isEmbargo": said}).payload
    document = parse_document(payload, "IP/26/1", "en")
    assert isinstance(document, Document)
    assert document.access == access


def test_a_reply_may_be_any_json_whose_lists_hold_anything() -> None:
    page = parse_search(json.loads('{"docuLanguageListResources": [null, [], "x", 1, {"refCode": ["IP/26/1"]}]}'))
    assert (page.entries, page.items, page.total) == (5, (), None)


def feed(*links: str) -> bytes:
    items = "".join(f"<item>{link}<title>One</title></item>" for link in links)
    return f'<rss version="2.0"><channel><title>News</title>{items}</channel></rss>'.encode()


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("<link>https://a.eu/x?a=1&amp;copy=2&amp;reg=3</link>", "https://a.eu/x?a=1&copy=2&reg=3"),
        ("<link>https://a.eu/x?a=1&amp;amp;b=2</link>", "https://a.eu/x?a=1&b=2"),
        ("<link><![CDATA[\n https://a.eu/x?a=1&b=2 \n]]></link>", "https://a.eu/x?a=1&b=2"),
        ("<link/><link>https://a.eu/second</link>", "https://a.eu/second"),
        ("<link>//a.eu/x</link>", "https://a.eu/x"),
        ("<link>../detail/x</link>", "https://ec.europa.eu/commission/presscorner/detail/x"),
    ],
)
def test_an_address_in_a_feed_is_an_address_and_no_html(written: str, address: str) -> None:
    assert [item.url for item in parse_feed(feed(written), FEED).items] == [address]


@pytest.mark.parametrize("written", ["file:///etc/hosts", "javascript:alert(1)", "data:text/html,x", "ftp://a.eu/", ""])
def test_an_entry_that_leads_out_of_the_web_has_no_address(written: str) -> None:
    read = parse_feed(feed(f"<link>{written}</link>"), FEED)
    assert (read.items, read.without_address) == ((), 1)


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/commission/presscorner/detail/en/ip_26_1900",
        "https://a.eu/?to=https://ec.europa.eu/commission/presscorner/detail/en/ip_26_1900",
        "https://ec.europa.eu.evil.example/commission/presscorner/detail/en/ip_26_1900",
    ],
)
def test_another_servers_page_is_no_document_of_the_press_corner(address: str) -> None:
    (item,) = parse_feed(feed(f"<link>{address}</link>"), FEED).items
    assert (item.reference, item.language, item.url) == (None, None, address)
