"""Which page an address names: one key for the spellings of one address."""

import re
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

# Parameters that tell a site where a visitor came from and nothing on the page. courlan's list is longer, but takes
# `ref`, `source` and `id`-like names as well, which do name documents on official sites.
_TRACKING = re.compile(
    r"(?:utm|mtm|pk|itm|hsa|oly|vero)_\w+|(?:fb|g|d|y|tw)clid|msclkid|[gw]braid|mc_[ce]id|_ga|_gl|igshid|xtor|at_\w+"
)
_PORTS = {"http": 80, "https": 443}


def page_key(address: str) -> str | None:
    """What is equal for two addresses of one page; None for what is no web address (`mailto:`, `#part`, a path).

    Equal are: http and https, the case and the default port of the host, a slash at the end, a fragment (but for a
    route such as `#/detail/1`), tracking parameters, the order of the others, and percent-encoding.
    """
    try:
        parts = urlsplit(address.strip())
        port = parts.port
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not host:
        return None
    place = host if port in (None, _PORTS[parts.scheme]) else f"{host}:{port}"
    path = quote(unquote(parts.path, errors="surrogateescape"), errors="surrogatepass").rstrip("/")
    given = parse_qsl(parts.query, keep_blank_values=True, errors="surrogateescape")
    kept = sorted((name, value) for name, value in given if not _TRACKING.fullmatch(name.lower()))
    query = urlencode(kept, errors="surrogatepass")
    route = parts.fragment if parts.fragment.startswith(("/", "!/")) else ""
    return place + path + (f"?{query}" if query else "") + (f"#{route}" if route else "")
