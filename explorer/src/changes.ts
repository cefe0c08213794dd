// Everything that overriding did, by object.

import { h } from "./dom.ts";
import type { Page } from "./main.ts";
import { brief, card, sentence } from "./marks.ts";
import { rowList } from "./rows.ts";
import { state } from "./state.ts";

export function changes(page: Page): HTMLElement {
  const { merged } = state;
  if (!merged || merged.changes.length === 0) {
    return h("div", { class: "empty" }, h("p", null, "No override file changes anything here."),
      h("p", { class: "hint" }, "A file named override, or with a name that ends in _override, is merged into the others, argument by argument."));
  }
  return h("div", { class: "list" }, rowList(merged.changes.map((change) => ({
    group: change.address,
    draw: () => card(page.context, change, false),
    text: () => {
      const now = change.after?.expression;
      return `${sentence(page.context, change)}${now ? `, is ${brief(now, 80)}` : ""}`;
    },
  })), "What overriding changed"));
}
