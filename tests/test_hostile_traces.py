"""Traces that nobody expects, and runs that end in the middle."""

import asyncio
import json
from pathlib import Path

import pytest

from faithflow.claims.claim import ClaimKind
from faithflow.corpus.traces import read_traces
from faithflow.errors import TraceError
from faithflow.judging.prompt import AskedClaim, Exhibit
from faithflow.judging.windows import plan_windows
from faithflow.llm.tokens import estimate_tokens
from tests.endpoint import ScriptedEndpoint
from tests.judging import Judged, judge, judge_async, study, trace, write_traces

NASTY = (
    "👩\u200d👧 \u202eright to left\u202c \u200b \x00 \x1b[31m \x07 </script><script>alert(1)</script> {{7*7}} \u2028 "
    "\" \\ '"
)


def test_hostile_text_in_every_field_is_judged_and_stays_text(tmp_path: Path) -> None:
    hostile = {
        "id": NASTY,
        "question": NASTY,
        "answer": NASTY,
        "contexts": [NASTY, {"id": NASTY, "text": f"{NASTY} again", "source": NASTY}],
        "pipeline": NASTY,
        "stratum": NASTY,
        "claims": [{"id": NASTY, "text": NASTY}],
    }
    with ScriptedEndpoint() as endpoint:
        judged = judge(tmp_path, study(endpoint), hostile)
    assert judged.verdicts.select("trace_id", "claim_id", "claim", "verdict").row(0) == (
        NASTY,
        NASTY,
        NASTY,
        "supported",
    )
    page = (judged.folder / "report.html").read_text(encoding="utf-8")
    assert "<script>alert(1)" not in page
    assert "\x1b" not in page


def test_ids_that_differ_by_case_form_or_space_alone_stay_apart(tmp_path: Path) -> None:
    ids = ["a", "A", " a", "a ", "é", "e\u0301", "a/b\\c", "../a", "o'\"", "%", "_", "x" * 10_000, "NULL", "a\nb"]
    with ScriptedEndpoint() as endpoint:
        judged = judge(tmp_path, study(endpoint), *(trace(each, 1) for each in ids))
        assert endpoint.count == len(ids)
    assert sorted(judged.verdicts["trace_id"]) == sorted(ids)


@pytest.mark.parametrize("contexts", [["\u200b"], ["\ufeff", " \u2060\n"], ["\x00"]])
def test_evidence_that_shows_nothing_is_no_evidence_and_no_call(tmp_path: Path, contexts: list[str]) -> None:
    with ScriptedEndpoint() as endpoint:
        judged = judge(tmp_path, study(endpoint), trace(contexts=contexts))
        assert endpoint.count == 0
    assert set(judged.by_claim("reason").values()) == {"empty_evidence"}
    assert set(judged.by_claim().values()) == {"not_in_evidence"}


def test_the_same_claim_twice_without_ids_is_named_by_its_text(tmp_path: Path) -> None:
    path = write_traces(tmp_path / "t.jsonl", [{**trace(), "claims": ["It is so.", "It is so."]}])
    with pytest.raises(TraceError, match="same text as claims"):
        read_traces(path)


def test_the_same_claim_twice_under_two_ids_is_two_rows(tmp_path: Path) -> None:
    given = [{"id": "x", "text": "It is so."}, {"id": "y", "text": "It is so."}]
    with ScriptedEndpoint() as endpoint:
        judged = judge(tmp_path, study(endpoint), {**trace(), "claims": given})
    assert judged.by_claim() == {"x": "supported", "y": "supported"}


def test_five_hundred_claims_are_asked_at_once_and_each_has_its_row(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        judged = judge(tmp_path, study(endpoint), trace(claims=500))
        assert endpoint.count == 1
    assert judged.verdicts["verdict"].to_list() == ["supported"] * 500


@pytest.mark.parametrize("sentence", ["The fund opened in March 2026. ", "x" * 40, "基金已于三月启动。", " \n  "])
def test_a_passage_of_a_hundred_thousand_characters_is_windowed_whole(sentence: str) -> None:
    text = sentence * (100_000 // len(sentence)) + "The end."
    claim = AskedClaim("c1", "It opened.", ClaimKind.STATEMENT)
    windows = plan_windows("q", [Exhibit("e1", None, text)], [claim], 4096)
    parts = [exhibit.text for window in windows for exhibit in window.evidence]
    assert "".join(parts) == text
    assert max(estimate_tokens(part) for part in parts) < 4096


async def _interrupted(folder: Path, endpoint: ScriptedEndpoint) -> None:
    run = asyncio.create_task(judge_async(folder, study(endpoint), *(trace(f"t{n}", 1) for n in range(40))))
    while endpoint.count < 5:
        await asyncio.sleep(0.01)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run


def test_an_interrupted_run_leaves_no_failure_behind_and_nothing_running(tmp_path: Path) -> None:
    with ScriptedEndpoint(latency=0.2) as endpoint:
        asyncio.run(_interrupted(tmp_path, endpoint))
        before = endpoint.count
        judged: Judged = judge(tmp_path, study(endpoint), *(trace(f"t{n}", 1) for n in range(40)))
        assert before < 40
    assert set(judged.table("calls")["status"]) == {"answered"}
    assert json.loads((judged.folder / "summary.json").read_text(encoding="utf-8"))["judges"]["j"]["scored"] == 40
