// The state of the page, and the listeners for its changes.

import type { Archive, Change, Compatibility, Diagnostic, DialectRow, Difference, Input, JsonView, Merged, Plan, Problem, Upgrade } from "./types.ts";

export type View = "merged" | "json" | "changes" | "problems" | "variables" | "plan" | "upgrade" | "versions" | "compare";

export interface Example {
  name: string;
  title: string;
  dialect: string;
  values: boolean;
  rows: Input["rows"];
  files: Input["files"];
}

/** A small module that shows a rule. */
export interface Lesson {
  name: string;
  title: string;
  /** What to look at, and why it is so. */
  text: string;
  rule: { document: string; section: string; heading: string; text: string };
  view?: View;
  files: Input["files"];
  /** Entries of the answer, by some of their members. */
  shows: ({ override: Partial<Change> } | { diagnostic: Partial<Diagnostic> })[];
}

export interface State {
  input: Input;
  /** How often the input was replaced. */
  number: number;
  archive: Archive | null;
  /** The path of the file in the editor. */
  open: string;
  view: View;
  dialects: DialectRow[];
  /** The sentences that describe rules, by dialect, as in `GET /v1/dialects/{name}`. */
  terms: Map<string, Record<string, Record<string, string>>>;
  merged: Merged | null;
  json: JsonView | null;
  problem: Problem | null;
  before: { input: Input; at: string } | null;
  difference: Difference | null;
  differenceProblem: Problem | null;
  compatibility: { answer: Compatibility; isStale: boolean } | null;
  compatibilityProblem: Problem | null;
  isChecking: boolean;
  /** The plan of the input; `null` if it has not been asked for since the input changed its dialect or was replaced. */
  plan: Plan | null;
  planProblem: Problem | null;
  /** What another version does, and whether the files or the chosen versions are others since. */
  upgrade: { answer: Upgrade; isStale: boolean } | null;
  upgradeProblem: Problem | null;
  isUpgrading: boolean;
  /** The lesson whose files are open. */
  lesson: Lesson | null;
  hasToken: boolean;
}

export const NOTHING: Input = {
  files: { "main.tf": "" }, dialect: "terraform", version: "", stage: "", root: ".", values: false, rows: [], definitions: "",
};

export const state: State = {
  input: NOTHING,
  number: 0,
  archive: null,
  open: "main.tf",
  view: "merged",
  dialects: [],
  terms: new Map(),
  merged: null,
  json: null,
  problem: null,
  before: null,
  difference: null,
  differenceProblem: null,
  compatibility: null,
  compatibilityProblem: null,
  isChecking: false,
  plan: null,
  planProblem: null,
  upgrade: null,
  upgradeProblem: null,
  isUpgrading: false,
  lesson: null,
  hasToken: false,
};

/** The title of a dialect. */
export function title(name: string): string {
  return state.dialects.find((dialect) => dialect.name === name)?.title ?? name;
}

/** The commands that look for problems at the stage `validate`. */
const COMMANDS: Record<string, string> = { terraform: "terraform validate", opentofu: "tofu validate" };

/** How much was checked in an answer: the command whose checks were made, or `load` where that was a choice; `null`
 * if the dialect has no choice. */
export function lookedAt({ dialect, stage }: Merged): string | null {
  const stages = state.dialects.find(({ name }) => name === dialect)?.stages ?? [];
  if (stages.length < 2) return null;
  return (stage || stages.at(-1)) === "load" ? "load" : COMMANDS[dialect] ?? "validate";
}

/** The path in the upload of a module's file, which the service names relative to the module; and the reverse. */
export function inUpload(name: string): string {
  if (state.input.root === "." && !name.startsWith("../")) return name;
  const parts: string[] = [];
  for (const part of `${state.input.root}/${name}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

export function inModule(path: string): string | null {
  if (state.input.root === ".") return path;
  return path.startsWith(`${state.input.root}/`) ? path.slice(state.input.root.length + 1) : null;
}
