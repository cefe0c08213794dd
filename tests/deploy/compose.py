"""deploy/compose/compose.yaml: it fits the schema of the Compose specification, mounts files that are there, and says the
same as the other files. Containers are not started: that needs a registry of images."""

import re
import sys

import tools
import yaml

COMPOSE = tools.DEPLOY / "compose"


def test(program, folder, at_hand):
    file = COMPOSE / "compose.yaml"
    for path in [file, tools.ROOT / "docker-compose.yml", COMPOSE / "small.yaml"]:
        # The schema is part of the package.
        tools.must(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", path)
    document = yaml.safe_load(file.read_text())
    services = document["services"]
    replicas = [service for name, service in services.items() if name.startswith("overfold-")]
    assert len(replicas) == 2 and replicas[0] == replicas[1], "the replicas differ"
    balanced = {name for name, service in services.items() if "balanced" in service["profiles"]}
    assert balanced == {"overfold-1", "overfold-2", "haproxy"}, balanced
    queue = {name for name, service in services.items() if "queue" in service["profiles"]}
    assert queue == {"nats", "worker"}, queue
    others = [service for name, service in services.items() if name not in queue]
    assert all("metrics" in service["profiles"] for service in others), "metrics is not the whole"

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

    # A worker is what a replica is, but for the queue; no load balancer has to notice that it stops.
    worker = services["worker"]
    own = {"profiles", "command", "depends_on", "environment", "deploy", "stop_grace_period"}
    assert worker.keys() - replicas[0].keys() == {"command", "depends_on", "deploy"}, worker.keys()
    for key in replicas[0].keys() - own:
        assert worker[key] == replicas[0][key], f"{key} of the worker differs from that of the replicas"
    environment_of_worker = dict(worker["environment"])
    assert environment_of_worker.pop("OVERFOLD_NATS") == "nats://nats:4222", "the workers ask another server"
    assert environment_of_worker.items() <= environment.items(), f"the settings of a worker: {environment_of_worker}"
    stop = int(environment_of_worker["OVERFOLD_GRACE_SECONDS"]) + 5
    assert worker["stop_grace_period"] == f"{stop}s", f"stop_grace_period of the worker should be {stop}s"
    nats = services["nats"]
    assert [port.split(":")[-1] for port in nats["ports"]] == ["4222"] and nats["read_only"], nats
    assert nats["command"][nats["command"].index("-sd") + 1] in [volume.split(":")[1] for volume in nats["volumes"]], nats

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
    of_workers = yaml.safe_load((COMPOSE / "prometheus.yml").read_text())["scrape_configs"][1]["dns_sd_configs"]
    assert [(found["names"], found["port"]) for found in of_workers] == [(["worker"], 8080)], of_workers
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
