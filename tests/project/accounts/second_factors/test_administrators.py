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
MINE = "/profile/two-factor"


@pytest.fixture
def asked_of_administrators(settings):
    settings.MFA_REQUIRED_FOR_ADMINISTRATORS = True


@pytest.fixture
def administrator(fan):
    User.objects.filter(pk=fan.pk).update(is_admin=True)
    return fan


def token(plain_browser: PlainBrowser) -> str:
    """Return the CSRF token of this browser."""
    return plain_browser.get("/reauthenticate").fields["csrfmiddlewaretoken"]["value"]


def send(plain_browser: PlainBrowser) -> Seen:
    """Request the mailed link that allows a first factor."""
    return plain_browser._seen(
        plain_browser.client.post("/first-factor/send", {"csrfmiddlewaretoken": token(plain_browser)})
    )


def first(plain_browser: PlainBrowser) -> None:
    """Sign in and use a link that allows a first factor."""
    plain_browser.sign_in(EMAIL, PASSWORD)
    key = link_create(purpose=FIRST_FACTOR, account_id=int(plain_browser.user_id))
    assert plain_browser.post(f"/first-factor?key={key}").to == MINE


def viewer_in(plain_browser: PlainBrowser) -> Viewer:
    """Return the viewer of this browser's session, as an open socket reads it."""
    key = plain_browser.client.cookies[settings.SESSION_COOKIE_NAME].value
    return account_sessions_get(keys=[(key, int(plain_browser.user_id))])[key].viewer


def by_password_alone(user: User) -> Viewer:
    """Return the viewer of a session that was stored after a sign-in with the password alone."""
    key = session_cookie(user).partition("=")[2]
    return account_sessions_get(keys=[(key, user.pk)])[key].viewer


def test_an_administrator_without_a_second_factor_is_none(asked_of_administrators, administrator):
    plain_browser = PlainBrowser()
    assert plain_browser.sign_in(EMAIL, PASSWORD).to == "/profile/two-factor"
    assert "Administrators need one of these" in plain_browser.get("/profile/two-factor").text
    key = plain_browser.client.cookies[settings.SESSION_COOKIE_NAME].value
    viewers = [viewer_get(user_id=administrator.pk), account_sessions_get(keys=[(key, administrator.pk)])[key].viewer]
    assert {(each.is_admin, each.lacks_factor) for each in viewers} == {(False, True)}
    assert not is_administrator(viewers[0])
    assert find("/admin", viewers[0]) == Redirect("/profile/two-factor")
    assert find("/admin/sessions", viewers[1]) == Redirect("/profile/two-factor")


def test_the_first_one_is_set_up_after_a_mailed_link_only(asked_of_administrators, administrator):
    plain_browser = PlainBrowser()
    plain_browser.sign_in(EMAIL, PASSWORD)
    for page in ("/profile/two-factor/app", "/profile/passkeys/add"):
        assert plain_browser.get(page).to == "/profile/two-factor"
        assert (
            plain_browser.client.post(page, {"csrfmiddlewaretoken": token(plain_browser), "code": "000000"})["Location"]
            == MINE
        )
    assert "/profile/two-factor/app" not in plain_browser.get(MINE).html
    assert send(plain_browser).to == MINE
    assert "A link is on its way to your address." in plain_browser.get(MINE).text
    (message,) = mails()
    assert (message.to, message.subject) == ([EMAIL], "Set up your second factor")
    link = link_in(message)
    assert "Set up your first second factor in this browser." in plain_browser.get(link).text
    assert plain_browser.get("/profile/two-factor/app").to == MINE, "opening it allows nothing, programs open links too"
    assert plain_browser.post(link).to == MINE
    assert "Now you can set up a passkey" in plain_browser.get(MINE).text
    assert "This link has been used" in plain_browser.get(link).text
    assert set_up(plain_browser)
    assert viewer_in(plain_browser).is_admin
    assert is_administrator(viewer_in(plain_browser))


def test_a_link_allows_it_in_the_session_that_used_it_alone(asked_of_administrators, administrator):
    thief, owner = PlainBrowser(), PlainBrowser()
    thief.sign_in(EMAIL, PASSWORD)
    send(thief)
    link = link_in(mails()[0])
    assert owner.get(link).to.startswith("/login?next=/first-factor")
    assert owner.sign_in(EMAIL, PASSWORD, owner.get(link).to).to == link
    assert owner.post(link).to == MINE
    assert thief.get("/profile/two-factor/app").to == MINE
    assert set_up(owner)


def test_a_link_is_for_its_account_only(asked_of_administrators, administrator):
    other = account_create(email="other@example.org", password=PASSWORD, username="other", is_admin=True)
    link = f"/first-factor?key={link_create(purpose=FIRST_FACTOR, account_id=other.pk)}"
    plain_browser = PlainBrowser()
    plain_browser.sign_in(EMAIL, PASSWORD)
    assert "it is for another account" in plain_browser.get(link).text
    assert (
        "it is for another account"
        in plain_browser._seen(plain_browser.client.post(link, {"csrfmiddlewaretoken": token(plain_browser)})).text
    )
    assert plain_browser.get("/profile/two-factor/app").to == MINE
    theirs = PlainBrowser()
    theirs.sign_in("other@example.org", PASSWORD)
    assert theirs.post(link).to == MINE, "nobody else has used it up"


