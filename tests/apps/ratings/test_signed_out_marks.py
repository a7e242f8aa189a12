"""Test marks made signed out: parsing of the browser's text, the question, and which values are kept."""

import json
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import ANONYMOUS
from apps.core.commands import REGISTERED, UNREADABLE, Arguments
from apps.core.texts import texts
from apps.ratings.enums import QuickRating
from apps.ratings.limits import SIGNED_OUT_LENGTH, SIGNED_OUT_PERFORMANCES
from apps.ratings.models import DraftMark, RatingDraft
from apps.ratings.selectors.own import ratings_own
from apps.ratings.services.covering import figures_show
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.moderation import rating_delete
from apps.ratings.services.signed_out_marks import signed_out_marks_read
from apps.ratings.services.strikes import Strikes
from apps.ratings.services.submission import ratings_submit
from apps.ratings.services.taking_over import marks_to_ask, ratings_take_over, signed_out_marks_store
from tests.factories import ProgramEntryFactory
from tests.offenders import check_each

COMMAND = "ratings_take_over"


def text_of(program: Any, **fields: Any) -> str:
    """Return a browser's text with these fields of the performance; `pieces` are marks by place in the program."""
    pieces = {f"piece-{program[place].piece_id}": [mark, 5000] for place, mark in fields.pop("pieces", {}).items()}
    struck = {name: [value, 5000] for name, value in fields.items()}
    return json.dumps({str(program[0].appearance_id): pieces | struck})


def answer(fan: Any, text: str, **fields: str) -> dict[str, Any]:
    return REGISTERED[COMMAND].answer(fan, Arguments("", {"marks": text, **fields}), texts("en"))


def sheet(fan: Any, program: Any) -> tuple[list[int], int | None, str | None, str | None]:
    """Return the fan's sheet of the performance: marks by place in the program, score, comment and quick rating."""
    appearance_id = program[0].appearance_id
    own = ratings_own(user_id=fan.id, appearance_ids=[appearance_id])[appearance_id].sheet
    return [own.pieces.get(entry.piece_id, -1) for entry in program], own.score, own.comment, own.quick_rating


