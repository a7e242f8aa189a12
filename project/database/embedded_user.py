"""Who runs PostgreSQL: ourselves, or, because it refuses root, another user who may still not open root's folders."""

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NOBODY_ID = 65_534
# Reading below a closed folder, without opening it to anybody else: the capability, and its number in the kernel.
CAPABILITIES = {"dac_read_search": 2, "dac_override": 1}


@dataclass(frozen=True, slots=True)
class Runner:
    """A way to start programs: a command in front of them, and options for subprocess."""

    prefix: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    owner: tuple[int, int] | None = None

    def run(self, command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        """Run to the end; output is captured together, and the exit code is the caller's to judge."""
        # A session of its own keeps the terminal's Ctrl-C from the server: whoever holds it decides when it stops.
        return subprocess.run(  # noqa: S603 - commands are ours, no shell
            [*self.prefix, *command], check=False, text=True, start_new_session=True, **self.options, **options
        )

    def give(self, folder: Path) -> None:
        """Hand an empty folder of ours to the user who runs the programs."""
        if self.owner:
            os.chown(folder, *self.owner)


def capabilities_of() -> int:
    """Return the effective capabilities of this process as bits; 0 where the kernel has none."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1], 16) for line in lines if line.startswith("CapEff:")), 0)


def runners(owner: tuple[int, int]) -> list[Runner]:
    """Return the ways for root to run programs as this user, the plainest first."""
    user, group = owner
    plain = Runner(options={"user": user, "group": group, "extra_groups": []}, owner=owner)
    capability_sets = capabilities_of()
    # Without the bit, access(2) forgets the capability of who is not root, and initdb asks it about its programs.
    identity = ("setpriv", "--securebits=+no_setuid_fixup", f"--reuid={user}", f"--regid={group}", "--clear-groups")
    return [plain] + [
        Runner(prefix=(*identity, f"--inh-caps=+{name}", f"--ambient-caps=+{name}"), owner=owner)
        for name, bit in CAPABILITIES.items()
        if capability_sets >> bit & 1
    ]


def reaches(runner: Runner, program: Path, folder: Path) -> bool:
    """Whether programs run this way can work in the folder and start the program."""
    probe = ["/bin/sh", "-c", 'cd "$1" && exec "$2" --version', "sh", str(folder), str(program)]
    try:
        return runner.run(probe, capture_output=True, cwd="/").returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def runner_for(program: Path, folder: Path) -> Runner | None:
    """Return how to run the program in this folder of ours, or None when there is no way; modes are never changed."""
    if os.geteuid() != 0:
        return Runner()
    entry = folder.stat()
    owner = (entry.st_uid, entry.st_gid) if entry.st_uid else (NOBODY_ID, NOBODY_ID)
    return next((runner for runner in runners(owner) if reaches(runner, program, folder.parent)), None)
