"""Test publishing: listeners receive events after the commit only, and undeclared topics are refused."""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import transaction

from apps.core.events import TopicUnknown, publish, topics_check, topics_declare

SAMPLES: dict[Any, Any] = {
    int: 7,
    int | None: 7,
    bool: True,
    tuple[int, ...]: (7,),
    tuple[tuple[int, int], ...]: ((7, 7),),
}
topics_declare(dict.fromkeys(("lamp", "lamp.<id>"), "of a test"))


@dataclass(frozen=True)
class LampLit:
    """An event of this test."""

    topics: tuple[str, ...] = ("lamp", "lamp.1")


def test_event_is_published_only_after_the_commit(listener):
    with transaction.atomic():
        publish(LampLit())
        assert listener.heard() == set()
    assert listener.heard() == {"lamp", "lamp.1"}
    with transaction.atomic():
        publish(LampLit())
        transaction.set_rollback(True)
    assert listener.heard() == set()


def test_event_with_an_undeclared_topic_is_refused():
    for topic in ("lamb", "lamp.1.2", "lamp.one", "1", ""):
        with pytest.raises(TopicUnknown, match=f"LampLit: no event publishes the topic '{topic}'"):
            publish(LampLit(("lamp", topic)))


def test_topic_is_declared_once():
    topics_declare({"lamp": "of a test"})
    with pytest.raises(ValueError, match=r"the topic 'lamp' is declared twice: 'of a test' and 'another lamp'"):
        topics_declare({"lamp": "another lamp"})
    topics_check(["lamp.5", "lamp.<id>"], where="a slot query")


def events_of(module) -> Iterator[Any]:
    """Yield one event of each kind in this module, with sample ids."""
    for kind in vars(module).values():
        if is_dataclass(kind) and inspect.isclass(kind) and kind.__module__ == module.__name__:
            yield kind(**{field.name: SAMPLES[field.type] for field in fields(kind)})


def test_every_declared_topic_is_published_by_an_event():
    names = [app.name for app in apps.get_app_configs() if app.name.startswith("apps.")]
    modules = [import_module(f"{name}.events") for name in names if name != "apps.core"]
    published = {topic for module in modules for event in events_of(module) for topic in event.topics}
    declared = {topic.replace("<id>", "7") for module in modules for topic in module.TOPICS}
    assert published == declared
