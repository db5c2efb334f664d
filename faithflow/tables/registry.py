"""The registry: each table of the warehouse, described once.

Schemas, keys, files, checks, the queries' views and the page docs/tables.md are all made from it.
"""

import difflib

from faithflow.errors import TableError
from faithflow.tables.answering import (
    ANSWERS,
    CITATION_SCORES,
    CITATIONS,
    EMBEDDINGS,
    RETRIEVALS,
    STEPS,
)
from faithflow.tables.answers import CLAIMS, JUDGED_ANSWERS, LABELS, TRACES
from faithflow.tables.corpus import DOCUMENTS, GOLD_TRIPLES, LINKS, PASSAGES, QUESTIONS
from faithflow.tables.graph import EDGES, ENTITIES, TRIPLE_VERDICTS, TRIPLES
from faithflow.tables.judgements import ANSWER_VERDICTS, CALLS, VERDICTS
from faithflow.tables.schema import Table
from faithflow.tables.statistics import AGREEMENT, STABILITY, TRENDS

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        DOCUMENTS,
        PASSAGES,
        QUESTIONS,
        LINKS,
        GOLD_TRIPLES,
        TRACES,
        TRIPLES,
        TRIPLE_VERDICTS,
        ENTITIES,
        EDGES,
        EMBEDDINGS,
        ANSWERS,
        STEPS,
        RETRIEVALS,
        CITATIONS,
        CITATION_SCORES,
        JUDGED_ANSWERS,
        CLAIMS,
        LABELS,
        VERDICTS,
        ANSWER_VERDICTS,
        CALLS,
        AGREEMENT,
        STABILITY,
        TRENDS,
    )
}
"""Every table by name, in the order in which data flows."""


def table(name: str) -> Table:
    """The table of that name. Raises TableError for a name that is not registered."""
    if name in TABLES:
        return TABLES[name]
    near = difflib.get_close_matches(name, TABLES, 1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; the tables are {', '.join(TABLES)}"
    raise TableError(f"there is no table {name!r}{hint}")
