"""Test the counters that all processes share: rows of this cache are removed by expiry only."""

import os
import time

import psycopg
import pytest
from django.core.cache import cache, caches
from django.db import connection, transaction

from apps.core.database import cache as counters
from apps.core.database.autocommit_pool import NAME, autocommit_pool
from apps.core.database.cache import Counters
from apps.core.models import Counter
from tests.apps.conftest import run_together
from tests.owner import as_owner

pytestmark = pytest.mark.django_db(transaction=True)


def test_value_is_stored_until_it_expires():
    assert cache.get("moments", "default") == "default"
    cache.set("moments", [1.5, 2], 60)
    assert cache.get("moments") == [1.5, 2]
    cache.set("moments", None, 60)
    assert cache.get("moments", "default") is None
    assert "moments" in cache
    Counter.objects.update(expires_at="2020-01-01T00:00Z")
    assert cache.get("moments", "default") == "default"
    assert not cache.delete("moments")
    assert not cache.touch("moments", 60)
    cache.set("for-ever", 1, None)
    cache.set("at-once", 1, 0)
    cache.set("by-default", 1)
    assert (cache.get("for-ever"), cache.get("at-once"), cache.get("by-default")) == (1, None, 1)
    assert cache.touch("by-default", 0)
    assert cache.get("by-default") is None
    assert cache.delete("for-ever")
    assert cache.get("for-ever") is None
    with pytest.raises(TypeError):
        cache.set("not-json", object(), 60)


def test_add_stores_only_if_no_valid_value_exists():
    assert cache.add("lock", True, 60)
    assert not cache.add("lock", False, 60)
    assert cache.get("lock") is True
    Counter.objects.update(expires_at="2020-01-01T00:00Z")
    assert cache.add("lock", False, 60)


def test_one_of_forty_concurrent_adds_stores():
    results = run_together(*[lambda: Counters("", {}).add("lock", True, 60)] * 40, connect=False)
    assert sorted(results) == [False] * 39 + [True]


def test_rollback_keeps_the_value():
    with transaction.atomic():
        cache.set("attempts", 8, 60)
        transaction.set_rollback(True)
    assert cache.get("attempts") == 8


def test_only_expired_rows_are_deleted(monkeypatch):
    monkeypatch.setattr(counters, "_pruned", time.monotonic() - 2 * counters.PRUNE)
    Counter.objects.bulk_create(
        [Counter(key=f":1:kept{n}", value=n, expires_at="2100-01-01T00:00Z") for n in range(1000)]
        + [Counter(key=f":1:expired{n}", value=n, expires_at="2020-01-01T00:00Z") for n in range(50)]
    )
    cache.set("one-more", 1, 60)
    assert Counter.objects.count() == 1001
    Counter.objects.create(key=":1:late", value=1, expires_at="2020-01-01T00:00Z")
    cache.set("soon-after", 1, 60)
    assert Counter.objects.filter(key=":1:late").exists()
    cache.clear()
    assert not Counter.objects.exists()


@pytest.mark.skipif("POOLER" in os.environ, reason="it would end the pooler's connection, not the site's")
def test_lost_connection_is_replaced():
    cache.set("before", 1, 60)
    with as_owner() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND application_name = %s",
            [NAME],
        )
        assert set(cursor.fetchall()) == {(True,)}
    assert cache.get("before") == 1


def test_database_outage_is_an_error(monkeypatch):
    autocommit_pool.close()
    assert not autocommit_pool.free
    monkeypatch.setitem(connection.settings_dict, "NAME", "nowhere")
    with pytest.raises(psycopg.Error):
        caches["default"].get("anything")
    autocommit_pool.close()
