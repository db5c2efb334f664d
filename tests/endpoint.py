"""A scripted OpenAI-compatible chat and embeddings endpoint over real HTTP on the loopback interface.

In a test:

    with ScriptedEndpoint(sequence(rate_limited(1), then=answer_all("supported"))) as endpoint:
        ... endpoint.base_url ... endpoint.requests ...

As a process of its own, for benchmarks: `python -m tests.endpoint --latency 0.05 --port 0`. It prints its base URL and
serves until it is terminated; GET <base URL>/stats tells what it has served.
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from aiohttp import web

from tests.scripted import JsonObject, Response, Script, answer_all, chat, rate_limited


@dataclass(frozen=True)
class Received:
    """A request as it came in; `at` is time.monotonic() on arrival."""

    json: JsonObject
    headers: Mapping[str, str]
    at: float


class ScriptedEndpoint:
    """The endpoint in a thread of its own, on a free port, while its `with` block lasts.

    `latency` seconds are added to every response. `keep` = False counts requests without keeping them.
    """

    def __init__(self, script: Script | None = None, *, latency: float = 0.0, keep: bool = True, port: int = 0) -> None:
        self.script = script or answer_all()
        self.base_url = ""
        self.most_at_once = 0
        self._latency = latency
        self._keep = keep
        self._port = port
        self._lock = threading.Lock()
        self._requests: list[Received] = []
        self._number = 0
        self._open = 0
        self._statuses: Counter[str] = Counter()
        self._peers: set[object] = set()
        self._ready = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="scripted endpoint", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            raise self._failure
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    @property
    def requests(self) -> list[Received]:
        """All requests so far, in order of arrival."""
        with self._lock:
            return list(self._requests)

    @property
    def count(self) -> int:
        with self._lock:
            return self._number

    @property
    def connections(self) -> int:
        """How many TCP connections brought requests."""
        with self._lock:
            return len(self._peers)

    def stats(self) -> JsonObject:
        with self._lock:
            return {
                "requests": self._number,
                "statuses": dict(self._statuses),
                "connections": len(self._peers),
                "most_at_once": self.most_at_once,
            }

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as failure:
            self._failure = failure
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self._answer)
        app.router.add_post("/v1/embeddings", self._answer)
        app.router.add_get("/v1/stats", self._stats)
        runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.05)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", self._port)
        await site.start()
        self.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        self._ready.set()
        try:
            await self._stop.wait()
        finally:
            await runner.cleanup()

    async def _stats(self, _request: web.Request) -> web.Response:
        return web.json_response(self.stats())

    async def _answer(self, http: web.Request) -> web.StreamResponse:
        at = time.monotonic()
        request = json.loads(await http.read())
        with self._lock:
            number = self._number
            self._number += 1
            self._open += 1
            self.most_at_once = max(self.most_at_once, self._open)
            if http.transport is not None:
                self._peers.add(http.transport.get_extra_info("peername"))
            if self._keep:
                self._requests.append(Received(request, dict(http.headers), at))
        try:
            response = self.script(request, number)
            with self._lock:
                self._statuses[response.fault or str(response.status)] += 1
            if self._latency + response.seconds:
                await asyncio.sleep(self._latency + response.seconds)
            return await self._send(http, response)
        finally:
            with self._lock:
                self._open -= 1

    async def _send(self, http: web.Request, response: Response) -> web.StreamResponse:
        if response.fault == "hang":
            await asyncio.Event().wait()
        if response.fault == "reset":
            stream = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "1000"})
            await stream.prepare(http)
            await stream.write(b'{"id": "chatcmpl-')
            assert http.transport is not None
            http.transport.abort()
            return stream
        text = response.body if isinstance(response.body, str) else json.dumps(response.body)
        headers = {"Content-Type": "application/json", **response.headers}
        return web.Response(body=text.encode("utf-8", "surrogatepass"), status=response.status, headers=headers)


# ---- a process of its own


def with_faults(script: Script, rate_limited_share: float, cut_share: float, seed: int) -> Script:
    """A script in which some requests, drawn by their number, get a 429 or a reply cut in the middle."""

    def faulty(request: JsonObject, number: int) -> Response:
        draw = random.Random(f"{seed}/{number}").random()
        if draw < rate_limited_share:
            return rate_limited(0.2)
        response = script(request, number)
        if draw < rate_limited_share + cut_share:
            assert isinstance(response.body, dict)
            content: str = response.body["choices"][0]["message"]["content"]
            return chat(request, content[: len(content) // 2], finish_reason="length")
        return response

    return faulty


@contextmanager
def endpoint_process(*options: str) -> Iterator[str]:
    """The endpoint in another process, so that it takes no time of this one's; gives its base URL."""
    command = [sys.executable, "-m", "tests.endpoint", "--attached", *options]
    root = Path(__file__).parents[1]
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description="A scripted OpenAI-compatible endpoint on the loopback interface.")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds that every response takes")
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--label", default="supported", help="the verdict on every claim")
    parser.add_argument("--rate-limited", type=float, default=0.0, help="share of requests that get a 429")
    parser.add_argument("--cut", type=float, default=0.0, help="share of replies that are cut off")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--attached", action="store_true", help="end when standard input does, as with its parent")
    given = parser.parse_args()
    script = with_faults(answer_all(given.label), given.rate_limited, given.cut, given.seed)
    with ScriptedEndpoint(script, latency=given.latency, keep=False, port=given.port) as endpoint:
        print(endpoint.base_url, flush=True)
        if given.attached:
            sys.stdin.read()
        else:
            threading.Event().wait()


if __name__ == "__main__":
    main()
