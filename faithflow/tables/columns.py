"""Types, columns and rules that several tables share."""

import polars as pl

from faithflow.tables.rules import Rule, not_negative, ordered, together
from faithflow.tables.schema import Column

TEXT = pl.String()
INT = pl.Int64()
NUMBER = pl.Float64()
FLAG = pl.Boolean()
DATE = pl.Date()
MOMENT = pl.Datetime("us", "UTC")
TEXTS = pl.List(pl.String)

EMBEDDER = Column("embedder", TEXT, "The embedder whose partition this is; `traces` for answers brought by the user.")
JUDGING_DATE = Column("judging_date", DATE, "The judging date: the day (UTC) under which the judge was asked.")
TRACE_ID = Column("trace_id", TEXT, "The answer: the user's id, or a content hash.")
CLAIM_ID = Column("claim_id", TEXT, "The claim: the user's id, or a content hash; unique within its answer.")
DOCUMENT_ID = Column("document_id", TEXT, "The document: a content hash.")
PASSAGE_ID = Column("passage_id", TEXT, "The passage: a content hash.")
TRIPLE_ID = Column("triple_id", TEXT, "The triple: a content hash.")
PIPELINE = Column("pipeline", TEXT, "The RAG pipeline that gave the answer.")
STRATUM = Column("stratum", TEXT, "The stratum of the question (such as its number of hops).")
JUDGE = Column("judge", TEXT, "The judge's name in the study.")
JUDGE_REPEAT = Column("repeat", INT, "The number of the repeated judgement, from 0.")
RATED = Column("rated", INT, "Scored rows that are no abstention verdict: the n of `rate`.")
RATE = Column("rate", NUMBER, "supported ÷ rated; null where nothing is rated.", nullable=True)

SPAN = (
    Column("char_start", INT, "First character of the claim's span in the answer; null: no span known.", nullable=True),
    Column("char_end", INT, "One past the last character of the span; null: no span known.", nullable=True),
)
SPAN_RULES = (not_negative("char_start"), ordered("char_start", "char_end"), together("char_start", "char_end"))


def rate_is_right() -> Rule:
    rate = pl.when(pl.col("rated") > 0).then(pl.col("supported") / pl.col("rated"))
    broken = (pl.col("rate").is_null() != rate.is_null()) | ((pl.col("rate") - rate).abs() > 1e-9)
    return Rule("rate_is_supported_of_rated", "rate = supported ÷ rated, null where rated is 0", broken)
