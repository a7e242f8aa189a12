"""Test that no row refers to a deleted object after any command of an administrator."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from apps.community.services.reports import report_add
from apps.competition.models import (
    PerformingTime,
    Piano,
    PiecePart,
    ProgramEntry,
    ProgramPart,
    Session,
    SlotAllowance,
    StageSlot,
)
from apps.competition.selectors.admin.participants import participant_edit
from apps.competition.services.live import performer_clear, performer_set
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
    ImportedPerformanceFactory,
    ParticipantFactory,
    PerformanceRatingFactory,
    PieceFactory,
    PieceRatingFactory,
    PostCommentFactory,
    PostFactory,
    ProgramEntryFactory,
    SessionFactory,
    StageFactory,
    UserFactory,
    viewer_of,
)
from tests.orphans import orphans

pytestmark = pytest.mark.django_db
CONFIRMED = {"confirmed": "1"}
OTHER_COMMANDS = {
    *("account_activate", "account_deactivate", "account_unlock", "admin_grant", "admin_revoke", "factors_forget"),
    *("default_avatars_set", "site_contact_set", "post_create", "post_update", "post_delete", "stage_archive"),
    *("demo_stop", "demo_start"),
    *("ranking_close", "ranking_reopen", "ranking_release", "ranking_unrelease", "ranking_leave_out", "ranking_crowd"),
    *("program_text_clear", "jury_file_read_again", "import_changes_take", "import_changes_take_all"),
    *("import_columns_choose", "jury_columns_choose", "import_piece_choose"),
    *("jury_file_choose", "jury_file_save", "jury_file_clear", "jury_publish", "jury_unpublish", "jury_delete"),
    *("jury_renew", "jury_rule_choose"),
    *("reports_decide", "reports_decide_matching", "report_decide", "report_decision_undo"),
    *("ratings_decide", "ratings_decide_matching", "rating_decide", "decision_undo", "live_restore", "deciding_set"),
    "pieces_at_once_set",
}


@pytest.fixture
def data() -> SimpleNamespace:
    """Return a session with ratings, comments and reports of both."""
    data = busy_session_with(3)
    data.fan, data.other = UserFactory(), SessionFactory()
    data.stage = StageFactory(has_own_slots=True)
    ParticipantFactory(start_number=1)
    for appearance in data.appearances:
        for entry in appearance.program.all():
            PieceRatingFactory(user=data.fan, entry=entry, approved=True)
        data.whole = PerformanceRatingFactory(user=data.fan, appearance=appearance, approved=True)
        AdvanceRecommendationFactory(user=data.fan, appearance=appearance)
    data.comment = comment_add(actor=viewer_of(data.fan), session_id=data.session.pk, content="Slow.")
    data.post_comment = PostCommentFactory(post=PostFactory())
    reporter = viewer_of(UserFactory())
    for kind, subject in (("session_comment", data.comment), ("rating_comment", data.whole)):
        report_add(actor=reporter, kind=kind, subject_id=subject.pk, reason="spam")
    data.piano = Piano.objects.create(maker="Sennewald", model="274")
    data.entry = data.appearances[0].program.order_by("order_number").first()
    data.scherzo = PieceFactory(category="scherzo", name="Scherzo in E major, Op. 54", title="Scherzo", opus="54")
    data.etude = PieceFactory(name="Etude in E major, Op. 10 No. 3", key="E major", number=3)
    sonata = PieceFactory(category="sonata", name="Sonata in B minor, Op. 58", title="Sonata", opus="58", number=None)
    data.part = PiecePart.objects.create(piece=sonata, order_number=1, name="Allegro maestoso")
    data.item = ProgramEntryFactory(appearance=data.appearances[1], piece=sonata)
    ProgramPart.objects.create(entry=data.item, part=data.part, timestamp=9, youtube_url="https://youtu.be/aqz-KE-bpKQ")
    data.slot = StageSlot.objects.create(stage=data.stage, order_number=1, label="One", least=1, most=1)
    SlotAllowance.objects.create(slot=data.slot, piece=data.etude)
    return data


def session_fields(data: SimpleNamespace, *appearances: Any) -> dict[str, str]:
    ids = ",".join(str(appearance.participant_id) for appearance in appearances)
    when = {"date": "2025-10-09", "time": "17:00", "stage": str(data.session.stage_id)}
    return {"title": "Evening", "description": "", "youtube_id": "", "participant_ids": ids, **when, **CONFIRMED}


SERIES = {"sessions": "2027-10-09 10:00\n2027-10-10 10:00", "first_number": "1", **CONFIRMED}
PLAN = {"minutes": "30", "intervals": "1: 20"}


# the argument and the fields of each command, from the existing rows
def last_stay() -> int:
    """Return the id of the last time on stage."""
    return PerformingTime.objects.latest("pk").pk


COMMANDS: dict[str, Any] = {
    "comment_delete": lambda data: (data.comment.pk, {}),
    "post_comment_delete": lambda data: (data.post_comment.pk, {}),
    "mark_delete": lambda data: (f"performance:{data.whole.pk}", {}),
    "participant_create": lambda _: ("", person("Nowak")),
    "participant_update": lambda data: (data.appearances[0].participant_id, person("Nowak") | version(data)),
    "participant_delete": lambda data: (data.appearances[0].participant_id, {}),
    "performer_set": lambda data: (data.appearances[1].pk, {}),
    "performer_next": lambda data: (data.session.pk, {}),
    "performer_clear": lambda data: (data.session.pk, {}),
    "call_take_back": lambda data: (f"{data.appearances[0].pk}:{last_stay()}", CONFIRMED),
    "interval_take_back": lambda data: (f"{data.session.pk}:{last_stay()}", {}),
    "piece_add": lambda _: ("", {"category": "mazurek", "name": "Mazurka in C major, Op. 24 No. 2"}),
    "piece_update": lambda data: (data.entry.piece_id, {"category": "mazurek", "name": "Mazurka"}),
    "piece_delete": lambda data: (data.scherzo.pk, {}),
    "piano_add": lambda _: ("", {"maker": "Kitamori", "model": "EX"}),
    "piano_update": lambda data: (data.piano.pk, {"maker": "Sennewald", "model": "275"}),
    "piano_delete": lambda data: (data.piano.pk, {}),
    "session_pianos_set": lambda data: (
        data.session.pk,
        {"read": f"{data.appearances[0].pk}.0", f"piano-{data.appearances[0].pk}": str(data.piano.pk)},
    ),
    "session_pianos_read": lambda data: (
        data.session.pk,
        {"piano_lines": f"{data.appearances[0].participant.name}; Kitamori EX", **CONFIRMED},
    ),
    "program_entry_link": lambda data: (data.entry.pk, {"url": "https://youtu.be/aqz-KE-bpKQ?t=9"}),
    "program_entry_move": lambda data: (f"{data.entry.pk}:down", {}),
    "program_entry_remove": lambda data: (data.entry.pk, CONFIRMED),
    "program_entry_add": lambda data: (f"{data.appearances[0].pk}:{data.scherzo.pk}:2", {}),
    "program_set_add": lambda data: (
        data.appearances[0].pk,
        {"pieces": f"{data.scherzo.name}; {data.etude.name}", "name": "Two works"},
    ),
    "program_part_link": lambda data: (f"{data.item.pk}:{data.part.pk}", {"url": ""}),
    "program_select": lambda data: (f"{data.appearances[0].pk}:{data.etude.pk}", CONFIRMED),
    "program_import": lambda data: (
        data.appearances[0].pk,
        {"text": data.scherzo.name, "do": "assign", **CONFIRMED},
    ),
    "programs_take": lambda data: (
        f"{data.session.pk}:imported",
        {"offered": unprogrammed(data)},
    ),
    "program_take": lambda data: (f"{data.session.pk}:{unprogrammed(data)}:imported", {}),
    "program_undo": lambda data: (data.undo, {}),
    "session_create": lambda data: ("", session_fields(data, *data.appearances)),
    "session_series_create": lambda data: ("", SERIES | {"stage": str(data.stage.pk)}),
    "session_series_undo": lambda data: (data.series, {}),
    "appearance_withdraw": lambda data: (data.session.pk, {"appearance": str(data.appearances[1].pk), **CONFIRMED}),
    "order_fill": lambda data: (data.session.pk, {"fill": "next", "of_stage": str(data.stage.pk)}),
    "planned_times_set": lambda data: (data.session.pk, PLAN),
    "planned_times_clear": lambda data: (data.session.pk, {}),
    "planned_times_shift": lambda data: (data.session.pk, {"appearance": str(data.appearances[0].pk), "by": "5"}),
    "planned_times_shift_back": lambda data: (data.shift, {}),
    "session_update": lambda data: (data.session.pk, session_fields(data, *data.appearances[:1])),
    "session_delete": lambda data: (data.other_id, CONFIRMED),
    "appearance_count": lambda data: (data.appearances[1].pk, {}),
    "session_set_live": lambda data: (data.other.pk, CONFIRMED),
    "session_end": lambda data: (data.session.pk, CONFIRMED),
    "stage_create": lambda _: ("", {"name": "Gala"}),
    "stage_update": lambda data: (data.stage.pk, {"name": "Gala"}),
    "stage_move": lambda data: (f"{data.stage.pk}:up", {}),
    "stage_preset": lambda data: (data.stage.pk, {"preset": "free", **CONFIRMED}),
    "stage_minutes": lambda data: (data.stage.pk, {"least_minutes": "30", "most_minutes": "40"}),
    "slot_add": lambda data: (data.stage.pk, {"label": "Two", "least": "1", "most": "1", "more": "Sonata in B minor"}),
    "slot_update": lambda data: (data.slot.pk, {"label": "Free", "free": "1", "least": "1", "any": "1"}),
    "slot_move": lambda data: (f"{data.slot.pk}:down", {}),
    "slot_remove": lambda data: (data.slot.pk, {}),
    "advancing_fill": lambda data: (data.stage.pk, {"lines": "1"}),
    "advancements_publish": lambda data: (
        data.session.stage_id,
        {"participant": [str(appearance.participant_id) for appearance in data.appearances], **CONFIRMED},
    ),
    "advancements_withdraw": lambda data: (data.session.stage_id, {}),
    "prizes_save": lambda data: (
        data.session.stage_id,
        {"name-1": "First Prize", "recipient-1": [str(data.appearances[0].participant_id)]},
    ),
    "prizes_publish": lambda data: (data.session.stage_id, CONFIRMED),
    "prizes_restore": lambda data: (data.prizes, {}),
    "prizes_withdraw": lambda data: (data.session.stage_id, {}),
    "stage_delete": lambda data: (data.stage.pk, {}),
    "import_save": lambda data: (data.file.pk, {}),
    "import_undo": lambda data: (data.file.pk, {}),
    "import_clear": lambda data: (data.file.pk, {}),
    "import_read_again": lambda data: (data.file.pk, {"encoding": "utf-8"}),
    "import_category_set": lambda data: (f"{data.file.pk}:2:1", {"category": "mazurek"}),
    "import_person_set": lambda data: (f"{data.file.pk}:4:another", {}),
    "import_piece_leave_out": lambda data: (f"{data.file.pk}:3:1", {}),
}
REFUSED = {"participant_delete"}  # while appearances exist


def person(second_name: str) -> dict[str, str]:
    return {"first_name": "Anna", "second_name": second_name, "country": "Poland", "biography": "Plays."}


def version(data: SimpleNamespace) -> dict[str, str]:
    edited = participant_edit(participant_id=data.appearances[0].participant_id)
    assert edited
    return {"version": edited.version}


def run_command(admin: Any, name: str, argument: Any, fields: Any = ()) -> Any:
    return REGISTERED[name].answer(admin, Arguments(str(argument), dict(fields)), texts("en"))


def test_every_command_of_administrators_is_listed():
    """The test of roles in tests/project/security runs the members' commands and ends with the same query."""
    commands = {name: entry.access for name, entry in REGISTERED.items() if entry.work.__module__.startswith("apps.")}
    by_administrators = {name for name, access in commands.items() if access is not Access.MEMBER}
    assert by_administrators - COMMANDS.keys() - OTHER_COMMANDS == set()
    assert (COMMANDS.keys() | OTHER_COMMANDS) - commands.keys() == set()


