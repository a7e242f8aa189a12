"""Messages with an e-mail address that fills the next page's form, so that the address is not in URLs and logs."""

from django.contrib import messages
from django.http import HttpRequest


def message_to(request: HttpRequest, words: str, *, email: str, level: int = messages.SUCCESS) -> None:
    """Show a message once on the next page; `email` fills its form."""
    messages.add_message(request, level, words, extra_tags=email)


def address_said(request: HttpRequest) -> str:
    """Return the address from this page's messages, empty if none has one."""
    if request.method != "GET":
        return ""
    return next((str(message.extra_tags) for message in messages.get_messages(request) if message.extra_tags), "")
