// The wire types of the service, as far as the page reads them, and the types of messages to the worker.

export interface Position { line: number; column: number; byte: number }
export interface Range { filename: string; start: Position; end: Position }

export interface Side { expression?: string | null; redacted?: boolean; range: Range }

export type ChangeKind = "replaced" | "added" | "removed" | "block-replaced" | "object-added" | "ignored";

/** One act of an override file (`include: ["overrides"]`). */
export interface Change {
  address: string;
  pointer?: string;
  change: ChangeKind;
  argument?: string;
  block?: string;
  before?: Side;
  after?: Side;
  file: string;
  cause: Range;
  within: Range;
  rule: string;
}

export type Severity = "error" | "warning" | "info";

export interface Diagnostic {
  severity: Severity;
  code: string;
  summary: string;
  detail?: string;
  address?: string;
  range?: Range;
  related?: { message: string; range: Range }[];
}

export interface FileRow { path: string; role: string; order?: number; reason?: string; syntax?: string }

export interface Source { kind: string; name?: string; path?: string; index?: number; value?: unknown; redacted?: boolean }

export interface Variable {
  type?: string;
  default?: unknown;
  value?: unknown;
  state?: "known" | "unknown" | "error";
  redacted?: boolean;
  sensitive?: boolean;
  ephemeral?: boolean;
  from?: Source | Source[];
  superseded?: Source[];
}

export interface Problem { title: string; status: number; detail: string; code: string; instance?: string }

export interface DialectRow { name: string; title: string; about: string; default_version: string; versions: string[]; stages: string[] }

/** The text of a file, or its bytes if they are not text. */
export type Content = string | { base64: string };
export type Files = Record<string, Content>;

export type ValueRow = { kind: "var" | "env"; name: string; text: string };

/** The input: what the address bar contains, and what every request is built from. */
export interface Input {
  files: Files;
  dialect: string;
  version: string;
  /** How much is checked; empty for the last stage that the dialect has. */
  stage: string;
  root: string;
  /** Whether variables get values, as with `plan`. */
  values: boolean;
  rows: ValueRow[];
  /** The text of an additional definitions file, read last. */
  definitions: string;
}

/** An archive as it was dropped; it is sent unchanged until a file is edited. */
export interface Archive { name: string; type: string; bytes: Uint8Array }

/** The position of a part of the configuration in a text: lines, 1-based, inclusive. */
export interface Lines { from: number; to: number }

export interface Merged {
  valid: boolean;
  dialect: string;
  version: string;
  /** As in the input. */
  stage: string;
  text: string;
  /** For each change in `changes`, the position of its result in `text`. */
  places: (Lines | null)[];
  /** For each change, where the lost part would be: after which line of `text`, and indented like which line. */
  lost: ({ after: number; like: number } | null)[];
  changes: Change[];
  files: FileRow[];
  variables: Record<string, Variable>;
  diagnostics: Diagnostic[];
  milliseconds: number;
}

export interface JsonView { text: string; places: (Lines | null)[] }

export interface Segment { from: string; to: string; loads: boolean }
export interface Boundary { at: string; appear: Diagnostic[]; vanish: Diagnostic[]; differs: { address: string; before: unknown; after: unknown }[] }
export interface Compatibility {
  dialect: string;
  version: string;
  loads: boolean;
  tools: { dialect: string; ranges: Segment[]; diagnostics: unknown[]; boundaries: Boundary[] }[];
  required_version?: { summary: string; constraints: { constraint: string; range?: Range }[] };
}

/** An argument of a planned instance. */
export interface Argument { range: Range; references: string[]; overridden: boolean }
export interface PlannedInstance {
  address: string;
  module_address?: string;
  mode: string;
  type: string;
  name: string;
  provider_name: string;
  actions: string[];
  values: unknown;
  after_unknown: unknown;
  after_sensitive: unknown;
  arguments: Record<string, Argument>;
  /** What values need that are not known here, by pointer. */
  needs?: Record<string, string>;
}
/** Something that was not given. */
export interface Missing {
  kind: string;
  provider?: string;
  resources?: number;
  problem?: string;
  address?: string;
  source?: string;
  name?: string;
  path?: string;
  needs?: string;
  version?: string;
}
export interface Plan {
  dialect: string;
  version: string;
  exact: boolean;
  /** Whether there is a plan at all. */
  isMade: boolean;
  missing: Missing[];
  instances: PlannedInstance[];
  outputs: Record<string, { text: string; kind: "known" | "unknown" | "sensitive" }>;
  /** The module calls, with their addresses without keys. */
  calls: { address: string; source: string }[];
  diagnostics: Diagnostic[];
}

/** A row of the version tables: what the versions in its ranges do, and the others do not. `to` is the first version after a range. */
export interface VersionRule { id: string; summary: string; ranges: Record<string, { from?: string; to?: string }[]>; source: string }
export interface UpgradeSide { value?: unknown; unknown?: boolean; redacted?: boolean; range?: Range }
export interface UpgradeChange {
  kind: string;
  address?: string;
  pointer?: string;
  change: string;
  conditions?: boolean;
  before?: UpgradeSide;
  after?: UpgradeSide;
  count?: number;
  rule?: string;
}
export interface Edit { range: Range; text: string }
/** What stands in the way of the new version, and the edits that remove it where they are certain. */
export interface Obstacle { kind: string; summary: string; range: Range; edits: Edit[] }
/** A version of a tool; `auto` is the version that the files mean. */
export interface Release { dialect: string; version: string }
export interface Upgrade {
  verdict: "same" | "changes" | "breaks";
  from: Release & { valid: boolean; version_from?: { source: string; range?: Range } };
  to: Release & { valid: boolean };
  diagnostics: { added: (Diagnostic & { rule?: string })[]; removed: (Diagnostic & { rule?: string })[] };
  changes: UpgradeChange[];
  rules: VersionRule[];
  unexplained: number;
  searched?: boolean;
  ready: Obstacle[];
}

export interface DiffSide { pointer?: string; expression?: string | null; redacted?: boolean; range?: Range }
export interface DiffPart {
  name: string;
  part: string;
  change: string;
  before?: DiffSide | null;
  after?: DiffSide | null;
  override?: { before?: string; after?: string };
}
export interface DiffChange extends Omit<DiffPart, "name" | "part"> { address: string; kind: string; parts?: DiffPart[] }
export interface Difference {
  different: boolean;
  changes: DiffChange[];
  counts: Record<string, number>;
  /** Diagnostics that were not there before, and those that are not there any more. */
  appeared: Diagnostic[];
  vanished: Diagnostic[];
}
