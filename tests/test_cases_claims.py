"""What goes wrong with claims, denominators and evidence, against a real HTTP endpoint (cases 20 to 29)."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.endpoint import ScriptedEndpoint
from tests.judging import judge, study, trace
from tests.scripted import JsonObject, Response, answer_all, answer_with, chat, never, payload, sequence, verdicts


def by_evidence(request: JsonObject, _number: int) -> Response:
    """A judge that supports a claim where its evidence holds the claim's text, and names what holds its words."""
    asked = payload(request)
    entries: list[dict[str, Any]] = []
    for claim in asked["claims"]:
        words = [word for word in claim["text"].rstrip(".").split() if len(word) > 3]
        holding = [e["id"] for e in asked["evidence"] if any(word in e["text"] for word in words)]
        whole = all(any(word in e["text"] for e in asked["evidence"]) for word in words)
        label = "supported" if whole else "not_in_evidence"
        entries.append({"id": claim["id"], "verdict": label, "evidence": holding, "justification": ""})
    return chat(request, json.dumps({"verdicts": entries}))


def single(text: str, *contexts: str, trace_id: str = "t1") -> dict[str, Any]:
    claims = [{"id": "k1", "text": text}]
    return {"id": trace_id, "question": "q", "answer": text, "contexts": list(contexts), "claims": claims}


def test_an_abstention_is_no_failure_and_a_timeout_is_one(tmp_path: Path) -> None:
    unsaid = single("I don't know.", "The fund opened.")
    with ScriptedEndpoint(answer_all("not_in_evidence")) as endpoint:
        judged = judge(tmp_path, study(endpoint), unsaid)
    row = judged.verdicts.row(0, named=True)
    assert (row["kind"], row["status"], row["reason"]) == ("abstention", "not_applicable", "abstention")
    assert judged.outcome.unscored == {}
    with ScriptedEndpoint(lambda _request, _number: never()) as endpoint:
        late = judge(tmp_path, study(endpoint, timeout_s=0.2, max_attempts=1), single("It opened.", "x", trace_id="t2"))
    assert late.by_claim("reason", "t2") == {"k1": "timeout"}
    assert late.outcome.unscored == {"timeout": 1}


def test_an_abstention_can_be_judged_and_stays_out_of_the_support_rate(tmp_path: Path) -> None:
    def script(request: JsonObject, _number: int) -> Response:
        text = payload(request)["claims"][0]["text"]
        return chat(request, verdicts(request, "unjustified_abstention" if "inconclusive" in text else "supported"))

    with ScriptedEndpoint(script) as endpoint:
        judged = judge(
            tmp_path,
            study(endpoint),
            single("Final Answer: inconclusive", "x"),
            single("It opened.", "x", trace_id="t2"),
        )
    summary = judged.summary["judges"]["j"]
    assert judged.by_claim("score") == {"k1": -2}
    assert (summary["rated"], summary["rate"]) == (1, 1.0)
    assert summary["abstention"]["n"] == 1


def test_a_failed_row_is_left_out_of_the_rate_and_counted_beside_it(tmp_path: Path) -> None:
    def script(request: JsonObject, _number: int) -> Response:
        text = payload(request)["claims"][0]["text"]
        return chat(request, verdicts(request) if "t2" not in text else "no")

    with ScriptedEndpoint(script) as endpoint:
        judged = judge(tmp_path, study(endpoint), trace("t1", 2), trace("t2", 2), trace("t3", 2))
    summary = judged.summary["judges"]["j"]
    assert (summary["rate"], summary["scored"], summary["unscored"]) == (1.0, 4, {"parse": 2})
    assert summary["bounds"] == pytest.approx([4 / 6, 1.0])


@pytest.mark.parametrize("contexts", [[""], [], None, ["  ", "\n"]])
def test_without_evidence_no_call_is_made_and_the_row_is_kept(tmp_path: Path, contexts: list[str] | None) -> None:
    bare = trace(claims=2)
    bare["contexts"] = contexts
    with ScriptedEndpoint() as endpoint:
        judged = judge(tmp_path, study(endpoint), bare)
        assert endpoint.count == 0
    assert judged.by_claim() == {"k1": "not_in_evidence", "k2": "not_in_evidence"}
    assert judged.by_claim("reason") == {"k1": "empty_evidence", "k2": "empty_evidence"}
    assert judged.by_claim("status") == {"k1": "scored", "k2": "scored"}


ANSWER = "The fund opened in March. It pays for ferries."


def extracting(*items: dict[str, str]):
    def script(request: JsonObject, _number: int) -> Response:
        if "answer" in payload(request):
            return chat(request, json.dumps({"claims": list(items)}))
        return chat(request, verdicts(request))

    return script


def unextracted_trace() -> dict[str, Any]:
    return {"id": "t1", "question": "q", "answer": ANSWER, "contexts": ["The fund opened in March."]}


def test_a_claim_that_the_answer_does_not_hold_is_flagged_and_kept_out(tmp_path: Path) -> None:
    script = extracting(
        {"text": "The fund opened in March.", "quote": "The fund opened in March."},
        {"text": "The fund closed in May.", "quote": "The fund closed in May."},
    )
    with ScriptedEndpoint(script) as endpoint:
        judged = judge(tmp_path, study(endpoint, claims={}), unextracted_trace())
    claims = judged.table("claims").sort("kind")
    assert claims["kind"].to_list() == ["statement", "unanchored"]
    assert claims["covered_share"][0] == pytest.approx(21 / 37, abs=0.02)
    assert judged.verdicts["claim"].to_list() == ["The fund opened in March."]


