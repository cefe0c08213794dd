"""The Helm chart and the kustomize overlays: their objects fit the schemas of Kubernetes, both say the same, the chart's
settings are those of the program, and its memory limit follows from what the program says that it needs."""

import base64
import json
import re
import signal
import tempfile
import urllib.parse
from importlib import metadata

import jsonschema
import kubernetes_validate
import pydantic
import tools
import yaml
from cloudcoil.models.keda import v1alpha1 as keda
from cloudcoil.models.prometheus_operator import v1 as operator
from queueing import Nats, has_workers, without
from service import Service, free_port, wait_for

CHART = tools.DEPLOY / "helm/overfold"
EXAMPLES = tools.DEPLOY / "helm/examples"
KUSTOMIZE = tools.DEPLOY / "kustomize"
# From the oldest version that the chart allows to the newest whose schemas the validator has.
VERSIONS = ["1.27", "1.33", kubernetes_validate.latest_version()]
# Kinds of the Prometheus operator and of KEDA.
MODELS = {
    "ServiceMonitor": operator.ServiceMonitor, "PodMonitor": operator.PodMonitor, "PrometheusRule": operator.PrometheusRule,
    "ScaledObject": keda.ScaledObject,
}
PACKAGES = ["cloudcoil.models.prometheus_operator", "cloudcoil.models.keda"]
# What the trigger nats-jetstream needs, and what it may have, by its page in the documentation of KEDA; the model takes
# anything.
TRIGGER = {"natsServerMonitoringEndpoint", "account", "stream", "consumer", "lagThreshold"}
TRIGGER_MAY = TRIGGER | {"activationLagThreshold", "useHttps"}
# Flags that the chart sets from other values than `settings`, with the values that make it do so.
OTHERS = {
    "listen", "provider-schemas", "token-file", "allow-anonymous", "allowed-host", "jwks", "jwt-issuer", "jwt-audience", "tls-certificate",
    "tls-key", "client-ca", "cache-redis", "cache-redis-ca", "otlp-endpoint", "otlp-ratio", "otlp-service-name",
}
# Flags of `overfold worker` alone that the chart sets from Secrets. The others are values of `worker.nats`, without "nats".
SECRETS = {"nats", "nats-ca", "nats-certificate", "nats-key"}
# Values whose keys are those of others, each one as needed.
OPEN = ["values.yaml.settings", "values.yaml.worker.settings", "values.yaml.worker.resources"]
# A value for everything that has none by default.
EVERYTHING = {
    "image": {"repository": "registry.example.com/overfold", "tag": "1.2.3", "digest": "sha256:" + "0" * 64},
    "imagePullSecrets": [{"name": "registry"}],
    "settings": {"log": "debug", "logFormat": "text", "timeoutSeconds": 60},
    "listenAddress": "::",
    "access": {
        "tokens": {"inline": "ci:sha256:" + "0" * 64 + "\n# a comment\n"},
        "jwks": {"inline": '{"keys": []}', "issuer": "https://id.example.com", "audience": "overfold"},
        "allowedHosts": ["overfold.example.com", "10.0.0.1"],
    },
    "tls": {"secret": "cert", "clientCa": {"secret": "ca"}},
    "cache": {"redisSecret": "redis", "ca": {"secret": "ca"}, "to": [{"podSelector": {"matchLabels": {"app": "redis"}}}]},
    "traces": {"endpoint": "http://collector/base", "ratio": 1, "serviceName": "a", "to": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]},
    "service": {"type": "LoadBalancer", "port": 443, "annotations": {"a": "b"}},
    "resources": {"memoryRequest": "256Mi", "cpuLimit": "2"},
    "autoscaling": {"enabled": True, "minReplicas": 3, "maxReplicas": 30, "targetCPU": 50},
    "worker": {
        "enabled": True,
        "settings": {"graceSeconds": 40, "logFormat": "json"},
        "resources": {"memoryReserveMiB": 100, "cpuLimit": "1"},
        "nats": {
            "secret": "nats", "key": "a", "to": [{"ipBlock": {"cidr": "10.0.0.0/8"}}], "queue": "many", "keepDays": 3,
            "replicas": 3, "deliveries": 3, "ackSeconds": 60, "ca": {"secret": "nats-ca", "key": "b"},
            "certificate": {"secret": "nats-client"},
        },
        "keda": {"enabled": True, "minReplicas": 1, "maxReplicas": 1000000, "activationLagThreshold": 10, "account": "A"},
        "topologySpreadConstraints": [{"topologyKey": "rack", "maxSkew": 2, "whenUnsatisfiable": "DoNotSchedule"}],
        "nodeSelector": {"e": "f"}, "tolerations": [{"key": "e", "operator": "Exists"}], "affinity": {"podAffinity": {}},
        "priorityClassName": "low", "podAnnotations": {"e": "f"}, "podLabels": {"g": "h"},
    },
    "podDisruptionBudget": {"maxUnavailable": "25%"},
    "networkPolicy": {"from": [{"podSelector": {"matchLabels": {"a": "b"}}}]},
    "topologySpreadConstraints": [{"topologyKey": "rack", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}],
    "nodeSelector": {"a": "b"},
    "tolerations": [{"key": "a", "operator": "Exists"}],
    "affinity": {"nodeAffinity": {}},
    "priorityClassName": "high",
    "podAnnotations": {"a": "b"},
    "podLabels": {"c": "d"},
    "serviceMonitor": {"enabled": True, "labels": {"a": "b"}, "tokenSecret": "scraper", "tlsConfig": {"serverName": "x"}},
    "prometheusRule": {"enabled": True, "labels": {"a": "b"}},
    "dashboard": {"enabled": True},
}
# Values that the schema or the templates must refuse, and a word of the message.
REFUSED = [
    ({"settings": {"concurrency": 0}}, "concurrency"),
    ({"settings": {"maxMemoryBytes": "128Mi"}}, "maxMemoryBytes"),
    ({"settings": {"maxMemory": 1}}, "maxMemory"),
    ({"settings": {"logFormat": "xml"}}, "logFormat"),
    ({"image": {"digest": "latest"}}, "digest"),
    ({"access": {"tokens": {"inline": "a-token-in-the-clear"}}}, "inline"),
    ({"access": {"anonymous": True}}, "anonymous"),
    ({"access": {"tokens": {"existingSecret": ""}}}, "who may call"),
    ({"access": {"jwks": {"existingSecret": "keys"}}}, "issuer"),
    ({"settings": {"cacheBytes": 1}, "cache": {"redisSecret": "redis"}}, "exclude"),
    ({"traces": {"endpoint": "https://collector:4318"}}, "endpoint"),
    ({"traces": {"endpoint": "http://collector:4318", "ratio": 2}}, "ratio"),
    ({"tls": {"clientCa": {"secret": "ca"}}}, "tls.secret"),
    ({"networkPolicy": {"from": [{}]}}, "from"),
    ({"replicaCount": 3}, "replicaCount"),
    ({"resources": {"memoryLimit": "1Gi"}}, "memoryLimit"),
    ({"worker": {"enabled": True}}, "worker.nats.secret"),
    ({"worker": {"settings": {"maxMemory": 1}}}, "maxMemory"),
    ({"worker": {"settings": {"concurrency": "2"}}}, "concurrency"),
    ({"worker": {"resources": {"memoryLimit": "1Gi"}}}, "memoryLimit"),
    ({"worker": {"nats": {"server": "nats://nats:4222"}}}, "server"),
    ({"worker": {"nats": {"queue": "a.b"}}}, "queue"),
    ({"worker": {"nats": {"deliveries": 1}}}, "deliveries"),
    ({"worker": {"nats": {"to": [{}]}}}, "to"),
    ({"worker": {"nats": {"ca": {"secret": "A"}}}}, "secret"),
    ({"worker": {"keda": {"monitoringEndpoint": "http://nats.nats.svc:8222"}}}, "monitoringEndpoint"),
    ({"worker": {"keda": {"lagThreshold": 0}}}, "lagThreshold"),
    ({"worker": {"nats": {"secret": "nats"}, "keda": {"enabled": True, "minReplicas": 11}}}, "maxReplicas"),
    (
        {"worker": {"enabled": True, "nats": {"secret": "nats"}, "settings": {"cacheBytes": 1}}, "cache": {"redisSecret": "redis"}},
        "exclude",
    ),
]


