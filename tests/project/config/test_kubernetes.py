"""The manifests of `docs/operations/kubernetes` match Kubernetes' schemas, the code, and nginx.conf."""

import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from benchmarks.capacity import MOST, Plan
from components.runtime.rendering.document import LIVE
from project.config import ROOT, Refusal, database_parameters, mail_server
from project.launcher import checks
from project.server import daphne_server, health
from project.server.health import PREFIX, Site
from tests.offenders import check_each
from tests.project.config.test_deployment import COMPOSE, DOCKERFILE, NGINX, instructions
from tests.project.config.test_settings import KEY, VARIABLES, checked_settings

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


RANKING = 300  # MB beside a process while a ranking is computed, as in docs/operations.md
REQUIRED = {"PUBLIC_URL", "SECRET_KEY", "DATABASE_URL", "OWNER_DATABASE_URL", "BEHIND_PROXY", "EMAIL_URL"}


def validate(resource: dict[str, Any]) -> object:
    """Validate a resource with the schemas of Kubernetes; unknown fields are errors."""
    return kubernetes_validate.validate(resource, kubernetes_validate.latest_version(), strict=True)


def test_resources_match_the_schemas_of_kubernetes() -> None:
    for resource in ALL.values():
        assert validate(resource)
    wrong = {**ALL["Service", "parterre"], "spec": {"port": []}}
    with pytest.raises(kubernetes_validate.ValidationError, match="port"):
        validate(wrong)


def test_each_resource_is_named_once() -> None:
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


def test_manifests_set_known_and_all_required_variables() -> None:
    names = {*SETTINGS, *SECRETS, *OWNER}
    assert len(names) == len(SETTINGS) + len(SECRETS) + len(OWNER)
    assert REQUIRED <= names <= {*VARIABLES}
    assert not names & IMAGE.keys(), "variables of the image are not repeated"
    sources = {pod: [next(iter(each.values()))["name"] for each in container(pod)["envFrom"]] for pod in PODS}
    assert sources == {"web": ["parterre", "parterre"], "migrate": ["parterre", "parterre", "parterre-owner"]}


def settings_findings(folder: Path, without: str = "", **secrets: str) -> str:
    """Return the sentences with which the settings or their checks refuse the manifests' environment."""
    environment = {name: value for name, value in {**SETTINGS, **SECRETS, **secrets}.items() if name != without}
    try:
        for name in ("DATABASE_URL", "OWNER_DATABASE_URL"):
            if address := environment.get(name):
                database_parameters(address, name)
        with checked_settings(folder, **environment):
            return "\n".join(finding.msg for finding in checks.settings_check())
    except Refusal as error:
        return str(error)


REAL = {
    "SECRET_KEY": KEY,
    "DATABASE_URL": "postgresql://parterre_site:x@db/parterre",
    "EMAIL_URL": "smtp://parterre:x@mail.example",
}


def test_real_secrets_are_accepted_and_missing_ones_are_named(tmp_path: Path) -> None:
    assert settings_findings(tmp_path, **REAL) == ""
    assert settings_findings(tmp_path, **REAL, **dict.fromkeys(OWNER, REAL["DATABASE_URL"])) == ""
    for name, sentence in {
        "SECRET_KEY": "SECRET_KEY is missing",
        "EMAIL_URL": "EMAIL_URL is missing",
        "BEHIND_PROXY": "BEHIND_PROXY is off",
    }.items():
        assert sentence in settings_findings(tmp_path, name, **REAL)


def test_placeholders_of_secrets_are_refused(tmp_path: Path) -> None:
    given = {**REAL, **OWNER, "OWNER_DATABASE_URL": REAL["DATABASE_URL"]}

    def check(name: str) -> None:
        assert {**SECRETS, **OWNER}[name] == "change-me"
        last = settings_findings(tmp_path, **{**given, name: "change-me"}).splitlines()[-1]
        assert re.search(rf"(^| ){name} (must look like|is too short)", last), last

    check_each({**SECRETS, **OWNER}.keys() - {"METRICS_TOKEN", "PUSH_PRIVATE_KEY"}, check, at_least=4)


