"""Events of the search: none. It hears those of the apps that registered what can be found; no page waits for it."""

from apps.core.events import topics_declare

TOPICS = topics_declare({})
