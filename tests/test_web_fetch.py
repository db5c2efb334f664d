"""The web fetcher: pages that mean well, and addresses and pages that do not."""

import asyncio
import gzip
import socket
import zlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.retrieval.model import WebError, WebPage
from resources import web_fetch
from resources.http import USER_AGENT
from resources.web_fetch import WebFetcher, is_public
from resources.web_page import page_of
from tests.web_server import Handler, WebServer

T = TypeVar("T")

ARTICLE = """<html lang="en"><head><title>A deal on quays | News</title>
<meta property="article:published_time" content="2025-03-04T10:00:00Z"></head><body>
<nav><a href="/">Home</a> <a href="/about">About us</a></nav>
<article><h1>A deal on quays</h1>
<p>The two harbours signed a deal worth 12 million crowns on Tuesday, their spokesman said.</p>
<p>It covers cranes &amp; quays, and will last for <b>nine</b> years from the day of its signing.</p>
<ul><li>Cranes for the northern basin</li><li>Quays for the southern one</li></ul></article>
<footer>All rights reserved by nobody</footer></body></html>"""


def fetching(work: Callable[[WebFetcher], Awaitable[T]], cache: Path | None = None, *, loopback: bool = True) -> T:
    async def run() -> T:
        fetcher = WebFetcher(cache, allow_loopback=loopback)
        try:
            return await work(fetcher)
        finally:
            await fetcher.close()

    return asyncio.run(run())


def fetched(handler: Handler, path: str = "/page") -> WebPage:
    with WebServer(handler) as server:
        return fetching(lambda fetcher: fetcher.fetch(server.url + path))


def reason(handler: Handler, path: str = "/page") -> str:
    with pytest.raises(WebError) as error:
        fetched(handler, path)
    return str(error.value)


def answer(body: str | bytes, content_type: str = "text/html", **headers: str) -> Handler:
    async def handler(_: web.Request) -> web.StreamResponse:
        raw = body.encode() if isinstance(body, str) else body
        return web.Response(body=raw, headers={"Content-Type": content_type, **headers})

    return handler


def redirect(location: str, status: int = 301) -> Handler:
    async def handler(request: web.Request) -> web.StreamResponse:
        if request.path == "/end":
            return web.Response(text=ARTICLE, content_type="text/html")
        return web.Response(status=status, headers={"Location": location})

    return handler


# ---- pages


def test_a_page_is_its_main_text_with_title_and_date() -> None:
    page = fetched(answer(ARTICLE))
    assert page.text == (
        "A deal on quays\n\n"
        "The two harbours signed a deal worth 12 million crowns on Tuesday, their spokesman said.\n\n"
        "It covers cranes & quays, and will last for nine years from the day of its signing.\n\n"
        "- Cranes for the northern basin\n- Quays for the southern one"
    )
    assert (page.title, page.date) == ("A deal on quays", "2025-03-04")


def test_a_page_without_a_main_text_is_all_its_text() -> None:
    assert page_of("<title>T</title><p>Short.</p>", "https://a.example/") == WebPage(
        "https://a.example/", "T", "Short.", ""
    )


def test_plain_text_keeps_its_lines() -> None:
    page = fetched(answer("One <b>\n  two\n\n\n\nthree &amp; four\n", "text/plain; charset=utf-8"))
    assert page.text == "One <b>\ntwo\n\nthree &amp; four"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<p>žluť</p>".encode("iso8859-2"), "text/html; charset=iso-8859-2"),
        ("<p>žluť</p>".encode(), "text/html; charset=no-such-charset"),
        ("<p>žluť</p>".encode(), "text/html; charset=ascii; charset=x"),
        ('<meta charset="iso-8859-2"><p>žluť</p>'.encode("iso8859-2"), "text/html"),
        ("<p>žluť</p>".encode("utf-16"), "text/html; charset=utf-8"),
    ],
)
def test_a_charset_that_lies_does_no_harm(body: bytes, content_type: str) -> None:
    assert fetched(answer(body, content_type)).text == "žluť"


