"""Triples without a model: patterns over English official prose and requirements. Deterministic; a baseline.

Its precision and recall against gold are in docs/graph.md.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from faithflow.graph import english_words as words
from faithflow.graph.english_chunks import chunks_of
from faithflow.graph.english_clauses import is_value
from faithflow.graph.english_facts import HELD, HOLDS, RawFact, facts_of
from faithflow.graph.english_grammar import Chunk, Phrase
from faithflow.graph.english_names import is_name, is_person_role, is_role, name_tokens, type_of
from faithflow.graph.english_tokens import Class
from faithflow.graph.entities import ABBREVIATED_AS
from faithflow.graph.extraction import ExtractedTriples, Source
from faithflow.graph.model import Triple
from faithflow.graph.names import name_key, relation_name, tidy
from faithflow.text.plain import plain_text
from faithflow.text.sentences import sentence_spans

PATTERNS = "patterns"
"""The extractor's name."""

NOT_ENGLISH = "not_english"
"""Why a passage in another language has no triples of this extractor: it was not read."""

# Longer ones are half a sentence, and no name of anything.
_MOST_WORDS = 14

# What holds of these holds of nothing in particular.
_EMPTY = words.word_set(
    "it this that there one ones someone everyone nobody which who whom what whichever whatever others part number lot "
    "way thing fact following former latter same"
)
_DROPPED = words.word_set(
    "no neither the a an this these those that its their his her every each all both any some such whose"
)
_MARKUP = re.compile(r"[*_`<\[\]]|\n")
_PERSONAL = words.word_set("he she him his her")
_PLURAL = words.word_set("they them their")


@dataclass(frozen=True, slots=True)
class PatternExtractor:
    """The extractor `patterns`: reads English passages and calls nobody."""

    name: str = PATTERNS

    async def extract(self, source: Source) -> ExtractedTriples:
        if not source.language.lower().startswith(("en", "und")):
            return ExtractedTriples(source, failure=NOT_ENGLISH)
        return ExtractedTriples(source, extract(source))


@dataclass(frozen=True, slots=True)
class _Name:
    """How an end is written in a triple, and what kind of thing it is."""

    text: str
    type: str


@dataclass(slots=True)
class _Known:
    """The names that a passage has used so far, the newest last: what pronouns and short forms stand for."""

    names: dict[str, _Name] = field(default_factory=dict[str, _Name])
    subjects: list[_Name] = field(default_factory=list[_Name])
    abbreviated: dict[str, _Name] = field(default_factory=dict[str, _Name])

    def add_name(self, name: _Name) -> None:
        self.names.pop(name.text, None)
        self.names[name.text] = name

    def add_subject(self, name: _Name) -> None:
        self.subjects = [*(known for known in self.subjects[-20:] if known.text != name.text), name]

    def subject(self, pronoun: str) -> _Name | None:
        """The last subject that a pronoun can mean: a person for "he" and "she", no person for "it"."""
        person = pronoun in _PERSONAL
        fitting = [
            name
            for name in self.subjects
            if pronoun in _PLURAL or (name.type in ("PERSON", "ENTITY") if person else name.type != "PERSON")
        ]
        certain = [name for name in fitting if not person or name.type == "PERSON"]
        return (certain or fitting or [None])[-1]

    def full(self, text: str) -> _Name | None:
        """The full name that ends (or a person's, that ends or begins) with a shorter one used later."""
        short = name_key(text)
        for known in reversed(self.names.values()):
            key = name_key(known.text)
            ends = key.endswith(f" {short}") or (" " not in short and text[0].isupper() and key.startswith(f"{short} "))
            if key != short and ends and known.text[:1].isupper():
                return known
        return None


def extract(source: Source) -> tuple[Triple, ...]:
    """The triples of a passage, in the order of the text, each once.

    Sentences that speak as "we" or "I" are left out where that is their subject, since who speaks is not in them.
    """
    known = _Known()
    titled = _names_in(chunks_of(source.title), source.title)
    for name in titled:
        known.add_name(name)
    for name in titled[:1]:
        known.add_subject(name)
    found: dict[tuple[str, str, str], Triple] = {}
    for span in sentence_spans(source.text):
        sentence = span.of(source.text)
        for head, relation, tail, fact in _named_facts(sentence, known, source.date):
            triple = Triple(
                head=head.text,
                head_type=head.type,
                relation=relation,
                tail=tail.text,
                tail_type=tail.type,
                document_id=source.document_id,
                passage_id=source.passage_id,
                extractor=PATTERNS,
                char_start=source.char_start + span.start + fact.start,
                char_end=source.char_start + span.start + fact.end,
            )
            found.setdefault((triple.head, triple.relation, triple.tail), triple)
    return tuple(found.values())