def helm(at_hand, values=None, files=(), name="overfold", chart=CHART):
    """Returns the objects of the chart with some values."""
    command = [at_hand.cluster("helm"), "template", name, chart]
    for file in files:
        command += ["--values", file]
    # What comes last takes precedence.
    with tempfile.NamedTemporaryFile("w", suffix=".json") as last:
        json.dump(values or {}, last)
        last.flush()
        text = tools.must(*command, "--values", last.name)
    return [found for found in yaml.safe_load_all(text) if found]


def validate(objects):
    for found in objects:
        if found["kind"] in MODELS:
            validate_by_model(found)
            continue
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(found, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                raise AssertionError(f"{found['kind']} is not one of Kubernetes {version}: {error}") from error


def validate_by_model(found):
    try:
        model = MODELS[found["kind"]].model_validate(found)
    except pydantic.ValidationError as error:
        raise AssertionError(f"{found['kind']} is not one of its operator: {error}") from error
    # The model leaves out what it does not know.
    known = model.model_dump(mode="json", by_alias=True, exclude_unset=True)
    assert known == found, f"{found['kind']} has fields that its operator does not know: {found}"
    if found["kind"] == "ScaledObject":
        for trigger in found["spec"]["triggers"]:
            assert trigger["type"] == "nats-jetstream" and TRIGGER <= trigger["metadata"].keys() <= TRIGGER_MAY, trigger
            for name in ["lagThreshold", "activationLagThreshold"]:
                # KEDA reads them as integers.
                assert trigger["metadata"][name].isdecimal(), f"{name} is {trigger['metadata'][name]}"


def settings_of(program, command="serve"):
    """Returns the flags of `overfold serve` or another command, each with its default value."""
    help_ = tools.must(program, command, "--help")
    flags = {}
    for part in re.split(r"\n      --", help_)[1:]:
        name = part.split()[0]
        default = re.search(r"^ +\[default: (\S+)\]$", part, re.M)
        assert f"[env: OVERFOLD_{name.upper().replace('-', '_')}" in part, f"--{name} has another variable"
        flags[name] = default and default[1]
    return flags


def camel(name):
    return re.sub(r"-(.)", lambda match: match[1].upper(), name)


def test_values(program, folder, at_hand):
    """values.schema.json allows what the program does, and values.yaml has the program's defaults."""
    schema = json.loads((CHART / "values.schema.json").read_text())
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate(values, schema)
    check_documented(values, schema, "values.yaml")
    flags = settings_of(program)
    own = set(flags) - OTHERS
    listed = schema["definitions"]["settings"]["properties"]
    assert {camel(name) for name in own} == set(listed), (
        f"settings in values.schema.json and flags of the program differ: { {camel(name) for name in own} ^ set(listed)}"
    )
    # A load balancer needs time to notice; the number of processors is nothing that a limit can be computed from.
    for name in own - {"drain-seconds", "concurrency"}:
        given = values["settings"].get(camel(name))
        assert given is None or str(given) == flags[name], f"{name}: {given} in values.yaml, {flags[name]} in the program"
    version = re.search(r'^version = "(.*)"$', (tools.ROOT / "Cargo.toml").read_text(), re.M)[1]
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    base = yaml.safe_load((KUSTOMIZE / "base/kustomization.yaml").read_text())
    assert chart["appVersion"] == version == base["images"][0]["newTag"], f"deploy/ is not for version {version}"
    yield f"values.yaml fits values.schema.json, which has the {len(own)} settings of the program"
    if has_workers(program):
        of_worker = settings_of(program, "worker")
        assert flags.keys() <= of_worker.keys(), f"a worker does not have {flags.keys() - of_worker.keys()}"
        queue = of_worker.keys() - flags.keys() - SECRETS
        nats = values["worker"]["nats"]
        names = {name: camel(name.removeprefix("nats-")) for name in queue}
        expected = {*names.values(), "secret", "key", "port", "to", "ca", "certificate"}
        assert nats.keys() == expected, f"worker.nats and flags of the program differ: {nats.keys() ^ expected}"
        for name, value in names.items():
            assert str(nats[value]) == of_worker[name], f"{name}: {nats[value]} in values.yaml, {of_worker[name]} in the program"
        yield f"worker.nats in values.yaml has the {len(queue)} settings of a worker's queue"
    else:
        yield without("its flags have NOT been compared with worker.nats in values.yaml")
    later = sorted(OTHERS - set(flags))
    if later:
        yield f"SKIPPED: this program has no {', '.join('--' + name for name in later)}; these flags have NOT been compared"


def check_documented(values, schema, path):
    """Every value has a schema, and every property a value, except in those that take more."""
    for name, part in schema.get("properties", {}).items():
        if name != "global" and path not in OPEN:
            assert name in values, f"{path} has no {name}"
        if isinstance(part, dict) and part.get("type") == "object" and name in values:
            check_documented(values[name], part, f"{path}.{name}")


def test_chart(program, folder, at_hand):
    """The chart, with all kinds of values."""
    with tools.or_skipped("the Helm chart has NOT been rendered"):
        program_of_helm = at_hand.cluster("helm")
    tools.must(program_of_helm, "lint", "--strict", CHART)
    default = helm(at_hand)
    validate(default)
    hardened(default)
    full = helm(at_hand, EVERYTHING, name="other")
    validate(full)
    hardened(full)
    kinds = [found["kind"] for found in full]
    for kind in ["HorizontalPodAutoscaler", "Secret", "ConfigMap", *MODELS]:
        assert kind in kinds, f"no {kind} with every value set"
    assert all(found["metadata"]["name"].startswith("other-overfold") for found in full), "objects of another name"
    service, worker = (container_of(deployments(full)[command]) for command in ["serve", "worker"])
    assert service["image"] == worker["image"] == "registry.example.com/overfold:1.2.3@sha256:" + "0" * 64, service["image"]
    environment = environment_of(service)
    assert environment["OVERFOLD_LISTEN"] == "[::]:8080" and environment["OVERFOLD_LOG_FORMAT"] == "text", environment
    assert environment["OVERFOLD_MAX_MEMORY_BYTES"] == "134217728", environment
    mounts_exist(full)
    check_worker(full, environment)
    for container in [service, worker]:
        flags = settings_of(program, container["args"][0]) if container is service or has_workers(program) else None
        for name in environment_of(container) if flags else []:
            flag = name.removeprefix("OVERFOLD_").lower().replace("_", "-")
            assert flag in flags or flag in OTHERS, f"the chart sets {name}, which the program does not know"
    # A package has the files that the chart only links to.
    tools.must(program_of_helm, "package", CHART, "--destination", folder)
    (package,) = folder.glob("overfold-*.tgz")
    assert helm(at_hand, EVERYTHING, name="other", chart=package) == full, "the packaged chart is another one"
    package.unlink()
    for values, word in REFUSED:
        try:
            helm(at_hand, values)
        except AssertionError as error:
            assert word in str(error), f"{values} was not refused for {word}: {str(error)[-300:]}"
        else:
            raise AssertionError(f"{values} was not refused")
    rules = only(full, "PrometheusRule")["spec"]
    alerts = yaml.safe_load((tools.DEPLOY / "prometheus/alerts.yaml").read_text())
    assert rules == alerts, "the rules in the chart are not those of deploy/prometheus"
    version = tools.must(program_of_helm, "version", "--short").strip()
    yield (
        f"helm {version}: {len(default)} objects by default, {len(full)} with every value set, valid for Kubernetes "
        f"{', '.join(VERSIONS)}; {len(REFUSED)} wrong values refused"
    )
    packages = " and ".join(f"{package} {metadata.version(package)}" for package in PACKAGES)
    yield f"{', '.join(sorted(MODELS))} fit the models of the Prometheus operator and of KEDA in {packages}"


def only(objects, kind):
    (found,) = [found for found in objects if found["kind"] == kind]
    return found


def deployments(objects):
    """Returns the Deployments, by the command of the program that their containers run."""
    return {container_of(found)["args"][0]: found for found in objects if found["kind"] == "Deployment"}


def container_of(deployment):
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    return container


def environment_of(container):
    """Returns the variables of a container. What comes from a Secret has no value."""
    return {entry["name"]: entry.get("value") for entry in container["env"]}


def selecting(objects, kind, deployment):
    """Returns the objects of a kind that select the pods of a Deployment."""
    labels = deployment["spec"]["template"]["metadata"]["labels"].items()
    found = []
    for one in objects:
        if one["kind"] == kind:
            selector = one["spec"].get("podSelector") or one["spec"]["selector"]
            if selector.get("matchLabels", selector).items() <= labels:
                found.append(one)
    return found


def check_worker(objects, environment):
    """A worker has the settings of the service but for those that are its own, and what it is scaled by is its queue."""
    deployment = deployments(objects)["worker"]
    own = environment_of(container_of(deployment))
    differ = {name for name in own if name in environment and own[name] != environment[name]}
    assert differ == {"OVERFOLD_DRAIN_SECONDS", "OVERFOLD_GRACE_SECONDS", "OVERFOLD_LOG_FORMAT"}, differ
    assert environment.keys() <= own.keys(), f"a worker has no {environment.keys() - own.keys()}"
    assert own["OVERFOLD_DRAIN_SECONDS"] == "0" and own["OVERFOLD_GRACE_SECONDS"] == "40", own
    pod = deployment["spec"]["template"]["spec"]
    assert pod["terminationGracePeriodSeconds"] == 45 and pod["nodeSelector"] == {"e": "f"}, pod
    assert "replicas" not in deployment["spec"], "each upgrade would set the number of workers back"
    scaled = only(objects, "ScaledObject")["spec"]
    assert scaled["scaleTargetRef"]["name"] == deployment["metadata"]["name"], scaled
    assert scaled["triggers"][0]["metadata"]["stream"] == own["OVERFOLD_NATS_QUEUE"] == "many", scaled


def hardened(objects):
    """What the containers may do, by the strictest of the pod security standards, and more."""
    for command, deployment in deployments(objects).items():
        pod = deployment["spec"]["template"]["spec"]
        container = container_of(deployment)
        assert pod["automountServiceAccountToken"] is False, "the pod gets a token for Kubernetes"
        assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] == 65532, pod["securityContext"]
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, pod["securityContext"]
        context = container["securityContext"]
        assert context == {
            "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]},
        }, context
        assert not any(pod.get(name) for name in ["hostNetwork", "hostPID", "hostIPC"]), "the pod shares the node's"
        assert selecting(objects, "Deployment", deployment) == [deployment], "a Deployment takes the pods of another"
        (policy,) = selecting(objects, "NetworkPolicy", deployment)
        policy = policy["spec"]
        ports = [port["port"] for rule in policy["egress"] for port in rule["ports"]]
        environment = environment_of(container)
        servers = [4222] if command == "worker" else []
        servers += [6379] if "OVERFOLD_CACHE_REDIS" in environment else []
        if collector := environment.get("OVERFOLD_OTLP_ENDPOINT"):
            servers.append(urllib.parse.urlsplit(collector).port or 80)
        assert policy["policyTypes"] == ["Ingress", "Egress"], "the pod may connect elsewhere"
        assert ports == (servers + [53, 53] if servers else []), f"the pod may connect elsewhere: {policy['egress']}"
        port = container["ports"][0]["name"]
        assert [[ports["port"] for ports in rule["ports"]] for rule in policy["ingress"]] == [[port]], policy
        services = selecting(objects, "Service", deployment)
        reached = [service["spec"]["ports"][0]["targetPort"] for service in services]
        assert reached == ([port] if command == "serve" else []), f"services send requests to {command} at {reached}"
        for probe in ["startupProbe", "livenessProbe", "readinessProbe"]:
            ask = container[probe].get("httpGet")
            assert ask is None or (ask["port"], ask["scheme"]) == (port, port.upper()), container[probe]


