import sys
import types
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithflow.errors import UserError
from faithflow.retrieval.context import choose
from faithflow.retrieval.fusion import reciprocal_rank_fusion
from faithflow.retrieval.lexical_rerank import LexicalReranker, bm25
from faithflow.retrieval.model import Hit, IndexedPassage
from resources.reranker import CrossEncoderReranker, open_reranker


def hit(name: str, score: float = 0.0, text: str = "", title: str = "") -> Hit:
    return Hit(IndexedPassage(name, "d", "R", title, "", "", text or name, "public"), score)


def names(hits: Sequence[Hit]) -> list[str]:
    return [each.passage.passage_id for each in hits]


class ByLength:
    """Longer texts first; notes what it was given."""

    name = "length"

    def __init__(self) -> None:
        self.given: list[str] = []

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        self.given = list(texts)
        return [float(len(text)) for text in texts]


# ---- fusion

hit_lists = st.lists(
    st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8).map(lambda found: [hit(name) for name in found]),
    max_size=4,
)


def test_fused_scores_are_sums_of_reciprocal_ranks() -> None:
    fused = reciprocal_rank_fusion([[hit("a"), hit("b")], [hit("b"), hit("c")]])
    assert names(fused) == ["b", "a", "c"]
    assert [each.score for each in fused] == [1 / 62 + 1 / 61, 1 / 61, 1 / 62]


def test_equal_sums_are_ordered_by_id_and_a_copy_in_one_ranking_counts_once() -> None:
    assert names(reciprocal_rank_fusion([[hit("b")], [hit("a")]])) == ["a", "b"]
    assert reciprocal_rank_fusion([[hit("a"), hit("a"), hit("b")]])[1].score == 1 / 62


@given(hit_lists)
def test_fusion_keeps_every_passage_once_and_the_order_of_a_single_ranking(rankings: list[list[Hit]]) -> None:
    fused = names(reciprocal_rank_fusion(rankings))
    assert sorted(fused) == sorted({name for ranking in rankings for name in names(ranking)})
    assert all(names(reciprocal_rank_fusion([ranking])) == names(ranking) for ranking in rankings)
    assert fused == names(reciprocal_rank_fusion(rankings[::-1]))


# ---- choosing the context


def test_without_a_reranker_the_first_k_are_kept_and_the_others_cut_by_the_cap() -> None:
    choices = choose("q", [hit("a"), hit("b"), hit("c")], 2)
    assert [(c.hit.passage.passage_id, c.rank, c.kept, c.cut) for c in choices] == [
        ("a", 1, True, None),
        ("b", 2, True, None),
        ("c", 3, False, "cap"),
    ]
    assert [c.relevance for c in choices] == [None] * 3


def test_a_reranker_orders_by_its_scores_and_what_it_pushes_out_is_cut_by_it() -> None:
    reranker = ByLength()
    hits = [hit("a", text="x"), hit("b", text="xxx"), hit("c", text="xx"), hit("d", text="x", title="Title")]
    choices = choose("q", hits, 2, reranker)
    assert reranker.given == ["x", "xxx", "xx", "Title\nx"]
    assert [(c.hit.passage.passage_id, c.rank, c.relevance, c.cut) for c in choices] == [
        ("d", 4, 7.0, None),
        ("b", 2, 3.0, None),
        ("a", 1, 1.0, "rerank"),
        ("c", 3, 2.0, "cap"),
    ]


def test_equal_scores_keep_the_order_before() -> None:
    assert [c.rank for c in choose("q", [hit("b"), hit("a"), hit("c")], 3, ByLength())] == [1, 2, 3]


def test_a_passage_found_twice_is_kept_once_and_the_copy_is_said() -> None:
    reranker = ByLength()
    choices = choose("q", [hit("a"), hit("a"), hit("b")], 3, reranker)
    assert [(c.rank, c.cut) for c in choices] == [(1, None), (3, None), (2, "duplicate")]
    assert reranker.given == ["a", "b"]


