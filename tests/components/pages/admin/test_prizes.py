"""The administrators' form of a stage's prizes: rows, the secret draft, the question, the undo, two administrators."""

import re
from urllib.parse import quote
from uuid import uuid4

from django.test import Client

from apps.accounts.actors import OPERATOR
from apps.accounts.models import AuthSession
from apps.competition.enums import PrizeAward, PrizeKind
from apps.competition.models import PrizeList
from apps.competition.selectors.admin.prizes import PrizeLine
from apps.competition.services.prizes import prizes_save
from apps.core.audit import audit_list
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.pages.admin.test_stages import LIST, played, setup, with_sheet
from tests.components.seen import attributes, every, one, text
from tests.factories import AdminFactory, UserFactory
from tests.project.plain_forms import PlainPage, address
from tests.screen import open_page
from tests.serving import session_cookie


def values(screen, name):
    """Return the defaults of the fields whose names begin like this, in the order of the page."""
    own = [attributes(each) for tag in ("input", "select") for each in every(screen.tree, tag)]
    return [each["defaultValue"] for each in own if re.fullmatch(rf"{name}-\d+", each.get("name", ""))]


def version(screen, name="version"):
    return attributes(one(screen.tree, "input", id=name))["defaultValue"]


async def test_prizes_are_prepared_in_secret_published_and_taken_back(db) -> None:
    appearances, user = await in_thread(lambda: played(3)), await setup(AdminFactory)
    fan = await setup(UserFactory)
    one_id, two_id, three_id = (str(each.participant_id) for each in appearances)
    stage_id = appearances[0].session.stage_id
    place = f"{LIST}?mode=prizes&id={stage_id}"
    async with open_page(LIST, user=user) as listed, open_page(f"/stages/{stage_id}", user=fan) as public:
        assert attributes(one(listed.tree, "a", href=place))["aria-label"] == "Prizes of Stage I"
        async with open_page(place, user=user) as screen:
            names = values(screen, "name")
            assert (names[:2], names[-3:]) == (["First Prize", "Second Prize"], ["", "", ""])
            assert "Publish the prizes" not in screen.text
            fields = {
                "version": version(screen),
                "name-1": "First Prize",
                "recipient-1": one_id,
                "name-2": "Second Prize",
                "award-2": "shared",
                "recipient-2": [two_id, three_id],
            }
            refused = await command(screen, "prizes_save", stage_id, **fields | {"recipient-1": [one_id, two_id]})
            assert (refused["ok"], refused["field"]) == (False, "recipient-1")
            saved = await command(screen, "prizes_save", stage_id, **fields)
            assert (saved["text"], saved["go"]) == ("Draft saved. Only administrators see it.", place)
            late = await command(screen, "prizes_save", stage_id, **fields)
            assert late["text"].startswith("Another administrator changed the prizes in the meantime.")
        async with open_page(place, user=user) as screen:
            assert values(screen, "name") == ["First Prize", "Second Prize", "", "", ""]
            assert [text(each) for each in every(screen.tree, "summary")][:2] == ["Player 0", "Player 1, Player 2"]
            own = {"version": version(screen, "publish-version")}
            question = await command(screen, "prizes_publish", stage_id, **own)
            assert question["ask"]
            assert "Second Prize, shared: Player 1, Player 2" in question["text"]
            assert "First Prize" not in public.text
            answer = await command(screen, "prizes_publish", stage_id, **own, confirmed="1")
            assert (answer["text"], answer["go"]) == ("The prizes are published.", LIST)
        await listed.until("2 prizes are published.")
        async with open_page(place, user=user) as screen:
            assert f" by {user.username}." in screen.text
        await command(listed, *answer["undo"])
        await listed.until("A draft of prizes is saved.")


