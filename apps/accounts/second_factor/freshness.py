"""Views for those who signed in, or confirmed their password, a short time ago."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse

from apps.accounts.selectors import factors_get
from apps.accounts.session_store import factor_proved, proved_lately

View = Callable[..., HttpResponseBase]


def is_fresh(request: HttpRequest) -> bool:
    """Whether this person signed in, or was asked again, within the last ten minutes."""
    return request.user.is_authenticated and proved_lately(request.session)


def lacks_proof(request: HttpRequest) -> bool:
    """Whether this person's account has a second factor that was not proved in this session."""
    return factors_get(user_id=request.user.pk or 0).is_there and not factor_proved(request.session)


def own_only(view: View) -> View:
    """Return the view for the signed-in; others are sent to sign in and come back."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return sent_to("account_login", request)
        return view(request, *args, **kwargs)

    return guarded


def fresh_only(view: View) -> View:
    """Return the view for those whose sign-in is fresh; others are asked to confirm it and come back by GET."""

    @own_only
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not is_fresh(request):
            return sent_to("account_reauthenticate", request)
        return view(request, *args, **kwargs)

    return guarded


def sent_to(name: str, request: HttpRequest) -> HttpResponseRedirect:
    """Return a redirect to the page of this name, which leads back to the address of `request`."""
    return HttpResponseRedirect(f"{reverse(name)}?{urlencode({'next': request.get_full_path()}, safe='/')}")
