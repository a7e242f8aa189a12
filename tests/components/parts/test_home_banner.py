"""The banner of Home in each state: on stage, interval, after a session, before the first; covered figures."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.services.live import performer_clear, performer_set, session_end, session_set_live
from apps.core.threads import in_thread
from apps.ranking import services
from apps.ratings.services.covering import ears_first_set, figures_show
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.strikes import Strikes
from components.parts.home import figures as figures_module
from components.parts.home.banner import home_banner
from tests.apps.ranking.halls import give, listeners, stage_of
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.pages.test_own_ranking import planted, secrets
from tests.components.seen import attributes, classes, every, loaded, name, one, opened, read_part, text
from tests.factories import AppearanceFactory, ParticipantFactory, SessionFactory, UserFactory, viewer_of
from tests.general import queries_counted
from tests.project.covering import opened as recorded
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)


def shown():
    return read_part(home_banner)


def perform(*appearances):
    """Have these performances played one after the other, and leave the stage empty."""
    for each in appearances:
        performer_set(actor=OPERATOR, appearance_id=each.pk)
    performer_clear(actor=OPERATOR, session_id=appearances[0].session_id)


def door(seen):
    return one(seen, look="door")


def own_sign(seen):
    sign = one(door(seen), look="sign")
    return attributes(sign).get("data-own"), text(sign)


@pytest.mark.django_db
def test_banner_on_stage_names_the_performer_links_the_form_and_shows_own_marks(busy_session):
    playing = busy_session.appearances[1]
    seen = opened("/")
    banner, bar = door(seen.main), one(door(seen.main), look="livebar")
    assert text(bar) == "Live Now Stage I, evening session Watch"
    assert attributes(bar)["href"] == f"/sessions/{busy_session.session.pk}"
    assert "livebar--rest" not in classes(bar), "red"
    assert text(one(banner, look="door__name")) == playing.participant.name
    assert "Poland, second in Stage I, evening session." in text(banner)
    link = one(banner, "a", look="button")
    assert text(link) == "Listen and rate"
    assert own_sign(seen.main) == (None, ""), "a visitor has no mark"
    address, _, target = attributes(link)["href"].partition("#")
    panel = one(opened(address).main, look="order__panel", data_slot=f"panel:{playing.pk}")
    assert not attributes(panel).get("hidden")
    assert one(panel, id=target)
    fan, playing = UserFactory(), busy_session.appearances[1]
    assert own_sign(opened("/", viewer_of(fan)).main) == ("unheard", "Not marked yet")
    piece = playing.program.order_by("order_number").first().piece_id
    rating_keep(actor=viewer_of(fan), appearance_id=playing.pk, strikes=Strikes(pieces={piece: (17, 0)}))
    assert own_sign(opened("/", viewer_of(fan)).main) == ("marked", "1 of 2 marked, not submitted")


@pytest.mark.django_db
def test_banner_with_an_empty_stage_names_the_next_performer():
    session = busy_session_with(2)
    first, second = session.appearances
    soon = shown()
    assert text(soon).startswith("LIVE NOW It begins soon")
    assert "FirstMaëlle d’Hautecombe" in text(soon)
    assert "Then2Zofia Wróblewska-Łęcka" in text(soon)
    assert "door__figures" not in str(soon)
    perform(first)
    interval = shown()
    assert "Then" not in text(interval)
    assert text(interval).startswith("LIVE NOW Interval since ")
    assert "Next, after the intervalZofia Wróblewska-Łęcka" in text(interval)
    assert text(one(interval, "a", look="button")) == "To the interval"
    assert attributes(one(interval, "a", look="button"))["href"] == f"/sessions/{session.session.pk}"
    perform(second)
    after = shown()
    assert "Everybody has played." in text(after)
    assert text(one(after, "a", look="button")) == "To the session"
    assert one(after, look="door__figures")


@pytest.mark.django_db
def test_banner_of_a_live_session_without_an_order_has_its_title():
    SessionFactory(title="Gala", is_live=True)
    assert "Gala" in text(one(shown(), look="door__name"))
    assert "The order of playing is not known yet." in text(shown())


@pytest.mark.django_db
def test_banner_summarizes_a_session_until_the_next_one_starts():
    session = busy_session_with(3)
    later = SessionFactory(title="Closing session", starts_at=timezone.now() + timedelta(days=1))
    perform(*session.appearances[:2])
    session_end(actor=OPERATOR, session_id=session.session.pk)
    seen = shown()
    assert text(one(seen, look="door__name")) == "Stage I, evening session"
    assert text(one(seen, look="door__label")).startswith("Ended ")
    assert text(one(seen, look="door__what")) == "2 performances. No ratings count yet."
    assert text(one(seen, look="door__next")).startswith("Next: Closing session, ")
    links = {name(link): attributes(link)["href"] for link in every(seen, "a")}
    assert links == {
        "The order of the session": f"/sessions/{session.session.pk}",
        "Closing session": f"/sessions/{later.pk}",
    }
    session_set_live(actor=OPERATOR, session_id=later.pk)
    assert "Stage I, evening session" not in text(shown())
    session_end(actor=OPERATOR, session_id=later.pk)
    assert text(one(shown(), look="door__name")) == "Closing session"
    assert not every(shown(), look="door__next")


@pytest.mark.django_db
def test_banner_counts_the_performances_that_a_member_marked():
    appearances, fan = stage_of(2), UserFactory()
    session_set_live(actor=OPERATOR, session_id=appearances[0].session_id)
    perform(*appearances)
    session_end(actor=OPERATOR, session_id=appearances[0].session_id)

    def own():
        return text(one(opened("/", viewer_of(fan)).main, look="door__what"))

    assert own() == "2 performances. No ratings count yet. You have not marked any of them yet."
    give(fan, appearances[:1], [12])
    assert own().endswith(" You marked 1 of 2.")
    give(fan, appearances[1:], [14])
    assert own().endswith(" You marked all of them.")
    assert "You marked" not in text(opened("/").main)


@pytest.mark.django_db
def test_banner_before_the_first_session_has_dates_and_steps():
    seen = shown()
    assert text(one(seen, look="door__name")) == "No session has been announced yet."
    assert not every(seen, look="door__what")
    starts_at = timezone.now() + timedelta(days=12)
    session = SessionFactory(title="Opening session", starts_at=starts_at, stage__name="Preliminary Round")
    for country in ("Poland", "Japan", "Poland"):
        AppearanceFactory(session=session, participant=ParticipantFactory(country=country))
    seen = shown()
    assert text(one(seen, look="door__label")).startswith("Opening session: ")
    assert text(one(seen, look="door__name")).startswith("The audience marks, from ")
    assert text(one(seen, look="door__what")) == "3 participants, 2 countries, 1 stage, every piece on 25 keys."
    [row] = every(one(seen, look="days"), "li")
    assert text(row).endswith("Preliminary Round, 3 performers")
    assert attributes(one(row, "time"))["dateTime"]
    assert len(every(one(seen, look="steps"), "li")) == 3


QUERIES = {"before": (16, 23), "soon": (10, 18), "on stage": (11, 19), "interval": (16, 22), "after": (17, 25)}


@pytest.mark.django_db
@pytest.mark.parametrize("state", QUERIES)
def test_banner_costs_as_many_queries_for_many_performances_as_for_one(state):
    count = 3
    session = busy_session_with(count, is_live=False)
    # A started session begins today in every zone: Home reads the last day of marks once more at other times.
    session.session.starts_at = timezone.now() + timedelta(hours=2 if state == "before" else 0)
    session.session.save()
    fan = viewer_of(UserFactory())
    if state != "before":
        session_set_live(actor=OPERATOR, session_id=session.session.pk)
    if state in {"interval", "after"}:
        perform(*session.appearances)
    if state == "on stage":
        performer_set(actor=OPERATOR, appearance_id=session.appearances[-1].pk)
    if state == "after":
        session_end(actor=OPERATOR, session_id=session.session.pk)
    anonymous_queries, member_queries = QUERIES[state]
    with queries_counted(anonymous_queries):
        loaded("/")
    with queries_counted(member_queries):
        loaded("/", fan)


def played_session():
    """Return the performances of a live session after the last one; their scores have planted figures."""
    appearances = planted()
    session_set_live(actor=OPERATOR, session_id=appearances[0].session_id)
    perform(*appearances)
    return appearances


@live
async def test_member_in_the_interval_gets_uncovered_scores_only():
    appearances = await in_thread(played_session)
    fan = await in_thread(UserFactory)
    for number in (1, 4):
        await in_thread(lambda number=number: figures_show(actor=viewer_of(fan), appearance_id=appearances[number].pk))
    async with recorded("/", user=fan) as member, recorded("/", member=False) as visitor:
        assert secrets(visitor.received()) == {3, 4, 5}, "the highest three"
        assert secrets(member.received()) == {1, 4}
        leaders = [text(head) for head in every(one(member.tree, look="heads"), look="heads__name")]
        assert leaders == [appearances[4].participant.name, appearances[1].participant.name]
        assert "4 of 6 covered: Show all" in member.text
        assert "covered" not in text(door(visitor.tree))
        assert (await command(member, "stage_figures_show", appearances[0].session.stage_id))["ok"]
        await member.until_gone("4 of 6 covered")
        assert secrets(member.received()) >= {3, 4, 5}


def ended_session():
    """Return two performances after the end of their session: the audience gave 7 to the first and 23 to the others."""
    appearances = stage_of(3)
    for user in listeners(12):
        give(user, appearances, [7, 23, 23])
    services.ranking_compute(stage_id=appearances[0].session.stage_id)
    session_set_live(actor=OPERATOR, session_id=appearances[0].session_id)
    perform(*appearances)
    session_end(actor=OPERATOR, session_id=appearances[0].session_id)
    return appearances


def strings(seen):
    """Return the lengths of the strings of the session's marks, by key."""
    keys = enumerate(every(one(door(seen), look="keys--strings"), "i"), start=1)
    return {number: classes(key)[0] for number, key in keys if classes(key)[0] != "n-0"}


