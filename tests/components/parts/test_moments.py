"""The curve of reactions along a performance: live on the stage, and in the row of a finished performance."""

import datetime as dt
from uuid import uuid4

import pytest
from django.db.models import F
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.models import PerformingTime, ProgramEntry, Session
from apps.competition.selectors.public.sessions import session_appearances_with_programs
from apps.competition.services.live import performer_clear, performer_set, session_end
from apps.core.threads import in_thread
from apps.live.enums import Reaction
from apps.live.models import ReactionMoment
from apps.live.services import Taps, reactions_store
from components.parts.programme import video_moment
from components.parts.sessions.reactions import performance_moments, stage_moments
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import read_ahead, shared_reads
from tests.apps.live.conftest import member
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, classes, every, name, one, read_part, text, tree
from tests.factories import PLAYED
from tests.rendering import renew
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)


@pytest.fixture
def played(db):
    """Return the first of two appearances of a past session: ten minutes, with pieces at 1:30 and 5:00."""
    busy_session = busy_session_with(2, is_live=False)
    appearance = busy_session.appearances[0]
    ended_at = PLAYED + dt.timedelta(minutes=10)
    PerformingTime.objects.create(appearance=appearance, began_at=PLAYED, ended_at=ended_at)
    ProgramEntry.objects.filter(appearance=appearance, order_number=2).update(timestamp=300)
    return appearance


def tap(session, *seconds):
    """Store one tap at each of these seconds after PLAYED."""
    zero = int(PLAYED.timestamp())
    for second in seconds:
        ReactionMoment.objects.create(session=session, second=zero + second, count=1)


def react(session, user, *kinds):
    reactions_store(messages=[Taps(session.pk, user.id, uuid4(), kinds or (Reaction.HEART,))])


def shown(appearance):
    return read_part(performance_moments, appearance.pk, appearance.participant_id)


def stage(appearance):
    return read_part(stage_moments, appearance.pk, appearance.session_id)


def first_line(appearance):
    return appearance.program.order_by("order_number").first()


def test_curve_has_a_caption_and_links_to_peaks_and_marks_of_pieces(played):
    tap(played.session, 10, 252, 253, 254)
    figure = one(shown(played), "figure")
    assert text(one(figure, "figcaption")) == "4 reactions, most after 4:10"
    assert attributes(one(figure, "svg"))["aria-hidden"] == "true"
    quiet, most = every(shown(played), "a")
    session, line = played.session_id, first_line(played).pk
    assert attributes(most)["href"] == f"/sessions/{session}?watch={line}.340#stage-video"  # 90 + 250
    assert attributes(most)["data-page-event"] == "watch"
    assert attributes(most)["data-argument"] == f"{played.pk}:{line}.340"
    assert name(most) == "Watch 5:40: most reactions, Maëlle d’Hautecombe"
    assert name(quiet) == "Watch 1:40: 1 reaction, Maëlle d’Hautecombe"
    assert [text(link) for link in (quiet, most)] == ["1:40", "5:40"]
    ticks = every(one(shown(played), look="moments__pieces"), "span")
    assert [(text(tick), classes(tick)) for tick in ticks] == [("1", ["n-0"]), ("2", ["n-35"])]  # 210 of 600 seconds


@pytest.mark.parametrize("missing", ["second", "video", "program"])
def test_curve_without_second_video_or_program_has_no_links(played, missing):
    tap(played.session, 10, 252)
    if missing == "second":
        ProgramEntry.objects.filter(pk=first_line(played).pk).update(timestamp=None)
    elif missing == "video":
        Session.objects.update(youtube_id="")
    else:
        played.program.all().delete()
    curve = shown(played)
    assert not every(curve, "a")
    assert not every(curve, look="moments__pieces")
    assert text(curve) == "2 reactions, most after 0:10"


def test_curve_without_reactions_or_stage_time_is_hidden_unless_live(played):
    assert attributes(shown(played)) == {"hidden": True}
    Session.objects.update(is_live=True)
    assert text(one(shown(played), "figcaption")) == "No reactions."
    other = played.session.appearances.exclude(pk=played.pk).get()
    Session.objects.update(is_live=False)
    tap(played.session, 10)
    assert attributes(shown(other)) == {"hidden": True}
    assert classes(stage(other)) == ["moments"]
    assert classes(stage(played)) == ["moments"]
    assert not every(stage(played), "a")


def test_curve_on_stage_grows_with_time_and_is_that_of_the_row(busy_session):
    performing = busy_session.appearances[1]
    began_at = timezone.now() - dt.timedelta(seconds=62)
    PerformingTime.objects.create(appearance=performing, began_at=began_at)
    drawn = stage(performing)
    assert attributes(drawn)["data-refresh-after"] == "10"
    assert text(drawn) == "No reactions so far."
    [now] = every(drawn, "i")
    assert set(classes(now)) & {"n-22", "n-23"}  # 13 or 14 of 60 slices


