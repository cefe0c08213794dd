// Input variables: the value, and the chain of sources that it previous.

import { h } from "./dom.ts";
import type { Page } from "./main.ts";
import { state } from "./state.ts";
import type { Source, Variable } from "./types.ts";
import { valueText } from "./value-text.ts";

function origin(source: Source): string {
  switch (source.kind) {
    case "default": return "default";
    case "env": return source.name ?? "environment";
    case "file": return source.path ?? "file";
    case "var_file": return source.path ?? "-var-file";
    case "var": return "-var";
    case "value": return "value";
    default: return source.kind;
  }
}

function shown(of: { value?: unknown; redacted?: boolean }): HTMLElement {
  if (of.redacted) return h("span", { class: "hint" }, "sensitive, not shown");
  const text = valueText(of.value);
  return h("code", null, text.length > 300 ? `${text.slice(0, 300)}…` : text);
}

function row(name: string, variable: Variable): HTMLElement {
  const from = variable.from === undefined ? [] : Array.isArray(variable.from) ? variable.from : [variable.from];
  const state = variable.state ?? "declared";
  return h("tr", null,
    h("th", { scope: "row" }, h("code", null, name), h("span", { class: "type" }, variable.type ?? "any")),
    h("td", null,
      state === "known" ? shown(variable)
        : state === "declared" ? ("default" in variable ? h("span", null, h("span", { class: "hint" }, "default "),
          shown({ value: variable.default, ...(variable.redacted ? { redacted: true } : {}) })) : h("span", { class: "hint" }, "required"))
        : h("span", { class: `state ${state}` }, state === "error" ? "error" : "not known yet")),
    h("td", null,
      from.length > 0 && h("ol", { class: "chain" },
        ...from.map((source, at) => h("li", { class: "won" }, at > 0 && "and ", origin(source))),
        ...(variable.superseded ?? []).map((source) => h("li", null, `over ${origin(source)}`, " ", h("del", null, shown(source)))))));
}

export function variables(page: Page): HTMLElement {
  const all = Object.entries(state.merged?.variables ?? {});
  if (all.length === 0) return h("div", { class: "empty" }, h("p", null, "This configuration declares no input variables."));
  const { values } = state.input;
  const note = values ? null : h("p", { class: "note" }, "Only the declarations are shown. ",
    h("button", { type: "button", class: "button", "data-key": "resolve", on: { click: () => {
      state.input.values = true;
      page.refreshInput();
    } } }, "Resolve values as plan does"));
  return h("div", { class: "list" }, note,
    h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": "Input variables" }, h("table", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "Variable"), h("th", { scope: "col" }, "Value"),
        h("th", { scope: "col" }, values ? "Set by, and sources it takes precedence over" : ""))),
      h("tbody", null, ...all.slice(0, 300).map(([name, variable]) => row(name, variable))))),
    all.length > 300 && h("p", { class: "hint" }, `Showing the first 300 of ${all.length}.`));
}