def mounts_exist(objects):
    """Every file that a setting names lies in a volume that is mounted."""
    for deployment in deployments(objects).values():
        container = container_of(deployment)
        volumes = {volume["name"]: volume["secret"] for volume in deployment["spec"]["template"]["spec"].get("volumes", [])}
        mounts = {mount["mountPath"]: volumes[mount["name"]] for mount in container.get("volumeMounts", [])}
        assert len(mounts) == len(volumes), "a volume is mounted twice or not at all"
        for entry in container["env"]:
            if entry.get("value", "").startswith("/"):
                folder, _, file = entry["value"].rpartition("/")
                items = mounts[folder].get("items")
                files = [item["path"] for item in items] if items else ["tls.crt", "tls.key"]
                assert file in files, f"{entry['name']} names {entry['value']}, which is not mounted"


def normal(objects):
    """Returns objects by kind and name, without what only Helm adds, and with lists of names in one order."""
    result = {}
    for found in objects:
        found = json.loads(json.dumps(found))
        for name in ["helm.sh/chart", "app.kubernetes.io/managed-by", "app.kubernetes.io/version"]:
            found["metadata"]["labels"].pop(name, None)
        if found["kind"] == "Deployment":
            pod = found["spec"]["template"]["spec"]
            pod.setdefault("volumes", []).sort(key=lambda volume: volume["name"])
            for container in pod["containers"]:
                container["env"].sort(key=lambda entry: entry["name"])
                container.setdefault("volumeMounts", []).sort(key=lambda mount: mount["name"])
        result[found["kind"], found["metadata"]["name"]] = found
    return result


