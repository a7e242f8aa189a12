"""The reaction bar: live counts on two open pages, limits, and the number of messages for each viewer."""

import json
from uuid import uuid4

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.services.live import session_end, session_set_live
from apps.core.threads import in_thread
from apps.live.enums import Reaction
from apps.live.models import SessionReaction
from apps.live.services import ReactionMessage, reactions_store
from components.parts.sessions.reactions import session_reactions
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.tree import difference
from tests.apps.live.conftest import member
from tests.components.seen import attributes, every, name, read_part, text
from tests.factories import SessionFactory
from tests.reading import walk
from tests.rendering import renew
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)


@pytest.fixture
def session(db):
    return SessionFactory(is_live=True)


@pytest.fixture
def fan(db):
    return member()


def part(session):
    return read_part(session_reactions, session.pk)


def react(session, user, *types):
    return reactions_store(messages=[ReactionMessage(session.pk, user.id, uuid4(), tuple(map(Reaction, types)))])


def sender(screen):
    """Return the attributes of the reaction overlay, and the target of its `onTaps` event."""
    node = next(node for node in walk(screen.model) if "onTaps" in node.get("eventHandlers", {}))
    return node["attributes"], node["eventHandlers"]["onTaps"]["target"]


def tap(screen, *types, key=""):
    key = key or uuid4().hex
    screen._event(sender(screen)[1], {"key": key, "types": list(types)})
    return key


async def answered(screen, key):
    await screen._until(lambda: sender(screen)[0]["answer"]["key"] == key, "taps were not answered")
    return sender(screen)[0]["answer"]["taken"]


def counts(screen):
    """Return the accessible names of the bar's buttons; they contain the counts."""
    return [name(button) for button in every(screen.tree, "button", "react")]


def test_bar_has_buttons_with_counts_of_thirty_seconds(session, fan):
    react(session, fan, "heart", "heart", "thumbsDown")
    shown = part(session)
    buttons = every(shown, "button", "react")
    assert [name(button) for button in buttons] == ["Heart, 2", "Thumbs up, 0", "Thumbs down, 1"]
    assert json.loads(attributes(shown)["data-totals"]) == [2, 0, 1]
    assert "in the last 30 seconds" in text(shown)
    assert not every(shown, aria_live="polite")
    heart, *_others, docked = every(shown, "button")
    assert attributes(docked) == attributes(heart) | {"class": "react-docked"}
    assert name(docked) == name(heart)


def test_reaction_is_a_small_change_on_the_wire(session, fan):
    react(session, fan, "heart")
    for kind, place, is_docked in (("thumbsUp", "1", False), ("heart", "0", True)):
        before = part(session)
        react(session, fan, kind)
        after = part(session)
        number = [{"3": [{"0": "2" if is_docked else "1"}]}]
        children = {"0": [{place: [{"0": number}]}]} | ({"2": number} if is_docked else {})
        at = str(sorted(attributes(before)).index("data-totals"))
        totals = "[1, 1, 0]" if kind == "thumbsUp" else "[2, 1, 0]"
        assert difference(before, after) == [[children, {at: totals}]]


def test_bar_costs_two_queries_and_refreshes_only_while_it_has_counts(session, fan, django_assert_num_queries):
    assert "data-refresh-after" not in attributes(part(session))
    react(session, fan, "heart")
    assert attributes(part(session))["data-refresh-after"] == "5"
    SessionReaction.objects.update(timestamp=0)
    assert "data-refresh-after" not in attributes(part(session))
    assert json.loads(attributes(part(session))["data-totals"])[0] == 1
    react(session, fan, *["heart"] * 9)
    live_part = LivePart(session_reactions(session.pk, language="en"))
    with django_assert_num_queries(2):
        renew(live_part)
    session_end(actor=OPERATOR, session_id=session.pk)
    assert attributes(part(session))["hidden"] is True
    assert not every(part(session), "button")


