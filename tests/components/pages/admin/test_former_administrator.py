"""The commands of administrators check the stored role, not that of the open window.

Other roles are tested in tests/project/security/test_roles.py.
"""

from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

from apps.accounts.actors import OPERATOR
from apps.accounts.models import DefaultAvatars, SiteContact, User
from apps.community.models import Post, ReportCase
from apps.competition.models import Appearance, Participant, Piece, ProgramEntry, Session, Stage
from apps.competition.selectors.admin.live import LiveState
from apps.competition.services.live import LiveStep
from apps.core.commands import REGISTERED, Access
from apps.core.models import AuditEntry
from apps.core.threads import in_thread
from apps.demo.models import LoadedDemo
from apps.imports.models import JuryFile, ProgramBatch, ProgramText
from apps.jury.models import JuryRule, JurySheet
from apps.jury.rule_form import rule_fields
from apps.jury.rules import VOTES_POINTS_RANKS
from apps.jury.services import sheet_save
from apps.news.models import BlogPost
from apps.ranking.models import RankingDecision, RankingRun
from apps.ratings.models import PerformanceRating, PieceRating
from tests.apps.community.reporting import POST, report
from tests.apps.jury.sheets import marks_of
from tests.apps.live.conftest import member
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.factories import AdminFactory, BlogPostFactory, PieceRatingFactory, PostFactory
from tests.screen import open_page

# Every table that these commands write.
TABLES = (
    *(AuditEntry, BlogPost, DefaultAvatars, JuryFile, JuryRule, JurySheet, LoadedDemo, Participant),
    *(
        PerformanceRating,
        Piece,
        PieceRating,
        Post,
        ProgramBatch,
        ProgramEntry,
        ProgramText,
        RankingDecision,
        RankingRun,
        ReportCase,
        Session,
    ),
    *(Appearance, SiteContact, Stage),
)


def stored() -> dict[str, list[dict[str, Any]]]:
    """Return all rows of the tables by the name of the table."""
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in TABLES}


def created() -> SimpleNamespace:
    """Return one row of each kind that administrators edit, and a member."""
    rows = busy_session_with(2)
    rows.appearance = rows.appearances[0]
    rows.entry = rows.appearance.program.first()
    rows.rating = PieceRatingFactory(entry=rows.entry)
    rows.article, rows.post, rows.fan = BlogPostFactory(), PostFactory(), member()
    rows.case = report(POST, rows.post)
    marks = marks_of((rows.appearance.participant_id, 20, 20, 20))
    rows.sheet = sheet_save(actor=OPERATOR, stage_id=rows.session.stage_id, place=1, marks=marks).sheet_id
    return rows


ZOFIA = {"first_name": "Zofia", "second_name": "Łęcka", "country": "Poland", "biography": "Plays."}
PIECE = {"category": "scherzo", "name": "Scherzo in B-flat minor, Op. 31"}
ARTICLE = {"title": "Four pianos", "excerpt": "They wait.", "content": "Behind the stage.", "image_url": ""}
SESSION = {"title": "Morning", "date": "2027-10-14", "time": "10:00", "participant_ids": ""}
PICTURES = dict.fromkeys(("user_avatar_url", "participant_avatar_url"), "https://example.org/a.png")


