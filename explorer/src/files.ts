// The list of files, grouped by what they are used for, and the line above the editor.

import { button, byId, counted, h, refill } from "./dom.ts";
import type { Page } from "./main.ts";
import { inModule, inUpload, state, title } from "./state.ts";
import type { FileRow } from "./types.ts";

const GROUPS: { role: string; title: string }[] = [
  { role: "primary", title: "Configuration" },
  { role: "override", title: "Overrides, in merge order" },
  { role: "values", title: "Variable values" },
  { role: "test", title: "Tests" },
  { role: "other", title: "Not part of this module" },
];

/** The path of the file being renamed, or `null` for a new file. */
let naming: string | null | undefined;

function roleOf(path: string): FileRow | null {
  const name = inModule(path);
  return state.merged?.files.find((row) => row.path === name) ?? null;
}

function groupOf(path: string): string {
  const role = roleOf(path)?.role;
  if (role !== undefined) return GROUPS.some((group) => group.role === role) ? role : "other";
  if (state.merged !== null && state.problem === null) return "other";
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (inModule(path) === null || path.slice(state.input.root === "." ? 0 : state.input.root.length + 1).includes("/")) return "other";
  if (/(^|_)override\.(tf|tofu|hcl)(\.json)?$/.test(name)) return "override";
  return /\.tfvars(\.json)?$/.test(name) ? "values" : "primary";
}

export function showFiles(page: Page): void {
  const paths = Object.keys(state.input.files).sort();
  const order = (path: string) => roleOf(path)?.order ?? 0;
  const counts = new Map<string, { does: number; suffers: number }>();
  for (const change of state.merged?.changes ?? []) {
    const count = (name: string) => counts.get(name) ?? counts.set(name, { does: 0, suffers: 0 }).get(name)!;
    count(change.cause.filename).does += 1;
    if (change.before && change.change !== "ignored") count(change.before.range.filename).suffers += 1;
  }
  const errors = new Map<string, number>();
  for (const { range, severity } of state.merged?.diagnostics ?? []) {
    if (severity === "error" && range) errors.set(inUpload(range.filename), (errors.get(inUpload(range.filename)) ?? 0) + 1);
  }
  const groups = GROUPS.map(({ role, title: heading }) => {
    const members = paths.filter((path) => groupOf(path) === role).sort((a, b) => order(a) - order(b));
    if (members.length === 0) return null;
    return h("section", null,
      h("h2", null, heading),
      h("ul", null, ...members.map((path) => {
        const count = counts.get(inModule(path) ?? "");
        const does = role === "override" ? count?.does ?? 0 : 0;
        const suffers = role === "primary" ? count?.suffers ?? 0 : 0;
        const problems = errors.get(path) ?? 0;
        return h("li", null, h("button", {
          type: "button", class: "file", "data-key": path, "aria-current": path === state.open ? "true" : false,
          on: { click: () => page.openFile(path), keydown: (event: KeyboardEvent) => walkList(event, page, path) },
        },
        fileName(path),
        problems > 0 && h("span", { class: "count error", title: counted(problems, "error") },
          "!", h("span", { class: "hidden" }, ` ${counted(problems, "error")}`)),
        does > 0 && h("span", { class: "count does", title: `${counted(does, "change")} made by this file` }, String(does),
          h("span", { class: "hidden" }, ` ${does === 1 ? "change" : "changes"} made by this file`)),
        suffers > 0 && h("span", { class: "count", title: `${counted(suffers, "part")} overridden` }, String(suffers),
          h("span", { class: "hidden" }, " overridden"))));
      })));
  });
  const archive = paths.length === 0 || state.archive && Object.keys(state.input.files).length === 0
    ? h("p", { class: "hint" }, `Sent unchanged: ${state.archive?.name ?? "nothing"}`) : null;
  const folders = directories();
  const module = folders.length > 1 && h("label", { class: "field module" }, "Module in ", select(page, folders));
  refill(byId("files"), module, archive, ...groups);
  showBar(page);
}

