"""`/ratings-file` sends an administrator the ratings of a session or a stage as CSV, for the organiser's archive.

Only a post exports, because an export is an entry in the audit. Without a fresh sign-in the browser goes to confirm who
it is, and from there back to the page with the form.
"""

from collections.abc import AsyncIterator
from typing import IO
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_http_methods

from apps.accounts.actors import Viewer
from apps.accounts.requests import SeeOther, viewer_of_request
from apps.accounts.services.profile import answer_keep
from apps.core.commands import Access, Answer, Command, Frame, refusal, refusal_of
from apps.core.limits import ID_DIGITS
from apps.core.texts import texts
from apps.core.threads import in_thread
from apps.ratings.enums import ExportKind
from apps.ratings.services.export import RatingsFile, SignInNeeded, ratings_export
from components.pages.admin.records.export import ANCHOR, KIND, NUMBER
from components.ui.areas import RECORDS
from components.ui.posted_forms import COMMAND
from project.process.commands import TOO_FAST
from project.process.web_process import process
from project.visit import request_language

CHUNK = 65_536  # bytes


@require_http_methods(["GET", "HEAD", "POST"])
async def ratings_file(request: HttpRequest) -> HttpResponseBase:
    """Return the file of the posted session or stage; other requests are led to the page with the form."""
    # in a thread that gives back its database connection before the browser has read the file
    return await in_thread(lambda: _answer(request))


def _answer(request: HttpRequest) -> HttpResponseBase:
    viewer = viewer_of_request(request)
    if not viewer.is_signed_in:
        return SeeOther(f"/login?{urlencode({'next': RECORDS})}")
    if not viewer.is_admin:
        return SeeOther("/")
    chosen = _chosen(request)
    if request.method != "POST" or chosen is None:
        return SeeOther(RECORDS)
    return _exported(request, viewer, *chosen)


def _chosen(request: HttpRequest) -> tuple[ExportKind, int] | None:
    """Return the posted kind and id; None unless exactly one of the forms of the page can have sent them."""
    posted = {kind: request.POST[kind.value] for kind in ExportKind if kind.value in request.POST}
    if len(posted) != 1:
        return None
    ((kind, number),) = posted.items()
    is_number = number.isascii() and number.isdigit() and len(number) <= ID_DIGITS
    return (kind, int(number)) if is_number else None


def _exported(request: HttpRequest, viewer: Viewer, kind: ExportKind, number: int) -> HttpResponseBase:
    t = texts(request_language(request))
    if not process.connection_limits.post_command(viewer.id or 0, EXPORT.name, is_admin=True):
        return _answered(viewer, refusal(t(TOO_FAST), again=True))
    try:
        return _streamed(ratings_export(actor=viewer, kind=kind, subject_id=number))
    except SignInNeeded:
        back = f"{RECORDS}?{urlencode({KIND: kind.value, NUMBER: number})}#{ANCHOR}"
        return SeeOther(f"/reauthenticate?{urlencode({'next': back})}")
    except Exception as error:  # noqa: BLE001 - every failure has its sentence, and `refusal_of` logs it
        return _answered(viewer, refusal_of(error, EXPORT, t))


def _streamed(file: RatingsFile) -> StreamingHttpResponse:
    """Return the response that reads the file in chunks and closes it."""
    headers = {
        "Content-Disposition": f'attachment; filename="{file.name}"',
        "Content-Length": str(file.size),
        "Cache-Control": "no-store",
    }
    return StreamingHttpResponse(_chunks(file.content), content_type="text/csv; charset=utf-8", headers=headers)


async def _chunks(content: IO[bytes]) -> AsyncIterator[bytes]:
    try:
        while chunk := await in_thread(lambda: content.read(CHUNK)):
            yield chunk
    finally:
        content.close()


def _answered(viewer: Viewer, answer: Frame) -> HttpResponse:
    """Redirect the browser to the page, which shows this answer."""
    data = {"command": EXPORT.name, "argument": "", "answer": answer, "values": {}}
    answer_id = answer_keep(user_id=viewer.id or 0, form=COMMAND, data=data)
    return SeeOther(f"{RECORDS}?{urlencode({'answer': str(answer_id)})}")


def _no_command(*_: object) -> Answer:
    raise NotImplementedError


# No socket sends this command.
EXPORT = Command("ratings_export", _no_command, Access.ADMINISTRATOR, "Error exporting ratings", "")
