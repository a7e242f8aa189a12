"""Tests of components/parts."""
