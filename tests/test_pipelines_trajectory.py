"""Every pipeline's trajectory: what it saw, what it kept and cut and why, and the order given to the generator."""

from pathlib import Path
from typing import Any

import pytest

from faithflow.corpus.document import Question
from faithflow.corpus.scope import Scope
from faithflow.pipelines.model import INCONCLUSIVE, PIPELINES, Caps, Outcome, PipelineKey, Retrieved
from faithflow.pipelines.registry import ARCHITECTURES
from tests.pipeline_corpus import PAGES, TODAY, answer, reply_to
from tests.pipeline_tools import MemoryWeb, OverlapReranker, ScriptedModel, material_of


def run(folder: Path, pipeline: PipelineKey, question: str = "q_pay", **options: Any) -> tuple[Outcome, ScriptedModel]:
    model = options.pop("provider", None) or ScriptedModel(reply_to)
    options.setdefault("web", MemoryWeb(PAGES))
    return answer(folder, pipeline, question, provider=model, **options), model


def kept(outcome: Outcome) -> list[Retrieved]:
    return sorted((seen for seen in outcome.retrieved if seen.kept), key=lambda seen: seen.position or 0)


def references(passages: list[Retrieved]) -> list[str]:
    return [seen.passage.reference for seen in passages]


def test_there_is_an_architecture_for_every_key() -> None:
    assert tuple(ARCHITECTURES) == PIPELINES


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_what_was_kept_is_what_the_generator_was_given_in_that_order(tmp_path: Path, pipeline: PipelineKey) -> None:
    outcome, model = run(tmp_path, pipeline, reranker=OverlapReranker())
    given = material_of(model.requests[-1])["evidence"]
    assert [piece["text"] for piece in given] == [seen.passage.text for seen in kept(outcome)]
    assert [piece["id"] for piece in given] == [seen.label for seen in kept(outcome)]
    assert [piece["cite_as"] for piece in given] == [seen.cite_as for seen in kept(outcome)]
    assert [seen.position for seen in kept(outcome)] == list(range(len(given)))


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("reranked", [True, False])
def test_every_passage_seen_is_kept_or_cut_with_a_reason(tmp_path: Path, pipeline: PipelineKey, reranked: bool) -> None:
    outcome, _ = run(tmp_path, pipeline, "q_mayor", reranker=OverlapReranker() if reranked else None)
    assert outcome.retrieved
    for seen in outcome.retrieved:
        assert seen.kept == (seen.cut is None), seen


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_steps_are_numbered_and_every_passage_names_its_step(tmp_path: Path, pipeline: PipelineKey) -> None:
    outcome, _ = run(tmp_path, pipeline, "q_mayor")
    assert [step.number for step in outcome.steps] == list(range(len(outcome.steps)))
    for seen in outcome.retrieved:
        step = outcome.steps[seen.step]
        assert (step.tool, step.query) == (seen.tool, seen.query)
    keys = [(seen.step, seen.rank) for seen in outcome.retrieved]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_no_passage_is_given_to_the_generator_twice(tmp_path: Path, pipeline: PipelineKey) -> None:
    outcome, _ = run(tmp_path, pipeline, "q_mayor", reranker=OverlapReranker())
    ids = [seen.passage.passage_id for seen in kept(outcome)]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_two_runs_give_the_same_outcome(tmp_path: Path, pipeline: PipelineKey) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = (run(tmp_path / name, pipeline, "q_mayor")[0] for name in "ab")
    assert (first.answer, first.steps, first.retrieved, first.request) == (
        second.answer,
        second.steps,
        second.retrieved,
        second.request,
    )


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_no_pipeline_sees_what_the_asker_may_not_read_or_what_holds_no_more(
    tmp_path: Path, pipeline: PipelineKey
) -> None:
    question = Question("How much does the second call of the Ferry Fund pay and which tariff on steel begins?")
    outcome, _ = run(tmp_path, pipeline, question)  # type: ignore[arg-type]
    assert not {"MEMO-SECRET", "IP/25/0900"} & {seen.passage.reference for seen in outcome.retrieved}


