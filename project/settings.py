"""Settings: everything comes from the environment or has a safe value for one's own machine."""

import os

from project.embedded import DATABASE, USER, socket_folder
from project.environment import ROOT, environment_read

ENVIRONMENT = environment_read()
DATA = ENVIRONMENT.data

SECRET_KEY = os.environ.get("SECRET_KEY", "to be generated")
DEBUG = os.environ.get("DEBUG", "") == "1"
ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "apps.core",
    "apps.accounts",
    "apps.competition",
    "apps.news",
    "components",
]
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": DATABASE,
        "USER": USER,
        "HOST": str(socket_folder(DATA)),
        "OPTIONS": {"pool": {"min_size": 2, "max_size": 8, "timeout": 3}},
    }
}
LANGUAGE_CODE = "en"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
VENUE_TIME_ZONE = os.environ.get("VENUE_TIME_ZONE", "Europe/Warsaw")
STATIC_URL = "/static/"
STATICFILES_DIRS = [ROOT / "components" / "static"]
