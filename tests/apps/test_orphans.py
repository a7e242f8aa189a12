"""Test that no row refers to a deleted object after any command of an administrator."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from apps.community.services.reports import report_add
from apps.competition.models import ProgramEntry, Session
from apps.competition.selectors.admin.participants import participant_edit
from apps.competition.services.live import performer_set
from apps.core.commands import REGISTERED, Access, Arguments
from apps.core.edits import ConfirmationNeeded
from apps.core.texts import texts
from apps.live.services import comment_add
from apps.ratings.models import PieceRating
from apps.ratings.services.rating_moderation import decision_undo, ratings_decide
from tests.apps.imports.participant_files import NUTSA, ZOFIA, stored
from tests.apps.ratings.deciding import seen
from tests.components.conftest import busy_session_with
from tests.factories import (
    AdvanceRecommendationFactory,
    AppearanceFactory,
    ParticipantFactory,
    PerformanceFactory,
    PerformanceRatingFactory,
    PieceFactory,
    PieceRatingFactory,
    PostCommentFactory,
    PostFactory,
    SessionFactory,
    StageFactory,
    UserFactory,
    viewer_of,
)
from tests.orphans import orphans

pytestmark = pytest.mark.django_db
CONFIRMED = {"confirmed": "1"}
BESIDE_THE_COMPETITION = {
    *("account_activate", "account_deactivate", "account_unlock", "admin_grant", "admin_revoke", "factors_forget"),
    *("default_avatars_set", "site_contact_set", "post_create", "post_update", "post_delete", "stage_archive"),
    *("demo_stop", "demo_start"),
    *("ranking_close", "ranking_reopen", "ranking_release", "ranking_unrelease", "ranking_leave_out"),
    *("program_text_clear", "program_batch_clear"),
    *("jury_file_choose", "jury_file_save", "jury_file_clear", "jury_publish", "jury_unpublish", "jury_delete"),
    *("reports_decide", "reports_decide_matching", "report_decide", "report_decision_undo"),
    *("ratings_decide", "ratings_decide_matching", "rating_decide", "decision_undo", "live_restore", "deciding_set"),
}


@pytest.fixture
def there() -> SimpleNamespace:
    """Return a session with ratings, comments and reports of both."""
    made = busy_session_with(3)
    made.fan, made.other = UserFactory(), SessionFactory()
    made.stage = StageFactory()
    ParticipantFactory(start_number=1)
    for place in made.appearances:
        for entry in place.program.all():
            PieceRatingFactory(user=made.fan, entry=entry, approved=True)
        made.whole = PerformanceRatingFactory(user=made.fan, session_participant=place, approved=True)
        AdvanceRecommendationFactory(user=made.fan, session_participant=place)
    made.comment = comment_add(actor=viewer_of(made.fan), session_id=made.session.pk, content="Slow.")
    made.post_comment = PostCommentFactory(post=PostFactory())
    reporter = viewer_of(UserFactory())
    for kind, subject in (("session_comment", made.comment), ("rating_comment", made.whole)):
        report_add(actor=reporter, kind=kind, subject_id=subject.pk, reason="spam")
    made.entry = made.appearances[0].program.order_by("order_number").first()
    made.scherzo = PieceFactory(category="scherzo", name="Scherzo in E major, Op. 54", title="Scherzo", opus="54")
    made.etude = PieceFactory(name="Etude in E major, Op. 10 No. 3", key="E major", number=3)
    return made


def session_fields(there: SimpleNamespace, *appearances: Any) -> dict[str, str]:
    ids = ",".join(str(each.participant_id) for each in appearances)
    when = {"date": "2025-10-09", "time": "17:00", "stage": str(there.session.stage_id)}
    return {"title": "Evening", "description": "", "youtube_id": "", "participant_ids": ids, **when, **CONFIRMED}


SERIES = {"sessions": "2027-10-09 10:00\n2027-10-10 10:00", "first_number": "1", **CONFIRMED}
PLAN = {"minutes": "30", "intervals": "1: 20"}

# the argument and fields of each command, made from the existing rows
ACTS: dict[str, Any] = {
    "comment_delete": lambda there: (there.comment.pk, {}),
    "post_comment_delete": lambda there: (there.post_comment.pk, {}),
    "mark_delete": lambda there: (f"performance:{there.whole.pk}", {}),
    "participant_create": lambda _: ("", person("Nowak")),
    "participant_update": lambda there: (there.appearances[0].participant_id, person("Nowak") | version(there)),
    "participant_delete": lambda there: (there.appearances[0].participant_id, {}),
    "performer_set": lambda there: (there.appearances[1].pk, {}),
    "performer_next": lambda there: (there.session.pk, {}),
    "performer_clear": lambda there: (there.session.pk, {}),
    "piece_add": lambda _: ("", {"category": "mazurek", "name": "Mazurka in C major, Op. 24 No. 2"}),
    "piece_update": lambda there: (there.entry.piece_id, {"category": "mazurek", "name": "Mazurka"}),
    "piece_delete": lambda there: (there.scherzo.pk, {}),
    "program_entry_link": lambda there: (there.entry.pk, {"url": "https://youtu.be/aqz-KE-bpKQ?t=9"}),
    "program_entry_move": lambda there: (f"{there.entry.pk}:down", {}),
    "program_entry_remove": lambda there: (there.entry.pk, CONFIRMED),
    "program_select": lambda there: (f"{there.appearances[0].pk}:{there.etude.pk}", CONFIRMED),
    "program_import": lambda there: (
        there.appearances[0].pk,
        {"text": there.scherzo.name, "do": "assign", **CONFIRMED},
    ),
    "programs_take": lambda there: (f"{there.session.pk}:imported", {"offered": offered(there)}),
    "program_take": lambda there: (f"{there.session.pk}:{offered(there)}:imported", {}),
    "program_batch": lambda there: (
        "all",
        {"text": f"{there.appearances[0].participant.name}\n{there.scherzo.name}", "do": "assign", **CONFIRMED},
    ),
    "program_undo": lambda there: (there.undo, {}),
    "session_create": lambda there: ("", session_fields(there, *there.appearances)),
    "session_series_create": lambda there: ("", SERIES | {"stage": str(there.stage.pk)}),
    "session_series_undo": lambda there: (there.series, {}),
    "order_fill": lambda there: (there.session.pk, {"fill": "next", "of_stage": str(there.stage.pk)}),
    "planned_times_set": lambda there: (there.session.pk, PLAN),
    "planned_times_clear": lambda there: (there.session.pk, {}),
    "planned_times_shift": lambda there: (there.session.pk, {"appearance": str(there.appearances[0].pk), "by": "5"}),
    "planned_times_shift_back": lambda there: (there.shift, {}),
    "session_update": lambda there: (there.session.pk, session_fields(there, *there.appearances[:1])),
    "session_delete": lambda there: (there.other_id, CONFIRMED),
    "appearance_count": lambda there: (there.appearances[1].pk, {}),
    "session_set_live": lambda there: (there.other.pk, CONFIRMED),
    "session_end": lambda there: (there.session.pk, CONFIRMED),
    "stage_create": lambda _: ("", {"name": "Gala"}),
    "stage_update": lambda there: (there.stage.pk, {"name": "Gala"}),
    "stage_move": lambda there: (f"{there.stage.pk}:up", {}),
    "advancements_publish": lambda there: (
        there.session.stage_id,
        {"participant": [str(each.participant_id) for each in there.appearances], **CONFIRMED},
    ),
    "advancements_withdraw": lambda there: (there.session.stage_id, {}),
    "stage_delete": lambda there: (there.stage.pk, {}),
    "import_save": lambda there: (there.file.pk, {}),
    "import_undo": lambda there: (there.file.pk, {}),
    "import_clear": lambda there: (there.file.pk, {}),
    "import_read_again": lambda there: (there.file.pk, {"encoding": "utf-8"}),
    "import_category_set": lambda there: (f"{there.file.pk}:2:1", {"category": "mazurek"}),
    "import_person_set": lambda there: (f"{there.file.pk}:4:another", {}),
    "import_piece_leave_out": lambda there: (f"{there.file.pk}:3:1", {}),
}
REFUSED = {"participant_delete"}  # while appearances exist


def person(second_name: str) -> dict[str, str]:
    return {"first_name": "Anna", "second_name": second_name, "country": "Poland", "biography": "Plays."}


def version(there: SimpleNamespace) -> dict[str, str]:
    edited = participant_edit(participant_id=there.appearances[0].participant_id)
    assert edited
    return {"version": edited.version}


def do(admin: Any, name: str, argument: Any, fields: Any = ()) -> Any:
    return REGISTERED[name].answer(admin, Arguments(str(argument), dict(fields)), texts("en"))


def test_every_command_of_administrators_is_looked_at():
    """Members' commands are tried by the walk of roles, which ends with the same query (tests/project/security)."""
    ours = {name: each.access for name, each in REGISTERED.items() if each.work.__module__.startswith("apps.")}
    by_administrators = {name for name, access in ours.items() if access is not Access.MEMBER}
    assert by_administrators - ACTS.keys() - BESIDE_THE_COMPETITION == set()
    assert (ACTS.keys() | BESIDE_THE_COMPETITION) - ours.keys() == set()


