"""Test the services that write a user's own profile, and the pictures of accounts without one."""

import logging
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction

from apps.accounts.actors import ANONYMOUS, OPERATOR, Viewer
from apps.accounts.models import DefaultAvatars, FormAnswer
from apps.accounts.selectors.own_account import Defaults, answer_get, default_avatars, has_password, profile_get
from apps.accounts.services.profile import answer_keep, answers_prune, default_avatars_set, profile_update
from apps.accounts.sign_in.passwords import password_errors
from apps.core.edits import EditConflict
from apps.core.models import AuditEntry
from tests.apps.conftest import run_together
from tests.factories import UserFactory, viewer_of
from tests.offenders import check_each
from tests.owner import as_owner

pytestmark = pytest.mark.django_db
PICTURE = "https://example.org/me.png"


def test_profile_update_strips_username_and_picture():
    user = UserFactory()
    assert profile_update(actor=viewer_of(user), username=" una_corda ", avatar_url=f" {PICTURE} ")
    profile = profile_get(user_id=user.pk)
    assert (profile.username, profile.avatar_url) == ("una_corda", PICTURE)
    assert not profile_update(actor=viewer_of(user), username="una_corda", avatar_url=PICTURE)
    assert profile_update(actor=viewer_of(user), username="una_corda", avatar_url="")
    assert profile_get(user_id=user.pk).avatar_url == ""
    demo = UserFactory(avatar_url="/static/demo/a.webp")
    assert profile_update(actor=viewer_of(demo), username="due_corde", avatar_url="/static/demo/a.webp")


def test_profile_update_keeps_concurrent_changes_of_other_fields():
    user = UserFactory(username="una_corda")
    read = profile_get(user_id=user.pk).version
    profile_update(actor=viewer_of(user), username="una_corda", avatar_url=PICTURE)
    assert profile_update(actor=viewer_of(user), username="due_corde", avatar_url="", version=read)
    user.refresh_from_db()
    assert (user.username, user.avatar_url) == ("due_corde", PICTURE)
    with pytest.raises(EditConflict) as both:
        profile_update(actor=viewer_of(user), username="tre_corde", avatar_url="", version=read)
    assert both.value.message_dict == {"username": ["Username was changed meanwhile. It is now “due_corde”."]}
    profile_update(actor=viewer_of(user), username="tre_corde", avatar_url="", version=both.value.version)
    user.refresh_from_db()
    assert (user.username, user.avatar_url) == ("tre_corde", PICTURE)


ANOTHER_SITE = "A picture needs an https:// address of another site."
REFUSED = (
    ("username", "ab", "Username must be at least 3 characters long"),
    ("username", "0therfan", "Username must start with a letter"),
    ("username", "OTHER_FAN", "This username is already taken."),
    ("username", "other-fan", "This username is already taken."),
    ("username", "Adm1n", "This username is reserved. Please choose another one."),
    ("avatar_url", "http://example.org/me.png", ANOTHER_SITE),
    ("avatar_url", "/static/favicon.svg", ANOTHER_SITE),
    ("avatar_url", "https://example.org/\0.png", ANOTHER_SITE),
    ("avatar_url", f"https://example.org/{'a' * 2048}", "at most 2,048 characters"),
)


def test_profile_update_names_the_invalid_field_and_stores_no_change():
    UserFactory(username="other_fan")
    user = UserFactory(username="una_corda")

    def check(case):
        field, value, message = case
        with pytest.raises(ValidationError) as refused:
            profile_update(actor=viewer_of(user), **{"username": "una_corda", "avatar_url": "", field: value})
        errors = refused.value.message_dict[field]
        assert any(message in error for error in errors), errors
        user.refresh_from_db()
        assert (user.username, user.avatar_url) == ("una_corda", "")

    check_each(REFUSED, check)


def test_profile_update_requires_an_active_account():
    closed = UserFactory(is_active=False)
    for actor in (ANONYMOUS, Viewer(closed.pk), Viewer(987_654)):
        with pytest.raises(PermissionDenied, match="Not authenticated"):
            profile_update(actor=actor, username="una_corda", avatar_url="")


@pytest.mark.django_db(transaction=True)
def test_profile_update_publishes_topics_only_for_a_change(listener):
    user = UserFactory(username="una_corda")
    profile_update(actor=viewer_of(user), username="due_corde", avatar_url="")
    assert listener.heard() == {f"account.{user.pk}", "profiles"}
    profile_update(actor=viewer_of(user), username="due_corde", avatar_url="")
    assert listener.heard() == set()


@pytest.mark.django_db(transaction=True)
def test_concurrent_users_cannot_take_the_same_username():
    actors = [viewer_of(UserFactory()) for _ in range(4)]
    names = ("row_g", "Row-G", "r0wg", "ROW_G")
    results = run_together(
        *(
            partial(profile_update, actor=actor, username=name, avatar_url="")
            for actor, name in zip(actors, names, strict=True)
        )
    )
    refused = [result for result in results if result is not True]
    assert [error.message_dict for error in refused] == [{"username": ["This username is already taken."]}] * 3, results


