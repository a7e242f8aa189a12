"""An attacker learns of the ranking only what the pages Privacy and method document, and that works.

The attacker (`attacker.py`) knows what the site sends to all viewers. The tests know the rows, and compare.
"""

import csv
import hashlib
import html
import io
import json
import logging
import os
import re
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from apps.accounts.actors import OPERATOR
from apps.accounts.services.accounts import account_export
from apps.core.threads import in_thread
from apps.ranking import services
from apps.ranking.models import RankingAccount, RankingDecision, RankingRun
from apps.ranking.publication import Publication, salt_of, unpacked
from apps.ranking.selectors.files import marks_file
from apps.ranking.weighing import Weight
from apps.ratings.models import DraftMark, PieceRating, RatingDraft
from tests.apps.ranking.halls import listeners
from tests.apps.ranking.test_deleted_accounts import delete, texts_of_the_database
from tests.factories import AdminFactory, viewer_of
from tests.project.asking import ask
from tests.project.http import attacker
from tests.project.http.random_evening import Evening
from tests.screen import open_page
from tests.serving import session_cookie
from tests.waiting import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("process_runs")]
EVENINGS = int(os.environ.get("EVENINGS", "1"))  # random ones for each test; `make soak` tries more
PUBLISHED = (
    "When the ranking of a stage is closed, all counted marks are published without names. Whoever knows two marks of "
    "a listener can usually find all others. The public lists and the file of marks together show whose marks they are "
    "and how much they weigh."
)
COMPARED = "Who compares the lists with the ranking can tell which marks count, and why others do not"
GUESSED = "who computes it with guessed weights can find the weights while it is open, too."
WATCHED = "who watches the page of a stage while single ratings begin to count can tell."
SUMMARY = (
    "method stage run commitment sheets missing_sheets left_out_sheets made_at final raters marks not_counted rows"
)
STAYS = (
    "The ranking stays as it is, so what is missing can be worked out from it, and who has kept the lists from before "
    "knows whose it was."
)


async def words_of(path: str) -> str:
    """Return the text of a page."""
    words = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", await attacker.text_of(path), flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(words))


async def privacy_text() -> str:
    """Return the text of the page Privacy."""
    return await words_of("/privacy")


async def pages_of(evening: Evening, cookie: str = "") -> dict[str, str]:
    """Return all pages and files that show something of a stage, as this viewer gets them."""
    first = evening.appearances[0]
    paths = ["/", "/participants", "/community", "/stages/method", f"/stages/{evening.stage}"]
    paths += [f"/sessions/{first.session_id}", f"/sessions/{first.session_id}?open=all"]
    paths += [f"/participants/{each.participant_id}?tab=ratings" for each in evening.appearances]
    paths += [f"/participants/{each.participant_id}" for each in evening.appearances]
    paths += [f"/stages/{evening.stage}/{name}" for name in ("ranking.csv", "ranking.json")]
    if cookie:
        paths += ["/profile", "/profile?tab=ratings"]
    pages = {path: await attacker.text_of(path, cookie) for path in paths}
    answer = await ask(f"/stages/{evening.stage}/marks.csv", cookie=cookie)
    assert (answer.status, len(answer.body)) == (404, 52)
    return pages


