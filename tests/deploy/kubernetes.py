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
from cloudcoil.models.prometheus_operator import v1 as operator
from service import Service

CHART = tools.DEPLOY / "helm/overfold"
EXAMPLES = tools.DEPLOY / "helm/examples"
KUSTOMIZE = tools.DEPLOY / "kustomize"
# From the oldest version that the chart allows to the newest whose schemas the validator has.
VERSIONS = ["1.27", "1.33", kubernetes_validate.latest_version()]
# Kinds of the Prometheus operator.
OPERATOR = {"ServiceMonitor": operator.ServiceMonitor, "PrometheusRule": operator.PrometheusRule}
# Flags that the chart sets from other values than `settings`, with the values that make it do so.
OTHERS = {
    "listen", "token-file", "allow-anonymous", "allowed-host", "jwks", "jwt-issuer", "jwt-audience", "tls-certificate",
    "tls-key", "client-ca", "cache-redis", "otlp-endpoint", "otlp-ratio", "otlp-service-name",
}
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
    "cache": {"redisSecret": "redis", "to": [{"podSelector": {"matchLabels": {"app": "redis"}}}]},
    "traces": {"endpoint": "http://collector/base", "ratio": 1, "serviceName": "a", "to": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]},
    "service": {"type": "LoadBalancer", "port": 443, "annotations": {"a": "b"}},
    "resources": {"memoryRequest": "256Mi", "cpuLimit": "2"},
    "autoscaling": {"enabled": True, "minReplicas": 3, "maxReplicas": 30, "targetCPU": 50},
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
        if found["kind"] in OPERATOR:
            validate_operator(found)
            continue
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(found, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                raise AssertionError(f"{found['kind']} is not one of Kubernetes {version}: {error}") from error


def validate_operator(found):
    try:
        model = OPERATOR[found["kind"]].model_validate(found)
    except pydantic.ValidationError as error:
        raise AssertionError(f"{found['kind']} is not one of the Prometheus operator: {error}") from error
    # The model leaves out what it does not know.
    known = model.model_dump(mode="json", by_alias=True, exclude_unset=True)
    assert known == found, f"{found['kind']} has fields that the Prometheus operator does not know: {found}"


def settings_of(program):
    """Returns the flags of `overfold serve`, each with its default value."""
    help_ = tools.must(program, "serve", "--help")
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
    listed = schema["properties"]["settings"]["properties"]
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
    later = sorted(OTHERS - set(flags))
    if later:
        yield f"SKIPPED: this program has no {', '.join('--' + name for name in later)}; these flags have NOT been compared"


def check_documented(values, schema, path):
    """Every value has a schema, and every property a value, except `settings`, which takes more."""
    for name, part in schema.get("properties", {}).items():
        if name != "global" and path != "values.yaml.settings":
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
    for kind in ["HorizontalPodAutoscaler", "Secret", "ConfigMap", *OPERATOR]:
        assert kind in kinds, f"no {kind} with every value set"
    assert all(found["metadata"]["name"].startswith("other-overfold") for found in full), "objects of another name"
    container = only(full, "Deployment")["spec"]["template"]["spec"]["containers"][0]
    assert container["image"] == "registry.example.com/overfold:1.2.3@sha256:" + "0" * 64, container["image"]
    environment = {entry["name"]: entry.get("value") for entry in container["env"]}
    assert environment["OVERFOLD_LISTEN"] == "[::]:8080" and environment["OVERFOLD_LOG_FORMAT"] == "text", environment
    assert environment["OVERFOLD_MAX_MEMORY_BYTES"] == "134217728", environment
    mounts_exist(full)
    flags = settings_of(program)
    for name in environment:
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
    package = "cloudcoil.models.prometheus_operator"
    yield f"{' and '.join(sorted(OPERATOR))} fit the models of the Prometheus operator in {package} {metadata.version(package)}"


def only(objects, kind):
    (found,) = [found for found in objects if found["kind"] == kind]
    return found


def hardened(objects):
    """What the containers may do, by the strictest of the pod security standards, and more."""
    pod = only(objects, "Deployment")["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["automountServiceAccountToken"] is False, "the pod gets a token for Kubernetes"
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] == 65532, pod["securityContext"]
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, pod["securityContext"]
    context = container["securityContext"]
    assert context == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]},
    }, context
    assert not any(pod.get(name) for name in ["hostNetwork", "hostPID", "hostIPC"]), "the pod shares the node's"
    policy = only(objects, "NetworkPolicy")["spec"]
    ports = [port["port"] for rule in policy["egress"] for port in rule["ports"]]
    environment = {entry["name"]: entry.get("value") for entry in container["env"]}
    servers = [6379] if "OVERFOLD_CACHE_REDIS" in environment else []
    if collector := environment.get("OVERFOLD_OTLP_ENDPOINT"):
        servers.append(urllib.parse.urlsplit(collector).port or 80)
    assert policy["policyTypes"] == ["Ingress", "Egress"], "the pod may connect elsewhere"
    assert ports == (servers + [53, 53] if servers else []), f"the pod may connect elsewhere: {policy['egress']}"
    port = container["ports"][0]["name"]
    assert [ports["port"] for ports in policy["ingress"][0]["ports"]] == [port], policy
    assert only(objects, "Service")["spec"]["ports"][0]["targetPort"] == port, "the service has another port"
    for probe in ["startupProbe", "livenessProbe", "readinessProbe"]:
        ask = container[probe].get("httpGet")
        assert ask is None or (ask["port"], ask["scheme"]) == (port, port.upper()), container[probe]


