"""The tables of the knowledge graph: triples, what was said of them, entities, and edges."""

from faithflow.judging.verdict import Reason, Status
from faithflow.tables.columns import (
    DOCUMENT_ID,
    FLAG,
    INT,
    NUMBER,
    PASSAGE_ID,
    TEXT,
    TRIPLE_ID,
)
from faithflow.tables.rules import not_negative, ordered, together
from faithflow.tables.schema import Column, Reference, Table

_HEAD = Column("head", TEXT, "What the triple is about.")
_RELATION = Column("relation", TEXT, "The relation, in UPPER_SNAKE_CASE.")
_TAIL = Column("tail", TEXT, "What the head stands in the relation to.")

TRIPLES = Table(
    "triples",
    "The facts that the extractor took out of the passages.",
    (
        TRIPLE_ID,
        _HEAD,
        Column("head_type", TEXT, "The kind of thing that the head is."),
        _RELATION,
        _TAIL,
        Column("tail_type", TEXT, "The kind of thing that the tail is."),
        DOCUMENT_ID,
        PASSAGE_ID,
        Column("char_start", INT, "First character of the fact in the document; null: not known.", nullable=True),
        Column("char_end", INT, "One past its last character; null: not known.", nullable=True),
        Column("extractor", TEXT, "What took it out: patterns, or the model's name."),
    ),
    key=("triple_id",),
    references=(Reference(("passage_id",), "passages"),),
    own_rules=(ordered("char_start", "char_end"), together("char_start", "char_end")),
)

TRIPLE_VERDICTS = Table(
    "triple_verdicts",
    "What a judge, or gold, says of the triples of each document: right, made up, or missed.",
    (
        DOCUMENT_ID,
        Column("triple_id", TEXT, "The triple; a missed one has a content hash of its words."),
        _HEAD,
        _RELATION,
        _TAIL,
        Column(
            "label",
            TEXT,
            "correct: the text says so; hallucinated: it does not; missed: it holds a fact that was not taken out.",
            nullable=True,
            values=("correct", "hallucinated", "missed"),
        ),
        Column("explanation", TEXT, "Why, in the judge's words."),
        Column("judge", TEXT, "Who says so: the judge's model, or gold."),
        Column("status", TEXT, "Whether the row has a label.", values=(Status.SCORED.value, Status.UNSCORED.value)),
        Column("reason", TEXT, "Why it has none.", nullable=True, values=tuple(reason.value for reason in Reason)),
        Column("latency_s", NUMBER, "Seconds that the document's judging took.", nullable=True),
        Column("prompt_tokens", INT, "Tokens that the document's judging read.", nullable=True),
        Column("completion_tokens", INT, "Tokens that it wrote.", nullable=True),
    ),
    key=("judge", "document_id", "triple_id"),
    references=(Reference(("document_id",), "documents"),),
    own_rules=(not_negative("latency_s", "prompt_tokens", "completion_tokens"),),
)

ENTITIES = Table(
    "entities",
    "Which name stands for which entity: one row a surface form and type. To undo a merge, add it to the study's "
    "`triples.keep_apart` and materialize the table anew.",
    (
        Column("surface", TEXT, "The name as the triples have it."),
        Column("surface_type", TEXT, "The type that it came with."),
        Column("entity_id", TEXT, "The entity that it stands for."),
        Column("name", TEXT, "The entity's name: its fullest form."),
        Column("type", TEXT, "The entity's type."),
        Column("rule", TEXT, "Why it stands for it: itself, case, abbreviation, article and so on."),
        Column("merged", FLAG, "Whether it was merged into an entity of another name."),
        Column("triples", INT, "How many triples name it."),
    ),
    key=("surface", "surface_type"),
    own_rules=(not_negative("triples"),),
)

EDGES = Table(
    "edges",
    "The graph: links that the corpus states, passages that mention entities, and facts between entities.",
    (
        Column("source_id", TEXT, "The passage or entity that the edge leaves."),
        Column("relation", TEXT, "The edge's type."),
        Column("target_id", TEXT, "The passage or entity that it enters."),
        Column("source_kind", TEXT, "What the source is.", values=("passage", "entity")),
        Column("target_kind", TEXT, "What the target is.", values=("passage", "entity")),
        DOCUMENT_ID,
        Column("passage_id", TEXT, "The passage that states the edge; empty for a link of the corpus."),
        Column("fact", TEXT, "Its triple in words; empty for other edges."),
    ),
    key=("source_id", "relation", "target_id", "passage_id", "fact"),
    references=(Reference(("document_id",), "documents"),),
)
