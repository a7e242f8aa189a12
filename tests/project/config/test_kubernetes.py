"""The manifests of `docs/operations/kubernetes` match Kubernetes' schemas and the code."""

import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from benchmarks.capacity import MOST, Plan
from project.config import ROOT, mail_server
from project.server import daphne_server, health
from project.server.health import PREFIX, Site
from tests.project.config.manifests import (
    ALL,
    DEPLOYMENT,
    FOLDER,
    IMAGE,
    INGRESSES,
    MIGRATING,
    OWNER,
    PODS,
    SECRETS,
    SERVING,
    SETTINGS,
    container,
    megabytes,
    notes,
    paths,
    read,
)
from tests.project.config.test_deployment import COMPOSE, DOCKERFILE, instructions
from tests.project.config.test_settings import KEY, OURS, process

RANKING = 300  # MB beside a process while a ranking is computed, as docs/operations.md says
REQUIRED = {"PUBLIC_URL", "SECRET_KEY", "DATABASE_URL", "OWNER_DATABASE_URL", "BEHIND_PROXY", "EMAIL_URL"}
CHECK = """
import django
from django.conf import settings
from project.launcher import checks
from project.config import database_parameters
for name in ("database_url", "owner_database_url"):
    if address := getattr(settings.ENVIRONMENT, name):
        database_parameters(address, name.upper())
print(*(finding.msg for finding in checks.settings_check()), sep="\\n")
"""


@pytest.mark.parametrize("resource", ALL.values(), ids=lambda each: f"{each['kind']}-{each['metadata']['name']}")
def test_each_is_what_kubernetes_takes(resource: dict[str, Any]) -> None:
    # strict: unknown fields are errors
    assert kubernetes_validate.validate(resource, kubernetes_validate.latest_version(), strict=True)


def test_a_mistake_would_be_found() -> None:
    wrong = {**ALL["Service", "parterre"], "spec": {"port": []}}
    with pytest.raises(kubernetes_validate.ValidationError, match="port"):
        kubernetes_validate.validate(wrong, kubernetes_validate.latest_version(), strict=True)


def test_everything_is_there_and_named_once() -> None:
    kinds = Counter(each["kind"] for each in SERVING)
    assert kinds == {
        "Namespace": 1, "ConfigMap": 2, "Secret": 2, "Deployment": 1, "Service": 1, "Ingress": 8,
        "PodDisruptionBudget": 1, "HorizontalPodAutoscaler": 1, "NetworkPolicy": 2,
    }  # fmt: skip
    assert [each["kind"] for each in MIGRATING if each not in SERVING] == ["Job"]
    assert len(SERVING) + 1 == len(ALL)
    named = {*FOLDER.rglob("kustomization.yaml")}
    for kustomization in list(named):
        named |= {kustomization.parent / name for name in read(kustomization)[0]["resources"]}
    assert {*FOLDER.rglob("*.yaml")} == {file for file in named if file.suffix}
    images = [read(folder / "kustomization.yaml")[0]["images"] for folder in (FOLDER, FOLDER / "migrate")]
    assert images[0] == images[1]
    assert images[0][0]["name"] == container("web")["image"] == container("migrate")["image"]


def test_settings_are_those_that_the_code_knows_and_all_that_it_needs() -> None:
    given = {*SETTINGS, *SECRETS, *OWNER}
    assert len(given) == len(SETTINGS) + len(SECRETS) + len(OWNER)
    assert given <= {*OURS}
    assert given >= REQUIRED
    assert not given & IMAGE.keys(), "what the image sets is not said again"
    sources = {pod: [next(iter(each.values()))["name"] for each in container(pod)["envFrom"]] for pod in PODS}
    assert sources == {"web": ["parterre", "parterre"], "migrate": ["parterre", "parterre", "parterre-owner"]}


def settings_checked(folder: Path, without: str = "", **secrets: str) -> tuple[int, str]:
    """Run the checks of the settings in a process, and return its exit code and output."""
    environment = {**SETTINGS, **SECRETS, **secrets}
    environment.pop(without, None)
    done = process(folder, "-c", CHECK, **environment)
    return done.returncode, (done.stdout + done.stderr).strip()


REAL = {
    "SECRET_KEY": KEY,
    "DATABASE_URL": "postgresql://parterre_site:x@db/parterre",
    "EMAIL_URL": "smtp://parterre:x@mail.example",
}


