"""The Nu HTML checker, as one Java process for all pages that a test process checks."""

import atexit
import json
import shutil
import socket
import subprocess
import time
from functools import cache
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from tempfile import NamedTemporaryFile

from project.config import ROOT

JAR = ROOT / "components" / "client" / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"
LEFT_OUT = "left out: the Nu HTML checker needs Java, and there is none on this machine"
PATIENCE = 180.0  # seconds until the checker has read its schemas, on a busy machine
HEADERS = {"Content-Type": "text/html; charset=utf-8", "User-Agent": "tests"}
# Its schemas need a deep stack. It ends before optimised code has repaid its compilation.
OPTIONS = (
    "-Xss8m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
    "-Dnu.validator.servlet.bind-address=127.0.0.1",
)  # fmt: skip
# The checker implements ARIA 1.1. In ARIA 1.2 a combobox may reference an option of the list in its `aria-controls`;
# axe checks that this option exists.
ARIA_BEFORE = "Attribute “aria-activedescendant” value should either refer to a descendant element, or should be "


def has_java() -> bool:
    """Whether this machine can run the checker."""
    return shutil.which("java") is not None


def html_faults(html: str) -> str:
    """Return the checker's messages for a document, one a line: empty for a valid document, or without Java."""
    if not has_java():
        return ""
    connection = HTTPConnection("127.0.0.1", _port(), timeout=PATIENCE)
    connection.request("POST", "/?out=json", html.encode(), HEADERS)
    messages = json.loads(connection.getresponse().read())["messages"]
    connection.close()
    return "\n".join(
        f"{each['message']} {each.get('extract', '')!r}" for each in messages if not _is_sound_combobox(each)
    )


def _is_sound_combobox(message: dict[str, str]) -> bool:
    return message["message"].startswith(ARIA_BEFORE) and 'role="combobox"' in message.get("extract", "")


@cache
def _port() -> int:
    """Start the checker and return its port. It ends with this process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = ["java", *OPTIONS, "-cp", str(JAR), "nu.validator.servlet.Main", str(port)]
    with NamedTemporaryFile() as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        atexit.register(process.kill)
        until = time.monotonic() + PATIENCE
        while not _answers(port):
            if process.poll() is not None or time.monotonic() > until:
                log.seek(0)
                raise AssertionError(f"The Nu HTML checker did not start:\n{log.read().decode()[-4000:]}")
            time.sleep(0.1)  # between two attempts to connect
    return port


def _answers(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status < HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
