"""The frame of a command, posted to `/do/{name}` where no socket lasts; the response is its answer as JSON (ADR 21).

It is checked, limited and done as a frame of a socket, under the browser's own key: what went both ways is done once.
"""

from http import HTTPStatus
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_protect

from apps.accounts.actors import Viewer
from apps.accounts.requests import viewer_of_request
from apps.core.commands.arguments import is_own_path
from apps.core.commands.registry import REGISTERED, refusal
from apps.core.texts import texts
from project.http.language import request_language
from project.process.command_run import TOO_FAST, CommandRequest, command_run
from project.process.frames import BadFrame, DroppedEvent, frame_parse
from project.process.web_process import process

JSON = "application/json"


def frame_post(request: HttpRequest, name: str) -> HttpResponse:
    """Return the answer to the command `name`, sent from the page `?from=`.

    An anonymous visitor is led to sign in, whatever was sent.
    """
    viewer, path = viewer_of_request(request), request.GET.get("from", "")
    path = path if is_own_path(path) else "/"
    if not viewer.is_signed_in:
        return JsonResponse(refusal("", leave="/login?" + urlencode({"next": path})))
    return _run(request, name, viewer, path)


@csrf_protect
def _run(request: HttpRequest, name: str, viewer: Viewer, path: str) -> HttpResponse:
    language = request_language(request)
    t = texts(language)
    try:
        sent = frame_parse(request.body.decode())
    except DroppedEvent as error:
        return JsonResponse(refusal(t(str(error))))
    except (BadFrame, UnicodeDecodeError):
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    if not isinstance(sent, CommandRequest) or sent.name != name:
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    limits = process.connection_limits
    if name in REGISTERED and not limits.post_command(viewer.id or 0, name, is_admin=viewer.is_admin):
        return JsonResponse(refusal(t(TOO_FAST), again=True))
    return JsonResponse(command_run(sent, viewer, path=path, language=language))
