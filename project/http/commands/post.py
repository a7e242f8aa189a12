"""`POST /do/{name}?argument=…`: a command without JavaScript; the page that it was sent from shows the answer.

The same registry, key, service and sentences as over the socket. The answer is kept for its owner, and the browser is
sent back with GET to the page that shows it: what was typed comes along when the form is not done with. The client of a
network without WebSockets posts a socket's frame instead (`frame_post.py`).
"""

import json
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid5

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from apps.accounts.actors import Viewer
from apps.accounts.requests import SeeOther, viewer_of_request
from apps.accounts.services import answer_keep
from apps.core.commands.arguments import UNREADABLE, is_own_path
from apps.core.commands.registry import REGISTERED, Frame, refusal
from apps.core.text_rules.characters import UNSTORABLE, is_storable
from apps.core.texts import Texts, texts
from components.rendering.posting import FIELDS, FROM, KEY
from components.ui.controls.posted_answer import COMMAND, SURE, without_answer
from project.http.commands.frame_post import JSON, frame_post
from project.http.commands.kept_posts import post_keep, with_answer
from project.http.language import request_language
from project.process.command_run import KEYS, TOO_FAST, TOO_MUCH, CommandRequest, command_run
from project.process.web_process import process


@csrf_exempt  # a stranger is led to sign in, whatever was sent; all others are asked for the token
def do(request: HttpRequest, name: str) -> HttpResponse:
    """Do what was posted, and send the browser back to the page that shows the answer."""
    if request.method != "POST":
        return SeeOther("/")
    if request.content_type == JSON:
        return frame_post(request, name)
    viewer, path = viewer_of_request(request), _path(request)
    if not viewer.is_signed_in:
        return _sign_in(request, _command_request(request, name), path)
    return _run(request, name, viewer, path)


def outdated_post(request: HttpRequest) -> str:
    """Keep a command whose token is not this session's, such as after a new sign-in; return the page that shows it."""
    match = request.resolver_match
    assert match is not None  # noqa: S101 - for mypy: a view has refused it
    return post_keep(request, _command_request(request, match.kwargs["name"]), _path(request))


def _sign_in(request: HttpRequest, command_request: CommandRequest, path: str) -> HttpResponse:
    """Lead to the sign-in, and from there to the page with what was typed."""
    return SeeOther(f"/login?{urlencode({'next': post_keep(request, command_request, path) or path})}")


@csrf_protect
def _run(request: HttpRequest, name: str, viewer: Viewer, path: str) -> HttpResponse:
    language, command_request = request_language(request), _command_request(request, name)
    answer = _refusal(command_request, viewer, texts(language)) or command_run(
        command_request, viewer, path=path, language=language
    )
    if leave := answer.get("leave", ""):
        return _sign_in(request, command_request, path) if leave.startswith("/login") else SeeOther(leave)
    values = {} if answer["ok"] else command_request.fields
    data = {"command": name, "argument": command_request.argument, "answer": answer, "values": values}
    if not is_storable(data):
        data |= {"command": "", "argument": "", "values": {}}
    answer_id = answer_keep(user_id=viewer.id or 0, form=COMMAND, data=data)
    return SeeOther(with_answer(answer.get("go", path), str(answer_id)))


def _command_request(request: HttpRequest, name: str) -> CommandRequest:
    """Return the command as it was posted; its key is empty when the page's cannot be read."""
    argument = request.GET.get("argument", "")
    fields = {each: _value(request, each) for each in request.POST if each not in FIELDS}
    return CommandRequest(name, _key(request.POST.get(KEY, ""), [name, argument, fields]), argument, fields)


def _refusal(command_request: CommandRequest, viewer: Viewer, t: Texts) -> Frame | None:
    """Why this is not given to the command, or what is asked first; None when it is."""
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
    """Return the page of ours that this was sent from, without an answer that it showed; home when there is none."""
    path = request.POST.get(FROM, "")
    return without_answer(path) if is_own_path(path) else "/"