def test_overlays(program, folder, at_hand):
    """kustomize says what the chart says."""
    with tools.or_skipped("the kustomize overlays have NOT been built"):
        kubectl, _ = at_hand.cluster("kubectl"), at_hand.cluster("helm")
    overlays = {path.name: path for path in (KUSTOMIZE / "overlays").iterdir()}
    examples = {path.stem: path for path in EXAMPLES.glob("*.yaml")}
    assert overlays.keys() == examples.keys(), f"only one of both has {overlays.keys() ^ examples.keys()}"
    pairs = [("base", KUSTOMIZE / "base", [])]
    pairs += [(name, overlays[name], [examples[name]]) for name in sorted(overlays)]
    for name, overlay, files in pairs:
        built = list(yaml.safe_load_all(tools.must(kubectl, "kustomize", overlay)))
        validate(built)
        hardened(built)
        mounts_exist(built)
        left, right = normal(helm(at_hand, files=files)), normal(built)
        if name == "monitored":
            # What kustomize cannot do, as the overlay says.
            left = {key: found for key, found in left.items() if key[0] not in ["PrometheusRule", "ConfigMap"]}
        assert left.keys() == right.keys(), f"{name}: only one of both has {left.keys() ^ right.keys()}"
        for key in left:
            assert left[key] == right[key], (
                f"{name}: {' '.join(key)} differs:\n{yaml.safe_dump(left[key])}\n--- by kustomize:\n{yaml.safe_dump(right[key])}"
            )
    versions = ", ".join(VERSIONS)
    yield f"kustomize: {len(pairs)} builds, each equal to the chart with the same values, valid for Kubernetes {versions}"


