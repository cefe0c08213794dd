// Calls every route of the service with the generated client. Usage: node routes.js URL
import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
type Files = Record<string, string>;

const BEFORE: Files = { "main.tf": 'resource "terraform_data" "web" {\n  input = "blue"\n}\n' };
const FILES: Files = { ...BEFORE, "override.tf": 'resource "terraform_data" "web" {\n  input = "grün"\n}\n' };
const BROKEN: Files = { ...FILES, "second.tf": FILES["main.tf"]! };
const EXPECTED = { resource: { terraform_data: { web: [{ input: "grün" }] } } };

// The generator has no type for bytes.
const bytes = (data: Blob) => data as unknown as string;
const asItIs = (body: unknown) => body as BodyInit;

function archive(files: Files): Blob {
  const folder = mkdtempSync(join(tmpdir(), "overfold-"));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
  }
  const packed = execFileSync("tar", ["-cz", "-C", folder, "."]);
  rmSync(folder, { recursive: true });
  return new Blob([packed], { type: "application/gzip" });
}

function serialised(form: Schemas["MergeForm"]): FormData {
  const data = new FormData();
  if (form.archive !== undefined) {
    data.append("archive", form.archive as unknown as Blob, "module.tar.gz");
  }
  for (const name of form.files ?? []) {
    data.append("files", new Blob([FILES[name] ?? ""]), name);
  }
  if (form.options !== undefined) {
    data.append("options", new Blob([JSON.stringify(form.options)], { type: "application/json" }));
  }
  return data;
}

function pair(before: Blob, after: Blob): FormData {
  const data = new FormData();
  data.append("before", before, "before.tar.gz");
  data.append("after", after, "after.tar.gz");
  return data;
}

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "http://127.0.0.1:8080" });

// POST /v1/merge, with every form of a body

function checkMerge(form: string, { data, error }: { data?: Schemas["MergeAnswer"]; error?: unknown }): void {
  ok(data, JSON.stringify(error));
  ok(data.valid);
  deepStrictEqual(data.module?.config, EXPECTED);
  console.log(`typescript: ${form}: ${JSON.stringify(data.module.config)}`);
}

checkMerge("JSON", await client.POST("/v1/merge", { body: { files: FILES, include: ["config", "files"] } }));
checkMerge("tar.gz", await client.POST("/v1/merge", {
  params: { query: { include: "config,files", config_format: "hcl2json" } },
  headers: { "Content-Type": "application/gzip" },
  body: bytes(archive(FILES)),
  bodySerializer: asItIs,
}));
const form: Schemas["MergeForm"] = { files: Object.keys(FILES), options: { include: ["config", "files"] } };
checkMerge("form", await client.POST("/v1/merge", { body: form, bodySerializer: () => serialised(form) }));
const packed: Schemas["MergeForm"] = { archive: bytes(archive(FILES)) };
checkMerge("form with an archive", await client.POST("/v1/merge", { body: packed, bodySerializer: () => serialised(packed) }));

const failed = await client.POST("/v1/merge", { body: { files: BROKEN, fail_on: "error" } });
strictEqual(failed.response.status, 422);
ok(failed.error && !("detail" in failed.error));
console.log(`typescript: an answer that fails: ${failed.error.diagnostics[0]?.summary}`);

const impossible = await client.POST("/v1/merge", { body: { files: FILES, root: "nowhere" } });
strictEqual(impossible.response.status, 422);
ok(impossible.error && "detail" in impossible.error);
console.log(`typescript: a problem: ${impossible.error.detail}`);

// POST /v1/merge/report, in every format

type Format = paths["/v1/merge/report"]["post"]["parameters"]["query"]["format"];
const FORMATS: Format[] = ["sarif", "rdjson", "github-annotations", "gitlab-codequality", "junit", "text", "github-commands"];
for (const format of FORMATS) {
  const { data, response } = await client.POST("/v1/merge/report", {
    params: { query: { format } }, body: { files: BROKEN }, parseAs: "text",
  });
  strictEqual(response.headers.get("Overfold-Valid"), "false");
  ok(data !== undefined && data.includes("second.tf"), data);
  console.log(`typescript: ${format}: ${data.length} characters`);
}
const sarif = await client.POST("/v1/merge/report", {
  params: { query: { format: "sarif", path_prefix: "infra" } },
  headers: { "Content-Type": "application/gzip" },
  body: bytes(archive(BROKEN)),
  bodySerializer: asItIs,
  parseAs: "text",
});
ok(sarif.data?.includes("infra/second.tf"), sarif.data);

// POST /v1/diff and POST /v1/diff/report

const sides: Schemas["DiffRequest"] = { before: { files: BEFORE }, after: { files: FILES } };
const archives: Schemas["DiffForm"] = { before: "" };
for (const { data, error } of [
  await client.POST("/v1/diff", { body: sides }),
  await client.POST("/v1/diff", { body: archives, bodySerializer: () => pair(archive(BEFORE), archive(FILES)) }),
]) {
  ok(data, JSON.stringify(error));
  deepStrictEqual(data.changes?.map((change) => change.address), ["terraform_data.web"]);
}
console.log("typescript: diff: terraform_data.web");
const otherVersion = await client.POST("/v1/diff", { body: { before: { files: FILES, version: "1.5" }, after: { version: "1.11" } } });
strictEqual(otherVersion.data?.different, false);
for (const format of ["markdown", "text"] as const) {
  const { data, response } = await client.POST("/v1/diff/report", {
    params: { query: { format } }, body: sides, parseAs: "text",
  });
  strictEqual(response.headers.get("Overfold-Valid"), "true");
  ok(data !== undefined && data.includes("terraform_data.web"), data);
  console.log(`typescript: diff as ${format}: ${data.length} characters`);
}

