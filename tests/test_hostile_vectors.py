"""Searches that no index was made for."""

import datetime as dt
from pathlib import Path

import numpy as np
import pytest

from faithflow.corpus.scope import Scope
from faithflow.errors import StoreError
from faithflow.retrieval.model import IndexedPassage
from resources.embedder_openai import EmbeddingError, OpenAIEmbedder
from resources.embedding_cache import open_embedding_cache
from resources.vector_store import LanceStore
from tests.endpoint import ScriptedEndpoint
from tests.scripted import JsonObject, Response

SCOPE = Scope(dt.date(2026, 9, 1))


def passage(number: int, text: str = "harbour fees", **more: str) -> IndexedPassage:
    fields = {"passage_id": f"p{number:02d}", "access": "public", **more}
    return IndexedPassage(
        document_id=f"d{number}", reference=f"R{number}", title="T", date="", source_url="", text=text, **fields
    )


def filled(path: Path, count: int, dimensions: int) -> LanceStore:
    store = LanceStore(path)
    vectors = np.random.default_rng(4).normal(size=(count, dimensions))
    store.rebuild(map(passage, range(count)), vectors / np.linalg.norm(vectors, axis=1, keepdims=True), "f")
    return store


@pytest.mark.parametrize("k", [21, 2**31, 2**40, 10**18])
def test_a_k_beyond_all_passages_gives_them_all(tmp_path: Path, k: int) -> None:
    store = filled(tmp_path, 20, 4)
    every = {f"p{number:02d}" for number in range(20)}
    assert {hit.passage.passage_id for hit in store.dense(np.array([1.0, 0, 0, 0]), k, SCOPE)} == every
    assert [hit.passage.passage_id for hit in store.sparse("harbour", k, SCOPE)] == sorted(every)


@pytest.mark.parametrize("size", [1, 3, 5, 8])
def test_a_query_of_another_embedder_says_what_is_wrong_and_keeps_the_index(tmp_path: Path, size: int) -> None:
    store = filled(tmp_path, 3, 4)
    with pytest.raises(StoreError, match=f"a query of {size} dimensions, and the index has 4"):
        store.dense(np.ones(size) / size**0.5, 2, SCOPE)
    assert len(store.dense(np.array([1.0, 0, 0, 0]), 2, SCOPE)) == 2


def test_one_passage_of_one_dimension_is_an_index(tmp_path: Path) -> None:
    (hit,) = filled(tmp_path, 1, 1).dense(np.array([1.0]), 5, SCOPE)
    assert abs(hit.score) == pytest.approx(1.0)


def test_ids_and_labels_are_values_however_they_look(tmp_path: Path) -> None:
    store, hostile = LanceStore(tmp_path), "o'br\"ien\\ OR 1=1 --"
    store.rebuild([passage(1, passage_id=hostile, access=hostile)], np.array([[1.0]]), "f")
    assert [*store.passages([hostile, "' OR 1=1 --"], Scope(SCOPE.as_of, (hostile,)))] == [hostile]
    assert store.passages([hostile], SCOPE) == {}


def test_passages_without_a_word_take_no_part_in_word_search(tmp_path: Path) -> None:
    store = LanceStore(tmp_path)
    texts = ["", "\x00", "🏳️\u200d🌈", "harbour " * 50_000]
    store.rebuild([passage(n, text) for n, text in enumerate(texts)], np.tile([[1.0, 0.0]], (4, 1)), "f")
    assert [hit.passage.passage_id for hit in store.sparse("harbour", 9, SCOPE)] == ["p03"]
    assert len(store.dense(np.array([1.0, 0.0]), 9, SCOPE)) == 4


@pytest.mark.parametrize("number", [10**400, -(10**400), 1e308, 5e-324, True, None, "1", [1.0], {}])
def test_numbers_that_make_no_vector_are_an_error_of_the_endpoint(tmp_path: Path, number: object) -> None:
    def answer(request: JsonObject, _number: int) -> Response:
        return Response({"data": [{"index": i, "embedding": [number] * 3} for i in range(len(request["input"]))]})

    with ScriptedEndpoint(answer) as served:
        cache = open_embedding_cache(str(tmp_path / "ledger.sqlite"))
        embedder = OpenAIEmbedder("far", "m", cache, base_url=served.base_url, max_attempts=1)
        with pytest.raises(EmbeddingError, match="no usable reply"):
            embedder.queries(["harbour"])


def test_dimensions_that_change_between_two_requests_are_an_error_and_no_index(tmp_path: Path) -> None:
    def answer(request: JsonObject, number: int) -> Response:
        size = 3 if number == 0 else 4
        return Response({"data": [{"index": i, "embedding": [1.0] * size} for i in range(len(request["input"]))]})

    with ScriptedEndpoint(answer) as served:
        cache = open_embedding_cache(str(tmp_path / "ledger.sqlite"))
        embedder = OpenAIEmbedder("far", "m", cache, base_url=served.base_url, max_attempts=1, max_concurrency=1)
        with pytest.raises(EmbeddingError, match="far"):
            embedder.passages([f"harbour {n}" for n in range(100)])
