"""Test the string representation of rows in a shell and in a log."""

import pytest

from tests import factories


@pytest.mark.django_db
def test_rows_are_named_by_their_content():
    entry = factories.ProgramEntryFactory(piece__name="Scherzo in E major, Op. 54", order_number=2)
    appearance = entry.appearance
    performance = factories.ImportedPerformanceFactory(participant=appearance.participant, stage="Preliminary Round")
    objects = [appearance.session.stage, appearance.session, appearance.participant]
    objects += [entry.piece, appearance, entry, performance]
    assert [str(row) for row in objects] == [
        appearance.session.stage.name,
        appearance.session.title,
        appearance.participant.name,
        "Scherzo in E major, Op. 54",
        f"{appearance.session_id}, {appearance.order_number}",
        f"{appearance.pk}, 2",
        f"{appearance.participant_id}, Preliminary Round",
    ]
    post = factories.BlogPostFactory(title="Four pianos", author__username="halina_k")
    assert (str(post), str(post.author)) == ("Four pianos", "halina_k")
