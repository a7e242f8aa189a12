"""Who may give each command: the table of all of them, read by `command_run` and by a test.

The services authorise by the account's rights; what a session must have proved is decided here.
"""

from collections.abc import Mapping
from enum import StrEnum


class Access(StrEnum):
    """What the account that gives a command must be, and its session must have proved."""

    MEMBER = "member"
    ADMINISTRATOR = "administrator"
    FRESH_ADMINISTRATOR = "administrator who signed in within the last ten minutes"


_MEMBER = (
    *("post_add", "community_post_delete", "post_comment_add", "post_comment_delete", "post_reaction_set"),
    *("ratings_submit", "recommendation_set", "rating_delete", "mark_delete"),
    *("comment_add", "comment_delete", "reaction_add", "report_add"),
)
_ADMINISTRATOR = (
    *("report_decide", "reports_decide", "reports_decide_matching", "report_decision_undo"),
    *("rating_decide", "ratings_decide", "ratings_decide_matching", "decision_undo"),
    *("stage_create", "stage_update", "stage_move", "stage_archive", "stage_field_set", "stage_delete"),
    *("session_create", "session_update", "session_delete", "session_set_live", "session_end"),
    *("performer_set", "performer_next", "performer_clear", "live_restore"),
    *("program_select", "program_entry_move", "program_entry_remove", "program_entry_link"),
    *("piece_add", "piece_update", "piece_delete"),
    *("participant_create", "participant_update", "participant_delete"),
    *("ranking_close", "ranking_reopen", "ranking_release", "ranking_unrelease"),
    *("post_create", "post_update", "post_delete"),
    *("program_import", "program_text_clear", "program_undo"),
    *("import_save", "import_undo", "import_clear", "import_encoding_set", "import_category_set"),
    *("import_person_set", "import_piece_leave_out"),
    *("default_avatars_set", "account_unlock"),
)
_FRESH_ADMINISTRATOR = ("admin_grant", "admin_revoke", "account_deactivate", "account_activate", "factors_forget")

COMMAND_ACCESS: Mapping[str, Access] = {
    **dict.fromkeys(_MEMBER, Access.MEMBER),
    **dict.fromkeys(_ADMINISTRATOR, Access.ADMINISTRATOR),
    **dict.fromkeys(_FRESH_ADMINISTRATOR, Access.FRESH_ADMINISTRATOR),
}
