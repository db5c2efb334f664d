"""Every fitting entry of the reference values: computed by irrCAC, statsmodels or scipy, or published."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from faithflow.stats.agreement import compare
from faithflow.stats.intervals import wilson
from faithflow.stats.paired import mcnemar_exact, sign_flip
from faithflow.stats.raters import fleiss_kappa, gwet_ac1_multi

DATA = Path(os.environ.get("FAITHFLOW_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
FILE = DATA / "stats_reference" / "reference_values.json"

pytestmark = pytest.mark.data


def two_raters(entry):
    table = entry["data"]
    labels = [str(place) for place in range(len(table))]
    cells = [(labels[i], labels[j]) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    found = compare(*zip(*cells, strict=True), labels)
    if not isinstance(entry["computed"], dict):
        assert found.kappa == pytest.approx(entry["computed"], abs=1e-6)
        return
    cohen, gwet = entry["computed"]["cohen|identity"], entry["computed"]["gwet|identity"]
    assert found.kappa == pytest.approx(cohen["coef"], abs=1e-6)
    assert found.kappa_se == pytest.approx(cohen["se"], abs=1e-6)
    assert found.kappa_interval == pytest.approx(cohen["ci"], abs=1e-6)
    assert found.kappa_se == pytest.approx(entry["computed"]["statsmodels_cohen"]["std_kappa"], abs=1e-6)
    assert found.ac1 == pytest.approx(gwet["coef"], abs=1e-6)
    assert found.ac1_se == pytest.approx(gwet["se"][0], abs=1e-6)
    assert found.ac1_interval == pytest.approx(gwet["ci"], abs=1e-6)
    assert found.kappa == pytest.approx(entry["published"]["cohen"], abs=5e-4)
    assert found.ac1 == pytest.approx(entry["published"]["gwet_ac1"], abs=5e-4)


def several_raters(entry):
    labels = sorted({label for row in entry["data"] for label in row if label is not None})
    ballots = [[row.count(label) for label in labels] for row in entry["data"]]
    for coefficient, name in ((gwet_ac1_multi, "gwet|identity"), (fleiss_kappa, "fleiss|identity")):
        found, expected = coefficient(ballots), entry["computed"][name]
        assert found.value == pytest.approx(expected["coef"], abs=1e-6)
        assert found.se == pytest.approx(expected["se"], abs=1e-6)
        assert found.interval == pytest.approx(expected["ci"], abs=1e-6)


def fleiss_of_ratings(entry):
    labels = sorted({label for row in entry["data"] for label in row})
    ballots = [[row.count(label) for label in labels] for row in entry["data"]]
    assert fleiss_kappa(ballots).value == pytest.approx(entry["computed"], abs=1e-6)


def fleiss_of_counts(entry):
    computed = entry["computed"]
    expected = computed["fleiss"] if isinstance(computed, dict) else computed
    assert fleiss_kappa(entry["data"]).value == pytest.approx(expected, abs=1e-6)


def mcnemar(entry):
    (_, b), (c, _) = entry["data"]
    assert mcnemar_exact(b, c) == pytest.approx(entry["computed"]["p"], rel=1e-9)
    assert sign_flip([1] * b + [-1] * c) == pytest.approx(entry["computed"]["p"], rel=1e-9)


def newcombe(entry):
    assert wilson(*entry["data"]) == pytest.approx(entry["computed"], abs=1e-6)
    assert np.allclose(wilson(*entry["data"]), entry["published"], atol=5e-5)


HELD = {
    "cohen_kappa_2x2_wikipedia": two_raters,
    "cont3x3abstractors": two_raters,
    "cont4x4diagnosis": two_raters,
    "cac.raw4raters": several_raters,
    "fleiss_1971_diagnoses": fleiss_of_ratings,
    "fleiss_wikipedia": fleiss_of_counts,
    "fleiss_vs_randolph": fleiss_of_counts,
    "distrib.6raters_fleiss": fleiss_of_counts,
    "mcnemar_exact": mcnemar,
    "wilson_newcombe1998": newcombe,
}
# statistics that faithflow does not compute (yet); the Agresti entry is of the chi-square forms of McNemar's test
OTHERS = {
    *("krippendorff_C_data", "krippendorff_wikipedia", "mcnemar_agresti_approval", "cochran_armitage_alcohol"),
    *("prop_trend_test_R_smokers", "holm_wikipedia", "bca_efron_law_school", "cliffs_delta", "cochran_q"),
}


def entries():
    """The entries of what is computed here, and any that is named neither in HELD nor in OTHERS."""
    if not FILE.is_file():
        return [pytest.param(None, marks=pytest.mark.skip(reason="the reference values are not here (FAITHFLOW_DATA)"))]
    found = [entry for entry in json.loads(FILE.read_text()) if entry["name"] not in OTHERS]
    return [pytest.param(entry, id=f"{entry['name']}-{place}") for place, entry in enumerate(found)]


@pytest.mark.parametrize("entry", entries())
def test_a_statistic_gives_its_reference_value(entry):
    assert entry["name"] in HELD, "say in HELD or OTHERS what this entry is"
    HELD[entry["name"]](entry)
