"""Test account deletion: the exported data, and which table keeps which data of a deleted account."""

import datetime as dt
import json
import re
from itertools import product

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection
from django.utils import timezone
from psycopg import sql

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.accounts.attempts import account_attempt
from apps.accounts.data_rights import account_data
from apps.accounts.limits import PROFILE
from apps.accounts.models import Mail, User
from apps.accounts.services.accounts import account_create, account_delete, account_export, unconfirmed_prune
from apps.core.models import AuditEntry, ErrorLog, RateLimitUse
from apps.news.selectors import post_get
from apps.ratings.models import RatingDraft
from tests.apps.accounts.test_sessions import begun
from tests.factories import PASSWORD, BlogPostFactory, PieceFactory, ProgramEntryFactory, UserFactory, viewer_of
from tests.rate_limits import seconds_pass

pytestmark = pytest.mark.django_db
REFERRING = """
SELECT conrelid::regclass::text || '.' || attribute.attname
FROM pg_constraint JOIN pg_attribute AS attribute ON attribute.attrelid = conrelid AND attribute.attnum = ANY(conkey)
WHERE contype = 'f' AND confrelid = 'users'::regclass
"""
NAMED = r"^(user|author|owner|member|account)_id$|_by_id$"  # columns of accounts, with or without a foreign key
OTHERS = {"piece_parts.member_id"}  # columns with such a name that refer to something else: a piece of a set
DAY = dt.timedelta(days=1)
COLUMNS = """
SELECT table_name || '.' || column_name, column_name
FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
"""


def account_columns() -> set[str]:
    """Return every column that refers to an account, by foreign key or by name."""
    with connection.cursor() as cursor:
        cursor.execute(REFERRING)
        referring = {name for (name,) in cursor.fetchall()}
        cursor.execute(COLUMNS)
        named = {column for column, name in cursor.fetchall() if re.search(NAMED, name)}
    return referring | (named - OTHERS) | {"users.id", "rate_limits.subject"}


def test_every_column_of_an_account_is_registered():
    registered = {column for data in account_data() for column in data.columns}
    assert account_columns() - registered == set(), "register them: apps/accounts/data_rights.py"
    assert registered - account_columns() == set(), "there is no such column any more"


def database_text() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        rows = []
        for table in tables:
            cursor.execute(sql.SQL("SELECT row_to_json(item)::text FROM {} AS item").format(sql.Identifier(table)))
            rows += [f"{table}: {row}" for (row,) in cursor.fetchall()]
    return "\n".join(rows)


def test_account_delete_removes_everything_identifying():
    user = UserFactory(username="leaving_soon", email="leaving@example.org", avatar_url="https://example.org/me.png")
    post = BlogPostFactory(author=user)
    ErrorLog.objects.create(message="a fault", user_id=user.pk)
    Mail.objects.create(name="password_changed", recipient=user.email, context={"username": user.username})
    begun(user)
    account_delete(actor=viewer_of(user), password=PASSWORD)
    remaining = database_text()
    assert not [trace for trace in ("leaving_soon", "leaving@example.org", "me.png") if trace in remaining]
    assert not User.objects.exists()
    post.refresh_from_db()
    assert post.author_id is None
    article = post_get(post_id=post.pk)
    assert (article.title, article.author) == (post.title, "")
    assert ErrorLog.objects.get().user_id is None
    assert AuditEntry.objects.get().action == "account.delete"


def test_account_delete_requires_the_password_or_a_fresh_sign_in():
    user = UserFactory()
    refusals = {
        "": "Please enter your password to confirm deletion",
        "not mine": "Incorrect password. Account deletion canceled.",
    }
    for (password, message), is_fresh in product(refusals.items(), (False, True)):
        with pytest.raises(ValidationError) as refused:
            account_delete(actor=viewer_of(user), password=password, is_fresh=is_fresh)
        assert refused.value.messages == [message]
    assert User.objects.filter(pk=user.pk).exists()
    assert not AuditEntry.objects.exists()
    without_password = UserFactory(password="!")
    with pytest.raises(ValidationError):
        account_delete(actor=viewer_of(without_password), password="anything")
    account_delete(actor=viewer_of(without_password), password="", is_fresh=True)
    assert not User.objects.filter(pk=without_password.pk).exists()


