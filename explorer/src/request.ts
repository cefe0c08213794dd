// The request to the service for an input, and the same request as shell commands.

import type { Files, Input } from "./types.ts";

/** The name under which the text of the definitions is sent. */
const DEFINITIONS = "definitions.tfvars";

/** The request for a plan. It has no stage, and what is not given is unknown, so that there is a plan. */
export const UNKNOWN = { unset_variables: "unknown", missing_files: "unknown" };

/** A name next to the module's files that none of them has. */
function definitionsPath({ files, root }: Input): { path: string; name: string } {
  const prefix = root === "." ? "" : `${root}/`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? DEFINITIONS : `definitions-${number}.tfvars`;
    if (!(prefix + name in files)) return { path: prefix + name, name };
  }
}

/** The fields other than `files`. */
export function options(input: Input): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  if (input.dialect !== "terraform") given.dialect = input.dialect;
  if (input.version !== "") given.version = input.version;
  if (input.stage !== "") given.stage = input.stage;
  if (input.root !== ".") given.root = input.root;
  if (input.values) {
    const env = input.rows.filter((row) => row.kind === "env" && row.name !== "");
    const vars = input.rows.filter((row) => row.kind === "var" && row.name !== "");
    const args: unknown[] = vars.map((row) => ({ var: `${row.name}=${row.text}` }));
    if (input.definitions.trim() !== "") args.unshift({ var_file: definitionsPath(input).name });
    given.variables = {
      ...(env.length > 0 ? { env: Object.fromEntries(env.map((row) => [`TF_VAR_${row.name}`, row.text])) } : {}),
      ...(args.length > 0 ? { args } : {}),
    };
  }
  return given;
}

/** All files that are sent. */
export function filesOf(input: Input): Files {
  if (!input.values || input.definitions.trim() === "") return input.files;
  return { ...input.files, [definitionsPath(input).path]: input.definitions };
}

/** The request object. */
export function body(input: Input, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { files: filesOf(input), ...options(input), ...more };
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The request as a shell command. */
export function curl(input: Input, base: string, withToken: boolean): string {
  const request = body(input, { include: ["config", "overrides", "variables", "files"], config_format: "hcl" });
  const token = withToken ? " \\\n  -H \"Authorization: Bearer $TOKEN\"" : "";
  return `curl -s ${quoted(new URL("v1/merge", base).href)} -H 'Content-Type: application/json'${token} `
    + `--data-binary @- <<'END-OF-REQUEST'\n${JSON.stringify(request, null, 2)}\nEND-OF-REQUEST\n`;
}

/** The command line, for the folder that contains the files. */
export function command(input: Input): string {
  const words = ["overfold", "merge", "."];
  if (input.dialect !== "terraform") words.push("--dialect", input.dialect);
  if (input.version !== "") words.push("--version", input.version);
  if (input.stage !== "") words.push("--stage", input.stage);
  if (input.root !== ".") words.push("--root", input.root);
  words.push("--include", "config,overrides,variables,files", "--config-format", "hcl");
  if (input.values) {
    words.push("--values");
    if (input.definitions.trim() !== "") words.push("--var-file", definitionsPath(input).name);
    for (const { kind, name, text } of input.rows) {
      if (name === "") continue;
      if (kind === "env") words.push("--env", `TF_VAR_${name}=${text}`);
      else words.push("--var", `${name}=${text}`);
    }
  }
  return `${words.map(quoted).join(" ")}\n`;
}
