"""Django's registration of the demo app."""

from django.apps import AppConfig


class DemoConfig(AppConfig):
    """The invented competition; no other app imports it."""

    name = "apps.demo"
