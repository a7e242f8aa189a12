"""The site's settings, with the peers' addresses and, for the one peer that needs it, a channel layer."""

import os

from project.settings import *  # noqa: F403 - the site as it is, plus what follows
from project.settings import ROOT, TEMPLATES

ROOT_URLCONF = "benchmarks.urls"
TEMPLATES = [{**TEMPLATES[0], "DIRS": [ROOT / "benchmarks" / "templates"]}]
if os.environ.get("BENCH_KIND") == "group":  # a layer costs every consumer of the process a task, so only where asked
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