def test_pods(program, folder, at_hand):
    """The program starts with what the container of each example has, answers its probes and nobody else, and needs at most
    the memory limit less the reserve."""
    with tools.or_skipped("the pods of the chart have NOT been tried"):
        at_hand.cluster("helm")
        files = secrets(program, folder / "secrets", at_hand.system("openssl", "openssl"))
    flags = {"serve": settings_of(program)}
    if has_workers(program):
        flags["worker"] = settings_of(program, "worker")
    odd = {"concurrency": 7, "maxMemoryBytes": 100000001, "maxBodiesBytes": 300000000}
    odd.update(maxAnswersBytes=1, maxConnections=3)
    if "cache-bytes" in flags["serve"]:
        odd["cacheBytes"] = 50000000
    more = {"settings": {"maxMemoryBytes": 200000000}, "nats": {"ca": {"secret": "a"}, "certificate": {"secret": "b"}}}
    cases = [("default", [], {}), ("odd settings", [], {"settings": odd, "schemas": {"volume": {"emptyDir": {}}}})]
    cases += [("odd workers", [EXAMPLES / "tls.yaml", EXAMPLES / "worker.yaml"], {"settings": odd, "worker": more})]
    cases += [(path.stem, [path], {}) for path in sorted(EXAMPLES.glob("*.yaml"))]
    tried = []
    for name, examples, values in cases:
        objects = helm(at_hand, values, examples)
        needs = []
        for command, deployment in deployments(objects).items():
            if command not in flags:
                yield without(f"the workers of {name} have NOT been tried")
                continue
            container = container_of(deployment)
            set_ = {name.removeprefix("OVERFOLD_"): value for name, value in environment_of(container).items()}
            unknown = sorted(known for known in set_ if known.lower().replace("_", "-") not in flags[command])
            if unknown:
                yield f"SKIPPED: this program has no {', '.join(unknown)}; pods with the values {name} have NOT been tried"
                continue
            needs.append(need_of(program, folder / f"pod-{name}-{command}.log", container, set_, files))
        if not needs:
            continue
        tried.append(f"{name} {' and '.join(str(need) for need in needs)} MiB")
    yield f"pods: the program starts, is probed, and needs what the chart computes: {', '.join(tried)}"


