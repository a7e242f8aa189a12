"""Rate limits in memory, connection limits, the admission of first renders, and websocket close codes."""
