"""The agentic loop: the router's choices, the critic's findings, their caps and what replaces an unreadable reply."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from faithflow.llm.model import CallError, Reply
from faithflow.pipelines.model import INCONCLUSIVE, Caps, Outcome
from faithflow.pipelines.prompt import critic_schema, route_schema
from tests.pipeline_corpus import answer
from tests.pipeline_tools import ScriptedModel, material_of

Material = Mapping[str, Any]


def model(
    *,
    route: Callable[[Material], str | Reply] | None = None,
    critic: Callable[[Material], str | Reply] | None = None,
) -> ScriptedModel:
    def default_route(material: Material) -> str:
        return routed(material["tools"][0], f"query {len(material['asked'])} ferry")

    def default_critic(material: Material) -> str:
        return critique([piece["id"] for piece in material["evidence"]], sufficient=True)

    def reply(material: Material) -> str | Reply:
        match material["task"]:
            case "route":
                return (route or default_route)(material)
            case "critic":
                return (critic or default_critic)(material)
            case _:
                return "An answer."

    return ScriptedModel(reply)


def routed(tool: str, query: str) -> str:
    return json.dumps({"tool": tool, "query": query})


def critique(keep: list[str], *, sufficient: bool = False, query: str = "") -> str:
    return json.dumps({"keep": keep, "sufficient": sufficient, "query": query})


def kept(outcome: Outcome) -> list[str]:
    places = sorted((seen for seen in outcome.retrieved if seen.kept), key=lambda seen: seen.position or 0)
    return [seen.passage.reference for seen in places]


def tools_used(outcome: Outcome) -> list[str]:
    return [step.tool for step in outcome.steps]


def test_a_round_is_router_retriever_critic_and_then_one_answer(tmp_path: Path) -> None:
    scripted = model()
    outcome = answer(tmp_path, "agentic", "q_pay", provider=scripted)
    assert scripted.tasks == ["route", "critic", "answer"]
    assert tools_used(outcome) == ["router", "search_documents", "critic", "generate"]
    assert all(step.request_key for step in outcome.steps if step.tool != "search_documents")


def test_the_loop_ends_after_three_rounds(tmp_path: Path) -> None:
    scripted = model(critic=lambda m: critique([p["id"] for p in m["evidence"]], query=f"more {len(m['asked'])}"))
    caps = Caps(dense=1, context=1)
    answer(tmp_path, "agentic", "q_pay", provider=scripted, caps=caps)
    assert scripted.tasks.count("critic") <= 3
    assert scripted.tasks.count("route") == 3


def test_the_next_round_is_told_what_the_critic_still_wants(tmp_path: Path) -> None:
    scripted = model(critic=lambda m: critique(["E1"], sufficient=len(m["asked"]) > 1, query="who was the mayor"))
    answer(tmp_path, "agentic", "q_mayor", provider=scripted)
    second = [material_of(r) for r in scripted.requests if material_of(r)["task"] == "route"][1]
    assert second["wanted"] == "who was the mayor"
    assert second["asked"] == [{"tool": "search_documents", "query": "query 0 ferry"}]
    assert len(second["evidence"]) == 1


def test_the_answer_is_made_of_what_the_critic_kept(tmp_path: Path) -> None:
    scripted = model(critic=lambda m: critique(["E2", "E9"], sufficient=True))
    outcome = answer(tmp_path, "agentic", "q_pay", provider=scripted)
    assert len(kept(outcome)) == 1
    dropped = [seen for seen in outcome.retrieved if seen.cut == "critic"]
    assert len(dropped) == len(material_of(scripted.requests[1])["evidence"]) - 1


def test_a_critic_that_keeps_nothing_leaves_no_answer(tmp_path: Path) -> None:
    scripted = model(critic=lambda m: critique([], sufficient=True))
    outcome = answer(tmp_path, "agentic", "q_pay", provider=scripted)
    assert (outcome.answer, outcome.status) == (INCONCLUSIVE, "inconclusive")
    assert scripted.tasks == ["route", "critic"]
    assert outcome.calls == 2


def test_the_graph_may_only_be_asked_where_it_is_a_tool(tmp_path: Path) -> None:
    scripted = model(route=lambda m: routed("graph_lookup", "links"))
    outcome = answer(tmp_path, "agentic", "q_parent", provider=scripted)
    assert "graph_lookup" not in tools_used(outcome)
    assert outcome.steps[0].detail["read"] is False


def test_graph_lookup_follows_links_from_what_was_kept(tmp_path: Path) -> None:
    def route(material: Material) -> str:
        return routed("graph_lookup" if material["asked"] else "search_documents", "SYS-001")

    def critic(material: Material) -> str:
        found = [piece["id"] for piece in material["evidence"] if piece["reference"] in ("SYS-001", "HLR-010")]
        return critique(found, sufficient=len(found) == 2, query="what derives from SYS-001")

    scripted = model(route=route, critic=critic)
    outcome = answer(tmp_path, "agentic_graph", "q_parent", provider=scripted, caps=Caps(dense=1))
    assert kept(outcome) == ["SYS-001", "HLR-010"]
    walked = next(step for step in outcome.steps if step.tool == "graph_lookup")
    assert walked.detail["seeds"] == ["p_SYS-001"]


def test_a_graph_lookup_at_the_start_begins_at_the_nearest_passages(tmp_path: Path) -> None:
    scripted = model(route=lambda m: routed("graph_lookup", "dock at any charging quay within 90 seconds"))
    outcome = answer(tmp_path, "agentic_graph", "q_parent", provider=scripted, caps=Caps(context=1))
    assert tools_used(outcome)[:3] == ["router", "search_documents", "graph_lookup"]
    assert kept(outcome) == ["SYS-001", "HLR-010"]


def test_an_ask_that_was_made_already_gives_way_to_what_the_critic_wants(tmp_path: Path) -> None:
    scripted = model(
        route=lambda m: routed("search_documents", "ferry"), critic=lambda m: critique(["E1"], query="mayor")
    )
    outcome = answer(tmp_path, "agentic", "q_mayor", provider=scripted)
    assert [step.query for step in outcome.steps if step.tool == "search_documents"] == ["ferry", "mayor"]


def test_the_loop_ends_where_nothing_new_is_wanted(tmp_path: Path) -> None:
    scripted = model(
        route=lambda m: routed("search_documents", "ferry"), critic=lambda m: critique(["E1"], query="ferry")
    )
    answer(tmp_path, "agentic", "q_mayor", provider=scripted)
    assert scripted.tasks == ["route", "critic", "route", "answer"]


@pytest.mark.parametrize("reply", ["no json", '{"tool": "rm"}', "", '{"tool": ["search_documents"], "query": 3}'])
def test_an_unreadable_route_searches_for_the_question(tmp_path: Path, reply: str) -> None:
    outcome = answer(tmp_path, "agentic", "q_pay", provider=model(route=lambda m: reply))
    assert outcome.steps[0].detail["read"] is False
    assert outcome.steps[1].query == "How much does the Ferry Fund pay for electric ferries?"
    assert outcome.status == "answered"


@pytest.mark.parametrize("reply", ["no json", '{"keep": "E1", "sufficient": true, "query": ""}', '{"keep": [1]}'])
def test_an_unreadable_critique_keeps_everything_and_ends_the_search(tmp_path: Path, reply: str) -> None:
    scripted = model(critic=lambda m: reply)
    outcome = answer(tmp_path, "agentic", "q_pay", provider=scripted)
    assert scripted.tasks == ["route", "critic", "answer"]
    assert len(kept(outcome)) == len(material_of(scripted.requests[1])["evidence"])
    assert outcome.steps[2].detail["read"] is False


@pytest.mark.parametrize("task", ["route", "critic"])
def test_a_decision_whose_call_fails_makes_a_failed_answer(tmp_path: Path, task: str) -> None:
    def fail(_material: Material) -> str:
        raise CallError("timeout", "no reply")

    outcome = answer(tmp_path, "agentic", "q_pay", provider=model(**{task: fail}))  # type: ignore[arg-type]
    assert (outcome.status, outcome.reason, outcome.answer) == ("failed", "timeout", "")
    assert outcome.request is None


def test_an_object_that_was_only_copied_from_the_evidence_decides_nothing(tmp_path: Path) -> None:
    def parrot(material: Material) -> str:
        return json.dumps(material["evidence"][0], ensure_ascii=False)

    outcome = answer(tmp_path, "agentic", "q_pay", provider=model(critic=parrot))
    assert outcome.steps[2].detail["read"] is False


def test_a_long_query_is_cut(tmp_path: Path) -> None:
    outcome = answer(
        tmp_path, "agentic", "q_pay", provider=model(route=lambda m: routed("search_documents", "ferry " * 500))
    )
    assert len(outcome.steps[1].query) <= 300


def test_the_schemas_bind_and_bound_the_replies() -> None:
    route, critic = route_schema(["a", "b"]), critic_schema(["E1", "E2"])
    assert route["properties"]["tool"]["enum"] == ["a", "b"]  # type: ignore[index, call-overload]
    assert critic["properties"]["keep"]["maxItems"] == 2  # type: ignore[index, call-overload]
    assert critic["required"] == ["keep", "sufficient", "query"]
