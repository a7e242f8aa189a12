"""The rating form and the program lists with 1, 12 and 40 items, with movements and with sets."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import OPERATOR
from apps.competition.models import PerformingTime, PiecePart, ProgramEntry, ProgramPart, Session
from apps.competition.selectors.public.sessions import appearances_get
from apps.competition.services.programs import program_entry_remove
from apps.ratings.models import PieceRating
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.sheet_changes import SheetChanges
from apps.ratings.services.submission import ratings_submit
from components.parts.programme import video_moment
from components.parts.ratings.own_ratings import rating_fills
from components.parts.ratings.rating_form import performance_rating
from components.parts.stages.performance import stage_performance
from components.runtime.rendering.page_slots import MOST
from tests.components.seen import attributes, every, name, one, opened, read_part, text
from tests.factories import (
    PLAYED,
    AppearanceFactory,
    PieceFactory,
    PieceRatingFactory,
    SessionFactory,
    UserFactory,
    viewer_of,
)

VIDEO = "dQw4w9WgXcQ"
MINUTE = timedelta(minutes=1)


def pieces_of(count):
    return [
        PieceFactory(category="nocturn", title="Nocturne", key="D-flat major", opus="27", number=n)
        for n in range(1, count + 1)
    ]


def appearance_with(pieces, **more):
    """Return an appearance that has begun, with this program."""
    appearance = AppearanceFactory(**more)
    ProgramEntry.objects.bulk_create(
        ProgramEntry(appearance=appearance, piece=piece, order_number=n, slot="nocturn", timestamp=100 * n)
        for n, piece in enumerate(pieces, 1)
    )
    return appearance


def form_of(appearance):
    return read_part(performance_rating, appearance.pk, appearance.participant_id)


@pytest.mark.django_db
@pytest.mark.parametrize("count", [1, 2, 5, 12, 40])
def test_items_are_lines_of_which_only_a_single_one_is_open_from_the_start(count):
    form = form_of(appearance_with(pieces_of(count)))
    items = every(one(form, "ol", "items"), "li")
    assert len(items) == count
    for number, item in enumerate(items, 1):
        button, control = one(item, "button", "items__name"), attributes(one(item, "input"))
        assert control["aria-labelledby"] == attributes(button)["id"]
        assert name(button) == f"Nocturne in D♭ major op. 27 no. {number}"
        assert attributes(button)["aria-expanded"] == ("true" if count == 1 else "false")
        assert [text(way) for way in every(item, "button", "items__next")] == ["Next: Nocturne"] * (number < count)
        assert text(one(item, "span", "items__own")) == "you rate"
    assert len(every(form, "li", "is-open")) == (count == 1)


def sonata(*movements):
    piece = PieceFactory(category="sonata", title="Sonata", key="B-flat minor", opus="35", number=None)
    return piece, [PiecePart.objects.create(piece=piece, order_number=n, name=m) for n, m in enumerate(movements, 1)]


def set_of(members):
    piece = PieceFactory(
        category="nocturn", title="Nocturnes", key="", opus="27", number=None, numbers=f"1–{len(members)}"
    )
    return piece, [PiecePart.objects.create(piece=piece, order_number=n, member=m) for n, m in enumerate(members, 1)]


@pytest.mark.django_db
def test_parts_hang_under_their_item_with_a_watch_each_and_have_no_keys():
    session = SessionFactory(youtube_id=VIDEO)
    members = pieces_of(7)
    (whole, movements), (several, numbers) = sonata("Grave", "Scherzo", "Finale"), set_of(members)
    appearance = appearance_with([whole, several], session=session)
    first, second = ProgramEntry.objects.order_by("order_number")
    ProgramPart.objects.create(entry=first, part=movements[1], timestamp=3723)
    ProgramPart.objects.create(entry=second, part=numbers[6], youtube_url="https://youtu.be/AAAAAAAAAAA?t=95")
    form = form_of(appearance)
    assert [attributes(each)["name"] for each in every(form, "input", type="range")] == [
        f"piece-{whole.pk}",
        f"piece-{several.pk}",
    ]
    parts = one(form, "ol", "parts", aria_label="Parts")
    assert [text(one(each, look="parts__name")) for each in every(parts, "li")] == ["Grave", "Scherzo", "Finale"]
    way = attributes(one(parts, "a", "watch"))
    assert way["aria-label"].startswith("Watch 1:02:03: Scherzo, Sonata in B♭ minor, op. 35, ")
    assert way["href"] == f"/sessions/{session.pk}?watch={first.pk}-{movements[1].pk}#stage-video"
    assert way["data-argument"] == f"{appearance.pk}:{first.pk}-{movements[1].pk}"
    shown, rest = every(form, "ol", "parts--set")
    assert (len(every(shown, "li")), text(every(form, "summary")[0]), attributes(rest)["start"]) == (6, "All 7", "7")
    [last] = every(rest, "li")
    assert text(one(last, look="parts__name")) == "no. 7 in D♭ major"
    assert attributes(one(last, look="parts__name"))["href"] == f"/pieces/{members[6].pk}"

    program = appearances_get(appearance_ids=(appearance.pk,))[appearance.pk].appearance.program
    for watch, moment in (
        (f"{first.pk}-{movements[1].pk}", (VIDEO, 3723)),
        (f"{second.pk}-{numbers[6].pk}", ("AAAAAAAAAAA", 95)),
        (f"{first.pk}-{movements[0].pk}", None),  # it is not known when it begins
        (f"{first.pk}-{numbers[6].pk}", None),  # a part of the other item
        (f"{first.pk}-", None),
        (f"{first.pk}-{movements[1].pk}.5", None),
        (f"{first.pk}", (VIDEO, 100)),
    ):
        assert video_moment(program, watch) == moment, watch

    row = read_part(stage_performance, appearance.pk, appearance.participant_id, session.stage_id)
    assert [len(every(each, "li")) for each in every(row, "ol", "parts")] == [3, 6, 1]


@pytest.mark.django_db
@pytest.mark.parametrize("count", [1, 12, 40])
def test_programs_of_any_length_are_kept_submitted_and_filled_in(count):
    pieces = pieces_of(count)
    appearance, fan = appearance_with(pieces), viewer_of(UserFactory())
    marks = {piece.pk: 10 + n % 15 for n, piece in enumerate(pieces)}
    changes = SheetChanges({pk: (mark, 1.0) for pk, mark in marks.items()}, None, None, None)
    rating_keep(actor=fan, appearance_id=appearance.pk, changes=changes)
    ratings_submit(actor=fan, appearance_id=appearance.pk, pieces=marks, score=4, comment="All of it.")
    assert dict(PieceRating.objects.values_list("piece_id", "score")) == marks
    fills = rating_fills(viewer=fan, language="en", session_id=appearance.session_id)
    assert {
        pk: (fills[f"given:mark-{appearance.pk}-{pk}"], fills[f"own_mark:{appearance.pk}-{pk}"]) for pk in marks
    } == {
        pk: ({"attributes": {"value": str(mark)}}, {"attributes": {"data-own": str(mark)}, "text": str(mark)})
        for pk, mark in marks.items()
    }
    assert 12 * len(fills) < MOST, "a session of twelve such programs fills all of its slots"


@pytest.mark.django_db
def test_form_names_the_kept_marks_of_items_that_left_the_program():
    first, second, third = pieces_of(3)
    appearance, fan = appearance_with([first, second, third]), viewer_of(UserFactory())
    marks = {first.pk: 11, second.pk: 17}
    ratings_submit(actor=fan, appearance_id=appearance.pk, pieces=marks, score=4, comment="All of it.")
    place = f"given:removed-{appearance.pk}"

    def fills():
        return rating_fills(viewer=fan, language="en", session_id=appearance.session_id)

    assert place not in fills()
    entry = ProgramEntry.objects.get(piece=second)
    program_entry_remove(actor=OPERATOR, entry_id=entry.pk, confirmed=True)
    words = (
        "Nocturne in D♭ major, op. 27 no. 2 was taken out of this program. Your mark of 17 is kept and does not count."
    )
    assert fills()[place]["text"] == words
    assert f"given:mark-{appearance.pk}-{second.pk}" not in fills()
    ProgramEntry.objects.create(appearance=appearance, piece=second, order_number=9, slot="nocturn")
    assert place not in fills()
    assert fills()[f"given:mark-{appearance.pk}-{second.pk}"]["attributes"]["value"] == "17"


@pytest.mark.django_db
def test_queries_of_a_session_page_do_not_depend_on_items_and_performers():
    fan, audience = viewer_of(UserFactory()), UserFactory()
    counts = []
    for number in (5, 12):
        session, pieces = SessionFactory(is_live=True, youtube_id=VIDEO), pieces_of(number)
        pieces[0] = sonata("Grave", "Scherzo", "Finale")[0]
        for _ in range(number):
            appearance = appearance_with(pieces, session=session)
            PerformingTime.objects.create(appearance=appearance, began_at=PLAYED, ended_at=PLAYED + MINUTE)
            for piece in pieces[: number // 2]:
                PieceRatingFactory(user_id=fan.id, appearance=appearance, piece=piece, approved=True)
                PieceRatingFactory(user=audience, appearance=appearance, piece=piece, approved=True)
        with CaptureQueriesContext(connection) as queries:
            seen = opened(f"/sessions/{session.pk}?open={appearance.pk}", fan)
        assert len(every(seen.model, "input", type="range")) == number
        counts.append(len(queries))
        Session.objects.update(is_live=False)  # only one session is live
    assert counts[0] == counts[1]
