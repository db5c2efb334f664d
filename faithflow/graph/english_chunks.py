"""Shallow parsing of an English sentence: noun phrases, verb groups and what stands between them.

No tagger and no model: closed classes of words, known verb forms, endings, capitals and neighbours decide.
"""

from dataclasses import dataclass
from enum import StrEnum

from faithflow.graph import english_words as words
from faithflow.graph.english_tokens import VALUES, Class, Token, sentence_tokens


class Kind(StrEnum):
    PHRASE = "phrase"
    VERB = "verb"
    PREPOSITION = "preposition"
    CONJUNCTION = "conjunction"
    COMMA = "comma"
    RELATIVE = "relative"
    SUBORDINATOR = "subordinator"
    PARENTHESIS = "parenthesis"
    BREAK = "break"


class Form(StrEnum):
    """How a verb group stands to its subject."""

    FINITE = "finite"
    PARTICIPLE = "participle"
    ING = "ing"
    INFINITIVE = "infinitive"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase. `tokens` are those of its head part, determiner left out; `owner` is whose it is ("its", "X's"),
    `of` the phrase that follows "of"; `determiner` its first word where that is one, or ""."""

    tokens: tuple[Token, ...]
    determiner: str = ""
    owner: "Phrase | None" = None
    of: "Phrase | None" = None

    @property
    def head(self) -> Token:
        return self.tokens[-1]

    @property
    def start(self) -> int:
        return self.owner.start if self.owner else self.tokens[0].start

    @property
    def end(self) -> int:
        return self.of.end if self.of else self.head.end


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb group: the words that make its relation (auxiliaries that only mark tense left out), its main verb's
    lemma ("be" and "have" included), and whether it is passive."""

    relation: tuple[str, ...]
    lemma: str
    form: Form
    passive: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    kind: Kind
    start: int
    end: int
    word: str = ""
    phrase: Phrase | None = None
    verb: Verb | None = None


def chunks_of(sentence: str) -> list[Chunk]:
    """The chunks of a sentence, in order; adverbs and what nothing is known of are left out."""
    return _Chunker(sentence_tokens(sentence)).run()


_PHRASE_START = frozenset({Class.DETERMINER, Class.POSSESSIVE, Class.WORD, Class.REFERENCE, Class.QUOTE, *VALUES})
_TENSE = frozenset({Class.BE, Class.HAVE, Class.DO, Class.MODAL})
_NAME_JOINTS = frozenset({"for", "on", "and", "&", "de", "du", "des", "von", "van", "der", "den", "del", "la", "le", "el", "al", "y", "da", "dos", "bin"})
_PARTICLES = frozenset({"de", "du", "des", "von", "van", "der", "den", "del", "la", "le", "el", "al", "y", "da", "dos", "bin", "&"})
_TITLED = words.ORGANISATIONS | words.PROGRAMMES | words.DOCUMENTS
_LONGEST_QUOTE = 60


