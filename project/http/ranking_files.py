"""`/stages/{id}/…`: a stage's ranking to take away, for everybody: the marks without names, the rows, the program."""

import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotFound
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_safe

from apps.competition.selectors import stage_ids
from apps.core.texts import texts
from apps.core.threads import in_thread
from apps.ranking.limits import EVERY
from apps.ranking.method import __file__ as method_file
from apps.ranking.selectors.files import marks_file, ranking_csv, ranking_json
from project.http.headers import accepts
from project.http.language import request_language
from project.http.page_view import page_response

NAMES = ("marks.csv", "ranking.csv", "ranking.json", "ranking.py")
TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "py": "text/x-python; charset=utf-8"}
CACHED = f"public, max-age={EVERY:.0f}"  # a new ranking takes as long


class StageFile:
    """The names of the files, in an address."""

    regex = "|".join(name.replace(".", r"\.") for name in NAMES)

    def to_python(self, value: str) -> str:
        """Return the name."""
        return value

    to_url = to_python


@require_safe
async def ranking_file(request: HttpRequest, stage_id: int, name: str) -> HttpResponseBase:
    """Return the file; 404 for an unknown stage (its page), and before the first ranking (a sentence)."""
    if stage_id not in await in_thread(stage_ids):
        headers = request.scope["headers"]  # type: ignore[attr-defined]  # Channels and Daphne always give one
        return await page_response(f"/stages/{stage_id}", headers)
    return await in_thread(lambda: _answered(request, stage_id, name))


def _answered(request: HttpRequest, stage_id: int, name: str) -> HttpResponseBase:
    """Return the file, packed for who takes it so; only that it is the same to who has it already."""
    content = _CONTENTS[name](stage_id)
    if content is None:
        sentence = texts(request_language(request))("There is no ranking of this stage yet.")
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
    found = ranking_json(stage_id=stage_id)
    return None if found is None else json.dumps(found, default=str, ensure_ascii=False, indent=1).encode()


def _csv(stage_id: int) -> bytes | None:
    found = ranking_csv(stage_id=stage_id)
    return None if found is None else found.encode()


_CONTENTS: dict[str, Callable[[int], bytes | None]] = {
    "marks.csv": lambda stage_id: marks_file(stage_id=stage_id),
    "ranking.csv": _csv,
    "ranking.json": _json,
    "ranking.py": lambda _stage_id: Path(method_file).read_bytes(),
}
