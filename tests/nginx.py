"""Debian's nginx with `docs/operations/nginx.conf`, changed only where a deployment changes it."""

import os
import re
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from project.config import ROOT
from tests.e2e.server import free_port
from tests.programs import listens, program

CONF = ROOT / "docs" / "operations" / "nginx.conf"
PATIENCE = 60.0  # seconds
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def changed(text: str, old: str, new: str, times: int) -> str:
    """Return `text` with `old` replaced. Fail unless `old` occurs exactly `times` times."""
    assert text.count(old) == times, f"{old!r} stands {text.count(old)} times in the file, not {times} times"
    return text.replace(old, new)


def without_comment_marks(text: str) -> str:
    """Return the file with TLS, as its paragraph on TLS describes: with the lines that begin with `#tls `."""
    lines = [line for line in text.splitlines() if not line.endswith("# without TLS")]
    assert len(lines) == len(text.splitlines()) - 2
    return "\n".join(line.replace("#tls ", "", 1) if line.lstrip().startswith("#tls ") else line for line in lines)


class Nginx:
    """An nginx in front of web processes on these loopback ports; `venues` are the addresses of a venue's network."""

    def __init__(self, folder: Path, ports: Sequence[int], *, venues: Sequence[str] = (), tls: bool = False) -> None:
        self.program = program("nginx")
        self.folder, self.ports, self.venues, self.tls = folder, ports, venues, tls
        self.port, self.tls_port = free_port(), free_port()
        self.address = f"https://localhost:{self.tls_port}" if tls else f"http://localhost:{self.port}"
        self.log, self.access_log, self.static = folder / "nginx.log", folder / "access.log", folder / "static"
        self.process: subprocess.Popen[bytes] | None = None

    def configuration(self) -> str:
        """Return the configuration with the ports, paths, addresses and names of this machine."""
        text = CONF.read_text()
        if self.tls:
            text = without_comment_marks(text)
            text = changed(text, "https://parterre.example$", f"{self.address}$", 1)
            text = changed(text, "/etc/nginx/tls/", f"{self.folder}/", 2)
            text = changed(text, "listen 8443 ssl", f"listen 127.0.0.1:{self.tls_port} ssl", 1)
            text = changed(text, "listen [::]:8443 ssl default_server;", "", 1)
        servers = 1 if self.tls else 2  # one of two is commented out
        text = changed(text, "listen 8080 ", f"listen 127.0.0.1:{self.port} ", servers)
        text = changed(text, "listen [::]:8080 default_server;", "", servers)
        for more in range(3, len(self.ports) + 1):
            text = re.sub(rf"(.*server web-){more - 1}(:.*\n)", rf"\g<0>\g<1>{more}\2", text)
        for number, port in enumerate(self.ports, 1):
            text = changed(text, f"server web-{number}:8000 ", f"server 127.0.0.1:{port} ", 2)
        text = changed(text, "root /var/lib/parterre;", f"root {self.folder};", 1)
        text = changed(text, "/dev/stderr", str(self.log), 1)
        text = changed(text, "/dev/stdout", str(self.access_log), 1)
        text = changed(text, "/tmp/nginx.pid", str(self.folder / "nginx.pid"), 1)  # noqa: S108
        lines = "".join(f"{venue} 1;" for venue in self.venues)
        text = changed(text, "geo $venue {\n        default 0;", f"geo $venue {{\n        default 0;{lines}", 1)
        places = "".join(f"{name}_temp_path {self.folder}/{name};" for name in TEMPORARY)
        text = changed(text, "http {\n", f"http {{\n{places}\n", 1)
        return f"user root;\n{text}" if os.geteuid() == 0 else text

    def start(self) -> None:
        """Start nginx and wait until it listens."""
        self.static.mkdir(exist_ok=True)
        file = self.folder / "nginx.conf"
        file.write_text(self.configuration())
        if self.tls:
            self._certificate_make()
        command = [self.program, "-e", str(self.log), "-p", str(self.folder), "-c", str(file)]
        tried = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
        assert tried.returncode == 0, tried.stderr
        assert "[warn]" not in tried.stderr, tried.stderr
        self.process = subprocess.Popen([*command, "-g", "daemon off;"])
        until = time.monotonic() + PATIENCE
        while not listens(self.port):
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < until, self.log.read_text()

    def _certificate_make(self) -> None:
        """Make a self-signed certificate for localhost."""
        key, certificate = self.folder / "privkey.pem", self.folder / "fullchain.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
            check=True, capture_output=True,
        )  # fmt: skip

    def stop(self) -> None:
        """Terminate nginx."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(PATIENCE)
            self.process = None
