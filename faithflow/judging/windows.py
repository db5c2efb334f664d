"""Evidence that does not fit a judge's context window goes in windows, recorded and complete."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from faithflow.judging.prompt import AskedClaim, Exhibit, messages_for
from faithflow.llm.tokens import estimate_prompt, estimate_tokens
from faithflow.text.sentences import sentence_spans

# What a judge writes for one claim: label, ids and two sentences; and the frame around them.
TOKENS_PER_VERDICT = 120
_REPLY_FRAME = 60

# What JSON adds around one piece of evidence or one claim.
_FRAME = 24

# A window in which the claims leave less room than this for evidence is no window: the claims are split first.
_MIN_EVIDENCE = 64


@dataclass(frozen=True, slots=True)
class Window:
    """What one ask holds: some claims, and as much of the evidence as fits beside them."""

    claims: tuple[AskedClaim, ...]
    evidence: tuple[Exhibit, ...]


class TooLongError(Exception):
    """A single claim leaves no room for evidence in the judge's window."""


def plan_windows(
    question: str,
    evidence: Sequence[Exhibit],
    claims: Sequence[AskedClaim],
    context_window: int | None,
    max_reply_tokens: int | None = None,
) -> list[Window]:
    """The asks that together show every claim all of the evidence, each within `context_window` tokens.

    None means no limit is known: one window. Passages are kept in their order and whole where they fit; a longer one
    is split between sentences, all parts under its id. Raises TooLongError where one claim alone leaves no room.
    """
    if context_window is None:
        return [Window(tuple(claims), tuple(evidence))]
    size = _size(evidence)

    def plan(part: Sequence[AskedClaim]) -> list[Window]:
        room = _evidence_room(question, part, context_window, max_reply_tokens)
        if room >= size:
            return [Window(tuple(part), tuple(evidence))]
        if room < max(_MIN_EVIDENCE, context_window // 4) and len(part) > 1:
            half = len(part) // 2
            return [*plan(part[:half]), *plan(part[half:])]
        if room < _MIN_EVIDENCE:
            raise TooLongError
        return [Window(tuple(part), packed) for packed in _pack(evidence, room)]

    return plan(claims)


def _evidence_room(
    question: str, claims: Sequence[AskedClaim], context_window: int, max_reply_tokens: int | None
) -> int:
    """The tokens that the prompt's fixed part, the claims and the reply leave for evidence."""
    reply = max_reply_tokens or _REPLY_FRAME + TOKENS_PER_VERDICT * len(claims)
    fixed = estimate_prompt(messages_for(question, (), claims))
    return context_window - fixed - reply


def _size(evidence: Sequence[Exhibit]) -> int:
    return sum(_FRAME + estimate_tokens(exhibit.text) for exhibit in evidence)


def _pack(evidence: Sequence[Exhibit], room: int) -> list[tuple[Exhibit, ...]]:
    windows: list[tuple[Exhibit, ...]] = []
    current: list[Exhibit] = []
    used = 0
    for part in (part for exhibit in evidence for part in _parts(exhibit, room - _FRAME)):
        size = _FRAME + estimate_tokens(part.text)
        if current and used + size > room:
            windows.append(tuple(current))
            current, used = [], 0
        current.append(part)
        used += size
    return [*windows, tuple(current)]


def _parts(exhibit: Exhibit, room: int) -> list[Exhibit]:
    """A passage whole where it fits, else in runs of sentences; a sentence that is too long is split by characters."""
    if estimate_tokens(exhibit.text) <= room:
        return [exhibit]
    cuts = [span.start for span in sentence_spans(exhibit.text)][1:]
    pieces = [exhibit.text[a:b] for a, b in zip([0, *cuts], [*cuts, len(exhibit.text)], strict=True)]
    runs: list[list[str]] = []
    used = 0
    for bit in (bit for piece in pieces for bit in _bits(piece, room)):
        size = estimate_tokens(bit)
        # white space that was cut in two is a run again where both halves meet
        if runs and bit[0].isspace() and runs[-1][-1][-1].isspace():
            size += 1
        if runs and used + size <= room:
            runs[-1].append(bit)
            used += size
        else:
            runs.append([bit])
            used = size
    return [replace(exhibit, text="".join(run)) for run in runs]


def _bits(piece: str, room: int) -> list[str]:
    if estimate_tokens(piece) <= room or len(piece) == 1:
        return [piece]
    half = len(piece) // 2
    return [*_bits(piece[:half], room), *_bits(piece[half:], room)]
