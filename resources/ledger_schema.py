"""The ledger's two tables, and how their values survive a round trip through SQLite and PostgreSQL."""

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import polars as pl
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Dialect,
    Float,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Select,
    Table,
    Text,
    TypeDecorator,
    select,
)

from faithflow.llm.model import Call
from faithflow.tables.registry import table

_ESCAPE = "\x1a"
_NOT_STORABLE = re.compile("[\x00\x1a\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED = re.compile("\x1a([0-9a-f]{4})")


def escape_text(text: str) -> str:
    """Text as both stores take it: NUL and lone surrogates become U+001A and four hex digits; so does U+001A."""
    return _NOT_STORABLE.sub(lambda match: f"{_ESCAPE}{ord(match[0]):04x}", text)


def unescape_text(stored: str) -> str:
    """The inverse of `escape_text`."""
    if _ESCAPE not in stored:
        return stored
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), stored)


def showable(row: Iterable[Any]) -> list[Any]:
    """A row as a frame or a file takes it, which is valid UTF-8: each lone surrogate becomes U+FFFD."""
    return [_SURROGATE.sub("\ufffd", value) if isinstance(value, str) else value for value in row]


class LosslessText(TypeDecorator[str]):
    """Any Python string. PostgreSQL takes no NUL and neither store a lone surrogate: a model may reply with both."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else escape_text(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> str | None:
        return None if value is None else unescape_text(value)


class UtcTime(TypeDecorator[dt.datetime]):
    """A moment, kept in UTC to the microsecond; SQLite itself forgets the time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time without a zone cannot be stored: {value.isoformat()}")
        return value.astimezone(dt.UTC)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> dt.datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=dt.UTC) if value.tzinfo is None else value.astimezone(dt.UTC)


METADATA = MetaData()

CALLS = Table(
    "calls",
    METADATA,
    Column("call_id", LosslessText, primary_key=True),
    Column("key", LosslessText, nullable=False, index=True),
    Column("purpose", LosslessText, nullable=False),
    Column("judge", LosslessText, nullable=False),
    Column("trace_id", LosslessText, nullable=False),
    Column("provider", LosslessText, nullable=False),
    Column("endpoint", LosslessText, nullable=False),
    Column("model", LosslessText, nullable=False),
    Column("served_model", LosslessText),
    Column("params", LosslessText, nullable=False),
    Column("prompt_version", LosslessText, nullable=False),
    Column("repeat", BigInteger, nullable=False),
    Column("ask", BigInteger, nullable=False),
    Column("judging_date", Date, nullable=False, index=True),
    Column("sent_at", UtcTime, nullable=False),
    Column("latency_s", Float(53), nullable=False),
    Column("status", LosslessText, nullable=False),
    Column("reason", LosslessText),
    Column("detail", LosslessText),
    Column("reply", LosslessText),
    Column("finish_reason", LosslessText),
    Column("prompt_tokens", BigInteger, nullable=False),
    Column("completion_tokens", BigInteger, nullable=False),
    Column("estimated", Boolean, nullable=False),
    Column("cost", Float(53)),
)

EMBEDDINGS = Table(
    "embeddings",
    METADATA,
    Column("model", LosslessText, nullable=False),
    Column("hash", LosslessText, nullable=False),
    Column("vector", LargeBinary, nullable=False),
    PrimaryKeyConstraint("model", "hash"),
)


def attempts(failed: bool) -> Select[Any]:
    """Attempts in the order in which they count: the answered ones oldest first, or the failed ones newest first."""
    if failed:
        return select(CALLS).where(CALLS.c.reason.is_not(None)).order_by(CALLS.c.sent_at.desc(), CALLS.c.call_id)
    return select(CALLS).where(CALLS.c.reason.is_(None)).order_by(CALLS.c.sent_at, CALLS.c.call_id)


CALL_FIELDS = tuple(field.name for field in fields(Call))

CALLS_FRAME = pl.Schema({name: dtype for name, dtype in table("calls").schema.items() if name in CALL_FIELDS})
"""The columns of a frame of calls: the fields of `Call`, in their order."""