def commands(rows: SimpleNamespace) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Return a valid argument and valid fields of each command of administrators, by its name."""
    session, appearance, entry = rows.session.pk, rows.appearance.pk, rows.entry.pk
    stage, person, piece = rows.session.stage_id, rows.appearance.participant_id, rows.entry.piece_id
    account, moment = rows.fan.id, 4_000_000_000_000_000
    return {
        "default_avatars_set": ("", PICTURES),
        "site_contact_set": ("", {"name": "Jan", "email": "jan@example.org", "version": ""}),
        "account_unlock": (account, {}),
        "report_decide": (f"hide:post:{rows.post.pk}:{moment}", {}),
        "reports_decide": ("", {"decision": "hide", "report": f"post:{rows.post.pk}:{moment}"}),
        "reports_decide_matching": (f"hide:{moment}:tab=reports", {}),
        "report_decision_undo": ("1", {}),
        "session_set_live": (session, {}),
        "session_end": (session, {}),
        "performer_set": (appearance, {}),
        "performer_next": (session, {}),
        "performer_clear": (session, {}),
        "call_take_back": (f"{appearance}:1", {}),
        "interval_take_back": (f"{session}:1", {}),
        "live_restore": (LiveStep("", LiveState(None, None), LiveState(session, None)).undo, {}),
        "participant_create": ("", ZOFIA),
        "participant_update": (person, ZOFIA),
        "participant_delete": (person, {}),
        "piece_add": ("", PIECE),
        "piece_update": (piece, PIECE),
        "piece_delete": (piece, {}),
        "piano_add": ("", {"maker": "Kitamori", "model": "EX"}),
        "piano_update": ("1", {"maker": "Kitamori", "model": "EX"}),
        "piano_delete": ("1", {}),
        "session_pianos_set": (session, {"read": f"{appearance}.0", f"piano-{appearance}": "1"}),
        "session_pianos_read": (session, {"piano_lines": "Zofia; Kitamori EX"}),
        "program_select": (f"{appearance}:{piece}", {}),
        "program_undo": ("1", {}),
        "program_entry_move": (f"{entry}:down", {}),
        "program_entry_remove": (entry, {}),
        "program_entry_link": (entry, {"url": "https://youtu.be/aqz-KE-bpKQ"}),
        "program_entry_add": (f"{appearance}:{piece}:40", {}),
        "program_set_add": (appearance, {"pieces": "Scherzo No. 1"}),
        "program_part_link": (f"{entry}:1", {"url": "https://youtu.be/aqz-KE-bpKQ"}),
        "stage_preset": (stage, {"preset": "free"}),
        "stage_minutes": (stage, {"least_minutes": "40"}),
        "slot_add": (stage, {"label": "Waltz", "more": "waltzes"}),
        "slot_update": ("1", {"label": "Waltz", "more": "waltzes"}),
        "slot_move": ("1:up", {}),
        "slot_remove": ("1", {}),
        "session_create": ("", SESSION | {"stage": str(stage)}),
        "session_update": (session, SESSION | {"stage": str(stage)}),
        "session_delete": (session, {"confirmed": "1"}),
        "appearance_withdraw": (session, {"appearance": str(appearance), "confirmed": "1"}),
        "order_fill": (session, {"fill": "next", "of_stage": str(stage), "have": str(person)}),
        "session_series_create": ("", {"sessions": "2027-10-12 10:00", "stage": str(stage)}),
        "session_series_undo": (session, {}),
        "planned_times_set": (session, {"minutes": "30"}),
        "planned_times_clear": (session, {}),
        "planned_times_shift": (session, {"appearance": str(appearance), "by": "5"}),
        "planned_times_shift_back": (f"{session}:{appearance}:-10:1f", {}),
        "appearance_count": (appearance, {}),
        "stage_create": ("", {"name": "Final"}),
        "stage_update": (stage, {"name": "Final"}),
        "stage_move": (f"{stage}:up", {}),
        "stage_archive": (f"{stage}:archived", {}),
        "stage_delete": (stage, {}),
        "advancing_fill": (stage, {"lines": "1"}),
        "advancements_publish": (stage, {"participant": [str(person)]}),
        "advancements_withdraw": (stage, {}),
        "prizes_save": (stage, {"name-1": "First Prize", "recipient-1": [str(person)]}),
        "prizes_publish": (stage, {}),
        "prizes_restore": ("1", {}),
        "prizes_withdraw": (stage, {}),
        "demo_stop": ("", {}),
        "demo_start": ("", {}),
        "import_save": ("1", {}),
        "import_undo": ("1", {}),
        "import_clear": ("1", {}),
        "import_read_again": ("1", {"delimiter": "comma"}),
        "import_category_set": ("1:5:1", {"category": "mazurek"}),
        "import_person_set": ("1:1:same", {}),
        "import_piece_leave_out": ("1:1:1", {}),
        "import_changes_take": ("1:1", {"take": "birth_year"}),
        "import_changes_take_all": ("1:all", {}),
        "import_columns_choose": ("1", {"column-nom": "LastName"}),
        "import_piece_choose": ("1:1:1", {"piece": "Scherzo"}),
        "jury_columns_choose": ("", {"column-nom": "participant"}),
        "program_import": (appearance, {"text": "Scherzo No. 1", "do": "read"}),
        "program_text_clear": ("", {}),
        "programs_take": (f"{session}:imported", {}),
        "program_take": (f"{session}:{appearance}:imported", {}),
        "jury_file_choose": ("", {}),
        "jury_file_read_again": ("", {"sheet": "1"}),
        "jury_file_save": ("", {"version": "1"}),
        "jury_file_clear": ("", {}),
        "jury_publish": (rows.sheet, {}),
        "jury_unpublish": (rows.sheet, {}),
        "jury_delete": (rows.sheet, {}),
        "jury_renew": (rows.sheet, {}),
        "jury_rule_choose": ("", {"rule": urlencode(rule_fields(VOTES_POINTS_RANKS)), "version": "1"}),
        "post_create": ("", ARTICLE),
        "post_update": (rows.article.pk, ARTICLE),
        "post_delete": (rows.article.pk, {}),
        "ranking_close": (stage, {"confirmed": "1"}),
        "ranking_reopen": (stage, {}),
        "ranking_release": (f"{stage}:{account}", {"reason": "A friend."}),
        "ranking_leave_out": (f"{stage}:{account}", {"reason": "A friend."}),
        "ranking_crowd": (f"{stage}:out:above", {"reason": "A crowd."}),
        "ranking_unrelease": (f"{stage}:{account}", {}),
        "rating_decide": (f"approve:piece:{rows.rating.pk}:{moment}", {}),
        "ratings_decide": ("", {"decision": "reject", "rating": f"piece:{rows.rating.pk}:{moment}"}),
        "ratings_decide_matching": (f"reject:{moment}:", {}),
        "decision_undo": ("1", {}),
        "deciding_set": ("piece:off", {}),
        "pieces_at_once_set": ("on", {}),
        **dict.fromkeys(("admin_grant", "admin_revoke", "account_deactivate", "account_activate"), (account, {})),
        "factors_forget": (account, {}),
    }


async def test_commands_of_administrators_are_refused_to_a_former_one():
    rows, user = await in_thread(created), await in_thread(AdminFactory)
    sent = commands(rows)
    registered = [known for known in REGISTERED.values() if known.work.__module__.startswith("apps.")]
    assert sent.keys() == {known.name for known in registered if known.access is not Access.MEMBER}
    offenders = []
    async with open_page("/admin/pieces", user=user) as screen:
        # a direct update publishes no event, so the window stays open and its viewer is still an administrator
        await in_thread(lambda: User.objects.filter(pk=user.pk).update(is_admin=False))
        before = await in_thread(stored)
        for name, (argument, fields) in sent.items():
            answer = await command(screen, name, argument, **fields)
            if answer["ok"] or not answer["text"].startswith("Only administrators"):
                offenders.append((name, answer))
    assert offenders == []
    assert await in_thread(stored) == before
