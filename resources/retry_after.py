"""How long a server asks to wait."""

import datetime as dt
from collections.abc import Mapping
from email.utils import parsedate_to_datetime


def retry_after(headers: Mapping[str, str]) -> float | None:
    """`Retry-After` in seconds, given as a number or as a date; None where absent or unreadable.

    `headers` looks names up whatever their case, as HTTP clients' do."""
    if (milliseconds := headers.get("retry-after-ms")) is not None:
        try:
            return max(0.0, float(milliseconds) / 1000)
        except ValueError:
            return None
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - dt.datetime.now(dt.UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