def test_an_extractor_that_fails_leaves_the_answer_unscored_and_a_rerun_mends_it(tmp_path: Path) -> None:
    good = extracting({"text": "The fund opened in March.", "quote": "The fund opened in March."})
    with ScriptedEndpoint(sequence(lambda r, _n: chat(r, "no"), lambda r, _n: chat(r, "no"), then=good)) as endpoint:
        asks = study(endpoint, claims={})
        failed = judge(tmp_path, asks, unextracted_trace())
        assert failed.verdicts.select("kind", "status", "reason").row(0) == ("unextracted", "unscored", "parse")
        mended = judge(tmp_path, asks, unextracted_trace())
    assert mended.verdicts.select("kind", "verdict").rows() == [("statement", "supported")]
    assert mended.outcome.dropped == 1
    assert mended.table("claims")["kind"].to_list() == ["statement"]


def test_evidence_longer_than_the_window_goes_in_windows_and_none_is_cut(tmp_path: Path) -> None:
    passages = [f"Passage {n} speaks of other things. " * 40 for n in range(6)]
    with ScriptedEndpoint(answer_with(lambda _claim: "not_in_evidence")) as endpoint:
        judged = judge(tmp_path, study(endpoint, context_window=2000), single("Alpha.", *passages))
        shown: dict[str, str] = {}
        for received in endpoint.requests:
            for exhibit in payload(received.json)["evidence"]:
                shown[exhibit["id"]] = shown.get(exhibit["id"], "") + exhibit["text"]
        assert endpoint.count > 1
    assert shown == {f"e{n}": text for n, text in enumerate(passages, start=1)}
    assert judged.table("calls").height == endpoint.count
    assert judged.by_claim() == {"k1": "not_in_evidence"}


def test_support_in_the_first_of_three_windows_is_support(tmp_path: Path) -> None:
    filler = "Nothing of that kind stands here at all. " * 75
    contexts = ["Zeta founded Omega.", *[f"{n} {filler}" for n in range(3)]]
    with ScriptedEndpoint(by_evidence) as endpoint:
        judged = judge(tmp_path, study(endpoint, context_window=2000), single("Zeta founded Omega.", *contexts))
        assert endpoint.count >= 3
    row = judged.verdicts.row(0, named=True)
    assert row["verdict"] == "supported"
    assert row["evidence_ids"] == [judged.table("traces")["contexts"][0][0]["id"]]


def test_two_passages_of_two_windows_support_a_claim_together(tmp_path: Path) -> None:
    filler = "Nothing of that kind stands here at all. " * 42
    contexts = ["Xenia founded Yotta.", filler, "1 " + filler, "Yotta lies in Zurich."]
    with ScriptedEndpoint(by_evidence) as endpoint:
        judged = judge(tmp_path, study(endpoint, context_window=2000), single("Xenia founded Zurich.", *contexts))
    ids = [context["id"] for context in judged.table("traces")["contexts"][0]]
    row = judged.verdicts.row(0, named=True)
    assert row["verdict"] == "supported"
    assert row["evidence_ids"] == [ids[0], ids[3]]


def test_silence_is_no_verdict_where_a_window_failed(tmp_path: Path) -> None:
    filler = "Nothing of that kind stands here at all. " * 60

    def script(request: JsonObject, _number: int) -> Response:
        shown = payload(request)["evidence"]
        return chat(
            request, "no" if any("Broken" in e["text"] for e in shown) else verdicts(request, "not_in_evidence")
        )

    with ScriptedEndpoint(script) as endpoint:
        judged = judge(tmp_path, study(endpoint, context_window=2000), single("Alpha.", filler, "Broken. " + filler))
    assert judged.by_claim("reason") == {"k1": "parse"}


def test_a_claim_too_long_for_the_window_is_unscored(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        judged = judge(tmp_path, study(endpoint, context_window=1500), single("word " * 3000, "evidence"))
        assert endpoint.count == 0
    assert judged.by_claim("reason") == {"k1": "too_long"}


@pytest.mark.parametrize("place", [0, 10, 20])
def test_the_true_passage_counts_wherever_it_stands_among_noise(tmp_path: Path, place: int) -> None:
    noise = [f"Noise {n} about other matters." for n in range(20)]
    noise.insert(place, "Zeta founded Omega.")
    with ScriptedEndpoint(by_evidence) as endpoint:
        judged = judge(tmp_path, study(endpoint), single("Zeta founded Omega.", *noise))
    assert judged.by_claim() == {"k1": "supported"}


def test_the_source_of_the_named_evidence_is_the_attribution(tmp_path: Path) -> None:
    contexts = [
        {"id": "d1", "text": "Zeta founded Omega.", "source": "graph"},
        {"id": "d2", "text": "Omega was founded by Zeta.", "source": "web"},
    ]
    with ScriptedEndpoint(by_evidence) as endpoint:
        judged = judge(tmp_path, study(endpoint), {**single("Zeta founded Omega."), "contexts": contexts})
    row = judged.verdicts.row(0, named=True)
    assert (row["evidence_ids"], row["attribution"]) == (["d1", "d2"], "graph+web")