@pytest.mark.django_db
def test_member_after_the_end_gets_uncovered_marks_only():
    appearances, fan, free = ended_session(), UserFactory(), UserFactory()
    ears_first_set(actor=viewer_of(free), ears_first=False)
    figures_show(actor=viewer_of(fan), appearance_id=appearances[0].pk)
    visitor, member = opened("/"), opened("/", viewer_of(fan))
    assert "3 performances. 12 listeners gave 36 ratings that count." in text(door(visitor.main))
    assert strings(visitor.main) == {7: "n-50", 23: "n-100"}
    assert "36 ratings, most often 23" in text(door(visitor.main))
    assert strings(member.main) == {7: "n-100"}
    assert "12 ratings, most often 7" in text(door(member.main))
    assert "2 of 3 covered: Show all" in text(door(member.main))
    assert "most often 23" not in member.html
    assert strings(opened("/", viewer_of(free)).main) == strings(visitor.main)
    other = opened("/", viewer_of(UserFactory()))
    assert strings(other.main) == {}
    assert "most often" not in text(door(other.main))
    assert "3 of 3 covered: Show all" in text(door(other.main))


@live
async def test_changes_of_state_reach_all_windows_with_one_read(monkeypatch):
    appearances = await in_thread(lambda: stage_of(2, title="Stage I, evening session"))
    later = await in_thread(lambda: SessionFactory(title="Final", starts_at=timezone.now() + timedelta(days=2)))
    session_id, fan = appearances[0].session_id, await in_thread(UserFactory)
    names = [each.participant.name for each in appearances]
    async with (
        open_page("/") as visitor,
        open_page("/") as other,
        open_page("/", user=fan) as member,
        open_page("/", user=await in_thread(UserFactory)) as another,
    ):
        screens = (visitor, other, member, another)

        async def after(step, words):
            await in_thread(step)
            for screen in screens:
                await screen._until(lambda s=screen: words in text(door(s.tree)), f"{words!r} did not appear")

        await after(lambda: session_set_live(actor=OPERATOR, session_id=session_id), "It begins soon")
        await after(lambda: performer_set(actor=OPERATOR, appearance_id=appearances[0].pk), "Listen and rate")
        assert own_sign(member.tree) == ("unheard", "Not marked yet")
        reads = []
        read = figures_module.session_standing
        monkeypatch.setattr(figures_module, "session_standing", lambda **each: [reads.append(1), read(**each)][1])
        await after(
            lambda: performer_clear(actor=OPERATOR, session_id=session_id), f"Next, after the interval{names[1]}"
        )
        await after(lambda: performer_set(actor=OPERATOR, appearance_id=appearances[1].pk), names[1])
        assert len(reads) <= 2, "one for visitors, and one for members who see the same performances"
        await after(lambda: session_end(actor=OPERATOR, session_id=session_id), "The order of the session")
        await after(lambda: session_set_live(actor=OPERATOR, session_id=session_id), "Everybody has played.")
        await after(lambda: session_set_live(actor=OPERATOR, session_id=later.pk), "Final")
