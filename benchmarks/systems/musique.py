"""MuSiQue-200: `python -m benchmarks.systems.musique --cache vectors.sqlite` prints Markdown tables.

The 200 questions and all their paragraphs as one pool. Vanilla and graphrag as seed 004 has them, graphrag on two
graphs: `references` edges between consecutive supporting paragraphs alone, and with edges between consecutive
distractors as well (the control of section 5.1). Strata are its too: 2, 3 and 4 hops are 1, 2 and 3+.
Reads multihop from FAITHFLOW_DATA, else from `shared/data` beside the repository.
"""

from collections.abc import Iterator

import polars as pl

from benchmarks.systems.measure import CUTS, DATA, Index, arguments, asked_of, contexts_of, print_tables
from benchmarks.systems.tables import citation_table, context_table, difference_table, recall_table
from faithflow.corpus.corpus_frames import Frames, corpus_frames
from faithflow.corpus.musique import read_musique
from resources.document_files import source_file

# a paragraph is one passage, as in the data set
_WHOLE = 20_000


def frames_of(*, distractor_edges: bool) -> Frames:
    file = source_file(DATA / "multihop" / "musique_200.jsonl.gz")
    return corpus_frames({"musique": read_musique([file], distractor_edges=distractor_edges)}, max_chars=_WHOLE)


def tables(index: Index, control: pl.DataFrame) -> Iterator[str]:
    asked, name = asked_of(index.frames), index.embedder.name
    dense = index.dense(asked, max(CUTS))
    yield recall_table(dense, asked, name)
    with index.graph(index.frames.link_edges) as graph:
        answers = index.answers(asked, ("vanilla", "graphrag"), graph)
    with index.graph(control) as graph:
        controlled = index.answers(asked, ("graphrag",), graph)
    vanilla, walked = (contexts_of(answers, pipeline, pipeline) for pipeline in ("vanilla", "graphrag"))
    flooded = contexts_of(controlled, "graphrag", "graphrag, distractor edges")
    yield context_table((vanilla, dense, walked, flooded), asked, name)
    pairs = [(walked, vanilla), (walked, dense), (flooded, vanilla), (flooded, dense)]
    yield difference_table(pairs, asked, name)
    yield citation_table(index, answers, {"vanilla": "vanilla", "graphrag": "graphrag"})
    yield citation_table(index, controlled, {"graphrag": flooded.name})


def main() -> None:
    given = arguments(__doc__ or "")
    frames, control = frames_of(distractor_edges=False), frames_of(distractor_edges=True).link_edges
    print(f"{frames.passages.height:,} paragraphs, {frames.questions.height} questions, ", end="")
    print(f"{frames.link_edges.height} edges; with distractor edges {control.height:,}.\n")
    print_tables(frames, lambda index: tables(index, control), given)


if __name__ == "__main__":
    main()
