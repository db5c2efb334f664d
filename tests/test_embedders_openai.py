"""The embedder over HTTP, against a loopback endpoint with the faults that such endpoints have."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from faithflow.errors import UserError
from resources.embedder_openai import EmbeddingError, OpenAIEmbedder
from resources.embedding_cache import SqlEmbeddingCache, open_embedding_cache
from tests.endpoint import ScriptedEndpoint
from tests.scripted import JsonObject, Response, always, error, rate_limited, reset, sequence, server_error

Entries = list[dict[str, Any]]


def vector_of(text: str) -> list[float]:
    return [float(len(text)), float(text.count("a")), 1.0]


def unit_of(text: str) -> list[float]:
    vector = np.array(vector_of(text))
    return list(vector / np.linalg.norm(vector))


def embed(request: JsonObject, _number: int = 0, change: Callable[[Entries], Any] | None = None) -> Response:
    """As OpenAI answers; `change` puts a fault in."""
    data: Any = [{"object": "embedding", "index": i, "embedding": vector_of(t)} for i, t in enumerate(request["input"])]
    return Response({"object": "list", "model": request["model"], "data": data if change is None else change(data)})


def faulty(change: Callable[[Entries], Any]) -> Callable[[JsonObject, int], Response]:
    return lambda request, _number: embed(request, change=change)


def with_first(value: Any) -> Callable[[Entries], Any]:
    return lambda data: [{**data[0], "embedding": value}, *data[1:]]


@pytest.fixture
def cache(tmp_path: Path) -> SqlEmbeddingCache:
    return open_embedding_cache(str(tmp_path / "ledger.sqlite"))


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint(embed) as served:
        yield served


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resources.embedder_openai._BACKOFF_S", 0.001)


def embedder(endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache, **more: Any) -> OpenAIEmbedder:
    given = {"model": "embed-1", "max_attempts": 3, "timeout_s": 10.0, **more}
    return OpenAIEmbedder("far", given.pop("model"), cache, base_url=endpoint.base_url, **given)


def asked(endpoint: ScriptedEndpoint) -> list[str]:
    return sorted(text for request in endpoint.requests for text in request.json["input"])


def close_to(vectors: np.ndarray, texts: Sequence[str]) -> bool:
    return np.allclose(vectors, [unit_of(text) for text in texts], atol=1e-6)


def test_vectors_come_in_the_order_of_the_texts_with_length_one(
    endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache
) -> None:
    texts = [f"text {'a' * i}" for i in range(150)]
    vectors = embedder(endpoint, cache).passages(texts)
    assert vectors.dtype == np.float32
    assert close_to(vectors, texts)
    assert max(len(request.json["input"]) for request in endpoint.requests) == 32


def test_no_text_is_paid_for_twice_whatever_the_batch_kind_or_process(
    endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache
) -> None:
    first = embedder(endpoint, cache).passages(["a", "bb", "a"])
    again = embedder(endpoint, cache).queries(["bb", "ccc", "a"])
    assert np.array_equal(first[[1, 0]], again[[0, 2]])
    assert asked(endpoint) == ["a", "bb", "ccc"]


def test_another_model_endpoint_or_length_is_another_vector(
    endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache
) -> None:
    with ScriptedEndpoint(embed) as other:
        variants = [
            embedder(endpoint, cache),
            embedder(endpoint, cache, model="embed-2"),
            embedder(endpoint, cache, dimensions=3),
            embedder(other, cache),
        ]
        for each in variants:
            each.passages(["a"])
        assert (endpoint.count, other.count) == (3, 1)
    assert len({each.version for each in variants}) == 4
    assert [request.json.get("dimensions") for request in endpoint.requests] == [None, None, 3]


def test_an_e5_model_gets_its_prefixes(endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache) -> None:
    e5 = embedder(endpoint, cache, model="intfloat/e5-base-v2")
    e5.queries(["a"])
    e5.passages(["a"])
    assert asked(endpoint) == ["passage: a", "query: a"]


def test_a_blank_text_is_not_sent_and_its_vector_is_nothing(
    endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache
) -> None:
    far = embedder(endpoint, cache)
    assert far.passages(["", "a", " \u200b\n"]).any(axis=1).tolist() == [False, True, False]
    assert asked(endpoint) == ["a"]
    assert far.queries(["", " "]).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert far.passages([]).shape[0] == 0


def test_a_lone_surrogate_is_sent_as_a_replacement_character(
    endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache
) -> None:
    assert embedder(endpoint, cache).passages(["a\ud800b"]).shape == (1, 3)
    assert asked(endpoint) == ["a\ufffdb"]


def test_the_index_of_an_embedding_decides_not_its_place(endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache) -> None:
    endpoint.script = faulty(lambda data: data[::-1])
    texts = ["a", "bb", "ccc"]
    assert close_to(embedder(endpoint, cache).passages(texts), texts)


FAULTS: dict[str, Response | Callable[[JsonObject, int], Response]] = {
    "429": rate_limited(0.01),
    "500": server_error(),
    "503": server_error(503),
    "reset": reset(),
    "html": Response("<html>Bad gateway</html>"),
    "no data": Response({"object": "list"}),
    "error in a 200": Response({"error": {"message": "overloaded"}}),
    "short": faulty(lambda data: data[:-1]),
    "long": faulty(lambda data: [*data, {**data[0], "index": len(data)}]),
    "twice": faulty(lambda data: [*data[:-1], data[0]]),
    "no index": faulty(lambda data: [{"embedding": each["embedding"]} for each in data]),
    "null": faulty(with_first(None)),
    "nothing": faulty(with_first([])),
    "words": faulty(with_first(["1", "2", "3"])),
    "truth": faulty(with_first([True, False, True])),
    "zeros": faulty(with_first([0.0, 0.0, 0.0])),
    "NaN": lambda request, _: Response(json.dumps(embed(request).body).replace("1.0]", "NaN]", 1)),
    "infinite": lambda request, _: Response(json.dumps(embed(request).body).replace("1.0]", "1e999]", 1)),
    "another size": faulty(with_first([1.0, 2.0])),
}


@pytest.mark.parametrize("fault", list(FAULTS))
def test_after_a_fault_the_batch_is_asked_again_and_is_right(
    endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache, fault: str
) -> None:
    endpoint.script = sequence(FAULTS[fault], then=embed)
    assert close_to(embedder(endpoint, cache).passages(["a", "bb"]), ["a", "bb"])
    assert endpoint.count == 2


@pytest.mark.parametrize("fault", ["429", "short", "NaN", "reset"])
def test_a_fault_that_stays_is_an_error_and_nothing_of_it_is_kept(
    endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache, fault: str
) -> None:
    endpoint.script = sequence(FAULTS[fault])
    far = embedder(endpoint, cache)
    with pytest.raises(EmbeddingError, match=r"embedder 'far' \(http.*model 'embed-1'\), after 3 attempts"):
        far.passages(["a", "bb"])
    assert endpoint.count == 3
    endpoint.script = embed
    assert close_to(far.passages(["a", "bb"]), ["a", "bb"])


def test_retry_after_is_waited_for(endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache) -> None:
    endpoint.script = sequence(rate_limited(0.4), then=embed)
    embedder(endpoint, cache).passages(["a"])
    first, second = endpoint.requests
    assert second.at - first.at >= 0.4


def test_an_endpoint_that_asks_for_an_hour_is_left(endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache) -> None:
    endpoint.script = always(rate_limited(3_600))
    with pytest.raises(EmbeddingError, match="asks to wait for 3600 s"):
        embedder(endpoint, cache).passages(["a"])


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (error(401, "Incorrect API key provided: sk-secret-1"), r"HTTP 401: Incorrect API key provided: \[key\]"),
        (error(404, "The model does not exist"), "HTTP 404: The model does not exist"),
        (error(400, "maximum context length is 8192 tokens"), "HTTP 400: maximum context length"),
        (error(429, "You exceeded your quota", code="insufficient_quota"), "HTTP 429: You exceeded"),
    ],
)
def test_what_waiting_does_not_mend_is_said_at_once_without_the_key(
    endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache, response: Response, words: str
) -> None:
    endpoint.script = always(response)
    with pytest.raises(UserError, match=words) as caught:
        embedder(endpoint, cache, api_key="sk-secret-1").passages(["a"])
    assert "sk-secret-1" not in str(caught.value)
    assert endpoint.count == 1
    assert endpoint.requests[0].headers["Authorization"] == "Bearer sk-secret-1"


def test_nobody_listening_is_a_clear_error(cache: SqlEmbeddingCache) -> None:
    with ScriptedEndpoint(embed) as gone:
        pass
    with pytest.raises(EmbeddingError, match="cannot be reached"):
        embedder(gone, cache).passages(["a"])


@pytest.mark.parametrize("dimensions", [2, 4])
def test_vectors_of_other_dimensions_than_asked_for_are_refused(
    endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache, dimensions: int
) -> None:
    with pytest.raises(EmbeddingError, match=rf"embeddings of \[3\] dimensions, not of {dimensions}"):
        embedder(endpoint, cache, dimensions=dimensions).passages(["a"])


def test_a_model_that_changed_its_dimensions_since_is_refused(
    endpoint: ScriptedEndpoint, cache: SqlEmbeddingCache
) -> None:
    embedder(endpoint, cache).passages(["a"])
    endpoint.script = faulty(lambda data: [{**each, "embedding": [1.0, 2.0]} for each in data])
    with pytest.raises(EmbeddingError, match="vectors of 2 and of 3 dimensions"):
        embedder(endpoint, cache).passages(["a", "bb"])


def test_many_texts_go_in_several_requests_at_once_within_the_limit(cache: SqlEmbeddingCache) -> None:
    with ScriptedEndpoint(embed, latency=0.1) as endpoint:
        embedder(endpoint, cache, max_concurrency=3).passages([f"{'a' * i} text" for i in range(320)])
        assert 1 < endpoint.most_at_once <= 3


def test_what_was_embedded_before_a_kill_is_not_sent_again(tmp_path: Path) -> None:
    texts = [f"{'a' * i} text" for i in range(320)]
    ledger = str(tmp_path / "ledger.sqlite")
    script = (
        "import sys; from tests.test_embedders_openai import *\n"
        "cache = open_embedding_cache(sys.argv[2])\n"
        "far = OpenAIEmbedder('far', 'embed-1', cache, base_url=sys.argv[1], max_concurrency=1)\n"
        "far.passages([f\"{'a' * i} text\" for i in range(320)])\n"
    )
    hold = threading.Event()

    def held(request: JsonObject, number: int) -> Response:
        if number >= 5:
            hold.set()
            return Response(fault="hang")
        return embed(request)

    with ScriptedEndpoint(held) as endpoint:
        command = [sys.executable, "-c", script, endpoint.base_url, ledger]
        with subprocess.Popen(command, cwd=Path(__file__).parents[1]) as process:
            assert hold.wait(60)
            process.kill()
        assert process.returncode == -signal.SIGKILL
        before = [text for request in endpoint.requests[:5] for text in request.json["input"]]
        endpoint.script = embed
        started = endpoint.count
        vectors = embedder(endpoint, open_embedding_cache(ledger)).passages(texts)
        after = [text for request in endpoint.requests[started:] for text in request.json["input"]]
    assert close_to(vectors, texts)
    assert sorted(before + after) == sorted(texts)


def test_after_a_batch_is_refused_the_others_are_not_sent_and_what_there_is_stays(cache: SqlEmbeddingCache) -> None:
    texts = [f"{'a' * i} text" for i in range(3_200)]

    def refused_midway(request: JsonObject, number: int) -> Response:
        return embed(request) if number < 4 else error(401, "The key was withdrawn")

    with ScriptedEndpoint(refused_midway) as endpoint:
        with pytest.raises(UserError, match="withdrawn"):
            embedder(endpoint, cache, max_concurrency=1).passages(texts)
        sent = endpoint.count
        assert 5 <= sent < 20
        endpoint.script = embed
        assert close_to(embedder(endpoint, cache).passages(texts[:128]), texts[:128])
        assert endpoint.count == sent
