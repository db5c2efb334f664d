"""The rules of adaptive_v1, and that its choice is recorded and carried out."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithflow.pipelines.adaptive import choose_pipeline
from tests.pipeline_corpus import answer, reply_to
from tests.pipeline_tools import ScriptedModel


@pytest.mark.parametrize(
    ("question", "pipeline"),
    [
        ("How much does the Ferry Fund pay?", "vanilla"),
        ("What does HLR-010 demand?", "vanilla"),
        ("Which requirement derives from SYS-001?", "graphrag"),
        ("Through which chain does LLR-100 reach the top-level need?", "agentic_graph"),
        ("How are SYS-001 and LLR-100 connected?", "agentic_graph"),
        ("Where was the head of the fund that pays for ferries mayor before?", "graphrag"),
        ("Compare the budgets for ferries and for trains.", "agentic"),
        ("What is announced in IP/26/0101?", "vanilla"),
        ("What is due under COVID rules in 2026?", "vanilla"),
    ],
)
def test_the_structure_of_a_question_chooses_the_architecture(question: str, pipeline: str) -> None:
    assert choose_pipeline(question).pipeline == pipeline


def test_a_long_question_wants_several_searches() -> None:
    question = "What " + "does the fund pay for in the coming year and the year after " * 3 + "?"
    assert choose_pipeline(question).pipeline == "agentic"


@given(st.text(max_size=400))
def test_any_text_has_a_choice_and_always_the_same(question: str) -> None:
    choice = choose_pipeline(question)
    assert choice == choose_pipeline(question)
    assert choice.pipeline in ("vanilla", "agentic", "graphrag", "agentic_graph")


def test_the_choice_is_a_step_and_the_rest_is_the_chosen_pipeline(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    adaptive = answer(tmp_path / "a", "adaptive_v1", "q_parent", provider=ScriptedModel(reply_to))
    graphrag = answer(tmp_path / "b", "graphrag", "q_parent", provider=ScriptedModel(reply_to))
    assert adaptive.steps[0].tool == "adaptive"
    assert adaptive.steps[0].detail["pipeline"] == "graphrag"
    assert adaptive.steps[0].detail["features"]["ids"] == 1  # type: ignore[index, call-overload]
    assert [step.tool for step in adaptive.steps[1:]] == [step.tool for step in graphrag.steps]
    assert adaptive.request == graphrag.request
