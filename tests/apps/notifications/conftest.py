"""A push service on loopback that the site sends to."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.notifications.push.site_key import push_key_create
from tests.apps.notifications.push_service import PushService, push_service


@pytest.fixture
def service(tmp_path: Path, settings: Any) -> Iterator[PushService]:
    """Run a push service that the site may send to."""
    with push_service(tmp_path) as running:
        settings.PUSH_PRIVATE_KEY, settings.PUSH_CONTACT = push_key_create(), "mailto:push@parterre.example"
        settings.PUSH_TEST_ORIGIN, settings.PUSH_TEST_AUTHORITY = running.origin, running.authority
        yield running


@pytest.fixture
def silent(service: PushService, tmp_path: Path, settings: Any) -> Iterator[PushService]:
    """Run another push service."""
    with push_service(tmp_path) as running:
        settings.PUSH_TEST_ORIGIN += f" {running.origin}"
        yield running
