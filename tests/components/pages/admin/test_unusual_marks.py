"""The tab Unusual marks: accounts that weigh less or are too new, decisions about them, and their withdrawal."""

import pytest

from apps.accounts.selectors.sessions import usernames_get
from apps.core.threads import in_thread
from apps.ranking.limits import UNUSUAL_SHOWN
from apps.ranking.models import RankingAccount, RankingDecision
from apps.ranking.selectors import unusual_get
from apps.ranking.services import ranking_compute
from tests.apps.ranking.halls import give, listeners, stage_of
from tests.apps.ranking.test_weighing import hall as coordinated_accounts
from tests.commanding import command
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, UserFactory, viewer_of
from tests.screen import open_page

pytestmark = pytest.mark.django_db


def ranked_stage(young=2):
    """Return a ranked stage and `young` accounts created today, named young_0, young_1 and so on."""
    appearances = stage_of(5)
    for number, user in enumerate(listeners(12)):  # equal marks, so that all weigh fully
        give(user, appearances, [9 + at + number % 2 for at in range(5)])
    setup = [UserFactory(username=f"young_{number}") for number in range(young)]
    for user in setup:
        give(user, appearances, [9, 10, 11, 12, 13])
    stage_id = appearances[0].session.stage_id
    ranking_compute(stage_id=stage_id)
    return stage_id, appearances, setup


def address(stage_id, page=0):
    return f"/admin?tab=unusual&stage={stage_id}" + (f"&page={page}" if page else "")


def lists(tree):
    unusual, decided = every(tree, "div", key="kept"), every(tree, "div", key="let")
    return [[text(heading) for heading in every(divs[0], "h3")] for divs in (unusual, decided)]


async def test_account_is_released_with_a_reason_in_all_windows(admin, colleague):
    stage_id, _appearances, (first, _second) = await in_thread(ranked_stage)
    async with (
        open_page(address(stage_id), user=admin) as own,
        open_page("/admin?tab=unusual", user=colleague) as other,
    ):
        assert lists(other.tree) == [["young_0", "young_1"], []]
        assert "From accounts younger than a day" in other.text
        assert "5 performances" in other.text
        assert "12 of 12 ratings in the last hour" in other.text
        argument = f"{stage_id}:{first.pk}"
        for reason in ("", " \n"):
            answer = await command(own, "ranking_release", argument, reason=reason)
            assert (answer["ok"], answer["errors"]) == (False, {"reason": "Please say why."})
            # no browser validation: the site's own message is shown
            assert attributes(every(own.tree, "form", "unusual__form")[0])["noValidate"]
        answer = await command(own, "ranking_release", argument, reason="She sat beside me.")
        assert (answer["ok"], answer["empty"]) == (True, True)
        for screen in (own, other):
            await screen.until("She sat beside me.")
            assert lists(screen.tree) == [["young_1"], ["young_0"]]
            assert f"by {admin.username}" in screen.text
        missing = await command(other, "ranking_release", f"{stage_id}:{admin.pk}", reason="A friend.")
        assert missing["text"] == "No rule keeps this account's marks out any more."
        assert (await command(other, "ranking_unrelease", argument))["ok"]
        for screen in (own, other):
            await screen.until_gone("She sat beside me.")
            assert lists(screen.tree) == [["young_0", "young_1"], []]