def mounts_exist(objects):
    """Every file that a setting names lies in a volume that is mounted."""
    pod = only(objects, "Deployment")["spec"]["template"]["spec"]
    container = pod["containers"][0]
    volumes = {volume["name"]: volume["secret"] for volume in pod.get("volumes", [])}
    mounts = {mount["mountPath"]: volumes[mount["name"]] for mount in container.get("volumeMounts", [])}
    assert len(mounts) == len(volumes), "a volume is mounted twice or not at all"
    for entry in container["env"]:
        if entry.get("value", "").startswith("/"):
            folder, _, file = entry["value"].rpartition("/")
            items = mounts[folder].get("items")
            files = [item["path"] for item in items] if items else ["tls.crt", "tls.key"]
            assert file in files, f"{entry['name']} names {entry['value']}, which is not mounted"


def normal(objects):
    """Returns objects by kind, without what only Helm adds, and with lists of names in one order."""
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
        result[found["kind"]] = found
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
        # What kustomize cannot do, as the overlay says.
        for kind in ["PrometheusRule", "ConfigMap"] if name == "monitored" else []:
            del left[kind]
        assert left.keys() == right.keys(), f"{name}: only one of both has {left.keys() ^ right.keys()}"
        for kind in left:
            assert left[kind] == right[kind], (
                f"{name}: {kind} differs:\n{yaml.safe_dump(left[kind])}\n--- by kustomize:\n{yaml.safe_dump(right[kind])}"
            )
    versions = ", ".join(VERSIONS)
    yield f"kustomize: {len(pairs)} builds, each equal to the chart with the same values, valid for Kubernetes {versions}"


def test_pods(program, folder, at_hand):
    """The program starts with what the container of each example has, answers its probes and nobody else, and needs at most
    the memory limit less the reserve."""
    with tools.or_skipped("the pods of the chart have NOT been tried"):
        at_hand.cluster("helm")
        files = secrets(program, folder / "secrets", at_hand.system("openssl", "openssl"))
    flags = settings_of(program)
    odd = {"concurrency": 7, "maxMemoryBytes": 100000001, "maxBodiesBytes": 300000000}
    odd.update(maxAnswersBytes=1, maxConnections=3)
    if "cache-bytes" in flags:
        odd["cacheBytes"] = 50000000
    cases = [("default", [], {}), ("odd settings", [], {"settings": odd})]
    cases += [(path.stem, [path], {}) for path in sorted(EXAMPLES.glob("*.yaml"))]
    tried = []
    for name, examples, values in cases:
        objects = helm(at_hand, dict(values, prometheusRule={"enabled": True}), examples)
        container = only(objects, "Deployment")["spec"]["template"]["spec"]["containers"][0]
        set_ = {entry["name"].removeprefix("OVERFOLD_"): entry["value"] for entry in container["env"]}
        unknown = sorted(known for known in set_ if known.lower().replace("_", "-") not in flags)
        if unknown:
            yield f"SKIPPED: this program has no {', '.join(unknown)}; pods with the values {name} have NOT been tried"
            continue
        del set_["LISTEN"]
        if "OTLP_ENDPOINT" in set_ and not has_traces(program):
            set_ = {key: value for key, value in set_.items() if not key.startswith("OTLP_")}
        for key, value in set_.items():
            if value.startswith("/etc/"):
                set_[key] = files[value.rpartition("/")[2]]
        service = Service(program, folder / f"pod-{name}.log", container["ports"][0]["name"], **set_)
        try:
            service.start()
            check_access(service, container, set_, files["token"])
        finally:
            # At once: it would first be "not ready" for a while.
            service.end(signal.SIGKILL)
        need = service.need()
        warnings = [line["message"] for line in service.lines() if line["level"] == "WARN"]
        assert not warnings, f"{name}: the program warns: {warnings}"
        limit = container["resources"]["limits"]["memory"]
        assert limit == f"{need + 64}Mi", f"{name}: the limit is {limit}, the program needs {need} MiB"
        alert = next(
            rule["expr"] for rule in only(objects, "PrometheusRule")["spec"]["groups"][0]["rules"]
            if rule["alert"] == "OverfoldMemoryHigh"
        )
        said = -(-int(alert.split("*")[1]) // (1 << 20))
        assert said == need, f"{name}: the alert is for {said} MiB, the program needs {need}"
        tried.append(f"{name} {need} MiB")
    yield f"pods: the program starts, is probed, and needs what the chart computes: {', '.join(tried)}"


def has_traces(program):
    """Whether the program was built with traces, as that of the image is. It ends in any case: it has no tokens."""
    done = tools.run(program, "serve", "--otlp-endpoint", "http://127.0.0.1:9", "--token-file", "/nowhere/tokens")
    assert done.returncode != 0, done.stdout
    return "built without traces" not in done.stdout


def check_access(service, container, set_, token):
    for probe in ["startupProbe", "livenessProbe", "readinessProbe"]:
        # The kubelet asks by the address of the pod.
        status, _ = service.get(container[probe]["httpGet"]["path"], {"Host": "10.0.0.1:8080"})
        assert status == 200, f"the {probe} gets {status}"
    status, _ = service.get("/v1/dialects")
    by_token, by_certificate = {"TOKEN_FILE", "JWKS"} & set_.keys(), "CLIENT_CA" in set_
    # Nobody can be asked for a certificate by a 401.
    expected = 401 if by_token else 403 if by_certificate else 200
    assert status == expected and (status == 200) == ("ALLOW_ANONYMOUS" in set_), f"a stranger gets {status}"
    if "TOKEN_FILE" in set_:
        status, _ = service.get("/metrics", {"Authorization": f"Bearer {token}"})
        assert status == 200, f"Prometheus gets {status}"


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
