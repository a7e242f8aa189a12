"""Addresses of notifications that are not pages (`project/http/addresses.py`)."""

from apps.core.addresses import Address
from apps.notifications.views import unsubscribe

ADDRESSES = (Address("/unsubscribe", unsubscribe),)
