"""What a row is called in a shell and in a log."""

import pytest

from tests import factories as rows


@pytest.mark.django_db
def test_rows_are_called_by_what_they_are():
    entry = rows.ProgramEntryFactory(piece__name="Scherzo in E major, Op. 54", order_number=2)
    place = entry.session_participant
    performance = rows.PerformanceFactory(participant=place.participant, stage="Preliminary Round")
    described = [place.session.stage, place.session, place.participant, entry.piece, place, entry, performance]
    assert [str(each) for each in described] == [
        place.session.stage.name,
        place.session.title,
        place.participant.name,
        "Scherzo in E major, Op. 54",
        f"{place.session_id}, {place.order_number}",
        f"{place.pk}, 2",
        f"{place.participant_id}, Preliminary Round",
    ]
    post = rows.BlogPostFactory(title="Four pianos", author__username="halina_k")
    assert (str(post), str(post.author)) == ("Four pianos", "halina_k")
