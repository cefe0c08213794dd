// Edits of a text that the service names by bytes.

import type { Edit } from "./types.ts";

/** The text after all of these edits. */
export function edited(text: string, edits: Edit[]): string {
  // From the last to the first, so that the places of the others stay right.
  return [...edits].sort((a, b) => b.range.start.byte - a.range.start.byte).reduce((old, { range, text: part }) => {
    const bytes = new TextEncoder().encode(old);
    const decode = (from: number, to?: number) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.slice(from, to));
    return decode(0, range.start.byte) + part + decode(range.end.byte);
  }, text);
}
