"""Messages that bring an e-mail address along, for the form below them: so no address bar and no log has it."""

from django.contrib import messages
from django.http import HttpRequest


def message_to(request: HttpRequest, words: str, *, email: str, level: int = messages.SUCCESS) -> None:
    """Say this once on the next page with a form, which has the address filled in."""
    messages.add_message(request, level, words, extra_tags=email)


def address_said(request: HttpRequest) -> str:
    """Return the address that this page's messages bring along, empty when there is none."""
    if request.method != "GET":
        return ""
    return next((str(each.extra_tags) for each in messages.get_messages(request) if each.extra_tags), "")