@pytest.mark.parametrize("pod", PODS)
def test_pods_run_as_the_image_without_other_rights(pod: str) -> None:
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


def test_all_ports_are_the_port_of_the_image() -> None:
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


def test_selectors_match_labels() -> None:
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


def test_probes_use_the_health_endpoints() -> None:
    probes = {kind: container("web")[f"{kind}Probe"] for kind in ("startup", "readiness", "liveness")}
    assert {kind: probe["httpGet"]["path"] for kind, probe in probes.items()} == {
        "startup": "/readyz", "readiness": "/healthz", "liveness": "/healthz",
    }  # fmt: skip
    assert {probe["httpGet"]["path"] for probe in probes.values()} | {health.METRICS} == health.ANSWERS.keys()
    assert {*paths("parterre-machines")} == health.ANSWERS.keys()
    assert notes("parterre-machines")["rewrites"] == "serviceName=parterre rewrite=/"
    assert all(probe["timeoutSeconds"] > health.PATIENCE for probe in probes.values())
    # The watchdog writes its report before the liveness probe kills the process.
    from django.conf import settings

    live = probes["liveness"]
    assert live["periodSeconds"] * live["failureThreshold"] > settings.LOOP_DEAD_SECONDS


def test_grace_period_covers_a_drain() -> None:
    wait = container("web")["lifecycle"]["preStop"]["sleep"]["seconds"]
    drains = float(SETTINGS["DRAIN_SECONDS"])
    grace = PODS["web"]["spec"]["terminationGracePeriodSeconds"]
    assert grace == math.ceil(wait + drains + daphne_server.DEADLINE + 1)
    # With P remaining processes, N viewers reconnect smoothly within N / (60 · P) seconds; one other process stays.
    assert drains >= MOST / 2 / 60
    assert wait >= container("web")["readinessProbe"]["periodSeconds"]


def test_memory_limit_covers_a_process_and_a_ranking() -> None:
    limit = float(SETTINGS["MEMORY_LIMIT_MB"])
    resources = container("web")["resources"]
    assert megabytes(resources["limits"]["memory"]) >= limit + RANKING
    assert f"{RANKING} MB, which `MEMORY_LIMIT_MB` does not count" in (ROOT / "docs" / "operations.md").read_text()
    most = max(Plan(viewers).memory for viewers in (1_000, 10_000, 100_000))
    assert limit * 0.8 > most * 1.5
    assert megabytes(resources["requests"]["memory"]) > most
    assert "cpu" not in resources["limits"]
    assert resources["requests"]["cpu"] == "1"


def test_processes_scale_with_viewers() -> None:
    scaler = ALL["HorizontalPodAutoscaler", "parterre"]["spec"]
    deployment = ALL["Deployment", "parterre"]
    assert scaler["scaleTargetRef"] == {
        "apiVersion": deployment["apiVersion"], "kind": "Deployment", "name": deployment["metadata"]["name"],
    }  # fmt: skip
    assert "replicas" not in DEPLOYMENT, "or each apply would undo the scaler"
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
    assert rule["metricsQuery"].startswith("sum("), "a process has a series for anonymous and one for signed-in viewers"
    assert {sample.labels["signed_in"] for sample in viewers.samples} == {"yes", "no"}


