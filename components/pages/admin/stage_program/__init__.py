"""The page of a stage's program: its slots, and its programs in the order of playing, checked against them."""

from components.pages.admin.stage_program.page import load

__all__ = ["load"]