@live
async def test_reactions_reach_every_screen_up_to_the_rate_limit():
    session, fan = await in_thread(lambda: (SessionFactory(is_live=True), member()))
    async with open_page(f"/sessions/{session.pk}", user=fan) as own, open_page(f"/sessions/{session.pk}") as other:
        assert counts(other) == ["Heart, 0", "Thumbs up, 0", "Thumbs down, 0"]
        assert await answered(own, tap(own, *["heart"] * 8, *["thumbsUp"] * 2)) == 10
        assert await in_thread(SessionReaction.objects.count) == 10, "stored before the answer"
        for screen in (own, other):
            await screen._until(lambda screen=screen: counts(screen)[0] == "Heart, 8", "no hearts")
            assert counts(screen) == ["Heart, 8", "Thumbs up, 2", "Thumbs down, 0"]
        taken = await answered(own, tap(own, *["heart"] * 10))
        assert taken < 10
        assert await in_thread(SessionReaction.objects.count) == 10 + taken


@live
async def test_invalid_messages_are_ignored():
    session = await in_thread(lambda: SessionFactory(is_live=True))
    few = [  # as many as one member may tap at once
        [{"key": "0" * 32, "types": []}],
        [{"key": "0" * 32, "types": ["heart"] * 11}],
        [{"key": "0" * 32, "types": ["boo"]}],
        [{"key": "0" * 32, "types": [["heart"]]}],
        [{"key": "invalid", "types": ["heart"]}],
    ]
    more = [[{"types": ["heart"]}], [["heart"]], ["heart"], [], [{"key": "0" * 32, "types": ["heart"]}, "more"]]
    taken = 0
    for messages in (few, more):
        async with open_page(f"/sessions/{session.pk}", user=await in_thread(member)) as screen:
            for message in messages:
                screen._event(sender(screen)[1], *message)
                assert await answered(screen, tap(screen, "heart")) == 1, message
                taken += 1  # messages are handled in order, so the invalid one was ignored
                assert await in_thread(SessionReaction.objects.count) == taken, message


@live
async def test_anonymous_visitors_get_a_sign_in_link_and_cannot_react():
    session, fan = await in_thread(lambda: (SessionFactory(is_live=True), member()))
    address = f"/sessions/{session.pk}"
    async with open_page(address) as anonymous, open_page(address, user=fan) as own:
        [overlay] = [
            node for node in walk(anonymous.model) if "importSource" in node and node["tagName"] == "Reactions"
        ]
        assert overlay["attributes"]["leave"] == f"/login?next=%2Fsessions%2F{session.pk}%23reactions"
        assert "eventHandlers" not in overlay
        assert anonymous.link("Sign in to react")
        assert not own.link("Sign in to react")
        anonymous._event(sender(own)[1], {"key": "1" * 32, "types": ["heart"]})
        await answered(own, tap(own, "thumbsUp"))
    assert await in_thread(lambda: list(SessionReaction.objects.values_list("type", flat=True))) == ["thumbsUp"]


@live
async def test_bar_follows_the_session_and_rejects_reactions_after_its_end():
    session, fan = await in_thread(lambda: (SessionFactory(), member()))
    address = f"/sessions/{session.pk}"
    async with open_page(address) as anonymous, open_page(address, user=fan) as own:
        assert counts(anonymous) == []
        await in_thread(lambda: session_set_live(actor=OPERATOR, session_id=session.pk))
        for screen in (anonymous, own):
            await screen.until("in the last 30 seconds")
        await anonymous.until("Sign in to react")
        await own._until(lambda: "onTaps" in str(own.model), "no overlay")
        await in_thread(lambda: type(session).objects.update(is_live=False))  # without an event
        own._event(sender(own)[1], {"key": "1" * 32, "types": ["heart"]})
        await own.until("Reactions are open while the session is live.")
        await in_thread(lambda: type(session).objects.update(is_live=True))
        await in_thread(lambda: session_end(actor=OPERATOR, session_id=session.pk))
        await anonymous.until_gone("in the last 30 seconds")
        await anonymous.until_gone("Sign in to react")
    assert await in_thread(SessionReaction.objects.count) == 0
