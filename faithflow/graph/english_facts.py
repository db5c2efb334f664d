"""From the clauses and phrases of an English sentence to facts: subject, relation, object, still as phrases."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from faithflow.graph import english_words as words
from faithflow.graph.english_clauses import Clause, clauses_of, is_value
from faithflow.graph.english_grammar import Chunk, Form, Kind, Phrase
from faithflow.graph.english_names import is_name, is_person_role, is_role, name_tokens, title_tokens
from faithflow.graph.english_tokens import Class, Token, sentence_tokens
from faithflow.graph.entities import ABBREVIATED_AS
from faithflow.graph.names import acronym_letters, initials, is_acronym

HOLDS, HELD = "holds position", "held position"

# Verbs with whose object, or "as …", a subject takes on a role.
_BECOMING = words.word_set("become serve elect re-elect appoint name nominate act work remain")

_INCLUDING = words.word_set("include comprise")

# Verbs that say that somebody says something: what follows is not a fact of the document.
_SAYING = words.word_set("say believe think argue suggest claim tell hope feel know see want compare")

_FORMER = words.word_set("former ex previous late")
_KEPT = words.word_set("vice deputy acting interim prime co honorary executive")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth")
_BORN = re.compile(r"\bborn\b(?: [^\d,;]*?)?(?= (?:on )?(?:\d|[A-Z][a-z]+ \d))")
_LIFE = re.compile(r"\s+[-–—]\s+|\s*[–—]\s*")

# What may stand before a name that is its clause's subject.
_SUBJECT_AFTER = (None, Kind.BREAK, Kind.CONJUNCTION)

# Objects that only make an idiom with their verb: "takes place", "enters into force".
_IDIOMS = words.word_set("place part effect force account office")
_PLACE_WORDS = words.word_set("in at near")


@dataclass(frozen=True, slots=True)
class RawFact:
    """A fact as the sentence has it: `relation` in words, `start` and `end` the characters of the sentence that state
    it. `object` may be the subject's role or an amount; phrases may be pronouns still."""

    subject: Phrase
    relation: str
    object: Phrase
    start: int
    end: int


def facts_of(chunks: Sequence[Chunk], sentence: str) -> list[RawFact]:
    """The facts of a sentence with these chunks: those beside names, then those of its clauses; each once."""
    found = [*_near_names(chunks, sentence)]
    for clause in clauses_of(chunks):
        found += _of_clause(clause)
    return list(dict.fromkeys(found))


# ---- clauses


def _of_clause(clause: Clause) -> Iterator[RawFact]:
    if clause.verb.lemma in _SAYING:
        return
    for subject in clause.subjects:
        if subject.determiner == "no":
            continue
        if subject.head.low == "there":
            yield from _existence(clause)
            continue
        if clause.verb.lemma == "be":
            yield from _copula(clause, subject)
        elif clause.verb.lemma == "have":
            yield from _possession(clause, subject)
        else:
            yield from _action(clause, subject)
            if clause.verb.today is not None:
                said = " ".join(clause.verb.relation)
                yield RawFact(subject, f"{said} on", Phrase((clause.verb.today,)), clause.start, clause.end)
        yield from _leading(clause, subject)


def _existence(clause: Clause) -> Iterator[RawFact]:
    """ "There are 250 staff at X": X has them."""
    for word, phrases in clause.attached:
        for phrase in phrases:
            if word in _PLACE_WORDS and is_name(phrase) and "not" not in clause.verb.relation:
                for thing in clause.objects:
                    yield _fact(clause, phrase, "has", thing)


