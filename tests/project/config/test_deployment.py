"""The container files, read as data without a container engine."""

import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from project.config import ROOT
from tests.project.config.test_settings import KEY, VARIABLES, process

DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
NGINX = (ROOT / "docs" / "operations" / "nginx.conf").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()


def instructions(name: str) -> list[str]:
    """Return the arguments of every instruction with this name, in order."""
    return re.findall(rf"^{name} (.+)$", DOCKERFILE, re.MULTILINE)


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


def test_image_is_built_with_make_and_runs_without_root() -> None:
    assert len(instructions("FROM")) == 2
    used = {word for line in instructions("RUN") for word in re.findall(r"\bmake ([a-z]+)\b", line)}
    assert used == {"build"}
    assert used <= make_targets()
    user = instructions("USER")[-1]
    assert user.isdigit()
    assert int(user) != 0
    # The last stage runs no command that needs root after it drops its rights.
    assert DOCKERFILE.rindex("\nUSER ") > DOCKERFILE.rindex("\nRUN ")


def test_image_runs_existing_modules() -> None:
    commands = [*instructions("CMD"), instructions("HEALTHCHECK")[-1].split("CMD ", 1)[1]]
    modules = [yaml.safe_load(command)[-1] for command in commands]
    assert modules == ["project.launcher.launch", "project.launcher.container_health"]
    for module in modules:
        assert (ROOT / module.replace(".", "/")).with_suffix(".py").exists()


def test_container_variables_are_known() -> None:
    names = {pair.partition("=")[0] for line in instructions("ENV") for pair in shlex.split(line)}
    names |= set(COMPOSE["x-web"]["environment"])
    assert names - {"PATH", "PYTHONUNBUFFERED"} <= {*VARIABLES, "PARTERRE_DATA"}


def test_env_example_names_every_variable() -> None:
    named = set(re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    substituted = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "compose.yaml").read_text()))
    assert {*VARIABLES, "PARTERRE_DATA"} | substituted == named


def test_compose_passes_every_variable_that_the_image_or_the_developer_does_not_set() -> None:
    image = {pair.partition("=")[0] for line in instructions("ENV") for pair in shlex.split(line)}
    passed = set(COMPOSE["x-web"]["environment"])
    assert {*VARIABLES} - image - {"DEBUG"} == passed - image


def test_proxy_has_two_web_processes() -> None:
    services = COMPOSE["services"]
    web = {name for name, service in services.items() if service.get("build") == "."}
    assert len(web) == 2
    assert {name for name, service in services.items() if "ports" in service} == {"proxy"}
    assert set(re.findall(r"server ([a-z0-9-]+):8000", NGINX)) == web
    assert set(services["proxy"]["depends_on"]) == web
    assert services["database"]["image"] == "postgres:18"
    grace = int(services["web-1"]["stop_grace_period"].removeprefix("${STOP_GRACE_PERIOD:-").removesuffix("s}"))
    assert grace >= 5 + 15


def test_valkey_is_optional_and_its_packages_are_in_the_image() -> None:
    valkey = COMPOSE["services"]["valkey"]
    assert valkey["profiles"] == ["many"]
    assert not any("valkey" in service.get("depends_on", {}) for service in COMPOSE["services"].values())
    assert any("make build MANY=1" in line for line in instructions("RUN"))


def test_mounted_files_exist_and_volumes_are_declared() -> None:
    for service in COMPOSE["services"].values():
        for mount in service.get("volumes", []):
            source = mount.split(":")[0]
            assert source in COMPOSE["volumes"] or (ROOT / source).is_file(), mount


def test_proxy_overwrites_client_address_headers() -> None:
    assert "proxy_set_header X-Real-IP $remote_addr;" in NGINX
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in NGINX
    # A header that a location sets would override all of them there.
    locations = NGINX[NGINX.index("server {\n        listen") :]
    assert "proxy_set_header" not in locations
    assert NGINX.count("{") == NGINX.count("}")


@pytest.mark.parametrize(("status", "code"), [(200, 0), (503, 1), (None, 1)])
def test_container_health_is_the_answer_of_the_process(tmp_path: Path, status: int | None, code: int) -> None:
    script = f"""
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        right = self.path == "/healthz" and self.headers["Host"] == "parterre.example"
        self.send_response({status} if right else 400)
        self.end_headers()
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.handle_request()
"""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound but not listening: connections are refused
        port = unused.getsockname()[1]
        command = [sys.executable, "-c", script if status else "print(0)"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            assert server.stdout
            port = int(server.stdout.readline()) or port
            public = {"PUBLIC_URL": "https://parterre.example", "SECRET_KEY": KEY}
            done = process(tmp_path, "-m", "project.launcher.container_health", PORT=str(port), **public)
            server.kill()
    assert done.returncode == code
