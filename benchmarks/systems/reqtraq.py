"""reqtraq's requirements: `python -m benchmarks.systems.reqtraq --cache vectors.sqlite` prints Markdown tables.

111 requirements on three levels with 91 parent links. Each question names a requirement and asks for its parents, for
all that it derives from up to the top, for what derives from it, or for all below it; the links say the answer. A
stratum is the number of links of the longest way, and the direction. No way has three links: the set has three levels.
Reads traceability from FAITHFLOW_DATA, else from `shared/data` beside the repository.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from benchmarks.systems.measure import CUTS, DATA, PIPELINES, Index, arguments, asked_of, contexts_of, print_tables
from benchmarks.systems.tables import citation_table, context_table, difference_table, recall_table
from faithflow.corpus.corpus_frames import Frames, corpus_frames
from faithflow.corpus.document import CorpusContent, Document, Gold, Question
from resources.document_files import read_documents

_ASKS = {
    "1 up": "Which requirements are the parents of {item}?",
    "2 up": "Which requirements does {item} derive from, up to the top level?",
    "1 down": "Which requirements derive from {item}?",
    "2 down": "Which requirements are there below {item}, down to the lowest level?",
}


def questions_of(content: CorpusContent) -> list[Question]:
    """The questions on each requirement to which the links have an answer."""
    up, down = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for link in content.links:
        up[link.source].add(link.target)
        down[link.target].add(link.source)
    made: list[Question] = []
    for document in sorted(content.documents, key=lambda document: document.reference):
        for direction, links in (("up", up), ("down", down)):
            levels = _levels(document.reference, links)
            if levels:
                made.append(_question(document, f"1 {direction}", levels[0]))
            if len(levels) > 1:
                made.append(_question(document, f"2 {direction}", set[str]().union(*levels)))
    return made


def _levels(reference: str, links: Mapping[str, set[str]]) -> list[set[str]]:
    """The items one link away, two, and so on."""
    levels: list[set[str]] = []
    seen, front = {reference}, {reference}
    while front:
        front = set[str]().union(*(links.get(each, set()) for each in front)) - seen
        seen |= front
        if front:
            levels.append(front)
    return levels


def _question(document: Document, stratum: str, gold: set[str]) -> Question:
    asked = _ASKS[stratum].format(item=f"{document.reference} ({document.title})")
    return Question(asked, stratum=stratum, gold=tuple(Gold(reference) for reference in sorted(gold)))


def frames_of() -> Frames:
    content = read_documents(DATA / "traceability" / "reqtraq_do178c", "reqtraq")
    return corpus_frames({"reqtraq": replace(content, questions=tuple(questions_of(content)))})


def tables(index: Index) -> Iterator[str]:
    asked, name = asked_of(index.frames), index.embedder.name
    dense = index.dense(asked, max(CUTS))
    yield recall_table(dense, asked, name)
    with index.graph(index.frames.link_edges) as graph:
        answers = index.answers(asked, PIPELINES, graph)
    vanilla, walked = (contexts_of(answers, pipeline, pipeline) for pipeline in PIPELINES)
    yield context_table((vanilla, dense, walked), asked, name)
    yield difference_table([(walked, vanilla), (walked, dense)], asked, name)
    yield citation_table(index, answers, {"vanilla": "vanilla", "graphrag": "graphrag"})


def main() -> None:
    given = arguments(__doc__ or "")
    frames = frames_of()
    links = frames.link_edges.filter(relation="derives_from").height
    print(f"{frames.documents.height} requirements, {links} links, {frames.questions.height} questions.\n")
    print_tables(frames, tables, given)


if __name__ == "__main__":
    main()
