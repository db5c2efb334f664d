"""MuSiQue: multi-hop questions with twenty paragraphs each (Trivedi, Balasubramanian, Khot, Sabharwal: MuSiQue, TACL
2022), as one pool of paragraphs, the graph of their chains, and the questions."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from faithflow.corpus.document import CorpusContent, Document, Gold, Link, Question
from faithflow.corpus.source import Record, SourceFile, json_records
from faithflow.errors import CorpusError
from faithflow.identity import Json

REFERENCES = "references"

_STRATA = {2: "1", 3: "2", 4: "3+"}
"""Hops of a question and its stratum, as the study of multi-hop traceability maps them (section 3.2)."""


def read_musique(files: Sequence[SourceFile], *, distractor_edges: bool = False) -> CorpusContent:
    """The questions of MuSiQue files and the pool of their paragraphs, equal title and text once.

    A paragraph's reference is its title, with a number behind it where a title recurs. `references` links join the
    consecutive supporting paragraphs of each question in the order of its hops; with `distractor_edges` also the
    consecutive other paragraphs, in their order in the file: the control for a graph whose edges lie on gold alone.
    Raises CorpusError with the line that is no MuSiQue question.
    """
    records = [record for file in files for record in json_records(file)]
    paragraphs = {record.place: _paragraphs(record) for record in records}
    references = _references(words for listed in paragraphs.values() for words in listed)
    documents = tuple(Document(reference, "paragraph", title, text) for (title, text), reference in references.items())
    links: dict[Link, None] = {}
    questions: list[Question] = []
    for record in records:
        listed = [references[words] for words in paragraphs[record.place]]
        supporting = _supporting(record)
        chains = [[listed[i] for i in supporting]]
        if distractor_edges:
            chains.append([reference for i, reference in enumerate(listed) if i not in supporting])
        for chain in chains:
            links |= {Link(a, REFERENCES, b): None for a, b in pairwise(chain) if a != b}
        questions.append(_question(record, chains[0]))
    return CorpusContent(documents, tuple(links), tuple(questions))


def _paragraphs(record: Record) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for paragraph in _objects(record, "paragraphs"):
        title, text = paragraph.get("title"), paragraph.get("paragraph_text")
        if not isinstance(title, str) or not isinstance(text, str) or not title.strip() or not text.strip():
            raise CorpusError(f'{record.place}: a paragraph needs "title" and "paragraph_text"')
        found.append((" ".join(title.split()), text.strip()))
    return found


def _objects(record: Record, key: str) -> list[Mapping[str, Json]]:
    value = record.fields.get(key)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise CorpusError(f'{record.place}: "{key}" must be a list of objects; is it a MuSiQue question?')
    return [item for item in value if isinstance(item, Mapping)]


def _references(paragraphs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Each distinct paragraph's reference: its title, or "title (2)" and on where others have that title already."""
    distinct = dict.fromkeys(paragraphs)
    titles = {title for title, _ in distinct}
    counts: Counter[str] = Counter()
    references: dict[tuple[str, str], str] = {}
    for title, text in distinct:
        counts[title] += 1
        while counts[title] > 1 and f"{title} ({counts[title]})" in titles:
            counts[title] += 1
        references[title, text] = title if counts[title] == 1 else f"{title} ({counts[title]})"
    return references


def _supporting(record: Record) -> list[int]:
    """The positions of the supporting paragraphs: in the order of the hops where it is told, else of the file."""
    marked = [i for i, paragraph in enumerate(_objects(record, "paragraphs")) if paragraph.get("is_supporting") is True]
    places: dict[Json, int] = {}
    for i, paragraph in enumerate(_objects(record, "paragraphs")):
        own = paragraph.get("idx", i)
        if isinstance(own, int) and not isinstance(own, bool):
            places.setdefault(own, i)
    hops = [step.get("paragraph_support_idx") for step in _objects(record, "question_decomposition")]
    told = [places[i] for i in hops if isinstance(i, int) and not isinstance(i, bool) and places.get(i) in marked]
    return list(dict.fromkeys([*told, *marked]))


def _question(record: Record, supporting: Sequence[str]) -> Question:
    question, answer, own = (record.fields.get(key) for key in ("question", "answer", "id"))
    if not isinstance(question, str) or not isinstance(answer, str) or not isinstance(own, str):
        raise CorpusError(f'{record.place}: "id", "question" and "answer" must be texts')
    answerable = record.fields.get("answerable", True) is True
    hops = len(_objects(record, "question_decomposition"))
    return Question(
        question=" ".join(question.split()),
        stratum=_STRATA.get(hops, str(hops)),
        gold=tuple(Gold(reference) for reference in dict.fromkeys(supporting)),
        gold_answer=answer if answerable else "",
        id=own,
    )
