"""The table of addresses that are not pages."""

import re
from types import ModuleType, SimpleNamespace

import pytest
from django.apps import apps

from apps.core.addresses import Address
from project.http import addresses
from project.urls import RestConverter, is_other, urlpatterns

NEW = "/prizes/<id:prize_id>/diploma.pdf"


@pytest.fixture
def fresh():
    addresses.table.cache_clear()
    yield
    addresses.table.cache_clear()


def declare(monkeypatch: pytest.MonkeyPatch, *rows: Address) -> None:
    """Declare these addresses in an app's module."""
    module = ModuleType("apps.prizes.addresses")
    module.ADDRESSES = rows  # type: ignore[attr-defined]
    config = SimpleNamespace(name="apps.prizes", module=ModuleType("apps.prizes"))
    monkeypatch.setattr(apps, "get_app_configs", lambda: [config])
    monkeypatch.setattr(addresses, "module_has_submodule", lambda *_: True)
    monkeypatch.setitem(__import__("sys").modules, "apps.prizes.addresses", module)


def test_every_address_is_served():
    served = {f"/{pattern.pattern}": pattern.callback for pattern in urlpatterns}
    assert all(served[row.pattern] is row.view for row in addresses.table())
    assert is_other("/robots.txt")
    assert not is_other("/participants")


def test_every_parameter_of_an_address_has_a_pattern_unless_the_view_ignores_it():
    found = 0
    for url in urlpatterns:
        for name, converter in url.pattern.converters.items():
            if isinstance(converter, RestConverter):
                continue
            found += 1
            for text in ("\x00", "a\x00b", "\n", "1\n", "\x7f", "\u202e", "/", "", "a" * 65, "1" * 65):
                assert not re.fullmatch(converter.regex, text), f"{url.pattern}: {name} is {text!r}"
    assert found >= 7


@pytest.mark.usefixtures("fresh")
def test_app_can_add_an_address(monkeypatch):
    row = Address(NEW, lambda request: request)
    declare(monkeypatch, row)
    assert addresses.table()[-1] is row


@pytest.mark.usefixtures("fresh")
def test_address_cannot_be_declared_twice(monkeypatch):
    declare(monkeypatch, Address("/robots.txt", lambda request: request))
    with pytest.raises(ValueError, match=r"/robots\.txt"):
        addresses.table()