def test_bytes_of_no_charset_become_text_all_the_same() -> None:
    assert fetched(answer(b"<p>a \xff\xfe\x81 \x00 b</p>", "text/html; charset=utf-8")).text.endswith("b")


@pytest.mark.parametrize(
    "body",
    ["<div>" * 100_000 + "deep" + "</div>" * 100_000, "<table><tr><td>" * 20_000 + "deep", "<b>" * 9_000 + "deep"],
)
def test_a_page_nested_without_end_is_read(body: str) -> None:
    assert fetched(answer(body)).text == "deep"


def test_a_long_page_is_read_whole_and_a_page_beyond_the_cap_is_refused() -> None:
    text = "<p>" + "word " * 500_000 + "</p>"
    assert len(fetched(answer(text)).text) > 2_400_000
    assert "larger than 5 MiB" in reason(answer("<p>" + "x" * 6_000_000))


@pytest.mark.parametrize("body", ["", "<p> </p>", "<script>var text = 1</script>", "<html>"])
def test_a_page_that_shows_nothing_is_an_error(body: str) -> None:
    assert "shows no text" in reason(answer(body))


@pytest.mark.parametrize("content_type", ["application/pdf", "image/png", "application/octet-stream", "text/css", ""])
def test_what_is_no_page_is_not_read(content_type: str) -> None:
    assert "which is not read" in reason(answer("<p>text</p>", content_type))


@pytest.mark.parametrize("status", [204, 206, 304, 401, 404, 500])
def test_another_status_than_200_is_an_error_that_names_it(status: int) -> None:
    async def handler(_: web.Request) -> web.StreamResponse:
        return web.Response(status=status)

    assert f"HTTP {status}" in reason(handler)


def test_a_page_is_asked_for_once_where_a_cache_is_kept(tmp_path: Path) -> None:
    with WebServer(answer(ARTICLE)) as server:
        pages = [fetching(lambda fetcher: fetcher.fetch(server.url), tmp_path) for _ in range(2)]
        assert pages[0] == pages[1]
        assert len(server.requests) == 1


def test_a_failure_is_never_kept(tmp_path: Path) -> None:
    calls: list[str] = []

    async def handler(request: web.Request) -> web.StreamResponse:
        calls.append(request.path)
        return web.Response(status=500) if len(calls) == 1 else web.Response(text=ARTICLE, content_type="text/html")

    with WebServer(handler) as server:
        with pytest.raises(WebError):
            fetching(lambda fetcher: fetcher.fetch(server.url), tmp_path)
        assert fetching(lambda fetcher: fetcher.fetch(server.url), tmp_path).title == "A deal on quays"


def test_a_page_is_told_who_asks_and_gets_no_cookie_back() -> None:
    with WebServer(answer(ARTICLE, **{"Set-Cookie": "id=1"})) as server:

        async def twice(fetcher: WebFetcher) -> None:
            await fetcher.fetch(server.url)
            await fetcher.fetch(server.url)

        fetching(twice)
        assert {request.headers["User-Agent"] for request in server.requests} == {USER_AGENT}
        assert all("Cookie" not in request.headers for request in server.requests)


# ---- replies that mean harm


def test_a_gzip_bomb_is_cut_off() -> None:
    bomb = gzip.compress(b"<p>" + b"x" * 200_000_000)
    assert len(bomb) < 300_000
    assert "larger than 5 MiB" in reason(answer(bomb, **{"Content-Encoding": "gzip"}))
    deflated = zlib.compress(b"x" * 100_000_000)
    assert "larger than 5 MiB" in reason(answer(deflated, **{"Content-Encoding": "deflate"}))


def test_a_body_that_is_no_gzip_is_an_error() -> None:
    assert "no reply" in reason(answer("plain", **{"Content-Encoding": "gzip"}))


