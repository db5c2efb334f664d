"""The English words that the pattern extractor knows, by class (english_words.json). The lists were written for
official and encyclopaedic prose and for requirements; endings and neighbours decide on the rest (`english_verbs`)."""

import json
from importlib.resources import files

from faithflow.text.languages import word_set

_LISTS: dict[str, list[str]] = json.loads((files("faithflow.graph") / "english_words.json").read_text(encoding="utf-8"))


def _words(name: str) -> frozenset[str]:
    return word_set(" ".join(_LISTS[name]))


def _phrases(name: str) -> list[str]:
    return " ".join(_LISTS[name]).split(", ")


ADVERBS = _words("adverbs")
BE = _words("be")
CONJUNCTIONS = _words("conjunctions")
COUNTRIES = frozenset(_phrases("countries"))
DETERMINERS = _words("determiners")
DO = _words("do")
DOCUMENTS = _words("documents")
HAVE = _words("have")
ING_NOUNS = _words("ing_nouns")
MODALS = _words("modals")
NEGATIONS = _words("negations")
NOT_ADVERBS = _words("not_adverbs")
NOUN_AND_VERB = _words("noun_and_verb")
ORGANISATIONS = _words("organisations")
PERSON_ROLES = _words("person_roles")
PLACES = _words("places")
POSSESSIVES = _words("possessives")
PREPOSITIONS = _words("prepositions")
PROGRAMMES = _words("programmes")
PRONOUNS = _words("pronouns")
RELATIVES = _words("relatives")
ROLES = _words("roles")
SPEAKERS = _words("speakers")
SUBORDINATORS = _words("subordinators")
TITLES = _words("titles")
_DOUBLING = _words("doubling_verbs")
_IRREGULAR = {lemma: (past, part) for lemma, past, part in (each.split() for each in _phrases("irregular_verbs"))}


def _forms() -> dict[str, tuple[str, frozenset[str]]]:
    forms: dict[str, tuple[str, set[str]]] = {}

    def add(form: str, lemma: str, kind: str) -> None:
        forms.setdefault(form, (lemma, set()))[1].add(kind)

    for lemma in sorted(_words("verbs")):
        past, part = _IRREGULAR.get(lemma, (_past(lemma), _past(lemma)))
        add(lemma, lemma, "base")
        add(_third(lemma), lemma, "s")
        add(past, lemma, "past")
        add(part, lemma, "part")
        add(_ing(lemma), lemma, "ing")
    return {form: (lemma, frozenset(kinds)) for form, (lemma, kinds) in forms.items()}


def _past(lemma: str) -> str:
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "ied"
    return lemma + (lemma[-1] if lemma in _DOUBLING else "") + "ed"


def _third(lemma: str) -> str:
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "ies"
    return lemma + ("es" if lemma.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


def _ing(lemma: str) -> str:
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if lemma.endswith("e") and not lemma.endswith(("ee", "oe")):
        return lemma[:-1] + "ing"
    return lemma + (lemma[-1] if lemma in _DOUBLING else "") + "ing"


VERB_FORMS = _forms()
"""Every form of every verb: its lemma, and which forms it may be (base, s, past, part, ing)."""
