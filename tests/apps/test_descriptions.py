"""Test the string representation of rows in a shell and in a log."""

import pytest

from tests import factories as rows


@pytest.mark.django_db
def test_rows_are_called_by_what_they_are():
    entry = rows.ProgramEntryFactory(piece__name="Scherzo in E major, Op. 54", order_number=2)
    appearance = entry.session_participant
    performance = rows.PerformanceFactory(participant=appearance.participant, stage="Preliminary Round")
    described = [
        appearance.session.stage,
        appearance.session,
        appearance.participant,
        entry.piece,
        appearance,
        entry,
        performance,
    ]
    assert [str(each) for each in described] == [
        appearance.session.stage.name,
        appearance.session.title,
        appearance.participant.name,
        "Scherzo in E major, Op. 54",
        f"{appearance.session_id}, {appearance.order_number}",
        f"{appearance.pk}, 2",
        f"{appearance.participant_id}, Preliminary Round",
    ]
    post = rows.BlogPostFactory(title="Four pianos", author__username="halina_k")
    assert (str(post), str(post.author)) == ("Four pianos", "halina_k")
