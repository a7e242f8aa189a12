"""Tests of components/ui."""
