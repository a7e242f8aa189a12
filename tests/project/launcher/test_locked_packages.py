"""The set-up installs exactly the locked files, even if the package index offers newer ones."""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from project.launcher import prepare

STEPS = "import prepare; prepare.STAMPS.mkdir(exist_ok=True); prepare.packages_install('run')"


class Index:
    """A package index (PEP 503) in a folder, served on loopback."""

    def __init__(self, root: Path) -> None:
        self.root, self.hashes = root, dict[str, str]()

    def release(self, name: str, version: str, *metadata: str) -> None:
        """Publish a wheel without code, with these lines in its metadata."""
        folder = self.root / name
        folder.mkdir(parents=True, exist_ok=True)
        wheel = folder / f"{name}-{version}-py3-none-any.whl"
        info = f"{name}-{version}.dist-info"
        files = {
            f"{info}/METADATA": "\n".join(["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *metadata]),
            f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{info}/RECORD": f"{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n",
        }
        with zipfile.ZipFile(wheel, "w") as archive:
            for path, text in files.items():
                archive.writestr(path, text)
        self.hashes[f"{name}=={version}"] = hashlib.sha256(wheel.read_bytes()).hexdigest()
        links = "".join(f'<a href="{file.name}">{file.name}</a>\n' for file in sorted(folder.glob("*.whl")))
        (folder / "index.html").write_text(links)

    def lock(self, *requirements: str) -> str:
        """Return the text of a lock file with these requirements."""
        return "".join(f"{name} --hash=sha256:{self.hashes[name]}\n" for name in requirements)


class QuietHandler(SimpleHTTPRequestHandler):
    """Serve files without logging the requests."""

    def log_message(self, *_: object) -> None:
        """Discard the message."""


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """An index in which one package requires another with an extra, as pytest-cov requires coverage[toml]."""
    index = Index(tmp_path / "index")
    index.release("plugin", "1.0", "Requires-Dist: measure[toml]>=1.0")
    index.release("measure", "1.0", "Provides-Extra: toml", 'Requires-Dist: reader>=1.0; extra == "toml"')
    index.release("reader", "1.0")
    return index


@pytest.fixture
def address(index: Index) -> Iterator[str]:
    """Serve the index and yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(index.root))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with pip alone."""
    folder = tmp_path_factory.mktemp("environment") / ".venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder


@pytest.fixture
def project(tmp_path: Path, index: Index, environment: Path) -> Path:
    """A folder with the set-up, an environment, and three lock files for the current index."""
    project = tmp_path / "tree"
    launcher = project / "project" / "launcher"
    launcher.mkdir(parents=True)
    (launcher / "prepare.py").write_text(Path(prepare.__file__).read_text())
    for name in prepare.REQUIREMENTS.values():
        (project / name).write_text(index.lock("plugin==1.0", "measure==1.0", "reader==1.0"))
    shutil.copytree(environment, project / ".venv", symlinks=True)
    return project


def install(project: Path, address: str) -> subprocess.CompletedProcess[str]:
    """Install the packages of the site from this index alone; those of the other kinds are installed alike."""
    own = {key: value for key, value in os.environ.items() if not key.startswith("PIP_")}
    return subprocess.run(
        [sys.executable, "-c", STEPS], check=False, capture_output=True, text=True,
        cwd=project / "project" / "launcher",
        env={**own, "PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": address, "PIP_NO_CACHE_DIR": "1"},
    )  # fmt: skip


def installed(project: Path) -> set[str]:
    """Return the packages of the environment without pip itself, as `name-version`."""
    folders = project.glob(".venv/lib/*/site-packages/*.dist-info")
    names = {folder.name.removesuffix(".dist-info") for folder in folders}
    return {name for name in names if name.split("-")[0] not in {"pip", "setuptools"}}


LOCKED = {"plugin-1.0", "measure-1.0", "reader-1.0"}


def test_newer_releases_are_not_installed(project: Path, index: Index, address: str) -> None:
    index.release("measure", "1.1", "Provides-Extra: toml", 'Requires-Dist: reader>=1.1; extra == "toml"')
    index.release("reader", "1.1")
    done = install(project, address)
    assert done.returncode == 0, done.stderr
    assert installed(project) == LOCKED


def test_file_with_another_hash_is_refused(project: Path, index: Index, address: str) -> None:
    index.release("reader", "1.0", "Summary: altered after the lock was written")
    done = install(project, address)
    assert done.returncode != 0
    assert "a downloaded file differs from the one that requirements.txt names by its hash" in done.stderr
    assert installed(project) == set()


def test_lock_without_a_required_package_is_refused(project: Path, index: Index, address: str) -> None:
    (project / "requirements.txt").write_text(index.lock("plugin==1.0", "reader==1.0"))
    done = install(project, address)
    assert done.returncode != 0
    assert "measure, which is not installed" in done.stderr
