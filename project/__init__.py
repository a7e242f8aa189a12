"""The wiring of the site: settings, URLs, the server, its sockets and its processes."""