@given(st.lists(st.sampled_from("abcde")), st.integers(0, 6), st.booleans())
def test_every_hit_is_accounted_for_once(found: list[str], k: int, reranked: bool) -> None:
    choices = choose("q", [hit(name) for name in found], k, ByLength() if reranked else None)
    assert sorted(c.rank for c in choices) == list(range(1, len(found) + 1))
    assert sum(c.kept for c in choices) == min(k, len(set(found)))
    assert sum(c.cut == "duplicate" for c in choices) == len(found) - len(set(found))
    assert [c.kept for c in choices] == sorted((c.kept for c in choices), reverse=True)


# ---- the offline reranker


def test_bm25_is_the_published_formula() -> None:
    texts = [["cod", "cod", "quota"], ["herring"], ["cod"], ["glass"]]
    # ln(1 + (4 - 2 + .5) / (2 + .5)) = ln 2; lengths 3 and 1, mean 1.5
    expected = [np.log(2) * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 2)), 0, np.log(2) * 2.2 / (1 + 1.2 * 0.75), 0]
    assert bm25(["cod", "cod", "absent"], texts) == pytest.approx(expected)


def test_a_passage_with_the_query_s_rare_words_goes_up() -> None:
    texts = ["The Commission met.", "The Commission spoke.", "The Commission fined a cartel of glass producers."]
    scores = LexicalReranker().scores("Which glass producers did the Commission fine?", texts)
    assert scores[2] > scores[1]
    assert max(scores) <= 2 / 61


@pytest.mark.parametrize("query", ["", "?", "xylophone", "\ud800"])
def test_a_query_that_shares_no_word_leaves_the_order(query: str) -> None:
    scores = LexicalReranker().scores(query, ["Cod.", "Herring.", ""])
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 3


@given(st.text(max_size=30), st.lists(st.text(max_size=30), max_size=6))
def test_each_text_gets_one_finite_score_and_the_same_again(query: str, texts: list[str]) -> None:
    scores = LexicalReranker().scores(query, texts)
    assert len(scores) == len(texts)
    assert all(0 < score <= 2 / 61 for score in scores)
    assert scores == LexicalReranker().scores(query, texts)


# ---- the cross-encoder of the extra


class Engine:
    def __init__(self, model: str) -> None:
        self.model = model

    def predict(self, pairs: list[tuple[str, str]], *, activation_fn: object, show_progress_bar: bool) -> np.ndarray:
        assert activation_fn == "identity"
        if self.model == "classifier":
            return np.zeros((len(pairs), 2), np.float32)
        return np.array([len(text) - len(query) for query, text in pairs], np.float32)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library with another engine in place of its models."""
    module, torch = types.ModuleType("sentence_transformers"), types.ModuleType("torch")
    module.CrossEncoder = Engine  # type: ignore[attr-defined]
    torch.nn = types.SimpleNamespace(Identity=lambda: "identity")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    monkeypatch.setitem(sys.modules, "torch", torch)


@pytest.mark.usefixtures("library")
def test_a_cross_encoder_scores_pairs_of_query_and_text() -> None:
    reranker = CrossEncoderReranker()
    assert reranker.name == "intfloat/simlm-msmarco-reranker"
    assert reranker.scores("q", ["cod", "herring"]) == [2.0, 6.0]
    assert reranker.scores("q", []) == []


@pytest.mark.usefixtures("library")
def test_a_model_that_is_no_reranker_is_refused() -> None:
    with pytest.raises(UserError, match=r"'classifier' is no reranker: it gives \(2, 2\) for 2 texts"):
        CrossEncoderReranker("classifier").scores("q", ["a", "b"])


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(UserError, match=r"pip install 'faithflow\[local\]'"):
        CrossEncoderReranker().scores("q", ["a"])


def test_rerankers_open_by_kind() -> None:
    assert open_reranker("none") is None
    opened = [open_reranker("lexical"), open_reranker("cross_encoder"), open_reranker("cross_encoder", model="m")]
    assert [each.name for each in opened if each] == ["lexical", "intfloat/simlm-msmarco-reranker", "m"]
    with pytest.raises(UserError, match="there is no reranker 'magic': lexical, cross_encoder or none"):
        open_reranker("magic")
