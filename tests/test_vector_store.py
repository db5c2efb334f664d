import datetime as dt
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from faithflow.corpus.scope import LAST_DAY, Scope
from faithflow.errors import StoreError
from faithflow.retrieval.model import Hit, IndexedPassage
from resources.vector_store import LanceStore

TODAY = Scope(dt.date(2026, 3, 1))
TEXTS = (
    "The Commission fines a producer of glass.",
    "Fishing quotas for cod are cut by a tenth.",
    "The Café de l'Europe opens in Brussels.",
    "A court upholds the fine on the producer.",
    "Herring may be fished from March on.",
)
HOSTILE = [
    "o'br\"ien",
    "a') OR ('1'='1",
    "back\\slash",
    "new\nline",
    "per%cent_",
    "--",
    "; DROP TABLE passages",
    "😀",
    "",
]


def passage(number: int, text: str = "", **more: object) -> IndexedPassage:
    plain = IndexedPassage(
        f"p_{number:04d}", "d_1", "IP/26/1", "", "2026-01-02", "", text or f"Text {number}.", "public"
    )
    return replace(plain, **more)


def unit(rows: int, dimensions: int = 8, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((rows, dimensions)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.passage.passage_id for hit in hits]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LanceStore]:
    opened = LanceStore(tmp_path / "vectors")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> LanceStore:
    """The five texts, and one of each hostile label with the word "county"."""
    opened = LanceStore(tmp_path_factory.mktemp("library") / "vectors")
    rows = [passage(i, text) for i, text in enumerate(TEXTS)]
    rows += [passage(100 + i, f"County {i}", access=label) for i, label in enumerate(HOSTILE)]
    opened.rebuild(rows, unit(len(rows)), "library")
    return opened


def test_dense_search_is_the_brute_force_cosine_search(store: LanceStore) -> None:
    vectors = unit(500, 16)
    store.rebuild([passage(i) for i in range(500)], vectors, "f")
    for query in unit(5, 16, seed=1):
        hits = store.dense(query, 10, TODAY)
        cosines = vectors @ query
        assert ids(hits) == [f"p_{i:04d}" for i in np.argsort(-cosines)[:10]]
        assert [hit.score for hit in hits] == pytest.approx(sorted(cosines, reverse=True)[:10], abs=1e-6)


def test_a_vector_of_nothing_scores_nothing_and_is_no_error(store: LanceStore) -> None:
    vectors = unit(3)
    vectors[1] = 0
    store.rebuild([passage(i) for i in range(3)], vectors, "f")
    assert dict(zip(ids(store.dense(vectors[0], 3, TODAY)), [1, 0, 0], strict=False))["p_0000"] == 1
    assert next(h.score for h in store.dense(vectors[0], 3, TODAY) if h.passage.passage_id == "p_0001") == 0
    assert [hit.score for hit in store.dense(vectors[1], 3, TODAY)] == [0, 0, 0]


@pytest.mark.parametrize("k", [1, 7, 39, 40, 60])
def test_equal_scores_are_ordered_by_id_also_where_they_straddle_the_last_place(store: LanceStore, k: int) -> None:
    order = np.random.default_rng(3).permutation(40)
    store.rebuild([passage(int(i), "Cod.") for i in order], np.tile(unit(1), (40, 1)), "f")
    expected = [f"p_{i:04d}" for i in range(40)][:k]
    assert ids(store.dense(unit(1)[0], k, TODAY)) == expected
    assert ids(store.sparse("cod", k, TODAY)) == expected


def test_what_is_found_has_every_field_that_was_indexed(store: LanceStore) -> None:
    full = IndexedPassage(
        "p_1",
        "d_1",
        "IP/26/7",
        "A title",
        "2026-02-03",
        "https://example.org/7",
        "Its text.",
        "staff",
        20260101,
        LAST_DAY,
    )
    store.rebuild([full], unit(1), "f")
    scope = Scope(dt.date(2026, 5, 5), ("staff",))
    assert store.dense(unit(1)[0], 1, scope)[0].passage == full
    assert store.sparse("title", 1, scope)[0].passage == full
    assert store.passages(["p_1"], scope) == {"p_1": full}


def test_bm25_knows_words_without_case_and_accents_and_ranks_the_rarer_word_higher(library: LanceStore) -> None:
    assert ids(library.sparse("CAFE", 5, TODAY)) == ["p_0002"]
    assert set(ids(library.sparse("fine producer", 5, TODAY))) == {"p_0000", "p_0003"}
    assert ids(library.sparse("herring producer", 5, TODAY))[0] == "p_0004"


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "",
        " ",
        "😀",
        "AND OR NOT (",
        "text:",
        "^2 ~ * ?",
        "\x00",
        "\ud800",
        "SELECT * FROM passages; --",
        "x" * 100_000,
    ],
)
def test_a_query_without_a_word_of_the_corpus_finds_nothing(library: LanceStore, query: str) -> None:
    assert library.sparse(query, 5, TODAY) == []


