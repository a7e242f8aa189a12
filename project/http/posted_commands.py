"""`POST /do/{name}?argument=…`: a command without JavaScript. The page that sent it shows the answer.

It uses the same registry, key, service and sentences as commands over the socket. The answer is stored for its account.
The browser is redirected to the page that shows it, with the typed values unless the command succeeded. On networks
without WebSockets the client posts the frame of a socket instead (`frame_post`).
"""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlencode
from uuid import UUID, uuid5

from allauth.account.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST

from apps.accounts.actors import TYPED_BY, Viewer, form_owner
from apps.accounts.requests import SeeOther, viewer_of_request
from apps.accounts.selectors.own_account import answer_get
from apps.accounts.selectors.sessions import viewer_get
from apps.accounts.services.profile import answer_keep, answer_show
from apps.core.commands import REGISTERED, SIGN_IN, UNREADABLE, Frame, is_own_path, refusal
from apps.core.text_rules import UNSTORABLE, is_storable
from apps.core.texts import Texts, texts
from apps.core.threads import in_thread
from components.runtime.rendering.posting import FIELDS, FROM, KEY
from components.ui.posted_forms import COMMAND, CONFIRMED, SURE, without_answer
from project.http.wishes import wish_keep, wish_take
from project.process.commands import KEYS, LONG_TEXT, TOO_FAST, TOO_MUCH, CommandRequest, command_run, door_of
from project.process.frames import BadFrame, DroppedEvent, frame_parse
from project.process.web_process import process
from project.visit import Visit, request_language

JSON = "application/json"


def frame_post(request: HttpRequest, name: str) -> HttpResponse:
    """Return the answer to the command `name` of a posted frame, sent from the page `?from=`.

    An anonymous visitor is sent to the command's door, with any content.
    """
    path = request.GET.get("from", "")
    visit = _visit(request, path if is_own_path(path) else "/")
    if not visit.viewer.is_signed_in:
        return JsonResponse(refusal("", leave=f"{door_of(name, visit.viewer)}?{urlencode({'next': visit.address})}"))
    return _frame_run(request, name, visit)


def _visit(request: HttpRequest, address: str) -> Visit:
    """Return the visit of the page at `address`, from which the request was posted."""
    return Visit(address, request_language(request), viewer_of_request(request))


@csrf_protect
def _frame_run(request: HttpRequest, name: str, visit: Visit) -> HttpResponse:
    t, viewer = texts(visit.language), visit.viewer
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
    return JsonResponse(command_run(sent, visit))


KEPT = "You were signed out before this was sent. What you typed is in its form again: please send it once more."


def post_keep(request: HttpRequest, command_request: CommandRequest, path: str) -> str:
    """Store the typed values for the account that loaded the form. Returns the URL that shows them there again.

    Returns an empty string if the account is unknown, or the values are empty, too many or not storable.
    """
    owner = viewer_get(user_id=form_owner(request.POST.get(TYPED_BY, "")))
    values, name = _typed(command_request.fields), command_request.name
    data = {"command": name, "argument": command_request.argument, "values": values}
    if owner.id is None or not values or len(values) > KEYS or not is_storable(data):
        return ""
    if not process.connection_limits.post_command(owner.id, name, is_admin=False):
        return ""
    answer = refusal(texts(request_language(request))(KEPT))
    return with_answer(path, str(answer_keep(user_id=owner.id, form=COMMAND, data={**data, "answer": answer})))


def with_answer(path: str, answer_id: str) -> str:
    """Return the URL of the page at `path` that shows this answer."""
    page, separator, fragment = path.partition("#")
    return page + ("&" if "?" in page else "?") + urlencode({"answer": answer_id}) + separator + fragment


