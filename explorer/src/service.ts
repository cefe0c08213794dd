// The page's side of the worker.

import type { Questions } from "./worker.ts";
import type { Compatibility, Difference, Files, Input, JsonView, Merged, Plan, Problem, Upgrade } from "./types.ts";

declare const WORKER_FILE: string;

interface Answers {
  merge: Merged;
  json: JsonView;
  compatibility: Compatibility;
  diff: Difference;
  plan: Plan;
  upgrade: Upgrade;
  merged_files: Uint8Array;
  get: unknown;
  unpack: Files;
  fragment: string | null;
  unfragment: Input | null;
  token: void;
}

/** A problem returned by the service, or a communication failure. */
export class Failure extends Error {
  constructor(readonly problem: Problem) { super(problem.detail); }
}

const worker = new Worker(new URL(WORKER_FILE, import.meta.url), { type: "module" });
const waiting = new Map<number, { resolve: (value: never) => void; reject: (reason: Failure) => void }>();
let last = 0;

worker.addEventListener("message", ({ data }: MessageEvent<{ id: number; answer?: never; problem?: Problem; dropped?: true }>) => {
  const caller = waiting.get(data.id);
  waiting.delete(data.id);
  if (data.dropped) return;
  if (data.problem) caller?.reject(new Failure(data.problem));
  else caller?.resolve(data.answer as never);
});

/** Sends a question to the worker. If a newer question of the same name supersedes it, its answer never arrives. */
export function ask<Name extends keyof Questions>(name: Name, question: Questions[Name][0]): Promise<Answers[Name]> {
  last += 1;
  const id = last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, name, question });
  });
}
