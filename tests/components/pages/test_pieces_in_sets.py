"""The page of a piece that is played in a set, and those of a set, a sonata, and a work of another composer."""

import re

import pytest

from apps.competition.models import PiecePart, ProgramPart
from apps.ratings.services.covering import ears_first_set
from tests.components.pages.test_pieces import QUERIES, names, played, rate, rows
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import PieceFactory, PieceRatingFactory, ProgramEntryFactory, UserFactory, viewer_of
from tests.general import queries_counted

pytestmark = pytest.mark.django_db


def mazurka(number, **fields):
    facts = {"category": "mazurek", "title": "Mazurka", "key": "C major", "opus": "33", "number": number}
    return PieceFactory(name=f"Mazurka in C major, Op. 33 No. {number}", **facts, **fields)


def set_of(*pieces, name="Mazurkas, Op. 33", numbers="1–3", title="Mazurkas"):
    facts = {"category": "mazurek", "title": title, "key": "", "opus": "33", "number": None}
    whole = PieceFactory(name=name, numbers=numbers, minutes="7.6", **facts)
    for number, piece in enumerate(pieces, start=1):
        PiecePart.objects.create(piece=whole, order_number=number, member=piece)
    return whole


def test_performance_of_a_set_is_on_the_page_of_each_piece_with_the_marks_of_the_set():
    pieces = [mazurka(number) for number in (1, 2, 3)]
    whole, member = set_of(*pieces), UserFactory()
    in_set, alone = played(whole, "Ada Bach", days_ago=1), played(pieces[1], "Ewa Duda", days_ago=2)
    rate(in_set, 18, 19, 19), rate(alone, 5)
    for piece in pieces:
        page = f"/pieces/{piece.pk}"
        shown = {text(one(row, "h3")): row for row in rows(page)}
        sentence = text(shown["Ada Bach"])
        assert "as part of Mazurkas op. 33 nos. 1–3" in sentence
        assert "Audience 18.7" in sentence
        assert "for the three together" in sentence
        assert f"/pieces/{whole.pk}" in {attributes(link)["href"] for link in every(shown["Ada Bach"], "a")}
        head = text(opened(page).main)
        assert ("Played by 2 performers, 1 mark." if piece == pieces[1] else "one performer, 0 marks") in head
        assert "side by side" not in head  # of the piece itself there is one performance at most
    page = f"/pieces/{pieces[1].pk}"
    assert names(f"{page}?sort=mark") == ["Ewa Duda", "Ada Bach"]  # though the set has the higher mark
    assert "So far there are fewer." in text(opened(f"{page}/compare").main)
    covered = text(rows(page, viewer_of(member))[0])
    assert "3 marks Show the audience’s" in covered
    assert "18.7" not in covered
    PieceRatingFactory(entry=in_set, user=member, score=20)
    uncovered = text(rows(page, viewer_of(member))[0])
    assert "Audience 18.7" in uncovered
    assert ", you 20, for the three together" in uncovered
    assert names(f"{page}?sort=mark", viewer_of(member)) == ["Ada Bach", "Ewa Duda"]  # no own mark: by date
    ears_first_set(actor=viewer_of(member), ears_first=False)
    assert "audience 5.0" in text(rows(page, viewer_of(member))[1])


def test_watch_goes_to_the_moment_of_the_part_and_else_of_the_item():
    first, second = mazurka(1), mazurka(2)
    whole = set_of(first, second)
    entry = played(whole, "Ada Bach")
    part = PiecePart.objects.get(piece=whole, member=second)
    moment = ProgramPart.objects.create(entry=entry, part=part, timestamp=245)
    watch = [text(one(rows(f"/pieces/{piece.pk}")[0], "a", "watch")) for piece in (first, second)]
    assert watch == ["Watch 1:02", "Watch 4:05"]
    ProgramPart.objects.filter(pk=moment.pk).update(timestamp=None, youtube_url="https://youtu.be/zzzz-KE-bpK?t=9")
    address = f"/pieces/{second.pk}?watch={entry.appearance_id}"
    assert re.search(r"/embed/zzzz-KE-bpK\?.*start=9", attributes(one(opened(address).main, "iframe"))["src"])


def test_piece_that_one_plays_alone_and_in_the_set_has_its_own_mark():
    first, second = mazurka(1), mazurka(2)
    entry = played(set_of(first, second), "Ada Bach")
    rate(ProgramEntryFactory(appearance=entry.appearance, piece=first), 7)
    rate(entry, 25)
    (row,) = rows(f"/pieces/{first.pk}")
    assert ("as part of" in text(row), "audience 7.0" in text(row)) == (False, True)
    assert "Audience 25.0" in text(rows(f"/pieces/{second.pk}")[0])


def test_set_lists_its_pieces_and_a_sonata_its_movements():
    pieces = [mazurka(number) for number in (1, 2)]
    whole = set_of(*pieces)
    rate(played(whole, "Ada Bach"), 12)
    page = opened(f"/pieces/{whole.pk}").main
    listed = one(page, "ol", "sections--set")
    assert [attributes(link)["href"] for link in every(listed, "a")] == [f"/pieces/{piece.pk}" for piece in pieces]
    assert "About 8 minutes." in text(page)
    assert "audience 12.0" in text(rows(f"/pieces/{whole.pk}")[0])
    sonata = PieceFactory(category="sonata", title="Sonata", minutes="26.5", name="Sonata in B-flat minor, Op. 35")
    for number, name in enumerate(("Grave. Doppio movimento", "Scherzo"), start=1):
        PiecePart.objects.create(piece=sonata, order_number=number, name=name)
    page = opened(f"/pieces/{sonata.pk}").main
    assert [text(part) for part in every(one(page, "ol", "sections"), "em")] == ["Grave. Doppio movimento", "Scherzo"]
    assert "About 27 minutes." in text(page)
    other = PieceFactory(category="other", title="Toccata", key="C major", opus="", number=None, composer="Ada Byron")
    played(other)
    assert "Ada Byron: Toccata in C major" in text(opened("/pieces?category=other").main)
    assert text(one(opened(f"/pieces/{other.pk}").main, "p", "composer")) == "Ada Byron"
    assert text(one(opened(f"/pieces/{other.pk}").main, "h1")) == "Toccata in C major"


@pytest.mark.parametrize("count", [1, 9])
def test_query_count_is_independent_of_sets(count):
    piece, member = mazurka(1), UserFactory()
    for number in range(count):
        whole = set_of(piece, mazurka(number + 2), name=f"Two mazurkas, {number}", title="")
        rate(played(whole), 20)
    page = f"/pieces/{piece.pk}"
    loaded(page)
    with queries_counted(QUERIES):
        loaded(page)
    with queries_counted(QUERIES + 1):
        loaded(page, viewer_of(member))