def test_account_can_be_exported_and_deleted_only_by_its_owner():
    closed = UserFactory(is_active=False)
    for actor in (ANONYMOUS, Viewer(closed.pk), Viewer(987_654)):
        with pytest.raises(PermissionDenied):
            account_export(actor=actor)
        with pytest.raises(PermissionDenied):
            account_delete(actor=actor, password=PASSWORD)
    assert User.objects.filter(pk=closed.pk).exists()


def test_account_export_contains_only_own_data():
    user, other = UserFactory(username="una_corda"), UserFactory(username="other_fan")
    BlogPostFactory(author=user, title="Mine", is_published=False)
    BlogPostFactory(author=other, title="Theirs")
    store = begun(user, remembered=True)
    export = json.loads(json.dumps(account_export(actor=viewer_of(user))))
    assert export["account"]["username"] == "una_corda"
    assert export["account"]["email"] == user.email
    assert [article["title"] for article in export["articles"]] == ["Mine"]
    assert [session["remembered"] for session in export["sessions"]] == [True]
    export_text = json.dumps(export)
    for foreign in ("other_fan", "Theirs", other.email, store.session_key, user.password):
        assert foreign not in export_text


def test_account_export_is_allowed_three_times_a_day():
    actor = viewer_of(UserFactory())
    for _ in range(3):
        account_export(actor=actor)
    with pytest.raises(ValidationError, match="three times a day"):
        account_export(actor=actor)
    seconds_pass(86_400)
    account_export(actor=actor)
    assert AuditEntry.objects.filter(user_id=actor.id, action="account.export").count() == 4


@pytest.mark.django_db(transaction=True)
def test_account_delete_removes_its_rate_limits():
    leaving, staying = UserFactory(), UserFactory()
    for user in (leaving, staying):
        account_export(actor=viewer_of(user))
        account_attempt(PROFILE, account_id=user.pk)
    account_delete(actor=viewer_of(leaving), password=PASSWORD)
    assert set(RateLimitUse.objects.values_list("subject", "name")) == {
        (f"account.{staying.pk}", name) for name in ("export", "profile")
    }


@pytest.mark.django_db(transaction=True)
def test_account_delete_publishes_all_topics_that_showed_the_account(listener):
    user = UserFactory()
    post = BlogPostFactory(author=user)
    account_delete(actor=viewer_of(user), password=PASSWORD)
    assert listener.heard() >= {f"account.{user.pk}", "profiles", "latest_news", f"post.{post.pk}"}


def test_unconfirmed_account_is_deleted_with_its_marks_after_thirty_days():
    """Accounts that have signed in, administer, or may still confirm are kept."""
    month = timezone.now() - dt.timedelta(days=30, minutes=1)
    old = {"created_at": month, "password": None, "is_verified": False}
    unconfirmed = account_create(email="expired@example.org", username="never_confirmed", **old)
    sheet = RatingDraft.objects.create(user=unconfirmed, appearance=ProgramEntryFactory().appearance)
    sheet.marks.create(piece=PieceFactory(), score=20, struck_at=month)
    kept = (
        account_create(email="a@example.org", username="signed_in_once", **old),
        account_create(email="b@example.org", username="administers", is_admin=True, **old),
        account_create(email="c@example.org", username="a_day_is_left", **old | {"created_at": month + DAY}),
        account_create(email="d@example.org", username="has_confirmed", **old | {"is_verified": True}),
    )
    User.objects.filter(pk=kept[0].pk).update(last_login=month)
    assert (unconfirmed_prune(), unconfirmed_prune()) == (1, 0)
    assert not User.objects.filter(pk=unconfirmed.pk).exists()
    assert not RatingDraft.objects.filter(pk=sheet.pk).exists()
    assert "expired@example.org" not in database_text()
    assert User.objects.filter(pk__in=[user.pk for user in kept]).count() == len(kept)
