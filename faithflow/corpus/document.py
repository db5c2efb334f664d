"""Documents, their passages, the links between them, and the questions that are asked of them."""

import datetime as dt
from dataclasses import dataclass

from faithflow.identity import content_id

PUBLIC = "public"
"""The access label of a document that says nothing of its own."""


@dataclass(frozen=True, slots=True)
class Document:
    """One text with what is known of it.

    `reference` is its name in the corpus (IP/26/1900, SRD-012, a file's name), unique there together with `language`
    and the version's date. `valid_from` (inclusive) and `valid_to` (exclusive) bound the days on which it holds.
    `supersedes` and `duplicate_of` are ids of other documents: the older version that this one replaces, and the
    document that says the same and is kept in its place. `text` is plain: blocks are parted by blank lines.
    """

    reference: str
    kind: str
    title: str
    text: str
    date: dt.date | None = None
    language: str = "en"
    source_url: str | None = None
    licence: str | None = None
    access: str = PUBLIC
    valid_from: dt.date | None = None
    valid_to: dt.date | None = None
    topics: tuple[str, ...] = ()
    supersedes: str | None = None
    duplicate_of: str | None = None

    @property
    def document_id(self) -> str:
        """The content id: what a reader is shown decides it, not where it was found or how long it holds."""
        date = self.date.isoformat() if self.date else None
        return content_id("d", [self.reference, self.kind, self.title, date, self.language, self.text])


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document: `text` is `document.text[char_start:char_end]`; `position` counts from 0."""

    document_id: str
    position: int
    char_start: int
    char_end: int
    text: str

    @property
    def passage_id(self) -> str:
        return content_id("p", [self.document_id, self.char_start, self.char_end, self.text])


@dataclass(frozen=True, slots=True)
class Link:
    """A typed link that the corpus itself states, between two documents by reference: `A derives_from B`.

    `relation` is a slug of lower-case letters, digits and underscores.
    """

    source: str
    relation: str
    target: str


@dataclass(frozen=True, slots=True)
class Gold:
    """Where a question's answer stands: a document by reference, and in it the passages that hold `quote`.

    Without a quote every passage of the document is gold.
    """

    reference: str
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question on a corpus. `stratum` is its number of hops: "1", "2" or "3+", or a word of the user's.

    `id` is the user's, or else a content hash. `gold` is None where nobody said where the answer stands;
    `gold_answer` is None where nobody wrote one, and "" where the corpus lacks the answer.
    """

    question: str
    topic: str = ""
    stratum: str = "all"
    gold: tuple[Gold, ...] | None = None
    gold_answer: str | None = None
    id: str | None = None

    @property
    def question_id(self) -> str:
        return self.id or content_id("q", [self.question, self.topic, self.stratum])


@dataclass(frozen=True, slots=True)
class GoldTriple:
    """A triple that a person says a document holds (by reference)."""

    reference: str
    head: str
    relation: str
    tail: str


@dataclass(frozen=True, slots=True)
class CorpusContent:
    """All that one corpus brings."""

    documents: tuple[Document, ...] = ()
    links: tuple[Link, ...] = ()
    questions: tuple[Question, ...] = ()
    gold_triples: tuple[GoldTriple, ...] = ()
    warnings: tuple[str, ...] = ()