def need_of(program, log, container, set_, files):
    """Starts the program as a container does, and returns the memory that it says it needs, in MiB."""
    del set_["LISTEN"]
    if "NATS" in set_:
        # Nobody listens there: a worker waits.
        set_["NATS"] = f"nats://127.0.0.1:{free_port()}"
    if "OTLP_ENDPOINT" in set_ and not has_traces(program):
        set_ = {key: value for key, value in set_.items() if not key.startswith("OTLP_")}
    if "PROVIDER_SCHEMAS" in set_:
        schemas = log.with_suffix(".schemas")
        schemas.mkdir(exist_ok=True)
        set_["PROVIDER_SCHEMAS"] = str(schemas)
    for key, value in set_.items():
        if value.startswith("/etc/"):
            set_[key] = files[value.rpartition("/")[2]]
    service = Service(program, log, container["ports"][0]["name"], container["args"][0], **set_)
    try:
        service.start()
        check_access(service, container, set_, files["token"])
    finally:
        # At once: it would first be "not ready" for a while.
        service.end(signal.SIGKILL)
    warnings = [line["message"] for line in service.lines() if line["level"] == "WARN"]
    if "NATS" in set_:
        warnings = [line for line in warnings if not line.startswith("NATS: ")]
    assert not warnings, f"{log.stem}: the program warns: {warnings}"
    need = service.need()
    limit = container["resources"]["limits"]["memory"]
    assert limit == f"{need + 64}Mi", f"{log.stem}: the limit is {limit}, the program needs {need} MiB"
    return need