def test_with_real_secrets_nothing_is_missing_and_without_any_of_them_it_is_said(tmp_path: Path) -> None:
    assert settings_checked(tmp_path, **REAL) == (0, "")
    assert settings_checked(tmp_path, **REAL, **dict.fromkeys(OWNER, REAL["DATABASE_URL"])) == (0, "")
    for name, sentence in {
        "SECRET_KEY": "SECRET_KEY is missing",
        "EMAIL_URL": "EMAIL_URL is missing",
        "BEHIND_PROXY": "BEHIND_PROXY is off",
    }.items():
        assert sentence in settings_checked(tmp_path, name, **REAL)[1]


@pytest.mark.parametrize("name", sorted({**SECRETS, **OWNER}.keys() - {"METRICS_TOKEN", "PUSH_PRIVATE_KEY"}))
def test_a_placeholder_is_refused(name: str, tmp_path: Path) -> None:
    said = settings_checked(
        tmp_path, **{**REAL, **OWNER, "OWNER_DATABASE_URL": REAL["DATABASE_URL"], name: "change-me"}
    )
    assert {**SECRETS, **OWNER}[name] == "change-me"
    assert re.search(rf"(^| ){name} (must look like|is too short)", said[1].splitlines()[-1])


@pytest.mark.parametrize("pod", PODS)
def test_pods_are_as_the_image_and_may_do_nothing_else(pod: str) -> None:
    spec, inside = PODS[pod]["spec"], container(pod)
    user = int(instructions("USER")[-1])
    assert (spec["securityContext"]["runAsUser"], spec["securityContext"]["runAsGroup"]) == (user, user)
    assert f"--uid {user}" in DOCKERFILE
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert (spec["automountServiceAccountToken"], spec["enableServiceLinks"]) == (False, False)
    held = inside["securityContext"]
    assert (held["allowPrivilegeEscalation"], held["readOnlyRootFilesystem"]) == (False, True)
    assert held["capabilities"] == {"drop": ["ALL"]}
    # The writable paths are those of compose.yaml.
    mounts = {each["mountPath"] for each in inside["volumeMounts"]}
    assert mounts == {IMAGE["PARTERRE_DATA"], *COMPOSE["x-web"]["tmpfs"]}
    assert {each["name"] for each in inside["volumeMounts"]} == {each["name"] for each in spec["volumes"]}
    assert [IMAGE["PARTERRE_DATA"]] == [mount.split(":")[1] for mount in COMPOSE["x-web"]["volumes"]]


def test_the_port_is_the_images_everywhere() -> None:
    [port] = container("web")["ports"]
    assert str(port["containerPort"]) == IMAGE["PORT"] == instructions("EXPOSE")[-1]
    [service] = ALL["Service", "parterre"]["spec"]["ports"]
    probes = [container("web")[f"{kind}Probe"]["httpGet"]["port"] for kind in ("startup", "readiness", "liveness")]
    [way_in] = ALL["NetworkPolicy", "parterre-web"]["spec"]["ingress"]
    assert {service["targetPort"], *probes, way_in["ports"][0]["port"]} == {port["name"]}
    backends = [
        path["backend"]["service"]
        for ingress in INGRESSES.values()
        for rule in ingress["spec"]["rules"]
        for path in rule.get("http", {}).get("paths", [])
    ]
    assert len(backends) == 15
    assert all(each == {"name": "parterre", "port": {"name": service["name"]}} for each in backends)


def test_labels_find_each_other() -> None:
    labels = {pod: template["metadata"]["labels"] for pod, template in PODS.items()}
    assert all(labels[pod]["app.kubernetes.io/component"] == pod for pod in PODS)
    [spread] = PODS["web"]["spec"]["topologySpreadConstraints"]
    selectors = [
        DEPLOYMENT["selector"],
        ALL["PodDisruptionBudget", "parterre"]["spec"]["selector"],
        spread["labelSelector"],
    ]
    assert all(each == {"matchLabels": labels["web"]} for each in selectors)
    assert ALL["Service", "parterre"]["spec"]["selector"] == labels["web"]
    for pod in PODS:
        assert ALL["NetworkPolicy", f"parterre-{pod}"]["spec"]["podSelector"]["matchLabels"] == labels[pod]


def test_probes_ask_what_machines_are_answered() -> None:
    asked = {kind: container("web")[f"{kind}Probe"] for kind in ("startup", "readiness", "liveness")}
    assert {kind: probe["httpGet"]["path"] for kind, probe in asked.items()} == {
        "startup": "/readyz", "readiness": "/healthz", "liveness": "/healthz",
    }  # fmt: skip
    assert {probe["httpGet"]["path"] for probe in asked.values()} | {health.METRICS} == health.ANSWERS.keys()
    assert {*paths("parterre-machines")} == health.ANSWERS.keys()
    assert notes("parterre-machines")["rewrites"] == "serviceName=parterre rewrite=/"
    assert all(probe["timeoutSeconds"] > health.PATIENCE for probe in asked.values())
    # The watchdog writes its report before the liveness probe kills the process.
    from django.conf import settings

    live = asked["liveness"]
    assert live["periodSeconds"] * live["failureThreshold"] > settings.LOOP_DEAD_SECONDS


