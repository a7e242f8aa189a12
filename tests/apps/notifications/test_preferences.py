"""Test the preferences of members: storage, merges, refusals, export and deletion."""

from datetime import time

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.accounts.services.accounts import account_delete, account_export
from apps.core.edits import EditConflict
from apps.notifications.enums import Kind, MailChoice
from apps.notifications.models import NotificationPreference
from apps.notifications.selectors.preferences import (
    DEFAULTS,
    Preferences,
    preferences_get,
    preferences_of,
    preferences_own,
)
from apps.notifications.services.preferences import notices_end, notifications_choose
from apps.notifications.zones import is_zone, place_of, zone_names, zone_of
from tests.apps.notifications.noting import member, noted
from tests.factories import PASSWORD, AppearanceFactory, MemberFactory, UserFactory, viewer_of

NIGHT = {"quiet_from": "22:00", "quiet_until": "07:30"}


@pytest.fixture
def fan(db):
    return viewer_of(MemberFactory())


def choose(actor, version=None, **typed):
    return notifications_choose(actor=actor, typed=typed, version=version)


def test_defaults_equal_those_of_the_table(fan):
    assert preferences_get(user_id=fan.id) == DEFAULTS
    assert DEFAULTS.kinds == {Kind.SOON, Kind.NOW, Kind.MOVED}
    NotificationPreference.objects.create(user_id=fan.id)
    assert preferences_get(user_id=fan.id) == DEFAULTS
    assert preferences_of(user_ids=[fan.id, 999_999]) == {fan.id: DEFAULTS}


def test_preferences_are_stored_and_used_by_the_channels(fan):
    own = preferences_own(user_id=fan.id)
    assert (own.is_chosen, own.has_address) == (False, True)
    choose(fan, soon=False, advanced=True, mail="daily", mail_hour=9, time_zone="Asia/Tokyo", **NIGHT)
    chosen = Preferences(False, True, True, True, False, "daily", 9, time(22), time(7, 30), "Asia/Tokyo")
    assert preferences_own(user_id=fan.id).preferences == chosen
    assert preferences_own(user_id=fan.id).is_chosen
    channels = chosen.channels
    assert (channels.zone.key, channels.mail, channels.mail_hour) == ("Asia/Tokyo", MailChoice.DAILY, 9)
    choose(fan, quiet_from="", quiet_until="")
    assert preferences_get(user_id=fan.id).quiet_from is None
    assert preferences_get(user_id=fan.id).time_zone == "Asia/Tokyo", "other fields stay"


def test_only_members_choose(db):
    for actor in (ANONYMOUS, OPERATOR):
        with pytest.raises(PermissionDenied, match="Please sign in"):
            choose(actor, soon=True)


def test_wrong_value_is_refused_at_its_field(fan):
    for typed, field, sentence in (
        ({"time_zone": "Europe/Krakow"}, "time_zone", "There is no time zone of this name"),
        ({"time_zone": "../../etc/passwd"}, "time_zone", "There is no time zone of this name"),
        ({"time_zone": "localtime"}, "time_zone", "There is no time zone of this name"),
        ({"quiet_from": "22:00", "quiet_until": ""}, "quiet_until", "need a beginning and an end"),
        ({"quiet_from": "", "quiet_until": "07:00"}, "quiet_from", "need a beginning and an end"),
        ({"quiet_from": "07:00", "quiet_until": "07:00:30"}, "quiet_until", "a different end"),
        ({"quiet_from": "25:00", "quiet_until": "07:00"}, "quiet_from", "give a time of day"),
        ({"quiet_from": "22:00", "quiet_until": "seven"}, "quiet_until", "give a time of day"),
        ({"quiet_from": "23:00+05:00", "quiet_until": "07:00"}, "quiet_from", "give a time of day"),
    ):
        with pytest.raises(ValidationError, match=sentence) as error:
            choose(fan, soon=False, **typed)
        assert list(error.value.message_dict) == [field], typed
    with pytest.raises(ValidationError) as error:
        choose(fan, time_zone="Moon/Tycho", quiet_from="x", quiet_until="y")
    assert set(error.value.message_dict) == {"time_zone", "quiet_from", "quiet_until"}
    assert preferences_get(user_id=fan.id) == DEFAULTS