@pytest.mark.parametrize("seed", range(EVENINGS))
async def test_open_ranking_sends_no_salt_secret_or_digest(caplog: Any, seed: int) -> None:
    caplog.set_level(logging.DEBUG)
    evening = await in_thread(lambda: Evening(seed))
    member = evening.people[0]
    admin: Any = await in_thread(AdminFactory)
    await in_thread(evening.compute)
    secrets = await in_thread(evening.secrets)
    texts: dict[str, str] = {}
    stage = f"/stages/{evening.stage}"
    async with open_page(stage) as visitor, open_page(stage, user=member) as own:
        await in_thread(lambda: evening.rate(listeners(1)[0], evening.appearances))
        await in_thread(evening.compute)
        await visitor.until("by 15 listeners")
        await own.until("by 15 listeners")
        texts |= {"frames": json.dumps(visitor.frames), "own frames": json.dumps(own.frames)}
    secrets |= await in_thread(evening.secrets)
    assert len(secrets) > 60
    cookies = {"": ""} | await in_thread(lambda: {"member": session_cookie(member), "admin": session_cookie(admin)})
    for who, cookie in cookies.items():
        texts |= {f"{who} {path}": text for path, text in (await pages_of(evening, cookie)).items()}
    for tab in ("unusual", "audit", "ratings"):
        path = f"/admin?tab={tab}&stage={evening.stage}"
        texts[path] = await attacker.text_of(path, cookies["admin"])
    assert "Unusual marks" in texts[f"/admin?tab=unusual&stage={evening.stage}"]
    exported = await in_thread(lambda: [account_export(actor=viewer_of(user)) for user in (member, admin)])
    texts["downloads"] = json.dumps(exported, default=str)
    assert '"ranking_accounts"' in texts["downloads"]
    exporting = await in_thread(lambda: marks_file(stage_id=evening.stage, is_operator=True))
    texts["operator's file"] = unpacked(exporting or b"")
    texts["logged"] = caplog.text
    assert texts["operator's file"].startswith("rater,performer,points,pieces,weight\n")
    for where, text in texts.items():
        assert not [secret for secret in secrets if secret in text], where
    await in_thread(evening.close)
    published = await attacker.text_of(f"{stage}/marks.csv")
    assert sum(secret in published for secret in secrets) == 15, "the salts of the closed run, which this search finds"


@pytest.mark.parametrize("seed", range(EVENINGS))
async def test_downloads_around_a_mark_reveal_only_the_public_list(seed: int) -> None:
    evening = await in_thread(lambda: Evening(seed))
    await in_thread(evening.compute)
    before = await attacker.download(evening.stage)
    people = await attacker.lists_of(evening.stage)
    (user,) = await in_thread(lambda: listeners(1))
    await in_thread(lambda: evening.rate(user, evening.appearances[1:4]))
    await in_thread(evening.compute)
    after = await attacker.download(evening.stage)
    new = (await attacker.lists_of(evening.stage))[user.username].sheet
    assert user.username not in people
    assert attacker.changes(before, after) == dict.fromkeys(new, 1)
    for performer, (points, pieces) in new.items():
        least, most = attacker.mark_between(before.rows[performer], after.rows[performer])
        assert least <= points / pieces <= most, "the list has it exactly"
    assert before.summary.keys() == set(SUMMARY.split())
    assert before.summary["commitment"] != after.summary["commitment"]
    sheets = {name: listener.sheet for name, listener in people.items()}
    program = attacker.program_load(await attacker.text_of(f"/stages/{evening.stage}/ranking.py"))
    assert attacker.weights_that_fit(program, sheets, before) == [{}], "the scores show which marks count"
    assert COMPARED in await privacy_text()


async def test_commitment_of_an_open_ranking_cannot_be_guessed() -> None:
    """The attacker knows all sheets, and guesses salts: of before, or that follow from what is public."""
    evening = await in_thread(lambda: Evening(7))
    await in_thread(evening.compute)
    await in_thread(evening.close)
    people, known = await attacker.lists_of(evening.stage), await attacker.marks_of(evening.stage)
    named = attacker.named_weights(known, people)
    assert len(named) == len(people) == len(known)
    ranked = {line["performer"] for sheet in known.values() for line in sheet}
    closed = await attacker.download(evening.stage)
    await in_thread(lambda: services.ranking_reopen(actor=OPERATOR, stage_id=evening.stage))
    await in_thread(evening.compute)
    opened = await attacker.download(evening.stage)

    def committed(salt_of_name: Any) -> str:
        hashes = []
        for name, listener in people.items():
            marks = sorted((performer, *mark) for performer, mark in listener.sheet.items() if performer in ranked)
            sheet = f"{named[name][1]}\n" + "".join(f"{performer}\t{p}\t{n}\n" for performer, p, n in marks)
            hashes.append(hashlib.sha256(salt_of_name(name) + sheet.encode()).digest())
        return hashlib.sha256(b"".join(sorted(hashes))).hexdigest()

    earlier = {name: bytes.fromhex(known[number][0]["salt"]) for name, (number, _) in named.items()}
    assert committed(earlier.__getitem__) == closed.summary["commitment"], "the guess works with the published salts"

    def text(*parts: object) -> bytes:
        return hashlib.sha256(" ".join(map(str, parts)).encode()).digest()[:16]

    run, made_at = opened.summary["run"], opened.summary["made_at"]
    guesses: list[Any] = [
        *(earlier.__getitem__, lambda _: b"", lambda _: bytes(16), lambda name: name.encode()),
        *(lambda name, each=each: text(each, people[name].account) for each in ("", run, evening.stage, made_at)),
        lambda name: text(run, *people[name].sheet.items()),
    ]
    assert opened.summary["commitment"] not in {committed(guess) for guess in guesses}
    assert opened.summary["run"] == 2


