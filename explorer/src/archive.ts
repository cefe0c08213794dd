// Reads the archives whose files can be listed and edited here: tar, tar.gz and zip. The service reads archives by
// itself, and more formats; what is not understood here is sent anyway.

import { gunzipSync, strToU8, unzipSync, zipSync } from "fflate";
import type { Content, Files } from "./types.ts";

/** The maximum number of bytes of files that the page holds. */
export const MOST = 16 << 20;

const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const loose = new TextDecoder();

/** The media type under which the service reads an archive, or `null` if the name is not that of an archive. */
export function mediaType(name: string): string | null {
  if (/\.(tar\.gz|tgz|gz)$/i.test(name)) return "application/gzip";
  if (/\.(tar\.zst|tzst|zst)$/i.test(name)) return "application/zstd";
  if (/\.tar$/i.test(name)) return "application/x-tar";
  if (/\.zip$/i.test(name)) return "application/zip";
  return null;
}

/** A zip archive of these texts. */
export function zipped(files: Record<string, string>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([path, content]) => [path, strToU8(content)])));
}

/** Text if the bytes are UTF-8, otherwise the bytes. */
export function content(bytes: Uint8Array): Content {
  try {
    return text.decode(bytes);
  } catch {
    let binary = "";
    for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return { base64: btoa(binary) };
  }
}

/** Whether a file can be relevant to any dialect. */
export function matters(path: string): boolean {
  const parts = path.split("/");
  const name = parts[parts.length - 1] ?? "";
  if (parts.slice(0, -1).some((part) => part === ".terraform" || part === ".git" || part === "node_modules")) return false;
  return /\.(tf|tofu|hcl|tfvars|sentinel|json)$/.test(name);
}

/** The relevant files of an archive; paths start below its single top folder, if there is one. */
export function unpack(bytes: Uint8Array, type: string): Files {
  const entries = type === "application/zip" ? zip(bytes)
    : tar(type === "application/gzip" ? gunzipSync(bytes, { out: sized(bytes) }) : bytes);
  const named = [...entries].map(([path, data]) => [path.replace(/^(\.?\/)+/, ""), data] as const);
  const tops = new Set(named.map(([path]) => path.includes("/") ? path.split("/")[0] : ""));
  const [top] = tops;
  const cut = tops.size === 1 && top ? top.length + 1 : 0;
  const files: Files = {};
  for (const [path, data] of named) if (matters(path.slice(cut))) files[path.slice(cut)] = content(data);
  return files;
}

/** A buffer of the size that a gzip file states for its contents, within the limit. */
function sized(bytes: Uint8Array): Uint8Array {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 4, true);
  if (size > MOST) throw new Error("too large");
  return new Uint8Array(size);
}

function zip(bytes: Uint8Array): Map<string, Uint8Array> {
  let sum = 0;
  const found = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (name.endsWith("/")) return false;
      sum += originalSize;
      if (sum > MOST) throw new Error("too large");
      return true;
    },
  });
  return new Map(Object.entries(found));
}

/** The regular files of a tar: ustar, with the long names of GNU and pax. */
function tar(bytes: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const field = (at: number, length: number) => {
    const end = bytes.indexOf(0, at);
    return loose.decode(bytes.subarray(at, end < 0 ? at + length : Math.min(end, at + length)));
  };
  let long: string | null = null;
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0;) {
    if (field(at + 257, 5) !== "ustar") throw new Error("not a tar of a known form");
    const size = parseInt(field(at + 124, 12).trim(), 8);
    if (!Number.isFinite(size)) throw new Error("not a tar of a known form");
    const prefix = bytes[at + 263] === 0x30 ? field(at + 345, 155) : "";
    const name: string = long ?? (prefix ? `${prefix}/${field(at, 100)}` : field(at, 100));
    const data = bytes.subarray(at + 512, at + 512 + size);
    const type = String.fromCharCode(bytes[at + 156] ?? 0);
    if (type === "L") long = loose.decode(data).replace(/\0.*$/s, "");
    else if (type === "x") long = /\d+ path=([^\n]*)\n/.exec(loose.decode(data))?.[1] ?? null;
    else {
      if (type === "0" || type === "\0") files.set(name, data);
      long = null;
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