def test_queue(program, folder, at_hand):
    """A worker answers what is in the queue, and KEDA finds the numbers that it scales by where the chart says."""
    if not has_workers(program):
        yield without("no worker has answered anything, and what KEDA asks for has NOT been compared with a server")
        return
    with tools.or_skipped("no worker has answered anything, and what KEDA asks for has NOT been compared with a server"):
        at_hand.cluster("helm")
        nats = Nats(at_hand, folder / "nats")
    objects = helm(at_hand, files=[EXAMPLES / "worker-keda.yaml"])
    set_ = environment_of(container_of(deployments(objects)["worker"]))
    set_ = {name.removeprefix("OVERFOLD_"): value for name, value in set_.items()}
    for elsewhere in ["LISTEN", "TOKEN_FILE"]:
        del set_[elsewhere]
    set_["NATS"] = nats.url
    trigger, lost = (each["metadata"] for each in only(objects, "ScaledObject")["spec"]["triggers"])

    def lag(trigger):
        """Returns by how many requests KEDA scales: those that wait and those that are worked on."""
        told = nats.ask(f"/jsz?acc={trigger['account']}&consumers=true&config=true")
        (account,) = [found for found in told["account_details"] if found["name"] == trigger["account"]]
        (stream,) = [found for found in account["stream_detail"] if found["name"] == trigger["stream"]]
        (consumer,) = [found for found in stream["consumer_detail"] if found["name"] == trigger["consumer"]]
        return consumer["num_pending"] + consumer["num_ack_pending"]

    worker = Service(program, folder / "worker.log", command="worker", **set_)
    try:
        nats.start()
        nats.submit(program, "run", [f'output "number" {{\n  value = {at}\n}}\n' for at in range(3)])
        # Without any worker, so that KEDA knows that one is needed.
        waiting = lag(trigger)
        assert waiting == 3 > int(trigger["activationLagThreshold"]), f"{waiting} requests wait instead of 3"
        worker.start()
        answers = nats.collect(program, "run")
        assert len(answers) == 3, answers
        wait_for(lambda: lag(trigger) == lag(lost) == 0, 10, "the queue is empty")
        code = worker.end()
        assert code == 0, f"a worker that was told to stop ended with {code}"
    finally:
        worker.end()
        nats.end()
    version = tools.must(nats.program, "--version").split()[-1]
    yield f"queue: a worker of the chart answers on a NATS server {version}, whose monitoring has what the ScaledObject names"


