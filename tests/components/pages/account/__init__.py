"""Tests of the screens of accounts."""
