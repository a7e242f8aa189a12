"""Reads that Django compiles once give the rows of the query at each call."""

import pytest

from apps.competition.models import Participant
from apps.core.database.compiled import Parameter, compiled
from tests.factories import ParticipantFactory

pytestmark = pytest.mark.django_db


def test_a_compiled_read_binds_each_calls_values_and_converts_fields(django_assert_num_queries):
    compiled_times = []

    @compiled
    def read():
        compiled_times.append(1)
        found = Participant.objects.filter(pk__gte=Parameter("first"), pk__lte=Parameter("last"))
        return found.order_by("pk").values_list("pk", "name", "avatar_url")

    people = ParticipantFactory.create_batch(3, avatar_url="")
    expected = [(each.pk, each.name, "") for each in people]  # null in the database
    with django_assert_num_queries(2):
        assert read(first=people[0].pk, last=people[1].pk) == expected[:2]
        assert read(last=people[2].pk, first=people[1].pk) == expected[1:]
    assert compiled_times == [1]


def test_a_compiled_read_needs_all_its_parameters():
    @compiled
    def read():
        return Participant.objects.filter(pk=Parameter("participant_id")).values_list("pk")

    with pytest.raises(KeyError, match="participant_id"):
        read()
