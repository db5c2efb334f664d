"""Web pages kept in a file, searched by BM25: the web where there is none, the same in every run."""

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from faithflow.corpus.source import SourceFile, json_records
from faithflow.errors import CorpusError
from faithflow.retrieval.lexical_terms import content_terms
from faithflow.retrieval.model import WebError, WebPage, WebResult
from faithflow.text.sentences import sentence_spans

# The usual parameters of BM25 (Robertson and Zaragoza 2009, The Probabilistic Relevance Framework, section 3.5).
_K1 = 1.2
_B = 0.75

_LONGEST_SNIPPET = 300


class SnapshotWeb:
    """A `faithflow.retrieval.model.Web` of pages that are at hand. Of two pages with one address the first counts."""

    name = "snapshot"

    def __init__(self, pages: Iterable[WebPage]) -> None:
        self._pages: dict[str, WebPage] = {}
        for page in pages:
            self._pages.setdefault(page.url, page)
        self._terms = {url: Counter(content_terms(f"{page.title}\n{page.text}")) for url, page in self._pages.items()}
        self._with_term = Counter(term for terms in self._terms.values() for term in terms)
        self._mean_length = sum(terms.total() for terms in self._terms.values()) / max(1, len(self._terms))

    async def search(self, query: str, k: int) -> list[WebResult]:
        """The k best pages that share a content word with the query, by BM25 over title and text; ties by address.

        A snippet is the first sentence with the most of the query's words.
        """
        words = set(content_terms(query))
        scores = {url: self._score(words, terms) for url, terms in self._terms.items()}
        ranked = sorted((url for url, score in scores.items() if score > 0), key=lambda url: (-scores[url], url))
        return [WebResult(url, self._pages[url].title, _snippet(self._pages[url].text, words)) for url in ranked[:k]]

    async def fetch(self, url: str) -> WebPage:
        """The page of this address. Raises WebError where the snapshot lacks it."""
        page = self._pages.get(url)
        if page is None:
            raise WebError(f"{url}: not among the {len(self._pages)} pages of the snapshot")
        return page

    async def close(self) -> None:
        """Nothing is held open."""

    def _score(self, words: set[str], terms: Counter[str]) -> float:
        length = _K1 * (1 - _B + _B * terms.total() / self._mean_length) if self._mean_length else _K1
        # sorted: a sum of floats depends on its order
        return sum(
            math.log(1 + (len(self._terms) - self._with_term[word] + 0.5) / (self._with_term[word] + 0.5))
            * terms[word]
            * (_K1 + 1)
            / (terms[word] + length)
            for word in sorted(words & terms.keys())
        )


def read_pages(path: Path) -> list[WebPage]:
    """The pages of a JSON Lines file: objects with `url`, `title`, `text` and perhaps `date` (ISO).

    Raises CorpusError with the line that is not so.
    """
    try:
        file = SourceFile(str(path), path.read_bytes())
    except OSError as error:
        raise CorpusError(f"{path}: cannot be read ({error.strerror or error})") from error
    pages: list[WebPage] = []
    for record in json_records(file):
        given: dict[str, str] = {}
        for key in ("url", "title", "text", "date"):
            value = record.fields.get(key, "" if key == "date" else None)
            if not isinstance(value, str):
                raise CorpusError(f'{record.place}: a web page needs text under "{key}"')
            given[key] = value
        pages.append(WebPage(**given))
    return pages


def _snippet(text: str, words: set[str]) -> str:
    sentences = [text[span.start : span.end] for span in sentence_spans(text)]
    shared = [len(words.intersection(content_terms(sentence))) for sentence in sentences]
    best = sentences[shared.index(max(shared))] if sentences else text
    return " ".join(best.split())[:_LONGEST_SNIPPET]
