"""Signing in with a mailed link, which works even if an attacker's guesses have used up an address's limit."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.fields import EmailField
from allauth.core import context
from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse_lazy
from django.views.decorators.http import require_safe
from django.views.generic.edit import FormView

from apps.accounts import attempts
from apps.accounts.mail import SIGN_IN, link_account, link_next_path, link_use, mail_send
from apps.accounts.models import User
from apps.accounts.requests import client_of, document_only, next_path
from apps.accounts.sign_in.by_mail import mail_sign_in
from apps.accounts.sign_in.forms import ADDRESS
from apps.accounts.sign_in.views import FormWithSentences


class SignInLinkForm(forms.Form):
    """The address for a sign-in link."""

    email = EmailField(error_messages=ADDRESS)

    def clean(self) -> dict[str, Any]:
        """Count the request if the form is valid."""
        if not self.errors:
            attempts.sign_in_link_attempt(email=self.cleaned_data["email"], client=client_of(context.request))
        return self.cleaned_data


class SignInLinkView(FormWithSentences, FormView):  # type: ignore[type-arg,misc]  # not subscriptable at run time
    """Requesting a sign-in link; the answer is the same for every address."""

    template_name = "account/sign_in_link.html"
    form_class = SignInLinkForm
    success_url = reverse_lazy("sign_in_link_sent")
    failed = "An unexpected error occurred"

    def get_form(self, form_class: Any = None) -> Any:
        """Return the form, created once per request."""
        if not hasattr(self, "form"):
            self.form = super().get_form(form_class)
        return self.form

    def form_valid(self, form: SignInLinkForm) -> HttpResponse:
        """Queue the mail with the link. The answer and its time are the same for an unknown address."""
        mail_send(name="sign_in_link", to=form.cleaned_data["email"], next=next_path(self.request))
        return super().form_valid(form)


@require_safe
def sent(request: HttpRequest) -> HttpResponse:
    """Show the page after the request."""
    return render(request, "account/sign_in_link_sent.html")


@document_only
def use(request: HttpRequest) -> HttpResponseBase:
    """Show a button, since mail programs open links too. A post signs in, or asks for a second factor."""
    key = request.GET.get("key", "")
    user = User.objects.filter(pk=link_account(purpose=SIGN_IN, key=key) or 0).first()
    if user is None:
        return render(request, "account/sign_in_link_unusable.html")
    if request.method != "POST":
        return render(request, "account/sign_in_link_use.html", {"username": user.username})
    leads_to = link_next_path(purpose=SIGN_IN, key=key)
    if link_use(purpose=SIGN_IN, key=key) is None:  # a concurrent request used the link
        return render(request, "account/sign_in_link_unusable.html")
    if request.user.pk not in (None, user.pk):
        get_adapter().logout(request)
    return mail_sign_in(request, user, leads_to)


ask = SignInLinkView.as_view()
