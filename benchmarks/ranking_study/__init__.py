"""The study of ranking methods: invented audiences, attack strategies, methods and their tables."""

import os

import django
from django.apps import apps

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
if not apps.ready:  # version 2 is in modules that import models
    django.setup(set_prefix=False)
