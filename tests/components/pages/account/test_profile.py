"""The profile page: its forms in every state, the list of sessions, its tabs, and the choice of notifications."""

import pytest

from apps.accounts.actors import OPERATOR, Viewer
from apps.accounts.models import AuthSession, User
from apps.accounts.selectors.sessions import account_sessions_get
from apps.accounts.services.profile import answer_keep, default_avatars_set, profile_update
from apps.core.threads import in_thread
from apps.notifications.zones import zone_names
from components.routes import Target, find
from tests.apps.accounts.test_sessions import begun
from tests.commanding import command
from tests.components.seen import Seen, attributes, classes, every, name, one, opened, text
from tests.factories import MemberFactory, UserFactory
from tests.screen import Screen, open_page

pytestmark = pytest.mark.django_db
FORMS = (
    "/profile/settings",
    "/profile/sessions/end",
    "/profile/sessions/end-others",
    "/profile/export",
    "/profile/delete",
)


@pytest.fixture
def user() -> User:
    return UserFactory(username="una_corda", email="una@example.org", avatar_url="https://example.org/una.png")


def look(user: User, query: str = "", session: str = "") -> Seen:
    """Render the profile page for this user."""
    viewer = Viewer(user.pk, user.username, session=session)
    return opened(f"/profile{query}", viewer)


def fields(seen: Seen) -> dict[str, dict]:
    """Return the attributes of the visible fields of the settings form, by name."""
    form = one(seen.main, "form", action="/profile/settings")
    return {field["name"]: field for field in map(attributes, every(form, "input")) if field["type"] != "hidden"}


def test_settings_show_stored_values_without_passwords(user):
    known = fields(look(user))
    assert list(known) == ["username", "email", "avatar_url", "password1", "password2", "version"]
    assert known["username"]["defaultValue"] == "una_corda"
    assert known["avatar_url"]["defaultValue"] == "https://example.org/una.png"
    assert (known["email"]["defaultValue"], known["email"]["readOnly"]) == ("una@example.org", True)
    for password in (known["password1"], known["password2"]):
        assert password["defaultValue"] == ""
        assert (password["autoComplete"], password["type"]) == ("new-password", "password")
        assert password["required"] is False


def plain_forms(seen: Seen) -> list[dict]:
    """Return the forms that are no command's."""
    return [form for form in every(seen.main, "form") if "data-command" not in attributes(form)]


def test_forms_are_posted_once_with_a_token(user):
    store = begun(user)
    begun(user)
    current_session = account_sessions_get(keys=[(store.session_key, user.pk)])[store.session_key].viewer.session
    seen = look(user, session=current_session)
    forms = plain_forms(seen)
    assert {attributes(form)["action"] for form in forms} == set(FORMS)
    for form in forms:
        assert attributes(form)["method"] == "post"
        assert one(form, "input", name="csrfmiddlewaretoken")
    begun(user)
    once = {attributes(form)["action"] for form in plain_forms(look(user)) if "data-once" in attributes(form)}
    assert once == set(FORMS) - {"/profile/export"}
    save = one(one(look(user).main, "form", action="/profile/settings"), "button")
    assert attributes(save)["data-busy"] == "Saving..."


def test_other_sessions_can_be_ended(user):
    store = begun(user)
    session = account_sessions_get(keys=[(store.session_key, user.pk)])[store.session_key]
    alone = look(user, session=session.viewer.session)
    assert "This browser" in text(alone.main)
    assert not every(alone.main, "form", action="/profile/sessions/end")
    assert not every(alone.main, "form", action="/profile/sessions/end-others")
    AuthSession.objects.update(agent="Firefox on Linux")
    other = AuthSession.objects.get(key=begun(user).session_key)
    seen = look(user, session=session.viewer.session)
    end = one(seen.main, "form", action="/profile/sessions/end")
    assert attributes(one(end, "input", name="handle"))["value"] == str(other.handle)
    assert name(one(end, "button")) == "Sign out: Unknown browser"
    assert "Firefox on Linux" in text(seen.main)
    whole = str(seen.model)
    assert store.session_key not in whole
    assert other.key not in whole


def test_account_deletion_offers_a_download_and_needs_the_password(user):
    leaving = one(look(user).main, "section", id="leaving")
    assert [(text(link), attributes(link)["href"]) for link in every(leaving, "a")] == [
        ("Download your data first", "#data")
    ]
    owner = attributes(one(leaving, "input", name="email"))
    assert (owner["autoComplete"], owner["defaultValue"], owner["hidden"]) == ("username", "una@example.org", True)
    assert attributes(one(leaving, "input", name="password"))["autoComplete"] == "current-password"
    User.objects.update(password="!")
    form = one(look(user).main, "form", action="/profile/delete")
    assert not every(form, "input", name="password")


def test_missing_picture_is_the_default_one_or_drawn(user):
    User.objects.update(avatar_url="")
    for likeness in every(look(user).main, look="disc"):
        assert not every(likeness, "img")
        assert text(likeness) == "U"
    address = "https://example.org/default.png"
    default_avatars_set(actor=OPERATOR, user_avatar_url=address, participant_avatar_url=address)
    above, at_field = every(look(user).main, look="disc")
    assert [attributes(one(disc, "img"))["src"] for disc in (above, at_field)] == [address, address]


