"""Tables of accounts, sessions, default pictures, the site's contact, links, queued mails, answers of forms."""

from typing import Any, ClassVar
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import Func, Q, Value
from django.db.models.functions import Lower, Now, Replace, Upper
from django.db.models.lookups import In

from apps.accounts.limits import CONTACT_EMAIL_LENGTH, CONTACT_NAME_LENGTH, USERNAME_LONGEST
from apps.accounts.validators import (
    ALIKE,
    ALIKE_PAIRS,
    INTO,
    RESERVED,
    RESERVED_SKELETONS,
    TAKEN,
    USERNAME,
    validate_username,
)
from apps.core.database.fields import UpdatedAtField, is_picture
from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules import picture_address


def _skeleton() -> "Func[Any]":
    """Return `username_skeleton` of the column as a database expression."""
    found: Func[Any] = Func(
        Lower("username"), Value(ALIKE), Value(INTO), function="translate", output_field=models.CharField()
    )
    for pair, sign in ALIKE_PAIRS:
        found = Replace(found, Value(pair), Value(sign))
    return found


USERNAME_SKELETON = _skeleton()


class UserManager(BaseUserManager["User"]):
    """Finds accounts by e-mail address, in any case."""

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the account with that e-mail address, in any case. Raises User.DoesNotExist."""
        return self.get(email__iexact=username or "")


class User(AbstractBaseUser):
    """A user account."""

    email = models.EmailField(unique=True)
    username = models.CharField(max_length=USERNAME_LONGEST, validators=[validate_username])
    # The name is older than the rules about reserved names and look-alikes, which apply at its next change.
    username_grandfathered = models.BooleanField(default=False, db_default=False, editable=False)
    avatar_url = models.CharField(max_length=ADDRESS_LENGTH, blank=True, validators=[*picture_address])
    is_admin = models.BooleanField(default=False)
    # whether texts about performances are covered until the member has marked or asked for them
    covers_texts = models.BooleanField(default=False, db_default=False)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = UpdatedAtField(db_default=Now(), editable=False)

    objects = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["username"]

    class Meta:
        db_table = "users"
        indexes = (
            # Django translates "iexact" to UPPER
            models.Index(Upper("email"), name="user_by_email"),
            models.Index(Upper("username"), name="user_by_username"),
            models.Index(fields=["username"], name="user_administrators", condition=Q(is_admin=True)),
            models.Index(fields=["-created_at", "-id"], name="user_newest"),
            models.Index(fields=["-created_at", "-id"], name="user_closed", condition=Q(is_active=False)),
        )
        constraints = (
            models.UniqueConstraint(
                Lower("email"),
                name="email_once_in_any_case",
                violation_error_code="email_taken",
                violation_error_message="An account with this e-mail address exists already.",
            ),
            models.UniqueConstraint(
                Lower("username"),
                name="username_once_in_any_case",
                violation_error_message=TAKEN,
            ),
            models.UniqueConstraint(
                USERNAME_SKELETON,
                condition=Q(username_grandfathered=False),
                name="username_once_among_lookalikes",
                violation_error_message=TAKEN,
            ),
            models.CheckConstraint(
                condition=Q(username_grandfathered=True) | ~Q(In(USERNAME_SKELETON, RESERVED_SKELETONS)),
                name="username_not_reserved",
                violation_error_message=RESERVED,
            ),
            models.CheckConstraint(condition=Q(username__regex=USERNAME), name="username_well_formed"),
            models.CheckConstraint(condition=Q(email__regex=r"^[^@\s]+@[^@\s]+$"), name="email_well_formed"),
            is_picture("avatar_url", name="user_avatar_is_picture"),
        )

    def __str__(self) -> str:
        return self.username


class DefaultAvatars(models.Model):
    """One choice of default pictures; the newest row is used, older ones are history."""

    user_avatar_url = models.CharField(max_length=ADDRESS_LENGTH, validators=[*picture_address])
    participant_avatar_url = models.CharField(max_length=ADDRESS_LENGTH, validators=[*picture_address])
    updated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "default_avatar_urls"
        indexes = (models.Index(fields=["-created_at", "-id"], name="default_avatars_newest"),)
        constraints = (
            models.CheckConstraint(
                condition=~Q(user_avatar_url="") & ~Q(participant_avatar_url=""),
                name="default_avatars_both",
                violation_error_message="Both default pictures are needed.",
            ),
            is_picture("user_avatar_url", name="default_user_avatar_is_picture"),
            is_picture("participant_avatar_url", name="default_participant_avatar_is_picture"),
        )

    def __str__(self) -> str:
        return f"{self.user_avatar_url}, {self.participant_avatar_url}"


class SiteContact(models.Model):
    """Who runs the site, as the pages Contact and Privacy say: one row, with empty texts until they are given."""

    THE_ROW = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=THE_ROW, db_default=THE_ROW)
    name = models.CharField(max_length=CONTACT_NAME_LENGTH, blank=True, db_default="")
    email = models.EmailField(max_length=CONTACT_EMAIL_LENGTH, blank=True, db_default="")
    updated_at = UpdatedAtField(db_default=Now(), editable=False)

    class Meta:
        db_table = "site_contacts"
        constraints = (
            models.CheckConstraint(condition=Q(id=1), name="site_contact_one_row"),
            models.CheckConstraint(
                condition=Q(name="") | Q(name__regex=r"^\S([^\n]*\S)?$"), name="site_contact_name_one_line"
            ),
            models.CheckConstraint(
                condition=Q(email="") | Q(email__regex=r"^[^@\s]+@[^@\s]+$"),
                name="site_contact_email_written",
            ),
        )

    def __str__(self) -> str:
        return f"{self.name}, {self.email}"


KEY_LENGTH = 40  # characters
AGENT_LENGTH = 60


class AuthSession(models.Model):
    """A session of one browser: the secret `key` is in its cookie, the public `handle` identifies it on pages.

    The client's address is not stored.
    """

    key = models.CharField(max_length=KEY_LENGTH, primary_key=True)
    handle = models.UUIDField(unique=True, default=uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="auth_sessions"
    )
    data = models.TextField()
    created_at = models.DateTimeField(db_default=Now())  # the sign-in
    seen_at = models.DateTimeField(db_default=Now())
    expire_date = models.DateTimeField(db_index=True)
    remembered = models.BooleanField(default=False)
    second_factor = models.BooleanField(db_default=False)  # whether a second factor was proved in this session
    agent = models.CharField(max_length=AGENT_LENGTH, blank=True)  # browser and system, such as "Firefox on Linux"

    class Meta:
        db_table = "auth_sessions"

    def __str__(self) -> str:
        return str(self.handle)


DIGEST_LENGTH = 64  # characters
PURPOSE_LENGTH = 40


class OneTimeLink(models.Model):
    """A one-time link or cookie that has not been used yet; only the digest of its key is stored."""

    digest = models.CharField(max_length=DIGEST_LENGTH, primary_key=True)
    purpose = models.CharField(max_length=PURPOSE_LENGTH)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="one_time_links")
    expires_at = models.DateTimeField(db_index=True)
    next_path = models.CharField(max_length=ADDRESS_LENGTH, blank=True, default="", db_default="")
    # a mailed link works as long as this is the account's address; a cookie keeps the address that was registered
    email = models.EmailField(blank=True, default="", db_default="")

    class Meta:
        db_table = "one_time_links"
        constraints = (
            models.CheckConstraint(
                condition=Q(next_path="") | Q(next_path__regex=r"^/([^/\\]|$)"), name="link_leads_to_this_site"
            ),
        )

    def __str__(self) -> str:
        return f"{self.purpose}: {self.user_id}"


NAME_LENGTH = 40  # characters
LANGUAGE_LENGTH = 16


class Mail(models.Model):
    """A queued mail. Its one-time links are created when it is sent and never stored in clear."""

    name = models.CharField(max_length=NAME_LENGTH)
    recipient = models.EmailField()
    language = models.CharField(max_length=LANGUAGE_LENGTH)
    context = models.JSONField(default=dict)
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "mails"
        indexes = (models.Index(fields=["due_at", "id"], name="mails_due"),)

    def __str__(self) -> str:
        return f"{self.name}: {self.pk}"


FORM_LENGTH = 40  # characters


class FormAnswer(models.Model):
    """The answer of a form to one account: errors, typed values (never a password) and messages. Kept for a day."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="form_answers")
    form = models.CharField(max_length=FORM_LENGTH)
    data = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)

    class Meta:
        db_table = "form_answers"

    def __str__(self) -> str:
        return f"{self.form}: {self.id}"
