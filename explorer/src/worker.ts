// Runs everything that takes time, away from the page: requests, parsing answers, archives, packing links.

import { unpack, zipped } from "./archive.ts";
import { find, outline } from "./outline.ts";
import { pretty, raw } from "./pretty.ts";
import { body, options, UNKNOWN } from "./request.ts";
import { fragment, unfragment } from "./share.ts";
import { valueText } from "./value-text.ts";
import type { Archive, Change, Diagnostic, Difference, Input, JsonView, Lines, Merged, Plan, Problem, Release, Upgrade } from "./types.ts";

/** A request for an input; if there is an archive, it replaces the files. */
export interface Ask { input: Input; archive: Archive | null }

/** What the page can ask. A newer question of the same name supersedes an older one. */
export interface Questions {
  merge: [ask: Ask];
  json: [ask: Ask & { pointers: (string | null)[] }];
  compatibility: [input: Input];
  plan: [ask: Ask];
  upgrade: [ask: Ask & { from: Release; to: Release }];
  merged_files: [ask: Ask];
  diff: [sides: { before: Input; after: Input }];
  get: [path: string];
  unpack: [archive: { bytes: Uint8Array; type: string }];
  fragment: [input: Input];
  unfragment: [text: string];
  token: [token: string];
}

/** An answer that is not a success. */
class Refused extends Error {
  constructor(readonly problem: Problem) { super(problem.detail); }
}

const base = new URL("..", import.meta.url);
const running = new Map<string, AbortController>();
let token = "";

async function send(path: string, signal: AbortSignal, request?: { body: BodyInit; type: string }): Promise<string> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (request) headers["Content-Type"] = request.type;
  if (token !== "") headers.Authorization = `Bearer ${token}`;
  let response: Response;
  try {
    response = await fetch(new URL(path, base), {
      method: request ? "POST" : "GET", headers, signal, ...(request ? { body: request.body } : {}),
    });
  } catch (trouble) {
    if (signal.aborted) throw trouble;
    throw new Refused({ title: "The service does not answer", status: 0, code: "offline",
      detail: "It may have stopped, or the network may be down. Your next change will try again." });
  }
  const text = await response.text();
  if (response.ok) return text;
  let problem: Problem;
  try {
    problem = JSON.parse(text) as Problem;
  } catch {
    problem = { title: "The request failed", status: response.status, code: "unknown", detail: text.slice(0, 300) };
  }
  throw new Refused(problem);
}

/** An archive is sent unchanged, with the options in the query. */
function post(route: string, { input, archive }: Ask, more: Record<string, unknown>, signal: AbortSignal): Promise<string> {
  if (archive === null || input.definitions.trim() !== "") {
    return send(route, signal, { body: JSON.stringify(body(input, more)), type: "application/json" });
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...options(input), ...more })) {
    query.set(name, typeof value === "string" ? value : name === "include" ? String(value) : JSON.stringify(value));
  }
  return send(`${route}?${query}`, signal, { body: archive.bytes as BodyInit, type: archive.type });
}

/** Turns numbers that a double cannot hold into objects with their text. */
function exact(text: string): unknown {
  return JSON.parse(text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, (token) =>
    token[0] === "\"" || token.length < 16 || String(Number(token)) === token ? token : `{"$number":"${token}"}`));
}

async function merged(ask: Ask, signal: AbortSignal): Promise<Merged> {
  const started = performance.now();
  const include = ["config", "overrides", "variables", "files"];
  const text = await post("v1/merge", ask, { include, config_format: "hcl" }, signal);
  const milliseconds = performance.now() - started;
  const answer = JSON.parse(text);
  const module = answer.module;
  const config = typeof module.config === "string" ? module.config as string : "";
  const parts = outline(config);
  const changes = (module.overrides ?? []) as Change[];
  const places = changes.map(({ pointer }) => pointer === undefined ? null : find(parts, pointer));
  const variables = raw(text, ["module", "variables"]);
  return {
    valid: answer.valid,
    dialect: answer.dialect,
    version: answer.version,
    stage: ask.input.stage,
    text: config,
    places,
    lost: lostPlaces(changes, places),
    changes,
    files: module.files ?? [],
    variables: variables === null ? {} : exact(variables) as Merged["variables"],
    diagnostics: answer.diagnostics,
    milliseconds,
  };
}

/** Where lost parts would be: at the end of what replaced them, or of another change in the same object. */
function lostPlaces(changes: Change[], places: (Lines | null)[]): Merged["lost"] {
  const key = ({ filename, start }: Change["cause"]) => `${start.byte} ${filename}`;
  const byCause = new Map<string, { place: Lines; block: string | undefined }>();
  const byAddress = new Map<string, Lines>();
  changes.forEach((change, at) => {
    const place = places[at];
    if (!place || change.change === "ignored") return;
    byCause.set(key(change.cause), { place, block: change.block });
    byAddress.set(change.address, place);
  });
  return changes.map((change) => {
    if (change.change !== "removed") return null;
    const cause = byCause.get(key(change.cause));
    // A block next to the one that replaced all blocks of its type; otherwise a part of what was replaced.
    if (cause && change.block !== undefined && change.block === cause.block) {
      return { after: cause.place.to, like: cause.place.from };
    }
    const place = cause?.place ?? byAddress.get(change.address);
    if (!place) return null;
    const last = place.to > place.from ? place.to - 1 : place.to;
    return { after: last, like: last };
  });
}

