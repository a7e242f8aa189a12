"""Calendar files: `/calendar.ics` of all sessions, and `/participants/{id}.ics` of a participant's appearances.

`/calendars/{secret}.ics` has the appearances of the performers that one member follows. Its view is here and not in
`apps/following`, because an app does not import `components/calendars.py`.

They are in the site's language, because programs that read them name none. A program that sends what it has got gets
304 while nothing has changed.
"""

import hashlib
from functools import lru_cache, partial
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotFound, HttpResponseRedirect
from django.urls import resolve
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from apps.competition.selectors.public.calendar import CalendarRow, calendar_appearances, calendar_sessions
from apps.competition.selectors.public.participants import participant_get
from apps.core.addresses import spellings
from apps.core.database.fields import venue_zone
from apps.core.texts import texts
from apps.core.threads import in_thread
from apps.following.selectors import calendar_owner, followed_ids
from project.http.middleware import NO_REFERRER

TYPE = "text/calendar; charset=utf-8"
CACHED = "public, max-age=300"  # seconds
NO_CALENDAR = "This calendar does not exist, or it has another address now."
VERSION = 2  # of what `calendar_file` makes of equal rows; another one changes every ETag


@require_safe
async def sessions_calendar(request: HttpRequest) -> HttpResponseBase:
    """Return the calendar of all sessions. One query."""
    name = texts(settings.LANGUAGE_CODE)("Parterre: all sessions")
    return await in_thread(lambda: _answered(request, calendar_sessions(), name, "calendar.ics"))


@require_safe
async def participant_calendar(request: HttpRequest, participant_id: int) -> HttpResponseBase:
    """Return the calendar of a participant's appearances; 404 for an unknown participant. Two queries."""
    return await in_thread(lambda: participant_file(request, participant_id))


def participant_file(request: HttpRequest, participant_id: int) -> HttpResponseBase:
    """Return the calendar of this participant. Two queries."""
    participant, t = participant_get(participant_id=participant_id), texts(settings.LANGUAGE_CODE)
    if participant is None:
        return _missing(t("Participant not found."))
    rows = calendar_appearances(participant_ids=(participant_id,))
    return _answered(request, rows, t("Parterre: {name}").format(name=participant.name), f"{participant_id}.ics")


@require_safe
async def private_calendar(request: HttpRequest, secret: str) -> HttpResponseBase:
    """Return the calendar of the performers that the member with this secret follows; 404 without one. Three queries.

    The secret is all that it needs, because calendar programs have no session. No cache stores the answer (the
    middleware's `no-store`), and no search engine lists it.
    """
    return _private(await in_thread(lambda: private_file(request, secret)))


def _private(answer: HttpResponseBase) -> HttpResponseBase:
    answer["X-Robots-Tag"], answer["Referrer-Policy"] = "noindex", NO_REFERRER
    return answer


def private_file(request: HttpRequest, secret: str) -> HttpResponseBase:
    """Return the calendar of the member with this secret. Three queries."""
    owner, t = calendar_owner(secret=secret), texts(settings.LANGUAGE_CODE)
    if owner is None:
        return _missing(t(NO_CALENDAR))
    rows = calendar_appearances(participant_ids=followed_ids(user_id=owner))
    return _answered(request, rows, t("Parterre: performers you follow"), "following.ics", is_public=False)


@require_safe
async def no_calendar(request: HttpRequest, **_ignored: str) -> HttpResponseBase:
    """Redirect from a misspelled address of a private calendar, and return 404 for all others. At most one query."""
    for spelling in spellings(request.path):
        secret = resolve(spelling).kwargs.get("secret", "")
        if await in_thread(partial(calendar_owner, secret=secret)):
            return _private(HttpResponseRedirect(spelling))
    return _missing(texts(settings.LANGUAGE_CODE)(NO_CALENDAR))


def _missing(sentence: str) -> HttpResponseNotFound:
    return HttpResponseNotFound(f"{sentence}\n", content_type="text/plain; charset=utf-8")


def _answered(
    request: HttpRequest, rows: tuple[CalendarRow, ...], name: str, file_name: str, *, is_public: bool = True
) -> HttpResponseBase:
    """Return the file, which is written only if the program's copy is not current."""
    zone = venue_zone()
    shown = f"{VERSION} {settings.PUBLIC_URL} {zone.key} {name} {rows!r}"
    etag = f'"{hashlib.sha256(shown.encode()).hexdigest()[:32]}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        written = _content if is_public else _content.__wrapped__  # a private file is not kept in memory
        response = HttpResponse(written(rows, name, zone, settings.LANGUAGE_CODE), content_type=TYPE)
        response["Content-Disposition"] = f'inline; filename="{file_name}"'
    response["ETag"] = etag
    if is_public:
        response["Cache-Control"] = CACHED
    return response


@lru_cache(maxsize=32)  # many programs follow the calendar of all sessions
def _content(rows: tuple[CalendarRow, ...], name: str, zone: ZoneInfo, language: str) -> bytes:
    from components.calendars import calendar_file  # noqa: PLC0415 - imports icalendar; this is a worker thread

    return calendar_file(rows, name=name, zone=zone, t=texts(language))
