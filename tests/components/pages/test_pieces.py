"""The catalogue of pieces, and the page of one: its performances, their marks, orders, and the player."""

import random
import re
from collections import Counter
from datetime import timedelta
from fractions import Fraction

import pytest
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.enums import Category
from apps.competition.models import Piece
from apps.competition.selectors.public.pieces import pieces_listed
from apps.competition.services.catalogue import catalogue_load
from apps.competition.services.programs import program_entry_link
from apps.core.threads import in_thread
from apps.ratings.enums import RatingKind
from apps.ratings.models import DraftMark, RatingDraft
from apps.ratings.selectors.own import ratings_own
from apps.ratings.selectors.pieces import piece_own
from apps.ratings.services.covering import ears_first_set
from apps.ratings.services.moderation import mark_approve
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import (
    AppearanceFactory,
    PieceFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    SessionFactory,
    StageFactory,
    UserFactory,
    viewer_of,
)
from tests.general import queries_counted
from tests.project.covering import opened as opened_in_a_window
from tests.screen import open_page

pytestmark = pytest.mark.django_db
VIDEO = "https://youtu.be/aqz-KE-bpKQ?t=62"


def played(piece, name="", *, days_ago=1, stage=None, link=VIDEO):
    """Return the entry of a program with this piece, in a session of its own."""
    session = SessionFactory(
        stage=stage or StageFactory(), starts_at=timezone.now() - timedelta(days=days_ago), youtube_id=""
    )
    first, _, second = name.partition(" ")
    people = {"participant__first_name": first, "participant__second_name": second, "participant__name": name}
    appearance = AppearanceFactory(session=session, **(people if name else {}))
    return ProgramEntryFactory(appearance=appearance, piece=piece, youtube_url=link)


def rate(entry, *scores):
    return [PieceRatingFactory(entry=entry, score=score, approved=True) for score in scores]


def rows(address, viewer=None):
    """Return the rows of the performances."""
    page = opened(address, viewer) if viewer else opened(address)
    return every(one(page.main, "ol", "hands"), "li")


def names(address, viewer=None):
    return [text(one(row, "h3")) for row in rows(address, viewer)]


def test_figures_of_each_performance_equal_those_computed_by_hand():
    chance = random.Random(45)  # noqa: S311 - test data
    piece, other = PieceFactory(), PieceFactory()
    marks_by_name = {}
    for name in ("Ada Bach", "Ewa Chrobak", "Jan Duda"):
        entry = played(piece, name)
        marks_by_name[name] = [chance.randint(1, 25) for _ in range(chance.randint(1, 9))]
        rate(entry, *marks_by_name[name])
        rate(ProgramEntryFactory(appearance=entry.appearance, piece=other), 25, 25)
        PieceRatingFactory(entry=entry, score=1, approved=False)  # pending, so it does not count
    shown = {text(one(row, "h3")): text(row) for row in rows(f"/pieces/{piece.pk}")}
    for name, marks in marks_by_name.items():
        tenths = Fraction(sum(marks) * 10, len(marks))
        mean = f"{(tenths + Fraction(1, 2)).__floor__() / 10:.1f}"
        most = max(Counter(marks).values())
        often = sorted(mark for mark, times in Counter(marks).items() if times == most)
        assert f"audience {mean}" in shown[name]
        assert f"{len(marks)} mark" in shown[name]
        words = shown[name].partition("most often ")[2]
        assert (str(often[0]) in words) if 5 * most >= len(marks) else not words
    head = text(opened(f"/pieces/{piece.pk}").main)
    assert f"Played by 3 performers, {sum(map(len, marks_by_name.values()))} marks." in head


