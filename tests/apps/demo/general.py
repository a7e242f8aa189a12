"""The selector's call that the general tests make on a large database."""

from collections.abc import Mapping

from django.test import override_settings

from apps.demo import selectors as demo
from tests.apps.reads import Read


def _state() -> object:
    with override_settings(DEMO_ALIVE=True):
        return demo.demo_state()


READS: Mapping[str, list[Read]] = {"demo_state": [Read(_state)]}
