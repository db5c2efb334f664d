"""Shallow parsing of an English sentence: noun phrases, verb groups and what stands between them.

No tagger and no model: closed classes of words, known verb forms, endings, capitals and neighbours decide.
"""

from faithflow.graph import english_words as words
from faithflow.graph.english_grammar import Chunk, Form, Kind, Phrase, Verb
from faithflow.graph.english_tokens import VALUES, Class, Token, sentence_tokens
from faithflow.graph.english_verbs import TENSE, Reader, verb_kinds, verb_lemma


def chunks_of(sentence: str) -> list[Chunk]:
    """The chunks of a sentence, in order; adverbs and what nothing is known of are left out."""
    return _Chunker(sentence_tokens(sentence)).run()


_PHRASE_START = frozenset({Class.DETERMINER, Class.POSSESSIVE, Class.WORD, Class.REFERENCE, Class.QUOTE, *VALUES})
_SIMPLE = {
    Class.PRONOUN: Kind.PHRASE,
    Class.PREPOSITION: Kind.PREPOSITION,
    Class.CONJUNCTION: Kind.CONJUNCTION,
    Class.SUBORDINATOR: Kind.SUBORDINATOR,
    Class.COMMA: Kind.COMMA,
    Class.PARENTHESIS: Kind.PARENTHESIS,
    Class.MARK: Kind.BREAK,
}
_NAME_JOINTS = frozenset(
    {
        "for",
        "on",
        "and",
        "&",
        "de",
        "du",
        "des",
        "von",
        "van",
        "der",
        "den",
        "del",
        "la",
        "le",
        "el",
        "al",
        "y",
        "da",
        "dos",
        "bin",
    }
)
_PARTICLES = frozenset(
    {"de", "du", "des", "von", "van", "der", "den", "del", "la", "le", "el", "al", "y", "da", "dos", "bin", "&"}
)
_TITLED = words.ORGANISATIONS | words.PROGRAMMES | words.DOCUMENTS
_LONGEST_QUOTE = 60


