"""Where a study's ledger lies."""

import os
from pathlib import Path

from faithflow.errors import UserError
from faithflow.study.model import Study


def ledger_url(study: Study, default: Path) -> str:
    """The ledger's database: the URL in the variable that the study names, else the SQLite file `default`.

    Raises UserError where the variable is not set.
    """
    name = study.stores.ledger_url_env
    if name is None:
        return str(default)
    url = os.environ.get(name)
    if not url:
        raise UserError(f"stores.ledger_url_env: the environment variable {name} is not set")
    return url
