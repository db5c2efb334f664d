"""`web`: a search engine's pages, read, cut into passages and reranked (seed 000, section 3.2)."""

import asyncio
import datetime as dt

from faithflow.corpus.chunking import passages_of
from faithflow.corpus.document import Document
from faithflow.identity import Json
from faithflow.pipelines.retrieve import best
from faithflow.pipelines.trajectory import Found, Trajectory
from faithflow.retrieval.model import IndexedPassage, Web, WebError, WebPage, WebResult
from faithflow.text.unicode import without_surrogates

# What one page may bring: a page of that length is no article, and each passage costs the reranker a pass.
_PASSAGES_A_PAGE = 20


async def gather(trajectory: Trajectory) -> list[int]:
    """The best `caps.web_context` passages of the first `caps.web_results` pages.

    A search or a page that fails is recorded with its reason and brings nothing. Pages dated after the day as of
    which is asked are seen and cut. Without a reranker the pages take turns, in the search engine's order.
    """
    tools, question = trajectory.tools, trajectory.question.question
    web = tools.web
    if web is None:
        trajectory.step("web_search", question, {"failed": "the study has no web search"})
        return []
    try:
        results = await web.search(question, tools.caps.web_results)
    except WebError as error:
        trajectory.step("web_search", question, {"engine": web.name, "failed": str(error)})
        return []
    listed: list[Json] = [{"url": r.url, "title": r.title, "snippet": r.snippet} for r in results]
    trajectory.step("web_search", question, {"engine": web.name, "results": listed})
    pages = await asyncio.gather(*(_fetch(web, result) for result in results))
    places: list[tuple[int, int]] = []
    for result, page in zip(results, pages, strict=True):
        if isinstance(page, WebError):
            trajectory.step("fetch", result.url, {"failed": str(page)})
            continue
        passages = _passages(page)
        detail: dict[str, Json] = {"url": page.url, "title": page.title, "date": page.date, "passages": len(passages)}
        step = trajectory.step("fetch", result.url, detail)
        seen = trajectory.see(step, "web", (Found(passage) for passage in passages))
        if _is_later(page, tools.scope.as_of):
            trajectory.cut(seen, "scope")
        else:
            places += enumerate(seen)
    in_turn = [place for _, place in sorted(places)]
    return await best(trajectory, question, in_turn, tools.caps.web_context)


async def _fetch(web: Web, result: WebResult) -> WebPage | WebError:
    try:
        return await web.fetch(result.url)
    except WebError as error:
        return error


def _passages(page: WebPage) -> list[IndexedPassage]:
    clean = WebPage(*(without_surrogates(part) for part in (page.url, page.title, page.text, page.date)))
    document = Document(reference=clean.url, kind="web", title=clean.title, text=clean.text)
    pieces = passages_of(document)[:_PASSAGES_A_PAGE]
    return [clean.passage(piece.text, piece.position) for piece in pieces]


def _is_later(page: WebPage, as_of: dt.date) -> bool:
    try:
        return dt.date.fromisoformat(page.date[:10]) > as_of
    except ValueError:
        return False