async def test_official_places_are_a_proposal(db) -> None:
    (stage_id, ids), user = await in_thread(lambda: with_sheet(4)), await setup(AdminFactory)
    place = f"{LIST}?mode=prizes&id={stage_id}"
    async with open_page(place, user=user) as screen:
        assert "The places are filled in as a proposal. Nothing of it is saved yet." in screen.text
        assert [text(each) for each in every(screen.tree, "summary")][:4] == [
            *("Player 3", "Player 1, Player 2", "Choose who receives it, kind and award", "Player 0")
        ]
        assert values(screen, "award")[:4] == ["single", "shared", "single", "single"]
        await screen.go(f"{place}&of=jury")
        assert text(every(screen.tree, "summary")[0]) == "Player 0"
        await command(screen, "prizes_save", stage_id, **{"name-1": "First Prize", "recipient-1": str(ids[2])})
        await screen.go(place)
        assert text(every(screen.tree, "summary")[0]) == "Player 2"
        assert "as a proposal" not in screen.text
        await screen.go(f"{place}&of=official")
        assert text(every(screen.tree, "summary")[0]) == "Player 3"


async def test_bad_input_of_the_form_is_refused(db) -> None:
    appearances, user = await in_thread(lambda: played(1)), await setup(AdminFactory)
    stage_id = appearances[0].session.stage_id
    async with open_page(f"{LIST}?mode=prizes&id={stage_id}", user=user) as screen:
        for fields, field in (
            ({"name-1": "A", "recipient-1": "x"}, "recipient-1"),
            ({"name-1": "A" * 101}, "name-1"),
            ({"name-1": "A", "recipient-1": "987654"}, "recipient-1"),
        ):
            answer = await command(screen, "prizes_save", stage_id, **fields)
            assert (answer["ok"], answer.get("field")) == (False, field)
        assert not (await command(screen, "prizes_save", stage_id, **{"name-1": "A", "kind-1": "best"}))["ok"]
        assert not (await command(screen, "prizes_save", 987654, **{"name-1": "A"}))["ok"]


def noted():
    """Return how often prizes were saved, published and taken back."""
    actions = [entry.action for entry in audit_list()]
    return [actions.count(f"stage.{action}") for action in ("prizes", "award", "unaward")]


async def test_commands_that_a_lost_connection_repeats_are_done_once(db) -> None:
    appearances, user = await in_thread(lambda: played(2)), await setup(AdminFactory)
    stage_id, person = appearances[0].session.stage_id, appearances[0].participant_id
    fields = {"name-1": "First Prize", "recipient-1": str(person)}

    async with open_page(f"{LIST}?mode=prizes&id={stage_id}", user=user) as screen:

        async def twice(name, argument, **sent):
            key, own = uuid4().hex, {"version": version(screen)} if name == "prizes_save" else {}
            first = await command(screen, name, argument, key=key, **sent | own)
            await screen.go_online()  # the answer did not arrive: the browser sends the command with its key again
            assert await command(screen, name, argument, key=key, **sent | own) == first
            return first

        await twice("prizes_save", stage_id, **fields)
        assert await in_thread(noted) == [1, 0, 0]
        assert (await twice("prizes_publish", stage_id))["ask"]
        published = await twice("prizes_publish", stage_id, confirmed="1")
        assert await in_thread(noted) == [1, 1, 0]
        assert (await twice(*published["undo"]))["ok"]
        assert await in_thread(noted) == [1, 1, 1]
    assert await in_thread(lambda: list(PrizeList.objects.values_list("state", flat=True))) == ["draft"]


def test_expired_session_changes_no_prizes_and_leads_back_to_the_form(transactional_db) -> None:
    appearances, user = played(2), AdminFactory()
    stage_id, person = appearances[0].session.stage_id, appearances[0].participant_id
    lines = [PrizeLine("First Prize", PrizeKind.PLACE, PrizeAward.SINGLE, (person,))]
    prizes_save(actor=OPERATOR, stage_id=stage_id, lines=lines)
    form, client = f"{LIST}?mode=prizes&id={stage_id}", Client()

    def expired(name, argument, **sent):
        """Send a command of the form after the session has ended, and return where its answer leads."""
        client.cookies.load(session_cookie(user))
        fields = PlainPage.at(client, form).fields(name, argument)
        AuthSession.objects.all().delete()
        return client.post(address(name, argument), fields | sent)["Location"]

    for name, sent in (("prizes_save", {"name-1": ["Grand Prize"]}), ("prizes_publish", {"confirmed": ["1"]})):
        assert expired(name, stage_id, **sent).startswith(f"/login?next={quote(form, safe='')}")
    assert noted() == [1, 0, 0]
