"""Challenges of passkeys: made when the button is pressed, kept in the session."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponseBadRequest, HttpResponseBase, JsonResponse

QUESTION = "question"  # the field with which the button's script asks for the challenge


class PasskeyQuestion:
    """A view of a passkey's form that also returns the challenge, to posts only."""

    def passkey_question(self) -> Mapping[str, Any] | None:
        """Return the challenge, or None where there is no passkey."""
        raise NotImplementedError

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the challenge when it is asked for, else handle the form."""
        if QUESTION not in request.POST:
            return super().post(request, *args, **kwargs)  # type: ignore[misc,no-any-return]  # the view's
        question = self.passkey_question()
        return HttpResponseBadRequest() if question is None else JsonResponse(question)
