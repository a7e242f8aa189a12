"""The first steps of a fresh installation, on the dashboard and in the terminal."""

import pytest
from django.core.management import call_command

from apps.accounts.actors import OPERATOR
from apps.competition.models import Piece, Session
from apps.competition.services import stage_create
from apps.core.threads import in_thread
from tests.components.seen import attributes, every, one, text
from tests.factories import AdminFactory, ProgramEntryFactory
from tests.screen import open_page


def done(screen):
    steps = every(one(screen.tree, "section", "first-steps"), "li")
    return [text(step).endswith("Done") for step in steps]


@pytest.mark.django_db(transaction=True)
async def test_the_list_follows_what_is_done_and_goes_by_itself(transactional_db):
    await in_thread(lambda: Piece.objects.all().delete())
    user = await in_thread(AdminFactory)
    async with open_page("/admin", user=user) as screen:
        assert done(screen) == [False] * 6
        assert attributes(one(screen.tree, "a", "button"))["href"] == "/admin/stages?mode=create"
        await in_thread(lambda: stage_create(actor=OPERATOR, name="Stage I"))
        await screen._until(lambda: done(screen) == [True] + [False] * 5, "the first step done, by push")
        await in_thread(ProgramEntryFactory)  # with a participant, a piece and a session
        await screen.go("/admin/blog")
        await screen.go("/admin")
        assert done(screen) == [True] * 5 + [False]
        await in_thread(lambda: Session.objects.update(is_live=True))
        await screen.go("/admin/blog")
        await screen.go("/admin")
        assert not every(screen.tree, "section", "first-steps")


@pytest.mark.django_db
def test_the_terminal_says_what_is_missing_and_how(capsys):
    def said():
        call_command("first_steps")
        return capsys.readouterr().out

    Piece.objects.all().delete()
    assert said().count("missing  ") == 7
    AdminFactory()
    ProgramEntryFactory(session_participant__session__is_live=True)
    assert said().splitlines()[-1] == "All of it is done."
