"""The names by which a corpus' documents can be cited, and where they stand in a text."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import polars as pl

from faithflow.corpus.citation_address import page_key

# one character for one, so that positions hold: the hyphens and blanks that typesetting models write in ids, and the
# line ends at which text of a fixed width breaks them
_PLAIN = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2212\ufe63\uff0d", "-") | dict.fromkeys("\n\u00a0\u2007\u2009\u202f", " ")
)

_STARTS = re.compile(r"(?<!\w)(?:[^\W\d_]+|\d+|_+|[^\w\s])")
_NUMBER = re.compile(r"\d+")
_JOINED = re.compile(r"[^\W_][-_./:#][^\W_]")
_TAIL = re.compile(r"\d\w{0,60}(?:[-/._]\w{0,30}\d\w{0,30}|[-_][A-Z]\w{0,30}){0,6}")


def plain(text: str) -> str:
    """The text with every hyphen as "-", every blank and line end as " ", character for character."""
    return text.translate(_PLAIN)


@dataclass(frozen=True, slots=True)
class Citable:
    """A document as an answer may cite it: by `reference` or by `source_url`. `passage_id` is its first passage."""

    reference: str
    title: str
    source_url: str
    passage_id: str


@dataclass(frozen=True, slots=True)
class Named:
    """An id in a text. `reference` is the corpus' own, None for an id made like the corpus' that it does not hold."""

    start: int
    end: int
    reference: str | None


class Vocabulary:
    """The references and addresses of one corpus; of two documents with one reference the first given counts.

    In running text a reference is found only where it is an id: it has a digit, or is joined by one of - _ . / : #,
    and is not merely its document's title (paragraphs are often named by their titles, and "Boeing 747" in a sentence
    cites nothing). An id whose title is the id itself counts where its prefix is that of another reference too. What
    is no id is cited in brackets alone.

    A prefix is what stands before one of an id's numbers ("SRD-", "IP/", "IP/26/"), if it holds a letter and ends in
    a mark, or has two characters or more and a capital among them.
    """

    def __init__(self, citables: Iterable[Citable]) -> None:
        known: dict[str, Citable] = {}
        self._pages: dict[str, str] = {}
        for citable in citables:
            known.setdefault(plain(citable.reference), citable)
            key = page_key(citable.source_url)
            if key is not None:
                self._pages.setdefault(key, citable.passage_id)
        self._references = {name: citable.reference for name, citable in known.items() if name.strip()}
        self._passages = {citable.reference: citable.passage_id for citable in known.values()}
        self._folded = {
            name.casefold(): reference for name, reference in sorted(self._references.items(), reverse=True)
        }
        shared = Counter(prefix for name in self._references for prefix in _prefixes(name))
        ids = [name for name, citable in known.items() if _is_id(name, plain(citable.title), shared)]
        self._ids = _Names(ids)
        self._prefixes = _Names({prefix for name in ids for prefix in _prefixes(name)})
        self._stems = {" ".join(words[:n]) for words in (name.split(" ") for name in ids) for n in range(1, len(words))}
        self._marks = frozenset(mark for name in ids for mark in name if not mark.isalnum() and not mark.isspace())

    def passage_of(self, reference: str) -> str | None:
        """The first passage of the document with exactly this reference."""
        return self._passages.get(reference)

    def passage_at(self, key: str) -> str | None:
        """The first passage of the document whose address has this `page_key`."""
        return self._pages.get(key)

    def folded(self, name: str) -> str | None:
        """The reference that is written so but for case, hyphens and blanks."""
        return self._folded.get(plain(name).casefold())

    def is_made_up(self, name: str) -> bool:
        """Whether this is, from end to end, an id made like the corpus' that it does not hold."""
        return [*self.ids_in(name)] == [Named(0, len(name), None)]

    def ids_in(self, text: str) -> Iterator[Named]:
        """The ids in a text, longest first, disjoint and in order; case as the corpus has it.

        No id lies inside a longer one: "SRD-12" is neither in "SRD-120" nor in "X-SRD-12", nor in "SRD-12-3" where the
        corpus' ids have hyphens; "SRD-12-based" holds it. A word that begins with a prefix of the corpus and goes on
        with a number, and that the corpus does not hold, is an id that was made up.
        """
        text, end = plain(text), 0
        for match in _STARTS.finditer(text):
            start = match.start()
            if start < end or (start > 1 and text[start - 1] == "-" and text[start - 2].isalnum()):
                continue
            found = self._at(text, start, match[0])
            if found is not None:
                end = found.end
                yield found

    def _at(self, text: str, start: int, first: str) -> Named | None:
        for name in self._ids.at(text, start, first):
            if self._ends(text, start + len(name)):
                return Named(start, start + len(name), self._references[name])
        for prefix in self._prefixes.at(text, start, first):
            tail = _TAIL.match(text, start + len(prefix))
            if tail is not None:
                return None if text[start : tail.end()] in self._stems else Named(start, tail.end(), None)
        return None

    def _ends(self, text: str, end: int) -> bool:
        """Whether an id may end here: no letter or digit follows, nor a mark that goes on with the id."""
        after = text[end : end + 2]
        if not after:
            return True
        if after[0].isalnum() or after[0] == "_":
            return not text[end - 1].isalnum()
        goes_on = after[1:].isdigit() or (after[0] in "-_" and after[1:].isupper())
        return not (goes_on and after[0] in self._marks)


def vocabulary_of(documents: pl.DataFrame, passages: pl.DataFrame) -> Vocabulary:
    """The vocabulary of the tables `documents` and `passages`; of documents with one reference the newest counts."""
    first = passages.sort("position", "passage_id").group_by("document_id", maintain_order=True).first()
    rows = (
        documents.join(first.select("document_id", "passage_id"), on="document_id")
        .with_columns(pl.col("source_url").fill_null(""))
        .sort("reference", "date", "document_id", descending=[False, True, False], nulls_last=True)
        .select("reference", "title", "source_url", "passage_id")
    )
    return Vocabulary(Citable(*row) for row in rows.iter_rows())


class _Names:
    """Strings that are looked up at a place of a text by their first run of letters or digits, longest first."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        lengths: dict[str, set[int]] = {}
        for name in self._names:
            match = _STARTS.match(name)
            if match is not None:
                lengths.setdefault(match[0], set()).add(len(name))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}

    def at(self, text: str, start: int, first: str) -> Iterator[str]:
        for length in self._lengths.get(first, ()):
            name = text[start : start + length]
            if name in self._names:
                yield name


def _is_id(name: str, title: str, shared: Counter[str]) -> bool:
    has_digit = any(map(str.isdigit, name))
    if not has_digit and (" " in name or not _JOINED.search(name)):
        return False
    if not title or not name.casefold().startswith(title.casefold()):
        return True
    return " " not in name and any(shared[prefix] > 1 for prefix in _prefixes(name))


def _prefixes(name: str) -> list[str]:
    """What stands before each number of an id, where that can be told from a word."""
    starts = [name[: match.start()] for match in _NUMBER.finditer(name)]
    return [start for start in starts if _tells(start)]


def _tells(prefix: str) -> bool:
    if not any(map(str.isalpha, prefix)):
        return False
    return not prefix[-1].isalnum() or (len(prefix) > 1 and not prefix.islower())
