"""Django's command line for this project."""

import gc
import os
import signal
import sys


def main() -> None:
    """Run one management command with its database at hand."""
    gc.set_threshold(10_000, 10, 10)  # as project/launcher/launch.py does, which says why
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 - settings must be named first

    from project.config import Refusal  # noqa: PLC0415
    from project.database import embedded  # noqa: PLC0415

    # A command that receives SIGTERM still releases its database.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with embedded.database():
            execute_from_command_line(sys.argv)
    except Refusal as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