@pytest.mark.parametrize(
    "query", ['"herring', "+herring -march", "herring AND NOT (", "indexed:herring^9", "herring\ud800"]
)
def test_operators_in_a_query_are_words_or_nothing(library: LanceStore, query: str) -> None:
    assert ids(library.sparse(query, 5, TODAY)) == ["p_0004"]


def test_a_query_of_ten_thousand_words_is_answered(library: LanceStore) -> None:
    assert ids(library.sparse("herring " + "nothing " * 10_000, 5, TODAY)) == ["p_0004"]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=40))
def test_no_query_text_raises_or_leaves_the_scope(library: LanceStore, query: str) -> None:
    assert all(hit.passage.access == "public" for hit in library.sparse(query, 20, TODAY))


@pytest.mark.parametrize("label", HOSTILE)
def test_a_label_is_a_value_whatever_it_looks_like(library: LanceStore, label: str) -> None:
    scope = Scope(TODAY.as_of, (label,))
    own = [f"p_{100 + HOSTILE.index(label):04d}"]
    assert ids(library.dense(unit(1)[0], 50, scope)) == own
    assert ids(library.sparse("county", 50, scope)) == own
    assert list(library.passages([f"p_{100 + i:04d}" for i in range(len(HOSTILE))], scope)) == own


def test_an_asker_without_labels_finds_nothing(library: LanceStore) -> None:
    nobody = Scope(TODAY.as_of, ())
    assert library.dense(unit(1)[0], 5, nobody) == library.sparse("county", 5, nobody) == []
    assert library.passages(["p_0000"], nobody) == {}


def test_a_document_is_found_from_its_first_day_until_the_day_before_its_last(store: LanceStore) -> None:
    store.rebuild([passage(1, "Cod.", valid_from=20260301, valid_to=20260401)], unit(1), "f")
    found = {
        day: len(store.dense(unit(1)[0], 5, Scope(day))) + len(store.sparse("cod", 5, Scope(day)))
        for day in (dt.date(2026, 2, 28), dt.date(2026, 3, 1), dt.date(2026, 3, 31), dt.date(2026, 4, 1))
    }
    assert list(found.values()) == [0, 2, 2, 0]


def test_the_scope_is_applied_before_the_best_are_taken(store: LanceStore) -> None:
    vectors = np.tile(unit(1), (301, 1))
    vectors[300] = -unit(1)[0]
    rows = [passage(i, "cod cod cod", access="secret") for i in range(300)]
    store.rebuild([*rows, passage(300, "A long text in which cod stands once.")], vectors, "f")
    assert ids(store.dense(unit(1)[0], 1, TODAY)) == ids(store.sparse("cod", 1, TODAY)) == ["p_0300"]


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_every_search_honours_the_scope(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    days = st.sampled_from([0, 20260101, 20260301, 20260302, LAST_DAY])
    labels = st.sampled_from(["public", "staff", "o'neil"])
    drawn = data.draw(st.lists(st.tuples(labels, days, days), min_size=1, max_size=30))
    rows = [passage(i, "Cod.", access=a, valid_from=f, valid_to=t) for i, (a, f, t) in enumerate(drawn)]
    scope = Scope(TODAY.as_of, tuple(data.draw(st.lists(labels, unique=True))))
    opened = LanceStore(tmp_path_factory.mktemp("scope"))
    opened.rebuild(rows, np.tile(unit(1), (len(rows), 1)), "f")
    allowed = [r.passage_id for r in rows if scope.allows(r.access, r.valid_from, r.valid_to)]
    assert ids(opened.dense(unit(1)[0], 50, scope)) == ids(opened.sparse("cod", 50, scope)) == allowed
    assert list(opened.passages([r.passage_id for r in rows], scope)) == allowed


def test_two_builds_of_the_same_passages_give_the_same_hits_and_scores(tmp_path: Path) -> None:
    words = [f"word{i}" for i in range(60)]
    rng = np.random.default_rng(5)
    rows = [passage(i, " ".join(rng.choice(words, 20))) for i in range(5_000)]
    vectors = unit(len(rows))
    first, second = LanceStore(tmp_path / "first"), LanceStore(tmp_path / "second")
    first.rebuild(rows, vectors, "f")
    second.rebuild(rows[::-1], vectors[::-1], "f")
    for i in range(5):
        query = " ".join(words[i : i + 4])
        assert first.sparse(query, 20, TODAY) == second.sparse(query, 20, TODAY)
        assert first.sparse(query, 5, TODAY) == first.sparse(query, 20, TODAY)[:5]
        assert first.dense(vectors[i], 20, TODAY) == second.dense(vectors[i], 20, TODAY)


def test_passages_come_in_the_order_asked_once_and_unknown_ids_are_absent(store: LanceStore) -> None:
    store.rebuild([passage(i) for i in range(1_200)], unit(1_200), "f")
    asked = [f"p_{i:04d}" for i in range(1_199, -1, -1)]
    assert list(store.passages([*asked, "p_0000", "absent", "') OR 1=1 --"], TODAY)) == asked


def test_the_same_fingerprint_does_nothing_and_another_replaces_all(store: LanceStore) -> None:
    assert store.fingerprint() is None
    assert store.count() == 0
    assert store.rebuild([passage(1), passage(2)], unit(2), "one") == 2
    assert store.rebuild(iter(()), unit(0), "one") == 2
    assert store.rebuild([passage(3)], unit(1), "two") == 1
    assert (store.fingerprint(), store.count()) == ("two", 1)
    assert ids(store.dense(unit(1)[0], 5, TODAY)) == ["p_0003"]


def test_an_index_of_nothing_finds_nothing(store: LanceStore) -> None:
    assert store.rebuild([], np.empty((0, 384), np.float32), "empty") == 0
    assert store.dense(unit(1, 384)[0], 5, TODAY) == store.sparse("cod", 5, TODAY) == []
    assert store.passages(["p_0001"], TODAY) == {}


@pytest.mark.parametrize(
    ("rows", "vectors"),
    [
        ([passage(1)], unit(2)),
        ([passage(1), passage(2)], unit(1)),
        ([passage(1)], np.empty((0, 8), np.float32)),
        ([passage(1), passage(1)], unit(2)),
        ([passage(1)], np.full((1, 8), np.nan, np.float32)),
        ([passage(1)], 2 * unit(1)),
        ([passage(1)], unit(1)[0]),
    ],
)
def test_vectors_that_do_not_fit_are_refused_and_the_old_index_stays(
    store: LanceStore, rows: list[IndexedPassage], vectors: np.ndarray
) -> None:
    store.rebuild([passage(9)], unit(1), "old")
    with pytest.raises(ValueError, match=r"vector|same id"):
        store.rebuild(rows, vectors, "new")
    assert (store.fingerprint(), ids(store.dense(unit(1)[0], 5, TODAY))) == ("old", ["p_0009"])


def test_a_rebuild_that_is_killed_midway_leaves_the_old_index(store: LanceStore, tmp_path: Path) -> None:
    store.rebuild([passage(9)], unit(1), "old")
    builds = tmp_path / "vectors" / "builds"
    script = (
        "from pathlib import Path; from tests.test_vector_store import *; "
        f"LanceStore(Path({str(tmp_path / 'vectors')!r})).rebuild(map(passage, range(99_999)), unit(99_999, 32), 'new')"
    )
    with subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parents[1]) as process:
        while len(list(builds.iterdir())) < 2 and process.poll() is None:
            time.sleep(0.01)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert (store.fingerprint(), ids(store.dense(unit(1)[0], 5, TODAY))) == ("old", ["p_0009"])
    store.rebuild([passage(1)], unit(1), "new")
    assert len(list(builds.iterdir())) == 1


