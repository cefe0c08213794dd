// What would be planned for a configuration that has never been applied: a tree of modules and instances.

import { button, counted, h, prose } from "./dom.ts";
import type { Page } from "./main.ts";
import { brief, GLYPHS, place } from "./marks.ts";
import { refusal } from "./panels.ts";
import { diagnosticRow } from "./problems.ts";
import { rowList } from "./rows.ts";
import { state, title } from "./state.ts";
import type { Missing, Plan, PlannedInstance } from "./types.ts";
import { attributes, moduleTree, type Attribute, type Branch } from "./planned.ts";

/** Whether the service makes plans for a dialect. */
export function hasPlan(dialect: string): boolean {
  return dialect === "terraform" || dialect === "opentofu";
}

/** How many members of a part of the tree are shown at first, and how many more each time. */
const CHUNK = 200;
/** Up to how many instances all modules are open at first. */
const FEW = 40;

/** What is planned for an instance, in words. */
const ACTIONS: Record<string, { glyph: string; word: string }> = {
  "create": { glyph: "+", word: "create" },
  "read": { glyph: "←", word: "read when applied" },
  "no-op": { glyph: "=", word: "no change" },
  "update": { glyph: "~", word: "update" },
  "delete": { glyph: "−", word: "delete" },
  "forget": { glyph: "×", word: "forget" },
};

/** Which parts of the tree were opened or closed; they stay so when there is a new answer. */
const isOpen = new Map<string, boolean>();

/** The tree that is shown, and the answer that it shows. */
let drawn: { plan: Plan; element: HTMLElement } | null = null;

