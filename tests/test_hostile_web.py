"""Pages of the web that are not what they say, and addresses that lead elsewhere on the way."""

import asyncio
import gzip
import random

import pytest
from aiohttp import web

from faithflow.retrieval.model import WebError, WebPage
from resources.web_fetch import WebFetcher
from tests.web_server import Handler, WebServer


def fetched(handler: Handler) -> WebPage:
    async def fetch(url: str) -> WebPage:
        fetcher = WebFetcher(allow_loopback=True)
        try:
            return await fetcher.fetch(url)
        finally:
            await fetcher.close()

    with WebServer(handler) as server:
        return asyncio.run(fetch(f"{server.url}/page"))


def answer(body: bytes, content_type: str = "text/html", status: int = 200, **headers: str) -> Handler:
    async def handler(_: web.Request) -> web.StreamResponse:
        return web.Response(body=body, status=status, headers={"Content-Type": content_type, **headers})

    return handler


@pytest.mark.parametrize("content_type", ["text/html", "text/plain", "text/html; charset=latin-1"])
@pytest.mark.parametrize(
    "body",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20,
        b"\x7fELF" + b"\x00\x01\x02" * 2_000,
        random.Random(4).randbytes(4_000),
    ],
)
def test_a_picture_or_a_program_that_says_it_is_a_page_is_no_evidence(body: bytes, content_type: str) -> None:
    with pytest.raises(WebError, match="is no text"):
        fetched(answer(body, content_type))


def test_a_page_that_was_packed_twice_is_no_evidence() -> None:
    body = gzip.compress(gzip.compress(random.Random(4).randbytes(4_000)))
    with pytest.raises(WebError, match="is no text"):
        fetched(answer(body, **{"Content-Encoding": "gzip, gzip"}))


@pytest.mark.parametrize(
    "location",
    [
        "",
        "/page",
        "\\\\10.0.0.1\\x",
        "http://[::ffff:10.0.0.1]/",
        "//169.254.169.254/",
        "file:///etc/hosts",
        "http://①⓪.⓪.⓪.①/",
    ],
)
def test_a_redirect_that_leads_inside_or_nowhere_is_a_web_error(location: str) -> None:
    with pytest.raises(WebError):
        fetched(answer(b"", status=302, Location=location))


@pytest.mark.parametrize("charset", ["punycode", "idna", "zip", "unicode_escape", "utf-7", "x" * 200])
def test_a_charset_that_is_a_transformation_is_not_followed(charset: str) -> None:
    body = b"<p>One plain sentence of a page, \\u0041 +AEE- and all.</p>"
    page = fetched(answer(body, f"text/html; charset={charset}"))
    assert page.text == "One plain sentence of a page, \\u0041 +AEE- and all."


def test_a_page_that_forwards_by_its_markup_is_read_as_it_stands() -> None:
    body = b"<meta http-equiv=refresh content='0;url=http://169.254.169.254/'><p>The words of this page.</p>"
    assert fetched(answer(body)).text == "The words of this page."
