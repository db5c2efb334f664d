"""The endpoint of the benchmark, in a process of its own: it counts what it serves, and fails as often as told.

`python -m benchmarks.engine.server --latency 0.05` prints its base URL; GET <base URL>/stats tells what it served.
"""

import argparse
import contextlib
import hashlib
import json
import random
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from benchmarks.engine.corpus import verdict_of
from tests.endpoint import ScriptedEndpoint
from tests.scripted import JsonObject, Response, Script, answer_with, chat, claims, payload, rate_limited

ROOT = Path(__file__).resolve().parents[2]

# the wish of every second rate-limited reply; the others say nothing of when to come back
_RETRY_AFTER_S = 0.05


@dataclass(frozen=True, slots=True)
class Served:
    """What an endpoint has served: requests by status, tokens of the answered ones, seconds from first to last."""

    requests: int
    answered: int
    rate_limited: int
    tokens: int
    wall_s: float
    most_at_once: int
    connections: int


class CountingEndpoint(ScriptedEndpoint):
    """A scripted endpoint that also counts tokens and the time from the first request to the last reply."""

    def __init__(self, script: Script, *, latency: float) -> None:
        super().__init__(self._counted(script), latency=latency, keep=False)
        self._tokens = 0
        self._first: float | None = None
        self._last = 0.0

    def _counted(self, script: Script) -> Script:
        def counted(request: JsonObject, number: int) -> Response:
            response = script(request, number)
            if response.status == 200 and isinstance(response.body, dict):
                self._tokens += response.body["usage"]["total_tokens"]
            return response

        return counted

    async def _answer(self, http: web.Request) -> web.StreamResponse:
        if self._first is None:
            self._first = time.monotonic()
        try:
            return await super()._answer(http)
        finally:
            self._last = time.monotonic()

    def stats(self) -> JsonObject:
        return {**super().stats(), "tokens": self._tokens, "wall_s": self._last - (self._first or self._last)}


def script(limited: float, cut: float, seed: int) -> Script:
    """Claims one a sentence, verdicts by `verdict_of`; a share of the requests gets a 429, one a reply cut in half.

    Which ones is drawn by a request's words and the times that they were sent, so that it is the same in every run.
    """
    judge = answer_with(verdict_of)
    sent: Counter[str] = Counter()

    def answer(request: JsonObject, number: int) -> Response:
        words = hashlib.sha256(json.dumps(request["messages"]).encode()).hexdigest()
        sent[words] += 1
        draw = random.Random(f"{seed}/{sent[words]}/{words}").random()
        if draw < limited:
            return rate_limited(_RETRY_AFTER_S if draw < limited / 2 else None)
        response = chat(request, claims(request)) if "answer" in payload(request) else judge(request, number)
        if draw < limited + cut:
            assert isinstance(response.body, dict)
            content: str = response.body["choices"][0]["message"]["content"]
            return chat(request, content[: len(content) // 2], finish_reason="length")
        return response

    return answer


@contextlib.contextmanager
def serving(latency: float, limited: float = 0.0, cut: float = 0.0) -> Generator[str]:
    """The endpoint in another process while the block lasts; gives its base URL."""
    options = ["--latency", str(latency), "--rate-limited", str(limited), "--cut", str(cut)]
    command = [sys.executable, "-m", "benchmarks.engine.server", *options]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def served(base_url: str) -> Served:
    """What the endpoint has served so far."""
    with urllib.request.urlopen(f"{base_url}/stats") as response:
        stats = json.loads(response.read())
    statuses: dict[str, int] = stats["statuses"]
    return Served(
        requests=stats["requests"],
        answered=statuses.get("200", 0),
        rate_limited=statuses.get("429", 0),
        tokens=stats["tokens"],
        wall_s=stats["wall_s"],
        most_at_once=stats["most_at_once"],
        connections=stats["connections"],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="The endpoint of the engine's benchmark.")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds that every response takes")
    parser.add_argument("--rate-limited", type=float, default=0.0, help="share of requests that get a 429")
    parser.add_argument("--cut", type=float, default=0.0, help="share of replies that are cut in half")
    given = parser.parse_args()
    with CountingEndpoint(script(given.rate_limited, given.cut, seed=0), latency=given.latency) as endpoint:
        print(endpoint.base_url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