def test_profile_links_to_second_factors_and_own_ratings(user):
    links = [attributes(link)["href"] for link in every(one(look(user).main, "section", id="factors"), "a")]
    assert links == ["/profile/passkeys", "/profile/two-factor/app"]
    seen = look(user, "?tab=ratings")
    current = [text(link) for link in every(seen.main, "a") if attributes(link).get("aria-current") == "page"]
    assert current == ["My Ratings"]
    assert "You have not rated anything yet." in text(seen.main)
    assert not every(seen.main, "form")
    assert "portrait" in classes(every(seen.main, "div")[0])


def test_closed_account_is_sent_to_the_sign_in(user):
    User.objects.update(is_active=False)
    seen = look(user)
    assert text(one(seen.main, "h1")) == "Not authenticated"
    assert attributes(one(seen.main, "a"))["href"] == "/login"


def test_query_count_is_independent_of_sessions(user, django_assert_num_queries):
    for count in (1, 3):
        for _ in range(count):
            begun(user)
        with django_assert_num_queries(11):
            target = find("/profile", Viewer(user.pk))
            assert isinstance(target, Target)
            target.load(Viewer(user.pk), "en")


async def test_change_is_shown_in_all_windows():
    user = await in_thread(lambda: UserFactory(username="una_corda"))
    async with open_page("/profile", user=user) as one_window, open_page("/profile", user=user) as other:
        assert "una_corda" in other.text
        await in_thread(lambda: profile_update(actor=Viewer(user.pk), username="due_corde", avatar_url=""))
        await one_window.until("due_corde")
        await other.until("due_corde")
        assert one_window.closed is None


async def test_address_does_not_keep_the_answer():
    user = await in_thread(UserFactory)
    good = {"messages": [["Profile updated successfully", True]]}
    answer = await in_thread(lambda: answer_keep(user_id=user.pk, form="settings", data=good))
    async with open_page(f"/profile?answer={answer}", user=user) as screen:
        assert "Profile updated successfully" in screen.text
        assert screen.path == "/profile"


ACT = "notifications_choose"
KINDS = ("soon", "now", "moved", "advanced", "prizes")


def choices(screen: Screen):
    return one(screen.tree, "section", id="notifications")


def version(screen: Screen) -> str:
    return str(attributes(one(choices(screen), "input", name="version"))["defaultValue"])


def ticked(screen: Screen) -> list[str]:
    boxes = [attributes(box) for box in every(choices(screen), "input", type="checkbox")]
    assert [box["name"] for box in boxes] == list(KINDS)
    return [box["name"] for box in boxes if box["defaultChecked"]]


def typed(**more: str) -> dict[str, str]:
    """Return the fields of the form as it is before the first choice, with these changes."""
    return {"soon": "on", "now": "on", "moved": "on", "mail": "never", "mail_hour": "8", "time_zone": ""} | more


async def test_defaults_and_the_browsers_time_zone_are_offered_first():
    fan = await in_thread(MemberFactory)
    async with open_page("/profile", user=fan) as screen:
        assert ticked(screen) == ["soon", "now", "moved"]
        section = choices(screen)
        assert attributes(one(section, "input", id="notify-mail-never"))["defaultChecked"]
        assert len(every(section, "BrowserZone")) == 1
        assert "performers that you follow" in {text(link) for link in every(section, "a", href="/following")}
        options = {attributes(option)["value"] for option in every(one(section, "select", name="time_zone"), "option")}
        assert options == {"", *zone_names()}
        assert "Two performers before, or 15 minutes before a planned time while the session is live." in text(section)
        assert "not yet" not in text(section)
        answer = await command(screen, ACT, **typed(version=version(screen), time_zone="Asia/Tokyo"))
        assert (answer["text"], answer["go"]) == ("Notifications saved.", "/profile")
        await screen.go("/profile")
        assert attributes(one(choices(screen), "select", name="time_zone"))["defaultValue"] == "Asia/Tokyo"
        assert not every(choices(screen), "BrowserZone")


async def test_unconfirmed_address_has_a_notice(fan):
    async with open_page("/profile", user=fan) as screen:
        assert "E-mails begin when your address is confirmed: it is not yet." in text(choices(screen))


async def test_saved_choices_are_shown_with_a_version():
    fan = await in_thread(MemberFactory)
    fields = {"advanced": "on", "mail": "daily", "mail_hour": "21", "quiet_from": "22:00", "quiet_until": "07:30"}
    async with open_page("/profile", user=fan) as screen:
        before = version(screen)
        assert (await command(screen, ACT, **fields, version=before))["ok"]
        await screen.go("/profile")
        assert version(screen) != before
        assert ticked(screen) == ["advanced"]
        shown = {
            attributes(field)["name"]: attributes(field)["defaultValue"]
            for name in ("quiet_from", "quiet_until", "mail_hour")
            for field in (*every(choices(screen), "input", name=name), *every(choices(screen), "select", name=name))
        }
        assert shown == {"quiet_from": "22:00", "quiet_until": "07:30", "mail_hour": "21"}
        assert attributes(one(choices(screen), "input", id="notify-mail-daily"))["defaultChecked"]
