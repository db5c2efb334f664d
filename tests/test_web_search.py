"""Search engines: what is asked, what is read, what fails, and what is never said."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from aiohttp import web

from faithflow.retrieval.model import Web, WebError, WebPage, WebResult
from resources.polite import Polite
from resources.web_fetch import WebFetcher
from resources.web_search import SearXng, SerpApi, Serper
from tests.web_server import Asked, Handler, WebServer

T = TypeVar("T")

KEY = "s3cr3t+key/42"
FOUND = [
    {"position": 1, "title": "The  deal", "link": "https://a.example/deal", "snippet": "Twelve\nmillion"},
    {"position": 2, "title": "Again", "link": "https://a.example/deal", "snippet": "twice"},
    {"position": 3, "title": "No address", "snippet": "…"},
    {"position": 4, "title": "A script", "link": "javascript:alert(1)"},
    "noise",
    {"position": 5, "title": None, "link": "https://b.example/"},
]
RESULTS = [WebResult("https://a.example/deal", "The deal", "Twelve million"), WebResult("https://b.example/", "", "")]

Engine = Callable[[WebServer, Path | None], Web]


def serp_api(server: WebServer, cache: Path | None = None) -> Web:
    return SerpApi(fetcher(), KEY, cache, base_url=server.url, polite=Polite(0.0, (0.0, 0.0)))


def serper(server: WebServer, cache: Path | None = None) -> Web:
    return Serper(fetcher(), KEY, cache, base_url=server.url, polite=Polite(0.0, (0.0, 0.0)))


def searxng(server: WebServer, cache: Path | None = None) -> Web:
    return SearXng(fetcher(), server.url + "/", cache, polite=Polite(0.0, (0.0, 0.0)))


def fetcher() -> WebFetcher:
    return WebFetcher(allow_loopback=True)


ENGINES = pytest.mark.parametrize("engine", [serp_api, serper, searxng])
PAID = pytest.mark.parametrize("engine", [serp_api, serper])


def reply_of(engine: Engine, entries: object) -> dict[str, Any]:
    """A reply in the engine's own shape."""
    if engine is searxng:
        renamed = [
            {{"link": "url", "snippet": "content"}.get(name, name): value for name, value in entry.items()}
            if isinstance(entry, dict)
            else entry
            for entry in entries
        ]
        return {"query": "q", "number_of_results": 0, "results": renamed, "unresponsive_engines": []}
    return {"organic_results" if engine is serp_api else "organic": entries}


def answering(*replies: object, status: int = 200) -> Handler:
    """Give these replies in turn, the last one for ever."""
    left = list(replies)

    async def handler(_: web.Request) -> web.StreamResponse:
        reply = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(reply, int):
            return web.Response(status=reply)
        text = reply if isinstance(reply, str) else json.dumps(reply)
        return web.Response(text=text, status=status, content_type="application/json")

    return handler


def using(web_: Web, work: Callable[[Web], Awaitable[T]]) -> T:
    async def run() -> T:
        try:
            return await work(web_)
        finally:
            await web_.close()

    return asyncio.run(run())


def search(
    engine: Engine, handler: Handler, k: int = 5, cache: Path | None = None
) -> tuple[list[WebResult], list[Asked]]:
    with WebServer(handler) as server:
        found = using(engine(server, cache), lambda web_: web_.search("harbour deal & more", k))
        return found, server.requests


def failure(engine: Engine, handler: Handler) -> str:
    with pytest.raises(WebError) as error:
        search(engine, handler)
    return str(error.value)


@ENGINES
def test_results_are_addresses_of_the_web_each_once(engine: Engine) -> None:
    found, _ = search(engine, answering(reply_of(engine, FOUND)))
    assert found == RESULTS


@ENGINES
def test_no_more_than_k_results_are_given(engine: Engine) -> None:
    many = [{"title": f"{i}", "link": f"https://a.example/{i}", "snippet": ""} for i in range(30)]
    assert len(search(engine, answering(reply_of(engine, many)), 3)[0]) == 3
    assert len(search(engine, answering(reply_of(engine, many)), 50)[0]) == 10


def test_each_engine_is_asked_in_its_own_way() -> None:
    _, (asked,) = search(serp_api, answering(reply_of(serp_api, FOUND)))
    assert (asked.method, asked.path) == ("GET", "/search.json")
    assert asked.query == {"engine": "google", "q": "harbour deal & more", "api_key": KEY}
    _, (asked,) = search(serper, answering(reply_of(serper, FOUND)))
    assert (asked.method, asked.path, json.loads(asked.body)) == ("POST", "/search", {"q": "harbour deal & more"})
    assert asked.headers["X-API-KEY"] == KEY
    _, (asked,) = search(searxng, answering(reply_of(searxng, FOUND)))
    assert (asked.method, asked.path) == ("GET", "/search")
    assert asked.query == {"q": "harbour deal & more", "format": "json"}


