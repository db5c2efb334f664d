"""How a judging command ends when claims were left unscored."""

from collections.abc import Mapping

import click

from faithflow.judging.verdict import Reason

SOME_UNSCORED = 3

# asking again would bring the same
_FINAL = {Reason.UNSURE.value, Reason.TOO_LONG.value}


def say_unscored(unscored: Mapping[str, int], rows: int) -> int:
    """Say on standard error how many of `rows` are unscored, by reason, and whether to ask again; the exit code."""
    if not unscored:
        return 0
    words = ", ".join(f"{reason} {number}" for reason, number in sorted(unscored.items()))
    again = "; run again to ask about them" if set(unscored) - _FINAL else ""
    click.echo(f"{sum(unscored.values())} of {rows} rows are unscored ({words}){again}.", err=True)
    return SOME_UNSCORED