def has_traces(program):
    """Whether the program was built with traces, as that of the image is. It ends in any case: it has no tokens."""
    done = tools.run(program, "serve", "--otlp-endpoint", "http://127.0.0.1:9", "--token-file", "/nowhere/tokens")
    assert done.returncode != 0, done.stdout
    return "built without traces" not in done.stdout


def check_access(service, container, set_, token):
    for probe in ["startupProbe", "livenessProbe", "readinessProbe"]:
        # The kubelet asks by the address of the pod.
        status, _ = service.get(container[probe]["httpGet"]["path"], {"Host": "10.0.0.1:8080"})
        # Without a queue, a worker is alive, and not ready.
        expected = 503 if service.command == "worker" and probe == "readinessProbe" else 200
        assert status == expected, f"the {probe} gets {status}"
    # A worker has no other route that needs a token.
    status, _ = service.get("/metrics" if service.command == "worker" else "/v1/dialects")
    by_token, by_certificate = {"TOKEN_FILE", "JWKS"} & set_.keys(), "CLIENT_CA" in set_
    # Nobody can be asked for a certificate by a 401.
    expected = 401 if by_token else 403 if by_certificate else 200
    assert status == expected and (status == 200) == ("ALLOW_ANONYMOUS" in set_), f"a stranger gets {status}"
    if "TOKEN_FILE" in set_:
        status, metrics = service.get("/metrics", {"Authorization": f"Bearer {token}"})
        assert status == 200, f"Prometheus gets {status}"
        (said,) = re.findall(r"^overfold_memory_need_bytes (\d+)$", metrics, re.M)
        assert -(-int(said) // (1 << 20)) == service.need(), f"the metric says {said} bytes, the log {service.need()} MiB"


def secrets(program, folder, openssl):
    """Writes the files that the Secrets hold, and returns their paths by name, and the token itself."""
    folder.mkdir(exist_ok=True)
    key, certificate = folder / "tls.key", folder / "tls.crt"
    tools.must(
        openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=overfold", "-keyout", key,
        "-out", certificate,
    )
    (folder / "ca.crt").write_text(certificate.read_text())
    modulus = tools.must(openssl, "rsa", "-in", key, "-noout", "-modulus").strip().partition("=")[2]
    number = base64.urlsafe_b64encode(bytes.fromhex(modulus)).rstrip(b"=").decode()
    jwk = {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "a", "n": number, "e": "AQAB"}
    (folder / "jwks.json").write_text(json.dumps({"keys": [jwk]}))
    line, token = tools.new_token(program)
    (folder / "overfold.tokens").write_text(line + "\n")
    return {path.name: path for path in folder.iterdir()} | {"token": token}
