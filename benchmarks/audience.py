"""Create accounts with sessions; `python -m benchmarks.audience 60` prints their cookies as one JSON line."""

import json
import sys
from importlib import import_module

import django


def seated(count: int) -> list[str]:
    """Create `count` accounts with the site's own service. Return the session cookie of each."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    from apps.accounts.services.accounts import account_create

    cookies = []
    for number in range(count):
        account = account_create(email=f"tapper{number}@example.org", password=None, username=f"tapper{number}")
        store = import_module(settings.SESSION_ENGINE).SessionStore()
        store[SESSION_KEY] = str(account.pk)
        store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        store[HASH_SESSION_KEY] = account.get_session_auth_hash()
        store.create()
        cookies.append(f"{settings.SESSION_COOKIE_NAME}={store.session_key}")
    return cookies


if __name__ == "__main__":
    django.setup()
    print(json.dumps(seated(int(sys.argv[1]))))
