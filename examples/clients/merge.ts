// Merges one module with the generated client: as JSON, as an archive, and as a form. Usage: node merge.js URL
import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Answer = components["schemas"]["MergeAnswer"];
type Problem = components["schemas"]["Problem"];
type Form = components["schemas"]["MergeForm"];

const FILES: Record<string, string> = {
  "main.tf": 'resource "terraform_data" "web" {\n  input = "blue"\n}\n',
  "override.tf": 'resource "terraform_data" "web" {\n  input = "grün"\n}\n',
};
const EXPECTED = { resource: { terraform_data: { web: [{ input: "grün" }] } } };

// The generator has no type for bytes.
const bytes = (data: Blob) => data as unknown as string;
const asItIs = (body: unknown) => body as BodyInit;

function archive(): Blob {
  const folder = mkdtempSync(join(tmpdir(), "overfold-"));
  for (const [name, text] of Object.entries(FILES)) {
    writeFileSync(join(folder, name), text);
  }
  const packed = execFileSync("tar", ["-cz", "-C", folder, "."]);
  rmSync(folder, { recursive: true });
  return new Blob([packed], { type: "application/gzip" });
}

function serialised(form: Form): FormData {
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

// An answer can have several media types (reports for other tools, by `Accept`), so the generator leaves its type open.
function check(form: string, { data, error }: { data?: unknown; error?: unknown }): void {
  ok(data, JSON.stringify(error));
  const answer = data as Answer;
  ok(answer.valid);
  deepStrictEqual(answer.module?.config, EXPECTED);
  console.log(`typescript: ${form}: ${JSON.stringify(answer.module.config)}`);
}

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "http://127.0.0.1:8080" });

check("JSON", await client.POST("/v1/merge", { body: { files: FILES, include: ["config", "files"] } }));

check(
  "tar.gz",
  await client.POST("/v1/merge", {
    params: { query: { include: "config,files", config_format: "hcl2json" } },
    headers: { "Content-Type": "application/gzip" },
    body: bytes(archive()),
    bodySerializer: asItIs,
  }),
);

const form: Form = { files: Object.keys(FILES), options: { include: ["config", "files"] } };
check("form", await client.POST("/v1/merge", { body: form, bodySerializer: () => serialised(form) }));

const packed: Form = { archive: bytes(archive()) };
check("form with an archive", await client.POST("/v1/merge", { body: packed, bodySerializer: () => serialised(packed) }));

const { error, response } = await client.POST("/v1/merge", { body: { files: FILES, root: "nowhere" } });
strictEqual(response.status, 422);
console.log(`typescript: a problem: ${(error as Problem).detail}`);
