"""Typed links on their way: stated to models, judges and readers in the same words; ids of a question looked up."""

import asyncio
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from faithflow.corpus.document import Question
from faithflow.graph.model import MENTIONS, NEXT, Edge
from faithflow.pipelines.judged import judged_answers
from faithflow.pipelines.links import path_words
from faithflow.pipelines.memo import Memo
from faithflow.pipelines.model import Caps, Outcome, PipelineKey
from faithflow.tables.answering import CITATIONS
from faithflow.tables.corpus import QUESTIONS
from faithflow.tables.records import frame_of
from resources.answer_run import answer_partition
from tests.pipeline_corpus import answer, opened_tools, reply_to
from tests.pipeline_tools import ScriptedModel, material_of

PARENT = "The docking controller shall hold the ferry close: what does that derive from?"
DERIVES, SATISFIES = "HLR-010 derives from SYS-001", "LLR-100 satisfies HLR-010"


def shown(
    folder: Path, pipeline: PipelineKey, question: str, task: str = "answer", **caps: int
) -> dict[str, list[str]]:
    """The links of each piece of a model's last evidence, by reference."""
    model = ScriptedModel(reply_to)
    answer(folder, pipeline, Question(question, id="q"), provider=model, caps=Caps(**caps))
    asked = [material_of(request) for request in model.requests]
    last = [material for material in asked if material["task"] == task][-1]
    return {piece["reference"]: piece.get("links", []) for piece in last["evidence"]}


def test_a_walk_states_the_links_among_what_it_found_with_both_their_ends(tmp_path: Path) -> None:
    links = shown(tmp_path, "graphrag", PARENT, seeds=1)
    assert links["SYS-001"] == [DERIVES]
    assert sorted(links["HLR-010"]) == sorted([DERIVES, SATISFIES])
    assert links["LLR-100"] == [SATISFIES]


def test_a_link_is_stated_too_where_its_other_end_had_no_room(tmp_path: Path) -> None:
    assert DERIVES in shown(tmp_path, "graphrag", PARENT, seeds=1, walk_context=1)["HLR-010"]


@pytest.mark.parametrize("task", ["critic", "answer"])
def test_critic_and_generator_of_the_loop_see_the_links(tmp_path: Path, task: str) -> None:
    assert DERIVES in shown(tmp_path, "agentic_graph", PARENT, task)["HLR-010"]


@pytest.mark.parametrize("pipeline", ["vanilla", "agentic"])
def test_who_asks_no_graph_sees_no_link(tmp_path: Path, pipeline: PipelineKey) -> None:
    assert not any(shown(tmp_path, pipeline, PARENT).values())


def test_the_judges_are_given_the_links_in_the_words_of_the_generator(tmp_path: Path) -> None:
    async def run() -> tuple[pl.DataFrame, pl.DataFrame]:
        async with opened_tools(tmp_path) as tools:
            asked = [Question(PARENT, id="q")]
            frames = await answer_partition(asked, ["graphrag"], tools, 1, lambda _: None, 1)
            return frames.answers, frames.retrievals

    answers, retrievals = asyncio.run(run())
    row = {"question_id": "q", "question": PARENT, "topic": "", "stratum": "2", "corpus": "c"}
    questions = frame_of(QUESTIONS, [{**row, "gold_passage_ids": [], "gold_answer": None}])
    (judged,) = judged_answers(answers, retrievals, frame_of(CITATIONS, [], embedder="words"), questions)
    context = next(each for each in judged.trace.contexts if each.id == "p_LLR-100")
    assert context.text.endswith(f"jitter below 1 ms.\n\n- {SATISFIES}")


def test_the_way_of_a_walk_stands_in_words(tmp_path: Path) -> None:
    outcome = answer(tmp_path, "graphrag", "q_parent", caps=Caps(seeds=1))
    via = {seen.passage.reference: seen.via for seen in outcome.retrieved if seen.tool == "graph_lookup"}
    assert via == {"HLR-010": DERIVES, "LLR-100": f"{DERIVES}; {SATISFIES}"}


def test_the_fact_that_led_to_a_passage_stands_in_words_and_is_shown_to_no_model(tmp_path: Path) -> None:
    model = ScriptedModel(reply_to)
    outcome = answer(tmp_path, "graph_terms", "q_head", provider=model)
    assert outcome.retrieved[0].via == "Ada Lindqvist LEADS Ferry Fund"
    assert "LEADS" not in model.requests[-1].messages[-1].content


