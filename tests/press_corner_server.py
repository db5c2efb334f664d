"""A server on the loopback interface that plays the European Commission's Press Corner, its faults included.

Shapes and habits are those that public clients have written down: lower-case parameters, totals that count entries
which never come, empty replies of status 200, replies that are no JSON.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web

from tests.web_server import Asked, WebServer

PATH = "/commission/presscorner"


@dataclass(frozen=True, slots=True)
class Release:
    """A document that the server has, and the words by which it is found."""

    reference: str
    title: str
    date: dt.date
    html: str = "<p>Some text.</p>"
    topics: tuple[str, ...] = ("harbours",)
    language: str = "en"
    changes: dict[str, Any] = field(default_factory=dict)

    @property
    def payload(self) -> dict[str, Any]:
        """The reply to a request for the document; `changes` overwrite its fields."""
        code = self.reference.split("/")[0]
        version = {
            "ky": 1,
            "title": self.title,
            "subtitle": self.title,
            "htmlContent": self.html,
            "pdfContent": None,
            "hasPdf": True,
            "language": self.language.upper(),
            "etranslated": False,
            "original": True,
        }
        return {
            "ky": 2,
            "docuLanguageResource": version,
            "refCd": self.reference,
            "eventDate": self.date.isoformat(),
            "publishDate": f"{self.date}T09:47:46.000+02:00",
            "isEmbargo": False,
            "originalLanguage": "EN",
            "docutypeResource": {"code": code, "description": code.title()},
            **self.changes,
        }

    @property
    def entry(self) -> dict[str, Any]:
        code = self.reference.split("/")[0]
        return {
            "ky": 3,
            "languageCode": self.language.upper(),
            "eventDate": self.date.isoformat(),
            "title": self.title,
            "leadText": None,
            "docutype": {"ky": 1, "code": code, "description": code.title(), "order": 1},
            "refCode": self.reference,
            "isETranslated": False,
        }


PHANTOM: dict[str, Any] = {"ky": 4, "languageCode": "EN", "eventDate": None, "title": None, "refCode": None}


@dataclass(slots=True)
class Fault:
    """What the server answers instead: once for each item, in order."""

    status: int = 200
    body: str = ""
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)

    def response(self) -> web.Response:
        return web.Response(status=self.status, text=self.body, content_type=self.content_type, headers=self.headers)


EMPTY = Fault()
BROKEN = Fault(503)
NOT_JSON = Fault(body="<html>One moment, please</html>", content_type="text/html")
NULL = Fault(body="null")
LIST = Fault(body="[]")


class PressCornerServer:
    """Serves releases while it is entered.

    `phantoms` are entries that totals count and pages may hold but that name no document: (counted, shown). `largest`
    is the most entries that a page has, whatever is asked. `fail` sets the answers to come for a reference, or for the
    page of a search ("page 2"), before the real one.
    """

    def __init__(
        self,
        releases: Sequence[Release],
        *,
        phantoms: tuple[int, int] = (0, 0),
        largest: int = 100,
        clamps: bool = False,
    ) -> None:
        self._releases = sorted(releases, key=lambda release: release.date, reverse=True)
        self._phantoms = phantoms
        self._largest = largest
        self._clamps = clamps
        self._faults: defaultdict[str, list[Fault]] = defaultdict(list)
        self._server = WebServer(self._answer)
        self.feed = ""

    def __enter__(self) -> Self:
        self._server.__enter__()
        self.base_url = self._server.url + PATH
        return self

    def __exit__(self, *error: object) -> None:
        self._server.__exit__(*error)

    def fail(self, what: str, *faults: Fault) -> None:
        self._faults[what] += faults

    @property
    def requests(self) -> list[Asked]:
        return self._server.requests

    def asked(self, name: str) -> list[dict[str, str]]:
        """The parameters of all requests of one kind (documents, search)."""
        return [request.query for request in self.requests if request.path == f"{PATH}/api/{name}"]

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        if request.method != "GET":
            return web.Response(status=405)
        match request.path.removeprefix(PATH):
            case "/api/documents":
                return self._document(request.query.get("reference", ""), request.query.get("language", ""))
            case "/api/search":
                return self._search(dict(request.query))
            case "/api/rss":
                return web.Response(text=self.feed, content_type="application/rss+xml")
            case _:
                page = "<html><head><title>Press Corner</title></head><body><app-root></app-root></body></html>"
                return web.Response(text=page, content_type="text/html")

    def _document(self, reference: str, language: str) -> web.Response:
        if faults := self._faults[reference]:
            return faults.pop(0).response()
        for release in self._releases:
            if release.reference == reference and release.language == language:
                return web.json_response(release.payload)
        return EMPTY.response()

    def _search(self, query: dict[str, str]) -> web.Response:
        number = int(query.get("pagenumber", "1"))
        if faults := self._faults[f"page {number}"]:
            return faults.pop(0).response()
        since, until = (_day(query[name]) if name in query else None for name in ("datefrom", "dateto"))
        codes = query["documentTypeCodes"].split(",") if "documentTypeCodes" in query else None
        found = [
            release.entry
            for release in self._releases
            if query.get("global", "") in release.topics
            and release.language == query.get("language")
            and (codes is None or release.reference.split("/")[0] in codes)
            and (since is None or release.date >= since)
            and (until is None or release.date <= until)
        ]
        counted, shown = self._phantoms
        found = [PHANTOM] * shown + found if found else []
        size = min(int(query.get("pagesize", "10")), self._largest)
        if self._clamps:
            number = max(1, min(number, -(-len(found) // size)))
        page = {
            "totalNumber": len(found) + counted,
            "pageSize": size,
            "pageNumber": number,
            "docuLanguageListResources": found[(number - 1) * size : number * size],
        }
        return web.json_response(page)


def _day(text: str) -> dt.date:
    return dt.datetime.strptime(text, "%d%m%Y").date()
