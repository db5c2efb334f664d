"""The tables of the corpus: documents, their passages, and the questions asked of them."""

from faithflow.tables.columns import DATE, DOCUMENT_ID, INT, PASSAGE_ID, STRATUM, TEXT, TEXTS
from faithflow.tables.rules import not_after, not_negative, ordered
from faithflow.tables.schema import Column, Reference, Table

DOCUMENTS = Table(
    "documents",
    "The documents of every corpus: one row a version of a document in a language.",
    (
        DOCUMENT_ID,
        Column("reference", TEXT, "The document's name in its corpus (IP/26/1900, SRD-012, a file's name)."),
        Column("kind", TEXT, "What it is: press_release, requirement, regulation, paragraph, or a file's kind."),
        Column("title", TEXT, "Its title."),
        Column("date", DATE, "The day it bears.", nullable=True),
        Column("language", TEXT, "Its language, as a code such as en."),
        Column("source_url", TEXT, "Where it stands for the public.", nullable=True),
        Column("licence", TEXT, "The terms under which it may be used, where they are known.", nullable=True),
        Column("access", TEXT, "Its access label; only askers who have the label are shown it."),
        Column("valid_from", DATE, "The first day on which it holds; null: always did.", nullable=True),
        Column("valid_to", DATE, "The day from which on it holds no more; null: no end is known.", nullable=True),
        Column("supersedes", TEXT, "The older version (document_id) that it replaces.", nullable=True),
        Column("duplicate_of", TEXT, "The document that says the same and is indexed in its place.", nullable=True),
        Column("topics", TEXTS, "The topics under which it was found."),
        Column("corpus", TEXT, "The study's name for the corpus that it came with."),
        Column("text", TEXT, "Its text, blocks parted by blank lines."),
    ),
    key=("document_id",),
    own_rules=(not_after("valid_from", "valid_to"),),
)

PASSAGES = Table(
    "passages",
    "The pieces of the documents that are embedded, searched and cited.",
    (
        PASSAGE_ID,
        DOCUMENT_ID,
        Column("position", INT, "Its place among the passages of its document, from 0."),
        Column("char_start", INT, "Its first character in the document's text."),
        Column("char_end", INT, "One past its last character."),
        Column("text", TEXT, "The document's text from char_start to char_end."),
    ),
    key=("passage_id",),
    references=(Reference(("document_id",), "documents"),),
    own_rules=(not_negative("position", "char_start"), ordered("char_start", "char_end")),
)

QUESTIONS = Table(
    "questions",
    "The questions put to the systems under test.",
    (
        Column("question_id", TEXT, "The question: the user's id, or a content hash."),
        Column("question", TEXT, "The question asked."),
        Column("topic", TEXT, "What it is about."),
        STRATUM,
        Column("gold_passage_ids", TEXTS, "The passages that hold its answer; null: nobody said.", nullable=True),
        Column("gold_answer", TEXT, "The right answer; empty: the corpus lacks it; null: not told.", nullable=True),
        Column("corpus", TEXT, "The study's name for the corpus that it came with."),
    ),
    key=("question_id",),
)

LINKS = Table(
    "links",
    "The typed links that the corpora state, from passage to passage, and each passage to the one after it.",
    (
        Column("source_id", TEXT, "The passage that the link leaves."),
        Column("relation", TEXT, "The link's type: derives_from, satisfies, references, next and so on."),
        Column("target_id", TEXT, "The passage that it enters."),
        DOCUMENT_ID,
    ),
    key=("source_id", "relation", "target_id"),
    references=(Reference(("document_id",), "documents"),),
)

GOLD_TRIPLES = Table(
    "gold_triples",
    "The triples that people say documents hold: what an extractor is held to.",
    (
        DOCUMENT_ID,
        Column("head", TEXT, "What the triple is about."),
        Column("relation", TEXT, "The relation."),
        Column("tail", TEXT, "What the head stands in the relation to."),
    ),
    key=("document_id", "head", "relation", "tail"),
    references=(Reference(("document_id",), "documents"),),
)