@pytest.mark.parametrize("seed", range(EVENINGS))
async def test_administrators_decision_reveals_the_account_but_not_the_reason(seed: int) -> None:
    evening = await in_thread(lambda: Evening(seed))
    await in_thread(evening.compute)
    before = await attacker.download(evening.stage)
    chosen = evening.chance.choice(evening.people[4:])
    reason = "zwykły powód"
    await in_thread(
        lambda: RankingDecision.objects.create(user=chosen, stage_id=evening.stage, is_left_out=True, reason=reason)
    )
    await in_thread(evening.compute)
    after = await attacker.download(evening.stage)
    fewer = dict.fromkeys((await attacker.lists_of(evening.stage))[chosen.username].sheet, -1)
    assert attacker.changes(before, after) == fewer
    people = await attacker.lists_of(evening.stage)
    program = attacker.program_load(await attacker.text_of(f"/stages/{evening.stage}/ranking.py"))
    sheets = {name: listener.sheet for name, listener in people.items()}
    suspects = [
        name
        for name in people
        if attacker.scores(program, {other: sheet for other, sheet in sheets.items() if other != name}, {})
        == {performer: row["score"] for performer, row in after.rows.items() if row["score"]}
    ]
    assert suspects == [chosen.username]
    assert after.summary["not_counted"]["left_out"] == len(fewer)
    other = await in_thread(lambda: session_cookie(evening.people[0]))
    for cookie in ("", other):
        for path, page in (await pages_of(evening, cookie)).items():
            assert reason not in html.unescape(page), path
    assert COMPARED in await privacy_text()


@pytest.mark.parametrize("seed", range(EVENINGS))
async def test_weights_can_be_guessed_from_the_scores_as_documented(monkeypatch: Any, seed: int) -> None:
    """No page and no file of an open ranking has weights, but the method is public, and so are all marks."""
    evening = await in_thread(lambda: Evening(seed))
    light, quarters = evening.chance.choice(evening.people), evening.chance.choice([1, 2])
    monkeypatch.setattr(services, "weights_of", lambda *_, pk=light.pk, q=quarters: {pk: Weight(q, {"score": 0.4})})
    await in_thread(evening.compute)
    seen, people = await attacker.download(evening.stage), await attacker.lists_of(evening.stage)
    program = attacker.program_load(await attacker.text_of(f"/stages/{evening.stage}/ranking.py"))
    sheets = {name: listener.sheet for name, listener in people.items()}
    assert {light.username: quarters} in attacker.weights_that_fit(program, sheets, seen)
    assert {} not in attacker.weights_that_fit(program, sheets, seen)
    assert GUESSED in await privacy_text()


def without_scores(page: str, sheet: attacker.Sheet, rows: dict[str, dict[str, str]]) -> str:
    """Return a member's page without the stage's scores, which all viewers see, and without own differences to them."""
    scores = {performer: rows[performer]["score"] for performer in sheet}
    for score in scores.values():
        page = page.replace(score, "score")
    for performer, (points, pieces) in sheet.items():
        difference = abs(Fraction(points, pieces) - Fraction(scores[performer]))
        page = page.replace(f"{float(difference):.2f}", "difference")
    assert page.count("audience score") >= 3, "the page has the public figures"
    return page