def test_address_sorts_and_filters_performances():
    piece, first, second = PieceFactory(), StageFactory(name="Stage I"), StageFactory(name="Stage II")
    rate(played(piece, "Ada Żak", days_ago=3, stage=first), 12)
    rate(played(piece, "Ewa Bach", days_ago=2, stage=second), 20)
    played(piece, "Jan Duda", days_ago=1, stage=second)
    played(piece, "Ola Ahn", days_ago=-1, stage=second)
    page = f"/pieces/{piece.pk}"
    assert names(page) == ["Jan Duda", "Ewa Bach", "Ada Żak", "Ola Ahn"]
    assert names(f"{page}?sort=mark") == ["Ewa Bach", "Ada Żak", "Jan Duda", "Ola Ahn"]
    assert names(f"{page}?sort=name") == ["Ewa Bach", "Jan Duda", "Ada Żak", "Ola Ahn"]
    assert names(f"{page}?sort=name&stage={second.pk}") == ["Ewa Bach", "Jan Duda", "Ola Ahn"]
    assert names(f"{page}?sort=nothing&stage=x") == names(page)
    assert "Plays first. You can rate once it begins." in text(rows(page)[-1])
    links = {text(link): attributes(link)["href"] for link in every(opened(f"{page}?stage={first.pk}").main, "a")}
    assert links["Highest"] == f"{page}?sort=mark&stage={first.pk}"
    assert links["Stage II"] == f"{page}?stage={second.pk}"
    assert "Nobody plays it in this stage." in text(opened(f"{page}?stage=999").main)


def test_empty_catalogue_and_missing_piece_are_explained():
    piece = PieceFactory()
    assert "Nobody has this piece in the program." in text(opened(f"/pieces/{piece.pk}").main)
    page, _ = loaded("/pieces/999999")
    assert (page.status, page.title) == (404, "Piece not found")
    assert "No work is in a program yet." in text(opened("/pieces").main)
    piece.delete()
    assert "The catalogue is empty." in text(opened("/pieces").main)
    assert "The catalogue has no work of this category." in text(opened("/pieces?category=waltz").main)


def test_catalogue_and_pieces_have_other_names():
    catalogue_load()
    etude = next(row for row in pieces_listed() if (row.piece.opus, row.piece.number) == (10, 12))
    names = "Revolutionary, Rewolucyjna, 革命, 혁명, Revolutionsetüde, Révolutionnaire"
    assert f"Also called {names}." in text(opened(f"/pieces/{etude.piece.id}").main)
    mazurka = next(row for row in pieces_listed() if (row.piece.opus, row.piece.number) == (41, 1))
    assert "Also 41/2 in German first ed. & DCML numbering." in text(opened(f"/pieces/{mazurka.piece.id}").main)
    listed = [text(row) for row in every(opened("/pieces?category=etiuda_a").main, "li")]
    assert len(listed) == 13  # and the set
    assert f"Étude in C minor op. 10 no. 12 {names}not played" in listed
    keys = [(row.piece.category, row.piece.opus, row.piece.number) for row in pieces_listed()]
    nocturnes = [(opus, number) for category, opus, number in keys if category == Category.NOCTURN]
    assert nocturnes[:3] == [(9, 1), (9, 2), (9, 3)]
    assert [opus for opus, _ in nocturnes][-3:] == [72, "posth.", "posth."]


def test_category_shows_works_in_programs_first_and_filters_by_opus():
    catalogue_load()
    waltz = Piece.objects.get(category="waltz", opus="64", number=2)
    mazurkas = Piece.objects.get(name="Mazurkas, Op. 33")
    played(waltz), played(mazurkas), played(mazurkas, days_ago=-1)
    every_row = [text(row) for row in every(opened("/pieces").main, "li")]
    assert [row.partition(" op.")[0] for row in every_row] == [
        *("Mazurka in G♯ minor", "Mazurka in C major", "Mazurka in D major", "Mazurka in B minor", "Mazurkas"),
        "Waltz in C♯ minor",
    ]
    assert opened("/pieces?category=nothing").main == opened("/pieces").main
    page = opened("/pieces?category=waltz").main
    (front, behind) = every(page, "ol", "catalogue__list")
    assert [text(row) for row in every(front, "li")] == ["Waltz in C♯ minor op. 64 no. 2played once"]
    assert text(one(page, "summary")) == "18 other works, 4 other sets"
    assert [attributes(link).get("aria-current") for link in every(page, "a") if text(link) == "Waltzes"] == ["page"]
    titles = [text(row) for row in every(behind, "li")]
    of_set = titles.index("Waltzes op. 64 nos. 1–3not played")
    assert titles[of_set - 1] == "Waltz in A♭ major op. 64 no. 3not played"
    assert {attributes(row)["class"] for row in every(behind, "li")} == {"is-quiet"}
    by_opus = opened("/pieces?category=waltz&opus=64").main
    assert [len(every(rows, "li")) for rows in every(by_opus, "ol", "catalogue__list")] == [1, 3]
    assert attributes(one(by_opus, "details"))["open"]
    assert "None of these works is in a program yet." in text(opened("/pieces?category=waltz&opus=18").main)
    assert len(every(opened("/pieces?category=waltz&opus=none").main, "li")) == 6
    for unknown in ("opus=65", "opus=x", "opus=%3Cscript", f"opus={'9' * 99}"):
        assert opened(f"/pieces?category=waltz&{unknown}").main == page


