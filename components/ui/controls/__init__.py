"""Fields, buttons of commands, confirmations and their answers."""
