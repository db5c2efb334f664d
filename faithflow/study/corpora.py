"""The corpora of a study: answers brought along, or documents with questions."""

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from faithflow.corpus.document import PUBLIC
from faithflow.study.endpoint import Record, Slug, plain_url

BUNDLED = "bundled"

DocumentFormat = Literal["auto", "eurlex", "musique", "reqtraq", "dronology", "reqif", "requirements_csv"]
AccessLabel = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]


class PressCornerSearch(Record):
    """What to take from the Commission's Press Corner: the newest documents of each topic, between two days."""

    topics: tuple[str, ...] = Field(min_length=1)
    since: dt.date
    until: dt.date
    language: Annotated[str, Field(pattern=r"^[a-z]{2}$")] = "en"
    limit_per_topic: int = Field(default=10, ge=1, le=1000)

    @model_validator(mode="after")
    def _days_are_in_order(self) -> "PressCornerSearch":
        if self.since > self.until:
            raise ValueError("since is later than until")
        return self


class Corpus(Record):
    """One source: `traces` (answers to judge), `documents` (a file or folder), `press_corner` or `rss`.

    Paths are relative to the study file; `bundled` stands for the sample. `questions` is a file of questions on
    documents that bring none of their own. `access`, `licence` and `language` hold for documents that say nothing else.
    """

    name: Slug
    traces: str | None = None
    documents: str | None = None
    format: DocumentFormat = "auto"
    distractor_edges: bool = False
    press_corner: PressCornerSearch | None = None
    rss: str | None = None
    questions: str | None = None
    language: str = "en"
    access: AccessLabel = PUBLIC
    licence: str | None = None

    @field_validator("rss")
    @classmethod
    def _feed_is_a_url(cls, url: str | None) -> str | None:
        return None if url is None else plain_url(url)

    @model_validator(mode="after")
    def _has_one_source(self) -> "Corpus":
        sources = ("traces", "documents", "press_corner", "rss")
        given = [name for name in sources if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"give one of {', '.join(sources)}" + (f", not {' and '.join(given)}" if given else ""))
        only_documents = {"format", "distractor_edges", "access", "licence", "language", "questions"}
        if self.traces is not None and (useless := sorted(only_documents & self.model_fields_set)):
            raise ValueError(f"traces take no {useless[0]}")
        if self.distractor_edges and self.format != "musique":
            raise ValueError("distractor_edges is for format musique alone")
        return self

    @property
    def has_documents(self) -> bool:
        return self.traces is None