def test_no_command_leaves_orphaned_rows(admin, data):
    wrong = {}
    for name in COMMANDS:
        with transaction.atomic():
            if left := rows_left(admin, SimpleNamespace(**vars(data)), name):
                wrong[name] = left
            transaction.set_rollback(True)
    assert wrong == {}


def prepare_plan(admin: Any, data: SimpleNamespace, name: str) -> None:
    """Make the series, the planned times or the prizes that the command needs."""
    if name == "session_series_undo":
        run_command(admin, "session_series_create", "", COMMANDS["session_series_create"](data)[1])
        data.series = Session.objects.filter(stage=data.stage).earliest("pk").pk
    if name.startswith("planned_times_") or name == "session_delete":
        run_command(admin, "planned_times_set", data.session.pk, PLAN)
    if name in {"prizes_publish", "prizes_restore", "prizes_withdraw"}:
        run_command(admin, "prizes_save", *COMMANDS["prizes_save"](data))
    if name in {"prizes_restore", "prizes_withdraw"}:
        data.prizes = run_command(admin, "prizes_publish", data.session.stage_id, CONFIRMED)["undo"][1]
    if name == "planned_times_shift_back":
        data.shift = run_command(admin, "planned_times_shift", *COMMANDS["planned_times_shift"](data))["undo"][1]


