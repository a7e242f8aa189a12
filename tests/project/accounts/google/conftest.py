"""Fixtures that replace Google with a provider of the tests."""

import pytest

from project.config import Google
from project.http.middleware import security_headers
from tests import provider
from tests.project.accounts.google.steps import EWA, NAMELESS, UNSURE


@pytest.fixture(scope="module")
def address():
    faulty = [{"sub": fault, "email": f"{fault}@example.org", "email_verified": True} for fault in provider.FAULTS]
    with provider.provider([EWA, UNSURE, NAMELESS, *faulty]) as served:
        yield served


def with_google(settings, google):
    settings.GOOGLE = google
    settings.SOCIALACCOUNT_PROVIDERS = {"google": google.provider}
    security_headers.cache_clear()


@pytest.fixture
def google(settings, address):
    with_google(settings, Google(*provider.environment(address).values()))
    yield
    security_headers.cache_clear()


@pytest.fixture
def google_unreachable(settings):
    closed = f"http://127.0.0.1:{provider.free_port()}"
    with_google(settings, Google(*provider.environment(closed).values()))
    yield
    security_headers.cache_clear()