def _copula(clause: Clause, subject: Phrase) -> Iterator[RawFact]:
    said = " ".join(clause.verb.relation)
    is_plain = not said
    for complement in clause.objects:
        attribute = _attribute(clause, subject)
        if attribute is not None and is_plain and (is_name(complement) or is_value(complement)):
            yield _fact(clause, attribute[0], attribute[1], complement)
        elif is_plain and is_role(complement) and (complement.of is not None or is_person_role(complement)):
            yield from _role(clause, subject, complement)
        elif complement.determiner in ("a", "an") or (complement.of is None and complement.determiner == "the"):
            yield _fact(clause, subject, f"{_be(said)} a", complement)
        else:
            yield _fact(clause, subject, _be(said), complement)
    for at, (word, phrases) in enumerate(clause.attached):
        for phrase in phrases:
            if clause.objects:
                if word == "with" and is_value(phrase):
                    yield _fact(clause, subject, "has", phrase)
            elif word in _PLACE_WORDS and is_name(phrase):
                attribute = _attribute(clause, subject)
                where = attribute if attribute is not None else (subject, f"{said} located in".strip())
                yield _fact(clause, where[0], where[1], phrase)
            elif at == 0:
                yield _fact(clause, subject, f"{_be(said)} {word}", phrase)


def _be(said: str) -> str:
    return said if said.endswith("be") else f"is {said}".strip()


def _attribute(clause: Clause, subject: Phrase) -> tuple[Phrase, str] | None:
    """The owner and the attribute's name, where the subject is an attribute of something: "its director", "the
    location of X", "whose industry"."""
    if is_name(subject) and subject.owner is None and clause.owner is None:
        return None
    noun = " ".join(token.low for token in subject.tokens if not _is_filler(token))
    if clause.owner is not None:
        return clause.owner, noun
    if subject.owner is not None:
        return subject.owner, noun
    if subject.of is not None and subject.of.owner is not None and subject.head.low in ("one", "some"):
        return subject.of.owner, " ".join(token.low for token in subject.of.tokens)
    return (subject.of, noun) if subject.of is not None and subject.determiner in ("the", "") else None


def _is_filler(token: Token) -> bool:
    return token.low in ("current", "present", "own", "official", "full", "total", "annual") or bool(
        _ORDINAL.fullmatch(token.low)
    )


def _possession(clause: Clause, subject: Phrase) -> Iterator[RawFact]:
    said = " ".join(clause.verb.relation)
    for thing in clause.objects:
        if thing.of is not None and is_value(thing.of) and not is_name(thing):
            noun = " ".join(token.low for token in thing.tokens if not _is_filler(token))
            yield _fact(clause, subject, noun, thing.of)
        else:
            yield _fact(clause, subject, said, thing)


def _action(clause: Clause, subject: Phrase) -> Iterator[RawFact]:
    said = " ".join(clause.verb.relation)
    attribute = _attribute(clause, subject) if clause.verb.lemma in _INCLUDING or clause.owner is not None else None
    if attribute is not None:
        # "whose products include X", "its members comprise Y"
        subject, said = attribute[0], f"{attribute[1]} {said}"
    takes_role = clause.verb.lemma.removeprefix("re-") in _BECOMING and "not" not in said
    objects = [thing for thing in clause.objects if not _is_idiom(thing)]
    passive = clause.verb.passive or clause.verb.form is Form.PARTICIPLE
    for thing in clause.objects:
        if _is_idiom(thing):
            said = f"{said} {thing.head.low}"
        elif takes_role and is_role(thing):
            yield from _role(clause, subject, thing)
        else:
            yield _fact(clause, subject, said, thing)
    for word, phrases in clause.attached:
        for phrase in phrases:
            if word == "into" and _is_idiom(phrase):
                said = f"{said} into {phrase.head.low}"
            elif word == "as" and is_role(phrase) and takes_role:
                yield from _role(clause, subject, phrase)
            elif takes_role and not is_value(phrase):
                continue
            elif not objects or passive or is_name(phrase) or is_value(phrase):
                yield _of_place(clause, phrase, said, word, subject)


def _is_idiom(phrase: Phrase) -> bool:
    return phrase.head.low in _IDIOMS and len(phrase.tokens) == 1 and not phrase.determiner and phrase.owner is None


