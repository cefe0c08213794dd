// Values as text.

/** A value as text; numbers that a double cannot hold are objects with their text. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0]![0] === "$number") return String(entries[0]![1]);
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}: ${valueText(inner)}`).join(", ")}}`;
}
