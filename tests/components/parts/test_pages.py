"""Long lists are paginated; the addresses of the pages keep the search and the filter."""

import datetime as dt

import pytest
from django.utils import timezone

from apps.competition.enums import Category
from apps.competition.limits import PARTICIPANTS_SHOWN, PIECES_SHOWN, SESSIONS_SHOWN
from apps.competition.models import Participant, Piece, Session
from apps.competition.selectors.admin.programs import pieces_by_category
from apps.ranking.limits import RANKED_SHOWN
from apps.ranking.models import RankingRow, RankingRun
from components.parts.participants import participant_results
from components.parts.sessions.lists import session_cards
from components.parts.stages.ranking_table import own_ranking, ranking_table
from tests.apps.ranking.halls import stage_of
from tests.apps.ranking.test_computation import run_columns
from tests.components.seen import attributes, every, one, read_part, text
from tests.factories import ParticipantFactory, PieceFactory, StageFactory

pytestmark = pytest.mark.django_db


def links(shown):
    """Return the addresses of the links to the previous and the next page, by their text."""
    return {text(link): attributes(link)["href"] for link in every(one(shown, "nav", "paging"), "a")}


def test_pages_of_participants_keep_the_search():
    participants = [
        ParticipantFactory.build(second_name=f"Nowak {n:03}", name=f"Zofia Nowak {n:03}", country="Österreich")
        for n in range(PARTICIPANTS_SHOWN + 1)
    ]
    for participant in participants:
        participant.name_folded = participant.sort_folded = participant.name.lower()
    Participant.objects.bulk_create(participants)
    first = read_part(participant_results, "nowak", "Österreich", 0, 1)
    assert len(every(first, "h2")) == PARTICIPANTS_SHOWN
    assert text(one(first, role="status")) == f"{PARTICIPANTS_SHOWN + 1} participants"
    assert links(first) == {"Next page": "/participants?q=nowak&country=%C3%96sterreich&page=2"}
    for number in (2, 999_999_999):
        last = read_part(participant_results, "nowak", "Österreich", 0, number)
        assert text(one(last, "h2")) == f"Zofia Nowak {PARTICIPANTS_SHOWN:03}"
        assert links(last) == {"Previous page": "/participants?q=nowak&country=%C3%96sterreich"}
    assert not every(read_part(participant_results, "nowak 007", "", 0, 1), "nav")


def test_pages_of_sessions_keep_the_tab():
    stage, now = StageFactory(), timezone.now()
    Session.objects.bulk_create(
        Session(stage=stage, title=f"Session {n}", starts_at=now - dt.timedelta(days=n + 1), youtube_id="")
        for n in range(SESSIONS_SHOWN + 1)
    )
    Session.objects.filter(title="Session 1").update(is_live=True)
    first, last = read_part(session_cards, "past", 1), read_part(session_cards, "past", 2)
    assert text(every(first, "h2")[0]) == f"Session {SESSIONS_SHOWN}"
    assert links(first) == {"Next page": "/sessions?show=past&page=2"}
    assert links(last) == {"Previous page": "/sessions?show=past"}
    assert "Session 1" not in [text(heading) for heading in every(last, "h2")], "the live one is above"


def test_pages_of_the_catalogue_span_categories():
    Piece.objects.bulk_create(
        PieceFactory.build(name=f"Piece {n}", category=category, opus="", number=None)
        for n in range(PIECES_SHOWN)
        for category in (Category.MAZUREK, Category.ETIUDA_A)
    )
    first, last = pieces_by_category(query="piece"), pieces_by_category(query="piece", number=2)
    assert [(group.category, len(group.pieces)) for group in first.groups if group.pieces] == [
        ("etiuda_a", PIECES_SHOWN)
    ]
    assert [(group.category, len(group.pieces)) for group in last.groups if group.pieces] == [("mazurek", PIECES_SHOWN)]
    for page in (first, last):
        assert [(group.count, group.number) for group in page.groups if group.count] == [(100, 1), (100, 2)]
        assert page.pages == 2


def ranks(body):
    return [text(cell) for cell in every(body, "td", "rank__nr")]


def test_ranking_is_paginated():
    appearances = stage_of(RANKED_SHOWN + 1, pieces=0)
    stage_id = appearances[0].session.stage_id
    run = RankingRun.objects.create(stage_id=stage_id, **run_columns())
    RankingRow.objects.bulk_create(
        RankingRow(run=run, appearance=each, rank=rank, score=12, raters=10, mean=12)
        for rank, each in enumerate(appearances, 1)
    )
    first, last = read_part(ranking_table, stage_id, 1, "ranking"), read_part(ranking_table, stage_id, 2, "ranking")
    assert len(ranks(one(first, "tbody"))) == RANKED_SHOWN
    assert ranks(one(last, "tbody")) == [str(RANKED_SHOWN + 1)]
    assert links(first) == {"Next page": f"/stages/{stage_id}?page=2"}
    seen = f"{appearances[40].pk}-{appearances[70].pk}"
    first, last = (
        read_part(own_ranking, stage_id, 1, "ranking", seen),
        read_part(own_ranking, stage_id, 2, "ranking", seen),
    )
    ranked, covered = every(first, "tbody")
    assert ranks(ranked) == ["1", "2"]
    assert len(ranks(covered)) == RANKED_SHOWN - 2
    assert text(one(last, "span", "person__name")) == appearances[-1].participant.name