function provider(address: string): string {
  return address.replace(/^registry\.(terraform\.io|opentofu\.org)\//, "");
}

/** What was not given, in one line. */
function missing(found: Missing): string {
  const { address = "", name = "" } = found;
  const instances = found.resources === undefined ? "" : ` (${counted(found.resources, "instance")})`;
  switch (found.kind) {
    case "provider-schema": return `the schema of ${provider(found.provider ?? "")}${instances}${found.problem ? `; ${found.problem}` : ""}`;
    case "provider-default": return `what ${provider(found.provider ?? "")} makes of arguments that are not set${instances}`;
    case "module": return `the module \`${address}\`${found.source ? ` (${found.source}${found.version ? `, version ${found.version}` : ""})` : ""}`;
    case "instances": return `the instances of \`${address}\`${found.needs ? `: needs ${found.needs}` : ""}`;
    case "data-source": return `what \`${address}\` would read`;
    case "remote-state": return `the state that \`${address}\` would read`;
    case "variable": return `the value of the variable \`${name}\``;
    case "file": return `the file \`${found.path ?? ""}\``;
    case "provider-function": return `the result of the function \`${name}\``;
    case "import": return `the object that is imported as \`${address}\``;
    case "timestamp": return "the time of the plan";
    case "version-unrecorded": return `a recorded run of version ${found.version ?? ""}`;
    default: return [found.kind, address || name || (found.path ?? "")].join(" ");
  }
}

/** A part of the tree that can be opened. Its members are made when it is first open. */
function branch(key: string, isOpenAtFirst: boolean, head: (Node | string | false)[], fill: (body: HTMLElement) => void): HTMLElement {
  const body = h("div", { class: "branch" });
  const part = h("details", { open: isOpen.get(key) ?? isOpenAtFirst }, h("summary", { "data-key": `plan ${key}` }, ...head), body);
  const show = () => { if (part.open && body.childElementCount === 0) fill(body); };
  part.addEventListener("toggle", () => {
    if (part.open !== (isOpen.get(key) ?? isOpenAtFirst)) isOpen.set(key, part.open);
    show();
  });
  show();
  return part;
}

/** Adds members to a list, and a button for more if there are many. */
function fillList<Item>(list: HTMLElement, all: Item[], make: (item: Item) => HTMLElement, from = 0): void {
  list.append(...all.slice(from, from + CHUNK).map((item) => h("li", null, make(item))));
  const next = from + CHUNK;
  if (next >= all.length) return;
  const more = h("li", null, button(`Show more (${(all.length - next).toLocaleString("en")} left)`, () => {
    more.remove();
    fillList(list, all, make, next);
    (list.children[next]?.querySelector("summary") ?? list).focus();
  }));
  list.append(more);
}

/** Why a value is unknown. */
function cause({ argument, needs }: Attribute): string {
  if (needs !== undefined) return `not known here: needs ${needs}`;
  if (!argument || argument.references.length === 0) return "known after apply";
  return `known after apply, because of \`${argument.references.join("`, `")}\``;
}

function attribute(page: Page, of: Attribute): HTMLElement {
  const { name, argument, text, kind } = of;
  const value = kind === "unknown" ? h("span", { class: "unknown" }, prose(cause(of)))
    : kind === "sensitive" ? h("span", { class: "hint" }, "sensitive, not shown") : h("code", null, brief(text, 300));
  return h("tr", null,
    h("th", { scope: "row" }, h("code", null, name)),
    h("td", null, value),
    h("td", null, argument && button(place(argument.range), () => page.jump(argument.range), { class: "jump" }),
      argument?.overridden && h("span", { class: "tally replaced" }, ` ${GLYPHS.replaced} overridden`),
      argument && kind !== "unknown" && argument.references.length > 0
        && h("span", { class: "hint" }, " from ", prose(`\`${argument.references.join("`, `")}\``))));
}

function instance(page: Page, of: PlannedInstance): HTMLElement {
  const word = of.actions.map((action) => ACTIONS[action]?.word ?? action).join(" and ");
  const glyph = of.actions.map((action) => ACTIONS[action]?.glyph ?? "?").join("/");
  const local = of.module_address === undefined ? of.address : of.address.slice(of.module_address.length + 1);
  const all = attributes(of);
  const unknown = all.shown.filter(({ kind }) => kind === "unknown").length;
  const overridden = Object.values(of.arguments).filter((argument) => argument.overridden).length;
  return branch(of.address, false, [
    h("span", { class: "glyph", "aria-hidden": "true" }, glyph), h("code", null, local), h("span", { class: "hint" }, word),
    overridden > 0 && h("span", { class: "tally replaced" }, `${overridden}\u00a0overridden`),
    unknown > 0 && h("span", { class: "hint" }, `${unknown}\u00a0unknown`),
  ], (body) => {
    if (all.shown.length > 0) {
      body.append(h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": `Planned values of ${of.address}` },
        h("table", null,
          h("thead", null, h("tr", null, ...["Argument", "Planned value", "Set in"].map((text) => h("th", { scope: "col" }, text)))),
          h("tbody", null, ...all.shown.slice(0, CHUNK).map((row) => attribute(page, row))))));
    }
    if (all.shown.length > CHUNK) body.append(h("p", { class: "hint" }, `Showing the first ${CHUNK} of ${all.shown.length}.`));
    if (all.after.length > 0) body.append(h("p", { class: "hint" }, "Known after apply: ", prose(`\`${all.after.join("`, `")}\``)));
    if (all.empty > 0) body.append(h("p", { class: "hint" }, `${counted(all.empty, "argument")} not set.`));
    if (body.childElementCount === 0) body.append(h("p", { class: "hint" }, "No values are known."));
  });
}

