"""From the chunks of a sentence to its clauses: each verb with its subjects, objects and prepositional phrases."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithflow.graph.english_grammar import Chunk, Form, Kind, Phrase, Verb
from faithflow.graph.english_tokens import VALUES, Class
from faithflow.graph.english_words import ROLES

Attached = tuple[str, tuple[Phrase, ...]]
"""A preposition (one word or two) and what follows it."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb with what belongs to it. `owner` is whose the subject is, where a relative "whose" says so; `leading`
    are the prepositional phrases before the subject."""

    verb: Verb
    subjects: tuple[Phrase, ...]
    objects: tuple[Phrase, ...]
    attached: tuple[Attached, ...]
    leading: tuple[Attached, ...]
    owner: Phrase | None
    start: int
    end: int


def is_value(phrase: Phrase) -> bool:
    """Whether a phrase is a number, amount or date, alone or with what it counts."""
    first = phrase.tokens[0].cls
    return first in VALUES and not (first is Class.DATE and len(phrase.tokens) > 1)


def clauses_of(chunks: Sequence[Chunk]) -> list[Clause]:
    """The clauses, in the order of their verbs; a verb whose subject is not found makes none."""
    return _Clauses([chunk for chunk in chunks if chunk.kind is not Kind.PARENTHESIS]).run()


# After these a phrase may be the subject of a clause of its own: "until new elections were held".
_TIME_WORDS = frozenset({"until", "till", "since", "before", "after", "as", "than"})

# What follows "as" behind these, or is their object, is what their subject is.
_NAMING = frozenset({"become", "serve", "elect", "re-elect", "appoint", "name", "nominate", "act", "work", "know"})


class _Clauses:
    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        self._main: tuple[Phrase, ...] = ()
        self._last: tuple[Phrase, ...] = ()
        # what a copula says of its subject stands for that subject: "X is a bank that was founded"
        self._complements: dict[int, tuple[Phrase, ...]] = {}
        self._waiting: list[tuple[int, Verb]] = []
        self._found: list[Clause] = []

    def run(self) -> list[Clause]:
        self._note_appositions()
        for at, chunk in enumerate(self._chunks):
            if chunk.kind is Kind.BREAK and chunk.word in (";", ".", "!", "?"):
                self._main, self._last = (), ()
            if chunk.verb is not None:
                self._clause(at, chunk.verb)
        self._found.sort(key=lambda clause: clause.start)
        return self._found

    def _note_appositions(self) -> None:
        """ "Chinabank, a company that …": what is said of the company is said of the bank."""
        for at in range(2, len(self._chunks)):
            phrase, name = self._phrase(at), self._phrase(at - 2)
            if phrase is None or name is None or self._kind(at - 1) is not Kind.COMMA:
                continue
            if phrase.determiner in ("a", "an") and name.head.capital:
                self._complements[id(phrase)] = (name,)

    def _clause(self, at: int, verb: Verb) -> None:
        if verb.form is Form.INFINITIVE:
            return
        if verb.form in (Form.PARTICIPLE, Form.ING) and not self._before(at):
            self._waiting.append((at, verb))
            return
        subjects, owner, extra, first = self._subjects(at, verb)
        if not subjects:
            return
        self._last = subjects if owner is None else (owner,)
        relative = Kind.RELATIVE in (self._kind(at - 1), self._kind(first - 1))
        if owner is not None and not self._verb_before(first):
            self._main = self._main or (owner,)
        if verb.form is Form.FINITE and not relative:
            self._main = self._main or subjects
            for waited, other in self._waiting:
                self._emit(waited, other, subjects, None, (), waited)
            self._waiting.clear()
        self._emit(at, verb, subjects, owner, extra, first)

    def _emit(
        self,
        at: int,
        verb: Verb,
        subjects: tuple[Phrase, ...],
        owner: Phrase | None,
        extra: tuple[Phrase, ...],
        first: int,
    ) -> None:
        end = self._end(at)
        objects, attached, stop = self._right(at + 1, end)
        naming = verb.lemma.removeprefix("re-") in _NAMING
        said = objects if verb.lemma == "be" or naming else ()
        said += tuple(phrase for word, phrases in attached for phrase in phrases if word == "as" and naming)
        for complement in said:
            if not complement.head.capital or complement.head.low in ROLES:
                self._complements[id(complement)] = subjects
        leading = self._leading(first)
        start = min(self._chunks[at].start, *(phrase.start for phrase in subjects))
        self._found.append(
            Clause(
                verb,
                subjects,
                (*objects, *extra),
                attached,
                leading,
                owner,
                start,
                max(self._chunks[max(stop - 1, at)].end, *(phrase.end for phrase in subjects)),
            )
        )

    # ---- looking around

    def _kind(self, at: int) -> Kind | None:
        return self._chunks[at].kind if 0 <= at < len(self._chunks) else None

    def _phrase(self, at: int) -> Phrase | None:
        return self._chunks[at].phrase if 0 <= at < len(self._chunks) else None

    def _before(self, at: int) -> bool:
        """Whether a phrase that may be a subject stands before a verb in its sentence."""
        for back in range(at - 1, -1, -1):
            if self._kind(back) is Kind.PHRASE and self._kind(back - 1) is not Kind.PREPOSITION:
                return True
            if self._kind(back) is Kind.BREAK:
                return False
        return False

    # ---- to the left

    def _subjects(self, at: int, verb: Verb) -> tuple[tuple[Phrase, ...], Phrase | None, tuple[Phrase, ...], int]:
        """Subjects, the owner that "whose" names, further objects (of "which X adopted"), and the index of the first
        chunk of the subject."""
        before = self._kind(at - 1)
        if before is Kind.RELATIVE:
            return self._antecedent(at - 1), None, (), at
        if before is Kind.CONJUNCTION:
            return self._last or self._main, None, (), at
        if before is Kind.COMMA:
            if verb.form is Form.FINITE:
                return self._main or self._first(at), None, (), at
            return self._last or self._nearest(at - 1), None, (), at
        if before is not Kind.PHRASE:
            return (self._main if verb.form is not Form.FINITE else ()), None, (), at
        if verb.form is Form.PARTICIPLE or (verb.form is Form.ING and self._last):
            if verb.form is Form.ING:
                return self._last, None, (), at
            return self._nearest(at), None, (), at
        first = self._chain(at - 1)
        phrase = self._phrase(first)
        assert phrase is not None
        if phrase.tokens[0].cls is Class.DATE or self._kind(first - 1) is Kind.PREPOSITION:
            # "Towns in which … since 2020 may ask": the verb goes on about what the sentence began with
            return (self._main if phrase.tokens[0].cls is Class.DATE else ()), None, (), at
        if self._kind(first - 1) is Kind.RELATIVE:
            if self._kind(first - 2) is Kind.PREPOSITION:
                return (phrase,), None, (), first
            antecedent = self._antecedent(first - 1)
            if self._chunks[first - 1].word == "whose":
                return (phrase,), (antecedent[0] if antecedent else None), (), first
            return (phrase,), None, antecedent, first
        if self._kind(first - 1) is Kind.VERB and self._kind(first - 2) is Kind.RELATIVE:
            # "yards that close a dock must …": the verb goes on about the yards
            return self._antecedent(first - 2), None, (), at
        other = self._phrase(first - 2)
        joined = self._kind(first - 1) is Kind.CONJUNCTION and self._kind(first - 3) is not Kind.PREPOSITION
        if joined and other is not None and not self._verb_before(first):
            return (other, phrase), None, (), first - 2
        return (phrase,), None, (), first

    def _chain(self, at: int) -> int:
        """The index of the phrase that a run "X in Y at Z" begins with."""
        while self._kind(at - 1) is Kind.PREPOSITION and self._chunks[at - 1].word not in _TIME_WORDS:
            before = at - 2
            verb = self._chunks[before].verb if before >= 0 else None
            if verb is not None and verb.form is Form.PARTICIPLE:
                # "X, founded in Y, …" and "X located in Y …"
                before -= 2 if self._kind(before - 1) is Kind.COMMA else 1
            if self._kind(before) is not Kind.PHRASE:
                break
            at = before
        return at

    def _verb_before(self, at: int) -> bool:
        for back in range(at - 1, -1, -1):
            if self._kind(back) in (Kind.BREAK, Kind.SUBORDINATOR):
                return False
            if self._kind(back) is Kind.VERB:
                return True
        return False

    def _first(self, at: int) -> tuple[Phrase, ...]:
        """The first phrase since the last break that no preposition governs."""
        found: tuple[Phrase, ...] = ()
        for back in range(at - 1, -1, -1):
            if self._kind(back) in (Kind.BREAK, Kind.SUBORDINATOR):
                break
            phrase = self._phrase(back)
            if phrase is not None and self._kind(back - 1) is not Kind.PREPOSITION:
                found = (phrase,)
        return found

    def _nearest(self, at: int) -> tuple[Phrase, ...]:
        """What a participle, or a relative, speaks of: the nearest phrase that is no value; the subject of the copula
        where that phrase says what the subject is."""
        for back in range(at - 1, max(-1, at - 6), -1):
            phrase = self._phrase(back)
            if phrase is not None:
                if phrase.tokens[0].cls in VALUES or phrase.head.cls is Class.PRONOUN:
                    if back > 0 and self._chunks[back - 1].word == "with":
                        continue
                    # "two ferries that …" are what is spoken of, an amount alone is not
                    return (phrase,) if is_value(phrase) and phrase.head.cls is Class.WORD else ()
                return self._complements.get(id(phrase), (phrase,))
            if self._kind(back) in (Kind.VERB, Kind.BREAK):
                break
        return ()

    def _antecedent(self, at: int) -> tuple[Phrase, ...]:
        before = self._phrase(at - 2 if self._kind(at - 1) is Kind.COMMA else at - 1)
        if before is not None and before.of is not None and self._chunks[at].word in ("which", "whose"):
            # "the director of X, which …" goes on about X; "who" about the director
            inner = before
            while inner.of is not None and (not inner.head.capital or inner.head.low in ROLES):
                inner = inner.of
            if inner is not before and inner.head.capital:
                return (inner,)
        return self._nearest(at)

    def _leading(self, first: int) -> tuple[Attached, ...]:
        """The prepositional phrases between the clause's beginning and its subject ("In 2001, X …")."""
        start = first
        while start > 0 and self._kind(start - 1) in (Kind.PHRASE, Kind.PREPOSITION, Kind.COMMA):
            start -= 1
        if start > 0 and self._kind(start - 1) not in (Kind.BREAK, Kind.SUBORDINATOR, Kind.CONJUNCTION):
            return ()
        return self._right(start, first)[1] if self._kind(start) is Kind.PREPOSITION else ()

    # ---- to the right

    def _end(self, at: int) -> int:
        """Where what belongs to a verb ends: before the next verb's own subject, or a relative, or a break."""
        for end in range(at + 1, len(self._chunks)):
            kind = self._kind(end)
            if kind in (Kind.RELATIVE, Kind.SUBORDINATOR, Kind.BREAK):
                return end
            verb = self._chunks[end].verb
            if verb is None:
                continue
            if verb.form is not Form.FINITE or self._kind(end - 1) is not Kind.PHRASE:
                return end
            first = self._chain(end - 1)
            while first > at + 1 and self._kind(first - 1) in (Kind.COMMA, Kind.CONJUNCTION):
                first -= 1
            return max(first, at + 1)
        return len(self._chunks)

    def _right(self, at: int, end: int) -> tuple[tuple[Phrase, ...], tuple[Attached, ...], int]:
        objects: tuple[Phrase, ...] = ()
        attached: list[Attached] = []
        stop = at
        if at < end and self._kind(at) is Kind.PHRASE:
            objects, at = self._listed(at, end, places=False)
            stop = at
        while at < end:
            if self._kind(at) is Kind.PREPOSITION:
                word = self._chunks[at].word
                at += 1
                while at < end and self._kind(at) is Kind.PREPOSITION:
                    word += f" {self._chunks[at].word}"
                    at += 1
                if at < end and self._kind(at) is Kind.PHRASE:
                    phrases, at = self._listed(at, end, places=word in ("in", "at", "near", "to", "from"))
                    attached.append((word, phrases))
                    stop = at
            else:
                at += 1
        return objects, tuple(attached), stop

    def _listed(self, at: int, end: int, *, places: bool) -> tuple[tuple[Phrase, ...], int]:
        """A phrase, or a list of them: with a conjunction before its last, or of names of places one in the other."""
        phrase = self._phrase(at)
        assert phrase is not None
        found, commas = [phrase], [phrase]
        last = at + 1
        while at + 2 < end + 1:
            joint, following = self._kind(at + 1), self._phrase(at + 2)
            if joint is Kind.COMMA and self._kind(at + 2) is Kind.CONJUNCTION:
                joint, following, at = Kind.CONJUNCTION, self._phrase(at + 3), at + 1
            if following is None or at + 2 >= end or joint not in (Kind.COMMA, Kind.CONJUNCTION):
                break
            if joint is Kind.CONJUNCTION:
                return (*commas, following), at + 3
            commas.append(following)
            if (
                places
                and phrase.head.cls is not Class.DATE
                and following.head.capital
                and not following.determiner
                and following.of is None
            ):
                found.append(following)
                last = at + 3
            at += 2
        return tuple(found), last
