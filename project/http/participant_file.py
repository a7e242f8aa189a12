"""`/participant-file`: a file of participants, sent by a plain form or, of one session, taken away.

For administrators. What was sent is stored with what its rows will do; the browser goes on to the page that shows that.
"""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from apps.accounts.actors import Viewer
from apps.accounts.requests import SeeOther, viewer_of_request
from apps.accounts.services import answer_keep
from apps.core.commands.registry import Answer, Command, Frame, refusal, refusal_of
from apps.core.limits import ID_DIGITS
from apps.core.texts import texts
from apps.imports.limits import FILE_BYTES
from apps.imports.selectors import participants_export
from apps.imports.services import participant_file_store
from components.pages.admin.imports.participants.query import REFUSED
from components.ui.controls.posted_answer import COMMAND
from project.http.language import request_language
from project.process.command_run import TOO_FAST
from project.process.web_process import process

PAGE = "/admin/import"
FIELD = "file"


@require_http_methods(["GET", "HEAD", "POST"])
def participant_file(request: HttpRequest) -> HttpResponse:
    """Store the file that was posted, or answer with that of the session in the address."""
    viewer = viewer_of_request(request)
    if not viewer.is_signed_in:
        return SeeOther(f"/login?{urlencode({'next': PAGE})}")
    if not viewer.is_admin:
        return SeeOther("/")
    return _store(request, viewer) if request.method == "POST" else _export(request)


def _store(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    t = texts(request_language(request))
    if not process.connection_limits.post_command(viewer.id or 0, STORE.name, is_admin=True):
        return _answered(viewer, refusal(t(TOO_FAST), again=True))
    sent = request.FILES.get(FIELD)
    if sent is None:
        return _answered(viewer, refusal(t("Please choose a file.")))
    try:
        content = sent.read(FILE_BYTES + 1)
        stored = participant_file_store(actor=viewer, file_name=sent.name or "", content=content)
    except Exception as error:  # noqa: BLE001 - every failure has its sentence, and is logged there
        return _answered(viewer, refusal_of(error, STORE, t))
    return SeeOther(f"{PAGE}?{urlencode({'file': stored.pk})}")


def _export(request: HttpRequest) -> HttpResponse:
    session = request.GET.get("session", "")
    if not (session.isascii() and session.isdigit() and len(session) <= ID_DIGITS):
        return SeeOther("/admin/participants")
    written = participants_export(session_id=int(session))
    headers = {"Content-Disposition": f'attachment; filename="participants-{int(session)}.csv"'}
    return HttpResponse(written.text.encode("utf-8-sig"), content_type="text/csv; charset=utf-8", headers=headers)


def _answered(viewer: Viewer, answer: Frame) -> HttpResponse:
    """Send the browser to the page that shows this answer."""
    data = {"command": STORE.name, "argument": "", "answer": answer, "values": {}}
    answer_id = answer_keep(user_id=viewer.id or 0, form=COMMAND, data=data)
    return SeeOther(f"{PAGE}?{urlencode({'file': REFUSED, 'answer': str(answer_id)})}")


def _no_command(*_: object) -> Answer:
    raise NotImplementedError


STORE = Command("participant_file_store", _no_command, "Error reading file", "")  # no socket sends one
