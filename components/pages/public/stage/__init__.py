"""What the stalls think of a stage, and how it is counted."""

from components.pages.public.stage.page import load

__all__ = ["load"]