// POST /v1/plan and POST /v1/plan/report

const planned = await client.POST("/v1/plan", { body: { files: FILES, include: ["plan", "instances"] } });
type Change = { address: string; change: { after: { input: string } } };
const changes = (planned.data?.plan as unknown as { resource_changes: Change[] } | undefined)?.resource_changes ?? [];
deepStrictEqual(changes.map(({ change }) => change.after.input), ["grün"]);
console.log(`typescript: plan: ${changes[0]?.address}`);
for (const format of ["document", "text"] as const) {
  const { data, response } = await client.POST("/v1/plan/report", {
    params: { query: { format } }, body: { files: FILES }, parseAs: "text",
  });
  strictEqual(response.headers.get("Overfold-Valid"), "true");
  ok(data !== undefined && data.includes("terraform_data.web"), data);
  console.log(`typescript: plan as ${format}: ${data.length} characters`);
}
for (const format of FORMATS) {
  const { data } = await client.POST("/v1/plan/report", {
    params: { query: { format } }, body: { files: BROKEN }, parseAs: "text",
  });
  ok(data !== undefined && data.includes("second.tf"), data);
}

// POST /v1/plan-diff and POST /v1/plan-diff/report

const plans: Schemas["PlanDiffRequest"] = { before: { files: BEFORE }, after: { files: FILES } };
const plannedDifference = await client.POST("/v1/plan-diff", { body: plans });
deepStrictEqual(plannedDifference.data?.instances?.map(({ address }) => address), ["terraform_data.web"]);
console.log("typescript: plan-diff: terraform_data.web");
for (const format of ["markdown", "text"] as const) {
  const { data, response } = await client.POST("/v1/plan-diff/report", {
    params: { query: { format } }, body: plans, parseAs: "text",
  });
  strictEqual(response.headers.get("Overfold-Valid"), "true");
  ok(data !== undefined && data.includes("terraform_data.web"), data);
  console.log(`typescript: plan-diff as ${format}: ${data.length} characters`);
}

// POST /v1/upgrade and POST /v1/upgrade/report

const upgrade: Schemas["UpgradeRequest"] = {
  files: { "main.tf": 'output "text" {\n  value = format("%v", null)\n}\n' }, version: "1.9", to: { version: "1.12" },
};
const upgraded = await client.POST("/v1/upgrade", { body: upgrade });
strictEqual(upgraded.data?.changes?.[0]?.rule, "formats-untyped-null");
console.log(`typescript: upgrade: ${upgraded.data.verdict}`);
for (const format of ["markdown", "text"] as const) {
  const { data } = await client.POST("/v1/upgrade/report", { params: { query: { format } }, body: upgrade, parseAs: "text" });
  ok(data !== undefined && data.includes("output.text"), data);
  console.log(`typescript: upgrade as ${format}: ${data.length} characters`);
}

// POST /v1/compatibility and POST /v1/batch

const compatibility = await client.POST("/v1/compatibility", {
  body: { files: { "main.tf": 'terraform {\n  required_version = ">= 1.9"\n}\n' } },
});
ok(compatibility.data?.loads, JSON.stringify(compatibility.error));
console.log(`typescript: compatibility: ${compatibility.data.tools[0]?.dialect}`);

const lines = Object.entries(FILES).map(([id, text]) => `${JSON.stringify({ id, files: { [id]: text } })}\n`).join("");
const batch = await client.POST("/v1/batch", {
  headers: { "Content-Type": "application/x-ndjson" }, body: lines, bodySerializer: asItIs, parseAs: "text",
});
const answers = (batch.data ?? "").trim().split("\n").map((line) => JSON.parse(line) as Schemas["BatchAnswer"]);
deepStrictEqual(answers.map(({ status }) => status), [200, 200]);
console.log(`typescript: batch: ${answers.length} answers`);

// The tables and the service itself

const dialects = (await client.GET("/v1/dialects")).data?.dialects ?? [];
for (const { name } of dialects) {
  const { data } = await client.GET("/v1/dialects/{name}", { params: { path: { name } } });
  ok(data?.blocks.length, name);
}
const versions = (await client.GET("/v1/versions")).data;
ok(versions?.differences.length);
const codes = (await client.GET("/v1/diagnostics")).data?.diagnostics ?? [];
const code = codes[0]!.code;
strictEqual((await client.GET("/v1/diagnostics/{code}", { params: { path: { code } } })).data?.code, code);
console.log(`typescript: ${dialects.length} dialects, ${versions.tools.length} tools, ${codes.length} codes`);

strictEqual((await client.GET("/livez")).data?.status, "ok");
strictEqual((await client.GET("/readyz")).data?.status, "ok");
ok((await client.GET("/metrics", { parseAs: "text" })).data?.includes("overfold_requests"));
ok((await client.GET("/openapi.json")).data);
ok((await client.GET("/", { parseAs: "text" })).data?.startsWith("<!doctype html>"));
strictEqual((await client.GET("/docs", { parseAs: "text", redirect: "manual" })).response.status, 303);
const version = (await client.GET("/version")).data;
strictEqual(version?.name, "overfold");
console.log(`typescript: ${version.name} ${version.version}`);