def test_links_are_sent_three_times_an_hour_and_only_to_whom_they_help(asked_of_administrators, administrator):
    plain_browser = PlainBrowser()
    plain_browser.sign_in(EMAIL, PASSWORD)
    for _ in range(4):
        send(plain_browser)
    assert len(mails()) == 3
    assert "Too many attempts. Please try again later." in plain_browser.get(MINE).text
    account_create(email="other@example.org", password=PASSWORD, username="other")
    other = PlainBrowser()
    other.sign_in("other@example.org", PASSWORD)
    assert send(other).to == MINE
    assert mails() == []


def test_whoever_runs_this_machine_hands_out_a_link(asked_of_administrators, administrator):
    out = io.StringIO()
    call_command("second_factor", "link", "fan", stdout=out)
    plain_browser = PlainBrowser()
    plain_browser.sign_in(EMAIL, PASSWORD)
    assert plain_browser.post(out.getvalue().strip().removeprefix(settings.PUBLIC_URL)).to == MINE
    assert set_up(plain_browser)
    assert "factor.link" in {each.action for each in audit_list(filters=EVERYTHING, before=None, limit=9)}


def test_a_session_made_by_the_password_alone_is_no_administrators(asked_of_administrators, administrator):
    """Setting up a factor ends older sessions. A session that is stored a moment later has no rights either."""
    thief, owner = PlainBrowser(), PlainBrowser()
    thief.sign_in(EMAIL, PASSWORD)
    first(owner)
    set_up(owner)
    assert thief.user_id == ""
    late = by_password_alone(administrator)
    [viewer] = {late, viewer_get(user_id=administrator.pk, session=late.session)}
    assert (viewer.is_admin, viewer.lacks_factor) == (False, True)
    for each in (late, viewer_in(owner)):
        claimed = replace(each, is_admin=True)  # the viewer that an open page still holds
        assert is_administrator(claimed) is (each.session != late.session)
    with pytest.raises(PermissionDenied):
        default_avatars_set(actor=replace(late, is_admin=True), user_avatar_url="a", participant_avatar_url="b")
    assert find("/admin", late) == Redirect(MINE)


def test_a_session_without_proof_sees_and_sets_up_no_factors(asked_of_administrators, administrator, rf):
    owner, thief = PlainBrowser(), PlainBrowser()
    first(owner)
    set_up(owner)
    kept = by_password_alone(administrator)
    thief.client.cookies[settings.SESSION_COOKIE_NAME] = AuthSession.objects.get(handle=kept.session).key
    for path in ("/profile/two-factor/codes", "/profile/two-factor/codes/download", "/profile/passkeys/add"):
        assert thief.get(path).to == f"/reauthenticate?next={path}"
    asked = thief.get("/reauthenticate?next=/profile/two-factor/codes")
    assert "password" not in asked.fields
    assert "This browser has not shown your second factor yet." in thief.get(MINE).text


def test_a_code_asked_again_proves_it_in_this_session(asked_of_administrators, administrator):
    owner, later = PlainBrowser(), PlainBrowser()
    first(owner)
    secret = set_up(owner)
    kept = by_password_alone(administrator)
    later.client.cookies[settings.SESSION_COOKIE_NAME] = AuthSession.objects.get(handle=kept.session).key
    assert by_code(later, secret, "/reauthenticate/code?next=/admin").to == "/admin"
    assert viewer_in(later).is_admin
    assert viewer_in(later).session == kept.session
    assert is_administrator(kept), "the session is the same, under another key"


def test_a_recovery_code_stands_in_for_a_factor(asked_of_administrators, administrator):
    owner, other = PlainBrowser(), PlainBrowser()
    first(owner)
    set_up(owner)
    [kept, *_] = codes_of(owner)
    other.sign_in(EMAIL, PASSWORD)
    assert other.post("/two-factor", code=kept).to == "/"
    assert viewer_in(other).is_admin


def test_with_one_it_is_an_administrator(asked_of_administrators, administrator):
    plain_browser, other = PlainBrowser(), PlainBrowser()
    first(plain_browser)
    secret = set_up(plain_browser)
    assert (viewer_in(plain_browser).is_admin, viewer_in(plain_browser).lacks_factor) == (True, False)
    other.sign_in(EMAIL, PASSWORD)
    assert by_code(other, secret).to == "/"
    assert is_administrator(viewer_in(other))
    before = viewer_in(plain_browser)
    plain_browser.post("/profile/two-factor/app/off")
    assert not is_administrator(before)
    assert other.user_id == "", "changing factors ends all other sessions"
    assert plain_browser.get("/profile/two-factor/app").to == MINE, "the next one is a first one again"


def test_fans_are_asked_nothing(asked_of_administrators, fan):
    viewer = viewer_get(user_id=fan.pk)
    assert (viewer.is_admin, viewer.lacks_factor) == (False, False)
    assert find("/admin", viewer) == Redirect("/")
    assert PlainBrowser().sign_in(EMAIL, PASSWORD).to == "/"


def test_recovery_codes_alone_are_no_second_factor(asked_of_administrators, administrator):
    Authenticator.objects.create(user=administrator, type="recovery_codes", data={})
    assert not is_administrator(Viewer(id=administrator.pk))


def test_on_ones_own_machine_the_flag_is_enough(administrator):
    assert settings.MFA_REQUIRED_FOR_ADMINISTRATORS is False
    assert is_administrator(Viewer(id=administrator.pk))
    assert viewer_get(user_id=administrator.pk).is_admin
