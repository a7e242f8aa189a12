"""Web push: the site's key, the addresses of push services, messages and their sending; nothing here reads tables."""
