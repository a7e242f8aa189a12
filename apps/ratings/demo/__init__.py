"""What an audience that never was thought of a competition that never was; its texts are the JSON files here."""

from .load import demo_load

__all__ = ["demo_load"]
