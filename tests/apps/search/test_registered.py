"""Test that each text column is searched, or is listed here with the reason why it is not."""

from django.apps import apps
from django.db import models

from apps.search.enums import Kind
from apps.search.registry import searchables
from tests.general import app_names

ACCOUNT = "members' names must not stay when they leave; administrators have a page for accounts and the audit"
SECRET = "a secret, a digest, or the state of a sign-in"
LABEL = "a name of an enumeration, a key or a number"
ADDRESS = "an address"
READ_BESIDE = "has no page of its own: it is read beside the post, session or performance that is found"
UNREADY = "a file, a draft or a message of one account at work"
FIGURES = "marks and what is computed of them, published or not"
COPIED = "a copy of what is found, or of what was"

NOT_SEARCHED = {
    ACCOUNT: "users default_avatar_urls site_contacts audit_entries.action audit_entries.subject audit_entries.details "
    "error_logs",
    SECRET: "auth_sessions one_time_links calendar_keys push_subscriptions rating_origins ranking_missing_sheets "
    "counters rate_limits",
    LABEL: "acts post_reactions post_reaction_counts report_cases report_case_counts decided_report_cases "
    "session_reactions session_reaction_totals pieces.category session_participant_pieces.slot loaded_demos "
    "catalogue_loads stage_slots slot_allowances prize_lists prize_recipients "
    "announcements notifications notification_preferences",
    ADDRESS: "participants.avatar_url sessions.youtube_id session_participant_pieces.youtube_url posts.image_url "
    "session_participant_piece_parts.youtube_url pieces.score_url "
    "blog_posts.image_url",
    READ_BESIDE: "pieces.note prizes post_comments session_comments performances reports",
    UNREADY: "mails form_answers program_texts program_batches program_undos participant_imports "
    "participant_import_rows import_header_choices participant_import_creations jury_files",
    FIGURES: "performance_ratings rating_drafts advance_recommendations advance_recommendation_counts decided_ratings "
    "ranking_runs ranking_accounts ranking_decisions jurors jury_rules jury_sheets",
    COPIED: "calendar_entries search_entries ranking_rows.label",
}


def columns() -> set[str]:
    """Return each column with a text, as "table.column"."""
    kinds = (models.CharField, models.TextField, models.JSONField)
    return {
        f"{model._meta.db_table}.{field.column}"
        for app in app_names()
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.local_concrete_fields
        if isinstance(field, kinds)
    }


def test_each_text_column_is_searched_or_has_a_reason():
    searched = {column for searchable in searchables() for column in searchable.columns}
    excluded = {name for names in NOT_SEARCHED.values() for name in names.split()}
    of_tables = {column for column in columns() if column.partition(".")[0] in excluded}
    assert columns() - searched - excluded - of_tables == set(), "register it, or add the reason here"
    assert searched & (excluded | of_tables) == set()
    assert searched - columns() == set()
    assert {name for name in excluded if "." in name} - columns() == set()
    assert excluded - {column.partition(".")[0] for column in columns()} - columns() == set()


def test_each_kind_is_registered_once():
    assert [searchable.kind for searchable in searchables()] == list(Kind)
