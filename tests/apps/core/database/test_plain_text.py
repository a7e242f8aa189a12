"""Test searches in titles: with and without capitals and accents, composed or not."""

import pytest

from apps.competition.selectors.admin.pieces import pieces_by_category
from apps.competition.selectors.admin.sessions import session_options, sessions_admin
from apps.news.selectors import posts_admin
from tests.factories import BlogPostFactory, PieceFactory, SessionFactory

TITLES = {
    "Sesja w Łodzi, przesłuchania": ["łodzi", "LODZI", "przesluchania", "PRZESŁUCHANIA"],
    "Générale à Genève": ["generale", "GÉNÉRALE", "gene\u0301rale", "geneve"],
    "Второй этап, ёлка": ["ЭТАП", "второи\u0306", "елка"],
    "Đêm nhạc": ["dem nhac", "Đe\u0302m"],
    "第二轮 조성진": ["第二轮", "조성진", "\u110c\u1169성진"],
    "ערב שני": ["ערב"],
    "Smørrebrød": ["smorrebrod", "SMØRREBRØD"],
}


@pytest.mark.django_db
@pytest.mark.parametrize("title", TITLES)
def test_title_is_found_without_case_and_accents(title):
    session, piece, post = SessionFactory(title=title), PieceFactory(name=title), BlogPostFactory(title=title)
    SessionFactory(title="Final")
    PieceFactory(name="Rondo")
    BlogPostFactory(title="News")
    for query in TITLES[title]:
        assert [row.id for row in sessions_admin(query=query).rows] == [session.pk], query
        assert [row.id for row in session_options(query=query)] == [session.pk], query
        pieces = [row for group in pieces_by_category(query=query).groups for row in group.pieces]
        assert [row.piece.id for row in pieces] == [piece.pk], query
        assert [row.id for row in posts_admin(query=query).rows] == [post.pk], query
