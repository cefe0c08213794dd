// The pickers for dialect, version and stage at the top.

import { byId, h } from "./dom.ts";
import type { Page } from "./main.ts";
import { state } from "./state.ts";

const dialect = byId<HTMLSelectElement>("dialect");
const version = byId<HTMLSelectElement>("version");
const stage = byId<HTMLSelectElement>("stage");

/** Shows what is chosen, and what can be. */
export function showChoices(): void {
  dialect.replaceChildren(...state.dialects.map(({ name, title: text }) => h("option", { value: name }, text)));
  dialect.value = state.input.dialect;
  const row = state.dialects.find(({ name }) => name === state.input.dialect);
  const known = [...row?.versions ?? []].reverse();
  const newest = row ? `newest (${row.default_version})` : "newest";
  version.replaceChildren(h("option", { value: "" }, newest), ...known.map((text) => h("option", { value: text }, text)));
  version.value = state.input.version;
  if (version.selectedIndex < 0) {
    version.append(h("option", { value: state.input.version }, state.input.version));
    version.value = state.input.version;
  }
  // The last one is the default.
  const stages = [...row?.stages ?? []].reverse();
  stage.replaceChildren(...stages.map((text, at) => h("option", { value: at === 0 ? "" : text }, text)));
  stage.value = state.input.stage;
  if (stage.selectedIndex < 0) stage.value = state.input.stage = "";
  stage.parentElement!.hidden = stages.length < 2;
}

/** Makes the pickers change the input; `loadTerms` is called for another dialect. */
export function pickers(page: Page, loadTerms: () => void): void {
  dialect.addEventListener("change", () => {
    state.input.dialect = dialect.value;
    state.input.version = "";
    loadTerms();
    page.refreshInput();
  });
  version.addEventListener("change", () => {
    state.input.version = version.value;
    page.changed();
  });
  stage.addEventListener("change", () => {
    state.input.stage = stage.value;
    page.changed();
  });
}
