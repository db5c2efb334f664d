"""Files that are never seen half-written, and short locks between processes."""

import contextlib
import os
import time
import uuid
from collections.abc import Generator
from pathlib import Path

from faithflow.errors import TableError

_LEFTOVER_AFTER_S = 3600
_LOCK_WAIT_S = 600


@contextlib.contextmanager
def locked(path: Path) -> Generator[None]:
    """Hold the lock of one file's writers; readers need none. A dead process holds no lock.

    Raises TableError where another process holds it for ten minutes.
    """
    from filelock import FileLock, Timeout

    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=_LOCK_WAIT_S)
    try:
        lock.acquire()
    except Timeout:
        raise TableError(f"{path}: another process has been writing it for {_LOCK_WAIT_S} s; try again later") from None
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def replacing(path: Path) -> Generator[Path]:
    """A temporary name beside `path`: what is written there takes the place of `path` at once, durably, on success.

    On failure it is removed and `path` stays as it was. Leftovers of killed writers go after an hour.
    """
    remove_leftovers(path)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        yield temporary
        _sync(temporary)
        temporary.replace(path)
        _sync(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def remove_leftovers(path: Path) -> None:
    """Remove the temporary files of `path` that nobody has touched for an hour."""
    for leftover in path.parent.glob(f".{path.name}.*.tmp*"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - leftover.stat().st_mtime > _LEFTOVER_AFTER_S:
                leftover.unlink()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
