"""On a public site, administrators have their rights only with a second factor."""

import io
from dataclasses import replace

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.management import call_command

from apps.accounts.actors import Viewer
from apps.accounts.mail import FIRST_FACTOR, link_create
from apps.accounts.models import AuthSession, User
from apps.accounts.permissions import is_administrator
from apps.accounts.selectors.sessions import account_sessions_get, viewer_get
from apps.accounts.services.accounts import account_create
from apps.accounts.services.profile import default_avatars_set
from apps.core.audit import EVERYTHING, audit_list
from components.routes import find
from components.runtime.page import Redirect
from tests.factories import PASSWORD
from tests.project.accounts.second_factors.setting_up import EMAIL, by_code, codes_of, set_up
from tests.project.plain_browser import PlainBrowser, Seen, link_in, mails
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
FACTORS = "/profile/two-factor"


@pytest.fixture
def factor_required(settings):
    settings.MFA_REQUIRED_FOR_ADMINISTRATORS = True


@pytest.fixture
def administrator(fan):
    User.objects.filter(pk=fan.pk).update(is_admin=True)
    return fan


def token(browser: PlainBrowser) -> str:
    """Return the CSRF token of this browser."""
    return browser.get("/reauthenticate").fields["csrfmiddlewaretoken"]["value"]


def link_send(browser: PlainBrowser) -> Seen:
    """Request the mailed link that allows a first factor."""
    return browser._seen(browser.client.post("/first-factor/send", {"csrfmiddlewaretoken": token(browser)}))


def first_factor_allow(browser: PlainBrowser) -> None:
    """Sign in and use a link that allows a first factor."""
    browser.sign_in(EMAIL, PASSWORD)
    key = link_create(purpose=FIRST_FACTOR, account_id=int(browser.user_id))
    assert browser.post(f"/first-factor?key={key}").to == FACTORS


def viewer_in(browser: PlainBrowser) -> Viewer:
    """Return the viewer of this browser's session, as an open socket reads it."""
    key = browser.client.cookies[settings.SESSION_COOKIE_NAME].value
    return account_sessions_get(keys=[(key, int(browser.user_id))])[key].viewer


def viewer_without_factor(user: User) -> Viewer:
    """Return the viewer of a session that was stored after a sign-in with the password alone."""
    key = session_cookie(user).partition("=")[2]
    return account_sessions_get(keys=[(key, user.pk)])[key].viewer


def test_administrator_without_a_second_factor_has_no_rights(factor_required, administrator):
    browser = PlainBrowser()
    assert browser.sign_in(EMAIL, PASSWORD).to == "/profile/two-factor"
    assert "Administrators need one of these" in browser.get("/profile/two-factor").text
    key = browser.client.cookies[settings.SESSION_COOKIE_NAME].value
    viewers = [viewer_get(user_id=administrator.pk), account_sessions_get(keys=[(key, administrator.pk)])[key].viewer]
    assert {(viewer.is_admin, viewer.lacks_factor) for viewer in viewers} == {(False, True)}
    assert not is_administrator(viewers[0])
    assert find("/admin", viewers[0]) == Redirect("/profile/two-factor")
    assert find("/admin/sessions", viewers[1]) == Redirect("/profile/two-factor")


def test_first_factor_requires_a_mailed_link(factor_required, administrator):
    browser = PlainBrowser()
    browser.sign_in(EMAIL, PASSWORD)
    for page in ("/profile/two-factor/app", "/profile/passkeys/add"):
        assert browser.get(page).to == "/profile/two-factor"
        assert (
            browser.client.post(page, {"csrfmiddlewaretoken": token(browser), "code": "000000"})["Location"] == FACTORS
        )
    assert "/profile/two-factor/app" not in browser.get(FACTORS).html
    assert link_send(browser).to == FACTORS
    assert "A link is on its way to your address." in browser.get(FACTORS).text
    (message,) = mails()
    assert (message.to, message.subject) == ([EMAIL], "Set up your second factor")
    link = link_in(message)
    assert "Set up your first second factor in this browser." in browser.get(link).text
    assert browser.get("/profile/two-factor/app").to == FACTORS, "opening it allows nothing, programs open links too"
    assert browser.post(link).to == FACTORS
    assert "Now you can set up a passkey" in browser.get(FACTORS).text
    assert "This link has been used" in browser.get(link).text
    assert set_up(browser)
    assert viewer_in(browser).is_admin
    assert is_administrator(viewer_in(browser))


def test_link_allows_a_factor_only_in_the_session_that_used_it(factor_required, administrator):
    thief, owner = PlainBrowser(), PlainBrowser()
    thief.sign_in(EMAIL, PASSWORD)
    link_send(thief)
    link = link_in(mails()[0])
    assert owner.get(link).to.startswith("/login?next=/first-factor")
    assert owner.sign_in(EMAIL, PASSWORD, owner.get(link).to).to == link
    assert owner.post(link).to == FACTORS
    assert thief.get("/profile/two-factor/app").to == FACTORS
    assert set_up(owner)


def test_link_is_valid_only_for_its_account(factor_required, administrator):
    other = account_create(email="other@example.org", password=PASSWORD, username="other", is_admin=True)
    link = f"/first-factor?key={link_create(purpose=FIRST_FACTOR, account_id=other.pk)}"
    browser = PlainBrowser()
    browser.sign_in(EMAIL, PASSWORD)
    assert "it is for another account" in browser.get(link).text
    refused = browser.client.post(link, {"csrfmiddlewaretoken": token(browser)})
    assert "it is for another account" in refused.content.decode()
    assert browser.get("/profile/two-factor/app").to == FACTORS
    other_browser = PlainBrowser()
    other_browser.sign_in("other@example.org", PASSWORD)
    assert other_browser.post(link).to == FACTORS, "the link is not used up"


