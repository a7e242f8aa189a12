"""The setup steps of a new installation, on the dashboard and in the terminal."""

import pytest
from django.core.management import call_command

from apps.accounts.actors import OPERATOR
from apps.accounts.services.site_contact import site_contact_set
from apps.competition.models import Piece, Session
from apps.competition.services.stages import stage_create
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.seen import attributes, every, one, text
from tests.factories import AdminFactory, AppearanceFactory, PieceFactory, ProgramEntryFactory
from tests.screen import open_page


def steps_done(screen):
    steps = every(one(screen.tree, "section", "first-steps"), "li")
    return [text(step).endswith("Done") for step in steps]


async def test_setup_steps_follow_changes_and_disappear_when_done():
    await in_thread(lambda: Piece.objects.all().delete())
    user, colleague = await in_thread(lambda: AdminFactory.create_batch(2))
    async with open_page("/admin", user=user) as screen, open_page("/admin/programs", user=colleague) as elsewhere:
        assert steps_done(screen) == [False] * 7
        assert attributes(one(screen.tree, "a", "button"))["href"] == "/admin/contact"
        named = {"name": "Jan Kowalski", "email": "hall@example.org"}
        await in_thread(lambda: site_contact_set(actor=OPERATOR, **named))
        await screen._until(lambda: steps_done(screen) == [True] + [False] * 6, "the first step done, by push")
        assert attributes(one(screen.tree, "a", "button"))["href"] == "/admin/stages?mode=create"
        stage = await in_thread(lambda: stage_create(actor=OPERATOR, name="Stage I"))
        await screen._until(lambda: steps_done(screen) == [True] * 2 + [False] * 5, "the second step done, by push")
        appearance = await in_thread(lambda: AppearanceFactory(session__stage=stage))
        piece = await in_thread(PieceFactory)
        await screen.go("/admin/blog")
        await screen.go("/admin")
        assert steps_done(screen) == [True] * 5 + [False] * 2
        assert (await command(elsewhere, "program_select", f"{appearance.pk}:{piece.pk}"))["ok"]
        await screen._until(
            lambda: steps_done(screen) == [True] * 6 + [False], "a program chosen by a colleague, by push"
        )
        await in_thread(lambda: Session.objects.update(is_live=True))
        await screen.go("/admin/blog")
        await screen.go("/admin")
        assert not every(screen.tree, "section", "first-steps")


@pytest.mark.django_db
def test_command_lists_missing_setup_steps(capsys):
    def output():
        call_command("first_steps")
        return capsys.readouterr().out

    Piece.objects.all().delete()
    assert output().count("missing  ") == 8
    AdminFactory()
    call_command("contact", "Jan Kowalski", "hall@example.org")
    ProgramEntryFactory(session_participant__session__is_live=True)
    assert output().splitlines()[-1] == "All of it is done."