async function json(ask: Questions["json"][0], signal: AbortSignal): Promise<JsonView> {
  const text = await post("v1/merge", ask, { include: ["config"], config_format: "tf-json" }, signal);
  const wanted = new Set(ask.pointers.filter((pointer) => pointer !== null));
  const view = pretty(raw(text, ["module", "config"]) ?? "", wanted);
  return { text: view.text, places: ask.pointers.map((pointer) => pointer === null ? null : view.places.get(pointer) ?? null) };
}

interface Call { source?: string; module?: { module_calls?: Record<string, Call> } }

function calls(of: Record<string, Call> | undefined, parent = ""): Plan["calls"] {
  return Object.entries(of ?? {}).flatMap(([name, { source, module }]) =>
    [{ address: `${parent}module.${name}`, source: source ?? "" }, ...calls(module?.module_calls, `${parent}module.${name}.`)]);
}

async function plan(ask: Ask, signal: AbortSignal): Promise<Plan> {
  const stageless = { input: { ...ask.input, stage: "" }, archive: ask.archive };
  const answer = exact(await post("v1/plan", stageless, { ...UNKNOWN, include: ["plan", "instances"] }, signal)) as {
    dialect: string; version: string; exact: boolean; missing: Plan["missing"]; instances?: Plan["instances"]; diagnostics: Diagnostic[];
    plan: null | {
      output_changes?: Record<string, { after: unknown; after_unknown: unknown; after_sensitive: unknown }>;
      configuration?: { root_module?: { module_calls?: Record<string, Call> } };
    };
  };
  const instances = answer.instances ?? [];
  return {
    dialect: answer.dialect,
    version: answer.version,
    exact: answer.exact,
    isMade: answer.plan !== null,
    missing: answer.missing,
    instances,
    outputs: Object.fromEntries(Object.entries(answer.plan?.output_changes ?? {}).map(([name, output]) => [name, {
      text: output.after_unknown === false ? valueText(output.after) : "",
      kind: output.after_sensitive === true ? "sensitive" : output.after_unknown === false ? "known" : "unknown",
    }])),
    calls: calls(answer.plan?.configuration?.root_module?.module_calls),
    diagnostics: answer.diagnostics,
  };
}

async function upgrade({ input, archive, from, to }: Questions["upgrade"][0], signal: AbortSignal): Promise<Upgrade> {
  const ask = { input: { ...input, ...from, stage: "" }, archive };
  return exact(await post("v1/upgrade", ask, { ...UNKNOWN, to }, signal)) as Upgrade;
}

const answers: { [Name in keyof Questions]: (question: Questions[Name][0], signal: AbortSignal) => unknown } = {
  merge: merged,
  json,
  plan,
  upgrade,
  merged_files: async (ask, signal) => {
    const answer = JSON.parse(await post("v1/merge", ask, { include: ["config"], config_format: "files" }, signal));
    return zipped(answer.module?.config ?? {});
  },
  compatibility: async (input, signal) => {
    const request = JSON.stringify(body(input));
    return JSON.parse(await send("v1/compatibility", signal, { body: request, type: "application/json" }));
  },
  diff: async ({ before, after }, signal) => {
    const request = JSON.stringify({ before: body(before), after: body(after) });
    const { different, changes, counts, diagnostics } = JSON.parse(await send("v1/diff", signal, { body: request, type: "application/json" }));
    // The service names them by their indexes.
    const found = (indexes: number[], all: Diagnostic[]) => indexes.flatMap((at) => all[at] ?? []);
    return {
      different, changes, counts,
      appeared: found(diagnostics.appeared, diagnostics.after),
      vanished: found(diagnostics.vanished, diagnostics.before),
    } satisfies Difference;
  },
  get: async (path, signal) => JSON.parse(await send(path, signal)),
  unpack: ({ bytes, type }) => unpack(bytes, type),
  fragment,
  unfragment,
  token: (given) => { token = given; },
};

addEventListener("message", async ({ data }: MessageEvent<{ id: number; name: keyof Questions; question: never }>) => {
  const { id, name, question } = data;
  const controller = new AbortController();
  const lane = name === "get" ? `get ${String(question)}` : name;
  running.get(lane)?.abort();
  running.set(lane, controller);
  try {
    const answer = await answers[name](question, controller.signal);
    postMessage(controller.signal.aborted ? { id, dropped: true } : { id, answer });
  } catch (trouble) {
    if (controller.signal.aborted) {
      postMessage({ id, dropped: true });
      return;
    }
    const problem = trouble instanceof Refused ? trouble.problem
      : { title: "This could not be read", status: 0, code: "page", detail: String(trouble) };
    postMessage({ id, problem });
  } finally {
    if (running.get(lane) === controller) running.delete(lane);
  }
});