def prepare_stage(admin: Any, data: SimpleNamespace, name: str) -> None:
    """Let a performer come on stage, and leave it, for the commands that need it."""
    if name in {"performer_clear", "session_end", "session_set_live", "call_take_back", "interval_take_back"}:
        performer_set(actor=admin, appearance_id=data.appearances[0].pk)
    if name == "interval_take_back":
        performer_clear(actor=admin, session_id=data.session.pk)


def unprogrammed(data: SimpleNamespace) -> int:
    """Return the id of an appearance without a program. Its participant has imported pieces."""
    empty = AppearanceFactory(session=data.session)
    ImportedPerformanceFactory(participant=empty.participant, program=f"{data.scherzo.name}\nBarcarolle")
    return empty.pk


def rows_left(admin: Any, data: SimpleNamespace, name: str) -> Any:
    """Run one of the commands. Return the orphaned rows that it leaves."""
    if name.startswith("import_"):
        data.file = stored(admin, ZOFIA, NUTSA, "Anna|Nowak|Poland|Noktiurnas||||", "Zo-fia|Łęcka|Poland|||||")
    if name == "import_undo":
        run_command(admin, "import_save", data.file.pk)
    if name == "program_import":
        argument, fields = COMMANDS[name](data)
        run_command(admin, name, argument, fields | {"do": "read"})
    if name == "program_undo":
        answer = run_command(admin, "session_update", data.session.pk, session_fields(data, *data.appearances[:1]))
        data.undo = answer["undo"][1]
    prepare_plan(admin, data, name)
    if name == "session_delete":
        Session.objects.filter(pk=data.session.pk).update(is_live=False)
        data.other_id = data.session.pk
    prepare_stage(admin, data, name)
    assert orphans() == {}
    argument, fields = COMMANDS[name](data)
    if name in REFUSED:
        with pytest.raises(ValidationError), transaction.atomic():
            run_command(admin, name, argument, fields)
    else:
        answer = run_command(admin, name, argument, fields)
        assert answer["ok"], (name, answer)
    return orphans()


