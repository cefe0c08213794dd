// Versions and the ranges of versions in which something holds.

import type { Release, VersionRule } from "./types.ts";

/** Compares two versions; a candidate comes before its release. */
export function compareVersions(a: string, b: string): number {
  const parts = (text: string) => {
    const [release = "", candidate] = text.split("-", 2);
    return [...release.split(".").map(Number), candidate === undefined ? Infinity : Number(/\d+$/.exec(candidate)?.[0] ?? 0)];
  };
  const [left, right] = [parts(a), parts(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [one, other] = [left[at] ?? 0, right[at] ?? 0];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

/** The last version of each line, such as 1.9, and `more`; newest first. */
export function lines(versions: string[], more: string[]): string[] {
  const last = new Map(versions.map((version) => [version.split(".").slice(0, 2).join("."), version]));
  return [...new Set([...last.values(), ...more])].sort((a, b) => compareVersions(b, a));
}

type Range = VersionRule["ranges"][string][number];

function contains({ from, to }: Range, version: string): boolean {
  return (from === undefined || compareVersions(from, version) <= 0) && (to === undefined || compareVersions(version, to) < 0);
}

/** Where on the way from one version to the other a row begins or ceases to hold, in words; empty if that is not on the way. */
export function crossing(rule: VersionRule, from: Release, to: Release, title: (dialect: string) => string): string {
  const holds = ({ dialect, version }: Release) => (rule.ranges[dialect] ?? []).some((range) => contains(range, version));
  if (from.dialect !== to.dialect) {
    const [one, other] = [from, to].map(({ dialect, version }) => `${title(dialect)} ${version}`);
    return holds(from) === holds(to) ? "" : holds(to) ? `With ${other}, not with ${one}` : `With ${one}, not with ${other}`;
  }
  const isUp = compareVersions(from.version, to.version) < 0;
  const [low, high] = isUp ? [from.version, to.version] : [to.version, from.version];
  const edges = (rule.ranges[to.dialect] ?? []).flatMap((range) => [range.from, range.to])
    .filter((edge): edge is string => edge !== undefined && compareVersions(low, edge) < 0 && compareVersions(edge, high) <= 0);
  edges.sort(compareVersions);
  const edge = isUp ? edges.at(-1) : edges[0];
  if (edge === undefined) return "";
  const at = `${title(to.dialect)} ${edge}`;
  if (isUp) return holds(to) ? `Since ${at}` : `No longer since ${at}`;
  return holds(to) ? `Before ${at}` : `Not before ${at}`;
}

/** In which versions of each of these tools a row holds, in words. */
export function releases(rule: VersionRule, dialects: string[]): { dialect: string; text: string }[] {
  return dialects.map((dialect) => {
    const ranges = rule.ranges[dialect] ?? [];
    const text = ranges.map(({ from, to }) => from === undefined ? to === undefined ? "every version" : `before ${to}`
      : to === undefined ? `since ${from}` : `from ${from} until before ${to}`).join(", ");
    return { dialect, text: text || "never" };
  });
}
