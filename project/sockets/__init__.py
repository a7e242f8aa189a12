"""One viewer's websocket: its frames, its commands, its navigations and its live queries."""