function walkList(event: KeyboardEvent, page: Page, path: string): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (step !== undefined) {
    const all = [...byId("files").querySelectorAll<HTMLElement>(".file")];
    const at = all.findIndex((element) => element.dataset.key === path);
    all[(at + step + all.length) % all.length]?.focus();
    event.preventDefault();
  } else if (event.key === "F2") {
    page.openFile(path);
    rename(page, path);
  } else if (event.key === "Delete") {
    page.openFile(path);
    remove(page);
  }
}

function about(path: string): string {
  const row = roleOf(path);
  const tool = title(state.input.dialect);
  const all = state.merged?.files.filter(({ role }) => role === "override").length ?? 0;
  switch (row?.role) {
    case "primary": return "";
    case "override": return `override ${row.order} of ${all}`;
    case "values": return `read by ${tool} because of its name`;
    case "ignored": return `not read: ${row.reason ?? "not a file of this module"}`;
    case undefined: return state.merged === null ? "" : "not part of this module";
    default: return row!.role;
  }
}

/** A path of which the end stays in view: long names often differ only there. */
function fileName(path: string): HTMLElement {
  const end = Math.max(0, path.length - 14);
  return h("span", { class: "file-name", title: path }, h("span", { class: "file-start" }, path.slice(0, end)), h("span", null, path.slice(end)));
}

function showBar(page: Page): void {
  const bar = byId("file-bar");
  const path = state.open;
  if (naming !== undefined) {
    const old = naming;
    const input = h("input", { value: old ?? "", "aria-label": old === null ? "Name of the new file" : "New name", size: "28",
      placeholder: "team_override.tf", spellcheck: "false", "data-key": "name" });
    const cancel = () => { naming = undefined; showBar(page); };
    const done = () => {
      const name = input.value.trim().replace(/^\/+/, "");
      if (name === "" || name === old) { cancel(); return; }
      if (name in state.input.files) { input.setCustomValidity("A file with this name already exists."); input.reportValidity(); return; }
      naming = undefined;
      const content = old === null ? "" : state.input.files[old] ?? "";
      if (old !== null) delete state.input.files[old];
      state.input.files[name] = content;
      state.archive = null;
      page.openFile(name);
      page.refreshInput();
    };
    const form = h("form", { class: "naming", on: {
      submit: (event: Event) => { event.preventDefault(); done(); },
      keydown: (event: KeyboardEvent) => { if (event.key === "Escape") cancel(); },
      input: () => input.setCustomValidity(""),
    } }, input, h("button", { class: "button primary" }, old === null ? "Add" : "Rename"), button("Cancel", cancel));
    if (bar.querySelector("form") === null) {
      bar.replaceChildren(form);
      input.focus();
      input.select();
    }
    return;
  }
  refill(bar,
    h("h2", { class: "path" }, path), h("span", { class: "hint" }, about(path)),
    h("span", { class: "grow" }),
    h("span", { class: "bar-actions" },
      button("Rename", () => rename(page, path), { "data-key": "rename", class: "button quiet" }),
      button("Delete", () => remove(page), { "data-key": "delete", class: "button quiet" })));
}

/** The folders that contain configuration. */
function directories(): string[] {
  const found = new Set([state.input.root]);
  for (const path of Object.keys(state.input.files)) {
    if (/\.(tf|tofu|hcl)(\.json)?$/.test(path)) found.add(path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".");
  }
  return [...found].sort();
}

function select(page: Page, folders: string[]): HTMLSelectElement {
  const list = h("select", { "data-key": "root", on: { change: () => {
    state.input.root = list.value;
    page.refreshInput();
  } } }, ...folders.map((folder) => h("option", { value: folder }, folder === "." ? "top folder" : folder)));
  list.value = state.input.root;
  return list;
}

function rename(page: Page, path: string): void {
  naming = path;
  showBar(page);
}

/** Asks for the name of a new file. */
export function newFile(page: Page): void {
  naming = null;
  showBar(page);
}

function remove(page: Page): void {
  const path = state.open;
  const input = structuredClone(state.input);
  delete input.files[path];
  const rest = Object.keys(input.files).sort();
  const { lesson } = state;
  page.replaceInput(input, `${path} deleted.`);
  state.lesson = lesson;
  page.openFile(rest.find((name) => name > path) ?? rest[rest.length - 1] ?? "main.tf");
}
