"""The extractive answer: statements as they stand in the evidence, each with its citation, or an abstention."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from faithflow.pipelines.extractive.conflicts import Disagreement, disagreements
from faithflow.pipelines.extractive.reading import Piece, Statement, statements_of
from faithflow.pipelines.extractive.select import Selection, select
from faithflow.pipelines.model import INCONCLUSIVE
from faithflow.text.languages import guess_language
from faithflow.text.scripts import FULL_STOPS

LEAST_COVERAGE, LEAST_NAMED = 0.35, 0.75
"""The shares of a question's weight that statements which hang together must cover, and of its names that the evidence
must hold; below either nothing is answered."""
COVERAGE_WITHOUT_ASKED_FOR = 0.85
"""The coverage that is wanted where no statement holds what the question word asks for: a name for "who", say."""

_STOP = re.compile(rf"[.!…{FULL_STOPS}]+$")
_WHAT = {"number": "a figure", "date": "a date", "negation": "a denial", "opposite": "a word"}


def language_of(question: str, pieces: Sequence[Piece]) -> str:
    """The language in which a request is read: that of most pieces of its evidence."""
    languages = Counter(_language(piece.text) for piece in pieces) or Counter([_language(question)])
    return max(sorted(languages), key=lambda language: languages[language])


@lru_cache(maxsize=4_096)
def _language(text: str) -> str:
    return guess_language([text])


def fits(selection: Selection) -> bool:
    """Whether a selection answers its question, as far as shared words can tell."""
    least = LEAST_COVERAGE if selection.has_asked_for else COVERAGE_WITHOUT_ASKED_FOR
    return selection.joined >= least and selection.named >= LEAST_NAMED


def plain_answer(question: str, pieces: Sequence[Piece]) -> str:
    """One paragraph of statements, or the inconclusive line."""
    language = language_of(question, pieces)
    selection = select(question, statements_of(pieces, language), language)
    return _paragraph(selection.statements) if fits(selection) else INCONCLUSIVE


def answer_in_sections(question: str, pieces: Sequence[Piece], sections: Sequence[str]) -> str:
    """An answer under four headings: its thoughts, what is known inside, what the web says, where they disagree."""
    language = language_of(question, pieces)
    internal = statements_of([piece for piece in pieces if piece.source != "web"], language)
    web = statements_of([piece for piece in pieces if piece.source == "web"], language)
    inside, outside = (select(question, part, language) for part in (internal, web))
    chosen = [one for part in (inside, outside) if fits(part) for one in part.statements]
    if not chosen:
        return INCONCLUSIVE
    thought = (
        f"{len(pieces)} pieces of evidence were compared with the question by the words that they share; "
        f"{len({one.piece.label for one in chosen})} of them bear on it."
    )
    found = disagreements(internal, web, chosen, language)
    bodies = (
        thought,
        _paragraph(inside.statements) if fits(inside) else "The retrieved documents do not answer the question.",
        _paragraph(outside.statements) if fits(outside) else "The web search results do not answer the question.",
        "\n".join(f"- {_disagreement(one)}" for one in found) or "No conflicts were found.",
    )
    return "\n\n".join(f"## {name}\n\n{body}" for name, body in zip(sections, bodies, strict=True))


def _paragraph(statements: Sequence[Statement]) -> str:
    return " ".join(_cited(one) for one in statements)


def _cited(one: Statement) -> str:
    """The statement with its citation in front of the full stop, which is added where there is none."""
    stop = _STOP.search(one.text)
    words = one.text[: stop.start()] if stop else one.text
    return f"{words} {one.piece.cite_as}{stop[0] if stop else '.'}"


def _disagreement(one: Disagreement) -> str:
    internal, web = (_STOP.sub("", side.text) for side in (one.internal, one.web))
    return (
        f"On {_WHAT[one.kind.value]} the two disagree: the internal documents state “{internal}” "
        f"{one.internal.piece.cite_as}, the web “{web}” {one.web.piece.cite_as}."
    )
