"""ReactPy's own tests of its core pass with this site's layout, except for the listed differences.

The source package on PyPI has no tests (`[tool.hatch.build.targets.sdist] include = ["/src"]` in upstream's
`pyproject.toml`), and this repository contains no copies of them. They run if `REACTPY_SOURCE` names a checkout of
upstream's repository at the pinned version. Without it, only this project's tests check the layout
(tests/components/runtime/rendering).
"""

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import reactpy
from django.conf import settings

SOURCE = os.environ.get("REACTPY_SOURCE", "")
LEAST = 150  # the least number of upstream's tests that pass, by name
LOGGED = "logged by the site's logger, at once and with the effect's failure; upstream logs at the unmount"
DIFFERENCES = {
    "test_error_in_effect_is_gracefully_handled": LOGGED,
    "test_error_in_effect_pre_unmount_cleanup_is_gracefully_handled": LOGGED,
    "test_error_in_layout_effect_cleanup_is_gracefully_handled": LOGGED,
    "test_error_in_component_effect_cleanup_is_gracefully_handled": LOGGED,
    "test_duplicate_sibling_keys_causes_error": "fails the component as upstream does, with another message",
    "test_schedule_render_from_unmounted_hook": "does not render, as upstream; it does not log that",
}
OPTIONS = (
    "-p", "reactpy_plugin", "-p", "no:django", "-p", "no:cacheprovider", "-o", "asyncio_mode=auto",
    "-o", "asyncio_default_fixture_loop_scope=session", "-o", "asyncio_default_test_loop_scope=session",
)  # fmt: skip


def outcomes(report: Path) -> dict[str, set[str]]:
    """Return the names of tests, without parameters, by outcome."""
    names: dict[str, set[str]] = {"passed": set(), "failed": set(), "skipped": set()}
    for case in ET.parse(report).getroot().iter("testcase"):  # noqa: S314 - pytest wrote it
        tags = {each.tag for each in case}
        kind = "failed" if tags & {"failure", "error"} else "skipped" if "skipped" in tags else "passed"
        names[kind].add(case.get("name", "").partition("[")[0])
    return names


@pytest.mark.skipif(not SOURCE, reason="REACTPY_SOURCE names no checkout, and the source package has no tests")
def test_upstream_tests_pass_with_the_site_layout(tmp_path: Path) -> None:
    source = Path(SOURCE).resolve()
    version = importlib.metadata.version("reactpy")
    core, installed = source / "src" / "reactpy" / "core", Path(reactpy.__file__).parent / "core"
    for file in installed.glob("*.py"):
        assert (core / file.name).read_bytes() == file.read_bytes(), f"{source} is not ReactPy {version}: {file.name}"
    paths = os.pathsep.join([str(source), str(settings.ROOT), str(Path(__file__).parent)])
    report = tmp_path / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(source), *OPTIONS]
    ran = subprocess.run(
        [*command, f"--junitxml={report}", "tests/test_core"],
        check=False, cwd=source, env={**os.environ, "PYTHONPATH": paths, "PYTEST_ADDOPTS": ""},
        capture_output=True, text=True,
    )  # fmt: skip
    assert report.exists(), ran.stdout + ran.stderr
    names = outcomes(report)
    assert names["failed"] - DIFFERENCES.keys() == set(), ran.stdout
    assert DIFFERENCES.keys() - names["failed"] == set(), "these pass now: remove them from the list"
    assert len(names["passed"]) > LEAST, names["passed"]
