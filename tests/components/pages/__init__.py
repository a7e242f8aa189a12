"""Tests of components/pages."""
