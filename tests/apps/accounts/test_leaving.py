"""Test account deletion: the exported data, and which table keeps which data of a deleted account."""

import datetime as dt
import json
import re

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
from apps.news.models import BlogPost
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
DAY = dt.timedelta(days=1)
COLUMNS = """
SELECT table_name || '.' || column_name, column_name
FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
"""


def columns_of_people() -> set[str]:
    """Return every column that refers to an account, by foreign key or by name."""
    with connection.cursor() as cursor:
        cursor.execute(REFERRING)
        referring = {name for (name,) in cursor.fetchall()}
        cursor.execute(COLUMNS)
        named = {column for column, name in cursor.fetchall() if re.search(NAMED, name)}
    return referring | named | {"users.id", "rate_limits.subject"}


def test_somebody_has_decided_about_every_table_that_refers_to_a_person():
    registered = {column for each in account_data() for column in each.columns}
    assert columns_of_people() - registered == set(), "register them: apps/accounts/data_rights.py"
    assert registered - columns_of_people() == set(), "there is no such column any more"


def texts_of_the_database() -> str:
    """Return all rows of all tables as one text."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        found = []
        for table in tables:
            cursor.execute(sql.SQL("SELECT row_to_json(each)::text FROM {} AS each").format(sql.Identifier(table)))
            found += [f"{table}: {row}" for (row,) in cursor.fetchall()]
    return "\n".join(found)


def test_nothing_identifying_stays():
    user = UserFactory(username="leaving_soon", email="leaving@example.org", avatar_url="https://example.org/me.png")
    post = BlogPostFactory(author=user)
    ErrorLog.objects.create(message="a fault", user_id=user.pk)
    Mail.objects.create(name="password_changed", recipient=user.email, context={"username": user.username})
    begun(user)
    account_delete(actor=viewer_of(user), password=PASSWORD)
    left = texts_of_the_database()
    for trace in ("leaving_soon", "leaving@example.org", "me.png"):
        assert trace not in left, trace
    assert not User.objects.exists()
    post.refresh_from_db()
    assert post.author_id is None
    assert post_get(post_id=post.pk).author == ""
    assert ErrorLog.objects.get().user_id is None
    assert AuditEntry.objects.get().action == "account.delete"


@pytest.mark.parametrize(
    ("password", "message"),
    [
        ("", "Please enter your password to confirm deletion"),
        ("not mine", "Incorrect password. Account deletion canceled."),
    ],
)
def test_an_account_goes_only_with_its_password(password, message):
    user = UserFactory()
    for is_fresh in (False, True):
        with pytest.raises(ValidationError) as refused:
            account_delete(actor=viewer_of(user), password=password, is_fresh=is_fresh)
        assert refused.value.messages == [message]
    assert User.objects.filter(pk=user.pk).exists()
    assert not AuditEntry.objects.exists()


def test_an_account_without_a_password_goes_after_a_fresh_sign_in():
    user = UserFactory(password="!")
    with pytest.raises(ValidationError):
        account_delete(actor=viewer_of(user), password="anything")
    account_delete(actor=viewer_of(user), password="", is_fresh=True)
    assert not User.objects.exists()


@pytest.mark.parametrize("on_deletion", [account_export, lambda actor: account_delete(actor=actor, password=PASSWORD)])
def test_nobody_leaves_for_somebody_else(on_deletion):
    closed = UserFactory(is_active=False)
    for actor in (ANONYMOUS, Viewer(closed.pk), Viewer(987_654)):
        with pytest.raises(PermissionDenied):
            on_deletion(actor=actor)
    assert User.objects.filter(pk=closed.pk).exists()


def test_one_takes_along_what_is_ones_own_and_nothing_else():
    user, other = UserFactory(username="una_corda"), UserFactory(username="other_fan")
    BlogPostFactory(author=user, title="Mine", is_published=False)
    BlogPostFactory(author=other, title="Theirs")
    store = begun(user, remembered=True)
    taken = json.loads(json.dumps(account_export(actor=viewer_of(user))))
    assert taken["account"]["username"] == "una_corda"
    assert taken["account"]["email"] == user.email
    assert [article["title"] for article in taken["articles"]] == ["Mine"]
    assert [session["remembered"] for session in taken["sessions"]] == [True]
    whole = json.dumps(taken)
    for foreign in ("other_fan", "Theirs", other.email, store.session_key, user.password):
        assert foreign not in whole


def test_one_takes_it_along_three_times_a_day():
    actor = viewer_of(UserFactory())
    for _ in range(3):
        account_export(actor=actor)
    with pytest.raises(ValidationError, match="three times a day"):
        account_export(actor=actor)
    seconds_pass(86_400)
    account_export(actor=actor)
    assert AuditEntry.objects.filter(user_id=actor.id, action="account.export").count() == 4


@pytest.mark.django_db(transaction=True)
def test_whoever_leaves_takes_along_what_was_counted():
    leaving, staying = UserFactory(), UserFactory()
    for user in (leaving, staying):
        account_export(actor=viewer_of(user))
        account_attempt(PROFILE, account_id=user.pk)
    account_delete(actor=viewer_of(leaving), password=PASSWORD)
    assert set(RateLimitUse.objects.values_list("subject", "name")) == {
        (f"account.{staying.pk}", name) for name in ("export", "profile")
    }


def test_articles_of_a_former_member_are_still_read():
    post = BlogPostFactory()
    BlogPost.objects.update(author=None)
    assert post_get(post_id=post.pk).title == post.title


@pytest.mark.django_db(transaction=True)
def test_leaving_is_told_to_everything_that_showed_the_person(listener):
    user = UserFactory()
    post = BlogPostFactory(author=user)
    account_delete(actor=viewer_of(user), password=PASSWORD)
    assert listener.heard() >= {f"account.{user.pk}", "profiles", "latest_news", f"post.{post.pk}"}


def test_an_account_that_is_not_confirmed_within_thirty_days_goes_with_its_marks():
    """Those that have signed in, administer, or may still confirm stay."""
    month = timezone.now() - dt.timedelta(days=30, minutes=1)
    old = {"created_at": month, "password": None, "is_verified": False}
    gone = account_create(email="gone@example.org", username="never_confirmed", **old)
    sheet = RatingDraft.objects.create(user=gone, session_participant=ProgramEntryFactory().session_participant)
    sheet.marks.create(piece=PieceFactory(), score=20, struck_at=month)
    kept = (
        account_create(email="a@example.org", username="signed_in_once", **old),
        account_create(email="b@example.org", username="minds_the_house", is_admin=True, **old),
        account_create(email="c@example.org", username="a_day_is_left", **old | {"created_at": month + DAY}),
        account_create(email="d@example.org", username="has_confirmed", **old | {"is_verified": True}),
    )
    User.objects.filter(pk=kept[0].pk).update(last_login=month)
    assert (unconfirmed_prune(), unconfirmed_prune()) == (1, 0)
    assert not User.objects.filter(pk=gone.pk).exists()
    assert not RatingDraft.objects.filter(pk=sheet.pk).exists()
    assert "gone@example.org" not in texts_of_the_database()
    assert User.objects.filter(pk__in=[each.pk for each in kept]).count() == len(kept)
