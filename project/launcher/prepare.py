"""Set up the environment, locked packages and client, with Python's standard library only; run by `make`.

`python project/launcher/prepare.py [run|many|dev]` does the missing or outdated steps, one process at a time.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VENV = ROOT / ".venv"
BIN = VENV / "bin"
STAMPS = VENV / "stamps"
CLIENT = ROOT / "components" / "client"
STATIC = ROOT / "components" / "static"
BUILT = STATIC / "build"
TYPEFACE = ROOT / "project" / "launcher" / "typeface.py"
OLDEST_PYTHON = (3, 11)
HASH_MISMATCH = "DO NOT MATCH THE HASHES"  # printed by pip
REQUIREMENTS = {"run": "requirements.txt", "many": "requirements-many.txt", "dev": "requirements-dev.txt"}
SOURCES = "requirements-source.txt"  # the locked packages that their authors publish without a wheel


class SetUpError(Exception):
    """A step of the set-up failed; the message names it."""


def say(sentence: str) -> None:
    """Announce a slow step on stderr."""
    sys.stderr.write(f"{sentence}\n")


def run(command: list[str | Path], folder: Path = ROOT) -> None:
    """Run one step in `folder`. Raises SetUpError with its output if it fails."""
    path = f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(  # noqa: S603 - all commands are constants of this module
        command, check=False, cwd=folder, env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if done.returncode:
        raise SetUpError(f"{done.stdout}\nThis failed: {' '.join(str(part) for part in command)}")


def fingerprint(files: Iterable[Path]) -> str:
    """Return a hash of the names and contents of these files."""
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def current(stamp: Path, wanted: str) -> bool:
    """Whether the step of this stamp was done for this content."""
    return stamp.exists() and stamp.read_text() == wanted


def locks_read() -> dict[str, str]:
    """Return a hash of the lock files of each kind of packages."""
    sources = [file for file in [ROOT / SOURCES] if file.exists()]
    return {name: fingerprint([ROOT / file, *sources]) for name, file in REQUIREMENTS.items()}


def environment_make() -> None:
    """Create the virtual environment if it is missing or incomplete, or if the lock has changed.

    An environment of a former lock may contain packages that conflict with this one, so it is not reused.
    """
    stamp = STAMPS / "environment"
    locks = locks_read()
    outdated = [name for name in locks if (STAMPS / name).exists() and not current(STAMPS / name, locks[name])]
    if current(stamp, "made") and not outdated:
        return
    say("Creating the virtual environment in .venv")
    if Path(sys.prefix) != VENV:  # a running environment cannot replace itself
        run([sys.executable, "-m", "venv", "--clear", VENV])
    STAMPS.mkdir(exist_ok=True)
    stamp.write_text("made")


def packages_install(kind: str) -> None:
    """Install the locked packages of this kind, verified by hash, and check that they are compatible.

    pip resolves no dependencies (`--no-deps`), so a newer release has no effect. A build may not download build tools
    either: the few packages without a wheel are built by the locked setuptools.
    """
    # Each kind includes those before it.
    wanted = locks_read()
    if any(current(STAMPS / name, wanted[name]) for name in list(wanted)[list(wanted).index(kind) :]):
        return
    say(f"Installing the packages of {REQUIREMENTS[kind]}")
    pip: list[str | Path] = [BIN / "python", "-m", "pip", "--disable-pip-version-check"]
    install: list[str | Path] = [*pip, "install", "--quiet", "--require-hashes", "--no-deps"]
    try:
        run([*install, "--only-binary=:all:", "-r", ROOT / REQUIREMENTS[kind]])
        if (ROOT / SOURCES).exists():
            run([*install, "--no-binary=:all:", "--no-build-isolation", "--use-pep517", "-r", ROOT / SOURCES])
    except SetUpError as error:
        if HASH_MISMATCH not in str(error):
            raise
        raise SetUpError(
            f"{error}\nNothing was installed: a downloaded file differs from the one that {REQUIREMENTS[kind]} names "
            "by its hash. Either the package index or a proxy in front of it serves an altered file."
        ) from error
    run([*pip, "check"])
    (STAMPS / kind).write_text(wanted[kind])


def client_sources() -> list[Path]:
    """Return all files from which the client and the style sheet are built, or that count towards their size."""
    own = [TYPEFACE, *(file for file in CLIENT.rglob("*") if "node_modules" not in file.relative_to(CLIENT).parts)]
    shared = [file for kind in ("*.css", "*.js") for file in STATIC.rglob(kind) if BUILT not in file.parents]
    return [file for file in own + shared if file.is_file()]


def typeface_build() -> None:
    """Build the site's fonts and their style sheet if the program that does so changed."""
    built, wanted = STAMPS / "typeface", fingerprint([TYPEFACE])
    if current(built, wanted) and (BUILT / "serif.css").exists():
        return
    say("Building the typeface")
    run([BIN / "python", "-m", "project.launcher.typeface", BUILT])
    built.write_text(wanted)


def client_packages_install(*, dev: bool) -> None:
    """Install the client's locked packages, with `dev` also those of tests (the HTML checker is large)."""
    locked = fingerprint([CLIENT / "package-lock.json"])
    stamps = {True: CLIENT / "node_modules" / ".stamp-dev", False: CLIENT / "node_modules" / ".stamp"}
    if current(stamps[True], locked) or (not dev and current(stamps[False], locked)):
        return
    say("Installing the client's packages")
    # No package needs its install script, and one would download a Java.
    command: list[str | Path] = [BIN / "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    run(command if dev else [*command, "--omit=dev"], CLIENT)
    stamps[dev].write_text(locked)


def client_build(*, dev: bool = False) -> bool:
    """Build the client if its sources changed. Returns True after a build."""
    built, wanted = STAMPS / "client", fingerprint(client_sources())
    is_built = current(built, wanted) and all((BUILT / name).exists() for name in ("client.js", "serif.css"))
    if dev or not is_built:
        client_packages_install(dev=dev)
    if is_built:
        return False
    typeface_build()
    say("Building the client")
    run([BIN / "npm", "run", "build"], CLIENT)
    built.write_text(wanted)
    return True


def prepare(kind: str) -> None:
    """Do all missing steps. A second process waits for the first."""
    (ROOT / ".data").mkdir(exist_ok=True)
    with (ROOT / ".data" / "prepare.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        environment_make()
        packages_install(kind)
        client_build(dev=kind == "dev")


def main() -> None:
    """Prepare for `run`, `many` or `dev`. Exits with a sentence on failure."""
    if sys.version_info < OLDEST_PYTHON:
        sys.exit("Python 3.11 or newer is needed.")
    if not shutil.which("sh"):
        sys.exit("A POSIX system is needed.")
    try:
        prepare(sys.argv[1] if len(sys.argv) > 1 else "run")
    except SetUpError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
