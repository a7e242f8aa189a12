"""The page after a registration: where the mail went, another one, and a correction of the address.

It belongs to the browser that registered, by its cookie (`by_mail.py`), works for a day, and ends when the address is
confirmed. It is the same for an address that has an account (`services/registrations.py`).
"""

from typing import Any
from urllib.parse import urlencode

from allauth.account.internal.flows.email_verification import consume_email_verification_rate_limit
from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic.edit import FormView

from apps.accounts.attempts import folded_address
from apps.accounts.registration import REGISTERED
from apps.accounts.requests import client_of, message_readdress, next_path, with_next
from apps.accounts.selectors.registrations import Registration, registration_get
from apps.accounts.services.registrations import registration_mail, registration_readdress
from apps.accounts.sign_in.forms import ReaddressForm
from apps.accounts.sign_in.views import FormWithSentences

AGAIN, CHANGED = "again", "changed"  # what was done, in the page's address


class RegisteredView(FormWithSentences, FormView):  # type: ignore[type-arg,misc]  # not subscriptable at run time
    """The page; its forms post to the two views below. Without a registration it redirects to the sign-in."""

    template_name = "account/registered.html"
    form_class: Any = forms.Form
    failed = "An unexpected error occurred"
    registration: Registration

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Load the registration of this browser."""
        registration = registration_get(key=request.COOKIES.get(settings.REGISTERED_COOKIE_NAME, ""))
        if registration is None or request.user.is_authenticated:
            return self._end()
        self.registration = registration
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the page; the addresses of its forms redirect to it."""
        page = reverse("registered")
        return super().get(request, *args, **kwargs) if request.path == page else self._onward()

    def get_form(self, form_class: Any = None) -> Any:
        """Return the form, created once per request."""
        if not hasattr(self, "form"):
            self.form = super().get_form(form_class)
        return self.form

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the template context: the registration, and what was just done."""
        context = super().get_context_data(**kwargs)
        return {**context, "registration": self.registration, "done": self.request.GET.get("done", "")}

    def form_valid(self, form: Any) -> HttpResponse:  # noqa: ARG002 - Django's signature
        """Redirect a form that was posted to the page itself."""
        return self._onward()

    def _onward(self, done: str = "") -> HttpResponse:
        """Redirect to the page, which then shows what was done."""
        leads_to = next_path(self.request)
        query = {**({"done": done} if done else {}), **({"next": leads_to} if leads_to else {})}
        return HttpResponseRedirect(reverse("registered") + (f"?{urlencode(query)}" if query else ""))

    def _end(self) -> HttpResponse:
        return HttpResponseRedirect(with_next(reverse("account_login"), self.request))


class SendAgainView(RegisteredView):
    """Sending the mail once more."""

    def form_valid(self, form: Any) -> HttpResponse:  # noqa: ARG002 - Django's signature
        """Queue the mail, within its limits."""
        sent = registration_mail(
            registration=self.registration, client=client_of(self.request), next_path=next_path(self.request)
        )
        if not sent:
            return self._end()
        consume_email_verification_rate_limit(self.request, self.registration.email)
        return self._onward(AGAIN)


@method_decorator(sensitive_post_parameters("password"), name="dispatch")
class ReaddressView(RegisteredView):
    """Correcting the address."""

    form_class = ReaddressForm

    def form_valid(self, form: ReaddressForm) -> HttpResponse:
        """Change the address and queue the mail to it, within the limits of both addresses."""
        email = folded_address(form.cleaned_data["email"])
        changed = registration_readdress(
            registration=self.registration,
            email=email,
            password=form.cleaned_data["password"],
            client=client_of(self.request),
            next_path=next_path(self.request),
        )
        if not changed:
            return self._end()
        consume_email_verification_rate_limit(self.request, email)
        message_readdress(self.request, REGISTERED, email=email)
        return self._onward(CHANGED)


registered = RegisteredView.as_view()
send_again = SendAgainView.as_view()
readdress = ReaddressView.as_view()
