"""`/search/suggestions?q=` answers the search field of the bar while a visitor types."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from apps.accounts.requests import viewer_of_request
from apps.core.observability import address_key
from apps.core.texts import Texts, texts
from apps.core.threads import in_thread
from apps.search.enums import Kind
from apps.search.limits import SUGGESTED
from apps.search.results import Found, Hit, Marks
from apps.search.selectors import found
from components.parts.covered_texts import Covered, count_words, sight_of
from components.parts.search import NAMES, corrected_words, hits_sighted, search_address
from project.http.middleware import PERSONAL
from project.process.web_process import process
from project.visit import request_language

TOO_MANY = "That were many searches. Please wait a moment, or press Enter."  # a source of gettext


@require_safe
async def suggestions(request: HttpRequest) -> JsonResponse:
    """Return the first hits of each kind as JSON: texts as pieces, each with whether it matches."""
    language = request_language(request)
    t, typed = texts(language), request.GET.get("q", "")
    address = address_key(getattr(request, "scope", {}).get("client"))
    if seconds := process.connection_limits.suggest(address) if typed.strip() else 0:
        answer = JsonResponse({"words": t(TOO_MANY), "groups": []}, status=429, headers={"Retry-After": str(seconds)})
    else:
        answer = JsonResponse(await in_thread(lambda: _answer(request, typed, language)))
    answer.headers["Cache-Control"] = PERSONAL
    return answer


def _answer(request: HttpRequest, typed: str, language: str) -> dict[str, Any]:
    viewer = viewer_of_request(request)
    answer = found(typed, is_administrator=viewer.is_admin, most=SUGGESTED)
    t, sight = texts(language), sight_of(viewer) if any(group.kind is Kind.POST for group in answer.groups) else ""
    return {
        "words": _words(answer, t),
        "groups": [
            {"name": t(NAMES[group.kind]), "hits": [_hit(hit, answer, t) for hit in hits_sighted(group, sight)]}
            for group in answer.groups
        ],
        "all": {"words": t("All results"), "address": search_address(answer.words)} if answer.groups else None,
    }


def _words(answer: Found, t: Texts) -> str:
    """Return what a screen reader says about the answer, and a page shows if there are no hits."""
    if not answer.words:
        return ""
    count = sum(len(group.hits) for group in answer.groups)
    if not count:
        return t("Nothing found for “{words}”.").format(words=answer.words)
    number = t.plural("%(n)d suggestion", "%(n)d suggestions", count)
    return " ".join(filter(None, (corrected_words(answer, t), f"{number}.")))


def _hit(hit: Hit | Covered, answer: Found, t: Texts) -> dict[str, Any]:
    if isinstance(hit, Covered):  # its line with the button is among the results
        address = search_address(answer.words, Kind.POST)
        title, detail = _pieces(count_words(hit, t), ()), _pieces(hit.performer, ())
        return {"title": title, "detail": detail, "note": "", "address": address, "is_name": False}
    note = "" if hit.is_public else t("not public")
    return {
        "title": _pieces(hit.title, hit.title_marks),
        "detail": _pieces(hit.detail, hit.detail_marks),
        "note": note,
        "address": hit.address,
        "is_name": hit.kind is Kind.PARTICIPANT,
    }


def _pieces(text: str, marks: Marks) -> list[Sequence[Any]]:
    """Return the pieces of a text in their order, each with whether it matches."""
    pieces: list[Sequence[Any]] = []
    place = 0
    for start, end in marks:
        pieces += [(text[place:start], False), (text[start:end], True)]
        place = end
    return [piece for piece in (*pieces, (text[place:], False)) if piece[0]]
