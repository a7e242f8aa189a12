"""What this site keeps about people."""

from components.pages.public.privacy.page import load

__all__ = ["load"]