def test_a_stop_has_the_time_that_it_takes() -> None:
    wait = container("web")["lifecycle"]["preStop"]["sleep"]["seconds"]
    drains = float(SETTINGS["DRAIN_SECONDS"])
    grace = PODS["web"]["spec"]["terminationGracePeriodSeconds"]
    assert grace == math.ceil(wait + drains + daphne_server.DEADLINE + 1)
    # With P remaining processes, N viewers reconnect smoothly within N / (60 · P) seconds; one other process stays.
    assert drains >= MOST / 2 / 60
    assert wait >= container("web")["readinessProbe"]["periodSeconds"]


def test_memory_is_enough_for_a_process_and_a_ranking() -> None:
    limit = float(SETTINGS["MEMORY_LIMIT_MB"])
    resources = container("web")["resources"]
    assert megabytes(resources["limits"]["memory"]) >= limit + RANKING
    assert f"{RANKING} MB, which `MEMORY_LIMIT_MB` does not count" in (ROOT / "docs" / "operations.md").read_text()
    most = max(Plan(viewers).memory for viewers in (1_000, 10_000, 100_000))
    assert limit * 0.8 > most * 1.5
    assert megabytes(resources["requests"]["memory"]) > most
    assert "cpu" not in resources["limits"]
    assert resources["requests"]["cpu"] == "1"


def test_processes_follow_the_number_of_viewers() -> None:
    scaler = ALL["HorizontalPodAutoscaler", "parterre"]["spec"]
    deployment = ALL["Deployment", "parterre"]
    assert scaler["scaleTargetRef"] == {
        "apiVersion": deployment["apiVersion"], "kind": "Deployment", "name": deployment["metadata"]["name"],
    }  # fmt: skip
    assert "replicas" not in DEPLOYMENT, "or every apply would undo what the scaler has done"
    [metric] = scaler["metrics"]
    name = metric["pods"]["metric"]["name"]
    viewers = next(Site(None).viewers())
    assert viewers.name == name == f"{PREFIX}_viewers"
    assert MOST / 2 < int(metric["pods"]["target"]["averageValue"]) < MOST * 0.8
    assert scaler["minReplicas"] == 2
    assert scaler["maxReplicas"] > Plan(100_000).processes
    pieces = ALL["ConfigMap", "parterre-metrics"]["data"]
    [scrape], [rule] = (yaml.safe_load(pieces[piece]) for piece in ("scrape.yaml", "adapter.yaml"))
    assert (scrape["metrics_path"], rule["name"]["as"]) == (health.METRICS, name)
    assert re.match(rule["name"]["matches"], name)
    assert rule["seriesQuery"].startswith(f"{name}{{")
    assert rule["metricsQuery"].startswith("sum("), "signed in and not are two series of a process"
    assert {sample.labels["signed_in"] for sample in viewers.samples} == {"yes", "no"}


def test_a_roll_never_has_fewer_than_before() -> None:
    assert DEPLOYMENT["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
    assert ALL["PodDisruptionBudget", "parterre"]["spec"]["maxUnavailable"] == 1


def test_migrations_are_the_owners_and_nobody_elses() -> None:
    assert OWNER.keys() == {"OWNER_DATABASE_URL"}
    words = container("migrate")["command"]
    assert words[:2] == ["python", "manage.py"]
    assert (ROOT / words[1]).is_file()
    assert words[2:] == ["migrate", "--no-input"]
    assert PODS["migrate"]["spec"]["restartPolicy"] == "Never"
    assert "command" not in container("web"), "the image's own"
    places = {each["ports"][-1]["port"] for each in ALL["NetworkPolicy", "parterre-migrate"]["spec"]["egress"]}
    assert places == {53, 5432}


def test_the_network_lets_out_what_the_code_asks() -> None:
    *_, out = ALL["NetworkPolicy", "parterre-web"]["spec"]["egress"]
    mail = {mail_server(f"{scheme}://mail.example").port for scheme in ("smtp", "smtps")}
    assert {each["port"] for each in out["ports"]} == {5432, 443, *mail}
    assert all(
        each["spec"]["policyTypes"] == ["Ingress", "Egress"]
        for (kind, _), each in ALL.items()
        if kind == "NetworkPolicy"
    )