class _Chunker:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._chunks: list[Chunk] = []

    def run(self) -> list[Chunk]:
        at = 0
        while at < len(self._tokens):
            at = self._next(at)
        return self._chunks

    def _next(self, at: int) -> int:
        token = self._tokens[at]
        cls = token.cls
        if cls is Class.RELATIVE or (token.low == "whose" and cls is Class.POSSESSIVE):
            return self._relative(at)
        if cls in _TENSE or self._is_infinitive(at) or (cls is Class.NEGATION and self._class(at + 1) in _TENSE):
            return self._verb(at)
        if cls is Class.WORD and self._is_verb(at):
            return self._verb(at)
        if cls in _PHRASE_START:
            return self._phrase_chunk(at)
        simple = {
            Class.PRONOUN: Kind.PHRASE,
            Class.PREPOSITION: Kind.PREPOSITION,
            Class.CONJUNCTION: Kind.CONJUNCTION,
            Class.SUBORDINATOR: Kind.SUBORDINATOR,
            Class.COMMA: Kind.COMMA,
            Class.PARENTHESIS: Kind.PARENTHESIS,
            Class.MARK: Kind.BREAK,
        }.get(cls)
        if simple is Kind.PHRASE:
            self._add(simple, at, at + 1, phrase=Phrase((token,)))
        elif simple is not None:
            self._add(simple, at, at + 1)
        return at + 1

    # ---- looking around

    def _class(self, at: int) -> Class | None:
        return self._tokens[at].cls if 0 <= at < len(self._tokens) else None

    def _low(self, at: int) -> str:
        return self._tokens[at].low if 0 <= at < len(self._tokens) else ""

    def _add(self, kind: Kind, first: int, end: int, phrase: Phrase | None = None, verb: Verb | None = None) -> None:
        start, stop = self._tokens[first].start, self._tokens[end - 1].end
        word = " ".join(token.low for token in self._tokens[first:end])
        if kind is Kind.PARENTHESIS:
            word = self._tokens[first].text[1:-1].strip()
        self._chunks.append(Chunk(kind, start, stop, word, phrase, verb))

    def _is_infinitive(self, at: int) -> bool:
        after = at + 2 if self._class(at + 1) is Class.ADVERB else at + 1
        if self._low(at) != "to" or after >= len(self._tokens) or self._tokens[after].capital:
            return False
        low = self._low(after)
        return low in ("be", "have") or "base" in _kinds(low)

    # ---- relatives

    def _relative(self, at: int) -> int:
        token = self._tokens[at]
        if token.low == "whose":
            self._add(Kind.RELATIVE, at, at + 1)
            return at + 1
        if token.low != "that":
            self._add(Kind.RELATIVE, at, at + 1)
            return at + 1
        before = self._chunks[-1].kind if self._chunks else None
        after = at + 2 if self._class(at + 1) is Class.ADVERB else at + 1
        verbal = self._class(after) in _TENSE or (self._class(after) is Class.WORD and bool(_kinds(self._low(after))))
        if before in (Kind.PHRASE, Kind.COMMA, Kind.PARENTHESIS) and verbal:
            self._add(Kind.RELATIVE, at, at + 1)
            return at + 1
        if before is Kind.VERB:
            self._add(Kind.SUBORDINATOR, at, at + 1)
            return at + 1
        return self._phrase_chunk(at)

    # ---- verbs

    def _is_verb(self, at: int) -> bool:
        """Whether a word that no auxiliary announces is the verb of its clause."""
        token = self._tokens[at]
        if token.capital and at > 0:
            return False
        kinds = _kinds(token.low)
        if not kinds:
            return False
        before, after = self._class(at - 1), self._class(at + 1)
        if before in (Class.DETERMINER, Class.POSSESSIVE, Class.GENITIVE) or before in VALUES - {Class.DATE}:
            return False
        if before is Class.ADVERB and self._class(at - 2) in (Class.DETERMINER, Class.POSSESSIVE):
            return False
        opens = self._opens_object(at + 1)
        if before is Class.PREPOSITION:
            return kinds == {"ing"} and token.low not in words.ING_NOUNS and opens
        if "ing" in kinds:
            starts = at == 0 or before in (Class.COMMA, Class.CONJUNCTION)
            adverbial = before is Class.ADVERB
            usual = token.low not in words.ING_NOUNS and (after is Class.WORD or opens or after is Class.PREPOSITION)
            return usual and (starts or adverbial or (before is Class.WORD and bool(self._chunks)) or before is Class.DATE)
        behind_noun = before in (Class.WORD, Class.RELATIVE, Class.PRONOUN, Class.ADVERB, Class.PARENTHESIS, Class.REFERENCE)
        behind_noun = behind_noun or before in (Class.COMMA, Class.CONJUNCTION, Class.DATE, Class.QUOTE)
        if at == 0:
            return bool(kinds & {"part"}) and after is Class.PREPOSITION
        if not behind_noun:
            return False
        if token.low in words.NOUN_AND_VERB:
            if before in (Class.COMMA, Class.CONJUNCTION, Class.ADVERB):
                return opens and bool(kinds & {"s", "past"})
            if before in (Class.RELATIVE, Class.PRONOUN):
                return True
            plural = before is Class.WORD and self._low(at - 1).endswith("s")
            if "s" in kinds and not plural and after is Class.WORD and self._low(at + 1).endswith("s"):
                return True
            fits = "s" in kinds or "past" in kinds or plural
            return fits and (opens or self._low(at + 1) == "to" and self._is_infinitive(at + 1))
        if kinds & {"s"}:
            return True
        if kinds & {"past", "part"}:
            adjectival = before is Class.ADVERB and after is Class.WORD and self._class(at - 2) is not Class.WORD
            listed = before in (Class.COMMA, Class.CONJUNCTION) and after is Class.WORD and not self._tokens[at + 1].capital
            return not (adjectival or listed)
        plural = before is Class.WORD and self._low(at - 1).endswith("s")
        return plural or before is Class.RELATIVE or (before is Class.PRONOUN and self._low(at - 1) in ("they", "we", "you"))

    def _opens_object(self, at: int) -> bool:
        """Whether a token begins an object for sure: a determiner, a value, a name."""
        if at >= len(self._tokens):
            return False
        token = self._tokens[at]
        surely = token.cls in (Class.DETERMINER, Class.POSSESSIVE, Class.REFERENCE, Class.QUOTE) or token.cls in VALUES
        return surely or (token.cls is Class.WORD and token.capital) or token.low == "that"

    def _verb(self, at: int) -> int:
        first = at
        said: list[str] = []
        lemma, passive, form = "", False, Form.FINITE
        helper: Class | None = None
        if self._low(at) == "to":
            form, helper, at = Form.INFINITIVE, Class.MODAL, at + 1
        while at < len(self._tokens):
            token = self._tokens[at]
            if token.cls is Class.ADVERB:
                at += 1
            elif token.cls is Class.NEGATION:
                said.append("not" if token.low != "never" else "never")
                at += 1
            elif token.cls in _TENSE and not lemma:
                if token.cls in (Class.MODAL, Class.DO):
                    said.append("can" if token.low == "cannot" else token.low)
                elif token.cls is Class.BE and helper is Class.MODAL:
                    said.append("be")
                helper = token.cls
                at += 1
            elif token.cls is Class.WORD and not lemma and (helper is None or self._completes(at, helper)):
                lemma, kinds = _lemma(token.low), _kinds(token.low)
                said.append(token.low)
                passive = helper is Class.BE and "ing" not in kinds
                if helper is None:
                    form = self._bare_form(at, kinds)
                at += 1
            elif lemma and token.low == "to" and self._is_infinitive(at):
                # "plans to disburse" is one relation, "is required to keep" too
                passive, lemma = False, ""
                said.append("to")
                helper = Class.MODAL
                at += 1
            else:
                break
        if not lemma:
            lemma = {Class.HAVE: "have", Class.DO: "do"}.get(helper or Class.BE, "be")
            if lemma == "have":
                said.append("has")
        # adverbs behind the group were not part of it
        self._add(Kind.VERB, first, max(at, first + 1), verb=Verb(tuple(said), lemma, form, passive))
        return max(at, first + 1)

    def _completes(self, at: int, helper: Class) -> bool:
        token = self._tokens[at]
        if token.capital:
            return False
        kinds = _kinds(token.low)
        if helper in (Class.MODAL, Class.DO):
            return "base" in kinds
        if helper is Class.BE:
            gerund = "ing" in kinds and token.low not in words.ING_NOUNS
            adjectival = self._class(at + 1) is Class.WORD and not self._tokens[at + 1].capital
            return gerund or ("part" in kinds and not (adjectival and token.low not in ("given", "named", "called", "elected", "renamed", "appointed")))
        return "part" in kinds

    def _bare_form(self, at: int, kinds: frozenset[str]) -> Form:
        if "ing" in kinds:
            return Form.ING
        if "part" not in kinds:
            return Form.FINITE
        before, after = self._class(at - 1), self._class(at + 1)
        if at == 0 or "past" not in kinds:
            return Form.PARTICIPLE
        if before in (Class.RELATIVE, Class.PRONOUN):
            return Form.FINITE
        # "founded in 1998", "adopted by X" without an auxiliary: what it says is said of the phrase before it
        after = self._class(at + 2) if after is Class.ADVERB else after
        return Form.PARTICIPLE if after is Class.PREPOSITION else Form.FINITE

    # ---- phrases

    def _phrase_chunk(self, at: int) -> int:
        phrase, end = self._phrase(at)
        if phrase is None:
            return max(end, at + 1)
        self._add(Kind.PHRASE, at, end, phrase=phrase)
        return end

    def _phrase(self, at: int) -> tuple[Phrase | None, int]:
        first, determiner, owner = at, "", None
        if self._class(at) is Class.POSSESSIVE:
            owner, at = Phrase((self._tokens[at],)), at + 1
        while self._class(at) in (Class.DETERMINER, Class.RELATIVE) and not (at > first and self._low(at) == "that"):
            determiner = determiner or self._low(at)
            at += 1
        tokens: list[Token] = []
        while at < len(self._tokens):
            token = self._tokens[at]
            if token.cls is Class.GENITIVE and tokens:
                owner, tokens = Phrase(tuple(tokens), determiner, owner), []
                at += 1
            elif self._belongs(at, tokens, bool(determiner or owner)):
                tokens.append(token)
                at += 1
                if token.cls in (Class.DATE, Class.QUOTE) and len(tokens) == 1:
                    break
            else:
                break
        if not tokens:
            if owner is None or owner.tokens[0].cls is Class.POSSESSIVE:
                return None, at
            return owner, at
        of: Phrase | None = None
        if self._low(at) == "of" and tokens[-1].cls is not Class.DATE and self._class(at + 1) in _PHRASE_START:
            of, end = self._phrase(at + 1)
            at = end if of is not None else at
        return Phrase(tuple(tokens), determiner, owner, of), at

    def _belongs(self, at: int, tokens: list[Token], opened: bool) -> bool:
        token = self._tokens[at]
        if token.cls is Class.DATE:
            # "Horizon 2020"
            return not tokens or (tokens[-1].capital and tokens[-1].cls is Class.WORD and token.text.isdigit())
        if token.cls is Class.QUOTE:
            return not tokens and len(token.text) <= _LONGEST_QUOTE
        if token.cls in VALUES:
            return not tokens or tokens[-1].cls in (Class.WORD, Class.ADVERB)
        if token.cls is Class.REFERENCE:
            return True
        if token.cls is Class.WORD:
            return not tokens or not self._is_verb(at)
        if token.low in _NAME_JOINTS and tokens and tokens[-1].capital and at + 1 < len(self._tokens):
            following = self._tokens[at + 1]
            following = self._tokens[at + 2] if following.low in ("the", "der", "la", "den") and at + 2 < len(self._tokens) else following
            if not following.capital or following.cls is not Class.WORD:
                return False
            return token.low in _PARTICLES or (token.low in ("for", "on") and bool({t.low for t in tokens} & _TITLED))
        if token.cls is Class.DETERMINER and tokens and tokens[-1].low in ("for", "on", "van", "de"):
            return True
        if token.cls is Class.ADVERB:
            return opened and not tokens and self._class(at + 1) is Class.WORD
        return False


def _kinds(low: str) -> frozenset[str]:
    found = words.VERB_FORMS.get(low.removeprefix("re-").removeprefix("co-"))
    if found is not None:
        return found[1]
    if low.endswith("ed") and len(low) > 5 and low.isalpha() and not low.endswith(("eed", "red-")):
        return frozenset({"past", "part"})
    return frozenset()


def _lemma(low: str) -> str:
    found = words.VERB_FORMS.get(low.removeprefix("re-").removeprefix("co-"))
    return found[0] if found is not None else low
