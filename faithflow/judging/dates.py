"""Honest dates: a judging date is judged on its day (UTC), or rebuilt from the ledger, or marked as late."""

import datetime as dt

from faithflow.errors import LateRunError


def today() -> dt.date:
    """The day that it is now, in UTC: judging dates are UTC days."""
    return dt.datetime.now(dt.UTC).date()


def fresh_calls_allowed(judging_date: dt.date, *, late: bool) -> bool:
    """Whether new calls may be made under a judging date: today, or a past one with `late`.

    Raises LateRunError for a date in the future, which nobody can have judged.
    """
    now = today()
    if judging_date > now:
        raise LateRunError(f"judging date {judging_date} lies in the future (today is {now}, UTC)")
    return late or judging_date == now
