"""What a retriever may return: the documents that hold on a day and that the asker may read."""

import datetime as dt
from dataclasses import dataclass

from faithflow.corpus.document import PUBLIC

# Days as whole numbers, yyyymmdd: every store compares them alike. The open ends of validity.
FIRST_DAY = 0
LAST_DAY = 99_991_231


def day_number(date: dt.date) -> int:
    return date.year * 10_000 + date.month * 100 + date.day


def first_day(valid_from: dt.date | None) -> int:
    """The first day on which a document holds; FIRST_DAY where it always did."""
    return FIRST_DAY if valid_from is None else day_number(valid_from)


def end_day(valid_to: dt.date | None) -> int:
    """The day from which on a document holds no more; LAST_DAY where it has no end."""
    return LAST_DAY if valid_to is None else day_number(valid_to)


@dataclass(frozen=True, slots=True)
class Scope:
    """The day as of which is asked, and the access labels that the asker has. Every retriever honours both."""

    as_of: dt.date
    access: tuple[str, ...] = (PUBLIC,)

    @property
    def day(self) -> int:
        return day_number(self.as_of)

    def allows(self, access: str, valid_from: int, valid_to: int) -> bool:
        return access in self.access and valid_from <= self.day < valid_to