async def test_members_pages_do_not_reveal_their_weight(monkeypatch: Any) -> None:
    evening = await in_thread(lambda: Evening(1))
    cookie = await in_thread(lambda: session_cookie(evening.people[0]))
    seen = []
    for quarters in (4, 2, 1):
        monkeypatch.setattr(
            services, "weights_of", lambda *_, q=quarters: {evening.people[0].pk: Weight(q)} if q < 4 else {}
        )
        await in_thread(evening.compute)
        page = await attacker.text_of("/profile?tab=ratings", cookie)
        sheet = (await attacker.lists_of(evening.stage))[evening.people[0].username].sheet
        page = without_scores(page, sheet, (await attacker.download(evening.stage)).rows)
        page = re.sub(r'nonce="[^"]*"|"?value"?[=:] ?"[A-Za-z0-9]{32,}"|"token": ?"[^"]*"', "", page)
        seen.append(sorted(re.findall(r"\w+", page)))  # the largest differences change places with the public scores
        (stored,) = await in_thread(
            lambda: list(RankingAccount.objects.filter(user=evening.people[0]).values_list("quarters", flat=True))
        )
        assert stored == quarters
    assert "Counts" in seen[0]
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("seed", range(EVENINGS))
async def test_closed_file_and_lists_reveal_weights_as_documented(monkeypatch: Any, seed: int) -> None:
    evening = await in_thread(lambda: Evening(seed, people=18))
    chosen = {user.pk: evening.chance.choice([4, 4, 2, 1, 0]) for user in evening.people}
    chosen |= dict(zip((user.pk for user in evening.people), (4, 2, 1, 0), strict=False))
    out = [pk for pk, quarters in chosen.items() if quarters == 0]
    await in_thread(
        lambda: RankingDecision.objects.bulk_create(
            RankingDecision(user_id=pk, stage_id=evening.stage, is_left_out=True, reason="Two accounts.") for pk in out
        )
    )
    weights = {pk: Weight(quarters) for pk, quarters in chosen.items() if quarters < 4}
    monkeypatch.setattr(services, "weights_of", lambda *_, weights=weights: weights)
    await in_thread(evening.compute)
    await in_thread(evening.close)
    marks, people = await attacker.marks_of(evening.stage), await attacker.lists_of(evening.stage)
    named = attacker.named_weights(marks, people)
    names = {4: "1", 2: "1/2", 1: "1/4", 0: "0"}
    expected = {user.username: names[chosen[user.pk]] for user in evening.people if chosen[user.pk]}
    assert len(people) == 18
    assert {name: weight for name, (_, weight) in named.items()} == expected, "whose sheet it is, how much it weighs"
    assert {line["weight"] for sheet in marks.values() for line in sheet} == {"1", "1/2", "1/4"}
    hidden = (await attacker.download(evening.stage)).summary["left_out_sheets"]
    assert (len(hidden), len(marks)) == (len(out), 18 - len(out)), "sheets of weight 0 are hashes"
    by_two = [attacker.found_by_two(sheet, marks) for sheet in marks.values()]
    assert sum(by_two) / len(by_two) > 1 / 2, "two marks usually find all others"
    form = f"/participants/{evening.appearances[0].participant_id}?open={evening.appearances[0].pk}"
    for path in (f"/stages/{evening.stage}", "/stages/method", "/privacy", form):
        words = await words_of(path)
        assert words.count(PUBLISHED) == words.count("without names") == 1, path
        assert "never whose" not in words


@pytest.mark.parametrize("is_blind", [True, False])
async def test_blind_ratings_can_be_observed_as_documented(is_blind: bool) -> None:
    evening = await in_thread(lambda: Evening(4))
    await in_thread(evening.compute)

    def rated(*, is_blind: bool) -> None:
        (user,) = listeners(1)
        evening.rate(user, evening.appearances)
        for appearance in evening.appearances:
            draft = RatingDraft.objects.create(user=user, appearance=appearance)
            for mark in PieceRating.objects.filter(user=user, appearance=appearance):
                DraftMark.objects.create(
                    draft=draft, piece_id=mark.piece_id, score=mark.score, struck_at=mark.updated_at, blind=is_blind
                )

    async def shown_after(count: int) -> tuple[int, int]:  # the cached page lasts until its topic arrives
        seen = (0, 0)

        async def is_shown() -> bool:
            nonlocal seen
            seen = await attacker.blind_of(evening.stage)
            return seen[1] == count

        await in_thread(evening.compute)
        await until(is_shown, f"the page shows {count} ratings")
        return seen

    _, others = await attacker.blind_of(evening.stage)
    more = others // 45 + 1  # from a tenth on, the page says how many are blind
    for _ in range(more):
        await in_thread(lambda: rated(is_blind=True))
    before = await shown_after(others + 5 * more)
    await in_thread(lambda: rated(is_blind=is_blind))
    after = await shown_after(before[1] + 5)
    assert (after[0] - before[0], after[1] - before[1]) == (5 if is_blind else 0, 5)
    assert WATCHED in html.unescape(await attacker.text_of("/stages/method"))