TAKEN = {"ok": True, "text": ""}  # an answer without a question


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.sampled_from(["23", "4", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=9,
)
NAMES = st.sampled_from(["piece-3", "piece-4", "piece-x", "piece-", "score", "comment", "quick_rating", "version"])
PAIRS = st.tuples(st.sampled_from(["23", "4", "0", "26", "-1", "٣", "other", "Dry."]) | st.text(), ANY).map(list)
SENT = st.dictionaries(st.sampled_from(["17", "018", "x", "0", "9" * 30]), st.dictionaries(NAMES, PAIRS | ANY) | ANY)


@given(st.text() | ANY.map(json.dumps) | SENT.map(json.dumps))
def test_any_text_is_read_as_valid_marks_or_refused(text):
    try:
        read = signed_out_marks_read(text)
    except ValueError:
        return
    for pk, strikes in read.items():
        assert 0 < pk < 10**19
        assert strikes != Strikes()
        assert all(pk and 1 <= mark <= 25 for pk, (mark, _) in strikes.pieces.items())
        assert strikes.score is None or 1 <= strikes.score[0] <= 5
        assert strikes.comment is None or (0 < len(strikes.comment[0]) <= 2000 and "\x00" not in strikes.comment[0])
        assert strikes.quick_rating is None or strikes.quick_rating[0] in QuickRating.values
        struck = [*strikes.pieces.values(), strikes.score, strikes.comment, strikes.quick_rating]
        assert all(0 <= strike[1] <= 10**10 for strike in struck if strike)


@given(
    st.dictionaries(
        st.integers(1, 10**9),
        st.builds(
            Strikes,
            st.dictionaries(st.integers(1, 10**9), st.tuples(st.integers(1, 25), st.integers(0, 10**6)), max_size=5),
            st.none() | st.tuples(st.integers(1, 5), st.integers(0, 10**6)),
            st.none() | st.tuples(st.sampled_from(["Dry.", " Ü\n"]), st.integers(0, 10**6)),
            st.none() | st.tuples(st.sampled_from(QuickRating.values), st.integers(0, 10**6)),
        ).filter(lambda strikes: strikes != Strikes()),
        max_size=9,
    )
)
def test_text_of_the_form_is_read(marks):
    def fields(strikes: Strikes) -> dict[str, Any]:
        struck = {f"piece-{pk}": strike for pk, strike in strikes.pieces.items()}
        struck |= {name: getattr(strikes, name) for name in ("score", "comment", "quick_rating")}
        return {name: [str(strike[0]), strike[1] * 1000] for name, strike in struck.items() if strike}

    assert signed_out_marks_read(json.dumps({str(pk): fields(strikes) for pk, strikes in marks.items()})) == marks


ONE = {"score": ["4", 0]}
BAD = [
    *("", "[]", "null", "17", "{", '{"17": NaN}', "[" * 49_000, "1" * 40_000, '{"17":' * 9_000),
    json.dumps({str(pk): ONE for pk in range(1, SIGNED_OUT_PERFORMANCES + 2)}),
    json.dumps({"17": {"comment": ["x" * SIGNED_OUT_LENGTH, 0]}}),
]


def test_text_beyond_the_limits_is_refused():
    def check(text):
        with pytest.raises(ValueError, match=r"\w"):
            signed_out_marks_read(text)

    check_each(BAD, check)
    most = json.dumps({str(pk): ONE for pk in range(1, SIGNED_OUT_PERFORMANCES + 1)})
    assert len(signed_out_marks_read(most)) == SIGNED_OUT_PERFORMANCES


def test_page_asks_once_and_stores_with_the_answer(fan, program):
    text = text_of(program, pieces={0: "23", 1: "7"}, score="4", comment=" Dry. ", quick_rating="outstanding")
    pk = str(program[0].appearance_id)
    question = answer(fan, text)
    assert question["text"] == "1 performance was marked here before you signed in. Keep it as yours?"
    assert question["data"] == {"open": [pk], "words": ["Keep", "Discard"], "keep": ["1", ""]}
    two = json.loads(text) | {str(ProgramEntryFactory().appearance_id): ONE}
    question = answer(fan, json.dumps(two))
    assert question["text"] == "2 performances were marked here before you signed in. Keep them as yours?"
    assert not RatingDraft.objects.exists()
    assert answer(fan, text, keep="1") == TAKEN
    assert sheet(fan, program) == ([23, 7], 4, "Dry.", "outstanding")
    assert set(DraftMark.objects.values_list("blind", flat=True)) == {None}
    assert answer(fan, text) == TAKEN


def test_sheet_of_the_account_wins_also_if_older_or_removed(fan, program):
    first, second = program
    pk = first.appearance_id
    struck = Strikes({first.piece_id: (0, 9000.0)}, None, ("Mine", 9000.0))
    rating_keep(actor=fan, appearance_id=pk, strikes=struck)
    answer(fan, text_of(program, pieces={0: "23", 1: "7"}, score="4", comment="Theirs"), keep="1")
    assert sheet(fan, program) == ([0, 7], 4, "Mine", None)
    assert DraftMark.objects.get(piece=second.piece_id).blind is None
    assert answer(fan, text_of(program, pieces={1: "7"}, score="4", comment=" Mine ")) == TAKEN


def test_other_marks_of_the_account_are_asked_about_and_replaced_on_request(fan, program):
    pk = program[0].appearance_id
    ratings_submit(actor=fan, appearance_id=pk, pieces={program[0].piece_id: 20}, score=5, comment="Mine")
    text = text_of(program, pieces={0: "1"}, score="1", comment="Theirs")
    question = answer(fan, text)
    name = program[0].appearance.participant.name
    assert question["text"].endswith(f"Keep it as yours? Your account has other marks for {name}.")
    assert question["data"] == {"open": [str(pk)], "words": ["Take these", "Keep the account's"], "keep": ["all", "1"]}
    assert answer(fan, text, keep="1") == TAKEN
    assert sheet(fan, program) == ([20, -1], 5, "Mine", "")
    more = text_of(program, pieces={0: "1", 1: "7"}, score="1", comment="Theirs")
    assert answer(fan, more)["data"]["keep"] == ["all", "1", ""]
    assert answer(fan, more, keep="all") == TAKEN
    assert sheet(fan, program) == ([1, 7], 1, "Theirs", "")
    assert answer(fan, more) == TAKEN


def test_submitted_rating_wins_also_without_a_sheet(fan, program):
    pk = program[0].appearance_id
    ratings_submit(actor=fan, appearance_id=pk, pieces={program[0].piece_id: 20}, score=5, comment="Mine")
    RatingDraft.objects.all().delete()  # as of ratings from before sheets existed
    answer(fan, text_of(program, pieces={0: "1", 1: "7"}, score="1", comment="Theirs", quick_rating="other"), keep="1")
    assert sheet(fan, program) == ([-1, 7], None, None, None)
    rating_delete(actor=fan, appearance_id=pk, user_id=fan.id)
    answer(fan, text_of(program, pieces={0: "1"}, score="1"), keep="1")
    assert sheet(fan, program) == ([0, 7], 0, "", "")


def test_mark_of_an_uncovered_performance_is_not_blind(fan, program):
    figures_show(actor=fan, appearance_id=program[0].appearance_id)
    answer(fan, text_of(program, pieces={0: "23"}), keep="1")
    assert DraftMark.objects.get().blind is False


def test_answer_names_performances_that_cannot_be_stored(fan, program):
    coming = ProgramEntryFactory(appearance__session__starts_at="2199-10-03T18:00:00Z").appearance
    name = coming.participant.name
    marks = json.loads(text_of(program, score="4")) | {str(coming.pk): ONE, "999999999": ONE}
    text = answer(fan, json.dumps(marks), keep="1")["text"]
    assert text == f"2 performances could not be kept: {name}, 1 that was withdrawn."
    assert sheet(fan, program)[1] == 4
    assert RatingDraft.objects.count() == 1
    text = answer(fan, json.dumps({str(coming.pk): ONE}), keep="1")["text"]
    assert text == f"1 performance could not be kept: {name}."


def test_piece_outside_the_program_is_ignored(fan, program):
    program[1].delete()
    text = text_of(program, pieces={1: "7"})
    assert answer(fan, text) == answer(fan, text, keep="1") == TAKEN
    assert not RatingDraft.objects.exists()


def test_invalid_message_is_refused(fan):
    for text in ("", "[]", json.dumps({str(pk): ONE for pk in range(1, 102)})):
        with pytest.raises(ValidationError) as refusal:
            answer(fan, text, keep="1")
        assert refusal.value.messages == [UNREADABLE]


def test_anonymous_visitors_cannot_store_marks(program):
    marks = signed_out_marks_read(text_of(program, score="4"))
    for work in (marks_to_ask, ratings_take_over):
        with pytest.raises(PermissionDenied):
            work(actor=ANONYMOUS, marks=marks)


def test_registration_stores_valid_marks_for_the_new_account(fan, program, django_assert_max_num_queries):
    for invalid in (*BAD, '{"999999999": {"score": ["4", 0]}}'):
        signed_out_marks_store(fan.id, invalid)
        assert not RatingDraft.objects.exists()
    text = text_of(program, pieces={0: "23", 1: "7"}, score="4", comment=" Dry. ", quick_rating="outstanding")
    with django_assert_max_num_queries(5):
        signed_out_marks_store(fan.id, text)
    assert sheet(fan, program) == ([23, 7], 4, "Dry.", "outstanding")
    assert set(DraftMark.objects.values_list("blind", flat=True)) == {None}
    assert answer(fan, text) == TAKEN, "all marks are stored"