def _named_facts(sentence: str, known: _Known, date: str) -> Iterator[tuple[_Name, str, _Name, RawFact]]:
    chunks = chunks_of(sentence)
    facts = facts_of(chunks, sentence)
    people = {fact.subject.tokens for fact in facts if fact.relation in (HOLDS, HELD, "born on")}
    for name in _names_in(chunks, sentence):
        known.add_name(name)
    first: _Name | None = None
    for fact in facts:
        head = _resolved(fact.subject, sentence, known, date, person=fact.subject.tokens in people)
        if head is None:
            continue
        first = first or head
        known.add_subject(head)
        if fact.relation == ABBREVIATED_AS:
            # a second definition says nothing new, and its tail must stay the abbreviation
            known.abbreviated.pop(sentence[fact.object.start : fact.object.end], None)
        tail = _resolved(fact.object, sentence, known, date, person=False, subject=head)
        if tail is None or name_key(head.text) == name_key(tail.text):
            continue
        if fact.relation in (HOLDS, HELD) and is_person_role(fact.object):
            tail = _Name(tail.text, "ROLE")
        if fact.relation == ABBREVIATED_AS:
            tail = _Name(tail.text, head.type)
            known.abbreviated[tail.text] = head
        yield head, relation_name(fact.relation), tail, fact
    if first is not None:
        # what a sentence begins with is what the next one goes on about
        known.add_subject(first)


def _names_in(chunks: Sequence[Chunk], sentence: str) -> list[_Name]:
    """The names in a sentence that short forms may stand for, in its order: no values, and no offices."""
    phrases = [chunk.phrase for chunk in chunks if chunk.phrase is not None]
    return [
        _name_of(phrase, sentence, _genitive(sentence[phrase.start : phrase.owner.end]) if phrase.owner else "")
        for phrase in phrases
        if is_name(phrase) and not is_value(phrase) and not is_role(phrase) and not _has_pronoun(phrase)
    ]


def _genitive(name: str) -> str:
    return f"{name}' " if name.endswith("s") else f"{name}'s "


def _has_pronoun(phrase: Phrase) -> bool:
    return phrase.head.cls is Class.POSSESSIVE or (phrase.owner is not None and _has_pronoun(phrase.owner))


def _resolved(
    phrase: Phrase, sentence: str, known: _Known, date: str, *, person: bool, subject: _Name | None = None
) -> _Name | None:
    """How an end is named: pronouns and short forms by the full name used before; None where it says nothing."""
    low = phrase.head.low
    if low == "today":
        return _Name(date, "DATE") if date else None
    if phrase.head.cls in (Class.PRONOUN, Class.POSSESSIVE) and len(phrase.tokens) == 1:
        return None if low in words.SPEAKERS or low in words.DETERMINERS else known.subject(low)
    if low in _EMPTY and phrase.of is None:
        return None
    owner = ""
    if phrase.owner is not None:
        whose = _resolved(phrase.owner, sentence, known, date, person=False)
        if whose is None:
            return None
        owner = "" if whose == subject else _genitive(whose.text)
    name = _name_of(phrase, sentence, owner, person=person)
    if not name.text or len(name.text.split()) > _MOST_WORDS:
        return None
    if not owner and phrase.of is None and (is_name(phrase) or phrase.determiner == "the"):
        return known.abbreviated.get(name.text) or known.full(name.text) or name
    return name


def _name_of(phrase: Phrase, sentence: str, owner: str, *, person: bool = False) -> _Name:
    tokens = name_tokens(phrase.tokens) if is_name(phrase) else phrase.tokens
    text = sentence[tokens[0].start : phrase.end]
    text = tidy(plain_text(text) if _MARKUP.search(text) else text)
    if phrase.determiner and phrase.determiner not in _DROPPED and not owner:
        text = f"{phrase.determiner} {text}"
    kind = type_of(phrase)
    if person and kind in ("ENTITY", "ROLE") and is_name(phrase):
        kind = "PERSON"
    return _Name(owner + text, kind)
