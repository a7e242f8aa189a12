"""What a browser is asked for a passkey with: made when its owner presses the button, kept in the session."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponseBadRequest, HttpResponseBase, JsonResponse

QUESTION = "question"  # the field with which the script of the button posts the form to ask for it


class PasskeyQuestion:
    """A view of a passkey's form that also answers, to a post and to nothing else, what the browser is asked."""

    def passkey_question(self) -> Mapping[str, Any] | None:
        """Return it, or None where there is no passkey to be asked for."""
        raise NotImplementedError

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer what is asked, or take the form."""
        if QUESTION not in request.POST:
            return super().post(request, *args, **kwargs)  # type: ignore[misc,no-any-return]  # the view's
        question = self.passkey_question()
        return HttpResponseBadRequest() if question is None else JsonResponse(question)