def test_a_body_that_never_ends_is_cut_off() -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        stream = web.StreamResponse(headers={"Content-Type": "text/html"})
        await stream.prepare(request)
        while True:
            await stream.write(b"<p>more</p>" * 1000)

    assert "larger than 5 MiB" in reason(handler)


def test_a_body_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_fetch, "_TIMEOUT_S", 0.3)

    async def handler(request: web.Request) -> web.StreamResponse:
        stream = web.StreamResponse(headers={"Content-Type": "text/html"})
        await stream.prepare(request)
        while True:
            await stream.write(b"x")
            await asyncio.sleep(0.02)

    assert "no whole reply within 0.3 s" in reason(handler)


def test_the_time_is_that_of_all_redirects_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_fetch, "_TIMEOUT_S", 0.5)

    async def handler(request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(0.2)
        return web.Response(status=302, headers={"Location": request.path + "x"})

    assert "no whole reply within 0.5 s" in reason(handler)


@pytest.mark.parametrize(
    ("length", "says"), [("99", "no reply"), ("999999999", "larger than 5 MiB"), ("-1", "no reply")]
)
def test_a_length_that_lies_is_an_error(length: str, says: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        async def run() -> None:
            async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                await reader.readuntil(b"\r\n\r\n")
                head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\r\n"
                writer.write(head.encode() + b"<p>short</p>")
                await writer.drain()
                writer.close()

            server = await asyncio.start_server(serve, sock=listener)
            fetcher = WebFetcher(allow_loopback=True)
            try:
                with pytest.raises(WebError, match=says):
                    await fetcher.fetch(f"http://127.0.0.1:{listener.getsockname()[1]}/")
            finally:
                await fetcher.close()
                server.close()

        asyncio.run(run())


def test_what_is_no_http_is_an_error() -> None:
    async def run() -> None:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"SSH-2.0-server\r\n" * 10)
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        fetcher = WebFetcher(allow_loopback=True)
        try:
            with pytest.raises(WebError, match="no reply"):
                await fetcher.fetch(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        finally:
            await fetcher.close()
            server.close()

    asyncio.run(run())


# ---- redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_and_the_page_bears_its_last_address(status: int) -> None:
    with WebServer(redirect("../end?x=1#part", status)) as server:
        page = fetching(lambda fetcher: fetcher.fetch(server.url + "/a/b"))
        assert page.url == f"{server.url}/end?x=1"


def test_redirects_in_a_circle_end() -> None:
    assert "more than 5 redirects" in reason(redirect("/again"))


@pytest.mark.parametrize(
    ("location", "says"),
    [
        ("http://169.254.169.254/latest/meta-data/", "169.254.169.254, which is no address of the public web"),
        ("http://10.1.2.3/", "10.1.2.3, which"),
        ("http://[::ffff:10.0.0.1]/", "which is no address of the public web"),
        ("http://[fe80::1]/", "which is no address of the public web"),
        ("//192.168.0.1/", "192.168.0.1, which"),
        ("file:///etc/passwd", "only http and https"),
        ("gopher://a.example/", "only http and https"),
        ("data:text/html,<p>x</p>", "only http and https"),
        ("http://user:secret@a.example/", "user or a password"),
        ("http://[half", "address"),
        ("", "more than 5 redirects"),
    ],
)
def test_a_redirect_leads_nowhere_that_an_address_would_not(location: str, says: str) -> None:
    said = reason(redirect(location))
    assert says in said
    assert "secret" not in said


# ---- addresses


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://localhost./",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://0/",
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[fe80::1%25eth0]/",
        "http://①②⑦.⓪.⓪.①/",
        "http://169.254.169.254/latest/",
        "http://168.63.129.16/",
        "http://100.64.0.1/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "https://192.168.1.1/",
    ],
)
def test_no_spelling_of_an_inner_address_is_connected_to(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connected = connections(monkeypatch)
    with pytest.raises(WebError):
        fetching(lambda fetcher: fetcher.fetch(url), loopback=False)
    assert connected == []


@pytest.mark.parametrize(
    "addresses", [["10.0.0.7"], ["93.184.216.34", "10.0.0.7"], ["2606:4700::1111", "::1"], ["169.254.169.254"]]
)
def test_a_name_with_one_inner_address_among_its_own_is_refused(
    addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    resolving(monkeypatch, lambda: addresses)
    connected = connections(monkeypatch)
    with pytest.raises(WebError, match="no address of the public web"):
        fetching(lambda fetcher: fetcher.fetch("http://innocent.example/"), loopback=False)
    assert connected == []


def test_the_address_that_was_checked_is_the_one_that_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [["93.184.216.34"], ["127.0.0.1"]]
    resolving(monkeypatch, lambda: answers.pop(0))
    connected = connections(monkeypatch)
    with pytest.raises(WebError, match="no reply"):
        fetching(lambda fetcher: fetcher.fetch("http://rebinding.example/"), loopback=False)
    assert connected == [("93.184.216.34", 80)]
    assert answers == [["127.0.0.1"]]


def connections(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The addresses to which a connection is tried from now on; none is made."""
    tried: list[Any] = []

    async def connect(_: object, __: socket.socket, address: Any) -> None:
        tried.append(address)
        raise OSError("not in a test")

    monkeypatch.setattr(asyncio.SelectorEventLoop, "sock_connect", connect)
    return tried


def resolving(monkeypatch: pytest.MonkeyPatch, addresses: Callable[[], list[str]]) -> None:
    """Let every name resolve to these addresses."""

    async def getaddrinfo(_: object, host: str, port: int, **__: object) -> list[Any]:
        return [
            (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, 0))
            if ":" in address
            else (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
            for address in addresses()
        ]

    monkeypatch.setattr(asyncio.SelectorEventLoop, "getaddrinfo", getaddrinfo)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("file:///etc/passwd", "only http and https"),
        ("ftp://a.example/", "only http and https"),
        ("javascript:alert(1)", "only http and https"),
        ("http:///path", "only http and https"),
        ("//a.example/", "only http and https"),
        ("a.example", "only http and https"),
        ("", "only http and https"),
        ("http://user@a.example/", "user or a password"),
        ("http://user:secret@a.example/", "user or a password"),
        ("http://:@a.example/", "user or a password"),
        ("http://a.example:22/", "port 22"),
        ("http://a.example:8080/", "port 8080"),
        ("http://a.example:99999/", "no address"),
        ("http://a.example\\@127.0.0.1/", "backslashes"),
        ("http://a.example/\r\nHost: b.example", "controls"),
        ("http://a b.example/", "blanks"),
        ("http://a.example/" + "x" * 5000, "too long"),
        ("http://[::1/", "no address"),
        ("http://" + "a" * 300 + ".example/", "no reply"),
    ],
)
def test_an_address_that_is_none_of_the_webs_is_refused(url: str, says: str) -> None:
    with pytest.raises(WebError, match=says) as error:
        fetching(lambda fetcher: fetcher.fetch(url), loopback=False)
    assert "secret" not in str(error.value)


@settings(deadline=None)
@given(st.text(max_size=40).map("http://{}".format) | st.text(max_size=20))
def test_no_address_raises_anything_but_a_web_error(url: str) -> None:
    fetcher = WebFetcher()
    try:
        fetcher._checked(url)
    except WebError:
        return


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("::ffff:8.8.8.8", True),
        ("64:ff9b::808:808", True),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::a00:1", False),
        ("::7f00:1", False),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", False),
        ("fc00::1", False),
        ("fec0::1", False),
        ("ff02::1", False),
        ("240.0.0.1", False),
        ("198.18.0.1", False),
        ("192.0.0.192", False),
    ],
)
def test_public_addresses_are_told_from_inner_ones(address: str, public: bool) -> None:
    assert is_public(address) is public


@settings(deadline=None)
@given(st.ip_addresses(v=4))
def test_an_address_within_another_is_as_public_as_itself(address: object) -> None:
    assert is_public(f"::ffff:{address}") == is_public(str(address))
