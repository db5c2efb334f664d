"""The report's content as records: sections of prose and tables, drawn alike as HTML and as Markdown."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

_MANY = 10
"""Columns beyond which a table is set dense."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A share with its interval and its bounds, to be drawn on a scale from 0 to 1. None: there is nothing to draw."""

    rate: float | None
    interval: tuple[float, float] | None
    bounds: tuple[float, float] | None
    hollow: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """Parts of a whole: (class of the colour, name, count)."""

    parts: tuple[tuple[str, str, int], ...]

    @property
    def total(self) -> int:
        return sum(number for _, _, number in self.parts)

    @property
    def slices(self) -> list[tuple[str, str, int, float, float]]:
        """(class, name, count, left edge, width), edges in percent of the whole; parts of nothing are left out."""
        total, left, slices = self.total, 0.0, list[tuple[str, str, int, float, float]]()
        for style, name, number in self.parts:
            if number:
                width = 100 * number / total
                slices.append((style, name, number, left, width))
                left += width
        return slices


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, and on the page a drawing or a link to the statements that it counts."""

    text: str
    drawing: Interval | Bar | None = None
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: numbers stand right; a drawn column has no text, and is left out of Markdown.

    `style` is the class of the colour that stands for the column in the drawings of its rows.
    """

    title: str
    number: bool = False
    drawn: bool = False
    style: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. The first `headers` columns head their rows; equal neighbours in the first of two are merged."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    headers: int = 1

    @property
    def is_drawn(self) -> bool:
        """Whether a column holds drawings, which want the whole width."""
        return any(column.drawn for column in self.columns)

    @property
    def is_dense(self) -> bool:
        """Whether there are so many columns that they must stand close to fit a page."""
        return len(self.columns) > _MANY

    @property
    def groups(self) -> list[list[tuple[Cell, ...]]]:
        """The rows in runs of an equal first cell, where two columns head them; else one run."""
        if self.headers < 2:
            return [list(self.rows)]
        runs: list[list[tuple[Cell, ...]]] = []
        for row in self.rows:
            if runs and runs[-1][0][0].text == row[0].text:
                runs[-1].append(row)
            else:
                runs.append([row])
        return runs


@dataclass(frozen=True, slots=True)
class Panel:
    """One line of a trend: a pipeline by a judge, as (date, position from 0 to 1, rate, low, high)."""

    title: str
    points: tuple[tuple[str, float, float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Detail:
    """A sentence and tables that stand folded under a title."""

    title: str
    prose: str
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report: sentences, then tables, then what is folded away."""

    id: str
    title: str
    prose: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    panels: tuple[Panel, ...] = ()
    details: tuple[Detail, ...] = ()


def cells(values: Iterable[str | Cell]) -> tuple[Cell, ...]:
    """A row; plain text becomes a cell."""
    return tuple(value if isinstance(value, Cell) else Cell(value) for value in values)


def to_statements(filters: Mapping[str, str]) -> str:
    """The address, within the page, of the statements that pass these filters."""
    return "#statements?" + "&".join(f"{key}={quote(value, safe='')}" for key, value in filters.items())


def counted(number: int, filters: Mapping[str, str]) -> Cell:
    """A count that leads to what it counts; a count of nothing leads nowhere."""
    return Cell(f"{number:,}", link=to_statements(filters) if number else None)
