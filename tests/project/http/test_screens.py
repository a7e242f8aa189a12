"""The site's pages under the template names that allauth's views render."""

import pytest
from allauth.account import views as allauth_views
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.cookie import CookieStorage
from django.template import TemplateDoesNotExist, engines
from django.template.loader import get_template
from django.test import RequestFactory
from django.urls import get_resolver

from apps.accounts.sign_in.forms import LoginForm
from apps.accounts.urls import sign_in_patterns
from components.routes import table
from components.runtime.form import FormMessage
from project.http import account_pages
from project.http.account_pages import SCREENS, ScreenSpec
from tests.offenders import check_each

UNUSED = (  # pages of allauth for features that this site lacks or has under other names
    "account/logout.html",
    "account/email.html",
    "account/password_change.html",
    "account/password_set.html",
    "account/base_entrance.html",
    "allauth/layouts/base.html",
    "socialaccount/connections.html",
)


@pytest.fixture
def request_(db):
    """An anonymous request, as Django's middleware prepares it."""
    request = RequestFactory().get("/login?next=/sessions/1", headers={"user-agent": "a browser"})
    request.user = AnonymousUser()
    request._messages = CookieStorage(request)
    return request


def views_of(patterns):
    """Return the classes of the routed views."""
    callbacks = [getattr(pattern.callback, "view", pattern.callback) for pattern in patterns]
    return [callback.view_class for callback in callbacks if hasattr(callback, "view_class")]


def test_every_routed_view_has_a_screen():
    views = views_of(sign_in_patterns)
    assert len(views) >= 6
    names = {view.template_name for view in views if getattr(view, "template_name", None)}
    names |= {
        allauth_views.EmailVerificationSentView.template_name,
        allauth_views.SignupView.template_name_signup_closed,
    }
    assert names <= set(SCREENS)


def test_unused_templates_of_allauth_are_refused():
    for name in UNUSED:
        assert name not in SCREENS
        with pytest.raises(TemplateDoesNotExist):
            get_template(name)


def test_only_mails_use_django_templates():
    folders = [str(folder) for folder in engines["django"].template_dirs]
    assert len(folders) == 1
    assert folders[0].endswith("apps/accounts/templates")


def test_url_names_of_allauth_are_routed():
    names = set(get_resolver().reverse_dict)
    assert {"account_login", "account_signup", "account_reset_password", "account_reauthenticate"} <= names
    assert "account_logout" not in names
    assert "account_email" not in names


def test_each_screen_is_a_complete_page(request_):
    """Pages of second factors show more than a form and are tested in their own modules."""

    def check(name):
        html = get_template(name).render({}, request_)
        assert html.startswith("<!doctype html>")
        assert html.count("<h1") == 1
        assert 'content="noindex"' in html
        assert "<script" not in html.partition("</head>")[2]

    check_each([name for name in SCREENS if not name.startswith("mfa/")], check)


def shown(request, context, **more):
    """Return the arguments with which a page is rendered."""
    arguments = []

    def screen(screen_request):
        arguments.append((screen_request.form, screen_request.viewer, screen_request.language))
        return SCREENS["account/login.html"].screen(screen_request)

    account_pages.Template(ScreenSpec(screen, **more)).render(context, request)
    return arguments[0]


def test_screen_gets_the_values_but_no_password(request_):
    form = LoginForm({"login": "nonsense", "password": "a-secret", "remember": "on"}, request=request_)
    assert not form.is_valid()
    screen_form, viewer, language = shown(request_, {"form": form})
    assert screen_form.values == {"login": "nonsense", "remember": "on"}
    assert screen_form.errors == {"login": ("Please enter a valid e-mail address",)}
    assert screen_form.hidden == {"next": "/sessions/1"}
    assert len(screen_form.token) == 64
    assert (viewer.is_signed_in, language) == (False, "en")
    assert "a-secret" not in repr(screen_form)


def test_screen_gets_form_errors_with_their_parameters(request_):
    form = LoginForm({"login": "fan@example.org", "password": "wrong"}, request=request_)
    form.full_clean()
    form._errors.clear()
    form.add_error(None, account_pages.ValidationError("You can try again in %(minutes)d min.", params={"minutes": 4}))
    screen_form, _, _ = shown(request_, {"form": form})
    assert screen_form.errors == {"": ("You can try again in 4 min.",)}


def test_messages_are_shown_once_and_kept_by_pages_without_messages(request_):
    messages.success(request_, "Well done.")
    messages.error(request_, "Not so well.")
    assert shown(request_, {}, shows_messages=False)[0].messages == ()
    assert not request_._messages.used
    assert shown(request_, {})[0].messages == (
        FormMessage("Well done.", is_good=True),
        FormMessage("Not so well.", is_good=False),
    )
    assert request_._messages.used


def test_screen_gets_only_the_declared_context(request_):
    context = {"email": "fan@example.org", "user": "fan", "view": object()}
    assert shown(request_, context, takes=("email", "missing"))[0].extra == {"email": "fan@example.org"}


def test_screen_requires_a_request():
    with pytest.raises(ValueError, match="needs its request"):
        get_template("account/login.html").render({})


def test_plain_pages_of_the_table_are_screens():
    assert {"/login", "/register", "/verify-email", "/reauthenticate"} <= {r.pattern for r in table() if r.plain}
