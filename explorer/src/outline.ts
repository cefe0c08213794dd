// A lightweight reader of native syntax, sufficient to find the line of a block or an argument. It never fails: it
// skips what it does not understand. The service has parsed the text already; this only locates things in it.

import type { Lines } from "./types.ts";

interface Node {
  name: string;
  /** `null` for an argument. */
  labels: string[] | null;
  from: number;
  to: number;
  children: Node[];
  /** Made when it is first needed. */
  index?: Index;
}

/** The children of a body by name. */
interface Index {
  arguments: Map<string, Node>;
  /** By name and labels. */
  blocks: Map<string, Group>;
}

interface Group {
  list: Node[];
  /** A body with the children of all of them. */
  joined?: Node;
}

export interface Outline { root: Node }

const IDENT = /[\p{L}_][\p{L}\p{N}_-]*/uy;
const HEREDOC = /<<[-~]?([\p{L}_][\p{L}\p{N}_-]*)[^\n]*\n/uy;

class Reader {
  at = 0;
  line = 1;
  constructor(readonly text: string) {}

  get rest(): boolean { return this.at < this.text.length; }
  get char(): string { return this.text[this.at] ?? ""; }

  step(count = 1): void {
    for (let i = 0; i < count && this.rest; i += 1) {
      if (this.text.charCodeAt(this.at) === 10) this.line += 1;
      this.at += 1;
    }
  }

  to(index: number): void { this.step((index < 0 ? this.text.length : index) - this.at); }

  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0] ?? null;
  }

  /** Skips a comment, if one begins here. */
  comment(): boolean {
    if (this.char === "#" || this.text.startsWith("//", this.at)) this.to(this.text.indexOf("\n", this.at));
    else if (this.text.startsWith("/*", this.at)) {
      const end = this.text.indexOf("*/", this.at + 2);
      this.to(end < 0 ? -1 : end + 2);
    } else return false;
    return true;
  }

  /** Skips a quoted string with the templates in it. */
  quoted(): void {
    // Each open template waits for its closing brace; 0 represents a string.
    const open = [0];
    this.step();
    while (this.rest && open.length > 0) {
      const top = open[open.length - 1]!;
      const char = this.char;
      if (top === 0) {
        if (char === "\\") this.step(2);
        else if (char === "\"") { open.pop(); this.step(); }
        else if ((char === "$" || char === "%") && this.text[this.at + 1] === "{") {
          if (this.text[this.at - 1] === char) this.step(2);
          else { open.push(1); this.step(2); }
        } else if (char === "\n") return;
        else this.step();
      } else if (char === "\"") { open.push(0); this.step(); }
      else if (char === "{") { open[open.length - 1] = top + 1; this.step(); }
      else if (char === "}") {
        if (top === 1) open.pop(); else open[open.length - 1] = top - 1;
        this.step();
      } else if (!this.comment()) this.step();
    }
  }

  heredoc(): boolean {
    const head = this.match(HEREDOC);
    if (head === null) return false;
    const word = /[\p{L}_][\p{L}\p{N}_-]*/u.exec(head)![0];
    this.step(head.length);
    while (this.rest) {
      const end = this.text.indexOf("\n", this.at);
      const line = this.text.slice(this.at, end < 0 ? undefined : end);
      if (line.trim() === word) { this.step(line.length); return true; }
      this.to(end < 0 ? -1 : end + 1);
    }
    return true;
  }

  /** Skips an expression: to the end of its line, outside of brackets. */
  expression(): void {
    let depth = 0;
    while (this.rest) {
      const char = this.char;
      if (char === "\n" && depth === 0) return;
      if (char === "\"") this.quoted();
      else if (char === "<" && this.heredoc()) continue;
      else if (char === "}" && depth === 0) return;
      else if (this.comment()) continue;
      else {
        if ("([{".includes(char)) depth += 1;
        else if (")]}".includes(char)) depth -= 1;
        this.step();
      }
    }
  }
}

/** The blocks and arguments of a text. */
export function outline(text: string): Outline {
  const reader = new Reader(text);
  const root: Node = { name: "", labels: [], from: 1, to: 1, children: [] };
  const open = [root];
  while (reader.rest) {
    const body = open[open.length - 1]!;
    if (/\s/.test(reader.char) || reader.char === ",") { reader.step(); continue; }
    if (reader.comment()) continue;
    if (reader.char === "}") {
      body.to = reader.line;
      if (open.length > 1) open.pop();
      reader.step();
      continue;
    }
    const from = reader.line;
    const words: string[] = [];
    let end = "";
    while (reader.rest && end === "") {
      const char = reader.char;
      const word = reader.match(IDENT);
      if (word !== null) { words.push(word); reader.step(word.length); }
      else if (char === "\"") {
        const start = reader.at;
        reader.quoted();
        words.push(unquoted(reader.text.slice(start, reader.at)));
      } else if (char === " " || char === "\t" || char === "\r") reader.step();
      else if (char === "=" || char === "{" || char === "\n") end = char;
      else if (!reader.comment()) { reader.step(); end = "?"; }
    }
    const [name = "", ...labels] = words;
    if (end === "=") {
      reader.step();
      reader.expression();
      body.children.push({ name, labels: null, from, to: reader.line, children: [] });
    } else if (end === "{") {
      reader.step();
      const block: Node = { name, labels, from, to: from, children: [] };
      body.children.push(block);
      open.push(block);
    }
  }
  return { root };
}

function unquoted(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}

/** Locates the part at a JSON Pointer into `config` in the native form of the same configuration. */
export function find({ root }: Outline, pointer: string): Lines | null {
  const path = pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const node = descend(root, path);
  return node && { from: node.from, to: node.to };
}

function indexed(body: Node): Index {
  if (body.index) return body.index;
  const index: Index = { arguments: new Map(), blocks: new Map() };
  for (const child of body.children) {
    if (child.labels === null) {
      if (!index.arguments.has(child.name)) index.arguments.set(child.name, child);
    } else {
      const key = JSON.stringify([child.name, ...child.labels]);
      const group = index.blocks.get(key);
      if (group) group.list.push(child);
      else index.blocks.set(key, { list: [child] });
    }
  }
  body.index = index;
  return index;
}

function descend(body: Node, path: string[]): Node | null {
  const [head, ...rest] = path;
  if (head === undefined) return body;
  const index = indexed(body);
  const argument = index.arguments.get(head);
  if (argument) return argument;
  // No block has more labels.
  for (let count = Math.min(rest.length, 8); count >= 0; count -= 1) {
    const group = index.blocks.get(JSON.stringify([head, ...rest.slice(0, count)]));
    if (!group) continue;
    const fitting = group.list;
    const left = rest.slice(count);
    const numbered = left[0] !== undefined && /^\d+$/.test(left[0]);
    const chosen = numbered ? fitting[Number(left[0])] : fitting[0];
    const below = numbered ? left.slice(1) : left;
    if (below.length === 0 && chosen) return chosen;
    if (below.length === 0) return fitting[0]!;
    const found = chosen && descend(chosen, below);
    if (found) return found;
    // Something built from several blocks has one index in the JSON form, so all of them are searched.
    group.joined ??= { name: head, labels: [], from: 1, to: 1, children: fitting.flatMap(({ children }) => children) };
    const other = descend(group.joined, below);
    if (other) return other;
  }
  return null;
}