NAMES = {"p": "IP/1", "q": "IP/2", "e": "Ferry Fund", "f": "Norrvik"}


def edge(source: str, relation: str, target: str, fact: str = "") -> Edge:
    return Edge(source, relation, target, "public", passage_id="" if relation == NEXT else source, fact=fact)


@pytest.mark.parametrize(
    ("edges", "words"),
    [
        ([edge("p", MENTIONS, "e"), edge("q", MENTIONS, "e")], "IP/1 and IP/2 both name Ferry Fund"),
        (
            [edge("p", MENTIONS, "e"), edge("e", "PAYS", "f", "Ferry Fund pays Norrvik"), edge("q", MENTIONS, "f")],
            "IP/1 names Ferry Fund; Ferry Fund pays Norrvik; IP/2 names Norrvik",
        ),
        ([edge("p", NEXT, "q")], "neighbouring passages of IP/1"),
        ([], ""),
    ],
)
def test_names_facts_and_neighbours_have_words_of_their_own(edges: Sequence[Edge], words: str) -> None:
    assert path_words(edges, NAMES) == words


# ---- ids in a question


def tools_of(outcome: Outcome) -> list[str]:
    return [step.tool for step in outcome.steps]


def test_an_id_in_the_question_is_a_seed_of_the_walk(tmp_path: Path) -> None:
    outcome = answer(tmp_path, "graphrag", Question("Who pays for LLR-100 and XYZ-9?", id="q"), caps=Caps(seeds=1))
    step = next(step for step in outcome.steps if step.tool == "reference_lookup")
    assert step.detail["references"] == ["LLR-100"]
    walked = next(step for step in outcome.steps if step.tool == "graph_lookup")
    assert walked.detail["seeds"][0] == "p_LLR-100"  # type: ignore[index]
    assert outcome.retrieved[0].kept


def test_an_id_is_looked_up_by_the_loop_s_graph_tool(tmp_path: Path) -> None:
    def reply(material: dict[str, object]) -> str:
        if material["task"] == "route":
            return '{"tool": "graph_lookup", "query": "what satisfies HLR-010"}'
        return reply_to(material)

    outcome = answer(tmp_path, "agentic_graph", "q_pay", provider=ScriptedModel(reply))
    assert tools_of(outcome)[:2] == ["router", "reference_lookup"]


def test_an_id_that_the_asker_may_not_see_is_not_looked_up(tmp_path: Path) -> None:
    outcome = answer(tmp_path, "graphrag", Question("What do IP/25/0900 and MEMO-SECRET say?", id="q"))
    assert "reference_lookup" not in tools_of(outcome)


def test_vanilla_stays_a_dense_search(tmp_path: Path) -> None:
    assert tools_of(answer(tmp_path, "vanilla", "q_parent")) == ["search_documents", "generate"]


# ---- what is asked once


def test_who_asks_the_same_at_once_shares_one_piece_of_work() -> None:
    asked: list[str] = []

    def work() -> str:
        asked.append(threading.current_thread().name)
        time.sleep(0.02)
        return "said"

    async def run() -> list[str]:
        memo = Memo()
        return await asyncio.gather(*(memo.of("key", work) for _ in range(4)), memo.of("other", work))

    assert asyncio.run(run()) == ["said"] * 5
    assert len(asked) == 2
    assert "MainThread" not in asked


def test_a_failure_is_raised_to_all_and_asked_anew() -> None:
    times = 0

    def work() -> int:
        nonlocal times
        times += 1
        if times == 1:
            raise OSError("away")
        return times

    async def run() -> tuple[list[object], int]:
        memo = Memo()
        failed = await asyncio.gather(memo.of("key", work), memo.of("key", work), return_exceptions=True)
        return list(failed), await memo.of("key", work)

    failed, later = asyncio.run(run())
    assert [str(each) for each in failed] == ["away", "away"]
    assert later == 2


def test_of_several_ids_only_the_unknown_ones_are_asked_for() -> None:
    asked: list[list[str]] = []

    def work(ids: list[str]) -> dict[str, str]:
        asked.append(ids)
        return {each: each.upper() for each in ids if each != "x"}

    async def run() -> list[dict[str, str]]:
        memo = Memo()
        return [await memo.each("kind", ids, work) for ids in (["b", "a", "x"], ["x", "c", "a"], ["a", "b"])]

    assert asyncio.run(run()) == [{"b": "B", "a": "A"}, {"c": "C", "a": "A"}, {"a": "A", "b": "B"}]
    assert asked == [["b", "a", "x"], ["c"]]
