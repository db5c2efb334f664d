"""`graph_terms`: the passages that state the facts in which the question's own words stand (seed 000, section 3.2)."""

from faithflow.graph.model import Fact
from faithflow.graph.names import relation_words
from faithflow.graph.terms import ranked_facts, search_terms
from faithflow.identity import Json
from faithflow.pipelines.retrieve import best, indexed
from faithflow.pipelines.trajectory import Found, Trajectory


async def gather(trajectory: Trajectory) -> list[int]:
    """The best `caps.graph_context` passages that state one of the `caps.facts` facts matching most terms.

    The passages are the evidence; the terms and facts that led to them stand in the step, the first fact of each
    passage in its path. The words of a fact are the extractor's, so no model is shown them.
    """
    tools, question = trajectory.tools, trajectory.question.question
    terms = search_terms(question)
    facts = await tools.memo.of(("facts", terms), lambda: tools.graph.facts(terms, tools.scope)) if terms else []
    chosen = ranked_facts(facts, terms)[: tools.caps.facts]
    detail: dict[str, Json] = {"terms": list(terms), "matching": len(facts), "facts": [_as_json(f) for f in chosen]}
    step = trajectory.step("graph_facts", question, detail)
    first: dict[str, Fact] = {}
    for fact in chosen:
        if fact.edge.passage_id:
            first.setdefault(fact.edge.passage_id, fact)
    passages = await indexed(trajectory, list(first))
    facts_of = ((passage, first[passage.passage_id]) for passage in passages)
    found = trajectory.see(
        step,
        "graph",
        (Found(passage, float(len(fact.matched)), _path(fact), _words(fact)) for passage, fact in facts_of),
    )
    return await best(trajectory, question, found, tools.caps.graph_context)


def _path(fact: Fact) -> tuple[str, ...]:
    return fact.edge.source_id, fact.edge.relation, fact.edge.target_id


def _words(fact: Fact) -> str:
    return fact.edge.fact or f"{fact.source} {relation_words(fact.edge.relation)} {fact.target}"


def _as_json(fact: Fact) -> Json:
    edge = fact.edge
    return {
        "fact": _words(fact),
        "edge": list(_path(fact)),
        "passage_id": edge.passage_id,
        "matched": list(fact.matched),
    }
