"""The site's pages under the template names that allauth's views render."""

import pytest
from allauth.account import views as stock
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

NEVER = (  # pages of allauth for features that this site lacks or has under other names
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
    return [each.callback.view_class for each in patterns if hasattr(each.callback, "view_class")]


def test_every_routed_view_has_a_screen():
    seen = views_of(sign_in_patterns)
    assert len(seen) >= 6
    names = {view.template_name for view in seen if getattr(view, "template_name", None)}
    names |= {stock.EmailVerificationSentView.template_name, stock.SignupView.template_name_signup_closed}
    assert names <= set(SCREENS)


@pytest.mark.parametrize("name", NEVER)
def test_a_name_without_a_screen_is_refused(name):
    assert name not in SCREENS
    with pytest.raises(TemplateDoesNotExist):
        get_template(name)


def test_mails_are_the_only_templates_of_djangos():
    folders = [str(folder) for folder in engines["django"].template_dirs]
    assert len(folders) == 1
    assert folders[0].endswith("apps/accounts/templates")


def test_names_that_views_of_allauth_look_for_are_routed():
    names = set(get_resolver().reverse_dict)
    assert {"account_login", "account_signup", "account_reset_password", "account_reauthenticate"} <= names
    assert "account_logout" not in names
    assert "account_email" not in names


@pytest.mark.parametrize("name", sorted(name for name in SCREENS if not name.startswith("mfa/")))
def test_each_screen_is_a_whole_page(request_, name):
    """Pages of second factors show more than a form and are tested in their own modules."""
    html = get_template(name).render({}, request_)
    assert html.startswith("<!doctype html>")
    assert html.count("<h1") == 1
    assert 'content="noindex"' in html
    assert "<script" not in html.partition("</head>")[2]


def shown(request, context, **more):
    """Return the arguments with which a page is rendered."""
    given = []

    def screen(screen_request):
        given.append((screen_request.form, screen_request.viewer, screen_request.language))
        return SCREENS["account/login.html"].screen(screen_request)

    account_pages.Template(ScreenSpec(screen, **more)).render(context, request)
    return given[0]


def test_a_screen_knows_what_was_typed_but_no_password(request_):
    form = LoginForm({"login": "nonsense", "password": "a-secret", "remember": "on"}, request=request_)
    assert not form.is_valid()
    given, viewer, language = shown(request_, {"form": form})
    assert given.values == {"login": "nonsense", "remember": "on"}
    assert given.errors == {"login": ("Please enter a valid e-mail address",)}
    assert given.hidden == {"next": "/sessions/1"}
    assert len(given.token) == 64
    assert (viewer.is_signed_in, language) == (False, "en")
    assert "a-secret" not in repr(given)


def test_a_screen_knows_what_is_wrong_with_the_whole_form_and_in_which_words(request_):
    form = LoginForm({"login": "fan@example.org", "password": "wrong"}, request=request_)
    form.full_clean()
    form._errors.clear()
    form.add_error(None, account_pages.ValidationError("You can try again in %(minutes)d min.", params={"minutes": 4}))
    given, _, _ = shown(request_, {"form": form})
    assert given.errors == {"": ("You can try again in 4 min.",)}


def test_messages_are_said_once_and_kept_where_nobody_reads_them(request_):
    messages.success(request_, "Well done.")
    messages.error(request_, "Not so well.")
    assert shown(request_, {}, shows_messages=False)[0].messages == ()
    assert not request_._messages.used
    assert shown(request_, {})[0].messages == (
        FormMessage("Well done.", is_good=True),
        FormMessage("Not so well.", is_good=False),
    )
    assert request_._messages.used


def test_a_screen_takes_from_the_context_what_its_row_names(request_):
    context = {"email": "fan@example.org", "user": "somebody", "view": object()}
    assert shown(request_, context, takes=("email", "missing"))[0].extra == {"email": "fan@example.org"}


def test_a_screen_needs_somebody_who_asked():
    with pytest.raises(ValueError, match="needs its request"):
        get_template("account/login.html").render({})


def test_plain_pages_of_the_table_are_screens():
    assert {"/login", "/register", "/verify-email", "/reauthenticate"} <= {r.pattern for r in table() if r.plain}
