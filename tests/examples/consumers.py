"""Tests that tools which read plans say the same of overfold's document as of Terraform's, for every module of the suite
`plan-real`: checkov, terraform-compliance, and Rego with the rules of examples/plan-policies.

The documents are made twice: with everything that Terraform had, when not one verdict may differ; and as on a command line, with
the schemas alone. What differs then is listed in docs/comparison.md, each difference with the option that makes it vanish;
`OVERFOLD_GOLDEN=write` writes the list.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import repository

SUITE = repository.ROOT / "tests/conformance/plan-real"
POLICIES = repository.ROOT / "examples/plan-policies"
PAGE = repository.ROOT / "docs/comparison.md"
TABLE = re.compile(r"(?<=<!-- consumers -->\n\n).*?(?=\n<!-- end of consumers -->)", re.DOTALL)
TIME = "2025-03-01T12:00:00Z"
TOOLS = ["terraform-compliance", "checkov", "checkov-unknown", "rego"]

# What Terraform had beside the configuration and the schemas.
GIVEN = {
    "assume": lambda case: ["--assume", str(case.assumed)],
    "provider-defaults": lambda case: ["--provider-defaults", "none"],
    "reveal-sensitive": lambda case: ["--reveal-sensitive"],
}


class Case:
    def __init__(self, folder, work):
        self.name, self.folder = folder.name, folder
        self.asked = json.loads((folder / "case.json").read_text())
        self.recorded = json.loads((folder / "expected.json").read_text()).get("plan")
        self.known = {}
        known_in((self.recorded or {}).get("prior_state", {}).get("values", {}).get("root_module", {}), self.known)
        self.assumed = work / "assumed" / f"{self.name}.json"
        self.assumed.parent.mkdir(parents=True, exist_ok=True)
        self.assumed.write_text(json.dumps(self.known))

    def document(self, program, given):
        """The document for this module, with these of the options; None if there is none."""
        command = [program, "plan", self.folder / "input" / self.asked["root"], "--format", "document", "--dialect", self.asked["dialect"]]
        command += ["--version", self.asked["tool_version"], "--timestamp", TIME, "--provider-schemas", SUITE / self.asked["provider_schemas"]]
        command += [argument for option in given for argument in GIVEN[option](self)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in [0, 1]:
            sys.exit(f"examples: {self.name}: {done.stderr}")
        return json.loads(done.stdout) if done.stdout else None


def without_ours(document):
    return {member: value for member, value in document.items() if member != "overfold"}


def known_in(module, known):
    for resource in module.get("resources", []):
        if not resource["provider_name"].startswith("terraform.io/builtin/"):
            known[resource["address"]] = resource["values"]
    for child in module.get("child_modules", []):
        known_in(child, known)


def verdicts(bin, work, asked, only=None):
    """What each tool says of each document, as `{kind: {tool: {module: {(what, verdict)}}}}`; `only` has the modules for which a
    tool is asked, if that is not for all."""

    def ask(kind, tool):
        names = [name for name in asked[kind] if only is None or (name, tool) in only]
        # What terraform-compliance says comes in the order of sets.
        command = [bin / "python", repository.ROOT / "tests/examples/verdicts.py", tool, *(work / kind / f"{name}.json" for name in names)]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONHASHSEED": "0"})
        if done.returncode:
            sys.exit(f"examples: {tool} fails: {done.stderr}")
        found = {name: {tuple(verdict) for verdict in said} for name, said in json.loads(done.stdout).items()}
        if found.keys() != set(names):
            sys.exit(f"examples: {tool} says nothing of {sorted(set(names) - found.keys())}")
        return found

    for kind, documents in asked.items():
        shutil.rmtree(work / kind, ignore_errors=True)
        (work / kind).mkdir(parents=True)
        for name, document in documents.items():
            # On one line, as Terraform prints it: terraform-compliance reads only one.
            (work / kind / f"{name}.json").write_text(json.dumps(document))
    with concurrent.futures.ThreadPoolExecutor(2) as both:
        # The longest first.
        runs = {(kind, tool): both.submit(ask, kind, tool) for tool in TOOLS for kind in asked}
        return {kind: {tool: runs[kind, tool].result() for tool in TOOLS} for kind in asked}


def differences(expected, found):
    """As `{(module, tool, sign, verdict)}`."""
    changed = set()
    for tool, modules in found.items():
        for module, said in modules.items():
            wanted = expected[tool][module]
            changed |= {(module, tool, "-", verdict) for verdict in wanted - said} | {(module, tool, "+", verdict) for verdict in said - wanted}
    return changed


def listed(changed):
    return "\n".join(f"  {module}, {tool}: {sign} {what}: {verdict}" for module, tool, sign, (what, verdict) in sorted(changed))


def test(program, folder):
    if not os.environ.get("CONSUMERS"):
        yield "SKIPPED: .ci/consumers.txt is not installed; checkov, terraform-compliance and Rego have NOT been run on plans"
        return
    bin, work = pathlib.Path(os.environ["CONSUMERS"]) / "bin", folder / "consumers"
    cases = [Case(path.parent, work) for path in sorted(SUITE.glob("*/case.json"))]
    planned = {case.name: case for case in cases if case.recorded}
    yield from refused(program, [case for case in cases if not case.recorded])

    given = {name: case.document(program, GIVEN) for name, case in planned.items()}
    changed_given = {module: changed_document(given[module], *change) for module, change in CHANGES.items()}
    # What is ours alone makes no difference, as the documents with everything show; so nobody is asked again about the same.
    alone = {name: case.document(program, []) for name, case in planned.items()}
    asked = {
        "recorded": {name: case.recorded | {"timestamp": TIME} for name, case in planned.items()},
        "given": given,
        "schemas": {name: document for name, document in alone.items() if without_ours(document) != without_ours(given[name])},
        "mutants": changed_given,
    }
    said = verdicts(bin, work, asked)
    expected = said["recorded"]
    changed = differences(expected, said["given"])
    if changed:
        sys.exit(f"examples: with everything given, tools that read plans say something else:\n{listed(changed)}")
    for tool in TOOLS:
        yield f"{tool}: the same {sum(map(len, expected[tool].values()))} verdicts on {len(planned)} modules"

    yield from notices(expected, said["mutants"])
    yield from with_schemas_alone(program, bin, work, planned, asked["schemas"], expected, said["schemas"])
    yield from as_documented(program, bin, work, planned["aws-s3-bucket-family"], said["schemas"])


def refused(program, cases):
    """What Terraform does not plan is not planned."""
    for case in cases:
        # The recorded provider refuses what its schema alone shows; here, it is reported, and the rest is planned.
        planned = case.document(program, GIVEN) is not None
        if planned != (case.asked.get("provider_checks") == "sdk"):
            sys.exit(f"examples: {case.name}: Terraform does not plan it; overfold does: {planned}")
    yield f"{len(cases)} modules that Terraform does not plan: no document, except for what a provider alone refuses"


def changed_document(document, address, change):
    """A copy in which `change` is done to what is planned for a resource, in both places where it stands."""
    document = json.loads(json.dumps(document))
    [resource] = [one for one in document["resource_changes"] if one["address"] == address]
    change(resource["change"]["after"])
    [planned] = [one for one in document["planned_values"]["root_module"]["resources"] if one["address"] == address]
    change(planned["values"])
    return document


# Why verdicts differ with schemas alone: a reason for each module, by the option that makes the difference vanish.
REASONS = {
    ("aws-asg-launch-template", "assume"): "An instance type and a parameter were read; `cores` is computed from the first.",
    ("aws-bedrock-agent", "assume"): "The trust policy is the text of a policy document that was read.",
    ("aws-checks-and-conditions", "assume"): "An image was read, whose condition passed and whose attributes terraform-compliance lends to the instance; the zone of the check was read, and its assertion failed.",
    ("aws-cloudfront-site", "assume"): "A zone was read.",
    ("aws-iam-roles-policies", "assume"): "The policy is the text of a policy document that was read.",
    ("aws-kms-keys-moved", "assume"): "Account and partition were read, which the keys' policies name; unread, they are resources of the modules that are still to be read.",
    ("aws-lambda-http-api", "assume"): "Two archives were read.",
    ("aws-network-modules-aliases", "assume"): "The regions were read, and terraform-compliance takes their attributes for the subnets'; unread, they are resources of the modules.",
    ("aws-override-instance", "provider-defaults"): "`volumes` takes one element of a set of blocks in which not everything is set.",
    ("aws-rds-postgres", "provider-defaults"): "The postcondition asks for `storage_encrypted`, which is not set.",
    ("aws-s3-bucket-family", "assume"): "The caller's identity was read.",
    ("aws-vpc-subnets-cidr", "assume"): "`for_each` of subnets, addresses, gateways and route tables needs the zones that were read. The plan says that it is not complete, and the command ends with 1.",
    ("azapi-resource-body", "assume"): "`vnet` is the identifier that a data source computes.",
    ("azurerm-aks-cluster", "assume"): "The subscription was read, and terraform-compliance lends its attributes to an assignment.",
    ("azurerm-keyvault-policies", "assume"): "The client's configuration was read, and terraform-compliance lends its attributes to assignments and secrets.",
    ("azurerm-keyvault-policies", "reveal-sensitive"): "The message quotes the secret, which is null here.",
    ("error-for-each-over-unknown", "provider-defaults"): "The index of a block that is not written is an error; the provider may fill the block in, so here the snapshot is planned.",
    ("google-absent-computed-blocks", "provider-defaults"): "The outputs refer to blocks that are not written.",
    ("google-cloud-run", "provider-defaults"): "A variable of the container has a source in place of its `value`, which is not set.",
    ("google-gke-pools", "assume"): "The versions were read.",
    ("google-gke-pools", "provider-defaults"): "`auth` refers to a block that is not written.",
    ("google-mixed-json-override", "provider-defaults"): "`interfaces` counts blocks of which none is written.",
    ("google-storage-iam", "assume"): "A policy, the project and an account were read.",
}

# One wrong value in a module, which every tool must notice.
CHANGES = {
    "aws-s3-bucket-family": ('aws_s3_bucket_public_access_block.this["logs"]', lambda values: values.update(block_public_acls=False)),
    "aws-alb-listener-rules": ("aws_lb_listener.plain", lambda values: values.update(protocol="HTTPS")),
}


def notices(expected, found):
    changed = differences(expected, found)
    missed = {(module, tool) for module in CHANGES for tool in TOOLS} - {(module, tool) for module, tool, _, _ in changed}
    if missed:
        sys.exit(f"examples: a wrong value is not noticed: {sorted(missed)}")
    rules = written("rules/*.rego", r'finding\("([a-z-]+)"')
    scenarios = written("features/*.feature", r"Scenario: (.*)")
    said = {what.split()[0] for seen in [expected, found] for verdicts in seen["rego"].values() for what, _ in verdicts}
    judged = {what for verdicts in expected["terraform-compliance"].values() for what, verdict in verdicts if verdict in ["passed", "failed"]}
    if rules - said or scenarios - judged:
        sys.exit(f"examples: these say nothing anywhere: {sorted(rules - said | scenarios - judged)}")
    yield f"a wrong value is noticed by each tool; {len(rules)} rules and {len(scenarios)} scenarios judge something"


def written(files, pattern):
    return {name for path in POLICIES.glob(files) for name in re.findall(pattern, path.read_text())}


def with_schemas_alone(program, bin, work, planned, documents, expected, found):
    """What differs without the answers of providers is what the page lists."""
    changed = differences(expected, found)
    modules = sorted({module for module, _, _, _ in changed})
    asked = {}
    for option in GIVEN:
        some = {name: planned[name].document(program, [option]) for name in modules}
        asked[f"schemas-and-{option}"] = {name: document for name, document in some.items() if document != documents[name]}
    said = verdicts(bin, work, asked, {(module, tool) for module, tool, _, _ in changed})
    causes = {difference: [] for difference in changed}
    for option in GIVEN:
        left = differences(expected, said[f"schemas-and-{option}"])
        for difference in changed:
            if difference[0] in asked[f"schemas-and-{option}"] and difference not in left:
                causes[difference].append(option)
    unexplained = {difference for difference in changed if not causes[difference]}
    if unexplained:
        sys.exit(f"examples: with schemas alone, no single option explains:\n{listed(unexplained)}")
    reasons = {(module, option) for module, *_ in changed for option in GIVEN if any(one[0] == module and option in causes[one] for one in changed)}
    if reasons != REASONS.keys():
        sys.exit(f"examples: differences without a reason: {sorted(reasons - REASONS.keys())}; reasons without one: {sorted(REASONS.keys() - reasons)}")
    text = table(changed, causes)
    page = PAGE.read_text()
    if os.environ.get("OVERFOLD_GOLDEN") == "write":
        PAGE.write_text(TABLE.sub(lambda _: text, page))
    elif TABLE.search(page)[0] != text:
        (work / "consumers.md").write_text(text)
        sys.exit(f"examples: docs/comparison.md lists other differences than {work}/consumers.md; OVERFOLD_GOLDEN=write writes them there")
    yield f"with schemas alone, {len(changed)} verdicts differ in {len(modules)} modules, as docs/comparison.md says"


def table(changed, causes):
    def shown(tool, said, other):
        both = {what for what, _ in said} & {what for what, _ in other}
        if tool.startswith("checkov"):
            checks = {}
            for check, address in sorted(what.split(" ", 1) for what, _ in said):
                checks.setdefault(address, []).append(check)
            return "; ".join(f"`{address}`: {', '.join(names)}" for address, names in checks.items())
        # Messages are long, and the values in them are those of the stand-ins for providers.
        texts = {f"`{what}`: {verdict}" if what in both and len(verdict) < 10 else f"`{what}`" for what, verdict in said}
        return "; ".join(sorted(texts)).replace("|", "\\|")

    lines = ["| Module | Asked | Only of Terraform's document | Only of overfold's |", "| --- | --- | --- | --- |"]
    for (module, option), reason in sorted(REASONS.items()):
        lines.append(f"| **{module}** | `{option}` | {reason} | |")
        rows = {}
        for tool in TOOLS:
            group = [(sign, verdict) for where, who, sign, verdict in changed if (where, who) == (module, tool) and option in causes[where, who, sign, verdict]]
            gone, new = ([verdict for one, verdict in group if one == sign] for sign in "-+")
            if group:
                # The two modes of checkov mostly say the same.
                rows.setdefault((shown(tool, gone, new), shown(tool, new, gone)), []).append(tool)
        lines += [f"| | {', '.join(tools)} | {' | '.join(cells)} |" for cells, tools in rows.items()]
    return "\n".join(lines) + "\n"


def as_documented(program, bin, work, case, said):
    """The commands of the README run on one module, and those of checkov and terraform-compliance say what this test saw."""
    place = work / "documented"
    shutil.copytree(POLICIES, place, dirs_exist_ok=True)
    environment = os.environ | {"PATH": f"{bin}:{repository.path_with(program, work)}"}
    options = f"--version {case.asked['tool_version']} --timestamp {TIME} --provider-schemas {SUITE / case.asked['provider_schemas']}"
    commands = re.findall(r"```text\n(.*?)```", (POLICIES / "README.md").read_text(), re.DOTALL)[0].splitlines()
    ran = []
    for line in commands:
        name = line.split()[0]
        if name in ["conftest", "opa"] and shutil.which(name) is None:
            yield f"SKIPPED: there is no {name} here; `{line}` of {POLICIES.name}/README.md has NOT been run"
            continue
        # checkov would ask its platform for texts.
        more = {"overfold": f" {options}", "checkov": " --skip-download", "terraform-compliance": " --no-ansi"}.get(name, "")
        command, _, target = line.replace("MODULE", str(case.folder / "input")).partition(" >")
        command = f"{command}{more} >{target}" if target else command + more
        done = subprocess.run(["bash", "-c", command], cwd=place, env=environment, capture_output=True, text=True)
        if done.returncode not in [0, 1]:
            sys.exit(f"examples: {line}: {done.stdout}{done.stderr}")
        results = [verdict for _, verdict in said.get(name, {}).get(case.name, [])]
        if name == "checkov":
            wanted = f"Passed checks: {results.count('passed')}, Failed checks: {results.count('failed')}, "
        elif name == "terraform-compliance":
            wanted = f"({results.count('passed')} passed, {results.count('failed')} failed, {results.count('skipped')} skipped)"
        else:
            wanted = ""
        if wanted not in done.stdout:
            sys.exit(f"examples: {line}: not {wanted}:\n{done.stdout}{done.stderr}")
        ran.append(name)
    yield f"{POLICIES.name}/README.md: {', '.join(ran)} run as written"
