"""Sessions of the demo's accounts for browser tests, without the sign-in page."""

import time
from importlib import import_module

from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.auth.models import update_last_login

from apps.accounts.session_store import RECORDS_OF

ADMINISTRATOR, LISTENER = "halina_k", "una_corda"  # of the demo


def session_begin(username: str, seconds_ago: float = 0.0) -> str:
    """Create a session of this account, as after a sign-in so long ago, and return its key for the cookie."""
    user = get_user_model().objects.get(username=username)
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "password", "at": time.time() - seconds_ago}]
    session[RECORDS_OF] = str(user.pk)
    session.create()
    update_last_login(get_user_model(), user)  # an account that never signed in cannot become an administrator
    return str(session.session_key)