def test_the_staff_sees_its_own_documents(tmp_path: Path) -> None:
    outcome, _ = run(tmp_path, "graphrag", scope=Scope(TODAY, ("public", "staff")))
    assert "MEMO-SECRET" in references(kept(outcome))


def test_vanilla_keeps_the_best_five_of_ten_by_the_reranker(tmp_path: Path) -> None:
    outcome, _ = run(tmp_path, "vanilla", reranker=OverlapReranker(), caps=Caps(dense=5, context=2))
    assert len(outcome.retrieved) == 5
    assert [step.tool for step in outcome.steps] == ["search_documents", "rerank", "generate"]
    relevance = dict(outcome.steps[1].detail["relevance"])  # type: ignore[arg-type]
    best = [seen.passage.passage_id for seen in kept(outcome)]
    assert len(best) == 2
    assert min(relevance[each] for each in best) >= max(score for each, score in relevance.items() if each not in best)


def test_graph_terms_gives_the_passages_that_state_the_facts(tmp_path: Path) -> None:
    outcome, _ = run(tmp_path, "graph_terms", "q_head")
    assert references(kept(outcome)) == ["IP/26/0102", "IP/26/0101"]
    step = outcome.steps[0]
    assert "ferry fund" in step.detail["terms"]  # type: ignore[operator]
    assert kept(outcome)[0].path == ("e_ada", "LEADS", "e_fund")


def test_graphrag_follows_the_links_from_its_seeds(tmp_path: Path) -> None:
    outcome, _ = run(tmp_path, "graphrag", "q_parent", caps=Caps(seeds=1))
    walked = next(step for step in outcome.steps if step.tool == "graph_lookup")
    assert walked.detail["seeds"] == ["p_SYS-001"]
    assert references(kept(outcome)) == ["SYS-001", "HLR-010", "LLR-100"]
    assert kept(outcome)[2].path == ("p_SYS-001", "derives_from", "p_HLR-010", "satisfies", "p_LLR-100")


def test_graphrag_cuts_at_the_caps_of_the_walk_and_of_the_context(tmp_path: Path) -> None:
    outcome, _ = run(tmp_path, "graphrag", "q_mayor", caps=Caps(seeds=1, walk=1, walk_context=1))
    assert len(kept(outcome)) == 1
    assert {seen.cut for seen in outcome.retrieved if not seen.kept} == {"cap", "walk"}


def test_without_evidence_the_answer_is_inconclusive_and_nobody_is_asked(tmp_path: Path) -> None:
    outcome, model = run(tmp_path, "graph_terms", "q_none")
    assert (outcome.answer, outcome.status, outcome.calls) == (INCONCLUSIVE, "inconclusive", 0)
    assert outcome.request is None
    assert not model.requests


def test_multi_tool_keeps_its_tools_apart_and_in_order(tmp_path: Path) -> None:
    outcome, model = run(tmp_path, "multi_tool")
    sources = [piece["source"] for piece in material_of(model.requests[0])["evidence"]]
    assert sources == sorted(sources, key=["embedding", "graph", "web"].index)
    assert {"embedding", "web"} <= set(sources)
    assert material_of(model.requests[0])["sections"][0] == "Thought Process"
    assert any(seen.source == "graph" and seen.cut == "duplicate" for seen in outcome.retrieved)


def test_stores_are_called_in_threads(tmp_path: Path) -> None:
    import asyncio

    from tests.pipeline_corpus import QUESTIONS, opened_tools

    async def threads() -> set[str]:
        async with opened_tools(tmp_path) as tools:
            await ARCHITECTURES["vanilla"].answer(QUESTIONS[0], tools, 0)
            return tools.vectors.threads  # type: ignore[attr-defined]

    assert "MainThread" not in asyncio.run(threads())