def _of_place(clause: Clause, phrase: Phrase, said: str, word: str, subject: Phrase) -> RawFact:
    """ "affiliated with X in Y": the place is that of X; else the phrase belongs to the verb."""
    at = next(n for n, (other, phrases) in enumerate(clause.attached) if other == word and phrase in phrases)
    before = clause.attached[at - 1] if at else None
    if word in _PLACE_WORDS and phrase.head.cls is Class.WORD and is_name(phrase) and before is not None:
        partner = before[1][-1]
        linked = before[0] == "with" or (before[0] == "to" and clause.verb.passive)
        if linked and is_name(partner) and not is_value(partner):
            return _fact(clause, partner, "located in", phrase)
    return _fact(clause, subject, f"{said} {word}", phrase)


def _leading(clause: Clause, subject: Phrase) -> Iterator[RawFact]:
    """ "In 2001, X adopted …", "With a revenue of EUR 5 million, X …"."""
    said = " ".join(clause.verb.relation) or "is"
    for word, phrases in clause.leading:
        for phrase in phrases:
            if word == "with" and phrase.of is not None and is_value(phrase.of):
                yield _fact(clause, subject, " ".join(token.low for token in phrase.tokens), phrase.of)
            elif phrase.tokens[0].cls is Class.DATE and clause.verb.lemma != "be":
                yield _fact(clause, subject, f"{said} {word}", phrase)


def _role(clause: Clause, subject: Phrase, role: Phrase) -> Iterator[RawFact]:
    yield from _role_facts(subject, role, clause.start, clause.end)


def _role_facts(subject: Phrase, role: Phrase, start: int, end: int) -> Iterator[RawFact]:
    """A person holds a position, and is e.g. the president of what the position belongs to; a thing is e.g. the
    capital of another."""
    former = any(token.low in _FORMER for token in role.tokens)
    bare = Phrase(_title(role.tokens), "", None, role.of, role.joint)
    if is_person_role(role):
        yield RawFact(subject, HELD if former else HOLDS, bare, start, end)
    target = role.of if role.of is not None else role.owner
    if target is not None:
        relation = " ".join(token.low for token in bare.tokens) + f" {role.joint}"
        yield RawFact(subject, f"former {relation}" if former else relation, target, start, end)