def test_catalogue_counts_started_performances():
    piece = PieceFactory()
    rate(played(piece), 17, 17, 19)
    rate(played(piece), 17, 19)
    played(piece, days_ago=-1)
    (row,) = every(opened("/pieces").main, "li")
    assert "played 2 times" in text(row)
    assert "most often 17" in text(row)


def test_catalogue_covers_marks_for_a_member():
    rate(played(PieceFactory()), 17)
    member = UserFactory()
    (row,) = every(opened("/pieces", viewer_of(member)).main, "li")
    assert "played once" in text(row)
    assert "most often" not in text(row)
    ears_first_set(actor=viewer_of(member), ears_first=False)
    (row,) = every(opened("/pieces", viewer_of(member)).main, "li")
    assert "most often 17" in text(row)


def test_member_sorts_by_own_marks_while_figures_are_covered():
    piece, member = PieceFactory(), UserFactory()
    entries = {name: played(piece, name) for name in ("Ada Bach", "Ewa Chrobak", "Jan Duda")}
    for name, mark in (("Ada Bach", 25), ("Ewa Chrobak", 20), ("Jan Duda", 1)):
        rate(entries[name], mark)
    PieceRatingFactory(entry=entries["Jan Duda"], user=member, score=24)
    PieceRatingFactory(entry=entries["Ewa Chrobak"], user=member, score=11)
    page, viewer = f"/pieces/{piece.pk}?sort=mark", viewer_of(member)
    assert names(page) == ["Ada Bach", "Ewa Chrobak", "Jan Duda"]
    assert names(page, viewer) == ["Jan Duda", "Ewa Chrobak", "Ada Bach"]
    shown = {text(one(row, "h3")): text(row) for row in rows(page, viewer)}
    assert "you 24" in shown["Jan Duda"]
    assert "audience" in shown["Jan Duda"]
    assert "25.0" not in shown["Ada Bach"]
    ears_first_set(actor=viewer, ears_first=False)
    assert names(page, viewer) == names(page)


def test_own_marks_agree_with_the_rating_form():
    """For all combinations of a struck, a removed and a submitted mark, against the reads of the form."""
    piece, member = PieceFactory(), UserFactory()
    for struck in ("not struck", None, 9):
        for submitted in (None, 14):
            for is_shown in (False, True):
                entry = played(piece)
                appearance = entry.appearance
                if submitted:
                    PieceRatingFactory(entry=entry, user=member, score=submitted)
                if struck != "not struck" or is_shown:
                    shown_at = timezone.now() if is_shown else None
                    draft, _ = RatingDraft.objects.get_or_create(user=member, appearance=appearance)
                    RatingDraft.objects.filter(pk=draft.pk).update(shown_at=shown_at)
                    if struck != "not struck":
                        DraftMark.objects.create(draft=draft, piece=piece, score=struck, struck_at=timezone.now())
    own = piece_own(user_id=member.pk, piece_id=piece.pk)
    for appearance_id, figures in own.items():
        of_form = ratings_own(user_id=member.pk, appearance_ids=[appearance_id]).get(appearance_id)
        marks = of_form.marks if of_form else {}
        seen = bool(of_form and (of_form.sheet.is_shown or piece.pk in {**of_form.sheet.pieces, **of_form.pieces}))
        assert (figures.mark, figures.is_seen) == (marks.get(piece.pk), seen)
    assert len(own) == 12


