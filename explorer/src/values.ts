// The form for input variables.

import { button, byId, counted, h, refill } from "./dom.ts";
import type { Page } from "./main.ts";
import { state } from "./state.ts";

export function showValues(page: Page): void {
  const { input } = state;
  const changed = () => {
    if (input.rows.some(({ name }) => name !== "") || input.definitions.trim() !== "") input.values = true;
    toggle.checked = input.values;
    summary();
    page.changed();
  };
  const summary = () => {
    const given = input.rows.filter(({ name }) => name !== "").length + (input.definitions.trim() === "" ? 0 : 1);
    byId("values-summary").textContent = !input.values ? "not resolved" : given === 0 ? "resolved as plan does"
      : `resolved as plan does, ${counted(given, "value")} given`;
  };
  const toggle = h("input", { type: "checkbox", id: "resolve", on: { change: () => {
    input.values = toggle.checked;
    summary();
    page.changed();
  } } });
  toggle.checked = input.values;
  const rows = input.rows.map((row, at) => {
    const kind = h("select", { "aria-label": "How the value is given", on: { change: () => {
      row.kind = kind.value as "var" | "env";
      changed();
    } } }, h("option", { value: "var" }, "-var"), h("option", { value: "env" }, "TF_VAR_"));
    kind.value = row.kind;
    const name = h("input", { value: row.name, placeholder: "name", "aria-label": "Name", spellcheck: "false", "data-key": `name ${at}`,
      on: { input: () => { row.name = name.value.trim(); changed(); } } });
    const text = h("input", { value: row.text, placeholder: "value", "aria-label": "Value", spellcheck: "false",
      on: { input: () => { row.text = text.value; changed(); } } });
    return h("div", { class: "value-row" }, kind, name, h("span", { "aria-hidden": "true" }, "="), text,
      button("×", () => {
        input.rows = input.rows.filter((other) => other !== row);
        showValues(page);
        changed();
      }, { class: "button quiet", "aria-label": `Remove ${row.name || "this row"}` }));
  });
  const definitions = h("textarea", { rows: "3", spellcheck: "false", placeholder: "region = \"eu-west-1\"", id: "definitions",
    on: { input: () => { input.definitions = definitions.value; changed(); } } });
  definitions.value = input.definitions;
  refill(byId("values-form"),
    h("p", null, h("label", { for: "resolve" }, toggle, " Resolve values as ", h("code", null, "plan"), " does"),
      h("span", { class: "hint" }, " Without it, only declarations are checked, as ", h("code", null, "validate"), " does.")),
    ...rows,
    h("p", null, button("Add a value", () => {
      input.rows = [...input.rows, { kind: "var", name: "", text: "" }];
      showValues(page);
      byId("values-form").querySelector<HTMLElement>(`[data-key="name ${input.rows.length - 1}"]`)?.focus();
    }, { "data-key": "add" })),
    h("label", { for: "definitions" }, "Definitions file, as given with ", h("code", null, "-var-file")), definitions);
  summary();
}
