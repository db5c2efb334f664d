"""The study file."""

from pathlib import Path

import pytest

from faithflow.errors import StudyError
from faithflow.study.load import load_study

LOCAL = "{name: local, provider: vllm, model: m, base_url: 'http://127.0.0.1:1/v1'}"


@pytest.fixture
def load(tmp_path: Path):
    def from_text(text: str):
        path = tmp_path / "study.yaml"
        path.write_text(text, encoding="utf-8")
        return load_study(path)

    return from_text


def test_the_bundled_study_has_both_baselines() -> None:
    assert [judge.name for judge in load_study().judges] == ["lexical", "semantic"]


def test_only_judges_has_no_default(load) -> None:
    study = load(f"judges: [{LOCAL}]")
    assert study.claims.extractor == "sentences"
    with pytest.raises(StudyError, match="judges: is required"):
        load("name: x")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "judges: [{name: a, provider: openai, modle: m}]",
            r"judges\[0\]\.modle: unknown key 'modle'; did you mean 'model'",
        ),
        ("judges: [{name: a, provider: openai}]", r"judges\[0\]: names no model"),
        ("judges: [{name: a, provider: openia, model: m}]", r"judges\[0\]\.provider: "),
        ("judges: [{name: a, provider: vllm, model: m}]", r"judges\[0\]: provider vllm needs base_url"),
        ("judges: [{name: a, provider: anthropic, model: m}]", "not available yet"),
        ("judges: [{name: best, provider: baseline}]", "baseline 'best' does not exist"),
        ("judges: [{name: 'a b', provider: baseline, model: lexical}]", r"judges\[0\]\.name"),
        (f"judges: [{LOCAL}, {LOCAL}]", "name 'local' is used twice"),
        (f"judges: [{LOCAL}]\nbudgt: {{cost: 1}}", "budgt: unknown key 'budgt'; did you mean 'budget'"),
        (f"judges: [{LOCAL}]\nbudget: {{cost: 1}}", "budget.cost: judge 'local' has no price"),
        (f"judges: [{LOCAL}]\nrepeats: 0", "repeats: "),
        ("judges: [{name: a, provider: openai, model: m, params: {stream: true}}]", "'stream' is set by faithflow"),
        (
            "judges: [{name: a, provider: openai, model: m, base_url: 'https://me:secret@host/v1'}]",
            r"judges\[0\]\.base_url: must hold no user",
        ),
        ("judges:\n  - a\njudges:\n  - b", "line 3: key 'judges' is given twice"),
        ("judges: [", "is not valid YAML"),
        ("[]", "must be a mapping"),
    ],
)
def test_a_wrong_key_is_named_with_its_path(load, text: str, says: str) -> None:
    with pytest.raises(StudyError, match=says):
        load(text)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"none\.yaml: cannot be read"):
        load_study(tmp_path / "none.yaml")


def test_a_corpus_path_is_relative_to_the_study_file(load, tmp_path: Path) -> None:
    study = load(f"judges: [{LOCAL}]\ncorpora: [{{name: mine, traces: mine.jsonl}}]")
    assert study.corpora[0].traces == str(tmp_path / "mine.jsonl")


def test_the_fingerprint_moves_with_any_parameter(load) -> None:
    before = load(f"judges: [{LOCAL}]").fingerprint
    assert load(f"judges: [{LOCAL}]").fingerprint == before
    assert (
        load("judges: [{name: local, provider: vllm, model: n, base_url: 'http://127.0.0.1:1/v1'}]").fingerprint
        != before
    )


def test_nobody_can_change_a_study_once_read(load) -> None:
    study = load(f"judges: [{LOCAL}]")
    with pytest.raises(ValueError, match="frozen"):
        study.repeats = 3
