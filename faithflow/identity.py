"""Content hashes: the ids of everything that faithflow makes. Equal bytes give equal ids, in every run."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None


def canonical_json(value: Json) -> str:
    """One spelling for one value: sorted keys, no spaces, UTF-8 kept. Raises ValueError on NaN and infinities."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: Json) -> str:
    """The SHA-256 of a value's canonical JSON, as 64 hex digits. Lone surrogates are hashed as they stand."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


def content_id(prefix: str, value: Json) -> str:
    """A short id `<prefix>_<20 hex digits>` of a value: 80 bits, so a collision among 10^9 items is below 10^-6."""
    return f"{prefix}_{digest(value)[:20]}"