def test_numbers_of_raters_are_random() -> None:
    """Correlations of a file's numbers with ids, marks and the order of the lists, over 400 files: like chance."""
    from apps.ranking import method2

    size, files = 25, 400
    sheets = {
        100 + 3 * account: {
            performer: method2.Given(str(100 + 3 * account), performer, 5 + account % 7, 1) for performer in "ABC"
        }
        for account in range(size)
    }
    made = Publication((), sheets, {})
    orders = {"ids": list(range(size)), "marks": [account % 7 for account in range(size)]}
    sums = dict.fromkeys(orders, 0.0)
    for _ in range(files):
        secret = os.urandom(32)
        lines = list(csv.DictReader(io.StringIO(unpacked(made.file(secret)))))
        account_of = {salt_of(secret, account).hex(): at for at, account in enumerate(sheets)}
        number = {account_of[line["salt"]]: int(line["rater"]) for line in lines}
        assert [int(line["rater"]) for line in lines] == sorted(int(line["rater"]) for line in lines)
        for name, order in orders.items():
            sums[name] += _correlation([number[at] for at in range(size)], order)
    deviation = sqrt(files / (size - 1))
    assert all(abs(each) < 5 * deviation for each in sums.values()), (sums, deviation)


def _correlation(one: list[int], other: list[int]) -> float:
    means = sum(one) / len(one), sum(other) / len(other)
    products = sum((a - means[0]) * (b - means[1]) for a, b in zip(one, other, strict=True))
    return products / sqrt(sum((a - means[0]) ** 2 for a in one) * sum((b - means[1]) ** 2 for b in other))


@pytest.mark.parametrize("seed", range(EVENINGS))
async def test_deleted_sheet_is_removed_but_can_be_computed_as_documented(seed: int) -> None:
    evening = await in_thread(lambda: Evening(seed))
    await in_thread(evening.compute)
    await in_thread(lambda: evening.rate(listeners(1)[0], evening.appearances))
    await in_thread(evening.compute)
    await in_thread(evening.close)
    people, before = await attacker.lists_of(evening.stage), await attacker.marks_of(evening.stage)
    user = evening.chance.choice(evening.people)
    number, _ = attacker.named_weights(before, people)[user.username]
    lines = [",".join(line.values()) for line in before[number]]
    stored = await in_thread(texts_of_the_database)
    assert all(line in stored for line in lines)
    seen = await attacker.download(evening.stage)
    await in_thread(lambda: delete(user.pk))
    await in_thread(evening.compute)
    stored = await in_thread(texts_of_the_database)
    salt = before[number][0]["salt"]
    assert salt not in stored
    assert not [line for line in lines if line in stored]
    older = await in_thread(
        lambda: list(RankingRun.objects.filter(stage_id=evening.stage, is_final=False).values_list("file", "secret"))
    )
    assert [(bytes(file), secret) for file, secret in older] == [(b"", None)]
    after, left = await attacker.download(evening.stage), await attacker.marks_of(evening.stage)
    assert after.rows == seen.rows
    assert left == {rater: sheet for rater, sheet in before.items() if rater != number}
    missing = attacker.missing_marks(after, left)
    gone = people[user.username].sheet
    assert missing.keys() == {name for name in gone if after.rows[name]["mean"]}
    assert all(least <= gone[name][0] / gone[name][1] <= most for name, (least, most) in missing.items())
    assert user.username not in await attacker.lists_of(evening.stage)
    page = html.unescape(await attacker.text_of(f"/stages/{evening.stage}"))
    assert "1 sheet is missing, recomputing differs by it." in page
    assert STAYS in await privacy_text()
