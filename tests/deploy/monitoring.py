"""The alert rules and the dashboard. Rules are tested by promtool; then a Prometheus with the configuration of
deploy/compose reads the metrics of two processes that have had some requests, with that for TLS and a token those of a
third one, and every expression of the dashboard must yield something that the dashboard can show."""

import http.client
import json
import re
import shutil
import subprocess
import threading
import time
import urllib.parse

import tools
import yaml
from service import Service, free_port, get, wait_for

RULES = tools.DEPLOY / "prometheus/alerts.yaml"
DASHBOARD = tools.DEPLOY / "grafana/overfold.json"
CONFIG = tools.DEPLOY / "compose/prometheus.yml"
CONFIG_WITH_TLS = tools.DEPLOY / "prometheus/scrape-tls.yml"
METRIC = re.compile(r"\boverfold_[a-z_]+")
# For how long Prometheus reads metrics, and how often.
WATCH, INTERVAL = 9, 0.5


def expressions():
    """Returns the expressions of the dashboard, each with the title of its panel and its legend."""
    found = []
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        for target in panel.get("targets", []):
            found.append((panel["title"], target["expr"], target["legendFormat"]))
    return found


def alerts():
    return [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


def filled(expression):
    """Returns an expression with values for Grafana's variables."""
    for name, value in {"$__rate_interval": "8s", "$__range": "8s", "$job": ".*", "$instance": ".*"}.items():
        expression = expression.replace(name, value)
    assert "$" not in expression, f"a variable that Grafana does not know: {expression}"
    return expression


def test_rules(program, folder, at_hand):
    with tools.or_skipped("the alert rules have NOT been tested"):
        promtool = at_hand.system("promtool", "prometheus")
    tools.must(promtool, "check", "rules", RULES)
    tests = RULES.parent / "tests.yaml"
    tools.must(promtool, "test", "rules", tests, cwd=RULES.parent)
    tested = tests.read_text()
    for rule in alerts():
        # Once without the alert and once with it.
        fires = [
            case["exp_alerts"] for test in yaml.safe_load(tested)["tests"] for case in test.get("alert_rule_test", [])
            if case["alertname"] == rule["alert"]
        ]
        assert [] in fires and any(fires), f"{rule['alert']} is not tested both ways"
    yield f"promtool: {len(alerts())} alert rules, each tested to fire and not to"


def send(service, stop):
    """Sends requests of all kinds until told to stop."""
    module = json.dumps({"files": {"main.tf": 'resource "null_resource" "x" {}\n', "bad.tf": "x = \n"}})
    good = {"main.tf": 'resource "null_resource" "x" {}\n'}
    plan = json.dumps({"files": good})
    diff = json.dumps({"left": {"files": good}, "right": {"files": good}})
    kinds = [
        ("POST", "/v1/merge", module), ("POST", "/v1/plan", plan), ("POST", "/v1/diff", diff), ("GET", "/readyz", None),
        ("GET", "/v1/dialects", None), ("POST", "/v1/merge", "{"), ("GET", "/nowhere", None),
    ]
    while not stop.is_set():
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=20)
        for method, path, body in kinds:
            connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
            connection.getresponse().read()
        connection.close()
        time.sleep(0.05)


def with_tls(program, folder, openssl):
    """Returns a service with TLS and a token, both in files of the folder."""
    server_name = yaml.safe_load(CONFIG_WITH_TLS.read_text())["scrape_configs"][0]["tls_config"]["server_name"]
    folder.mkdir(exist_ok=True)
    certificate, key = tools.new_certificate(openssl, folder, server_name)
    line, token = tools.new_token(program)
    (folder / "tokens").write_text(line + "\n")
    (folder / "token").write_text(token + "\n")
    settings = dict(TLS_CERTIFICATE=certificate, TLS_KEY=key, TOKEN_FILE=folder / "tokens")
    return Service(program, folder.with_suffix(".log"), scheme="https", **settings)


