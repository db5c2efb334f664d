"""The tables of the systems under test: vectors, answers, how each came about, what it cites and how well."""

import polars as pl

from faithflow.tables.columns import (
    DOCUMENT_ID,
    EMBEDDER,
    FLAG,
    INT,
    NUMBER,
    PASSAGE_ID,
    PIPELINE,
    STRATUM,
    TEXT,
    TEXTS,
)
from faithflow.tables.rules import not_negative, ordered, within
from faithflow.tables.schema import Column, Reference, Table

ANSWER_ID = Column("answer_id", TEXT, "The answer: a content hash; it is the trace_id of the claims and verdicts.")
_STEP = Column("step", INT, "The step's number within the answer, from 0.")

EMBEDDINGS = Table(
    "embeddings",
    "The passages' vectors.",
    (
        PASSAGE_ID,
        Column("vector", pl.List(pl.Float32), "The unit vector."),
        EMBEDDER,
    ),
    key=("passage_id",),
    partition=("embedder",),
    references=(Reference(("passage_id",), "passages"),),
)

ANSWERS = Table(
    "answers",
    "The answers of every pipeline: one row an answer.",
    (
        ANSWER_ID,
        Column("question_id", TEXT, "The question answered."),
        PIPELINE,
        Column("generator", TEXT, "The generator's name."),
        Column("repeat", INT, "The number of the repeated answer to the same question, from 0."),
        Column("answer", TEXT, "The answer, character for character; empty where it failed."),
        Column("status", TEXT, "What came of it.", values=("answered", "inconclusive", "failed")),
        Column("reason", TEXT, "Why it failed.", nullable=True),
        Column("request_key", TEXT, "Ledger key of the call that wrote it.", nullable=True),
        Column("calls", INT, "Model calls that it took."),
        Column("prompt_tokens", INT, "Tokens that they read."),
        Column("completion_tokens", INT, "Tokens that they wrote."),
        Column("cost", NUMBER, "What they cost in the study's prices; null: unknown.", nullable=True),
        Column("latency_s", NUMBER, "Seconds that its model calls took."),
        Column("as_of", pl.Date(), "The day as of which was asked."),
        EMBEDDER,
    ),
    key=("answer_id",),
    partition=("embedder",),
    references=(Reference(("question_id",), "questions"),),
    own_rules=(not_negative("repeat", "calls", "prompt_tokens", "completion_tokens", "cost", "latency_s"),),
)

STEPS = Table(
    "steps",
    "What each pipeline did on the way to each answer, act by act.",
    (
        ANSWER_ID,
        _STEP,
        Column("tool", TEXT, "The act: search_documents, graph_lookup, router, critic, generate and the like."),
        Column("query", TEXT, "What it was asked."),
        Column("detail", TEXT, "What it saw and decided, as JSON: terms, seeds, edges walked, nodes visited."),
        Column("request_key", TEXT, "Ledger key of its model call; null: it made none.", nullable=True),
        EMBEDDER,
    ),
    key=("answer_id", "step"),
    partition=("embedder",),
    references=(Reference(("answer_id",), "answers"),),
    own_rules=(not_negative("step"),),
)

RETRIEVALS = Table(
    "retrievals",
    "Every passage that a pipeline saw on the way to an answer, kept or cut: with `steps` and the question enough to "
    "build the generator's request again, byte for byte.",
    (
        ANSWER_ID,
        _STEP,
        Column("tool", TEXT, "The act that saw it."),
        Column("query", TEXT, "What that act was asked."),
        Column("rank", INT, "Its place in what the act found, from 1."),
        Column("score", NUMBER, "The act's score of it; null: it gives none.", nullable=True),
        PASSAGE_ID,
        Column("path", TEXTS, "How a walk came to it: node, relation, node and so on."),
        Column("via", TEXT, "The same in words, or the fact that led to it; empty where neither did."),
        Column("links", TEXTS, "The corpus' links to other passages that the generator was shown with it."),
        Column("kept", FLAG, "Whether the generator was given it."),
        Column("position", INT, "Its place in the evidence of the answer's last call, from 0.", nullable=True),
        Column("label", TEXT, "Its id in that evidence.", nullable=True),
        Column("cite_as", TEXT, "The citation that the generator was told to write for it.", nullable=True),
        Column("cut", TEXT, "Why it was not kept.", nullable=True),
        Column("source", TEXT, "What brought it.", values=("embedding", "graph", "web")),
        DOCUMENT_ID,
        Column("reference", TEXT, "Its document's reference, or its page's address."),
        Column("title", TEXT, "Its document's title."),
        Column("date", TEXT, "Its document's date (ISO), or empty."),
        Column("source_url", TEXT, "Its document's address, or empty."),
        Column("text", TEXT, "Its text as the generator was shown it."),
        EMBEDDER,
    ),
    key=("answer_id", "step", "rank"),
    partition=("embedder",),
    references=(Reference(("answer_id",), "answers"),),
    own_rules=(not_negative("step", "rank", "position"),),
)

