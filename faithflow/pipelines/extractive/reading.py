"""A request's evidence, read once: the statements that may be quoted, each with its own and its surroundings' terms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from faithflow.pipelines.extractive.terms import NO_TERMS, Terms, terms_of
from faithflow.text.blocks import BlockKind, blocks_of
from faithflow.text.plain import plain_text
from faithflow.text.sentences import block_sentences

_PROSE = (BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.TABLE_ROW)
# Fewer terms say nothing by themselves; more are a list or a table that nobody wants quoted.
_FEWEST_TERMS, _MOST_TERMS = 2, 120


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of evidence of a request."""

    label: str
    cite_as: str
    source: str
    title: str
    reference: str
    text: str
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a piece that may be quoted, or one of its links. `title` holds the terms of its piece's title and
    reference, `before` those of the sentence before it, from which a pronoun may take its meaning."""

    piece: Piece
    text: str
    terms: Terms
    title: Terms
    before: Terms
    is_link: bool = False


def pieces_of(material: Mapping[str, Any]) -> tuple[Piece, ...]:
    """The evidence of a request's JSON object. Raises KeyError or TypeError where it is not as the protocol has it."""
    return tuple(
        Piece(
            str(item["id"]),
            str(item["cite_as"]),
            str(item["source"]),
            str(item["title"]),
            str(item["reference"]),
            str(item["text"]),
            tuple(str(link) for link in item.get("links", ())),
        )
        for item in material["evidence"]
    )


def statements_of(pieces: Sequence[Piece], language: str) -> list[Statement]:
    """The sentences of some pieces in their order, behind those of a piece its links; the same words count once, where
    they stand first."""
    statements: list[Statement] = []
    seen: set[str] = set()
    for piece in pieces:
        title = terms_of(f"{piece.reference} {piece.title}", language)
        before = NO_TERMS
        for text in _sentences(piece.text):
            terms = terms_of(text, language)
            if text not in seen and _FEWEST_TERMS <= len(terms.content) <= _MOST_TERMS:
                seen.add(text)
                statements.append(Statement(piece, text, terms, title, before))
            before = terms
        for link in piece.links:
            if link not in seen:
                seen.add(link)
                statements.append(Statement(piece, link, terms_of(link, language), NO_TERMS, NO_TERMS, is_link=True))
    return statements


@lru_cache(maxsize=4_096)
def _sentences(text: str) -> tuple[str, ...]:
    """The sentences of prose, list items and table rows without their markup; questions are left out."""
    found: list[str] = []
    for block in blocks_of(text):
        if block.kind in _PROSE:
            for span in block_sentences(text, block):
                words = plain_text(text[max(span.start, min(block.body, span.end)) : span.end])
                if words and not words.endswith(("?", "？", "؟")):
                    found.append(words)
    return tuple(found)
