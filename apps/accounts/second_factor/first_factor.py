"""The first second factor of an administrator, who may do nothing without one.

It takes a link as well as the password: whoever learnt the password could otherwise set up a factor of his own. The
link comes by mail or from the operator; the session in which it is used may then set up a factor.
"""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST

from apps.accounts.attempts import account_attempt
from apps.accounts.limits import FIRST_FACTOR_MAILS
from apps.accounts.mail.one_time_links import FIRST_FACTOR, link_account, link_use
from apps.accounts.mail.outbox import mail_send
from apps.accounts.models import User
from apps.accounts.permissions import needs_factor
from apps.accounts.second_factor.freshness import own_only
from apps.accounts.selectors import factors_get
from apps.accounts.sign_in.document_only import document_only

ALLOWED = "first_factor_allowed"  # in the session that used a link, until a factor is set up in it
SENT = "A link is on its way to your address. Please open it in this browser."
NOW = "Now you can set up a passkey or an authenticator app."


def first_factor_allowed(request: HttpRequest, user: User) -> bool:
    """Whether a first second factor may be set up in this session."""
    return not needs_factor(user) or bool(request.session.get(ALLOWED))


@require_POST
@own_only
def send(request: HttpRequest) -> HttpResponse:
    """Send the link, if it is needed."""
    user = request.user
    if isinstance(user, User) and needs_factor(user) and not factors_get(user_id=user.pk).is_there:
        try:
            account_attempt(FIRST_FACTOR_MAILS, account_id=user.pk)
        except ValidationError as error:
            messages.error(request, error.messages[0])
        else:
            mail_send(name="first_factor", to=user.email)
            messages.success(request, SENT)
    return HttpResponseRedirect(reverse("mfa_index"))


@document_only
@own_only
def first_factor(request: HttpRequest) -> HttpResponse:
    """Show a button for the mailed link, since mail programs open links too; posted, it allows a first factor."""
    key = request.GET.get("key", "")
    if link_account(purpose=FIRST_FACTOR, key=key) != request.user.pk:
        return render(request, "mfa/first_factor_unusable.html")
    if request.method != "POST":
        return render(request, "mfa/first_factor.html")
    if link_use(purpose=FIRST_FACTOR, key=key) is None:  # somebody was quicker
        return render(request, "mfa/first_factor_unusable.html")
    request.session[ALLOWED] = True
    messages.success(request, NOW)
    return HttpResponseRedirect(reverse("mfa_index"))
