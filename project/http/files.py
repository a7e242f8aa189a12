"""`/participant-file` imports and exports participants; `/stages/…` serves the files of a ranking.

Administrators import a file with a form, and export the participants of one session. An imported file is stored with
the planned changes, and the browser is redirected to the page that shows them.
"""

import gzip
import hashlib
import json
from collections.abc import Callable, Mapping
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotFound
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.actors import Viewer
from apps.accounts.requests import SeeOther, viewer_of_request
from apps.accounts.services.profile import answer_keep
from apps.competition.selectors.public.stages import stage_ids
from apps.core.commands import Access, Answer, Command, Frame, refusal, refusal_of
from apps.core.limits import ID_DIGITS
from apps.core.texts import Texts, texts
from apps.core.threads import in_thread
from apps.imports.limits import FILE_BYTES
from apps.imports.participant_files.sample import sample_text, sample_workbook
from apps.imports.participant_files.summary import sheet_words
from apps.imports.selectors.participant_files import participants_export
from apps.imports.services.jury_files import jury_file_store
from apps.imports.services.participant_files import participant_file_keep, participant_file_store
from apps.imports.services.programs import program_file_store
from apps.jury.selectors import jury_csv
from apps.ranking.limits import EVERY
from apps.ranking.selectors import run_get
from apps.ranking.selectors.files import marks_file, program_file, ranking_csv, ranking_json
from components.pages.admin.imports.participant_file import LARGE, NO_FILE
from components.pages.admin.imports.participants import REFUSED
from components.parts.jury.sheet import NOT_PUBLISHED
from components.ui.posted_forms import COMMAND
from project.http.upload_pages import JURY, PROGRAMS, sign_in_page, upload_page
from project.process.commands import TOO_FAST
from project.process.web_process import process
from project.visit import accepts, request_language

PAGE = "/admin/import"
FIELD = "file"
PROGRAMS_PAGE = upload_page(PROGRAMS)  # of pasted programs
JURY_PAGE = f"{upload_page(JURY)}?file=sent"  # of the jury's marks of a stage


@require_http_methods(["GET", "HEAD", "POST"])
def participant_file(request: HttpRequest) -> HttpResponse:
    """Store the posted file, or return a sample file or the participants of the session in the query."""
    viewer = viewer_of_request(request)
    if not viewer.is_signed_in:
        return SeeOther(sign_in_page(_kind(request)))
    if not viewer.is_admin:
        return SeeOther("/")
    return _store(request, viewer) if request.method == "POST" else _export(request)


def _kind(request: HttpRequest) -> str:
    """Return the kind of the posted file: in the query, or in a field of a page of the version before."""
    return request.GET.get("kind", "") or request.POST.get("kind", "")