def test_query_count_is_independent_of_performances():
    count = 12
    piece, member = PieceFactory(), UserFactory()
    for _ in range(count):
        rate(played(piece), 20)
    page = f"/pieces/{piece.pk}"
    loaded(page)
    with queries_counted(QUERIES):
        loaded(page)
    with queries_counted(QUERIES + 1):
        loaded(page, viewer_of(member))
    for address in ("/pieces", "/pieces?category=etiuda_a"):
        with queries_counted(4):  # the pieces, their programs and those of their sets, and the figures
            loaded(address)


QUERIES = 13  # the piece, its note and parts, its performances and figures, once for each level of parts, pictures


def test_long_list_is_complete():
    piece, session = PieceFactory(), SessionFactory(starts_at=timezone.now() - timedelta(days=1))
    for number in range(1, 53):
        appearance = AppearanceFactory(session=session, order_number=number)
        ProgramEntryFactory(appearance=appearance, piece=piece)
    lists = every(opened(f"/pieces/{piece.pk}").main, "ol", "hands")
    assert [len(every(listing, "li")) for listing in lists] == [50, 2]


def test_video_links_to_the_next_performance():
    piece = PieceFactory()
    old, new = played(piece, "Ada Bach", days_ago=3), played(piece, "Ewa Duda", days_ago=2)
    bare = played(piece, "Jan Gil", days_ago=1, link="")
    page = f"/pieces/{piece.pk}"
    assert not every(opened(page).main, "iframe")
    watched = opened(f"{page}?watch={new.appearance_id}").main
    address = attributes(one(watched, "iframe"))["src"]
    assert re.search(r"/embed/aqz-KE-bpKQ\?.*start=62", address)
    assert "autoplay=1" not in address
    to = {text(link): attributes(link)["href"] for link in every(watched, "a")}
    assert to["Next performance of this piece: Ada Bach"] == f"{page}?watch={old.appearance_id}#watch"
    last = opened(f"{page}?watch={old.appearance_id}").main
    assert "This is the last performance of this list." in text(last)
    by_name = opened(f"{page}?sort=name&watch={old.appearance_id}").main
    assert "Next performance of this piece: Ewa Duda" in text(by_name)
    for unknown in (bare.appearance_id, 999, "x"):
        assert not every(opened(f"{page}?watch={unknown}").main, "iframe")


async def test_open_page_follows_ratings_and_links():
    piece = await in_thread(PieceFactory)
    entry = await in_thread(lambda: played(piece, "Ada Bach", link=""))
    mark = await in_thread(lambda: PieceRatingFactory(entry=entry, score=23))
    async with open_page(f"/pieces/{piece.pk}") as screen:
        assert "no marks yet" in screen.text
        assert "Watch" not in screen.text
        await in_thread(lambda: mark_approve(actor=OPERATOR, kind=RatingKind.PIECE, mark_id=mark.pk))
        await screen.until("1 mark, most often 23")
        await screen.until("Played by one performer, 1 mark.")
        await in_thread(lambda: program_entry_link(actor=OPERATOR, entry_id=entry.pk, url=VIDEO))
        await screen.until("Watch 1:02")


async def test_figures_are_not_sent_before_the_members_mark():
    piece = await in_thread(PieceFactory)

    def made():
        entry = played(piece, "Ada Bach")
        rate(entry, 13, 14, 14)
        return UserFactory()

    member = await in_thread(made)
    address = f"/pieces/{piece.pk}?sort=mark"
    async with opened_in_a_window(address, user=member) as screen:
        assert "3 marks" in screen.text
        for figure in ("13.7", "most often 14"):
            assert figure not in screen.received()
        await screen.press("Show the audience’s: Ada Bach")
        await screen.until("most often 14")
