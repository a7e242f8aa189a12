"""Test prizes of a stage: draft, publication, undo, withdrawal, bad input, secrecy and constraints."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction

from apps.accounts.models import User
from apps.competition.enums import PrizeAward, PrizeKind, PrizeListState
from apps.competition.limits import UNDO_LIFETIME
from apps.competition.models import Prize, PrizeList, PrizeRecipient
from apps.competition.selectors.admin.prizes import PrizeLine, prizes_edit
from apps.competition.selectors.public.prizes import participant_prizes, prize_recipient_ids, stage_prizes
from apps.competition.services import prizes as service
from apps.core.audit import audit_list
from apps.core.edits import ConfirmationNeeded
from tests.factories import AppearanceFactory, StageFactory

pytestmark = pytest.mark.django_db
PLACE, SPECIAL = PrizeKind.PLACE, PrizeKind.SPECIAL
SINGLE, SHARED, NONE = PrizeAward.SINGLE, PrizeAward.SHARED, PrizeAward.NONE


@pytest.fixture
def final():
    """Return a stage and the ids of its three performers, by second name."""
    stage = StageFactory(name="Final")
    people = [("Anna", "Adler"), ("Bo", "Birk"), ("Cho", "Cheng")]
    appearances = [
        AppearanceFactory(session__stage=stage, participant__first_name=first, participant__second_name=second)
        for first, second in people
    ]
    return stage, [each.participant_id for each in appearances]


def lines_of(first, *second):
    """Return a first prize, a shared second one, a third one that is not awarded, and a special prize of the first."""
    return [
        PrizeLine("First Prize", PLACE, SINGLE, (first,)),
        PrizeLine("Best polonaise", SPECIAL, SINGLE, (first,)),
        PrizeLine("Second Prize", PLACE, SHARED, tuple(second)),
        PrizeLine("", PLACE, SINGLE),
        PrizeLine("Third Prize", PLACE, NONE),
    ]


def shown(stage):
    prizes = stage_prizes(stage_id=stage.pk)
    return [(each.name, each.is_shared, [who.name for who in each.recipients]) for each in prizes]


def test_draft_is_secret_until_it_is_published_in_one_press(admin, final):
    stage, (one, two, three) = final
    service.prizes_save(actor=admin, stage_id=stage.pk, lines=lines_of(one, two, three))
    assert stage_prizes(stage_id=stage.pk) == participant_prizes(participant_id=one) == ()
    assert prize_recipient_ids(stage_id=stage.pk) == frozenset()
    with pytest.raises(ConfirmationNeeded) as question:
        service.prizes_publish(actor=admin, stage_id=stage.pk, confirmed=False)
    assert question.value.messages == [
        "Everybody sees it at once:",
        "First Prize: Anna Adler",
        "Second Prize, shared: Bo Birk, Cho Cheng",
        "Third Prize: not awarded",
        "Best polonaise: Anna Adler",
    ]
    assert shown(stage) == []
    service.prizes_publish(actor=admin, stage_id=stage.pk)
    assert shown(stage) == [
        ("First Prize", False, ["Anna Adler"]),
        ("Second Prize", True, ["Bo Birk", "Cho Cheng"]),
        ("Third Prize", False, []),
        ("Best polonaise", False, ["Anna Adler"]),
    ]
    assert [each.name for each in participant_prizes(participant_id=one)] == ["First Prize", "Best polonaise"]
    assert [each.is_shared for each in participant_prizes(participant_id=three)] == [True]


def test_several_distinctions_are_not_shared(admin, final):
    stage, (one, two, _) = final
    lines = [PrizeLine("Distinctions", PrizeKind.DISTINCTION, SHARED, (one, two))]
    service.prizes_save(actor=admin, stage_id=stage.pk, lines=lines)
    service.prizes_publish(actor=admin, stage_id=stage.pk)
    assert shown(stage) == [("Distinctions", False, ["Anna Adler", "Bo Birk"])]


def test_correction_is_a_draft_and_its_undo_shows_the_former_list(admin, final):
    stage, (one, two, three) = final
    publish = partial(service.prizes_publish, actor=admin, stage_id=stage.pk)
    save = partial(service.prizes_save, actor=admin, stage_id=stage.pk)
    save(lines=lines_of(one, two, three))
    publish()
    before = shown(stage)
    save(lines=lines_of(two, one, three))
    assert shown(stage) == before
    made = publish()
    assert shown(stage)[0] == ("First Prize", False, ["Bo Birk"])
    service.prizes_restore(actor=admin, list_id=made.list_id)
    assert shown(stage) == before
    edit = prizes_edit(stage_id=stage.pk)
    assert edit.has_draft
    assert edit.lines[0].participant_ids == (two,)
    with pytest.raises(ValidationError, match="can no longer be taken back"):
        service.prizes_restore(actor=admin, list_id=made.list_id)
    assert [entry.action for entry in audit_list()][:2] == ["stage.unaward", "stage.award"]


def test_undo_ends_with_its_time_and_with_another_draft(admin, final):
    stage, (one, two, three) = final
    service.prizes_save(actor=admin, stage_id=stage.pk, lines=lines_of(one, two, three))
    made = service.prizes_publish(actor=admin, stage_id=stage.pk)
    published = PrizeList.objects.get()
    PrizeList.objects.update(published_at=published.published_at - UNDO_LIFETIME - timedelta(seconds=1))
    with pytest.raises(ValidationError, match="can no longer be taken back"):
        service.prizes_restore(actor=admin, list_id=made.list_id)
    PrizeList.objects.update(published_at=published.published_at)
    service.prizes_save(actor=admin, stage_id=stage.pk, lines=lines_of(two, one, three))
    with pytest.raises(ValidationError, match="can no longer be taken back"):
        service.prizes_restore(actor=admin, list_id=made.list_id)
    with pytest.raises(ValidationError, match="can no longer be taken back"):
        service.prizes_restore(actor=admin, list_id=987654)
    assert shown(stage)[0] == ("First Prize", False, ["Anna Adler"])


def test_withdrawn_prizes_become_the_draft_unless_there_is_one(admin, final):
    stage, (one, two, three) = final
    withdraw = partial(service.prizes_withdraw, actor=admin, stage_id=stage.pk)
    service.prizes_save(actor=admin, stage_id=stage.pk, lines=lines_of(one, two, three))
    service.prizes_publish(actor=admin, stage_id=stage.pk)
    withdraw()
    assert shown(stage) == []
    assert PrizeList.objects.get().state == PrizeListState.DRAFT
    service.prizes_publish(actor=admin, stage_id=stage.pk)
    service.prizes_save(actor=admin, stage_id=stage.pk, lines=lines_of(three, one, two))
    withdraw()
    withdraw()
    assert prizes_edit(stage_id=stage.pk).lines[0].participant_ids == (three,)


A, B = ("A", PLACE, SINGLE), ("B", PLACE, SINGLE)
GONE = 987654


@pytest.mark.parametrize(
    ("lines", "field", "sentence"),
    [
        ([], "name-1", "at least one"),
        ([("", PLACE, SINGLE, 0), A], "name-1", "Name this prize"),
        ([("First Prize",), ("first prize",)], "name-1", "is there twice"),
        ([(*A, 0, 1)], "recipient-1", "goes to one performer"),
        ([("A", PLACE, NONE, 0)], "recipient-1", "is not awarded"),
        ([(*A, GONE)], "recipient-1", "no longer there"),
        ([(*A, 0), (*B, 0)], "recipient-2", "Anna Adler would receive two prizes: “A” and “B”"),
    ],
)
def test_lists_that_cannot_be_are_refused_at_their_field(admin, final, lines, field, sentence):
    stage, ids = final
    of = {GONE: GONE} | dict(enumerate(ids))
    lines = [PrizeLine(*line[:3], tuple(of[at] for at in line[3:])) for line in lines]
    with pytest.raises(ValidationError, match=sentence) as refusal:
        service.prizes_save(actor=admin, stage_id=stage.pk, lines=lines)
    assert field in refusal.value.message_dict
    assert not PrizeList.objects.exists()


def test_performers_outside_the_stage_or_withdrawn_receive_nothing(admin, final):
    stage, (one, two, three) = final
    other = AppearanceFactory(participant__name="Out Sider").participant
    with pytest.raises(ValidationError, match="Out Sider does not play in Final") as refusal:
        service.prizes_save(actor=admin, stage_id=stage.pk, lines=lines_of(other.pk, two, three))
    assert list(refusal.value.message_dict) == ["recipient-1", "recipient-2"]
    service.prizes_save(actor=admin, stage_id=stage.pk, lines=lines_of(one, two, three))
    stage.sessions.get(appearances__participant=one).appearances.all().delete()
    with pytest.raises(ValidationError, match="Anna Adler does not play in Final"):
        service.prizes_publish(actor=admin, stage_id=stage.pk)
    assert one in {each.participant_id for each in prizes_edit(stage_id=stage.pk).performers}


def test_undecided_and_half_shared_prizes_are_not_published(admin, final):
    stage, (one, *_) = final
    with pytest.raises(ValidationError, match="There is no draft"):
        service.prizes_publish(actor=admin, stage_id=stage.pk)
    lines = [PrizeLine("First Prize"), PrizeLine("Second Prize", PLACE, SHARED, (one,))]
    service.prizes_save(actor=admin, stage_id=stage.pk, lines=lines)
    with pytest.raises(ValidationError) as refusal:
        service.prizes_publish(actor=admin, stage_id=stage.pk)
    assert refusal.value.messages == [
        "Choose who receives “First Prize”, or that it is not awarded.",
        "“Second Prize” is marked as shared, but only one performer receives it.",
    ]


def test_second_administrator_is_told_of_the_change(admin, final):
    stage, (one, two, three) = final
    version = prizes_edit(stage_id=stage.pk).version
    save = partial(service.prizes_save, actor=admin, stage_id=stage.pk)
    save(lines=lines_of(one, two, three), version=version)
    with pytest.raises(ValidationError, match="Another administrator changed the prizes"):
        save(lines=lines_of(two, one, three), version=version)
    read = prizes_edit(stage_id=stage.pk).version
    save(lines=lines_of(three, one, two), version=read)
    with pytest.raises(ValidationError, match="Another administrator changed the prizes"):
        service.prizes_publish(actor=admin, stage_id=stage.pk, version=read)
    service.prizes_publish(actor=admin, stage_id=stage.pk, version=prizes_edit(stage_id=stage.pk).version)
    assert shown(stage)[0] == ("First Prize", False, ["Cho Cheng"])


@transaction.atomic
def checked(write):
    write()
    connection.check_constraints()


def test_database_refuses_what_cannot_be(final):
    stage, (one, two, _) = final
    draft = PrizeList.objects.create(stage=stage, state=PrizeListState.DRAFT)
    prize = partial(Prize.objects.create, list=draft, kind=PLACE)
    first, second = prize(name="First Prize", order_number=1, award=SINGLE), prize(name="B", order_number=2, award=NONE)
    receive = partial(PrizeRecipient.objects.create, list=draft, kind=PLACE, award=SINGLE, prize=first)
    receive(participant_id=one)
    outside = AppearanceFactory().participant_id
    lists = partial(PrizeList.objects.create, stage=stage)
    refusals = {
        "prize_list_once_in_a_state": partial(lists, state=PrizeListState.DRAFT),
        "prize_list_published_with_time": partial(lists, state=PrizeListState.PUBLISHED),
        "prize_name_once": partial(prize, name="first prize", order_number=3, award=SINGLE),
        "prize_number_once": partial(prize, name="C", order_number=1, award=SINGLE),
        "prize_has_name": partial(prize, name="", order_number=3, award=SINGLE),
        "one_recipient_unless_shared": partial(receive, participant_id=two),
        "no_recipient_if_not_awarded": partial(receive, participant_id=two, prize=second, award=NONE),
        "one_place_for_a_performer": partial(receive, participant_id=one, prize=second, award=SHARED),
        "recipient_as_its_prize": partial(receive, participant_id=two, prize=second, award=SHARED),
        "prize_of_performer": partial(receive, participant_id=outside, award=SHARED),
    }
    for name, write in refusals.items():
        with pytest.raises(IntegrityError) as refusal:
            checked(write)
        assert refusal.value.__cause__.diag.constraint_name == name


def test_prizes_outlive_the_account_and_go_with_their_stage(admin, final):
    stage, (one, two, three) = final
    service.prizes_save(actor=admin, stage_id=stage.pk, lines=lines_of(one, two, three))
    service.prizes_publish(actor=admin, stage_id=stage.pk)
    User.objects.filter(pk=admin.id).delete()
    assert PrizeList.objects.get().by_id is None
    stage.sessions.all().delete()
    stage.delete()
    assert not PrizeList.objects.exists()


@pytest.mark.parametrize("broken", ["_move", "_note", "publish"])
def test_publication_and_its_undo_happen_whole_or_not_at_all(admin, final, monkeypatch, broken):
    stage, (one, two, three) = final
    publish = partial(service.prizes_publish, actor=admin, stage_id=stage.pk)
    service.prizes_save(actor=admin, stage_id=stage.pk, lines=lines_of(one, two, three))
    publish()
    service.prizes_save(actor=admin, stage_id=stage.pk, lines=lines_of(two, one, three))
    real, calls = getattr(service, broken), []

    def cut(*args, **more):
        calls.append(args)
        if broken == "_move" and len(calls) == 1:
            return real(*args, **more)
        raise ConnectionError("the connection to the database is lost")

    def states():
        return sorted(PrizeList.objects.values_list("pk", "state"))

    def check(step):
        before = states()
        with monkeypatch.context() as patched:
            patched.setattr(service, broken, cut)
            with pytest.raises(ConnectionError):
                step()
        assert states() == before
        calls.clear()

    check(publish)
    made = publish()
    check(partial(service.prizes_restore, actor=admin, list_id=made.list_id))
    service.prizes_restore(actor=admin, list_id=made.list_id)
    assert shown(stage)[0] == ("First Prize", False, ["Anna Adler"])