def test_orphans_finds_inconsistent_rows(data):
    Session.objects.filter(pk=data.session.pk).update(is_live=False)
    data.appearances[0].is_performing = True
    data.appearances[0].save()
    ProgramEntry.objects.filter(appearance=data.appearances[1], order_number=2).update(order_number=9)
    assert orphans().keys() == {"performers of sessions that are not live", "programs with a gap"}


def test_rated_piece_is_removed_from_a_program_only_when_confirmed(admin, data):
    with pytest.raises(ConfirmationNeeded) as confirmation, transaction.atomic():
        run_command(admin, "program_entry_remove", data.entry.pk)
    assert confirmation.value.messages[0] == f"{data.entry.piece.name} would leave the program, with its ratings: 1."
    with pytest.raises(ConfirmationNeeded) as confirmation, transaction.atomic():
        run_command(admin, "program_select", f"{data.appearances[0].pk}:{data.etude.pk}")
    assert confirmation.value.messages[0] == f"{data.entry.piece.name} would leave the program, with its ratings: 1."
    assert PieceRating.objects.filter(appearance=data.appearances[0]).count() == 2
    run_command(admin, "program_select", f"{data.appearances[0].pk}:{data.etude.pk}", CONFIRMED)
    kept = PieceRating.objects.get(appearance=data.appearances[0])
    assert kept.piece_id == data.appearances[0].program.order_by("order_number").last().piece_id


def test_database_requires_the_piece_of_each_mark(data):
    with pytest.raises(IntegrityError, match="needs the piece in the program"), transaction.atomic():
        ProgramEntry.objects.filter(pk=data.entry.pk).delete()
    with pytest.raises(IntegrityError, match="needs the piece in the program"), transaction.atomic():
        ProgramEntry.objects.filter(pk=data.entry.pk).update(piece=data.scherzo)
    mark = {"user": data.fan, "appearance": data.appearances[0], "score": 3}
    with pytest.raises(IntegrityError, match="needs the piece in the program"), transaction.atomic():
        PieceRating.objects.create(**mark, piece=data.scherzo)
    with pytest.raises(IntegrityError, match="stays with its piece"), transaction.atomic():
        PieceRating.objects.filter(user=data.fan).update(piece=data.scherzo)


def test_rejected_mark_of_a_removed_piece_is_not_restored(admin, data):
    waiting = PieceRatingFactory(user=UserFactory(), entry=data.entry)
    decided = ratings_decide(actor=admin, decision="reject", seen=seen(waiting))
    run_command(admin, "program_entry_remove", data.entry.pk, CONFIRMED)
    undone = decision_undo(actor=admin, decision_id=decided.id)
    assert (undone.back, undone.left) == (0, 1)
    assert orphans() == {}
