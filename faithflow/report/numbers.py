"""How numbers are written on the page. What is undefined or unknown is said in words, never as 0 or as a blank."""

from collections.abc import Sequence
from typing import TypeAlias, TypeGuard

UNDEFINED = "undefined"
UNKNOWN = "unknown"

Interval: TypeAlias = Sequence[float | None] | None


def is_known(interval: Interval) -> TypeGuard[Sequence[float]]:
    """Whether both ends of an interval are there."""
    return interval is not None and len(interval) == 2 and all(end is not None for end in interval)


def percent(rate: float | None) -> str:
    """A share in [0, 1] as a percentage with one decimal."""
    return UNDEFINED if rate is None else f"{100 * rate:.1f}%"


def percent_range(interval: Interval) -> str:
    """A range of shares; equal ends are written once."""
    if not is_known(interval):
        return UNDEFINED
    low, high = percent(interval[0]), percent(interval[1])
    return low if low == high else f"{low[:-1]} to {high}"


def percent_with(rate: float | None, interval: Interval) -> str:
    """A share and its interval."""
    return UNDEFINED if rate is None else f"{percent(rate)} ({percent_range(interval)})"


def share(part: int, whole: int) -> str:
    """`31 of 40 (77.5%)`; the share of nothing is undefined."""
    return f"{part:,} of {whole:,} ({percent(part / whole) if whole else UNDEFINED})"


def coefficient(value: float | None, interval: Interval) -> str:
    """An agreement coefficient with three decimals, and its interval."""
    if value is None:
        return UNDEFINED
    if not is_known(interval):
        return f"{value:.3f} (interval {UNDEFINED})"
    return f"{value:.3f} ({interval[0]:.3f} to {interval[1]:.3f})"


def p_value(value: float | None) -> str:
    """The probability of a test; very small ones as `< 0.001`."""
    if value is None:
        return UNDEFINED
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def count(value: int | None) -> str:
    """A whole number with thousands apart."""
    return UNKNOWN if value is None else f"{value:,}"


def money(value: float | None) -> str:
    """An amount in the currency of the study's prices; None stands for a call without a known price."""
    if value is None:
        return UNKNOWN
    return f"{value:,.2f}" if value == 0 or value >= 1 else f"{value:.4f}"


def plural(number: int, one: str, many: str | None = None) -> str:
    """`1 claim`, `2 claims`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
