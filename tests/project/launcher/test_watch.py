"""`make dev` restarts the server when its sources change, and stops it with the watcher."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from project.config import ROOT
from project.launcher import reload
from tests.project.config.test_settings import site_environment

WATCHER = """
import sys
from pathlib import Path
from project.launcher.reload import FileWatch, run
folder = Path(sys.argv[1])
run(FileWatch(
    server=(sys.executable, str(folder / "server.py")),
    code=lambda: [folder / "server.py"],
    client=lambda: folder.glob("*.js"),
    client_refresh=lambda: print("built", flush=True),
))
"""
SERVER = """
import os, signal, sys
signal.signal(signal.SIGTERM, lambda *_: (print("stopped", flush=True), sys.exit(0)))
print("started", "{name}", os.environ["DEBUG"], os.getpid(), flush=True)
signal.pause()
"""


def test_changes_restart_the_server_or_build_the_client(tmp_path: Path) -> None:
    source = tmp_path / "server.py"
    source.write_text(SERVER.format(name="first"))
    with subprocess.Popen(
        [sys.executable, "-c", WATCHER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True,
        env={**os.environ, **site_environment(tmp_path / "data")},
    ) as watcher:  # fmt: skip
        assert watcher.stdout
        assert watcher.stdout.readline().split()[:3] == ["started", "first", "1"]
        source.write_text("print('ended', flush=True)")
        assert watcher.stdout.readline() == "stopped\n"
        assert watcher.stdout.readline() == "ended\n"
        source.write_text(SERVER.format(name="second"))
        started = watcher.stdout.readline().split()
        assert started[:2] == ["started", "second"]
        (tmp_path / "client.js").write_text("1")
        assert watcher.stdout.readline() == "built\n"
        watcher.send_signal(signal.SIGINT)
        assert watcher.communicate(timeout=60)[0] == "stopped\n"
        assert watcher.returncode == 0
    assert not (tmp_path / "data" / "postgres" / "postmaster.pid").exists()


def test_server_sources_are_only_those_of_the_project() -> None:
    sources = set(reload.server_sources())
    assert ROOT / "project" / "launcher" / "reload.py" in sources
    assert ROOT / "apps" / "core" / "audit.py" in sources
    assert not [file for file in sources if {".venv", "node_modules", "static"} & set(file.parts)]


def test_deleted_file_is_ignored(tmp_path: Path) -> None:
    kept = tmp_path / "kept.py"
    kept.touch()
    assert set(reload.modified_times([kept, tmp_path / "gone.py"])) == {kept}
