"""A bus by either transport, in haste."""

from collections.abc import AsyncIterator, Iterator

import pytest

from apps.core.bus import postgresql
from apps.core.bus.listeners import Bus
from apps.core.scale import relay, valkey
from tests.apps.core.bus.hearing import listening
from tests.valkey import Valkey, serving


@pytest.fixture(autouse=True)
def haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """Come back quickly, and become the relay quickly."""
    for module in (postgresql, relay, valkey):
        monkeypatch.setattr(module, "STEPS", (0.01,))
    for name in ("ASKED_EVERY", "SPEAKS_EVERY"):
        monkeypatch.setattr(relay, name, 0.05)


@pytest.fixture
def server() -> Iterator[Valkey]:
    """A Valkey of this test's own."""
    with serving() as made:
        yield made


@pytest.fixture(params=["postgresql", "valkey"])
def address(request: pytest.FixtureRequest) -> str:
    """BUS_URL, of either transport."""
    return "" if request.param == "postgresql" else str(request.getfixturevalue("server").address)


@pytest.fixture
async def bus(address: str) -> AsyncIterator[Bus]:
    """A bus that listens."""
    async with listening(address) as made:
        yield made