def test_links_are_limited_and_only_sent_to_administrators(factor_required, administrator):
    browser = PlainBrowser()
    browser.sign_in(EMAIL, PASSWORD)
    for _ in range(4):
        link_send(browser)
    assert len(mails()) == 3
    assert "Too many attempts. Please try again later." in browser.get(FACTORS).text
    account_create(email="other@example.org", password=PASSWORD, username="other")
    other = PlainBrowser()
    other.sign_in("other@example.org", PASSWORD)
    assert link_send(other).to == FACTORS
    assert mails() == []


def test_operator_creates_a_link(factor_required, administrator):
    out = io.StringIO()
    call_command("second_factor", "link", "fan_of_g", stdout=out)
    browser = PlainBrowser()
    browser.sign_in(EMAIL, PASSWORD)
    assert browser.post(out.getvalue().strip().removeprefix(settings.PUBLIC_URL)).to == FACTORS
    assert set_up(browser)
    assert "factor.link" in {entry.action for entry in audit_list(filters=EVERYTHING, before=None, limit=9)}


def test_session_without_the_factor_has_no_administrator_rights(factor_required, administrator):
    """Setting up a factor ends older sessions. A session that is stored a moment later has no rights either."""
    thief, owner = PlainBrowser(), PlainBrowser()
    thief.sign_in(EMAIL, PASSWORD)
    first_factor_allow(owner)
    set_up(owner)
    assert thief.user_id == ""
    late = viewer_without_factor(administrator)
    [viewer] = {late, viewer_get(user_id=administrator.pk, session=late.session)}
    assert (viewer.is_admin, viewer.lacks_factor) == (False, True)
    for viewer in (late, viewer_in(owner)):
        claimed = replace(viewer, is_admin=True)  # the viewer that an open page still holds
        assert is_administrator(claimed) is (viewer.session != late.session)
    with pytest.raises(PermissionDenied):
        default_avatars_set(actor=replace(late, is_admin=True), user_avatar_url="a", participant_avatar_url="b")
    assert find("/admin", late) == Redirect(FACTORS)


def test_session_without_the_factor_cannot_manage_factors(factor_required, administrator, rf):
    owner, thief = PlainBrowser(), PlainBrowser()
    first_factor_allow(owner)
    set_up(owner)
    kept = viewer_without_factor(administrator)
    thief.client.cookies[settings.SESSION_COOKIE_NAME] = AuthSession.objects.get(handle=kept.session).key
    for path in ("/profile/two-factor/codes", "/profile/two-factor/codes/download", "/profile/passkeys/add"):
        assert thief.get(path).to == f"/reauthenticate?next={path}"
    response = thief.get("/reauthenticate?next=/profile/two-factor/codes")
    assert "password" not in response.fields
    assert "This browser has not shown your second factor yet." in thief.get(FACTORS).text


def test_code_of_the_app_or_a_recovery_code_confirms_the_factor(factor_required, administrator):
    Authenticator.objects.create(user=administrator, type="recovery_codes", data={})
    assert not is_administrator(Viewer(id=administrator.pk)), "recovery codes alone are no factor"
    Authenticator.objects.all().delete()
    owner, later, other = PlainBrowser(), PlainBrowser(), PlainBrowser()
    first_factor_allow(owner)
    secret = set_up(owner)
    kept = viewer_without_factor(administrator)
    later.client.cookies[settings.SESSION_COOKIE_NAME] = AuthSession.objects.get(handle=kept.session).key
    assert by_code(later, secret, "/reauthenticate/code?next=/admin").to == "/admin"
    assert viewer_in(later).is_admin
    assert viewer_in(later).session == kept.session
    assert is_administrator(kept), "the session is the same, under another key"
    other.sign_in(EMAIL, PASSWORD)
    assert other.post("/two-factor", code=codes_of(owner)[0]).to == "/"
    assert viewer_in(other).is_admin


def test_removing_the_factor_ends_rights_and_other_sessions(factor_required, administrator):
    browser, other = PlainBrowser(), PlainBrowser()
    first_factor_allow(browser)
    secret = set_up(browser)
    assert (viewer_in(browser).is_admin, viewer_in(browser).lacks_factor) == (True, False)
    other.sign_in(EMAIL, PASSWORD)
    assert by_code(other, secret).to == "/"
    assert is_administrator(viewer_in(other))
    before = viewer_in(browser)
    browser.post("/profile/two-factor/app/off")
    assert not is_administrator(before)
    assert other.user_id == "", "changing factors ends all other sessions"
    assert browser.get("/profile/two-factor/app").to == FACTORS, "the next one is a first one again"


def test_fan_needs_no_second_factor(factor_required, fan):
    viewer = viewer_get(user_id=fan.pk)
    assert (viewer.is_admin, viewer.lacks_factor) == (False, False)
    assert find("/admin", viewer) == Redirect("/")
    assert PlainBrowser().sign_in(EMAIL, PASSWORD).to == "/"


def test_local_administrator_needs_no_factor(administrator):
    assert settings.MFA_REQUIRED_FOR_ADMINISTRATORS is False
    assert is_administrator(Viewer(id=administrator.pk))
    assert viewer_get(user_id=administrator.pk).is_admin
