"""App configuration of the jury."""

from django.apps import AppConfig


class JuryConfig(AppConfig):
    """The jury's marks, the official result, and the audience beside it."""

    name = "apps.jury"