def test_rollout_keeps_all_replicas() -> None:
    assert DEPLOYMENT["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
    assert ALL["PodDisruptionBudget", "parterre"]["spec"]["maxUnavailable"] == 1


def test_only_migrations_run_as_the_owner() -> None:
    assert OWNER.keys() == {"OWNER_DATABASE_URL"}
    words = container("migrate")["command"]
    assert words[:2] == ["python", "manage.py"]
    assert (ROOT / words[1]).is_file()
    assert words[2:] == ["migrate", "--no-input"]
    assert PODS["migrate"]["spec"]["restartPolicy"] == "Never"
    assert "command" not in container("web"), "the command is that of the image"
    places = {each["ports"][-1]["port"] for each in ALL["NetworkPolicy", "parterre-migrate"]["spec"]["egress"]}
    assert places == {53, 5432}


def test_network_policy_allows_the_ports_of_the_code() -> None:
    *_, out = ALL["NetworkPolicy", "parterre-web"]["spec"]["egress"]
    mail = {mail_server(f"{scheme}://mail.example").port for scheme in ("smtp", "smtps")}
    assert {each["port"] for each in out["ports"]} == {5432, 443, *mail}
    assert all(
        each["spec"]["policyTypes"] == ["Ingress", "Egress"]
        for (kind, _), each in ALL.items()
        if kind == "NetworkPolicy"
    )


SIGN_IN = "login|register|forgot-password|reset-password|verify-email|reauthenticate|auth"
ZONES = {
    "parterre-pages": ("/", "pages"),
    "parterre-sign-in": (f"~ ^/({SIGN_IN})(/|$)", "sign_in"),
    "parterre-long-text": ("= /long-text", "uploads"),
    "parterre-participant-file": ("= /participant-file", "uploads"),
    "parterre-sockets": (f"= {LIVE}", "handshakes"),
}  # fmt: skip


def location(place: str) -> str:
    return NGINX[(start := NGINX.index(f"\n        location {place} {{")) : NGINX.index("\n        }", start)]


def ingress_compare(name: str) -> None:
    """Compare the limits and time-outs of an Ingress with those of its location in nginx.conf."""
    place, zone = ZONES[name]
    block, annotations = location(place), notes(name)
    [rate] = re.findall(rf"limit_req_zone \$visitor\w* zone={zone}:10m rate=(\S+);", NGINX)
    assert annotations["limit-req-rate"] == rate
    assert f"limit_req zone={zone} burst={annotations['limit-req-burst']} nodelay;" in block
    assert (annotations["limit-req-no-delay"], annotations["limit-req-reject-code"]) == ("true", "429")
    for key in ("client-max-body-size", "proxy-read-timeout", "proxy-send-timeout", "proxy-next-upstream"):
        directive = key.replace("-", "_")
        [value] = (
            re.findall(rf"{directive} (.+);", block)
            or re.findall(rf"^    {directive} (.+);", NGINX, re.MULTILINE)
            or [None]
        )
        assert annotations.get(key) == value, key
    for key in ("proxy-connect-timeout", "proxy-next-upstream-timeout"):
        assert f"    {key.replace('-', '_')} {annotations[key]};" in NGINX
    most = annotations["max-fails"]
    fails = f"max_fails={most}" + (f" fail_timeout={annotations['fail-timeout']}" if most != "0" else ";")
    upstream = "sockets" if name == "parterre-sockets" else "pages"
    assert fails in NGINX[(start := NGINX.index(f"upstream {upstream} {{")) : NGINX.index("\n        }", start)]


def test_ingress_has_the_limits_of_nginx() -> None:
    check_each(ZONES, ingress_compare)


def test_ingress_has_the_paths_of_nginx() -> None:
    assert paths("parterre-sign-in") == {f"/{word}": "Prefix" for word in SIGN_IN.split("|")}
    assert paths("parterre-sockets") == {LIVE: "Exact"}
    assert notes("parterre-sockets")["websocket-services"] == ALL["Service", "parterre"]["metadata"]["name"]
    assert (paths("parterre-pages"), paths("parterre-static")) == ({"/": "Prefix"}, {"/static/": "Prefix"})
    host = SETTINGS["PUBLIC_URL"].removeprefix("https://")
    assert {rule["host"] for each in INGRESSES.values() for rule in each["spec"]["rules"]} == {host}
    [tls] = INGRESSES["parterre"]["spec"]["tls"]
    assert tls["hosts"] == [host]
    kinds = Counter(notes(name)["mergeable-ingress-type"] for name in INGRESSES)
    assert kinds == {"master": 1, "minion": 7}