def test_metrics(program, folder, at_hand):
    with tools.or_skipped("the metrics have NOT been tested"):
        openssl = at_hand.system("openssl", "openssl")
    services = [Service(program, folder / f"metrics-{at}.log").start() for at in (1, 2)]
    encrypted = with_tls(program, folder / "metrics-tls", openssl).start()
    stop = threading.Event()
    senders = [threading.Thread(target=send, args=(service, stop), daemon=True) for service in services]
    prometheus = None
    try:
        for sender in senders:
            sender.start()
        time.sleep(1)
        token = {"Authorization": "Bearer " + (folder / "metrics-tls/token").read_text().strip()}
        scrape = encrypted.get("/metrics", token)[1] + get(services[0].port, "/metrics")[1]
        names = check_names(scrape)
        yield f"{len(names)} metrics in the dashboard and the alert rules, all of them in GET /metrics"

        with tools.or_skipped("the expressions of the dashboard have NOT been evaluated"):
            server = at_hand.system("prometheus", "prometheus")
        port = free_port()
        prometheus = start(server, port, services, encrypted, folder)
        wait_for(lambda: get(port, "/-/ready")[0] == 200, 30, "Prometheus starts")
        up = lambda: len([found for found in ask(port, 'up{job=~"overfold.*"} == 1')]) == 3
        wait_for(up, 20, "Prometheus reads all three")
        time.sleep(WATCH)
        count = 0
        for title, expression, legend in expressions():
            result = ask(port, filled(expression))
            assert result, f"the panel {title} shows nothing: {expression}"
            for label in re.findall(r"\{\{(\w+)\}\}", legend):
                assert all(label in found["metric"] for found in result), f"the panel {title} has no {label}"
            assert all(found["value"][1] != "NaN" for found in result) or "quantile" in expression or "/" in expression, title
            count += 1
        rules = json.loads(get(port, "/api/v1/rules")[1])["data"]["groups"]
        wrong = [rule for group in rules for rule in group["rules"] if rule["health"] == "err"]
        assert rules and not wrong, f"Prometheus cannot evaluate {wrong or 'any rule'}"
        firing = [found["metric"] for found in ask(port, 'ALERTS{alertstate="firing"}')]
        assert not firing, f"alerts fire, though all is well: {firing}"
        version = tools.must(server, "--version").split()[2]
        yield (
            f"Prometheus {version} with deploy/compose/prometheus.yml and scrape-tls.yml: {count} expressions of the "
            "dashboard yield something"
        )
        yield "SKIPPED: Grafana is in no registry; the dashboard has NOT been looked at"
    finally:
        stop.set()
        if prometheus is not None:
            prometheus.terminate()
            prometheus.wait(20)
            shutil.rmtree(folder / "prometheus", ignore_errors=True)
        for sender in senders:
            sender.join(20)
        for service in [*services, encrypted]:
            service.end()


def check_names(scrape):
    """Every metric in the dashboard and in the rules is in the scrape."""
    present = set(re.findall(r"^(overfold_[a-z_]+)", scrape, re.M))
    texts = [(title, expression) for title, expression, _ in expressions()]
    texts += [(rule["alert"], rule["expr"]) for rule in alerts()]
    variables = json.loads(DASHBOARD.read_text())["templating"]["list"]
    texts += [(variable["name"], variable.get("definition", "")) for variable in variables]
    named = set()
    for place, text in texts:
        for name in METRIC.findall(text):
            assert name in present, f"{place}: GET /metrics has no {name}"
            named.add(name)
    return named


def start(server, port, services, encrypted, folder):
    """Starts Prometheus as deploy/compose does, but for the addresses and the intervals."""
    config = yaml.safe_load(CONFIG.read_text())
    config["global"] = {"scrape_interval": f"{int(INTERVAL * 1000)}ms", "evaluation_interval": "1s"}
    config["rule_files"] = [str(RULES)]
    for job in config["scrape_configs"]:
        if job["job_name"] == "overfold":
            job["static_configs"][0]["targets"] = [f"127.0.0.1:{service.port}" for service in services]
    config["scrape_configs"] = [job for job in config["scrape_configs"] if job["job_name"] == "overfold"]
    job = yaml.safe_load(CONFIG_WITH_TLS.read_text())["scrape_configs"][0]
    job["job_name"] = "overfold-tls"
    job["authorization"]["credentials_file"] = str(folder / "metrics-tls/token")
    job["tls_config"]["ca_file"] = str(folder / "metrics-tls/tls.crt")
    job["static_configs"][0]["targets"] = [f"127.0.0.1:{encrypted.port}"]
    config["scrape_configs"].append(job)
    file = folder / "prometheus.yml"
    file.write_text(yaml.safe_dump(config))
    data = folder / "prometheus"
    shutil.rmtree(data, ignore_errors=True)
    command = [
        server, f"--config.file={file}", f"--storage.tsdb.path={data}", f"--web.listen-address=127.0.0.1:{port}",
        "--log.level=warn",
    ]
    with open(folder / "prometheus.log", "w") as log:
        return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)


def ask(port, expression):
    status, text = get(port, "/api/v1/query?" + urllib.parse.urlencode({"query": expression}))
    answer = json.loads(text)
    assert status == 200 and answer["status"] == "success", f"{expression}: {text[:300]}"
    return answer["data"]["result"]
