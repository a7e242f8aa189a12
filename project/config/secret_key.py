"""The key of one's own machine, made once and kept in the data folder; a public site brings its own."""

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from project.config.environment import Environment


def key_file_read(file: Path) -> str:
    """Return the key in this file, which is made, readable by its owner only, when it is missing."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f"{file.name}.")  # mode 0600
        with os.fdopen(handle, "w", encoding="utf-8") as fresh:
            fresh.write(secrets.token_urlsafe(64))
        # Of two processes that start together the first to link wins, and both read its key.
        with suppress(FileExistsError):
            os.link(name, file)
        Path(name).unlink()
    return file.read_text(encoding="utf-8").strip()


def secret_key(environment: Environment) -> str:
    """Return the site's secret key; empty for a public site that was given none, which the checks refuse."""
    if environment.secret_key or not environment.on_loopback:
        return environment.secret_key
    return key_file_read(environment.data / "secret-key")