/** A module with its instances and the modules that it calls. */
function module(page: Page, plan: Plan, of: Branch, isRoot: boolean): HTMLElement {
  const isSmall = plan.instances.length <= FEW;
  const notes = plan.missing.filter((found) => found.kind === "module" && found.address === of.address);
  return branch(of.address, isRoot || isSmall, [
    isRoot ? "Root module" : h("code", null, of.name),
    h("span", { class: "hint" }, of.count > 0 ? counted(of.count, "instance")
      : notes.length > 0 ? "not given" : of.leftOut.length > 0 ? "" : "nothing planned"),
    of.source !== undefined && h("span", { class: "hint" }, of.source),
  ], (body) => {
    const list = h("ul", { class: "tree", tabindex: "-1" });
    body.append(list);
    const members = [
      ...of.leftOut.map((found) => () => h("p", { class: "left-out" },
        h("span", { class: "glyph", "aria-hidden": "true" }, "?"), h("code", null, found.address ?? ""),
        h("span", { class: "hint" }, `left out: needs ${found.needs ?? "what was not given"}`))),
      ...of.instances.map((row) => () => instance(page, row)),
      ...of.modules.map((row) => () => module(page, plan, row, false)),
    ];
    if (members.length > 0) fillList(list, members, (make) => make());
    else body.append(h("p", { class: "hint" }, notes.length > 0 ? "Its files are missing, so nothing in it is planned."
      : "It has no resources or data sources."));
  });
}

function outputs(plan: Plan): HTMLElement | false {
  const all = Object.entries(plan.outputs);
  return all.length > 0 && branch(" outputs", true, ["Outputs ", h("span", { class: "hint" }, String(all.length))], (body) => {
    body.append(h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": "Planned outputs" }, h("table", null,
      h("thead", null, h("tr", null, ...["Output", "Planned value"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", null, ...all.slice(0, CHUNK).map(([name, { text, kind }]) => h("tr", null, h("th", { scope: "row" }, h("code", null, name)),
        h("td", null, kind === "unknown" ? h("span", { class: "unknown" }, "unknown")
          : kind === "sensitive" ? h("span", { class: "hint" }, "sensitive, not shown") : h("code", null, brief(text, 300)))))))));
    if (all.length > CHUNK) body.append(h("p", { class: "hint" }, `Showing the first ${CHUNK} of ${all.length}.`));
  });
}

function tree(page: Page, plan: Plan): HTMLElement {
  const counts = new Map<string, number>();
  for (const { actions } of plan.instances) {
    const word = actions.join(" and ");
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const errors = plan.diagnostics.filter(({ severity }) => severity === "error");
  const tool = `${title(plan.dialect).replace(/ [\d.]+$/, "")} ${plan.version}`;
  const total = [...counts].sort(([a], [b]) => a < b ? -1 : 1).map(([action, count]) => `${count.toLocaleString("en")} to ${action}`).join(", ");
  const wrong = errors.length > 0 && rowList(errors.slice(0, 20).map((found) => diagnosticRow(page, found)), "Errors of the plan");
  if (!plan.isMade) {
    return h("div", { class: "list" }, h("p", null, h("strong", null, `${tool} makes no plan`), `: ${counted(errors.length, "error")}.`), wrong);
  }
  return h("div", { class: "list" },
    h("p", null, h("strong", null, total || "Nothing to create"),
      h("span", { class: "hint" }, ` ${tool}, for a configuration that has never been applied. `,
        plan.exact && "Nothing is missing.")),
    wrong,
    plan.missing.length > 0 && branch(" missing", plan.missing.length <= 4,
      [`Not exact: ${counted(plan.missing.length, "missing input")}`], (body) => {
        const list = h("ul", { class: "given" });
        fillList(list, plan.missing, (found) => prose(missing(found)));
        body.append(list);
        if (plan.missing.some(({ kind }) => kind === "variable")) {
          body.append(h("p", { class: "hint" }, "Enter values of variables below the editor."));
        }
      }),
    module(page, plan, moduleTree(plan), true), outputs(plan));
}

/** The plan; the same element as long as the answer is the same. */
export function plan(page: Page): HTMLElement {
  if (!hasPlan(state.input.dialect)) {
    return h("div", { class: "empty" }, h("p", null,
      "Plans are made only for Terraform and OpenTofu. Choose one of them at the top."));
  }
  if (state.planProblem) return h("div", { class: "list" }, refusal(page, state.planProblem));
  if (!state.plan) return h("div", { class: "empty" }, h("p", { class: "hint" }, "Planning…"));
  if (drawn?.plan !== state.plan) drawn = { plan: state.plan, element: tree(page, state.plan) };
  return drawn.element;
}
