"""The migrations of an app can be reversed and applied again: the community's, with tables and counters."""

import pytest
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from apps.community.models import PostReactionCount
from tests.factories import PostCommentFactory, PostReactionFactory
from tests.owner import as_owner

TABLES = {"posts", "post_reactions", "post_comments", "post_reaction_counts", "post_comment_counts"}
APP = "community"


@pytest.mark.django_db
@pytest.mark.long(reason="reverses and applies the migrations")
def test_migrations_can_be_reversed_and_applied_again():
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes(APP)
    with as_owner(), transaction.atomic():
        row = PostReactionFactory(post=PostCommentFactory().post)
        connection.check_constraints()
        assert PostReactionCount.objects.get(post_id=row.post_id).count == 1
        MigrationExecutor(connection).migrate([(APP, None)])
        assert not TABLES & set(connection.introspection.table_names())
        MigrationExecutor(connection).migrate(newest)
        assert set(connection.introspection.table_names()) >= TABLES
        row = PostReactionFactory()
        assert PostReactionCount.objects.get(post_id=row.post_id).count == 1
        transaction.set_rollback(True)
