"""What kind of thing a noun phrase names, by its words: the types of the pattern extractor."""

from faithflow.graph import english_words as words
from faithflow.graph.english_grammar import Phrase
from faithflow.graph.english_tokens import Class, Token

_BY_CLASS = {
    Class.DATE: "DATE",
    Class.PERCENTAGE: "PERCENTAGE",
    Class.MONEY: "AMOUNT",
    Class.NUMBER: "AMOUNT",
    Class.REFERENCE: "DOCUMENT",
}
_HONORIFICS = words.word_set("dr dr. mr mr. mrs mrs. ms ms. prof prof. professor sir lady lord saint st. st")

_OFFICES = words.TITLES - _HONORIFICS
_NO_PERSON = words.ORGANISATIONS | words.PROGRAMMES | words.DOCUMENTS | words.TITLES


def is_name(phrase: Phrase) -> bool:
    """Whether a phrase is a name: its last word, or the first of a name with a number, has a capital."""
    head = phrase.head
    if head.cls in (Class.REFERENCE, Class.QUOTE):
        return True
    named = head.capital or (len(phrase.tokens) > 1 and head.cls is not Class.WORD and phrase.tokens[0].capital)
    return named and head.cls is not Class.PRONOUN


def type_of(phrase: Phrase) -> str:
    """ORGANIZATION, PERSON, PLACE, PROGRAMME, DOCUMENT, ROLE, DATE, AMOUNT, PERCENTAGE, or ENTITY for all else."""
    first = phrase.tokens[0]
    counts = first.cls in _BY_CLASS and (len(phrase.tokens) == 1 or first.cls is Class.NUMBER)
    if counts or (first.cls in _BY_CLASS and _listed_type(phrase.head.low) is None and first.cls is not Class.DATE):
        return _BY_CLASS[first.cls]
    if " ".join(token.low for token in phrase.tokens) in words.COUNTRIES:
        return "PLACE"
    if phrase.head.cls is Class.REFERENCE:
        return "DOCUMENT"
    if is_name(phrase) and has_title(phrase.tokens):
        return "PERSON"
    lows = [token.low for token in phrase.tokens]
    of_first = _listed_type(lows[0]) if is_name(phrase) else None
    return _listed_type(lows[-1]) or of_first or "ENTITY"


def _listed_type(low: str) -> str | None:
    return next((kind for listed, kind in _LISTED if low in listed), None)


_LISTED = (
    (words.PERSON_ROLES, "ROLE"),
    (words.PROGRAMMES, "PROGRAMME"),
    (words.DOCUMENTS, "DOCUMENT"),
    (words.ORGANISATIONS, "ORGANIZATION"),
    (words.PLACES, "PLACE"),
)


def has_title(tokens: tuple[Token, ...]) -> bool:
    """Whether a name begins with a title: "President Maia Sandu", "Dr. G. P. X"."""
    return tokens[0].low in _HONORIFICS or len(name_tokens(tokens)) < len(tokens)


def title_tokens(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The office before a person's name; a form of address is none."""
    return tokens[: len(tokens) - len(name_tokens(tokens))]


def name_tokens(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """A person's name without the office before it ("Dr." is part of how people are called and stays)."""
    if tokens[0].low not in _OFFICES:
        return tokens
    at = 0
    while at < len(tokens) and tokens[at].low in _OFFICES and tokens[at].capital:
        at += 1
    rest = tokens[at:]
    plain = rest and all(any(map(str.isupper, token.text)) or len(token.text) <= 3 for token in rest)
    if at == 0 or not plain or rest[-1].low in _NO_PERSON:
        return tokens
    return rest


def is_role(phrase: Phrase) -> bool:
    """Whether a phrase names an office or a part in something: "President of X", "capital of Y"."""
    return phrase.head.low in words.ROLES and phrase.head.cls is Class.WORD


def is_person_role(phrase: Phrase) -> bool:
    return phrase.head.low in words.PERSON_ROLES
