"""A press of a visitor without scripts is carried out by the sign-in that follows, and by nothing else."""

import pytest
from django.conf import settings
from django.utils import timezone

from apps.accounts.actors import OPERATOR, TYPED_BY, form_owner_sign
from apps.community.models import PostReactionRow
from apps.competition.services.live import performer_clear
from apps.core.commands import REGISTERED, Access
from apps.following.models import Follow
from apps.live.models import SessionComment
from apps.notifications.models import CallAlert
from project.http.middleware import public_origin
from tests.components.conftest import busy_session_with
from tests.factories import PASSWORD, ParticipantFactory, PostFactory, UserFactory
from tests.project.plain_browser import PlainBrowser
from tests.project.plain_forms import PlainPage, address

pytestmark = pytest.mark.django_db(transaction=True)
WISH = settings.WISH_COOKIE_NAME


def press(browser: PlainBrowser, path: str, command: str, argument: str, **more: str) -> str:
    """Press a button of a page as a visitor; return where it leads."""
    fields = PlainPage.at(browser.client, path).button(command, argument) | {name: [more[name]] for name in more}
    answer = browser.client.post(address(command, argument), fields, headers={"Origin": public_origin()})
    assert answer.status_code == 303
    return str(answer["Location"])


def test_press_is_carried_out_by_the_sign_in_once(fan):
    performer = ParticipantFactory()
    browser, path, pressed = PlainBrowser(), f"/participants/{performer.pk}", f"{performer.pk}:on"
    login = press(browser, path, "follow_set", pressed)
    assert not Follow.objects.exists()
    PlainPage.at(browser.client, path)
    entered = browser.sign_in(fan.email, PASSWORD, login)
    assert Follow.objects.get().user_id == fan.pk
    page = PlainPage.at(browser.client, entered.to)
    assert entered.to.startswith(f"{path}?answer=")
    assert "Undo" in page.text
    assert not browser.client.cookies[WISH].value
    page.send("follow_set", f"{performer.pk}:off")
    browser.client.post("/sign-out", headers={"Origin": public_origin()})
    browser.sign_in(fan.email, PASSWORD)
    assert not Follow.objects.exists()


def test_commands_that_wait_are_carried_out(fan):
    session, post = busy_session_with(2).session, PostFactory()
    alerted, applauded = (f"/sessions/{session.pk}", "call_alert_set", f"{session.pk}:on"), f"{post.pk}:applause"
    performer_clear(actor=OPERATOR, session_id=session.pk)
    for where in (alerted, (f"/community?post={post.pk}", "post_reaction_set", applauded)):
        browser = PlainBrowser()
        browser.sign_in(fan.email, PASSWORD, press(browser, *where))
    assert (CallAlert.objects.get().user_id, PostReactionRow.objects.get().user_id) == (fan.pk, fan.pk)


def test_only_easily_undone_commands_of_members_wait():
    waiting = {name for name, each in REGISTERED.items() if each.waits}
    assert waiting == {"call_alert_set", "follow_set", "post_reaction_set", "recommendation_set"}
    assert {(REGISTERED[name].access, REGISTERED[name].confirm) for name in waiting} == {(Access.MEMBER, "")}


def test_forged_and_other_posts_do_not_wait():
    performer, session = ParticipantFactory(), busy_session_with(1).session
    good, own = f"{performer.pk}:on", {"Origin": public_origin()}
    cases = {
        "another site": ("follow_set", good, {}, {"Origin": "https://evil.example"}),
        "no origin": ("follow_set", good, {}, {}),
        "opaque origin": ("follow_set", good, {}, {"Origin": "null"}),
        "form of an account": ("follow_set", good, {TYPED_BY: form_owner_sign(UserFactory().pk)}, own),
        "text": ("comment_add", str(session.pk), {"content": "Bravo"}, own),
        "long argument": ("follow_set", "1" * 99, {}, own),
        "line": ("follow_set", f"{good}\n", {}, own),
        "unknown": ("no_such_command", good, {}, own),
    }
    for name, (command, argument, fields, headers) in cases.items():
        browser = PlainBrowser()
        assert browser.client.post(address(command, argument), fields, headers=headers).status_code == 303, name
        assert WISH not in browser.client.cookies, name
    assert not Follow.objects.exists()
    assert not SessionComment.objects.exists()


def test_changed_or_old_cookie_is_not_carried_out(fan, monkeypatch):
    performer = ParticipantFactory()
    browser, path = PlainBrowser(), f"/participants/{performer.pk}"
    login = press(browser, path, "follow_set", f"{performer.pk}:on")
    kept = browser.client.cookies[WISH].value
    browser.client.cookies[WISH] = kept.replace(f" {performer.pk}:on", f" {performer.pk + 1}:on")
    assert browser.sign_in(fan.email, PASSWORD, login).to == path
    later = PlainBrowser()
    later.client.cookies[WISH] = kept
    then = timezone.now().timestamp() + 16 * 60
    monkeypatch.setattr("django.core.signing.time.time", lambda: then)
    assert later.sign_in(fan.email, PASSWORD, login).to == path
    assert not Follow.objects.exists()
