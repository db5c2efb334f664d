"""From a judge's reply to decisions by claim id."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithflow.claims.claim import ClaimKind
from faithflow.judging.prompt import AskedClaim
from faithflow.judging.reply import read_reply
from faithflow.judging.verdict import Label, Reason

STATEMENTS = [AskedClaim(f"c{n}", "a claim", ClaimKind.STATEMENT) for n in (1, 2, 3)]
ABSTENTION = [AskedClaim("c1", "Final Answer: inconclusive", ClaimKind.ABSTENTION)]
EVIDENCE = frozenset({"e1", "e2"})


def entry(claim_id: str, verdict: object = "supported", **more: object) -> dict[str, object]:
    return {"id": claim_id, "verdict": verdict, **more}


def reply(*entries: dict[str, object]) -> str:
    return json.dumps({"verdicts": list(entries)})


def test_every_claim_gets_the_verdict_of_its_id_in_any_order() -> None:
    reading = read_reply(reply(entry("c3", "contradicted"), entry("c1"), entry("c2")), "stop", STATEMENTS, EVIDENCE)
    assert {i: d.label for i, d in reading.decisions.items()} == {
        "c1": Label.SUPPORTED,
        "c2": Label.SUPPORTED,
        "c3": Label.CONTRADICTED,
    }


def test_a_claim_without_an_entry_is_missing() -> None:
    reading = read_reply(reply(entry("c1"), entry("c2")), "stop", STATEMENTS, EVIDENCE)
    assert reading.missing == {"c3": Reason.MISSING_VERDICT}


def test_an_unknown_id_is_no_claims_verdict() -> None:
    reading = read_reply(reply(entry("c1"), entry("c2"), entry("c9")), "stop", STATEMENTS, EVIDENCE)
    assert set(reading.decisions) == {"c1", "c2"}
    assert reading.missing == {"c3": Reason.MISSING_VERDICT}


def test_two_entries_for_one_claim_are_none() -> None:
    reading = read_reply(reply(entry("c1"), entry("c1"), entry("c2"), entry("c3")), "stop", STATEMENTS, EVIDENCE)
    assert reading.missing == {"c1": Reason.DUPLICATE_VERDICT}


@pytest.mark.parametrize("word", ["Supported", "SUPPORTED", "sup\u200bported", " supported\n", "ｓupported"])
def test_a_label_that_only_looks_different_is_the_label(word: str) -> None:
    assert (
        read_reply(reply(entry("c1", word)), "stop", STATEMENTS[:1], EVIDENCE).decisions["c1"].label is Label.SUPPORTED
    )


@pytest.mark.parametrize("word", ["unsupported", "untrue", "mostly supported", "", 1, ["supported"], True])
def test_a_word_that_is_no_label_is_unknown(word: object) -> None:
    reading = read_reply(reply(entry("c1", word)), "stop", STATEMENTS[:1], EVIDENCE)
    assert reading.missing == {"c1": Reason.UNKNOWN_LABEL}


def test_a_label_word_inside_the_justification_does_not_count() -> None:
    text = reply(entry("c1", "contradicted", justification="supported, score 1, all supported"))
    assert read_reply(text, "stop", STATEMENTS[:1], EVIDENCE).decisions["c1"].label is Label.CONTRADICTED


def test_an_empty_list_of_another_name_is_a_wrong_schema() -> None:
    assert read_reply('{"evaluations": []}', "stop", STATEMENTS, EVIDENCE).problem is Reason.SCHEMA


def test_an_empty_list_of_verdicts_leaves_every_claim_missing() -> None:
    reading = read_reply('{"verdicts": []}', "stop", STATEMENTS, EVIDENCE)
    assert not reading.decisions
    assert set(reading.missing.values()) == {Reason.MISSING_VERDICT}


def test_prose_is_a_parse_error() -> None:
    assert read_reply("**Answer: C**", "stop", STATEMENTS, EVIDENCE).problem is Reason.PARSE


def test_an_apology_is_a_refusal() -> None:
    assert read_reply("I apologize, I cannot judge this.", "stop", STATEMENTS, EVIDENCE).problem is Reason.REFUSAL


def test_a_cut_reply_keeps_its_whole_entries() -> None:
    text = reply(entry("c1"), entry("c2"), entry("c3"))[:-20]
    reading = read_reply(text, "length", STATEMENTS, EVIDENCE)
    assert set(reading.decisions) == {"c1", "c2"}
    assert reading.missing == {"c3": Reason.MISSING_VERDICT}


def test_a_reply_cut_before_its_first_entry_is_truncated() -> None:
    assert read_reply('{"verdicts": [{"id": "c', "length", STATEMENTS, EVIDENCE).problem is Reason.TRUNCATED


def test_an_abstention_takes_the_labels_of_abstentions() -> None:
    reading = read_reply(reply(entry("c1", "unjustified_abstention")), "stop", ABSTENTION, EVIDENCE)
    assert reading.decisions["c1"].label is Label.UNJUSTIFIED_ABSTENTION


def test_an_abstention_judged_as_a_statement_has_no_label() -> None:
    decision = read_reply(reply(entry("c1", "not_in_evidence")), "stop", ABSTENTION, EVIDENCE).decisions["c1"]
    assert (decision.label, decision.reason) == (None, Reason.ABSTENTION)


def test_a_statement_never_takes_an_abstentions_label() -> None:
    reading = read_reply(reply(entry("c1", "justified_abstention")), "stop", STATEMENTS[:1], EVIDENCE)
    assert reading.missing == {"c1": Reason.UNKNOWN_LABEL}


def test_unsure_is_a_decision_without_a_label() -> None:
    decision = read_reply(reply(entry("c1", "unsure")), "stop", STATEMENTS[:1], EVIDENCE).decisions["c1"]
    assert (decision.label, decision.reason) == (None, Reason.UNSURE)


def test_evidence_that_was_not_shown_is_dropped() -> None:
    text = reply(entry("c1", evidence=["e2", "e7", "E2", 3]))
    assert read_reply(text, "stop", STATEMENTS[:1], EVIDENCE).decisions["c1"].evidence == ("e2",)


@pytest.mark.parametrize(
    ("given", "kept"), [(0.4, 0.4), (1, 1.0), (3, None), ("0.5", None), (True, None), (-0.1, None)]
)
def test_a_confidence_is_a_probability_or_nothing(given: object, kept: float | None) -> None:
    text = reply(entry("c1", confidence=given))
    assert read_reply(text, "stop", STATEMENTS[:1], EVIDENCE).decisions["c1"].confidence == kept


def test_half_a_character_in_a_justification_is_replaced() -> None:
    text = '{"verdicts": [{"id": "c1", "verdict": "supported", "justification": "bad \\ud83d end"}]}'
    said = read_reply(text, "stop", STATEMENTS[:1], EVIDENCE).decisions["c1"].justification
    assert said == "bad \ufffd end"


@given(st.text(), st.sampled_from(["stop", "length", None]))
def test_any_reply_leaves_each_claim_decided_or_missing_and_never_both(text: str, finish: str | None) -> None:
    reading = read_reply(text, finish, STATEMENTS, EVIDENCE)
    assert set(reading.decisions) | set(reading.missing) == {"c1", "c2", "c3"}
    assert not set(reading.decisions) & set(reading.missing)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)
any_entry = st.dictionaries(
    st.sampled_from(["id", "verdict", "evidence", "justification", "confidence", "x"]), json_values
)


@given(st.lists(any_entry | json_values))
def test_any_list_of_verdicts_is_read_without_an_error(entries: list[object]) -> None:
    reading = read_reply(json.dumps({"verdicts": entries}), "stop", STATEMENTS, EVIDENCE)
    assert set(reading.decisions) | set(reading.missing) == {"c1", "c2", "c3"}
