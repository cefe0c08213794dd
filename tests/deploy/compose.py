"""deploy/compose/compose.yaml: it fits the schema of the Compose specification, mounts files that are there, and says the
same as the other files. Containers are not started: that needs a registry of images."""

import re
import sys

import tools
import yaml

COMPOSE = tools.DEPLOY / "compose"


def test(program, folder, at_hand):
    file = COMPOSE / "compose.yaml"
    for path in [file, tools.ROOT / "docker-compose.yml"]:
        # The schema is part of the package.
        tools.must(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", path)
    document = yaml.safe_load(file.read_text())
    services = document["services"]
    replicas = [service for name, service in services.items() if name.startswith("overfold-")]
    assert len(replicas) == 2 and replicas[0] == replicas[1], "the replicas differ"
    balanced = {name for name, service in services.items() if "balanced" in service["profiles"]}
    assert balanced == {"overfold-1", "overfold-2", "haproxy"}, balanced
    assert all("metrics" in service["profiles"] for service in services.values()), "metrics is not the whole"

    for name, service in services.items():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert not source.startswith(".") or (COMPOSE / source).is_file(), f"{name} mounts {source}, which is not there"
            assert source.startswith(".") or source in document["volumes"], f"{name} mounts {source}, which is no volume"
        for network in service.get("networks", []):
            assert network in document["networks"], f"{name} is in {network}, which is no network"
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:"), f"{name} can be reached from other machines: {port}"
        assert service["cap_drop"] == ["ALL"] and service["security_opt"] == ["no-new-privileges:true"], f"{name} may do much"

    # What one container is by itself, each replica is as well.
    alone = yaml.safe_load((tools.ROOT / "docker-compose.yml").read_text())["services"]["overfold"]
    for key in ["image", "read_only", "cap_drop", "security_opt", "mem_limit", "pids_limit", "healthcheck", "restart"]:
        assert replicas[0][key] == alone[key], f"{key} differs from that in docker-compose.yml"
    environment = replicas[0]["environment"]
    drain = int(environment["OVERFOLD_DRAIN_SECONDS"])
    stop = drain + int(environment["OVERFOLD_GRACE_SECONDS"]) + 5
    assert replicas[0]["stop_grace_period"] == f"{stop}s", f"stop_grace_period should be {stop}s"

    # haproxy must notice within the drain time, and it reads the variables that it gets.
    haproxy = (COMPOSE / "haproxy.cfg").read_text()
    variables = set(re.findall(r'"\$\{(\w+)\}"', haproxy))
    assert variables == set(services["haproxy"]["environment"]), variables
    check = re.search(r"\binter (\d+)s fastinter (\d+)ms .* fall (\d+)", haproxy)
    noticed = int(check[1]) + int(check[2]) / 1000 * (int(check[3]) - 1)
    assert noticed * 2 <= drain, f"haproxy needs up to {noticed} s to notice, the replicas drain for {drain} s"
    targets = [services["haproxy"]["environment"][f"REPLICA_{at}"] for at in (1, 2)]
    scraped = yaml.safe_load((COMPOSE / "prometheus.yml").read_text())["scrape_configs"][0]["static_configs"][0]["targets"]
    assert targets == scraped == ["overfold-1:8080", "overfold-2:8080"], f"{targets}, {scraped}"
    allowed = environment["OVERFOLD_ALLOWED_HOST"].split(",")
    assert set(allowed) == {"localhost", "overfold-1", "overfold-2"}, allowed

    # Grafana finds the dashboard and the data source by these.
    provided = yaml.safe_load((COMPOSE / "grafana/dashboards.yaml").read_text())["providers"][0]["options"]["path"]
    mounted = dict(volume.split(":")[:2] for volume in services["grafana"]["volumes"])
    assert mounted["../grafana/overfold.json"].rsplit("/", 1)[0] == provided, provided
    source = yaml.safe_load((COMPOSE / "grafana/prometheus.yaml").read_text())["datasources"][0]
    assert source["url"] == "http://prometheus:9090" and source["isDefault"], source
    yield "compose.yaml and docker-compose.yml fit the Compose specification and each other"
    yield "SKIPPED: no registry of images can be reached; the containers of deploy/compose have NOT been started"
