// The diagnostics as a list with links to their positions.

import { button, h, prose } from "./dom.ts";
import type { Page } from "./main.ts";
import { place } from "./marks.ts";
import { type Row, rowList } from "./rows.ts";
import { lookedAt, state, title } from "./state.ts";
import type { Diagnostic } from "./types.ts";

const WORDS = { error: "Error", warning: "Warning", info: "Note" } as const;

/** One diagnostic. */
export function diagnostic(page: Page, found: Diagnostic): HTMLElement {
  return h("article", { class: `problem ${found.severity}` },
    h("p", { class: "card-title" }, h("span", { class: "severity" }, WORDS[found.severity]), " ", h("strong", null, found.summary)),
    found.detail && h("p", null, prose(found.detail)),
    h("p", { class: "jumps" },
      found.range && button(place(found.range), () => page.jump(found.range!), { class: "jump" }),
      ...(found.related ?? []).slice(0, 5).map(({ message, range }) =>
        h("span", null, ` ${message} `, button(place(range), () => page.jump(range), { class: "jump" }))),
      h("code", { class: "code" }, found.code)));
}

/** One diagnostic as a row. */
export function diagnosticRow(page: Page, found: Diagnostic, group?: string): Row {
  return {
    ...(group === undefined ? {} : { group }),
    draw: () => diagnostic(page, found),
    text: () => `${found.range ? `${place(found.range)}: ` : ""}${found.severity}: ${found.summary} (${found.code})`,
  };
}

/** Says that there are no problems, as far as they were looked for. */
function none(): string {
  const { merged } = state;
  const looked = merged && lookedAt(merged);
  if (!merged || looked === null) return "No problems.";
  if (looked === "load") return `No problems found while loading with ${title(merged.dialect)} ${merged.version} (stage load).`;
  return `No problems found by the checks of \`${looked}\` ${merged.version}. This page sends no schemas of providers, so the arguments of `
    + "their resources are not checked.";
}

export function problems(page: Page): HTMLElement {
  const all = state.merged?.diagnostics ?? [];
  if (all.length === 0) return h("div", { class: "empty" }, h("p", null, prose(none())));
  const rank = { error: 0, warning: 1, info: 2 };
  const sorted = [...all].sort((a, b) => rank[a.severity] - rank[b.severity]);
  return h("div", { class: "list" }, rowList(sorted.map((found) => diagnosticRow(page, found)), "Problems"));
}
