"""One viewer's websocket: its frames, commands, navigations, shared parts and live queries."""
