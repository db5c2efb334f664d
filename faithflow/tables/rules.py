"""Rules on the rows of a table. A rule is an expression that is true on each row that breaks it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import polars as pl

# estimates come from floating-point sums
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Rule:
    """A named demand on single rows. `name` is a slug, `doc` says the demand, `broken` is true where it is not met."""

    name: str
    doc: str
    broken: pl.Expr


def present(columns: Sequence[str]) -> Rule:
    """No null in any of these columns."""
    broken = pl.any_horizontal(*(pl.col(column).is_null() for column in columns))
    return Rule("no_nulls", f"never null: {', '.join(columns)}", broken)


def finite(columns: Sequence[str]) -> Rule:
    """No NaN and no infinity: what is undefined is null."""
    broken = pl.any_horizontal(*(~pl.col(column).is_finite() for column in columns))
    return Rule("finite_numbers", f"null or a finite number: {', '.join(columns)}", broken)


def allowed(column: str, values: Sequence[str]) -> Rule:
    """Null or one of these values."""
    return Rule(f"{column}_known", f"{column} is one of {', '.join(values)}", ~pl.col(column).is_in(list(values)))


def within(low: float, high: float, *columns: str) -> Rule:
    """Each of these columns is null or lies in [low, high]; `columns` hold estimates, so 1e-9 beyond is let pass."""
    outside = [~pl.col(column).is_between(low - _TOLERANCE, high + _TOLERANCE) for column in columns]
    return Rule(f"{columns[0]}_range", f"in [{low:g}, {high:g}]: {', '.join(columns)}", pl.any_horizontal(*outside))


def not_negative(*columns: str) -> Rule:
    """Counts, sizes and durations."""
    broken = pl.any_horizontal(*(pl.col(column) < 0 for column in columns))
    return Rule("not_negative", f"at least 0: {', '.join(columns)}", broken)


def ordered(*columns: str) -> Rule:
    """Each column is at most the next one (1e-9 beyond is let pass); a null stands beside anything."""
    pairs = pairwise(columns)
    broken = pl.any_horizontal(*(pl.col(a) > pl.col(b) + _TOLERANCE for a, b in pairs))
    return Rule(f"{columns[0]}_order", " ≤ ".join(columns), broken)


def not_after(start: str, end: str) -> Rule:
    """The day in `start` is at most that in `end`; a null stands beside anything."""
    return Rule(f"{start}_order", f"{start} ≤ {end}", pl.col(start) > pl.col(end))


def together(a: str, b: str) -> Rule:
    """Both columns are null, or none is."""
    broken = pl.col(a).is_null() != pl.col(b).is_null()
    return Rule(f"{a}_with_{b}", f"{a} and {b} are null together", broken)
