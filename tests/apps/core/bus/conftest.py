"""Fixtures of the bus tests: a bus by either transport, with short delays."""

from collections.abc import AsyncIterator, Iterator

import pytest

from apps.core.bus import postgresql
from apps.core.bus.listeners import Bus
from apps.core.scale import relay, valkey
from tests.apps.core.bus.helpers import listening
from tests.valkey import Valkey, serving


@pytest.fixture(autouse=True)
def short_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the delays of reconnects and of the relay's election."""
    for module in (postgresql, relay, valkey):
        monkeypatch.setattr(module, "STEPS", (0.01,))
    for name in ("ASKED_EVERY", "SPEAKS_EVERY"):
        monkeypatch.setattr(relay, name, 0.05)


@pytest.fixture
def server() -> Iterator[Valkey]:
    """Start a Valkey server for this test only."""
    with serving() as valkey_server:
        yield valkey_server


@pytest.fixture(params=["postgresql", "valkey"])
def address(request: pytest.FixtureRequest) -> str:
    """Return BUS_URL for either transport."""
    return "" if request.param == "postgresql" else str(request.getfixturevalue("server").address)


@pytest.fixture
async def bus(address: str) -> AsyncIterator[Bus]:
    """Return a bus that listens."""
    async with listening(address) as running_bus:
        yield running_bus
