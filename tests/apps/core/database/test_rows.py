"""Test results that are filled from querysets by the names of their fields."""

from dataclasses import dataclass
from typing import Annotated

import pytest

from apps.competition.models import Session
from apps.core.database.rows import Column, Part, columns_of, row_of, rows_of, rows_with
from tests.factories import SessionFactory

pytestmark = pytest.mark.django_db


@dataclass(frozen=True, slots=True)
class Listed:
    """A session with its stage, and a part that is not read."""

    title: str
    stage: Annotated[str, Column("stage__name")]
    names: Annotated[tuple[str, ...], Part()] = ()


def test_fields_are_filled_from_their_columns_with_one_query(django_assert_num_queries):
    first, second = SessionFactory.create_batch(2)
    found = Session.objects.order_by("pk")
    wanted = tuple(Listed(each.title, each.stage.name) for each in (first, second))
    assert columns_of(Listed) == ("title", "stage__name")
    with django_assert_num_queries(3):
        assert rows_of(found, Listed) == wanted
        assert row_of(found, Listed) == wanted[0]
        assert rows_with(found, Listed, "pk") == [(wanted[0], (first.pk,)), (wanted[1], (second.pk,))]
    assert row_of(found.none(), Listed) is None
