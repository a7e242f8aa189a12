"""The profile's choices of notifications in a browser without scripts."""

import pytest

from apps.notifications.selectors.preferences import preferences_get
from apps.notifications.zones import zone_of
from tests.factories import PASSWORD
from tests.project.plain_browser import PlainBrowser
from tests.project.plain_forms import PlainPage

pytestmark = pytest.mark.django_db(transaction=True)
COMMAND = "notifications_choose"


@pytest.fixture
def page(fan):
    browser = PlainBrowser()
    browser.sign_in("fan@example.org", PASSWORD)
    return PlainPage.at(browser.client, "/profile")


def test_choices_are_saved_with_the_venues_time_zone(page, fan):
    fields = page.fields(COMMAND)
    names = ("soon", "advanced", "mail", "time_zone")
    assert [fields.get(name) for name in names] == [["on"], None, ["never"], [""]]
    choices = {"mail": "daily", "mail_hour": "7", "quiet_from": "22:00", "quiet_until": "07:00", "advanced": "on"}
    after = page.send(COMMAND, times=2, **choices)
    assert "Notifications saved." in after.text
    now = preferences_get(user_id=fan.pk)
    assert (now.mail, now.mail_hour, now.advanced, now.time_zone) == ("daily", 7, True, "")
    assert zone_of(now.time_zone).key == "Europe/Warsaw"
    fields = after.fields(COMMAND)
    assert (fields["mail"], fields["quiet_from"], fields["mail_hour"]) == (["daily"], ["22:00"], ["7"])


@pytest.mark.parametrize(
    ("form", "field", "error"),
    [
        ({"time_zone": "Moon/Tycho"}, "time_zone", "There is no time zone of this name."),
        ({"quiet_from": "22:15"}, "quiet_until", "Quiet hours need a beginning and an end."),
    ],
)
def test_invalid_choice_is_reported_with_the_form(page, fan, form, field, error):
    after = page.send(COMMAND, mail="daily", advanced="on", **form)
    wrong = after.one(name=field, **{"aria-invalid": "true"})
    assert "posted-error" in wrong["attributes"]["aria-describedby"].split()
    assert error in after.text
    fields = after.fields(COMMAND)
    assert (fields["mail"], fields["advanced"]) == (["daily"], ["on"])
    assert fields.get("quiet_from") == [form.get("quiet_from", "")]
    assert preferences_get(user_id=fan.pk).mail == "never"


def test_choices_of_another_window_are_kept_and_named(page, fan):
    other = PlainPage.at(page.client, "/profile")
    other.send(COMMAND, mail="at_once")
    after = page.send(COMMAND, time_zone="Asia/Tokyo")
    assert "kept: E-mail." in after.text
    now = preferences_get(user_id=fan.pk)
    assert (now.mail, now.time_zone) == ("at_once", "Asia/Tokyo")