def _typed(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields without passwords and confirmations; empty if all are empty."""
    kept = {name: value for name, value in fields.items() if name not in (SURE, CONFIRMED) and "password" not in name}
    return kept if any(kept.values()) else {}


@csrf_exempt  # anonymous visitors are sent to sign in with any content; `_run` checks the token of all others
def do(request: HttpRequest, name: str) -> HttpResponse:
    """Run the posted command, and redirect the browser to the page that shows the answer."""
    if request.method != "POST":
        return SeeOther("/")
    if request.content_type == JSON:
        return frame_post(request, name)
    visit = _visit(request, _path(request))
    if not visit.viewer.is_signed_in:
        return _enter(request, _command_request(request, name), visit)
    return _run(request, name, visit)


def outdated_post(request: HttpRequest) -> str:
    """Store a command with a token of another session, such as from before a new sign-in.

    Returns the page that shows it.
    """
    match = request.resolver_match
    assert match is not None  # noqa: S101 - for mypy: the resolved view has refused it
    return post_keep(request, _command_request(request, match.kwargs["name"]), _path(request))


def _enter(request: HttpRequest, command_request: CommandRequest, visit: Visit) -> HttpResponse:
    """Redirect to the sign-in or to the command's door, and from there to the page with the typed values."""
    kept = post_keep(request, command_request, visit.address)  # for an account that was signed in
    door = SIGN_IN if kept else door_of(command_request.name, visit.viewer)
    response = SeeOther(f"{door}?{urlencode({'next': kept or visit.address})}")
    wish_keep(request, response, command_request)
    return response


@csrf_protect
def _run(request: HttpRequest, name: str, visit: Visit) -> HttpResponse:
    command_request, path = _command_request(request, name), visit.address
    answer = _answer(command_request, visit)
    if leave := answer.get("leave", ""):
        return _enter(request, command_request, visit) if leave.startswith(SIGN_IN) else SeeOther(leave)
    return SeeOther(_shown_at(answer.get("go", path), command_request, answer, visit.viewer))


@receiver(user_logged_in)
def wish_carry_out(request: HttpRequest, response: HttpResponse, **_: Any) -> None:
    """Carry out what a visitor pressed before this sign-in; the page after it shows the answer.

    The sign-in is over by now. Its redirect is kept for an administrator who still has to set up a second factor.
    """
    wish = wish_take(request, response)
    if wish is None:
        return
    if request.session.modified:
        request.session.save()  # the command reads the viewer's rights from it
    visit = _visit(request, response["Location"])
    answer = _answer(wish, visit)
    if answer["text"] and not visit.viewer.lacks_factor:
        response["Location"] = _shown_at(visit.address, wish, answer, visit.viewer)


def _answer(command_request: CommandRequest, visit: Visit) -> Frame:
    """Return the answer to a command, which is run unless it is refused before."""
    refused = _refusal(command_request, visit.viewer, texts(visit.language))
    return refused or command_run(command_request, visit)


def _shown_at(path: str, command_request: CommandRequest, answer: Frame, viewer: Viewer) -> str:
    """Store the answer of a posted command. Returns the address of the page that shows it."""
    values = {} if answer["ok"] else dict(command_request.fields)
    data = {"command": command_request.name, "argument": command_request.argument, "answer": answer, "values": values}
    if not is_storable(data):
        data |= {"command": "", "argument": "", "values": {}}
    return with_answer(path, str(answer_keep(user_id=viewer.id or 0, form=COMMAND, data=data)))


def _command_request(request: HttpRequest, name: str) -> CommandRequest:
    """Return the posted command. Its key is empty if the page sent an invalid one."""
    argument = request.GET.get("argument", "")
    fields = {field: _value(request, field) for field in request.POST if field not in FIELDS}
    return CommandRequest(name, _key(request.POST.get(KEY, ""), [name, argument, fields]), argument, fields)


def _refusal(command_request: CommandRequest, viewer: Viewer, t: Texts) -> Frame | None:
    """Return why the command is not run, or the question to confirm first; None if it may run."""
    command = REGISTERED.get(command_request.name)
    if command is None or not command_request.key:
        return refusal(t(UNREADABLE))
    if len(command_request.fields) > KEYS:
        return refusal(t(TOO_MUCH))
    if not is_storable([command_request.argument, dict(command_request.fields)]):
        return refusal(t(UNSTORABLE))
    if not process.connection_limits.post_command(viewer.id or 0, command_request.name, is_admin=viewer.is_admin):
        return refusal(t(TOO_FAST), again=True)
    if command.confirm and SURE not in command_request.fields:
        return refusal(t(command.confirm), ask=True, first=True)
    return None


def _value(request: HttpRequest, name: str) -> str | list[str]:
    values = request.POST.getlist(name)
    return values[0] if len(values) == 1 else values


def _key(of_page: str, content: list[Any]) -> str:
    """Return a key for this content: a page has one key for all of its buttons, and each command needs its own."""
    try:
        return uuid5(UUID(of_page), json.dumps(content, sort_keys=True)).hex
    except ValueError:
        return ""


def _path(request: HttpRequest) -> str:
    """Return the path of the page that sent this, without an answer shown there; the home page if there is none."""
    path = request.POST.get(FROM, "")
    return without_answer(path) if is_own_path(path) else "/"


async def posted_of(address: str, viewer: Viewer) -> Mapping[str, Any] | None:
    """Return the stored answer that the URL names if it belongs to this viewer, else None."""
    answer_id = _answer_id(address)
    if not (answer_id and viewer.is_signed_in):
        return None
    answer = await in_thread(lambda: answer_get(answer_id=answer_id, user_id=viewer.id or 0))
    return answer[1] | {"id": answer_id} if answer and answer[0] == COMMAND else None


async def is_shown_again(address: str, viewer: Viewer) -> bool:
    """Whether an earlier page view has shown the answer that the address names, so that a reload leaves it out."""
    try:
        answer_id = UUID(_answer_id(address))
    except ValueError:
        return False
    return viewer.is_signed_in and not await in_thread(lambda: answer_show(answer_id=answer_id, user_id=viewer.id or 0))


def _answer_id(address: str) -> str:
    return parse_qs(address.partition("?")[2]).get("answer", [""])[0]


LONGEST = 1 << 20  # bytes
PLAIN = "text/plain; charset=utf-8"


@require_POST
def long_text_store(request: HttpRequest) -> HttpResponse:
    """Store the long fields of a command. The response is the id under which the command refers to them."""
    viewer = viewer_of_request(request)
    if viewer.id is None or not viewer.is_admin:
        return HttpResponse(status=HTTPStatus.FORBIDDEN)
    body = request.read(LONGEST + 1)  # not `body`, which has the smaller limit of all other forms
    if len(body) > LONGEST:
        return HttpResponse(status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    try:
        fields = _fields(body)
    except ValueError as error:
        sentence = texts(request_language(request))(str(error))
        return HttpResponse(sentence, status=HTTPStatus.BAD_REQUEST, content_type=PLAIN)
    answer_id = answer_keep(user_id=viewer.id, form=LONG_TEXT, data={"fields": fields})
    return HttpResponse(str(answer_id), content_type=PLAIN)


def _fields(body: bytes) -> dict[str, Any]:
    """Return the fields in a body. Raises ValueError with a sentence, a source of gettext, if they are invalid."""
    try:
        fields = json.loads(body.decode())  # `json.loads` would accept surrogates in bytes
    except UnicodeDecodeError as error:
        raise ValueError(UNSTORABLE) from error
    except (ValueError, RecursionError) as error:
        raise ValueError(UNREADABLE) from error
    if not isinstance(fields, dict) or len(fields) > KEYS or not all(map(_is_typed, fields.values())):
        raise ValueError(UNREADABLE)
    if not is_storable(fields):
        raise ValueError(UNSTORABLE)
    return fields


def _is_typed(value: Any) -> bool:
    """Whether this is the value of one text field, or of several with one name."""
    return all(isinstance(text, str) for text in (value if isinstance(value, list) else [value]))
