// What has changed in effect since the comparison state was saved.

import { button, counted, gone, h } from "./dom.ts";
import type { Page } from "./main.ts";
import { place } from "./marks.ts";
import { brief } from "./marks.ts";
import { refusal } from "./panels.ts";
import { diagnosticRow } from "./problems.ts";
import { type Row, rowList } from "./rows.ts";
import { state } from "./state.ts";
import type { DiffPart, DiffSide } from "./types.ts";

const GLYPHS: Record<string, { glyph: string; look: string }> = {
  added: { glyph: "+", look: "added" }, removed: { glyph: "−", look: "lost" },
};

function text(side: DiffSide | null | undefined): string | null {
  if (!side) return null;
  return side.redacted ? "(sensitive, not shown)" : side.expression ?? null;
}

function part(page: Page, row: DiffPart): HTMLElement {
  const { glyph, look } = GLYPHS[row.change] ?? { glyph: "↻", look: "replaced" };
  const before = text(row.before);
  const after = text(row.after);
  const cause = row.override?.after ?? row.override?.before;
  return h("div", { class: `card ${look}` },
    h("p", { class: "card-title" }, h("span", { class: "glyph", "aria-hidden": "true" }, glyph),
      h("strong", null, row.name), " ", h("span", { class: "kind" }, row.change),
      cause !== undefined && h("span", { class: "address" }, ` because of ${cause}`)),
    before !== null && h("pre", { class: "before" }, h("span", { class: "label" }, "Before "), gone(before)),
    after !== null && h("pre", { class: "after" }, h("span", { class: "label" }, "Now "), after),
    row.after?.range && h("p", { class: "jumps" },
      button(place(row.after.range), () => page.jump(row.after!.range!), { class: "jump" })));
}

function partRow(page: Page, group: string, row: DiffPart): Row {
  return {
    group,
    draw: () => part(page, row),
    text: () => {
      const [before, after] = [text(row.before), text(row.after)];
      const values = [before !== null && `before ${brief(before, 80)}`, after !== null && `now ${brief(after, 80)}`];
      return [`${row.name}: ${row.change}`, ...values.filter((value) => value !== false)].join(", ");
    },
  };
}

export function compare(page: Page): HTMLElement {
  const { before, difference, differenceProblem } = state;
  const keep = button(before ? "Replace the baseline" : "Set as baseline", () => page.keepAsBefore(),
    { class: "button primary", "data-key": "keep" });
  if (!before) {
    return h("div", { class: "empty" },
      h("p", null, "Set the current files as the baseline. Then edit them, or choose another dialect or version, and see what differs "
        + "in effect. Formatting, comments and moving things between files make no difference."), keep);
  }
  const head = h("p", { class: "note" }, `Baseline from ${before.at}. `, keep);
  if (differenceProblem) return h("div", { class: "list" }, head, refusal(page, differenceProblem));
  if (!difference) return h("div", { class: "list" }, head, h("p", { class: "hint" }, "Comparing…"));
  const rows = [
    ...difference.changes.flatMap((change) => {
      const parts = change.parts ?? [];
      return (parts.length > 0 ? parts : [{ ...change, name: change.kind, part: "object" }])
        .map((row) => partRow(page, change.address, row));
    }),
    ...difference.appeared.map((found) => diagnosticRow(page, found, "New problems")),
    ...difference.vanished.map((found) => diagnosticRow(page, found, "Problems no longer reported")),
  ];
  return h("div", { class: "list" }, head,
    h("p", null, h("strong", null, difference.different ? counted(difference.changes.length, "object differs", "objects differ")
      : "No difference in effect.")),
    rows.length > 0 && rowList(rows, "What differs"));
}
