"""An English sentence cut into words, numbers, dates and marks, each with its class."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from faithflow.graph import english_words as words
from faithflow.text.numbers import NUMBER_PATTERN, WORD_VALUES


class Class(StrEnum):
    """What a token can do in a sentence."""

    WORD = "word"
    DETERMINER = "determiner"
    POSSESSIVE = "possessive"
    PRONOUN = "pronoun"
    PREPOSITION = "preposition"
    CONJUNCTION = "conjunction"
    SUBORDINATOR = "subordinator"
    RELATIVE = "relative"
    BE = "be"
    HAVE = "have"
    DO = "do"
    MODAL = "modal"
    NEGATION = "negation"
    ADVERB = "adverb"
    DATE = "date"
    PERCENTAGE = "percentage"
    MONEY = "money"
    NUMBER = "number"
    REFERENCE = "reference"
    QUOTE = "quote"
    GENITIVE = "genitive"
    COMMA = "comma"
    PARENTHESIS = "parenthesis"
    MARK = "mark"


VALUES = frozenset({Class.DATE, Class.PERCENTAGE, Class.MONEY, Class.NUMBER})


@dataclass(frozen=True, slots=True)
class Token:
    """A token with its place in the sentence; `low` is its lower case, `capital` whether it begins with a capital."""

    text: str
    low: str
    cls: Class
    start: int
    end: int
    capital: bool


_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\b\.?)"
)
_DAY = r"(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?|first|second|third)"
_DATE = (
    rf"{_DAY}(?: of)? {_MONTH}(?:,? ?\d{{4}})?\b|(?:the )?{_MONTH} ?\d{{1,2}}(?:st|nd|rd|th)?(?!\d)(?:,? ?\d{{4}}\b)?"
    rf"|{_MONTH},? ?\d{{4}}\b|\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{4}}\b"
)
_QUALIFIER = (
    r"(?:(?:up to|at least|at most|more than|less than|fewer than|no more than|around|about|nearly|almost|over|some"
    r"|approximately|roughly) )?"
)
_COUNTED = rf"(?:{NUMBER_PATTERN}|(?<= )(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)"
_CURRENCY = r"(?:EUR|USD|GBP|CHF|SEK|DKK|PLN|HUF|CZK|RON|€|\$|£|¥)"
_COIN = r"(?:euros?|dollars?|pounds?|US dollars?|EUR|USD|GBP|€)"
_MONEY = rf"{_QUALIFIER}(?:{_CURRENCY} ?(?:{NUMBER_PATTERN})|(?:{NUMBER_PATTERN}) ?{_COIN}(?!\w))"
_PERCENT = rf"{_QUALIFIER}(?:{NUMBER_PATTERN}) ?(?:%|per cent\b|percent\b|percentage points?\b)"
_REFERENCE = (
    r"\(?(?:EU|EC|EEC|CFSP|Euratom)\)? (?:No )?\d{2,4}/\d{1,4}\b|\b[A-Z]{2,}(?:[-_/.][A-Z0-9]+)*[-_/.]\d[\w/.-]*\b"
    r"|\b[A-Z]{2,}\(\d{4}\) ?\d+\b"
)
_INITIALS = r"(?:[A-Z]\.[ ]?)+(?=[A-Z])|(?:[A-Z]\.){2,}"
_TITLE = r"(?:Dr|Mr|Mrs|Ms|Prof|St|Inc|Ltd|Corp|Jr|Sr|Co|No)\."
_WORD = r"[^\W\d_]+(?:(?:[-&.·]|['’](?!s\b))[^\W_]+)*\d*"

# A plain word that can begin nothing longer; tried first, since most tokens are such.
_PLAIN = (
    r"(?!(?:up|at|more|less|fewer|no|around|about|nearly|almost|over|some|approximately|roughly|the|first|second|third)\b)"
    r"[a-z]+(?![^\W_]|[-&.·'’])"
)

_TOKEN = re.compile(
    rf"(?P<space>\s+)|(?P<plain>{_PLAIN})|(?P<date>{_DATE})|(?P<percentage>{_PERCENT})|(?P<money>{_MONEY})|(?P<reference>{_REFERENCE})"
    rf"|(?P<number>{_QUALIFIER[:-1]}{_COUNTED}|{NUMBER_PATTERN})|(?P<genitive>(?<=\w)['’]s\b|(?<=s)['’](?=\s))"
    rf"|(?P<quote>[\"“](?:[^\"“”\n]){{1,400}}[\"”])|(?P<parenthesis>\([^()\n]{{0,400}}\)|\[[^\[\]\n]{{0,400}}\])"
    rf"|(?P<initials>{_INITIALS})|(?P<title>{_TITLE})|(?P<word>{_WORD})|(?P<comma>,)|(?P<mark>.)",
    re.DOTALL,
)
_YEAR = re.compile(r"(?:1[0-9]|20)\d{2}")
_BEFORE_YEAR = words.word_set("in since until till by from to between of during and before after around early late mid")

_CLASSES = (
    (words.NEGATIONS, Class.NEGATION),
    (words.BE, Class.BE),
    (words.HAVE, Class.HAVE),
    (words.DO, Class.DO),
    (words.MODALS, Class.MODAL),
    (words.POSSESSIVES, Class.POSSESSIVE),
    (words.RELATIVES, Class.RELATIVE),
    (words.DETERMINERS, Class.DETERMINER),
    (words.PRONOUNS, Class.PRONOUN),
    (words.PREPOSITIONS, Class.PREPOSITION),
    (words.CONJUNCTIONS, Class.CONJUNCTION),
    (words.SUBORDINATORS, Class.SUBORDINATOR),
    (words.ADVERBS, Class.ADVERB),
)


def sentence_tokens(sentence: str) -> list[Token]:
    """The tokens of a sentence, in order, white space left out."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(sentence):
        kind, text = match.lastgroup, match.group()
        if kind == "space":
            continue
        if kind in ("plain", "word", "initials", "title"):
            # an abbreviation's blank before the next name belongs to neither
            text = text.rstrip()
            cls = _word_class(text) if kind in ("plain", "word") else Class.WORD
        elif kind == "number" and _YEAR.fullmatch(text) and _is_year(tokens, sentence, match.end()):
            cls = Class.DATE
        else:
            cls = Class(kind or "mark")
        start = match.start()
        tokens.append(Token(text, text.lower(), cls, start, start + len(text), text[0].isupper()))
    return [_in_context(tokens, at) for at in range(len(tokens))]


