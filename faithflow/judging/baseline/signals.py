"""What carries more than its share of a claim's truth: names, dates, negations, opposites."""

from faithflow.judging.baseline.coverage import Match
from faithflow.text.languages import word_set
from faithflow.text.tokens import MAY, Kind, Token

MONTHS = word_set("januari februari march april june juli august septemb octob novemb decemb") | {MAY}
"""The English Snowball stems of the months."""
_DAYS = word_set("monday tuesday wednesday thursday friday saturday sunday")
# Keys of tokens; left out where another language has a common word of that key.
_PLAIN_NEGATIONS = word_set("not never nicht nie pas non nunc nao niet nooit int ikk не никогд δεν नह ليس لم لن لا")
_NEGATIONS = _PLAIN_NEGATIONS | word_set(
    "no none nobodi noth neither nor without unless unlik kein ohn aucun ningun nessun senz sem nenhum geen zonder "
    "utan uden нет без μην χωρισ बिन"
)
_OPPOSITES = word_set(
    "increas/decreas rise/fall rose/fell grew/shrank grow/shrink higher/lower highest/lowest high/low "
    "more/less most/least maximum/minimum larger/smaller largest/smallest large/small big/small longer/shorter "
    "long/short older/younger oldest/youngest old/new faster/slower fast/slow hot/cold warmer/cooler hard/soft "
    "heavi/light strong/weak stronger/weaker better/wors best/worst good/bad safe/danger safe/unsaf win/lose "
    "won/lost accept/reject approv/reject allow/prohibit allow/forbid permit/prohibit mandatori/option "
    "mandatori/voluntari compulsori/voluntari legal/illeg law/unlaw possibl/imposs true/fals correct/incorrect "
    "buy/sell bought/sold import/export open/close start/end begin/end first/last earli/late earlier/later "
    "north/south northern/southern east/west eastern/western left/right upper/lower insid/outsid male/femal "
    "man/woman men/women father/mother son/daughter brother/sister hus/wife husband/wife positiv/negat "
    "posit/negat public/privat direct/indirect includ/exclud add/remov succeed/fail success/failur gain/loss "
    "profit/loss dead/aliv guilti/innoc attack/defend support/oppos strengthen/weaken improv/worsen "
    "expand/reduc increas/reduc rais/lower encourag/discourag common/rare present/absent day/night "
    "summer/winter domest/foreign"
)
"""Pairs of English stems of opposite meaning."""


def _both_ways() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _OPPOSITES:
        a, b = pair.split("/")
        found.setdefault(a, set()).add(b)
        found.setdefault(b, set()).add(a)
    return {word: frozenset(others) for word, others in found.items()}


_OPPOSITES_OF = _both_ways()


def opposites_of(key: str) -> frozenset[str]:
    """The stems that say the opposite of an English stem; empty where none is known."""
    return _OPPOSITES_OF.get(key, frozenset())


def is_negation(key: str) -> bool:
    """Whether a key is a negating word of one of the languages with a list."""
    return key in _NEGATIONS


def is_plain_negation(key: str) -> bool:
    """Whether a key denies just the words after it, as "not" does."""
    return key in _PLAIN_NEGATIONS


def is_year(token: Token) -> bool:
    """A number of four digits between 1000 and 2100."""
    return token.kind is Kind.NUMBER and len(token.key) == 4 and token.key.isdigit() and "1000" <= token.key <= "2100"


def is_date_part(token: Token) -> bool:
    """A year, or an English month or day of the week."""
    return is_year(token) or token.key in MONTHS or token.key in _DAYS


def name_terms(found: Match) -> int:
    """The mask of the terms that are written like names: a capital that does not open the claim, or all capitals."""
    mask, first = 0, True
    position = {term.key: i for i, term in enumerate(found.terms)}
    for token in found.tokens:
        shouted = len(token.surface) > 1 and token.surface.isupper()
        if token.kind is Kind.WORD and token.key in position and ((token.capital and not first) or shouted):
            mask |= 1 << position[token.key]
        first = False
    return mask
