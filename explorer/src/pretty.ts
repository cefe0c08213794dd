// Formats JSON text over several lines without converting its numbers: they may have more digits than a double can
// hold.

import type { Lines } from "./types.ts";

const SPACE = /[ \t\r\n]*/y;
const PLAIN = /[^\s,\]}]+/y;

function take(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** The string at an offset, with its quotation marks; empty if there is none. By hand: it may be megabytes long. */
function quoted(text: string, at: number): string {
  if (text[at] !== "\"") return "";
  for (let end = text.indexOf("\"", at + 1); end >= 0; end = text.indexOf("\"", end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return text.slice(at, end + 1);
  }
  return "";
}

/** The raw text of a value in JSON text, by the member names that lead to it. */
export function raw(text: string, path: string[]): string | null {
  let at = take(SPACE, text, 0).length;
  for (const name of path) {
    if (text[at] !== "{") return null;
    at += 1;
    for (;;) {
      at += take(SPACE, text, at).length;
      const key = quoted(text, at);
      if (key === "") return null;
      at += key.length;
      at += take(SPACE, text, at).length + 1;
      at += take(SPACE, text, at).length;
      if (JSON.parse(key) === name) break;
      at = end(text, at);
      at += take(SPACE, text, at).length;
      if (text[at] !== ",") return null;
      at += 1;
    }
  }
  return text.slice(at, end(text, at));
}

/** The offset after the value at an offset. */
function end(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const char = text[at];
    if (char === undefined) return at;
    if (char === "\"") at += quoted(text, at).length || 1;
    else if (char === "{" || char === "[") { depth += 1; at += 1; }
    else if (char === "}" || char === "]") { depth -= 1; at += 1; }
    else if (depth > 0) at += 1;
    else at += take(PLAIN, text, at).length || 1;
  } while (depth > 0);
  return at;
}

/** The formatted text, and the lines of the values requested by pointer. */
export function pretty(text: string, wanted: ReadonlySet<string>): { text: string; places: Map<string, Lines> } {
  const out: string[] = [];
  const places = new Map<string, Lines>();
  const open: { list: boolean; pointer: string; count: number; from: number }[] = [];
  let line = 1;
  let at = 0;
  let key: string | null = null;
  const newline = () => { out.push("\n", "  ".repeat(open.length)); line += 1; };
  const begin = (): string => {
    const top = open[open.length - 1];
    if (!top) return "";
    if (top.list) {
      if (top.count > 0) out.push(",");
      newline();
      top.count += 1;
      return `${top.pointer}/${top.count - 1}`;
    }
    const pointer = `${top.pointer}/${(key ?? "").replaceAll("~", "~0").replaceAll("/", "~1")}`;
    key = null;
    return pointer;
  };
  const note = (pointer: string, from: number) => {
    if (wanted.has(pointer)) places.set(pointer, { from, to: line });
  };
  while (at < text.length) {
    at += take(SPACE, text, at).length;
    const char = text[at];
    const top = open[open.length - 1];
    if (char === undefined) break;
    if (char === "," || char === ":") at += 1;
    else if (char === "}" || char === "]") {
      open.pop();
      if (top && top.count > 0) newline();
      out.push(char);
      if (top) note(top.pointer, top.from);
      at += 1;
    } else if (top && !top.list && key === null) {
      const name = quoted(text, at) || "\"";
      if (top.count > 0) out.push(",");
      newline();
      top.count += 1;
      out.push(name, ": ");
      key = name.length > 1 ? JSON.parse(name) as string : "";
      at += name.length;
    } else if (char === "{" || char === "[") {
      const pointer = begin();
      out.push(char);
      open.push({ list: char === "[", pointer, count: 0, from: line });
      at += 1;
    } else {
      const pointer = begin();
      const value = (char === "\"" ? quoted(text, at) : take(PLAIN, text, at)) || char;
      out.push(value);
      note(pointer, line);
      at += value.length;
    }
  }
  out.push("\n");
  return { text: out.join(""), places };
}
