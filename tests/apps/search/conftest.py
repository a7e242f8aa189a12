"""Fixtures of the search's tests: no answer is kept from another test."""

import pytest

from apps.search.kept import answers_forget
from apps.search.slips import vocabulary_forget


@pytest.fixture(autouse=True)
def fresh():
    """Forget what this process keeps."""
    answers_forget()
    vocabulary_forget()
