"""The line of a notification in a browser: on a phone it appears without a jump, covers no control, and closes."""
