"""Opening a graph store: a file (Ladybug) or a server (Neo4j)."""

from pathlib import Path
from urllib.parse import urlsplit

from faithflow.errors import UserError
from faithflow.graph.model import GraphStore
from resources.graph_ladybug import LadybugStore
from resources.graph_neo4j import Neo4jStore

_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")


def open_graph_store(
    location: str | Path,
    user: str | None = None,
    password: str | None = None,
    database: str | None = None,
    graph: str = "faithflow",
) -> GraphStore:
    """The graph at a file's path, or on the Neo4j server at a bolt:// or neo4j:// URL.

    The other arguments are for a server: without a user it is asked without credentials, without a database for its
    own default one; graphs of different names on one server do not meet. Raises UserError where the URL is of another
    kind, the driver is not installed, or the server does not answer.
    """
    if "://" not in str(location):
        return LadybugStore(Path(location))
    parts = urlsplit(str(location))
    if parts.scheme not in _SCHEMES:
        raise UserError(
            f"no graph store of the kind {parts.scheme}://: use a file's path, or one of {', '.join(_SCHEMES)}"
        )
    if parts.username is not None or parts.password is not None:
        raise UserError(
            f"the address of Neo4j holds a user or a password: write {parts.scheme}://{parts.hostname}:… and give them "
            "in variables of their own"
        )
    return Neo4jStore(str(location), user, password, database, graph)
