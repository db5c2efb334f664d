"""The extractive router and critic: search first, follow links when that was not enough, keep what was quoted."""

from collections.abc import Mapping
from typing import Any

from faithflow.identity import Json
from faithflow.pipelines.extractive.linked import asks_for_chain
from faithflow.pipelines.extractive.reading import pieces_of, statements_of
from faithflow.pipelines.extractive.select import Selection, select
from faithflow.pipelines.extractive.terms import identifiers_in, names_in, terms_of
from faithflow.pipelines.extractive.write import fits, language_of
from faithflow.pipelines.retrieve import GRAPH_LOOKUP

SUFFICIENT_COVERAGE = 0.8
"""The share of the question's weight from which on the evidence is taken to be enough."""

# The words that a new query takes over from what was found: names and identifiers that the question lacks.
_MOST_BRIDGES = 6


def route(material: Mapping[str, Any]) -> dict[str, Json]:
    """Links are followed once something was found by a search, and first where the question names an identifier; then
    it is the search's turn again."""
    asked = [str(each["tool"]) for each in material["asked"]]
    tools = [str(tool) for tool in material["tools"]]
    starts = bool(material["evidence"]) if asked else bool(identifiers_in(str(material["question"])))
    follows = GRAPH_LOOKUP in tools and starts and asked[-1:] != [GRAPH_LOOKUP]
    tool = GRAPH_LOOKUP if follows else tools[0]
    return {"tool": tool, "query": str(material["wanted"]) or str(material["question"])}


def criticise(material: Mapping[str, Any]) -> dict[str, Json]:
    """Keep the pieces of the statements that would be quoted; look next for what they leave open."""
    question, pieces = str(material["question"]), pieces_of(material)
    language = language_of(question, pieces)
    selection = select(question, statements_of(pieces, language), language)
    texts = {one.text for one in selection.statements}
    # both ends of a link that would be quoted
    keep = {one.piece.label for one in selection.statements}
    keep |= {piece.label for piece in pieces if not texts.isdisjoint(piece.links)}
    sufficient = fits(selection) and selection.coverage >= SUFFICIENT_COVERAGE and selection.has_asked_for
    if selection.is_stated and asks_for_chain(question):
        sufficient = len(selection.statements) > 1
    query = "" if sufficient else _next_query(question, selection, language)
    return {"keep": [piece.label for piece in pieces if piece.label in keep], "sufficient": sufficient, "query": query}


def _next_query(question: str, selection: Selection, language: str) -> str:
    """The question with the names that what was found brought in: the way from one hop to the next."""
    known = terms_of(question, language).content
    names = dict.fromkeys(
        name
        for one in selection.statements
        for name in names_in(one.text, language)
        if not terms_of(name, language).content <= known
    )
    return " ".join([question, *list(names)[:_MOST_BRIDGES]])
