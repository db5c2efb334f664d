"""The errors that a user can mend. Each message names the file, line or key and says what to do."""


class UserError(Exception):
    """Bad input, study or environment: the command line prints the message alone and exits with 2."""


class StudyError(UserError):
    """The study file is not valid; the message gives the path to each wrong key."""


class TraceError(UserError):
    """A traces file is not valid; the message gives each bad line's number and reason."""


class CorpusError(UserError):
    """A file of the corpus or of its questions is not valid; the message names the file and the line, row or key."""


class TableError(UserError):
    """A frame breaks its table's contract (registry); nothing was written."""


class LateRunError(UserError):
    """Fresh calls were asked for under a judging date that is not today."""


class StoreError(Exception):
    """A database failed in the middle of a run: what was kept stays, the same command goes on once it is back."""