def _in_context(tokens: list[Token], at: int) -> Token:
    """A token whose class depends on its neighbours: "All India Council" is a name, "following the vote" no verb."""
    token = tokens[at]
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if following is None:
        return token
    if token.cls is Class.DETERMINER and token.capital and token.low not in ("the", "a", "an") and at > 0:
        inside = tokens[at - 1].cls not in (Class.MARK, Class.QUOTE)
        return replace(token, cls=Class.WORD) if inside and following.capital else token
    if token.low == "following" and following.cls is Class.DETERMINER:
        return replace(token, cls=Class.PREPOSITION)
    return token


def _is_year(tokens: list[Token], sentence: str, end: int) -> bool:
    before = tokens[-1].low if tokens else ""
    return before in _BEFORE_YEAR or not sentence[end : end + 2].strip(" ").isalpha()


@lru_cache(maxsize=65536)
def _word_class(text: str) -> Class:
    low = text.lower().replace("’", "'")
    for listed, cls in _CLASSES:
        if low in listed:
            # "IT", "US", "AND" in capitals are names
            return Class.WORD if len(text) > 1 and text.isupper() else cls
    if low in WORD_VALUES:
        return Class.NUMBER
    if low.endswith("ly") and len(low) > 4 and not text[0].isupper() and low not in words.NOT_ADVERBS:
        return Class.ADVERB
    return Class.WORD
