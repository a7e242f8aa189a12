"""The manifests of `docs/operations/kubernetes` as data for the tests."""

import re
from pathlib import Path
from typing import Any

import yaml

from project.config import ROOT
from tests.project.config.test_deployment import instructions

FOLDER = ROOT / "docs" / "operations" / "kubernetes"
NOTE = "nginx.org/"


def read(file: Path) -> list[dict[str, Any]]:
    return [document for document in yaml.safe_load_all(file.read_text(encoding="utf-8")) if document]


def built(folder: Path) -> list[dict[str, Any]]:
    """Return the resources of a kustomization, including those of the folders that it names."""
    found = []
    for name in read(folder / "kustomization.yaml")[0]["resources"]:
        found += built(folder / name) if (folder / name).is_dir() else read(folder / name)
    return found


SERVING, MIGRATING = built(FOLDER), built(FOLDER / "migrate")
ALL = {(each["kind"], each["metadata"]["name"]): each for each in [*SERVING, *MIGRATING]}
SETTINGS: dict[str, str] = ALL["ConfigMap", "parterre"]["data"]
SECRETS: dict[str, str] = ALL["Secret", "parterre"]["stringData"]
OWNER: dict[str, str] = ALL["Secret", "parterre-owner"]["stringData"]
DEPLOYMENT, JOB = ALL["Deployment", "parterre"]["spec"], ALL["Job", "parterre-migrate"]["spec"]
PODS = {"web": DEPLOYMENT["template"], "migrate": JOB["template"]}
INGRESSES = {name: each for (kind, name), each in ALL.items() if kind == "Ingress"}
IMAGE = dict(pair.split("=") for line in instructions("ENV") for pair in line.split())


def container(pod: str) -> dict[str, Any]:
    [found] = PODS[pod]["spec"]["containers"]
    return dict(found)


def notes(name: str) -> dict[str, str]:
    """Return the controller's annotations of an Ingress, including those of its master."""
    master, own = (INGRESSES[each]["metadata"]["annotations"] for each in ("parterre", name))
    return {key.removeprefix(NOTE): value for key, value in {**master, **own}.items()}


def paths(name: str) -> dict[str, str]:
    [rule] = INGRESSES[name]["spec"]["rules"]
    return {each["path"]: each["pathType"] for each in rule["http"]["paths"]}


def megabytes(text: str) -> int:
    number, unit = re.fullmatch(r"(\d+)(Mi|Gi)", text).groups()  # type: ignore[union-attr]  # else it fails here
    return int(number) * {"Mi": 1, "Gi": 1024}[unit]