CITATIONS = Table(
    "citations",
    "The citations in the answers: one row a cited id, also where it is none.",
    (
        ANSWER_ID,
        Column("number", INT, "Its place among the answer's citations, from 0."),
        Column("char_start", INT, "First character of the citation in the answer."),
        Column("char_end", INT, "One past its last character."),
        Column("cited", TEXT, "What was cited, as it stands."),
        Column("passage_id", TEXT, "The passage that it names; null: none of the corpus or the pages.", nullable=True),
        Column("valid", FLAG, "Whether the answer's own context held that passage."),
        Column("form", TEXT, "How it is written.", values=("reference", "label", "link")),
        EMBEDDER,
    ),
    key=("answer_id", "number"),
    partition=("embedder",),
    references=(Reference(("answer_id",), "answers"),),
    own_rules=(not_negative("number", "char_start"), ordered("char_start", "char_end")),
)

_SCORES = ("citation_precision", "citation_recall", "citation_f1", "strict_precision", "strict_recall", "strict_f1")

CITATION_SCORES = Table(
    "citation_scores",
    "What was retrieved and what was cited against gold, by pipeline and stratum: means over the questions with gold.",
    (
        PIPELINE,
        STRATUM,
        Column("n", INT, "Answers to questions with gold passages."),
        Column("failed", INT, "Of those, answers that failed; they are in no mean."),
        Column("inconclusive", INT, "Of those, answers that say that the evidence lacks the answer."),
        Column("citation_precision", NUMBER, "Share of the distinct ids cited that are gold.", nullable=True),
        Column("citation_recall", NUMBER, "Share of the gold passages that are cited.", nullable=True),
        Column("citation_f1", NUMBER, "Mean of the answers' F1 of the two.", nullable=True),
        Column("citation_f1_low", NUMBER, "Its 95% interval, by resampling questions.", nullable=True),
        Column("citation_f1_high", NUMBER, "Its 95% interval, by resampling questions.", nullable=True),
        Column("strict_precision", NUMBER, "ALCE's precision: share of gold in what its rules count.", nullable=True),
        Column("strict_recall", NUMBER, "ALCE's recall: share of sentences with a gold citation.", nullable=True),
        Column("strict_f1", NUMBER, "Mean of the answers' F1 of these two.", nullable=True),
        Column(
            "context_precision", NUMBER, "Share of the passages given to the generator that are gold.", nullable=True
        ),
        Column("retrieval_recall", NUMBER, "Share of the gold passages given to the generator.", nullable=True),
        Column("mean_context", NUMBER, "Passages given to the generator.", nullable=True),
        Column("mean_cited", NUMBER, "Distinct ids cited.", nullable=True),
        Column("invalid_citations", INT, "Citations that name nothing the context held."),
        EMBEDDER,
    ),
    key=("pipeline", "stratum"),
    partition=("embedder",),
    own_rules=(
        not_negative("n", "failed", "inconclusive", "mean_context", "mean_cited", "invalid_citations"),
        within(0, 1, *_SCORES, "context_precision", "retrieval_recall", "citation_f1_low", "citation_f1_high"),
        ordered("citation_f1_low", "citation_f1", "citation_f1_high"),
    ),
)
