"""The table of addresses that are not pages."""

from types import ModuleType, SimpleNamespace

import pytest
from django.apps import apps

from apps.core.addresses import Address
from project.http import addresses
from project.urls import is_other, urlpatterns

NEW = "/prizes/<id:prize_id>/diploma.pdf"


@pytest.fixture
def fresh():
    addresses.table.cache_clear()
    yield
    addresses.table.cache_clear()


def declaring(monkeypatch: pytest.MonkeyPatch, *rows: Address) -> None:
    """Declare these addresses in an app's module."""
    module = ModuleType("apps.prizes.addresses")
    module.ADDRESSES = rows  # type: ignore[attr-defined]
    config = SimpleNamespace(name="apps.prizes", module=ModuleType("apps.prizes"))
    monkeypatch.setattr(apps, "get_app_configs", lambda: [config])
    monkeypatch.setattr(addresses, "module_has_submodule", lambda *_: True)
    monkeypatch.setitem(__import__("sys").modules, "apps.prizes.addresses", module)


def test_every_row_of_the_table_is_served():
    served = {f"/{pattern.pattern}": pattern.callback for pattern in urlpatterns}
    assert all(served[row.pattern] is row.view for row in addresses.table())
    assert is_other("/robots.txt")
    assert not is_other("/participants")


@pytest.mark.usefixtures("fresh")
def test_an_app_adds_an_address_in_its_own_module(monkeypatch):
    row = Address(NEW, lambda request: request)
    declaring(monkeypatch, row)
    assert addresses.table()[-1] is row


@pytest.mark.usefixtures("fresh")
def test_an_address_that_is_declared_twice_is_refused(monkeypatch):
    declaring(monkeypatch, Address("/robots.txt", lambda request: request))
    with pytest.raises(ValueError, match=r"/robots\.txt"):
        addresses.table()
