"""The site's settings with the URLs of the peers, and a channel layer for the peers that need one."""

import os

from project.config import ROOT
from project.settings import *  # noqa: F403 - the site as it is, plus what follows
from project.settings import TEMPLATES

ROOT_URLCONF = "benchmarks.urls"
TEMPLATES = [TEMPLATES[0], {**TEMPLATES[1], "DIRS": [*TEMPLATES[1]["DIRS"], ROOT / "benchmarks" / "templates"]}]
if os.environ.get("BENCH_KIND") in ("group", "relay"):  # a layer costs every consumer a task
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
