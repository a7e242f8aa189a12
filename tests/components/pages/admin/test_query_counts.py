"""Each list of the administration takes a fixed number of queries for any number of its rows."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.core.models import AuditEntry
from apps.imports.models import ProgramText
from tests.components.pages.admin.programs import session_with_programs
from tests.components.seen import loaded
from tests.factories import (
    AppearanceFactory,
    BlogPostFactory,
    PieceFactory,
    ProgramEntryFactory,
    SessionFactory,
    UserFactory,
    viewer_of,
)

ROWS = 21  # more than a page of most lists


@pytest.mark.django_db
def test_query_counts_of_administration_are_independent_of_rows() -> None:
    setup = session_with_programs(appearances=ROWS)
    admin, session = viewer_of(setup.admin), setup.session.pk
    BlogPostFactory.create_batch(ROWS, author=setup.admin)
    UserFactory.create_batch(ROWS)
    for number in range(ROWS):
        PieceFactory(category="scherzo")
        coming = SessionFactory(starts_at=timezone.now() + timedelta(hours=number + 2))
        participant = setup.appearances[number].participant
        ProgramEntryFactory(appearance=AppearanceFactory(session=coming, participant=participant))
        AuditEntry.objects.create(user_id=setup.admin.pk, action="post.create", subject="post", subject_id=number + 1)
    lines = [f"{number}. Mazurka in A minor, Op. 17 No. 4" for number in range(ROWS)]
    ProgramText.objects.create(user_id=admin.id, text="\n".join(lines))
    chosen = f"appearance={setup.appearance.pk}"
    expected = {
        "/admin/blog": 2,
        "/admin/participants": 5,  # countries, count, rows, default avatar, sessions
        "/admin/people": 4,  # the viewer's role, people, lockouts, default avatar
        "/admin/pianos": 1,
        "/admin/pieces": 2,
        "/admin/prepare": 9,
        f"/admin/program-import?session={session}&{chosen}": 14,
        f"/admin/program-import?session=all&{chosen}": 14,
        setup.choice: 9,
        "/admin/sessions": 8,
        f"/admin/sessions?mode=edit&id={session}": 10,
        "/admin/sessions?mode=create": 3,
        "/admin?tab=audit": 10,  # one of them for each kind of object
    }
    for address in expected:
        loaded(address, admin)
    counts = {}
    for address in expected:
        with CaptureQueriesContext(connection) as queries:
            loaded(address, admin)
        counts[address] = len(queries)
    assert counts == expected
