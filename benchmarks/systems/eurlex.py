"""Acts of the EU: `python -m benchmarks.systems.eurlex --cache vectors.sqlite` prints Markdown tables.

One index of DORA, the AI Act and the GDPR, the latter two as far as the question set quotes them, each article (and
recital, or the cut preamble) a document of passages of at most 1,000 characters. Scored by article: a passage counts
as its article. Three kinds of questions, which are never mixed:

- `generated`: 43 questions that were written from one article each, which is their gold;
- `unreviewed`: 25 questions by hand whose gold is marked as not reviewed: the eight articles that the authors' own
  retriever found, so that it says how alike two retrievers are more than how right one is;
- `cross-references`: for each article of DORA that names others, those, by the text's own words.

The walk goes along `references` edges between articles of one act and from passage to next passage.
Reads eurlex_rag from FAITHFLOW_DATA, else from `shared/data` beside the repository.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.systems.measure import (
    CUTS,
    DATA,
    PIPELINES,
    Asked,
    Index,
    arguments,
    asked_of,
    contexts_of,
    print_tables,
)
from benchmarks.systems.tables import context_table, difference_table, recall_table
from faithflow.corpus.corpus_frames import Frames, corpus_frames
from faithflow.corpus.document import CorpusContent, Document, Gold, Link, Question
from faithflow.corpus.eurlex import REFERENCES, named_articles
from resources.document_files import read_documents, source_file

_ACTS = {"ai_act": "AI Act", "gdpr": "GDPR"}
_HEADING = re.compile(r"(?:EU AI Act|GDPR) - [^\n]*\n")
_SECTION = re.compile(r"(art|annex)?(.+)")
_KINDS = {"art": "Article ", "annex": "Annex "}
_NUMBER = re.compile(r"\bArticle (\d+)$")


def dora() -> CorpusContent:
    """DORA with a question on each article that names others."""
    content = read_documents(DATA / "eurlex_rag" / "dora_units.jsonl.gz", "eurlex")
    articles = {document.reference: document for document in content.documents if document.kind == "article"}
    named = defaultdict[str, set[str]](set)
    for link in content.links:
        if link.relation == REFERENCES and link.source in articles:
            named[link.source].add(link.target)
    questions = tuple(_cross_reference(articles[reference].title, named[reference]) for reference in sorted(named))
    return CorpusContent(content.documents, content.links, questions)


def _cross_reference(title: str, named: set[str]) -> Question:
    return Question(
        f"Which other articles does {title} refer to?",
        stratum="cross-references",
        gold=tuple(Gold(reference) for reference in sorted(named)),
    )


def acts() -> CorpusContent:
    """The articles that the question set quotes, each as the longest of its copies, and the questions with gold."""
    rows: list[Mapping[str, Any]] = [
        json.loads(line)
        for line in source_file(DATA / "eurlex_rag" / "testset.jsonl.gz").text.splitlines()
        if line.strip()
    ]
    copies = defaultdict[str, list[str]](list)
    questions: list[Question] = []
    for row in rows:
        sections = [_reference(section) for section in row["section_ids"]]
        for section, text in zip(sections, row["reference_contexts"], strict=True):
            copies[section].append(_HEADING.sub("", text, count=1).strip())
        if sections:
            gold = tuple(Gold(section) for section in dict.fromkeys(sections))
            stratum = "unreviewed" if row["needs_review"] else "generated"
            questions.append(Question(row["user_input"], stratum=stratum, gold=gold, id=row["id"]))
    documents = [
        Document(reference, "article", reference, max(texts, key=lambda text: (len(text), text)))
        for reference, texts in sorted(copies.items())
    ]
    return CorpusContent(tuple(documents), tuple(_links(documents)), tuple(questions))


def _reference(section: str) -> str:
    act, _, part = section.partition(":")
    match = _SECTION.fullmatch(part)
    kind, name = match.groups() if match else (None, part)
    return f"{_ACTS[act]} {_KINDS[kind]}{name}" if kind else f"{_ACTS[act]} {name}"


def _links(documents: list[Document]) -> Iterator[Link]:
    known = {document.reference for document in documents}
    for document in documents:
        act = next(act for act in _ACTS.values() if document.reference.startswith(act))
        own = _NUMBER.search(document.reference)
        for number in named_articles(document.text):
            target = f"{act} Article {number}"
            if target in known and (own is None or own[1] != number):
                yield Link(document.reference, REFERENCES, target)


def frames_of() -> Frames:
    return corpus_frames({"dora": dora(), "acts": acts()})


def tables(index: Index) -> Iterator[str]:
    asked, name = asked_of(index.frames), index.embedder.name
    dense = index.dense(asked, max(CUTS))
    groups = _apart(asked)
    for own in groups:
        yield recall_table(dense, own, name)
    with index.graph(index.frames.link_edges) as graph:
        answers = index.answers(asked, PIPELINES, graph)
    vanilla, walked = (contexts_of(answers, pipeline, pipeline) for pipeline in PIPELINES)
    for own in groups:
        yield context_table((vanilla, dense, walked), own, name)
        yield difference_table([(walked, vanilla), (walked, dense)], own, name)


def _apart(asked: list[Asked]) -> list[list[Asked]]:
    """The kinds of questions, which have gold of different worth."""
    strata = sorted({one.question.stratum for one in asked})
    return [[one for one in asked if one.question.stratum == stratum] for stratum in strata]


def main() -> None:
    given = arguments(__doc__ or "")
    frames = frames_of()
    links = frames.link_edges.filter(relation=REFERENCES).height
    print(f"{frames.documents.height} documents, {frames.passages.height:,} passages, {links} references, ", end="")
    print(f"{frames.questions.height} questions.\n")
    print_tables(frames, tables, given)


if __name__ == "__main__":
    main()