def test_password_errors_are_those_of_the_specification():
    short, different = "Password must be at least 6 characters long", "Passwords do not match"
    errors = partial(password_errors, user=UserFactory())
    assert errors("short", "short") == {"password1": [short]}
    assert errors("", "something") == {"password1": [short], "password2": [different]}
    assert errors("row-g-seat-13", "row-g-seat-31") == {"password2": [different]}
    assert errors("row-g-seat-13", "row-g-seat-13") == {}
    assert set(errors("password1", "password1")) == {"password1"}


def test_has_password_is_false_for_an_unusable_password():
    assert has_password(user_id=UserFactory().pk)
    assert not has_password(user_id=UserFactory(password="!").pk)
    assert not has_password(user_id=987_654)


def test_form_answer_is_read_only_by_its_account():
    user, other = UserFactory(), UserFactory()
    answer = answer_keep(user_id=user.pk, form="settings", data={"errors": {"username": ["Wrong"]}})
    assert answer_get(answer_id=str(answer), user_id=user.pk) == ("settings", {"errors": {"username": ["Wrong"]}})
    assert answer_get(answer_id=str(answer), user_id=other.pk) is None
    assert answer_get(answer_id="no id", user_id=user.pk) is None
    assert answers_prune() == 0
    FormAnswer.objects.update(created_at="2026-01-01T00:00Z")
    assert answers_prune() == 1
    assert answer_get(answer_id=str(answer), user_id=user.pk) is None


def test_picture_addresses_of_this_site_are_refused():
    user = UserFactory()
    for address in ("https://localhost:8000/reset-password?key=a", "https://localhost/static/a.png"):
        with pytest.raises(ValidationError, match="https:// address of another site"):
            profile_update(actor=viewer_of(user), username=user.username, avatar_url=address)
        with pytest.raises(ValidationError, match="another, public site"):
            default_avatars_set(actor=OPERATOR, user_avatar_url=PICTURE, participant_avatar_url=address)
    with pytest.raises(ValidationError, match="https:// address or a static file"):
        default_avatars_set(actor=OPERATOR, user_avatar_url="/sign-out", participant_avatar_url=PICTURE)


def test_default_avatars_returns_the_newest_pictures(admin):
    assert default_avatars() == Defaults()
    for number in (1, 2):
        saved = default_avatars_set(
            actor=admin, user_avatar_url=f" {PICTURE}?{number}", participant_avatar_url="/static/p.svg "
        )
        assert saved.row == "Default avatars updated successfully"
    assert default_avatars() == Defaults(f"{PICTURE}?2", "/static/p.svg")
    assert set(DefaultAvatars.objects.values_list("updated_by_id", flat=True)) == {admin.id}
    assert AuditEntry.objects.count() == 2
    default_avatars_set(actor=OPERATOR, user_avatar_url=PICTURE, participant_avatar_url=PICTURE)
    assert default_avatars() == Defaults(PICTURE, PICTURE)


def test_default_avatars_set_keeps_concurrent_changes(admin):
    choose = partial(default_avatars_set, actor=admin, version=default_avatars().version)
    choose(user_avatar_url=f"{PICTURE}?1", participant_avatar_url=PICTURE)
    assert choose(user_avatar_url="", participant_avatar_url=PICTURE).kept_fields == ("Picture of listeners",)
    with pytest.raises(EditConflict, match="Picture of listeners was changed meanwhile"):
        choose(user_avatar_url=f"{PICTURE}?2", participant_avatar_url=PICTURE)
    assert default_avatars() == Defaults(f"{PICTURE}?1", PICTURE)


def test_default_avatars_set_requires_two_picture_addresses(admin):
    for user_url, participant_url in (("", PICTURE), (PICTURE, "  "), ("http://example.org/a.png", PICTURE)):
        with pytest.raises(ValidationError):
            default_avatars_set(actor=admin, user_avatar_url=user_url, participant_avatar_url=participant_url)
        with pytest.raises(IntegrityError), transaction.atomic():
            DefaultAvatars.objects.create(
                user_avatar_url=user_url.strip(), participant_avatar_url=participant_url.strip()
            )
    assert default_avatars() == Defaults()


def test_default_avatars_are_set_only_by_administrators(unprivileged):
    with pytest.raises(PermissionDenied):
        default_avatars_set(actor=unprivileged, user_avatar_url=PICTURE, participant_avatar_url=PICTURE)


def test_default_avatars_fall_back_and_log_a_database_error(caplog):
    with as_owner() as cursor:
        cursor.execute("ALTER TABLE default_avatar_urls RENAME TO renamed")
    with transaction.atomic(), caplog.at_level(logging.ERROR):
        assert default_avatars() == Defaults()
        transaction.set_rollback(True)
    assert "default avatars could not be read" in caplog.text
