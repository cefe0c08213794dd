// Which versions load the module: a strip for each tool, and what changes where two parts meet.

import { button, counted, gone, h } from "./dom.ts";
import type { Page } from "./main.ts";
import { refusal } from "./panels.ts";
import { diagnostic } from "./problems.ts";
import { state, title } from "./state.ts";
import type { Compatibility } from "./types.ts";

function strip({ dialect, ranges, boundaries }: Compatibility["tools"][number]): HTMLElement {
  const known = state.dialects.find(({ name }) => name === dialect)?.versions ?? [];
  const parts = ranges.map(({ from, to, loads }) => {
    const count = Math.max(1, known.indexOf(to) - known.indexOf(from) + 1);
    const range = from === to ? from : `${from} – ${to}`;
    const part = h("li", { class: loads ? "loads" : "fails", title: `${range} ${loads ? "loads" : "does not load"}` },
      h("span", { class: "range" }, range), h("span", { class: "does" }, loads ? "loads" : "does not load"));
    part.style.flexGrow = String(count);
    return part;
  });
  const ticks = boundaries.map(({ at }) => {
    const tick = h("span", { class: "tick", title: at });
    tick.style.left = `${(100 * Math.max(0, known.indexOf(at))) / Math.max(1, known.length)}%`;
    return tick;
  });
  return h("div", { class: "strip" }, h("ol", { "aria-label": `Versions of ${title(dialect)}` }, ...parts),
    h("div", { class: "ticks", "aria-hidden": "true" }, ...ticks));
}

/** The dialects whose versions the service compares. */
const COMPARED = ["terraform", "opentofu"];

/** The versions that load the module, in words. */
function loading({ ranges }: Compatibility["tools"][number]): string {
  const some = ranges.filter(({ loads }) => loads).map(({ from, to }) => from === to ? from : `${from} to ${to}`);
  return some.length === 0 ? "No version loads these files." : `Loads with ${some.join(", ")}.`;
}

function side(label: string, value: unknown, look: string): HTMLElement {
  const text = value === null || value === undefined ? "nothing" : JSON.stringify(value, null, 2);
  return h("pre", { class: look }, h("span", { class: "label" }, label), look === "before" && text !== "nothing" ? gone(text) : text);
}

export function versions(page: Page): HTMLElement {
  const { compatibility, compatibilityProblem, isChecking } = state;
  const check = button(isChecking ? "Checking…" : compatibility ? "Check again" : "Check all versions", () => page.checkVersions(),
    { class: "button primary", "data-key": "check", disabled: isChecking });
  if (!COMPARED.includes(state.input.dialect)) {
    return h("div", { class: "empty" }, h("p", null,
      `Versions can be compared only for Terraform and OpenTofu. Choose one of them as the dialect, or choose another version of ${title(state.input.dialect)} at the top.`));
  }
  if (compatibilityProblem) return h("div", { class: "list" }, refusal(page, compatibilityProblem), h("p", null, check));
  if (!compatibility) {
    return h("div", { class: "empty" },
      h("p", null, "Loads these files with the rules of every version of Terraform and OpenTofu."), check);
  }
  const { answer, isStale } = compatibility;
  return h("div", { class: isStale ? "list is-stale" : "list" },
    isStale && h("p", { class: "note" }, "The files have changed since this check. ", check),
    ...answer.tools.map((tool) => h("section", null,
      h("h2", null, title(tool.dialect)), strip(tool), h("p", null, loading(tool)),
      ...tool.boundaries.map(({ at, appear, vanish, differs }) => h("details", { class: "boundary" },
        h("summary", null, h("strong", null, `From ${at} on: `),
          [appear.length > 0 && counted(appear.length, "more problem"), vanish.length > 0 && counted(vanish.length, "fewer problem"),
            differs.length > 0 && counted(differs.length, "object merges differently", "objects merge differently")]
            .filter(Boolean).join(", ")),
        ...appear.slice(0, 20).map((found) => diagnostic(page, found)),
        vanish.length > 0 && h("h3", null, "No longer reported"),
        ...vanish.slice(0, 20).map((found) => diagnostic(page, found)),
        ...differs.slice(0, 20).map(({ address, before, after }) => h("div", { class: "card replaced" },
          h("p", { class: "card-title" }, h("strong", null, address)),
          side("Before ", before, "before"), side("Now ", after, "after"))))))),
    answer.required_version && h("section", null, h("h2", null, "The module's own required_version"),
      h("p", null, answer.required_version.summary)),
    !isStale && h("p", null, check));
}