def _title(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """An office without what is said of it: "fourth President" and "current chief economist" lose their first word."""
    at = 0
    while at < len(tokens) - 1:
        token = tokens[at]
        name_begins = token.capital and not _ORDINAL.fullmatch(token.low) and token.low not in _FORMER
        if name_begins or token.low in _KEPT or token.low in words.ROLES:
            break
        at += 1
    return tokens[at:]


def _fact(clause: Clause, subject: Phrase, relation: str, thing: Phrase) -> RawFact:
    said = f"{relation} no" if thing.determiner in ("no", "neither") else relation
    return RawFact(subject, said, thing, clause.start, max(clause.end, thing.end))


# ---- what stands beside a name


def _near_names(chunks: Sequence[Chunk], sentence: str) -> Iterator[RawFact]:
    for at, chunk in enumerate(chunks):
        phrase = chunk.phrase
        if phrase is None:
            continue
        yield from _titled(phrase, chunk.end)
        following = chunks[at + 1] if at + 1 < len(chunks) else None
        if following is None:
            continue
        if is_role(phrase) and following.kind is Kind.COMMA:
            yield from _named_holder(chunks, at, phrase)
        if not is_name(phrase):
            continue
        before = chunks[at - 1].kind if at else None
        if following.kind is Kind.PARENTHESIS:
            yield from _bracketed(phrase, following, sentence)
            following = chunks[at + 2] if at + 2 < len(chunks) else None
            at += 1
        if following is None:
            continue
        after = chunks[at + 2].phrase if at + 2 < len(chunks) else None
        if following.kind is Kind.COMMA and after is not None and _is_apposition(chunks, at + 2, after):
            yield from _apposed(phrase, after)
            behind = chunks[at + 3] if at + 3 < len(chunks) else None
            counted = chunks[at + 4].phrase if at + 4 < len(chunks) else None
            if behind is not None and behind.word == "with" and counted is not None and is_value(counted):
                yield RawFact(phrase, "has", counted, phrase.start, counted.end)
        elif following.word == "with" and after is not None and is_value(after) and before in _SUBJECT_AFTER:
            yield RawFact(phrase, "has", after, phrase.start, after.end)
        elif following.word in _PLACE_WORDS and before in _SUBJECT_AFTER and after is not None and _is_place(after):
            yield RawFact(phrase, "located in", after, phrase.start, after.end)


def _named_holder(chunks: Sequence[Chunk], at: int, role: Phrase) -> Iterator[RawFact]:
    """ "Its director, Birgit Aasen, expects": the name between two commas holds the office."""
    holder = chunks[at + 2].phrase if at + 3 < len(chunks) else None
    if holder is None or chunks[at + 3].kind is not Kind.COMMA or not is_name(holder) or is_value(holder):
        return
    if is_person_role(role) and (role.of is not None or role.owner is not None) and not is_role(holder):
        yield from _role_facts(holder, role, role.start, holder.end)


def _is_place(phrase: Phrase) -> bool:
    return is_name(phrase) and phrase.tokens[0].cls is not Class.DATE


def _titled(phrase: Phrase, end: int) -> Iterator[RawFact]:
    """ "Commissioner Maria Vella" holds the position Commissioner."""
    title = title_tokens(phrase.tokens)
    if title and is_name(phrase):
        name = Phrase(name_tokens(phrase.tokens))
        yield RawFact(name, HOLDS, Phrase(title), phrase.start, end)
        if phrase.owner is not None:
            yield RawFact(name, " ".join(token.low for token in title) + " of", phrase.owner, phrase.start, end)


def _is_apposition(chunks: Sequence[Chunk], at: int, phrase: Phrase) -> bool:
    """Whether a phrase behind a comma says what the name before it is: an office, or "a …", and the comma closes."""
    after = chunks[at + 1].kind if at + 1 < len(chunks) else Kind.BREAK
    closes = after in (Kind.COMMA, Kind.BREAK, Kind.RELATIVE, Kind.PREPOSITION, Kind.PARENTHESIS, Kind.CONJUNCTION)
    role = is_role(phrase) and (phrase.of is not None or phrase.owner is not None or phrase.determiner == "the")
    named = phrase.determiner in ("a", "an") or role
    return named and closes


def _apposed(name: Phrase, phrase: Phrase) -> Iterator[RawFact]:
    if is_role(phrase) and (is_person_role(phrase) or phrase.of is not None):
        yield from _role_facts(name, phrase, name.start, phrase.end)
    else:
        yield RawFact(name, "is a", phrase, name.start, phrase.end)


def _bracketed(phrase: Phrase, bracket: Chunk, sentence: str) -> Iterator[RawFact]:
    """ "European Commission (EC)", "Maia Sandu (born 24 May 1972)", "X (3 September 1948 – 19 August 2008)"."""
    inside = bracket.word
    full = phrase
    if is_acronym(inside):
        letters = acronym_letters(inside)
        names = [full] if full.of is None else [full, *_inner(full)]
        fitting = next((name for name in names if letters in initials(sentence[name.start : name.end])), full)
        yield RawFact(fitting, ABBREVIATED_AS, _placed(inside, bracket), phrase.start, bracket.end)
        return
    for part in inside.split(";"):
        born = _BORN.search(part)
        dates = [token for token in sentence_tokens(part[born.end() :] if born else part) if token.cls is Class.DATE]
        if born and dates:
            yield RawFact(phrase, "born on", _placed(dates[0].text, bracket), phrase.start, bracket.end)
        elif len(dates) == 2 and len(_LIFE.split(part.strip())) == 2:
            yield RawFact(phrase, "born on", _placed(dates[0].text, bracket), phrase.start, bracket.end)
            yield RawFact(phrase, "died on", _placed(dates[1].text, bracket), phrase.start, bracket.end)


def _inner(phrase: Phrase) -> list[Phrase]:
    return [] if phrase.of is None else [phrase.of, *_inner(phrase.of)]


def _placed(text: str, bracket: Chunk) -> Phrase:
    """A phrase for words inside a bracket, at its place in the sentence."""
    inner = sentence_tokens(text)
    at = bracket.start + 1 + max(bracket.word.find(text), 0)
    return Phrase(tuple(Token(t.text, t.low, t.cls, at + t.start, at + t.end, t.capital) for t in inner))
