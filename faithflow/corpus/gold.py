"""Where questions' answers stand: gold by reference and quote, resolved to passages."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate

from faithflow.corpus.document import Document, Gold, Passage, Question
from faithflow.errors import CorpusError
from faithflow.text.languages import guess_language

_WORD = re.compile(r"\w+")
_UNBROKEN = re.compile(r"\S+")


class GoldFinder:
    """Finds the passages of gold in one corpus' documents; `passages` are those of every kept document."""

    def __init__(
        self,
        corpus: str,
        documents: Sequence[Document],
        kept: Mapping[str, Document],
        passages: Mapping[str, Sequence[Passage]],
    ) -> None:
        self._corpus = corpus
        self._kept = kept
        self._passages = passages
        self._superseded = {document.supersedes for document in documents if document.supersedes}
        self._by_reference: defaultdict[str, list[Document]] = defaultdict(list)
        for document in documents:
            self._by_reference[document.reference].append(document)

    def passage_ids(self, question: Question) -> list[str] | None:
        """The ids of the question's gold passages, each once; None where nobody said where the answer stands.

        Of a document in several languages the question's own counts, where there is one, and of its versions the
        newest that holds the quote. A duplicate's gold is that of the document kept in its place.
        Raises CorpusError, naming the question, where a reference is unknown or a quote stands nowhere.
        """
        if question.gold is None:
            return None
        found: dict[str, None] = {}
        for gold in question.gold:
            found |= dict.fromkeys(passage.passage_id for passage in self._of(question, gold))
        return list(found)

    def _of(self, question: Question, gold: Gold) -> list[Passage]:
        documents = self._by_reference.get(gold.reference, [])
        if not documents:
            raise CorpusError(
                f"{_named(question, self._corpus)}: the corpus has no document {gold.reference!r}; "
                "mend the reference in its gold"
            )
        for candidates in self._candidates(question, documents):
            passages = [passage for document in candidates for passage in self._in(document, gold.quote)]
            if passages:
                return passages
        what = "text" if gold.quote is None else f"such words as {gold.quote[:80]!r}"
        raise CorpusError(f"{_named(question, self._corpus)}: {gold.reference} has no {what}; mend its gold")

    def _candidates(self, question: Question, documents: Sequence[Document]) -> list[list[Document]]:
        """Groups of documents to look in, one after another: newest versions first, the question's language before."""
        language = guess_language([question.question])
        own = [document for document in documents if document.language.split("-")[0] == language]
        groups: list[list[Document]] = []
        for spoken in (own, documents):
            current = [document for document in spoken if document.document_id not in self._superseded]
            older = [document for document in spoken if document not in current]
            older.sort(key=lambda document: (str(document.date), document.document_id), reverse=True)
            groups += [current, *([document] for document in older)]
        return groups

    def _in(self, document: Document, quote: str | None) -> list[Passage]:
        kept = self._kept[document.document_id]
        passages = list(self._passages.get(kept.document_id, ()))
        if quote is None:
            return passages
        spans = _spans(kept.text, quote)
        if not spans and kept is not document and _spans(document.text, quote):
            # the two differ by some of the quote's words: the passage that has most of them
            words = set(_WORD.findall(quote.casefold()))
            shared = [len(words & set(_WORD.findall(passage.text.casefold()))) for passage in passages]
            return [passages[shared.index(max(shared))]]
        found: dict[int, Passage] = {}
        for start, end in spans:
            whole = [p for p in passages if p.char_start <= start and end <= p.char_end]
            touching = [p for p in passages if p.char_start < end and start < p.char_end]
            found |= {p.position: p for p in whole or touching}
        return [found[position] for position in sorted(found)]


def _spans(text: str, quote: str) -> list[tuple[int, int]]:
    """Where a quote stands in a text, whatever white space parts its words."""
    words = " ".join(quote.split())
    if not words:
        return []
    # the text with every gap as one blank, and where each of its pieces stands: found so in one pass, which a pattern
    # of many gaps does not do
    pieces = [(match[0], match.start()) for match in _UNBROKEN.finditer(text)]
    joined = " ".join(piece for piece, _ in pieces)
    starts = [0, *accumulate(len(piece) + 1 for piece, _ in pieces)]
    spans: list[tuple[int, int]] = []
    at = joined.find(words)
    while at >= 0:
        last = at + len(words) - 1
        first_piece, last_piece = (bisect_right(starts, place) - 1 for place in (at, last))
        start = pieces[first_piece][1] + at - starts[first_piece]
        spans.append((start, pieces[last_piece][1] + last - starts[last_piece] + 1))
        at = joined.find(words, at + len(words))
    return spans


def _named(question: Question, corpus: str) -> str:
    return f"corpus {corpus}, question {question.question_id} ({question.question[:60]!r})"
