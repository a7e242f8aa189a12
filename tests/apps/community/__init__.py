"""Tests of the community app."""
