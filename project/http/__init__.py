"""HTTP: page views, posted forms, files, viewers, handshakes and error responses."""
