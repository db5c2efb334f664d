"""The records of a shallow parse: phrases, verb groups, and the chunks that a sentence is cut into."""

from dataclasses import dataclass
from enum import StrEnum

from faithflow.graph.english_tokens import Token


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
    `of` the phrase that follows "of" (or, after an office, "for": `joint`); `determiner` its first word where that is
    one, or ""."""

    tokens: tuple[Token, ...]
    determiner: str = ""
    owner: "Phrase | None" = None
    of: "Phrase | None" = None
    joint: str = "of"

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
    lemma ("be" and "have" included), whether it is passive, and the word "today" where it stands within."""

    relation: tuple[str, ...]
    lemma: str
    form: Form
    passive: bool = False
    today: Token | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    kind: Kind
    start: int
    end: int
    word: str = ""
    phrase: Phrase | None = None
    verb: Verb | None = None