class _Chunker:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._reader = Reader(tokens)
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
        if cls in TENSE or self._reader.is_infinitive(at) or (cls is Class.NEGATION and self._class(at + 1) in TENSE):
            return self._verb(at)
        if cls is Class.WORD and self._reader.is_verb(at):
            return self._verb(at)
        if cls in _PHRASE_START:
            return self._phrase_chunk(at)
        simple = _SIMPLE.get(cls)
        if simple is Kind.PHRASE:
            self._add(simple, at, at + 1, phrase=Phrase((token,)))
        elif simple is not None:
            self._add(simple, at, at + 1)
        return at + 1

    # ---- looking around

    def _class(self, at: int) -> Class | None:
        return self._reader.class_at(at)

    def _low(self, at: int) -> str:
        return self._reader.low(at)

    def _add(self, kind: Kind, first: int, end: int, phrase: Phrase | None = None, verb: Verb | None = None) -> None:
        start, stop = self._tokens[first].start, self._tokens[end - 1].end
        word = " ".join(token.low for token in self._tokens[first:end])
        if kind is Kind.PARENTHESIS:
            word = self._tokens[first].text[1:-1].strip()
        self._reader.kinds.append(kind)
        self._chunks.append(Chunk(kind, start, stop, word, phrase, verb))

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
        verbal = self._class(after) in TENSE or (
            self._class(after) is Class.WORD and bool(verb_kinds(self._low(after)))
        )
        if before in (Kind.PHRASE, Kind.COMMA, Kind.PARENTHESIS) and verbal:
            self._add(Kind.RELATIVE, at, at + 1)
            return at + 1
        if before is Kind.VERB:
            self._add(Kind.SUBORDINATOR, at, at + 1)
            return at + 1
        return self._phrase_chunk(at)

    # ---- verbs

    def _verb(self, at: int) -> int:
        first = at
        said: list[str] = []
        lemma, passive, form = "", False, Form.FINITE
        helper: Class | None = None
        today: Token | None = None
        if self._low(at) == "to":
            form, helper, at = Form.INFINITIVE, Class.MODAL, at + 1
        while at < len(self._tokens):
            token = self._tokens[at]
            if token.cls is Class.ADVERB:
                today = token if token.low == "today" else today
                at += 1
            elif token.low in ("each", "both", "all") and helper is not None and self._reader.completes(at + 1, helper):
                at += 1
            elif token.low == "to" and helper is Class.BE and not lemma and self._reader.is_infinitive(at):
                said += ["is", "to"]
                helper = Class.MODAL
                at += 1
            elif token.cls is Class.NEGATION:
                said.append("not" if token.low != "never" else "never")
                at += 1
            elif token.cls in TENSE and not lemma:
                if token.cls in (Class.MODAL, Class.DO):
                    said.append("can" if token.low == "cannot" else token.low)
                elif token.cls is Class.BE and helper is Class.MODAL:
                    said.append("be")
                elif token.cls is Class.HAVE and helper is Class.MODAL:
                    said.append("have")
                elif token.cls is Class.BE and said[-1:] == ["have"]:
                    said.append("been")
                helper = token.cls
                at += 1
            elif token.cls is Class.WORD and not lemma and (helper is None or self._reader.completes(at, helper)):
                lemma, kinds = verb_lemma(token.low), verb_kinds(token.low)
                said.append(token.low)
                passive = helper is Class.BE and "ing" not in kinds
                if helper is None and "base" in kinds and self._class(first - 1) is Class.CONJUNCTION:
                    said = [*self._reader.modal, *said]
                elif helper is None:
                    form = self._reader.bare_form(at, kinds)
                at += 1
            elif lemma and token.low == "to" and self._reader.is_infinitive(at):
                # "plans to disburse" is one relation, "is required to keep" too
                passive, lemma = False, ""
                said.append("to")
                helper = Class.MODAL
                at += 1
            else:
                break
        if not lemma:
            lemma = {Class.HAVE: "have", Class.DO: "do"}.get(helper or Class.BE, "be")
            if lemma == "have" and said[-1:] != ["have"]:
                said.append("have" if said else "has")
        if form is Form.FINITE:
            self._reader.modal = tuple(word for word in said[:-1] if word in words.MODALS or word == "not")
        # adverbs behind the group were not part of it
        self._add(Kind.VERB, first, max(at, first + 1), verb=Verb(tuple(said), lemma, form, passive, today))
        return max(at, first + 1)

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
                if token.cls is Class.QUOTE or (token.cls is Class.DATE and not (determiner and self._is_noun(at))):
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
        if (
            of is None
            and self._low(at) == "for"
            and tokens[-1].low in words.PERSON_ROLES
            and self._reader.is_capital(at + 1)
        ):
            of, at = self._portfolio(at + 1)
            return Phrase(tuple(tokens), determiner, owner, of, "for"), at
        return Phrase(tuple(tokens), determiner, owner, of), at

    def _portfolio(self, at: int) -> tuple[Phrase | None, int]:
        """What an office is for: "Industry and Shipyards", also "Home Affairs, Migration and Borders"."""
        first = at
        phrase, at = self._phrase(at)
        while (
            phrase is not None
            and self._class(at) in (Class.CONJUNCTION, Class.COMMA)
            and self._reader.is_capital(at + 1)
        ):
            _, end = self._phrase(at + 1)
            closed = any(token.cls is Class.CONJUNCTION for token in self._tokens[first:end])
            if self._class(end) in TENSE or (end < len(self._tokens) and self._reader.is_verb(end) and not closed):
                break
            if self._class(at) is Class.COMMA and self._class(end) is not Class.CONJUNCTION:
                break
            at = end
        return (None if phrase is None else Phrase(tuple(self._tokens[first:at]))), at

    def _is_noun(self, at: int) -> bool:
        """Whether a plain word follows that is no verb: "the December 2016 elections"."""
        return self._class(at) is Class.WORD and not self._tokens[at].capital and not self._reader.is_verb(at)

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
            return not tokens or not self._reader.is_verb(at)
        if token.low in _NAME_JOINTS and tokens and tokens[-1].capital and at + 1 < len(self._tokens):
            following = self._tokens[at + 1]
            following = (
                self._tokens[at + 2]
                if following.low in ("the", "der", "la", "den") and at + 2 < len(self._tokens)
                else following
            )
            if not following.capital or following.cls is not Class.WORD:
                return False
            return token.low in _PARTICLES or (token.low in ("for", "on") and bool({t.low for t in tokens} & _TITLED))
        if token.cls is Class.DETERMINER and tokens and tokens[-1].low in ("for", "on", "van", "de"):
            return True
        if token.cls is Class.ADVERB:
            return opened and not tokens and self._class(at + 1) is Class.WORD
        return False