@ENGINES
def test_nothing_found_is_an_empty_list_and_no_failure(engine: Engine) -> None:
    assert search(engine, answering(reply_of(engine, [])))[0] == []


def test_that_google_found_nothing_is_no_error_of_serpapi() -> None:
    said = "Google hasn't returned any results for this query."
    assert search(serp_api, answering({"search_metadata": {"status": "Success"}, "error": said}))[0] == []


@pytest.mark.parametrize(
    ("engine", "reply", "says"),
    [
        (serp_api, {"error": "Your account has run out of searches."}, "run out of searches"),
        (serper, {"message": "Not enough credits", "statusCode": 400}, "Not enough credits"),
        (searxng, {"results": [], "unresponsive_engines": [["google", "timeout"]]}, "none of its engines answered"),
    ],
)
def test_a_failure_that_a_good_status_hides_is_told(engine: Engine, reply: object, says: str) -> None:
    assert says in failure(engine, answering(reply))


@ENGINES
@pytest.mark.parametrize("reply", ["[]", "null", "no json", "", 500, 429, 404, 302])
def test_what_is_no_reply_is_a_web_error_that_names_the_engine(engine: Engine, reply: object) -> None:
    said = failure(engine, answering(json.loads(reply) if reply in ("[]", "null") else reply))
    assert said.startswith(engine.__name__.replace("_", ""))


@ENGINES
def test_a_passing_fault_is_waited_out(engine: Engine) -> None:
    found, asked = search(engine, answering(503, "not json", reply_of(engine, FOUND)))
    assert found == RESULTS
    assert len(asked) == 3


def test_a_searxng_server_without_json_is_told_what_to_set() -> None:
    assert "add json to search.formats" in failure(searxng, answering(403))


@PAID
def test_the_key_is_in_no_error_and_no_log(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = {"error": f"Invalid API key {KEY} (s3cr3t%2Bkey%2F42)", "message": f"Unauthorized: {KEY}"}
    for status in (200, 401, 403):
        said = failure(engine, answering(echo, status=status))
        assert "[key]" in said
        assert "s3cr3t" not in said + caplog.text
    with WebServer(answering({})) as server:
        gone = engine(server, None)
    with pytest.raises(WebError) as error:
        using(gone, lambda web_: web_.search("q", 5))
    assert "s3cr3t" not in str(error.value) + repr(gone) + caplog.text


@ENGINES
def test_a_search_is_paid_for_once_where_a_cache_is_kept(engine: Engine, tmp_path: Path) -> None:
    with WebServer(answering(reply_of(engine, FOUND))) as server:
        for k in (1, 5):
            found = using(engine(server, tmp_path), lambda web_, k=k: web_.search("harbour deal", k))
            assert found == RESULTS[:k]
        assert len(server.requests) == 1
        using(engine(server, tmp_path), lambda web_: web_.search("another deal", 5))
        assert len(server.requests) == 2
    assert all(b"s3cr3t" not in path.read_bytes() for path in tmp_path.rglob("*.json"))


@ENGINES
def test_equal_searches_at_one_time_are_one(engine: Engine, tmp_path: Path) -> None:
    async def many(web_: Web) -> list[list[WebResult]]:
        return await asyncio.gather(*(web_.search("harbour deal", 5) for _ in range(4)))

    with WebServer(answering(reply_of(engine, FOUND))) as server:
        assert using(engine(server, tmp_path), many) == [RESULTS] * 4
        assert len(server.requests) == 1


def test_failures_and_empty_results_are_not_kept(tmp_path: Path) -> None:
    handler = answering(400, reply_of(serper, []), reply_of(serper, FOUND))
    with WebServer(handler) as server:
        with pytest.raises(WebError):
            using(serper(server, tmp_path), lambda web_: web_.search("q", 5))
        assert using(serper(server, tmp_path), lambda web_: web_.search("q", 5)) == []
        assert using(serper(server, tmp_path), lambda web_: web_.search("q", 5)) == RESULTS


@ENGINES
def test_a_page_comes_through_the_fetcher(engine: Engine) -> None:
    async def page(_: web.Request) -> web.StreamResponse:
        return web.Response(text="<title>T</title><p>Words</p>", content_type="text/html")

    with WebServer(page) as server:
        found = using(engine(server, None), lambda web_: web_.fetch(f"{server.url}/x"))
        assert found == WebPage(f"{server.url}/x", "T", "Words")
        with pytest.raises(WebError):
            using(engine(server, None), lambda web_: web_.fetch("http://169.254.169.254/"))