def test_a_reader_that_was_open_before_a_rebuild_sees_the_new_index(store: LanceStore, tmp_path: Path) -> None:
    store.rebuild([passage(1)], unit(1), "one")
    reader = LanceStore(tmp_path / "vectors")
    assert ids(reader.dense(unit(1)[0], 5, TODAY)) == ["p_0001"]
    store.rebuild([passage(2)], unit(1), "two")
    assert ids(reader.dense(unit(1)[0], 5, TODAY)) == ["p_0002"]


def test_many_threads_read_while_one_rebuilds(store: LanceStore, tmp_path: Path) -> None:
    builds = [[passage(i, f"Cod of build {n}.") for i in range(50)] for n in range(6)]
    store.rebuild(builds[0], unit(50), "0")
    failures: list[BaseException] = []
    done = threading.Event()

    def read() -> None:
        reader = LanceStore(tmp_path / "vectors")
        try:
            while not done.is_set():
                hits = [*reader.dense(unit(1)[0], 10, TODAY)]
                assert len(hits) == 10
                assert len({hit.passage.text for hit in hits}) == 1
                assert len(reader.sparse("cod", 10, TODAY)) == 10
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number, rows in enumerate(builds[1:], start=1):
        store.rebuild(rows, unit(50), str(number))
    done.set()
    for thread in threads:
        thread.join()
    assert failures == []


def test_threads_that_share_a_store_get_the_answers_of_one(library: LanceStore) -> None:
    queries = unit(40, seed=2)
    expected = [library.dense(query, 5, TODAY) for query in queries]
    found: dict[int, list[Hit]] = {}

    def search(start: int) -> None:
        for i in range(start, len(queries), 8):
            found[i] = library.dense(queries[i], 5, TODAY)

    threads = [threading.Thread(target=search, args=(start,)) for start in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[i] for i in range(len(queries))] == expected


def test_without_an_index_the_error_says_what_to_do(store: LanceStore) -> None:
    with pytest.raises(StoreError, match="materialize `vector_index`"):
        store.dense(unit(1)[0], 5, TODAY)


def test_a_broken_index_is_a_clear_error(store: LanceStore, tmp_path: Path) -> None:
    store.rebuild([passage(1)], unit(1), "f")
    pointer = tmp_path / "vectors" / "current.json"
    pointer.write_text(json.dumps({"build": "gone", "fingerprint": "f", "passages": 1}))
    with pytest.raises(StoreError, match="cannot be read"):
        store.sparse("cod", 5, TODAY)
    pointer.write_text("{")
    with pytest.raises(StoreError, match="delete the folder"):
        store.count()