def test_row_of_the_performer_has_the_curve_of_the_stage(busy_session):
    performing = busy_session.appearances[1]
    PerformingTime.objects.create(appearance=performing)
    [inner] = every(shown(performing), "shared-part")
    assert attributes(inner)["part"] == stage_moments(performing.pk, busy_session.session.pk, language="en").key


def test_curves_of_all_rows_cost_three_queries(django_assert_num_queries, db):
    count = 8
    busy_session = busy_session_with(count, is_live=False)
    for nth, each in enumerate(busy_session.appearances):
        began_at = PLAYED + dt.timedelta(minutes=nth)
        PerformingTime.objects.create(appearance=each, began_at=began_at, ended_at=began_at + dt.timedelta(minutes=1))
    tap(busy_session.session, *range(count * 60))
    refs = [performance_moments(each.pk, each.participant_id, language="en") for each in busy_session.appearances]
    with django_assert_num_queries(3), shared_reads():
        read_ahead(refs)
        for ref in refs:
            assert every(tree(ref.part.markup(*ref.parameters, language="en")), "a")


def test_curve_on_stage_costs_one_query(busy_session, django_assert_num_queries):
    performing = busy_session.appearances[1]
    PerformingTime.objects.create(appearance=performing)
    for _ in range(3):
        react(busy_session.session, member(), *[Reaction.HEART] * 10)
    part = LivePart(stage_moments(performing.pk, busy_session.session.pk, language="en"))
    with django_assert_num_queries(1):
        renew(part)


def test_second_of_the_video_is_validated(played):
    program = session_appearances_with_programs(session_id=played.session_id)[0].program
    line = program[0].id
    seconds = {f"{line}": 90, f"{line}.0": 0, f"{line}.340": 340}
    invalid = [f"{line}.", f"{line}.-1", f"{line}.1.2", f"{line}.1000000", f"{line}.²", "0.340", ".340", ""]
    moments = {watch: ("aqz-KE-bpKQ", second) for watch, second in seconds.items()} | dict.fromkeys(invalid)
    assert {watch: video_moment(program, watch) for watch in moments} == moments


def caption(screen):
    """Return the text of the curve on the stage; empty in an interval, which has none."""
    return "".join(text(figure) for figure in every(one(screen.tree, look="stand__now"), "figure", "moments"))


def links(screen):
    """Return the names of the links in the open row."""
    return [name(link) for ways in every(screen.tree, look="moments__ways") for link in every(ways, "a")]


def on_stage():
    busy_session = busy_session_with(2)
    performer_set(actor=OPERATOR, appearance_id=busy_session.appearances[0].pk)
    PerformingTime.objects.update(began_at=timezone.now() - dt.timedelta(seconds=30))
    return busy_session, member()


@live
async def test_curve_follows_the_performance_on_every_screen():
    busy_session, fan = await in_thread(on_stage)
    session, (first, second) = busy_session.session, busy_session.appearances
    address = f"/sessions/{session.pk}?open={first.pk}"
    async with open_page(address, user=fan) as own, open_page(address) as anonymous:

        async def until(condition, message):
            for screen in (own, anonymous):
                await screen._until(lambda screen=screen: condition(screen), message)

        assert [caption(own), caption(anonymous)] == ["No reactions so far."] * 2
        await in_thread(lambda: react(session, fan, Reaction.HEART, Reaction.THUMBS_DOWN))
        await until(lambda screen: caption(screen).startswith("2 reactions"), "no curve")
        assert not links(own)
        # As if ten seconds had passed: the performance does not end in the same second.
        await in_thread(lambda: ReactionMoment.objects.update(second=F("second") - 10))
        await in_thread(lambda: performer_clear(actor=OPERATOR, session_id=session.pk))
        await until(links, "no links in the row")
        assert {links(screen)[0] for screen in (own, anonymous)} == {
            f"Watch 1:50: most reactions, {first.participant.name}"
        }
        await anonymous.until("Just played")
        assert text(one(one(anonymous.tree, "p", "heard-now__moments"), "a")).startswith("1:50 ")
        await in_thread(lambda: performer_set(actor=OPERATOR, appearance_id=second.pk))
        await until(lambda screen: caption(screen) == "No reactions so far.", "the curve of the performer before")
        await in_thread(lambda: session_end(actor=OPERATOR, session_id=session.pk))
        await until(
            lambda screen: not any(map(text, every(one(screen.tree, look="stand__now"), "figure"))), "a curve on stage"
        )
        await until(links, "no links in the row")
