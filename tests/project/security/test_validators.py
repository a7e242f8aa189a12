"""The validators of every form and model field read 64 KB of text quickly, including those of Django and allauth."""

from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from itertools import product
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import DecimalField
from django.forms import BaseForm

from tests.project.security.bounded_work import repeated, work_bounded


def forms(base: type = BaseForm) -> Iterator[type]:
    """Yield every form class that is loaded with the URL configuration."""
    for form in base.__subclasses__():
        yield form
        yield from forms(form)


def fields() -> Iterator[Any]:
    """Yield every field of forms and models that validates input."""
    import_module(settings.ROOT_URLCONF)
    for form in forms():
        yield from getattr(form, "base_fields", {}).values()
    for model in apps.get_models():
        yield from (
            field
            for field in model._meta.get_fields()
            if hasattr(field, "run_validators") and not isinstance(field, DecimalField)  # it never reads a text
        )


def test_validators_read_long_texts_fast() -> None:
    validated = list(fields())
    assert len(validated) > 100
    distinct: list[Any] = []
    for field in validated:
        if not any(field.validators == other.validators for other in distinct):
            distinct.append(field)
    for repeat in ("a", "a@", "a.", "@a.", "-", "https://", "a%", "1", "1:", " ", "\u00e9"):
        for field, text in product(distinct, repeated(repeat)):
            with work_bounded(), suppress(ValidationError, TypeError):
                field.run_validators(text)