def _store(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    t = texts(request_language(request))
    if not process.connection_limits.post_command(viewer.id or 0, STORE.name, is_admin=True):
        return _answered(viewer, refusal(t(TOO_FAST), again=True))
    if store := _OTHER_KINDS.get(_kind(request)):
        return store(request, viewer, t)
    sent = request.FILES.get(FIELD)
    if sent is None:
        return _refused(NO_FILE)
    try:
        content = sent.read(FILE_BYTES + 1)
        if len(content) > FILE_BYTES:
            return _refused(LARGE)
        import_id = _stored(viewer, sent.name or "", content)
    except Exception as error:  # noqa: BLE001 - every failure has its sentence, and `refusal_of` logs it
        return _answered(viewer, refusal_of(error, STORE, t))
    return SeeOther(f"{PAGE}?{urlencode({'file': import_id})}")


def _stored(viewer: Viewer, name: str, content: bytes) -> int:
    """Return the id of the stored file; one that cannot be read is kept with the reason for the page."""
    try:
        return participant_file_store(actor=viewer, file_name=name, content=content).pk
    except ValidationError as error:
        return participant_file_keep(actor=viewer, file_name=name, content=content, error=error).pk


def _refused(why: str) -> SeeOther:
    return SeeOther(f"{PAGE}?{urlencode({'file': REFUSED, 'why': why})}")


def _programs_store(request: HttpRequest, viewer: Viewer, t: Texts) -> HttpResponse:
    """Store the programs of many performers, and redirect the browser to the page that shows them."""
    sent = request.FILES.get(FIELD)
    content = sent.read(FILE_BYTES + 1) if sent else b""
    try:
        encoding = program_file_store(actor=viewer, content=content)
    except Exception as error:  # noqa: BLE001 - every failure has its sentence, and `refusal_of` logs it
        return _answered(viewer, refusal_of(error, PROGRAMS_STORE, t), PROGRAMS_PAGE)
    read = t("The file was read as {encoding}. Please look at what each block became.").format(encoding=encoding.label)
    return _answered(viewer, {"ok": True, "text": read}, PROGRAMS_PAGE)


def _jury_store(request: HttpRequest, viewer: Viewer, t: Texts) -> HttpResponse:
    """Store the jury's file of the chosen or proposed stage, and redirect the browser to the page that shows it."""
    sent, stage = request.FILES.get(FIELD), request.POST.get("stage", "")
    is_number = stage.isascii() and stage.isdigit() and len(stage) <= ID_DIGITS
    stage_id = None if not stage else int(stage) if is_number else 0
    content, name = (sent.read(FILE_BYTES + 1), sent.name or "") if sent else (b"", "")
    try:
        stored = jury_file_store(actor=viewer, stage_id=stage_id, content=content, file_name=name)
    except Exception as error:  # noqa: BLE001 - every failure has its sentence, and `refusal_of` logs it
        return _answered(viewer, refusal_of(error, JURY_STORE, t), JURY_PAGE)
    if stored.sheet:
        words = sheet_words(stored.sheet.name, stored.sheet.others, len(stored.sheet.hidden), t)
        read = t("{sheet} Please look at it below.").format(sheet=words)
    else:
        read = t("The file was read as {encoding}. Please look at it below.").format(encoding=stored.encoding.label)
    return _answered(viewer, {"ok": True, "text": read}, JURY_PAGE)


_OTHER_KINDS: Mapping[str, Callable[[HttpRequest, Viewer, Texts], HttpResponse]] = {
    PROGRAMS: _programs_store,
    JURY: _jury_store,
}


def _export(request: HttpRequest) -> HttpResponse:
    if sample := SAMPLES.get(request.GET.get("sample", "")):
        name, content_type, write = sample
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(write(), content_type=content_type, headers=headers)
    session = request.GET.get("session", "")
    if not (session.isascii() and session.isdigit() and len(session) <= ID_DIGITS):
        return SeeOther("/admin/participants")
    written = participants_export(session_id=int(session))
    headers = {"Content-Disposition": f'attachment; filename="participants-{int(session)}.csv"'}
    return HttpResponse(written.encode(), content_type="text/csv; charset=utf-8", headers=headers)


SAMPLES: dict[str, tuple[str, str, Callable[[], bytes]]] = {
    "csv": ("participants-sample.csv", "text/csv; charset=utf-8", sample_text),
    "xlsx": (
        "participants-sample.xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        sample_workbook,
    ),
}


def _answered(viewer: Viewer, answer: Frame, page: str = f"{PAGE}?file={REFUSED}") -> HttpResponse:
    """Redirect the browser to the page that shows this answer."""
    data = {"command": STORE.name, "argument": "", "answer": answer, "values": {}}
    answer_id = answer_keep(user_id=viewer.id or 0, form=COMMAND, data=data)
    return SeeOther(f"{page}&{urlencode({'answer': str(answer_id)})}")


def _no_command(*_: object) -> Answer:
    raise NotImplementedError


# No socket sends this command.
STORE = Command("participant_file_store", _no_command, Access.ADMINISTRATOR, "Error reading file", "")
JURY_STORE = Command("jury_file_store", _no_command, Access.ADMINISTRATOR, "Error reading file", "")
PROGRAMS_STORE = Command("program_file_store", _no_command, Access.ADMINISTRATOR, "Error reading file", "")


OPEN = "The marks are published when the ranking is closed."
NAMES = ("jury.csv", "marks.csv", "ranking.csv", "ranking.json", "ranking.py")
NOT_THERE = {"jury.csv": NOT_PUBLISHED}  # of a stage without this file
TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "py": "text/x-python; charset=utf-8"}
CACHED = f"public, max-age={EVERY:.0f}"  # as long as the shortest time between two rankings


class StageFile:
    """URL converter for the names of a ranking's files."""

    regex = "|".join(name.replace(".", r"\.") for name in NAMES)

    def to_python(self, value: str) -> str:
        """Return the name unchanged."""
        return value

    to_url = to_python


@require_safe
async def ranking_file(request: HttpRequest, stage_id: int, name: str) -> HttpResponseBase:
    """Return the file. 404 for an unknown stage, before the first ranking, and for marks of an open one."""
    return await in_thread(lambda: _ranking_answered(request, stage_id, name))


def _ranking_answered(request: HttpRequest, stage_id: int, name: str) -> HttpResponseBase:
    """Return the file, compressed if the browser accepts it; 304 if the browser's copy is current."""
    t = texts(request_language(request))
    content = _CONTENTS[name](stage_id) if (is_stage := stage_id in stage_ids()) else None
    if content is None:
        is_open = name == "marks.csv" and run_get(stage_id=stage_id) is not None
        reason = OPEN if is_open else NOT_THERE.get(name, "There is no ranking of this stage yet.")
        sentence = t(reason) if is_stage else t("Stage not found.")
        return HttpResponseNotFound(f"{sentence}\n", content_type="text/plain; charset=utf-8")
    is_packed = name == "marks.csv"
    if is_packed and not accepts(request.headers.get("Accept-Encoding", "").encode("latin1", "replace"), b"gzip"):
        content, is_packed = gzip.decompress(content), False
    stem, _, kind = name.partition(".")
    saved = name if kind == "py" else f"{stem}-{stage_id}.{kind}"
    response = HttpResponse(content, content_type=TYPES[kind])
    response["Content-Disposition"] = f'attachment; filename="{saved}"'
    response["Cache-Control"] = CACHED
    response["ETag"] = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    if is_packed:
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


def _json(stage_id: int) -> bytes | None:
    ranking = ranking_json(stage_id=stage_id)
    return None if ranking is None else json.dumps(ranking, default=str, ensure_ascii=False, indent=1).encode()


def _csv(stage_id: int) -> bytes | None:
    ranking = ranking_csv(stage_id=stage_id)
    return None if ranking is None else ranking.encode()


def _jury(stage_id: int) -> bytes | None:
    sheet = jury_csv(stage_id=stage_id)
    return None if sheet is None else sheet.encode()


_CONTENTS: dict[str, Callable[[int], bytes | None]] = {
    "jury.csv": _jury,
    "marks.csv": lambda stage_id: marks_file(stage_id=stage_id),
    "ranking.csv": _csv,
    "ranking.json": _json,
    "ranking.py": lambda stage_id: program_file(stage_id=stage_id),
}
