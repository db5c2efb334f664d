"""Which words of an English sentence are verbs: by known forms, endings and neighbours."""

from collections.abc import Sequence

from faithflow.graph import english_words as words
from faithflow.graph.english_grammar import Form, Kind
from faithflow.graph.english_tokens import VALUES, Class, Token

TENSE = frozenset({Class.BE, Class.HAVE, Class.DO, Class.MODAL})
"""The auxiliaries."""


class Reader:
    """A sentence's tokens, and the kinds of the chunks that were made of those before the one in question."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.kinds: list[Kind] = []
        # the modal of the last verb group ("shall", "shall not"), which a verb joined to it by "and" shares
        self.modal: tuple[str, ...] = ()

    def class_at(self, at: int) -> Class | None:
        """The class of a token; None before the first and behind the last."""
        return self.tokens[at].cls if 0 <= at < len(self.tokens) else None

    def low(self, at: int) -> str:
        return self.tokens[at].low if 0 <= at < len(self.tokens) else ""

    def is_capital(self, at: int) -> bool:
        return self.class_at(at) is Class.WORD and self.tokens[at].capital

    def is_infinitive(self, at: int) -> bool:
        after = at + 2 if self.class_at(at + 1) is Class.ADVERB else at + 1
        if self.low(at) != "to" or after >= len(self.tokens) or self.tokens[after].capital:
            return False
        low = self.low(after)
        return low in ("be", "have") or "base" in verb_kinds(low)

    def is_verb(self, at: int) -> bool:
        """Whether a word that no auxiliary announces is the verb of its clause."""
        token = self.tokens[at]
        if token.capital and at > 0:
            return False
        kinds = verb_kinds(token.low)
        if not kinds:
            return False
        before, after = self.class_at(at - 1), self.class_at(at + 1)
        if before in (Class.DETERMINER, Class.POSSESSIVE, Class.GENITIVE) or before in VALUES - {Class.DATE}:
            return False
        if before is Class.ADVERB and self.class_at(at - 2) in (Class.DETERMINER, Class.POSSESSIVE):
            return False
        opens = self.opens_object(at + 1)
        if before is Class.PREPOSITION:
            return "ing" in kinds and token.low not in words.ING_NOUNS and opens
        if "ing" in kinds:
            starts = at == 0 or before in (Class.COMMA, Class.CONJUNCTION)
            adverbial = before is Class.ADVERB
            usual = token.low not in words.ING_NOUNS and (after is Class.WORD or opens or after is Class.PREPOSITION)
            return usual and (
                starts or adverbial or (before is Class.WORD and bool(self.kinds)) or before is Class.DATE
            )
        behind_noun = before in (
            Class.WORD,
            Class.RELATIVE,
            Class.PRONOUN,
            Class.ADVERB,
            Class.PARENTHESIS,
            Class.REFERENCE,
        )
        behind_noun = behind_noun or before in (Class.COMMA, Class.CONJUNCTION, Class.DATE, Class.QUOTE)
        if at == 0:
            return bool(kinds & {"part"}) and after is Class.PREPOSITION
        if not behind_noun:
            return False
        if before is Class.CONJUNCTION and "base" in kinds and self.modal and Kind.VERB in self.kinds:
            return self.class_at(at + 1) in (Class.WORD, Class.PREPOSITION) or opens
        if token.low in words.NOUN_AND_VERB:
            if before is Class.CONJUNCTION and len(self.kinds) > 1 and self.kinds[-2] is Kind.VERB:
                return True
            if before in (Class.COMMA, Class.CONJUNCTION, Class.ADVERB):
                return opens and bool(kinds & {"s", "past"})
            if before in (Class.RELATIVE, Class.PRONOUN):
                return True
            plural = before is Class.WORD and self.low(at - 1).endswith("s")
            if "s" in kinds and not plural and after is Class.WORD and self.low(at + 1).endswith("s"):
                return True
            fits = "s" in kinds or "past" in kinds or plural
            return fits and (opens or (self.low(at + 1) == "to" and self.is_infinitive(at + 1)))
        if kinds & {"s"}:
            return True
        if kinds & {"past", "part"}:
            opened = (Class.DETERMINER, Class.POSSESSIVE, Class.PREPOSITION, Class.GENITIVE, None)
            adjectival = before is Class.ADVERB and after is Class.WORD and self.class_at(at - 2) in opened
            listed = (
                Kind.VERB not in self.kinds
                and before in (Class.COMMA, Class.CONJUNCTION)
                and after is Class.WORD
                and not self.tokens[at + 1].capital
            )
            return not (adjectival or listed)
        plural = before is Class.WORD and self.low(at - 1).endswith("s")
        return (
            plural
            or before is Class.RELATIVE
            or (before is Class.PRONOUN and self.low(at - 1) in ("they", "we", "you"))
        )

    def opens_object(self, at: int) -> bool:
        """Whether a token begins an object for sure: a determiner, a value, a name."""
        if at >= len(self.tokens):
            return False
        token = self.tokens[at]
        surely = token.cls in (Class.DETERMINER, Class.POSSESSIVE, Class.REFERENCE, Class.QUOTE) or token.cls in VALUES
        return surely or (token.cls is Class.WORD and token.capital) or token.low == "that"

    def completes(self, at: int, helper: Class) -> bool:
        if self.class_at(at) is not Class.WORD or self.tokens[at].capital:
            return False
        token = self.tokens[at]
        kinds = verb_kinds(token.low)
        if helper in (Class.MODAL, Class.DO):
            # whatever it is, it is a verb here
            return True
        if helper is Class.BE:
            gerund = "ing" in kinds and token.low not in words.ING_NOUNS
            adjectival = self.class_at(at + 1) is Class.WORD and not self.tokens[at + 1].capital
            return gerund or (
                "part" in kinds
                and not (
                    adjectival and token.low not in ("given", "named", "called", "elected", "renamed", "appointed")
                )
            )
        return "part" in kinds

    def bare_form(self, at: int, kinds: frozenset[str]) -> Form:
        if "ing" in kinds:
            return Form.ING
        if "part" not in kinds:
            return Form.FINITE
        before, after = self.class_at(at - 1), self.class_at(at + 1)
        if at == 0 or "past" not in kinds:
            return Form.PARTICIPLE
        if before in (Class.RELATIVE, Class.PRONOUN):
            return Form.FINITE
        # "founded in 1998", "adopted by X" without an auxiliary: what it says is said of the phrase before it
        after = self.class_at(at + 2) if after is Class.ADVERB else after
        return Form.PARTICIPLE if after is Class.PREPOSITION else Form.FINITE


def verb_kinds(low: str) -> frozenset[str]:
    """Which forms of a verb a word may be; empty where it is none. Unknown words in -ed are past forms."""
    found = words.VERB_FORMS.get(low.removeprefix("re-").removeprefix("co-"))
    if found is not None:
        return found[1]
    if low.endswith("ed") and len(low) > 5 and low.isalpha() and not low.endswith(("eed", "red-")):
        return frozenset({"past", "part"})
    return frozenset()


def verb_lemma(low: str) -> str:
    """The verb that a form belongs to; the form itself where that is not known."""
    found = words.VERB_FORMS.get(low.removeprefix("re-").removeprefix("co-"))
    return found[0] if found is not None else low