async def test_coordinated_accounts_are_listed_by_weight_and_decided():
    appearances, _honest, accounts = await in_thread(coordinated_accounts)
    stage_id = appearances[0].session.stage_id
    await in_thread(lambda: ranking_compute(stage_id=stage_id))
    weights = dict(await in_thread(lambda: list(RankingAccount.objects.values_list("user_id", "quarters"))))
    listed = sorted(accounts, key=lambda user: weights[user.pk])
    first = appearances[0].participant.name
    async with open_page(address(stage_id), user=await in_thread(AdminFactory)) as screen:
        shown = every(every(screen.tree, "div", key="kept")[0], "li", "unusual__row")
        assert {text(one(row, "h3")) for row in shown} == {user.username for user in accounts}
        words = [f"weighs 1/{4 // weights[user.pk]}" for user in listed]
        assert [text(every(one(row, "p", "entries__about"), "span")[0]) for row in shown] == words
        assert all(text(one(row, "p", "unusual__reason")).startswith(f"{first}: ") for row in shown)
        crowd = one(every(screen.tree, "div", key="crowds")[0], "li", "unusual__row")
        assert text(crowd).startswith(f"{first}{len(accounts)} accountsmarks far above the others")
        released, left_out = accounts[:2]
        for command_name, user in (("ranking_release", released), ("ranking_leave_out", left_out)):
            argument = f"{stage_id}:{user.pk}"
            assert not (await command(screen, command_name, argument, reason=" "))["ok"]
            assert (await command(screen, command_name, argument, reason="Met in the hall."))["ok"]
        await screen._until(lambda: len(lists(screen.tree)[1]) == 2, "both decisions")
        assert lists(screen.tree)[1] == [left_out.username, released.username]
        assert not {released.username, left_out.username} & set(lists(screen.tree)[0])
        about = [text(line) for line in every(every(screen.tree, "div", key="let")[0], "p", "entries__about")]
        assert ["left out" in about[0], "weighs fully" in about[1]] == [True, True]
        everyone = f"{stage_id}:out:above:{appearances[0].pk}"
        assert not (await command(screen, "ranking_crowd", everyone, reason=" "))["ok"]
        answer = await command(screen, "ranking_crowd", everyone, reason="One crowd.")
        assert (answer["ok"], answer["text"]) == (True, f"{len(accounts) - 2} accounts are decided.")
        await screen.until_gone("marks far above the others")
        missing = await command(screen, "ranking_crowd", f"{stage_id}:out:above", reason="Sheets that agree.")
        assert missing["text"] == "There is no such crowd in the ranking any more."
    decided = await in_thread(lambda: dict(RankingDecision.objects.values_list("user_id", "is_left_out")))
    assert decided == {user.pk: user is not released for user in accounts}


def test_many_accounts_are_on_pages_with_a_constant_query_count(django_assert_num_queries):
    stage_id, _appearances, setup = ranked_stage(UNUSUAL_SHOWN + 1)
    admin = viewer_of(AdminFactory())
    with django_assert_num_queries(13):
        loaded(address(stage_id), admin)
    with django_assert_num_queries(7):
        last = unusual_get(stage_id=stage_id, number=99).accounts
    assert (last.total, last.number, last.pages, len(last.rows)) == (UNUSUAL_SHOWN + 1, 2, 2, 1)
    seen = opened(address(stage_id), admin)
    names = [user.username for user in setup]
    assert lists(seen.main)[0] == names[:UNUSUAL_SHOWN]
    paging = one(seen.main, "nav", aria_label="Pages")
    (next_link,) = every(paging, "a", rel="next")
    assert attributes(next_link)["href"] == f"/admin?tab=unusual&stage={stage_id}&page=2"
    assert lists(opened(attributes(next_link)["href"], admin).main)[0] == names[UNUSUAL_SHOWN:]
    ids = [attributes(field)["id"] for field in every(seen.main, "input", name="reason")]
    assert len(set(ids)) == 2 * UNUSUAL_SHOWN


def test_empty_list_and_missing_stage_are_explained():
    admin = viewer_of(AdminFactory())
    assert "No stages yet." in text(opened("/admin?tab=unusual", admin).main)
    appearances = stage_of(1)
    shown = text(opened(address(appearances[0].session.stage_id), admin).main)
    assert "No account is unusual in this ranking." in shown
    assert "There is no decision about an account." in shown


def test_usernames_of_missing_accounts_are_left_out():
    user = UserFactory()
    assert usernames_get(user_ids=[user.pk, 999_999]) == {user.pk: user.username}
