"""Calls every route of the service with the generated client. Usage: routes.py URL"""

import io
import json
import sys
import tarfile
from http import HTTPStatus

from overfold_client import Client
from overfold_client.api.diagnostics import get_diagnostic, get_diagnostics
from overfold_client.api.dialects import get_dialect, get_dialects, get_versions
from overfold_client.api.merge import post_batch, post_compatibility, post_diff, post_diff_report, post_merge, post_merge_report
from overfold_client.api.plan import post_plan, post_plan_diff, post_plan_diff_report, post_plan_report, post_upgrade, post_upgrade_report
from overfold_client.api.service import get_docs_folder, get_explorer, get_livez, get_metrics, get_openapi, get_readyz, get_version
from overfold_client.models import CodeEntry, CodeList, CompatibilityAnswer, DialectList, DialectTable, DiffAnswer, DiffForm
from overfold_client.models import DiffRequest, Severity, GetOpenapiResponse200, Health, MergeAnswer, MergeForm, MergeOptions
from overfold_client.models import MergeRequest, Part, PostDiffReportFormat, PostMergeConfigFormat, PostMergeReportFormat
from overfold_client.models import PlanAnswer, PlanDiffAnswer, PlanDiffRequest, PlanDocument, PlanRequest, PostPlanDiffReportFormat
from overfold_client.models import PostPlanReportFormat, PostUpgradeReportFormat, Problem, UpgradeAnswer, UpgradeRequest, Version, VersionList
from overfold_client.types import File, Unset

BEFORE = {"main.tf": 'resource "terraform_data" "web" {\n  input = "blue"\n}\n'}
FILES = BEFORE | {"override.tf": 'resource "terraform_data" "web" {\n  input = "grün"\n}\n'}
BROKEN = FILES | {"second.tf": FILES["main.tf"]}
EXPECTED = {"resource": {"terraform_data": {"web": [{"input": "grün"}]}}}


def archive(files: dict[str, str]) -> io.BytesIO:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            tar.addfile(entry, io.BytesIO(text.encode()))
    packed.seek(0)
    return packed


def request(files: dict[str, str], **options: object) -> MergeRequest:
    return MergeRequest.from_dict({"files": files, **options})


def check_merge(form: str, answer: MergeAnswer | Problem | None) -> None:
    assert isinstance(answer, MergeAnswer), answer
    assert answer.valid and not isinstance(answer.module, Unset), answer
    config = answer.module.to_dict()["config"]
    assert config == EXPECTED, config
    print(f"python: {form}: {json.dumps(config, ensure_ascii=False)}")


def merge(client: Client) -> None:
    check_merge("JSON", post_merge.sync(client=client, body=request(FILES, include=["config", "files"])))

    body = File(payload=archive(FILES), mime_type="application/gzip")
    shape = PostMergeConfigFormat.HCL2JSON
    check_merge("tar.gz", post_merge.sync(client=client, body=body, include="config,files", config_format=shape))

    files = [File(payload=io.BytesIO(text.encode()), file_name=name) for name, text in FILES.items()]
    form = MergeForm(files=files, options=MergeOptions(include=[Part.CONFIG, Part.FILES]))
    check_merge("form", post_merge.sync(client=client, body=form))

    form = MergeForm(archive=File(payload=archive(FILES), file_name="module.tar.gz"))
    check_merge("form with an archive", post_merge.sync(client=client, body=form))

    failed = post_merge.sync_detailed(client=client, body=request(BROKEN, fail_on="error"))
    assert failed.status_code == HTTPStatus.UNPROCESSABLE_ENTITY and isinstance(failed.parsed, MergeAnswer), failed
    print(f"python: an answer that fails: {failed.parsed.diagnostics[0].summary}")

    problem = post_merge.sync(client=client, body=request(FILES, root="nowhere"))
    assert isinstance(problem, Problem) and problem.status == 422, problem
    print(f"python: a problem: {problem.detail}")


def merge_report(client: Client) -> None:
    for format_ in PostMergeReportFormat:
        answer = post_merge_report.sync_detailed(client=client, body=request(BROKEN), format_=format_)
        report = answer.parsed
        assert answer.status_code == HTTPStatus.OK and answer.headers["Overfold-Valid"] == "false", answer
        assert isinstance(report, str) and "second.tf" in report, answer
        print(f"python: {format_}: {len(report)} characters")
    body = File(payload=archive(BROKEN), mime_type="application/gzip")
    sarif = post_merge_report.sync(client=client, body=body, format_=PostMergeReportFormat.SARIF, path_prefix="infra")
    assert isinstance(sarif, str) and json.loads(sarif)["version"] == "2.1.0" and "infra/second.tf" in sarif, sarif
    form = MergeForm(archive=File(payload=archive(BROKEN), file_name="module.tar.gz"), options=MergeOptions(fail_on=Severity.ERROR))
    failed = post_merge_report.sync_detailed(client=client, body=form, format_=PostMergeReportFormat.TEXT)
    assert failed.status_code == HTTPStatus.UNPROCESSABLE_ENTITY and isinstance(failed.parsed, str), failed
    assert failed.parsed.startswith("error"), failed.parsed


