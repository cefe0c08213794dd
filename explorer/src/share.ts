// The input as the fragment of the URL. A fragment is never sent to a server.

import type { Input } from "./types.ts";

/** The maximum length of a fragment in the address bar. */
export const LONGEST = 60_000;

/** What a fragment starts with: its version. The first had no checksum, so that a damaged one could be another input. */
const PREFIX = "2=";
const FORMATS: Record<string, CompressionFormat> = { "1=": "deflate-raw", [PREFIX]: "deflate" };

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const piped = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(piped as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

/** The fragment for an input, without `#`; `null` if it would be too long. */
export async function fragment(input: Input): Promise<string | null> {
  const plain = new TextEncoder().encode(JSON.stringify(input));
  if (plain.length > 4 << 20) return null;
  const packed = await through(plain, new CompressionStream("deflate"));
  if (packed.length * 4 / 3 > LONGEST) return null;
  const binary = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return PREFIX + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The input in a fragment; `null` if it cannot be read: not a link of this page, damaged, or of a later version. */
export async function unfragment(given: string): Promise<Input | null> {
  try {
    // Some programs encode the equals sign.
    const text = decodeURIComponent(given);
    const format = FORMATS[text.slice(0, PREFIX.length)];
    if (format === undefined || text.length > LONGEST + 16) return null;
    const binary = atob(text.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const plain = await through(bytes, new DecompressionStream(format));
    return checked(JSON.parse(new TextDecoder().decode(plain)));
  } catch {
    return null;
  }
}

/** What stands between the input and the place in it. */
const PLACE = "&at=";

/** A fragment that leads to a line of a file. */
export function withPlace(fragment: string, path: string, line: number): string {
  return `${fragment}${PLACE}${encodeURIComponent(path)}:${line}`;
}

/** The two parts of a fragment: the input, and the place in it, if it has one. Some programs encode what is between them. */
export function parted(fragment: string): { input: string; place: { path: string; line: number } | null } {
  const [input = "", place = ""] = fragment.split(/&at=|%26at%3D/i);
  try {
    const found = /^(.+):([1-9]\d{0,6})$/s.exec(decodeURIComponent(place));
    return { input, place: found && { path: found[1]!, line: Number(found[2]) } };
  } catch {
    return { input, place: null };
  }
}

/** A link can come from anyone: only valid input is accepted. */
function checked(value: unknown): Input | null {
  const given = value as Partial<Record<keyof Input, unknown>> | null;
  if (typeof given !== "object" || given === null || typeof given.files !== "object" || given.files === null) return null;
  const text = (name: keyof Input, otherwise: string) => typeof given[name] === "string" ? given[name] as string : otherwise;
  const files: Input["files"] = {};
  for (const [path, content] of Object.entries(given.files)) {
    if (path === "__proto__") continue;
    if (typeof content === "string") files[path] = content;
    else if (typeof content?.base64 === "string") files[path] = { base64: content.base64 as string };
    else return null;
  }
  const rows = (Array.isArray(given.rows) ? given.rows : []).flatMap((row: Record<string, unknown> | null) =>
    typeof row?.name === "string" && typeof row.text === "string"
      ? [{ kind: row.kind === "env" ? "env" as const : "var" as const, name: row.name, text: row.text }] : []);
  return {
    files,
    dialect: text("dialect", "terraform"),
    version: text("version", ""),
    stage: text("stage", ""),
    root: text("root", "."),
    values: given.values === true,
    rows,
    definitions: text("definitions", ""),
  };
}
