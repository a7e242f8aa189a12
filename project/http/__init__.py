"""Page views and the other answers of HTTP, from the handshake to the page that says what failed."""
