"""Who is signed in, before there is a page to sign in at."""

from importlib import import_module

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model

ADMINISTRATOR, LISTENER = "halina_k", "una_corda"  # of the demo


def session_begin(username: str) -> str:
    """Begin a session of this account and return its key, which is the cookie."""
    user = get_user_model().objects.get(username=username)
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)
