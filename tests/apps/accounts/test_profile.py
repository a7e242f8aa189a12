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
from tests.owner import as_owner

pytestmark = pytest.mark.django_db
PICTURE = "https://example.org/me.png"


def test_username_and_picture_are_stored_without_blanks_around_them():
    user = UserFactory()
    assert profile_update(actor=viewer_of(user), username=" una_corda ", avatar_url=f" {PICTURE} ")
    profile = profile_get(user_id=user.pk)
    assert (profile.username, profile.avatar_url) == ("una_corda", PICTURE)
    assert not profile_update(actor=viewer_of(user), username="una_corda", avatar_url=PICTURE)
    assert profile_update(actor=viewer_of(user), username="una_corda", avatar_url="")
    assert profile_get(user_id=user.pk).avatar_url == ""


def test_what_was_not_changed_stays_as_it_was_stored_since():
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


@pytest.mark.parametrize(
    ("username", "avatar_url", "field", "message"),
    [
        ("ab", "", "username", "Username must be at least 3 characters long"),
        ("a" * 21, "", "username", "Username must be no more than 20 characters long"),
        ("ewa nowak", "", "username", "Username can only contain letters, numbers, underscores, and hyphens"),
        ("4ewa", "", "username", "Username must start with a letter"),
        ("OTHER_FAN", "", "username", "This username is already taken."),
        ("0therfan", "", "username", "Username must start with a letter"),
        ("other-fan", "", "username", "This username is already taken."),
        ("Adm1n", "", "username", "This username is reserved. Please choose another one."),
        ("former_member", "", "username", "This username is reserved. Please choose another one."),
        (
            "una_corda",
            "http://example.org/me.png",
            "avatar_url",
            "A picture needs an https:// address of another site.",
        ),
        ("una_corda", "/static/favicon.svg", "avatar_url", "A picture needs an https:// address of another site."),
        ("una_corda", "javascript:alert(1)", "avatar_url", "A picture needs an https:// address of another site."),
        (
            "una_corda",
            "https://example.org/ me.png",
            "avatar_url",
            "A picture needs an https:// address of another site.",
        ),
        (
            "una_corda",
            "https://example.org/\0.png",
            "avatar_url",
            "A picture needs an https:// address of another site.",
        ),
        ("una_corda", f"https://example.org/{'a' * 2048}", "avatar_url", "at most 2,048 characters"),
    ],
)
def test_what_is_wrong_is_said_by_field_and_stored_nowhere(username, avatar_url, field, message):
    UserFactory(username="other_fan")
    user = UserFactory(username="una_corda")
    with pytest.raises(ValidationError) as refused:
        profile_update(actor=viewer_of(user), username=username, avatar_url=avatar_url)
    assert any(message in words for words in refused.value.message_dict[field]), refused.value.message_dict
    user.refresh_from_db()
    assert (user.username, user.avatar_url) == ("una_corda", "")


def test_a_picture_that_the_site_gave_stays_while_the_name_changes():
    user = UserFactory(avatar_url="/static/demo/a.webp")
    assert profile_update(actor=viewer_of(user), username="una_corda", avatar_url="/static/demo/a.webp")


def test_one_changes_ones_own_profile_only():
    closed = UserFactory(is_active=False)
    for actor in (ANONYMOUS, Viewer(closed.pk), Viewer(987_654)):
        with pytest.raises(PermissionDenied, match="Not authenticated"):
            profile_update(actor=actor, username="una_corda", avatar_url="")


@pytest.mark.django_db(transaction=True)
def test_a_change_is_told_to_everything_that_shows_people_and_no_change_to_nobody(listener):
    user = UserFactory(username="una_corda")
    profile_update(actor=viewer_of(user), username="due_corde", avatar_url="")
    assert listener.heard() == {f"account.{user.pk}", "profiles"}
    profile_update(actor=viewer_of(user), username="due_corde", avatar_url="")
    assert listener.heard() == set()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_one_name_at_once_the_slower_is_told():
    people = [viewer_of(UserFactory()) for _ in range(4)]
    wanted = ("row_g", "Row-G", "r0wg", "ROW_G")
    seen = run_together(
        *(
            partial(profile_update, actor=actor, username=name, avatar_url="")
            for actor, name in zip(people, wanted, strict=True)
        )
    )
    refused = [each for each in seen if each is not True]
    assert [each.message_dict for each in refused] == [{"username": ["This username is already taken."]}] * 3, seen


