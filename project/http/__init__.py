"""Page views and the other answers over HTTP, handshakes, viewers and error responses."""
