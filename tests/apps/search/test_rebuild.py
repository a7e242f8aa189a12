"""Test `manage.py search rebuild`: it counts and repairs missing, different and superfluous entries."""

import pytest
from django.core.management import call_command

from apps.competition.services.catalogue import catalogue_load
from apps.search.apps import _after_migrations
from apps.search.enums import Kind
from apps.search.models import SearchEntry
from apps.search.services import entries_rebuild
from tests.apps.search.places import titles
from tests.factories import BlogPostFactory, ParticipantFactory, PostFactory, SessionFactory

pytestmark = pytest.mark.django_db


def counts() -> dict[str, tuple[int, int, int]]:
    return {row.kind.value: (row.missing, row.different, row.superfluous) for row in entries_rebuild()}


def test_wrong_entries_are_counted_and_repaired():
    catalogue_load()
    ParticipantFactory(first_name="Jan", second_name="Nowak", name="Jan Nowak")
    SessionFactory(), PostFactory(), BlogPostFactory()
    assert counts()["participant"] == (1, 0, 0)
    assert set(counts().values()) == {(0, 0, 0)}
    pieces = SearchEntry.objects.filter(kind=Kind.PIECE.value).order_by("object_id")
    pieces.filter(pk__in=list(pieces.values_list("pk", flat=True)[:3])).delete()
    SearchEntry.objects.filter(kind=Kind.POST.value).update(is_public=False)
    SearchEntry.objects.filter(kind=Kind.PARTICIPANT.value).update(words="")
    SearchEntry.objects.filter(kind=Kind.SESSION.value).update(title="Another")
    SearchEntry.objects.filter(kind=Kind.NEWS.value).update(weight=3)
    SearchEntry.objects.create(
        kind=Kind.NEWS.value, object_id=999, is_public=True, weight=0, title="Gone", folded="|", words="'ne~gone'"
    )
    assert titles("gone") == ["Gone"]
    repaired = counts()
    assert [repaired[kind] for kind in ("piece", "post", "news")] == [(3, 0, 0), (0, 1, 0), (0, 1, 1)]
    assert [repaired[kind] for kind in ("participant", "session")] == [(0, 1, 0), (0, 1, 0)]
    assert set(counts().values()) == {(0, 0, 0)}
    assert (titles("gone"), titles("nowak")) == ([], ["Jan Nowak"])


def test_command_prints_the_counts_of_each_kind(capsys):
    ParticipantFactory()
    call_command("search", "rebuild")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "participant: 1 found, 1 missing, 0 different, 0 superfluous"
    assert len(lines) == len(Kind)


def test_migration_fills_the_table_of_an_existing_site():
    added = catalogue_load()
    SearchEntry.objects.all().delete()
    _after_migrations(plan=[])
    assert not SearchEntry.objects.exists()

    class Migration:
        app_label = "search"

    _after_migrations(plan=[(Migration, True)])
    assert not SearchEntry.objects.exists()
    _after_migrations(plan=[(Migration, False)])
    assert SearchEntry.objects.count() == added > 214
