"""Triples without a model: patterns over English official prose and requirements. Deterministic; a baseline.

Its precision and recall against gold are in docs/graph.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from faithflow.graph import english_words as words
from faithflow.graph.english_chunks import Phrase
from faithflow.graph.english_facts import HELD, HOLDS, RawFact, facts_of
from faithflow.graph.english_names import is_name, is_person_role, name_tokens, type_of
from faithflow.graph.english_tokens import Class
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
_DROPPED = words.word_set("the a an this these those that its their his her every each all both any some such whose")
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

    names: list[_Name] = field(default_factory=list[_Name])

    def add(self, name: _Name) -> None:
        self.names = [*(known for known in self.names if known.text != name.text), name]

    def subject(self, pronoun: str) -> _Name | None:
        """The last subject that a pronoun can mean: a person for "he" and "she", no person for "it"."""
        person = pronoun in _PERSONAL
        fitting = [n for n in self.names if pronoun in _PLURAL or (n.type in ("PERSON", "ENTITY") if person else n.type != "PERSON")]
        certain = [name for name in fitting if not person or name.type == "PERSON"]
        return (certain or fitting or [None])[-1]

    def full(self, text: str) -> _Name | None:
        """The full name that ends (or a person's, that ends or begins) with a shorter one used later."""
        short = name_key(text)
        for known in reversed(self.names):
            key = name_key(known.text)
            if key != short and (key.endswith(f" {short}") and known.text[:1].isupper()):
                return known
        return None


def extract(source: Source) -> tuple[Triple, ...]:
    """The triples of a passage, in the order of the text, each once.

    Sentences that speak as "we" or "I" are left out where that is their subject, since who speaks is not in them.
    """
    known = _Known()
    if source.title:
        for fact in facts_of(source.title):
            if is_name(fact.subject):
                known.add(_name_of(fact.subject, source.title))
                break
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
    facts = facts_of(sentence)
    people = {fact.subject.tokens for fact in facts if fact.relation in (HOLDS, HELD, "born on")}
    subjects: list[_Name] = []
    for fact in facts:
        head = _resolved(fact.subject, sentence, known, person=fact.subject.tokens in people)
        if head is None:
            continue
        if is_name(fact.subject) or fact.subject.head.cls is not Class.PRONOUN:
            subjects.append(head)
        tail = _resolved(fact.object, sentence, known, person=False)
        if tail is None or name_key(head.text) == name_key(tail.text):
            continue
        if fact.relation in (HOLDS, HELD) and is_person_role(fact.object):
            tail = _Name(tail.text, "ROLE")
        yield head, relation_name(fact.relation), tail, fact
    # a name that begins a sentence's facts is what the next "it" means
    for name in [*subjects[1:], *subjects[:1]]:
        known.add(name)


def _resolved(phrase: Phrase, sentence: str, known: _Known, *, person: bool) -> _Name | None:
    """How an end is named: pronouns and short forms by the full name used before; None where it says nothing."""
    low = phrase.head.low
    if phrase.head.cls in (Class.PRONOUN, Class.POSSESSIVE) and len(phrase.tokens) == 1:
        return None if low in words.SPEAKERS or low in words.DETERMINERS else known.subject(low)
    if low in _EMPTY and phrase.of is None:
        return None
    owner = phrase.owner
    prefix = ""
    if owner is not None and owner.head.cls is Class.POSSESSIVE:
        whose = None if owner.head.low in words.SPEAKERS else known.subject(owner.head.low)
        if whose is None:
            return None
        prefix = f"{whose.text}'s "
    name = _name_of(phrase, sentence, person=person)
    if not name.text or len(name.text.split()) > _MOST_WORDS:
        return None
    if not prefix and phrase.of is None and owner is None and (is_name(phrase) or phrase.determiner == "the"):
        full = known.full(name.text)
        if full is not None:
            return full
    return _Name(prefix + name.text, name.type)


def _name_of(phrase: Phrase, sentence: str, *, person: bool = False) -> _Name:
    tokens = name_tokens(phrase.tokens) if is_name(phrase) else phrase.tokens
    start = phrase.start if phrase.owner is not None and phrase.owner.head.cls is not Class.POSSESSIVE else tokens[0].start
    text = tidy(plain_text(sentence[start : phrase.end]))
    if phrase.determiner and phrase.determiner not in _DROPPED and phrase.owner is None:
        text = f"{phrase.determiner} {text}"
    kind = type_of(phrase)
    if person and kind in ("ENTITY", "ROLE") and is_name(phrase):
        kind = "PERSON"
    return _Name(text, kind)
