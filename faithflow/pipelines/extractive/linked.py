"""Answers that a typed link states: `LLR-7 derives from HLR-2` for "Which requirement does LLR-7 derive from?"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from faithflow.pipelines.extractive.reading import Statement
from faithflow.pipelines.extractive.terms import identifiers_in, terms_of
from faithflow.text.tokens import tokenize

# As many links as an answer lists.
_MOST_LINKS = 8
_CHAIN = re.compile(
    r"\b(?:in turn|chains?|through|via|indirect\w*|ultimately|transitive\w*|all the way)\b", re.IGNORECASE
)
_BY = re.compile(r"\bby\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Link:
    """A link's statement, taken apart: its two ends, and the words between them."""

    statement: Statement
    source: str
    relation: str
    target: str

    def end(self, *, is_source: bool) -> str:
        return self.source if is_source else self.target


def asks_for_chain(question: str) -> bool:
    """Whether a question asks for more than the next link."""
    return _CHAIN.search(question) is not None


def stated_links(question: str, statements: Sequence[Statement], language: str) -> tuple[Statement, ...]:
    """The links that state what a question asks of an identifier in it, in the order of the evidence, at most eight.

    Such a link shares a word with the question besides its ends, and has the identifier at the end at which the
    question has it: in front of the verb ("what does X satisfy") or behind it, and the other way round in the passive.
    Of two identifiers that a link joins it is that link alone. Where a chain is asked for, the links follow that go on
    from there in the same direction.
    """
    asked = identifiers_in(question)
    links = [link for link in map(_read, statements) if link is not None] if asked else []
    links = [link for link in links if _is_source(question, asked[0], link.relation, language) is not None]
    joined = [link.statement for link in links if link.source in asked and link.target in asked]
    if joined:
        return tuple(joined)[:_MOST_LINKS]
    found: dict[str, Statement] = {}
    starts = [(name, is_source) for name in asked for is_source in (True, False)]
    for name, is_source in starts:
        first = name if name in asked else asked[0]
        for link in links:
            side = _is_source(question, first, link.relation, language)
            if link.end(is_source=is_source) == name and side is is_source:
                found[link.statement.text] = link.statement
                further = link.end(is_source=not is_source), is_source
                if asks_for_chain(question) and further not in starts:
                    starts.append(further)
    return tuple(found.values())[:_MOST_LINKS]


def _read(statement: Statement) -> _Link | None:
    """A link with an identifier at each end; none of a statement that is no link or whose ends cannot be told."""
    ends = identifiers_in(statement.text) if statement.is_link else ()
    if len(ends) != 2 or not (statement.text.startswith(ends[0]) and statement.text.endswith(ends[1])):
        return None
    return _Link(statement, ends[0], statement.text[len(ends[0]) : -len(ends[1])].strip(), ends[1])


def _is_source(question: str, name: str, relation: str, language: str) -> bool | None:
    """Whether the question asks for links from this identifier; None where it has no word of the relation."""
    words = terms_of(relation, language).content
    verb = next((token.start for token in tokenize(question, language) if token.key in words), None)
    if verb is None:
        return None
    is_before = question.find(name) < verb
    return is_before is not (bool(_BY.search(question)) is not bool(_BY.search(relation)))
