from pathlib import Path

import numpy as np
import pytest

from benchmarks.baselines import data
from benchmarks.baselines.fit import finished, fit
from benchmarks.baselines.measure import auroc, measure
from benchmarks.baselines.planted import planted_negations, planted_numbers
from benchmarks.baselines.rows import judged, lexical_matrix, sampled
from faithflow.judging.baseline.lexical import LexicalScorer

needs_data = pytest.mark.skipif(
    not data.data_root().is_dir(), reason=f"the labelled data sets are not at {data.data_root()} (FAITHFLOW_DATA)"
)


def pairwise_auroc(scores: np.ndarray, y: np.ndarray) -> float:
    positive, negative = scores[y], scores[~y]
    wins = (positive[:, None] > negative).sum() + (positive[:, None] == negative).sum() / 2
    return float(wins / (len(positive) * len(negative)))


def test_the_area_is_the_share_of_pairs_in_the_right_order_with_half_for_ties() -> None:
    rng = np.random.default_rng(0)
    scores, y = rng.integers(0, 6, 60).astype(float), rng.random(60) < 0.4
    assert auroc(scores, y, np.ones((1, 60), dtype=np.int64))[0] == pytest.approx(pairwise_auroc(scores, y))


def test_an_interval_holds_its_estimate_and_is_the_same_each_time() -> None:
    rng = np.random.default_rng(1)
    y = rng.random(200) < 0.5
    scores = rng.random(200) + 0.3 * y
    clusters = [str(i // 4) for i in range(200)]
    first, again = measure(scores, scores > 0.6, y, clusters), measure(scores, scores > 0.6, y, clusters)
    assert first == again
    assert all(figure.low < figure.value < figure.high for figure in first)


def test_missing_data_is_looked_for_where_the_variable_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FAITHFLOW_DATA", str(tmp_path))
    assert data.data_root() == tmp_path


@needs_data
@pytest.mark.data
@pytest.mark.slow
def test_a_model_that_never_saw_a_set_ranks_its_claims_well() -> None:
    seen = [*data.kqa(), *data.qags_cnndm()]
    names, x, numbers = lexical_matrix(seen)
    model = finished(fit("lexical", names, x, [seen[i] for i in numbers]))
    unseen = sampled(data.lfqa(), 400)
    p = np.array([judgement.probability for judgement in judged(LexicalScorer(model), unseen)])
    y = np.array([row.supported for row in unseen])
    assert auroc(p, y, np.ones((1, len(y)), dtype=np.int64))[0] > 0.85


@needs_data
@pytest.mark.data
def test_planted_numbers_are_noticed_and_the_claims_before_are_left_alone() -> None:
    pair = planted_numbers(sampled(data.lfqa(), 900))
    before, after = judged(LexicalScorer(), pair.before), judged(LexicalScorer(), pair.after)
    assert len(after) > 20
    assert np.mean([judgement.contradicted for judgement in before]) < 0.05
    assert np.mean([judgement.contradicted for judgement in after]) > 0.3


@needs_data
@pytest.mark.data
def test_planted_negations_never_touch_the_claim_as_it_was() -> None:
    pair = planted_negations(sampled(data.lfqa(), 300))
    before = judged(LexicalScorer(), pair.before)
    assert all(" not" in row.claim for row in pair.after)
    assert np.mean([judgement.contradicted for judgement in before]) < 0.02
