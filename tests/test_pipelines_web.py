"""The web pipeline: what it reads, what it cuts, and what becomes of a search or page that fails."""

from pathlib import Path

from faithflow.pipelines.model import INCONCLUSIVE, Caps, Outcome
from faithflow.retrieval.model import WebPage
from tests.pipeline_corpus import PAGES, answer, reply_to
from tests.pipeline_tools import MemoryWeb, OverlapReranker, ScriptedModel, material_of


def steps(outcome: Outcome, tool: str) -> list[dict[str, object]]:
    return [dict(step.detail) for step in outcome.steps if step.tool == tool]


def test_pages_are_cut_into_passages_and_reranked(tmp_path: Path) -> None:
    model = ScriptedModel(reply_to)
    outcome = answer(tmp_path, "web", "q_pay", provider=model, web=MemoryWeb(PAGES), reranker=OverlapReranker())
    first = material_of(model.requests[0])["evidence"][0]
    assert (first["source"], first["reference"]) == ("web", "https://news.example.net/ferry-fund")
    assert "EUR 55 million" in first["text"]
    assert first["cite_as"] == "[E1](https://news.example.net/ferry-fund)"
    assert [step.tool for step in outcome.steps][:1] == ["web_search"]


def test_a_page_that_cannot_be_had_is_recorded_with_its_reason(tmp_path: Path) -> None:
    outcome = answer(tmp_path, "web", "q_pay", web=MemoryWeb(PAGES))
    assert {"failed": "https://news.example.net/gone answered 404"} in steps(outcome, "fetch")
    assert outcome.status == "answered"


def test_a_search_that_fails_leaves_no_evidence_and_asks_nobody(tmp_path: Path) -> None:
    model = ScriptedModel(reply_to)
    outcome = answer(tmp_path, "web", "q_pay", provider=model, web=MemoryWeb(PAGES, is_down=True))
    assert steps(outcome, "web_search")[0]["failed"] == "the search engine answered 503"
    assert (outcome.answer, outcome.status, model.requests) == (INCONCLUSIVE, "inconclusive", [])


def test_a_study_without_a_web_is_said_so(tmp_path: Path) -> None:
    outcome = answer(tmp_path, "web", "q_pay", web=None)
    assert steps(outcome, "web_search") == [{"failed": "the study has no web search"}]
    assert outcome.status == "inconclusive"


def test_a_web_that_is_down_leaves_multi_tool_its_other_tools(tmp_path: Path) -> None:
    outcome = answer(tmp_path, "multi_tool", "q_pay", web=MemoryWeb(PAGES, is_down=True))
    assert outcome.status == "answered"
    assert {seen.source for seen in outcome.retrieved if seen.kept} == {"embedding"}


def test_a_page_of_a_later_day_is_seen_and_cut(tmp_path: Path) -> None:
    outcome = answer(tmp_path, "web", "q_pay", web=MemoryWeb(PAGES))
    later = [seen for seen in outcome.retrieved if seen.passage.date == "2027-03-01"]
    assert later
    assert {seen.cut for seen in later} == {"scope"}


def test_without_a_reranker_the_pages_take_turns(tmp_path: Path) -> None:
    pages = [
        WebPage(f"https://{n}.example/", "Ferry Fund", "\n\n".join(f"Ferry {n}{k} " * 120 for k in "ab")) for n in "xyz"
    ]
    outcome = answer(tmp_path, "web", "q_pay", web=MemoryWeb(pages), caps=Caps(web_context=4))
    kept = sorted((seen for seen in outcome.retrieved if seen.kept), key=lambda seen: seen.position or 0)
    assert [seen.passage.reference[8] for seen in kept] == ["x", "y", "z", "x"]


def test_a_huge_page_brings_a_bounded_number_of_passages(tmp_path: Path) -> None:
    page = WebPage("https://x.example/", "Ferry Fund", "The Ferry Fund pays for ferries here and there. " * 20_000)
    outcome = answer(tmp_path, "web", "q_pay", web=MemoryWeb([page]))
    assert len(outcome.retrieved) == 20


def test_lone_surrogates_of_a_page_do_not_reach_the_request(tmp_path: Path) -> None:
    model = ScriptedModel(reply_to)
    page = WebPage("https://x.example/\ud800", "Ferry \ud800", "The Ferry Fund \ud83d pays EUR 1.", "2026-01-01")
    answer(tmp_path, "web", "q_pay", provider=model, web=MemoryWeb([page]))
    assert material_of(model.requests[0])["evidence"][0]["text"] == "The Ferry Fund \ufffd pays EUR 1."
