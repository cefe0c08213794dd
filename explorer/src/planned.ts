// The parts of a plan in the form in which the page shows them.

import type { Argument, Missing, Plan, PlannedInstance } from "./types.ts";
import { valueText } from "./value-text.ts";

/** A planned value, by its name in the instance. */
export interface Attribute {
  name: string;
  argument?: Argument;
  /** What the value needs, if it is not known here. */
  needs?: string;
  text: string;
  kind: "known" | "unknown" | "sensitive";
}

/** A module with what it has in it. */
export interface Branch {
  address: string;
  name: string;
  source?: string;
  instances: PlannedInstance[];
  /** What is left out of it, since its instances are not known. */
  leftOut: Missing[];
  modules: Branch[];
  /** How many instances it has, with those of the modules in it. */
  count: number;
}

type Tree = { [name: string]: unknown } | unknown[];

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !("$number" in value);
}

/** Whether `true` is somewhere in it. */
function has(marks: unknown): boolean {
  return marks === true || (isTree(marks) && Object.values(marks).some(has));
}

/** The value or the marks of a member. */
function member(of: unknown, name: string): unknown {
  return isTree(of) ? (of as { [name: string]: unknown })[name] : undefined;
}

/** `/root_block_device/0/volume_size` as `root_block_device[0].volume_size`. */
export function nameOf(path: string[]): string {
  return path.map((part, at) => /^\d+$/.test(part) ? `[${part}]` : at === 0 ? part : `.${part}`).join("");
}

/** The values of an instance: one row for each argument, or for each part of it of which only some is known; the names of those that
 * the provider sets, and the number of those that are null because nothing sets them. */
export function attributes(instance: PlannedInstance): { shown: Attribute[]; after: string[]; empty: number } {
  // Parts of the paths of arguments, without the arguments themselves.
  const above = new Set<string>();
  for (const pointer of Object.keys(instance.arguments)) {
    for (let at = pointer.lastIndexOf("/"); at > 0; at = pointer.lastIndexOf("/", at - 1)) above.add(pointer.slice(0, at));
  }
  const shown: Attribute[] = [];
  const after: string[] = [];
  let empty = 0;
  const walk = (path: string[], pointer: string, value: unknown, unknown: unknown, sensitive: unknown, outer: Argument | undefined): void => {
    const argument = instance.arguments[pointer] ?? outer;
    const row = (kind: Attribute["kind"], text: string) => {
      const needs = instance.needs?.[`/${path[0]}`];
      shown.push({ name: nameOf(path), text, kind, ...(argument ? { argument } : {}), ...(needs === undefined ? {} : { needs }) });
    };
    if (path.length > 0) {
      if (unknown === true) {
        if (argument) row("unknown", "");
        else after.push(nameOf(path));
        return;
      }
      if (sensitive === true) { row("sensitive", ""); return; }
      if (!isTree(value) && !isTree(unknown)) {
        if ((value === null || value === undefined) && !argument) empty += 1;
        else row("known", valueText(value ?? null));
        return;
      }
      if (!above.has(pointer) && !has(unknown) && !has(sensitive)) { row("known", valueText(value)); return; }
    }
    const names = new Set([...Object.keys(isTree(value) ? value : {}), ...Object.keys(isTree(unknown) ? unknown : {}),
      ...Object.keys(isTree(sensitive) ? sensitive : {})]);
    for (const name of names) {
      walk([...path, name], `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
        member(value, name), member(unknown, name), member(sensitive, name), argument);
    }
  };
  walk([], "", instance.values, instance.after_unknown, instance.after_sensitive, undefined);
  // In the order of the merged configuration; what nothing sets comes last.
  const order = new Map(Object.values(instance.arguments).map((argument, at) => [argument, at]));
  const rank = ({ argument }: Attribute) => argument === undefined ? order.size : order.get(argument) ?? order.size;
  shown.sort((a, b) => rank(a) - rank(b));
  return { shown, after, empty };
}

const STEP = /module\.[^.[]+(?:\["(?:[^"\\]|\\.)*"\]|\[\d+\])?(?:\.|$)/y;

/** The addresses of the modules that an address is in, from the outside, and the rest of it. */
function steps(address: string): { names: string[]; rest: string } {
  const names: string[] = [];
  STEP.lastIndex = 0;
  let at = 0;
  for (let found = STEP.exec(address); found; found = STEP.exec(address)) {
    names.push(found[0].replace(/\.$/, ""));
    at = STEP.lastIndex;
  }
  return { names, rest: address.slice(at) };
}

/** The tree of modules. A call without instances is in it, too. */
export function moduleTree(plan: Plan): Branch {
  const make = (address: string, name: string): Branch => ({ address, name, instances: [], leftOut: [], modules: [], count: 0 });
  const root = make("", "");
  const known = new Map<string, Branch>([["", root]]);
  const calls = new Set<string>();
  const get = (names: string[]): Branch => {
    let parent = root;
    for (let depth = 1; depth <= names.length; depth += 1) {
      const address = names.slice(0, depth).join(".");
      let found = known.get(address);
      if (!found) {
        found = make(address, names[depth - 1]!);
        parent.modules.push(found);
        known.set(address, found);
        calls.add(names.slice(0, depth).map((name) => name.replace(/\[.*$/s, "")).join("."));
      }
      parent = found;
    }
    return parent;
  };
  for (const instance of plan.instances) {
    const { names } = steps(instance.module_address ?? "");
    get(names).instances.push(instance);
    for (let depth = 0; depth <= names.length; depth += 1) known.get(names.slice(0, depth).join("."))!.count += 1;
  }
  for (const found of plan.missing) {
    if (found.kind === "instances" && found.address !== undefined) get(steps(found.address).names).leftOut.push(found);
  }
  for (const { address, source } of plan.calls) {
    const parent = address.slice(0, Math.max(0, address.lastIndexOf(".module.")));
    // Of a module with several instances, calls of every one of them would be the same.
    if (!calls.has(address) && known.has(parent)) get(steps(address).names);
    const found = known.get(address);
    if (found) found.source = source;
  }
  return root;
}
