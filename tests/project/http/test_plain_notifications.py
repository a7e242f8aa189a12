"""The profile's choices of notifications in a browser without scripts."""

import pytest

from apps.accounts.services.accounts import account_create
from apps.notifications.selectors.preferences import preferences_get
from apps.notifications.zones import zone_of
from tests.factories import PASSWORD
from tests.project.plain_browser import PlainBrowser
from tests.project.plain_forms import PlainPage

pytestmark = pytest.mark.django_db(transaction=True)
ACT = "notifications_choose"


@pytest.fixture
def fan():
    return account_create(email="fan@example.org", password=PASSWORD, username="fan_of_g")


@pytest.fixture
def page(fan):
    browser = PlainBrowser()
    browser.sign_in("fan@example.org", PASSWORD)
    return PlainPage.at(browser.client, "/profile")


def test_choices_are_saved_and_without_a_browsers_zone_they_are_the_venues(page, fan):
    fields = page.fields(ACT)
    assert {name: fields.get(name) for name in ("soon", "advanced", "mail", "time_zone")} == {
        "soon": ["on"],
        "advanced": None,
        "mail": ["never"],
        "time_zone": [""],
    }
    after = page.send(ACT, times=2, mail="daily", mail_hour="7", quiet_from="22:00", quiet_until="07:00", advanced="on")
    assert "Notifications saved." in after.text
    now = preferences_get(user_id=fan.pk)
    assert (now.mail, now.mail_hour, now.advanced, now.time_zone) == ("daily", 7, True, "")
    assert zone_of(now.time_zone).key == "Europe/Warsaw"
    fields = after.fields(ACT)
    assert (fields["mail"], fields["quiet_from"], fields["mail_hour"]) == (["daily"], ["22:00"], ["7"])


@pytest.mark.parametrize(
    ("typed", "field", "sentence"),
    [
        ({"time_zone": "Moon/Tycho"}, "time_zone", "There is no time zone of this name."),
        ({"quiet_from": "22:15"}, "quiet_until", "Quiet hours need a beginning and an end."),
    ],
)
def test_a_refusal_stands_at_its_field_with_what_was_typed(page, fan, typed, field, sentence):
    after = page.send(ACT, mail="daily", advanced="on", **typed)
    wrong = after.one(name=field, **{"aria-invalid": "true"})
    assert "posted-error" in wrong["attributes"]["aria-describedby"].split()
    assert sentence in after.text
    fields = after.fields(ACT)
    assert (fields["mail"], fields["advanced"]) == (["daily"], ["on"])
    assert fields.get("quiet_from") == [typed.get("quiet_from", "")]
    assert preferences_get(user_id=fan.pk).mail == "never"


def test_another_window_is_kept_and_named(page, fan):
    other = PlainPage.at(page.client, "/profile")
    other.send(ACT, mail="at_once")
    after = page.send(ACT, time_zone="Asia/Tokyo")
    assert "kept: E-mail." in after.text
    now = preferences_get(user_id=fan.pk)
    assert (now.mail, now.time_zone) == ("at_once", "Asia/Tokyo")