@pytest.mark.parametrize(
    ("password", "again", "wrong"),
    [
        ("short", "short", {"password1": ["Password must be at least 6 characters long"]}),
        (
            "",
            "something",
            {
                "password1": ["Password must be at least 6 characters long"],
                "password2": ["Passwords do not match"],
            },
        ),
        ("row-g-seat-13", "row-g-seat-31", {"password2": ["Passwords do not match"]}),
        ("row-g-seat-13", "row-g-seat-13", {}),
    ],
)
def test_a_new_password_is_checked_in_the_words_of_the_specification(password, again, wrong):
    assert password_errors(password, again, user=UserFactory()) == wrong


def test_the_commonest_passwords_are_refused():
    assert set(password_errors("password1", "password1", user=UserFactory())) == {"password1"}


def test_an_account_knows_whether_it_has_a_password():
    assert has_password(user_id=UserFactory().pk)
    assert not has_password(user_id=UserFactory(password="!").pk)
    assert not has_password(user_id=987_654)


def test_an_answer_is_read_by_the_one_to_whom_it_was_given():
    user, other = UserFactory(), UserFactory()
    answer = answer_keep(user_id=user.pk, form="settings", data={"errors": {"username": ["Wrong"]}})
    assert answer_get(answer_id=str(answer), user_id=user.pk) == ("settings", {"errors": {"username": ["Wrong"]}})
    assert answer_get(answer_id=str(answer), user_id=other.pk) is None
    assert answer_get(answer_id="no id", user_id=user.pk) is None
    assert answers_prune() == 0
    FormAnswer.objects.update(created_at="2026-01-01T00:00Z")
    assert answers_prune() == 1
    assert answer_get(answer_id=str(answer), user_id=user.pk) is None


@pytest.mark.parametrize("address", ["https://localhost:8000/reset-password?key=a", "https://localhost/static/a.png"])
def test_a_picture_of_this_site_is_nobodys(address):
    user = UserFactory()
    with pytest.raises(ValidationError, match="https:// address of another site"):
        profile_update(actor=viewer_of(user), username=user.username, avatar_url=address)
    with pytest.raises(ValidationError, match="another, public site"):
        default_avatars_set(actor=OPERATOR, user_avatar_url=PICTURE, participant_avatar_url=address)
    with pytest.raises(ValidationError, match="https:// address or a static file"):
        default_avatars_set(actor=OPERATOR, user_avatar_url="/sign-out", participant_avatar_url=PICTURE)


def test_the_newest_default_pictures_are_used(admin):
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


def test_two_who_choose_default_pictures_lose_nothing(admin):
    choose = partial(default_avatars_set, actor=admin, version=default_avatars().version)
    choose(user_avatar_url=f"{PICTURE}?1", participant_avatar_url=PICTURE)
    assert choose(user_avatar_url="", participant_avatar_url=PICTURE).kept_fields == ("Picture of listeners",)
    with pytest.raises(EditConflict, match="Picture of listeners was changed meanwhile"):
        choose(user_avatar_url=f"{PICTURE}?2", participant_avatar_url=PICTURE)
    assert default_avatars() == Defaults(f"{PICTURE}?1", PICTURE)


@pytest.mark.parametrize("pair", [("", PICTURE), (PICTURE, "  "), ("http://example.org/a.png", PICTURE)])
def test_both_default_pictures_are_needed_and_must_be_pictures(admin, pair):
    with pytest.raises(ValidationError):
        default_avatars_set(actor=admin, user_avatar_url=pair[0], participant_avatar_url=pair[1])
    with pytest.raises(IntegrityError), transaction.atomic():
        DefaultAvatars.objects.create(user_avatar_url=pair[0].strip(), participant_avatar_url=pair[1].strip())
    assert default_avatars() == Defaults()


def test_administrators_choose_the_default_pictures(nobody):
    with pytest.raises(PermissionDenied):
        default_avatars_set(actor=nobody, user_avatar_url=PICTURE, participant_avatar_url=PICTURE)


def test_default_pictures_that_cannot_be_read_are_drawn_and_logged(caplog):
    with as_owner() as cursor:
        cursor.execute("ALTER TABLE default_avatar_urls RENAME TO elsewhere")
    with transaction.atomic(), caplog.at_level(logging.ERROR):
        assert default_avatars() == Defaults()
        transaction.set_rollback(True)
    assert "default avatars could not be read" in caplog.text
