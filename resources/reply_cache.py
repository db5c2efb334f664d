"""Replies that were once had, kept in a folder: nothing is fetched or paid for twice."""

import json
from pathlib import Path

from faithflow.identity import Json, canonical_json, digest
from resources.files import replacing


class ReplyCache:
    """One file a reply, named by the hash of what was asked. Safe for several processes; failures are never kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, asked: Json) -> Json:
        """The reply, None where there is none (or where its file is damaged: then it is asked for anew)."""
        try:
            kept = json.loads(self._path(asked).read_text(encoding="utf-8"))
            return kept["reply"] if kept["asked"] == asked else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, asked: Json, reply: Json) -> None:
        """Keep a reply (not None), durably."""
        path = self._path(asked)
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            text = canonical_json({"asked": asked, "reply": reply})
            temporary.write_text(text, encoding="utf-8", errors="backslashreplace")

    def _path(self, asked: Json) -> Path:
        name = digest(asked)
        return self._folder / name[:2] / f"{name[:40]}.json"
