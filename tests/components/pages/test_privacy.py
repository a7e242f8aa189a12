"""The Privacy page names every column about a person; Privacy and Contact name the operator from the settings."""

from datetime import timedelta

import pytest
from django.db import connection

from apps.accounts.selectors.site_contact import SiteContactShown
from apps.accounts.services.profile import LIFETIME as ANSWERS
from apps.accounts.session_store import ENDED_LIFETIME, LONGEST
from apps.core.commands import LIFETIME as ACTS
from apps.core.moderation import UNDO_LIFETIME
from apps.core.services import LIFETIME as ERRORS
from apps.imports.limits import FILE_LIFETIME
from components.pages.public.operator_words import operator_words
from components.pages.public.privacy import kept
from tests.components.seen import attributes, every, one, opened, text

# Tables without personal data: counts, the competition's catalogue, and Django's own tables.
IMPERSONAL = {
    *(
        "stages",
        "loaded_demos",
        "sessions",
        "session_intervals",
        "session_withdrawals",
        "approval_settings",
        "calendar_entries",
        "announcements",
        "pieces",
        "piece_parts",
        "catalogue_loads",
        "stage_slots",
        "slot_allowances",
        "pianos",
        "session_reaction_moments",
        "session_reaction_totals",
    ),
    *("post_reaction_counts", "post_comment_counts", "report_case_counts", "session_comment_counts"),
    *("piece_rating_counts", "rating_submission_counts", "piece_mark_counts", "performance_rating_counts"),
    *("advance_recommendation_counts", "follow_counts", "ranking_rows", "ranking_intervals"),
    "ranking_runs",  # its file contains marks without user names
    "ranking_missing_sheets",  # hashes of deleted accounts' marks, with salts that are deleted too
    "ranking_releases",  # a view of `ranking_decisions`, for processes of the version before
    *("auth_permission", "auth_group", "auth_group_permissions", "django_content_type", "django_migrations"),
    *("socialaccount_socialapp",),  # the providers' own keys
}
COLUMNS = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"


@pytest.mark.django_db
def test_privacy_page_explains_every_column_about_a_person():
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        stored = {f"{table}.{column}" for table, column in cursor.fetchall() if table not in IMPERSONAL}
    explained = [
        f"{table}.{column}" for kind in kept() for table, columns in kind.columns.items() for column in columns.split()
    ]
    assert sorted(stored - set(explained)) == [], "say on the page Privacy why it is kept, for how long and who sees it"
    assert sorted(set(explained) - stored) == [], "there is no such column any more"
    assert len(explained) == len(set(explained))


def test_privacy_page_states_the_retention_times_of_the_code():
    times = (LONGEST, ENDED_LIFETIME, ANSWERS, ACTS, ERRORS, timedelta(seconds=FILE_LIFETIME), UNDO_LIFETIME)
    days = [timedelta(days=30), timedelta(days=1), timedelta(days=1), timedelta(days=7), timedelta(days=90)]
    assert list(times) == [*days, timedelta(days=30), timedelta(minutes=10)]


def test_privacy_page_lists_each_kind_of_data(db):
    main = opened("/privacy").main
    rows = [(text(one(row, "dt")), *map(text, every(row, "dd"))) for row in every(one(main, "dl", "kept"), "div")]
    assert rows == [
        (kind.what, f"Why {kind.why}", f"For how long {kind.until}", f"Who sees it {kind.seen_by}") for kind in kept()
    ]
    assert "/profile" in [attributes(link)["href"] for link in every(main, "a")]


def test_operator_is_named_or_missing(db):
    for page in ("/contact", "/privacy"):
        assert "Whoever runs this copy of Parterre has not said who they are." in text(opened(page).main)
    contact = SiteContactShown("Jan <b> Kowalski", "hall@example.org")
    shown = {"tagName": "div", "children": operator_words(contact, "en")}
    assert "This copy of Parterre is run by Jan <b> Kowalski." in text(shown)
    assert attributes(one(shown, "a"))["href"] == "mailto:hall@example.org"