def test_two_windows_are_merged_by_field(fan):
    choose(fan, **NIGHT)
    read = preferences_get(user_id=fan.id).version
    choose(fan, read, mail="daily", mail_hour=20, quiet_from="22:00", quiet_until="07:30")
    saved = choose(fan, read, mail="never", mail_hour=8, soon=False, quiet_from="23:00", quiet_until="07:30")
    assert saved.kept_fields == ("E-mail", "Hour of the daily e-mail")
    now = preferences_get(user_id=fan.id)
    assert (now.mail, now.mail_hour, now.soon, now.quiet_from) == ("daily", 20, False, time(23))
    with pytest.raises(EditConflict) as conflict:
        choose(fan, read, mail="at_once", mail_hour=8)
    assert conflict.value.messages == ["E-mail was changed meanwhile. It is now “Once a day”."]
    choose(fan, conflict.value.version, mail="at_once", mail_hour=8)
    assert preferences_get(user_id=fan.id).mail == "at_once"


def test_two_windows_cannot_merge_to_half_quiet_hours(fan):
    choose(fan, **NIGHT)
    read = preferences_get(user_id=fan.id).version
    choose(fan, read, quiet_from="", quiet_until="")
    with pytest.raises(ValidationError, match="was changed meanwhile"):
        choose(fan, read, quiet_from="22:00", quiet_until="08:00")
    assert preferences_get(user_id=fan.id).quiet_until is None


def test_database_refuses_wrong_preferences(fan):
    for wrong in (
        {"quiet_from": time(22)},
        {"quiet_until": time(22)},
        {"quiet_from": time(22), "quiet_until": time(22)},
        {"mail_hour": 24},
        {"mail": "weekly"},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            NotificationPreference.objects.create(user_id=fan.id, **wrong)


def test_zone_names_are_known_places():
    names = zone_names()
    assert len(names) == len(set(names)) > 300
    assert {"Europe/Warsaw", "America/New_York", "Asia/Calcutta", "Asia/Kolkata", "UTC"} <= set(names)
    assert all(is_zone(name) and zone_of(name).key == name for name in names)
    assert zone_of("").key == zone_of("Nowhere/Gone").key == "Europe/Warsaw"
    assert place_of(zone_of("America/Argentina/Buenos_Aires")) == "Buenos Aires"


@pytest.mark.django_db(transaction=True)
def test_preferences_are_published_to_their_member(listener):
    fan = viewer_of(UserFactory())
    choose(fan, soon=False)
    assert f"account.{fan.id}.notifications" in listener.heard()


def test_preferences_are_exported_and_deleted_with_their_account(db):
    fan = viewer_of(UserFactory())
    assert "notification_preferences" not in account_export(actor=fan)
    choose(fan, mail="daily", time_zone="Asia/Tokyo", **NIGHT)
    exported = account_export(actor=fan)["notification_preferences"]
    assert exported["time_zone"] == "Asia/Tokyo"
    assert (exported["quiet_from"], exported["mail"], exported["advanced"]) == ("22:00:00", "daily", False)
    account_delete(actor=fan, password=PASSWORD)
    assert not NotificationPreference.objects.exists()


def test_unsubscribing_happens_once_and_cancels_waiting_mails(db):
    fan, other, appearance = member(), member(), AppearanceFactory(is_performing=True)
    own, of_other = noted(fan, appearance), noted(other, appearance)
    assert [notices_end(user_id=fan.pk) for _ in range(2)] == [True, False]
    for row in (own, of_other):
        row.refresh_from_db()
    assert (own.mail_due_at, of_other.mail_due_at is None) == (None, False)
    assert preferences_get(user_id=fan.pk).mail == "never"
    assert preferences_get(user_id=other.pk).mail == "at_once"
    assert notices_end(user_id=999_999) is False