def test_no_command_leaves_rows_without_what_they_belong_to(admin, there):
    wrong = {}
    for name in ACTS:
        with transaction.atomic():
            if left := rows_left(admin, SimpleNamespace(**vars(there)), name):
                wrong[name] = left
            transaction.set_rollback(True)
    assert wrong == {}


def plan(admin: Any, there: SimpleNamespace, name: str) -> None:
    """Make the series or the planned times that the command needs."""
    if name == "session_series_undo":
        do(admin, "session_series_create", "", ACTS["session_series_create"](there)[1])
        there.series = Session.objects.filter(stage=there.stage).earliest("pk").pk
    if name.startswith("planned_times_") or name == "session_delete":
        do(admin, "planned_times_set", there.session.pk, PLAN)
    if name == "planned_times_shift_back":
        there.shift = do(admin, "planned_times_shift", *ACTS["planned_times_shift"](there))["undo"][1]


def offered(there: SimpleNamespace) -> int:
    """Return the id of an appearance without a program, whose participant has imported pieces."""
    empty = AppearanceFactory(session=there.session)
    PerformanceFactory(participant=empty.participant, program=f"{there.scherzo.name}\nBarcarolle")
    return empty.pk


def rows_left(admin: Any, there: SimpleNamespace, name: str) -> Any:
    """Do one of the commands; return the rows that it leaves without what they belong to."""
    if name.startswith("import_"):
        there.file = stored(admin, ZOFIA, NUTSA, "Anna|Nowak|Poland|Noktiurnas||||", "Zo-fia|Łęcka|Poland|||||")
    if name == "import_undo":
        do(admin, "import_save", there.file.pk)
    if name in {"program_import", "program_batch"}:
        argument, fields = ACTS[name](there)
        do(admin, name, argument, fields | {"do": "read"})
    if name == "program_undo":
        answer = do(admin, "session_update", there.session.pk, session_fields(there, *there.appearances[:1]))
        there.undo = answer["undo"][1]
    plan(admin, there, name)
    if name == "session_delete":
        Session.objects.filter(pk=there.session.pk).update(is_live=False)
        there.other_id = there.session.pk
    if name in {"performer_clear", "session_end", "session_set_live"}:
        performer_set(actor=admin, session_participant_id=there.appearances[0].pk)
    assert orphans() == {}
    argument, fields = ACTS[name](there)
    if name in REFUSED:
        with pytest.raises(ValidationError), transaction.atomic():
            do(admin, name, argument, fields)
    else:
        answer = do(admin, name, argument, fields)
        assert answer["ok"], (name, answer)
    return orphans()


