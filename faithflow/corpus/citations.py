"""What an answer cites: the passages that its references, labels and links name, and what they name in vain."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from faithflow.corpus.citation_address import page_key
from faithflow.corpus.citation_marks import (
    AROUND,
    PIPELINE_PREFIX,
    Label,
    Mark,
    Mask,
    addresses_in,
    items_in,
    labels_in,
    marks_in,
)
from faithflow.corpus.citation_vocabulary import Vocabulary, plain
from faithflow.text.spans import Span

Form = Literal["reference", "label", "link"]


_NUMBERED = re.compile(r"([A-Za-z]{0,3})(\d{1,6})")


@dataclass(frozen=True, slots=True)
class ContextItem:
    """A passage that the generator was given: under which label, of which document, from which address ("": none)."""

    passage_id: str
    label: str
    reference: str
    source_url: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """One cited id. `char_start`, `char_end` span the whole mark in the answer: the brackets, the link, or the id.

    `cited` is the id as it stands (for a label in a range, as it would). `passage_id` is the passage that it names,
    None where it names none of the context or the corpus; `valid` says whether this answer's own context held it.
    """

    char_start: int
    char_end: int
    cited: str
    passage_id: str | None
    valid: bool
    form: Form


def cited(answer: str, context: Sequence[ContextItem], vocabulary: Vocabulary) -> list[Citation]:
    """The citations of an answer, in order; the rules with their reasons are in docs/citations.md.

    A reference of a document of which the context held several passages cites each of them. Never raises.
    """
    given = _Context(context)
    found: set[Citation] = set()
    read = Mask(len(answer))
    for span in addresses_in(answer):
        read.add(span)
    for mark in marks_in(answer):
        key = page_key(mark.address) if mark.address is not None else None
        own = [*_of_bracket(mark, given, vocabulary)]
        if key is not None:
            own = [*_of_link(mark, key, own, given, vocabulary)]
        found.update(own)
        if own or key is not None:
            read.add(mark.span)
    for named in vocabulary.ids_in(answer):
        if named.start not in read:
            span = Span(named.start, named.end)
            found.update(_of_reference(named.reference, span.of(answer), span, given, vocabulary))
    return sorted(found, key=lambda c: (c.char_start, c.char_end, c.cited, c.passage_id or ""))


class _Context:
    """The context by what it can be named by."""

    def __init__(self, items: Iterable[ContextItem]) -> None:
        self.labels: dict[tuple[str, int], str] = {}
        self.references: dict[str, list[str]] = {}
        self.folded: dict[str, str] = {}
        self.pages: dict[str, list[str]] = {}
        for item in items:
            numbered = _NUMBERED.fullmatch(item.label)
            if numbered is not None:
                self.labels.setdefault((numbered[1].upper(), int(numbered[2])), item.passage_id)
            self.folded.setdefault(plain(item.reference).casefold(), item.reference)
            _add(self.references, item.reference, item.passage_id)
            key = page_key(item.source_url)
            if key is not None:
                _add(self.pages, key, item.passage_id)
        self.prefixes = frozenset({prefix for prefix, _ in self.labels} | {PIPELINE_PREFIX})

    def labelled(self, label: Label) -> str | None:
        """The passage under a label. A bare number stands for the label of a letter and that number."""
        if label.number is None:
            return None
        prefixes = (label.prefix,) if label.prefix else sorted(self.prefixes | {""})
        found = (self.labels.get((prefix, label.number)) for prefix in prefixes)
        return next((passage for passage in found if passage is not None), None)


def _of_link(
    mark: Mark, key: str, stated: list[Citation], given: _Context, vocabulary: Vocabulary
) -> Iterator[Citation]:
    """What a link cites: the address names the page, and the link's text (`stated`) the passage of it."""
    page = given.pages.get(key, [])
    stated = [citation for citation in stated if citation.passage_id in page or citation.passage_id is None]
    if any(citation.valid for citation in stated):
        for citation in stated:
            yield _citation(mark.span, citation.cited, citation.passage_id, citation.valid, "link")
    elif page:
        for passage_id in page:
            yield _citation(mark.span, mark.address or "", passage_id, True, "link")
    else:
        known = vocabulary.passage_at(key)
        # an address that stands alone may be a fact from the evidence; a link that the model made is a citation
        if mark.content or known is not None:
            yield _citation(mark.span, mark.address or "", known, False, "link")


def _of_bracket(mark: Mark, given: _Context, vocabulary: Vocabulary) -> list[Citation]:
    """What the text in brackets cites; a bare number only where the bracket lists nothing but ids and labels."""
    content = plain(mark.content.strip(" []"))
    sure: list[Citation] = []
    bare: list[Citation] = []
    is_list = not (mark.is_parenthesis or mark.is_code)
    follows_word = False
    for item in _items(content, given, vocabulary):
        reference = _reference(item, given, vocabulary)
        if not mark.is_parenthesis and (reference is not None or vocabulary.is_made_up(item.strip(AROUND))):
            sure += _of_reference(reference, item, mark.span, given, vocabulary)
            continue
        labels = labels_in(item, given.prefixes)
        is_list = is_list and bool(labels)
        for label in labels:
            passage_id = given.labelled(label)
            citation = _citation(mark.span, label.written, passage_id, passage_id is not None, "label")
            follows_word = follows_word or (label.is_named and not label.prefix)
            if not label.is_named and not follows_word:
                bare.append(citation)
            elif passage_id is not None or not (mark.is_parenthesis and label.prefix):
                sure.append(citation)  # but (E621) is a food additive
    return sure + bare if is_list else sure


def _items(content: str, given: _Context, vocabulary: Vocabulary) -> list[str]:
    """What a bracket lists; a reference may hold the marks that part a list."""
    if _reference(content, given, vocabulary) is not None:
        return [content]
    items: list[str] = []
    for part in map(str.strip, content.split(";")):
        items += [part] if _reference(part, given, vocabulary) is not None else items_in(part)
    return items


def _reference(name: str, given: _Context, vocabulary: Vocabulary) -> str | None:
    """The reference that is written so but for case, hyphens and blanks, and perhaps the marks around it."""
    found = (
        given.folded.get(own.casefold()) or vocabulary.folded(own) for own in dict.fromkeys((name, name.strip(AROUND)))
    )
    return next((reference for reference in found if reference is not None), None)


def _of_reference(
    reference: str | None, written: str, span: Span, given: _Context, vocabulary: Vocabulary
) -> Iterator[Citation]:
    if reference is None:
        yield _citation(span, written, None, False, "reference")
    elif reference in given.references:
        for passage_id in given.references[reference]:
            yield _citation(span, written, passage_id, True, "reference")
    else:
        yield _citation(span, written, vocabulary.passage_of(reference), False, "reference")


def _citation(span: Span, written: str, passage_id: str | None, valid: bool, form: Form) -> Citation:
    return Citation(span.start, span.end, written, passage_id, valid, form)


def _add(groups: dict[str, list[str]], key: str, passage_id: str) -> None:
    group = groups.setdefault(key, [])
    if passage_id not in group:
        group.append(passage_id)