def diff(client: Client) -> None:
    body = DiffRequest(before=request(BEFORE), after=request(FILES))
    form = DiffForm(
        before=File(payload=archive(BEFORE), file_name="before.tar.gz"), after=File(payload=archive(FILES), file_name="after.tar.gz")
    )
    for answer in [post_diff.sync(client=client, body=body), post_diff.sync(client=client, body=form)]:
        assert isinstance(answer, DiffAnswer) and not isinstance(answer.changes, Unset), answer
        assert [change.address for change in answer.changes] == ["terraform_data.web"], answer
    print("python: diff: terraform_data.web")
    same = DiffRequest(before=request(FILES, version="1.5"), after=MergeOptions(version="1.11"))
    upgrade = post_diff.sync(client=client, body=same)
    assert isinstance(upgrade, DiffAnswer) and not upgrade.different, upgrade
    for format_ in PostDiffReportFormat:
        report = post_diff_report.sync_detailed(client=client, body=body, format_=format_)
        assert isinstance(report.parsed, str) and "terraform_data.web" in report.parsed, report
        assert report.headers["Overfold-Valid"] == "true", report
        print(f"python: diff as {format_}: {len(report.parsed)} characters")


def plan(client: Client) -> None:
    body = PlanRequest.from_dict({"files": FILES, "include": ["plan", "instances"]})
    answer = post_plan.sync(client=client, body=body)
    assert isinstance(answer, PlanAnswer) and isinstance(answer.plan, PlanDocument), answer
    changes = answer.plan.to_dict()["resource_changes"]
    assert [change["change"]["after"]["input"] for change in changes] == ["grün"], changes
    print(f"python: plan: {changes[0]['address']}")
    for format_ in PostPlanReportFormat:
        report = post_plan_report.sync_detailed(client=client, body=PlanRequest.from_dict({"files": FILES}), format_=format_)
        assert isinstance(report.parsed, str) and report.headers["Overfold-Valid"] == "true", report
        print(f"python: plan as {format_}: {len(report.parsed)} characters")


def plan_diff(client: Client) -> None:
    body = PlanDiffRequest.from_dict({"before": {"files": BEFORE}, "after": {"files": FILES}})
    answer = post_plan_diff.sync(client=client, body=body)
    assert isinstance(answer, PlanDiffAnswer) and not isinstance(answer.instances, Unset), answer
    assert [instance.address for instance in answer.instances] == ["terraform_data.web"], answer
    print("python: plan-diff: terraform_data.web")
    for format_ in PostPlanDiffReportFormat:
        report = post_plan_diff_report.sync_detailed(client=client, body=body, format_=format_)
        assert isinstance(report.parsed, str) and "terraform_data.web" in report.parsed, report
        print(f"python: plan-diff as {format_}: {len(report.parsed)} characters")


def upgrade(client: Client) -> None:
    text = 'output "text" {\n  value = format("%v", null)\n}\n'
    body = UpgradeRequest.from_dict({"files": {"main.tf": text}, "version": "1.9", "to": {"version": "1.12"}})
    answer = post_upgrade.sync(client=client, body=body)
    assert isinstance(answer, UpgradeAnswer) and not isinstance(answer.changes, Unset), answer
    assert answer.changes[0].rule == "formats-untyped-null", answer
    print(f"python: upgrade: {answer.verdict}")
    for format_ in PostUpgradeReportFormat:
        report = post_upgrade_report.sync_detailed(client=client, body=body, format_=format_)
        assert isinstance(report.parsed, str) and "output.text" in report.parsed, report
        print(f"python: upgrade as {format_}: {len(report.parsed)} characters")


def compatibility_and_batch(client: Client) -> None:
    body = request({"main.tf": 'terraform {\n  required_version = ">= 1.9"\n}\n'})
    answer = post_compatibility.sync(client=client, body=body)
    assert isinstance(answer, CompatibilityAnswer) and answer.loads, answer
    print(f"python: compatibility: {answer.tools[0].dialect}")

    lines = "".join(json.dumps({"id": name, "files": {name: text}}) + "\n" for name, text in FILES.items())
    answers = post_batch.sync(client=client, body=File(payload=io.BytesIO(lines.encode())))
    assert isinstance(answers, File), answers
    statuses = {line["id"]: line["status"] for line in map(json.loads, answers.payload.read().splitlines())}
    assert statuses == dict.fromkeys(FILES, 200), statuses
    print(f"python: batch: {len(statuses)} answers")


def tables(client: Client) -> None:
    dialects = get_dialects.sync(client=client)
    assert isinstance(dialects, DialectList), dialects
    for dialect in dialects.dialects:
        table = get_dialect.sync(dialect.name, client=client)
        assert isinstance(table, DialectTable) and table.blocks, dialect.name
    versions = get_versions.sync(client=client)
    assert isinstance(versions, VersionList) and versions.differences, versions
    codes = get_diagnostics.sync(client=client)
    assert isinstance(codes, CodeList), codes
    code = codes.diagnostics[0].code
    entry = get_diagnostic.sync(code, client=client)
    assert isinstance(entry, CodeEntry) and entry.code == code, entry
    print(f"python: {len(dialects.dialects)} dialects, {len(versions.tools)} tools, {len(codes.diagnostics)} codes")


def service(client: Client) -> None:
    for health in [get_livez.sync(client=client), get_readyz.sync(client=client)]:
        assert isinstance(health, Health) and health.status == "ok", health
    version = get_version.sync(client=client)
    assert isinstance(version, Version) and version.name == "overfold", version
    metrics = get_metrics.sync(client=client)
    assert isinstance(metrics, str) and "overfold_requests" in metrics, metrics
    document = get_openapi.sync(client=client)
    assert isinstance(document, GetOpenapiResponse200) and document["openapi"] == "3.1.0", document
    page = get_explorer.sync(client=client)
    assert isinstance(page, str) and page.startswith("<!doctype html>"), page
    assert get_docs_folder.sync_detailed(client=client).status_code == HTTPStatus.SEE_OTHER
    print(f"python: {version.name} {version.version}")


def main() -> None:
    client = Client(base_url=sys.argv[1])
    for step in [merge, merge_report, diff, plan, plan_diff, upgrade, compatibility_and_batch, tables, service]:
        step(client)


main()
