// Everything that overriding did, by object.

import { button, counted, h } from "./dom.ts";
import type { Page } from "./main.ts";
import { card } from "./marks.ts";
import { state } from "./state.ts";
import type { Change } from "./types.ts";

/** The maximum number of entries that are listed at first. */
const MOST = 150;
let most = MOST;

export function changes(page: Page): HTMLElement {
  const { merged } = state;
  if (!merged || merged.changes.length === 0) {
    return h("div", { class: "empty" }, h("p", null, "No override file changes anything here."),
      h("p", { class: "hint" }, "A file named override, or with a name that ends in _override, is merged into the others, argument by argument."));
  }
  const groups = new Map<string, Change[]>();
  for (const change of merged.changes.slice(0, most)) {
    groups.set(change.address, [...groups.get(change.address) ?? [], change]);
  }
  const left = merged.changes.length - most;
  return h("div", { class: "list" },
    ...[...groups].map(([address, list]) => h("section", null,
      h("h2", { class: "address-head" }, address), ...list.map((change) => card(page.context, change, false)))),
    left > 0 && h("p", null, button(`Show ${counted(Math.min(left, 500), "more")}`.replace(/s$/, ""), () => {
      most += 500;
      page.show("changes");
    }, { "data-key": "more" })));
}