def test_the_query_finds_what_stands_alone(there):
    Session.objects.filter(pk=there.session.pk).update(is_live=False)
    there.appearances[0].is_performing = True
    there.appearances[0].save()
    ProgramEntry.objects.filter(session_participant=there.appearances[1], order_number=2).update(order_number=9)
    assert orphans().keys() == {"performers of sessions that are not live", "programs with a gap"}


def test_rated_pieces_leave_a_program_only_with_their_ratings_and_after_a_question(admin, there):
    with pytest.raises(ConfirmationNeeded) as asked, transaction.atomic():
        do(admin, "program_entry_remove", there.entry.pk)
    assert asked.value.messages[0] == f"{there.entry.piece.name} would leave the program, with its ratings: 1."
    with pytest.raises(ConfirmationNeeded) as asked, transaction.atomic():
        do(admin, "program_select", f"{there.appearances[0].pk}:{there.etude.pk}")
    assert asked.value.messages[0] == f"{there.entry.piece.name} would leave the program, with its ratings: 1."
    assert PieceRating.objects.filter(session_participant=there.appearances[0]).count() == 2
    do(admin, "program_select", f"{there.appearances[0].pk}:{there.etude.pk}", CONFIRMED)
    assert [each.piece_id for each in PieceRating.objects.filter(session_participant=there.appearances[0])] == [
        there.appearances[0].program.order_by("order_number").last().piece_id
    ]


def test_the_database_refuses_a_mark_without_its_piece_and_a_piece_without_its_mark(there):
    with pytest.raises(IntegrityError, match="needs the piece in the program"), transaction.atomic():
        ProgramEntry.objects.filter(pk=there.entry.pk).delete()
    with pytest.raises(IntegrityError, match="needs the piece in the program"), transaction.atomic():
        ProgramEntry.objects.filter(pk=there.entry.pk).update(piece=there.scherzo)
    mark = {"user": there.fan, "session_participant": there.appearances[0], "score": 3}
    with pytest.raises(IntegrityError, match="needs the piece in the program"), transaction.atomic():
        PieceRating.objects.create(**mark, piece=there.scherzo)
    with pytest.raises(IntegrityError, match="stays with its piece"), transaction.atomic():
        PieceRating.objects.filter(user=there.fan).update(piece=there.scherzo)


def test_a_rejected_mark_whose_piece_left_the_program_does_not_come_back(admin, there):
    waits = PieceRatingFactory(user=UserFactory(), entry=there.entry)
    decided = ratings_decide(actor=admin, decision="reject", seen=seen(waits))
    do(admin, "program_entry_remove", there.entry.pk, CONFIRMED)
    undone = decision_undo(actor=admin, decision_id=decided.id)
    assert (undone.back, undone.left) == (0, 1)
    assert orphans() == {}
