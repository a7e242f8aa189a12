"""Test queries that Django compiles once: each call binds its own parameters."""

import pytest

from apps.competition.models import Participant
from apps.core.database.compiled import Parameter, compiled
from tests.factories import ParticipantFactory

pytestmark = pytest.mark.django_db


def test_compiled_query_binds_parameters_and_converts_fields(django_assert_num_queries):
    compiled_times = []

    @compiled
    def read():
        compiled_times.append(1)
        participants = Participant.objects.filter(pk__gte=Parameter("first"), pk__lte=Parameter("last"))
        return participants.order_by("pk").values_list("pk", "name", "avatar_url")

    rows = ParticipantFactory.create_batch(3, avatar_url="")
    expected = [(row.pk, row.name, "") for row in rows]  # null in the database
    with django_assert_num_queries(2):
        assert read(first=rows[0].pk, last=rows[1].pk) == expected[:2]
        assert read(last=rows[2].pk, first=rows[1].pk) == expected[1:]
    assert compiled_times == [1]


def test_compiled_query_requires_all_parameters():
    @compiled
    def read():
        return Participant.objects.filter(pk=Parameter("participant_id")).values_list("pk")

    with pytest.raises(KeyError, match="participant_id"):
        read()
