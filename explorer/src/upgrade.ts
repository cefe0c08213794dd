// What another version of Terraform or OpenTofu would do: the verdict, and each change with the version behind it.

import { button, counted, gone, h, prose, refill } from "./dom.ts";
import type { Page } from "./main.ts";
import { brief, place } from "./marks.ts";
import { refusal } from "./panels.ts";
import { hasPlan } from "./plan.ts";
import { nameOf } from "./planned.ts";
import { diagnostic } from "./problems.ts";
import { type Row, rowList } from "./rows.ts";
import { state, title } from "./state.ts";
import type { Diagnostic, Obstacle, Release, Upgrade, UpgradeChange, UpgradeSide, VersionRule } from "./types.ts";
import { crossing, lines, releases } from "./releases.ts";
import { valueText } from "./value-text.ts";

/** The version that the files mean, as a choice. */
const MEANT = "auto";

/** Where a version that the files mean is read from. */
const MEANT_BY: Record<string, string> = {
  "version-file": "a file for the version", "tool-versions": ".tool-versions", "mise": "mise.toml", "required-version": "required_version",
};

/** Chooses a version, also one that is not in the list. */
function choose(select: HTMLSelectElement, { dialect, version }: Release): void {
  const value = `${dialect} ${version}`;
  select.value = value;
  if (select.selectedIndex >= 0) return;
  select.append(h("option", { value }, named({ dialect, version })));
  select.value = value;
}

/** The form, and where its answer is shown. They stay in the page, so that an answer does not close a list of versions. */
class Form {
  readonly element: HTMLElement;
  private readonly from = h("select", { id: "upgrade-from" });
  private readonly to = h("select", { id: "upgrade-to" });
  private readonly ask = h("button", { class: "button primary" });
  private readonly status = h("p", { class: "upgrade-verdict", role: "status" });
  private readonly body = h("div", { class: "upgrade-answer" });
  /** What the lists of versions were made for. */
  private madeFor = "";
  private drawn: { answer: Upgrade | null; isStale: boolean } = { answer: null, isStale: false };

  constructor(private readonly page: Page) {
    this.element = h("div", { class: "list" },
      h("form", { class: "versions-form", on: { submit: (event: Event) => {
        event.preventDefault();
        this.send();
      }, change: () => this.page.upgradeIsStale() } },
      h("label", { class: "field" }, "From ", this.from), h("label", { class: "field" }, "to ", this.to), this.ask),
      this.status, this.body);
  }

  /** Asks for the versions that are chosen. */
  send(): void {
    const [from, to] = [this.from.value, this.to.value].map((text) => {
      const [dialect = "", version = ""] = text.split(" ");
      return { dialect, version };
    });
    this.page.upgrade(from!, to!);
  }

  show(): HTMLElement {
    const { upgrade, upgradeProblem, isUpgrading } = state;
    this.choices();
    this.ask.textContent = isUpgrading ? "Comparing…" : upgrade || upgradeProblem ? "Compare again" : "Show what changes";
    if (isUpgrading) {
      refill(this.status, h("span", { class: "hint" }, "Loading, checking and planning with both versions…"));
    } else if (upgradeProblem) {
      refill(this.status);
      refill(this.body, refusal(this.page, upgradeProblem));
      this.drawn = { answer: null, isStale: false };
    } else if (!upgrade) {
      refill(this.status);
      refill(this.body, h("p", { class: "hint" }, "Loads, checks and plans these files as both versions do, and says what is different and "
        + "since which version. Nothing is installed, and neither version is run."));
      this.drawn = { answer: null, isStale: false };
    } else {
      refill(this.status, ...verdict(upgrade.answer));
      if (this.drawn.answer !== upgrade.answer || this.drawn.isStale !== upgrade.isStale) {
        refill(this.body, upgrade.isStale && h("p", { class: "note" }, "The files or the versions have changed since this comparison."),
          ...answer(this.page, upgrade.answer, upgrade.isStale ? null : () => {
            // With the constraint, the version that the files mean changes.
            choose(this.from, upgrade.answer.from);
            this.send();
          }));
        this.drawn = { ...upgrade };
      }
      this.status.classList.toggle("is-old", upgrade.isStale);
      this.body.classList.toggle("is-old", upgrade.isStale);
    }
    return this.element;
  }

  /** Fills the lists of versions, if there is another tool or version at the top. */
  private choices(): void {
    const { dialect, version } = state.input;
    const key = JSON.stringify([dialect, version, state.dialects.length, state.number]);
    if (key === this.madeFor) return;
    this.madeFor = key;
    const tools = state.dialects.filter(({ name }) => hasPlan(name));
    tools.sort((a, b) => Number(b.name === dialect) - Number(a.name === dialect));
    const group = ({ name, title: text, versions }: typeof tools[number], more: string[]) => h("optgroup", { label: text },
      ...lines(versions, more).map((release) => h("option", { value: `${name} ${release}` }, `${text} ${release}`)));
    const own = version === "" ? [] : [version];
    this.from.replaceChildren(h("option", { value: `${dialect} ${MEANT}` }, "what the files mean"),
      ...tools.map((tool) => group(tool, tool.name === dialect ? own : [])));
    this.to.replaceChildren(...tools.map((tool) => group(tool, [])));
    choose(this.from, { dialect, version: version || MEANT });
    choose(this.to, { dialect, version: tools.find(({ name }) => name === dialect)?.default_version ?? "" });
  }
}

/** The name of a tool, without the first numbers of its versions. */
function tool(dialect: string): string {
  return title(dialect).replace(/ [\d.]+$/, "");
}

function named({ dialect, version }: Release): string {
  return `${tool(dialect)} ${version}`;
}

const DOCUMENT = "another form of the plan document";

/** How often each kind of difference occurs, in words. */
function counts(answer: Upgrade): string {
  const of = (severity: string) => answer.diagnostics.added.filter((found) => found.severity === severity).length;
  const values = answer.changes.filter(({ kind }) => kind !== "document").length;
  return [of("error") > 0 && counted(of("error"), "new error"), of("warning") > 0 && counted(of("warning"), "new warning"),
    of("info") > 0 && counted(of("info"), "new note"),
    answer.diagnostics.removed.length > 0 && `${counted(answer.diagnostics.removed.length, "diagnostic")} no longer reported`,
    values > 0 && counted(values, "difference in the plan", "differences in the plan"),
    answer.changes.length > values && DOCUMENT].filter(Boolean).join(", ");
}

/** The verdict, in one line. */
function verdict(answer: Upgrade): (Node | string)[] {
  const [from, to] = [named(answer.from), named(answer.to)];
  const line = (look: string, word: string, text: string) => [h("strong", { class: `verdict ${look}` }, word), ` ${text}`];
  if (answer.verdict === "breaks") return line("invalid", "Breaks", `with ${to}: ${counts(answer)}.`);
  if (answer.verdict === "changes") {
    return counts(answer) === DOCUMENT ? line("changed", "Only the plan document changes", `with ${to}.`)
      : line("changed", "Something changes", `with ${to}: ${counts(answer)}.`);
  }
  if (from !== to && !answer.to.valid) return line("", "Nothing changes", `from ${from} to ${to}: both report the same errors.`);
  return from === to ? line("", `Both are ${to}.`, "Choose the version that you use now.")
    : line("valid", "Nothing changes", `from ${from} to ${to}${counts(answer) ? `, besides notes: ${counts(answer)}` : ""}.`);
}

/** What is behind a change, in a sentence: the version, and what is so in it. */
function cause(answer: Upgrade, id: string | undefined): HTMLElement {
  const rule = id === undefined ? undefined : answer.rules.find((row) => row.id === id);
  if (!rule) {
    return h("p", { class: "rule" }, answer.from.dialect === answer.to.dialect ? "No known difference between these versions explains this."
      : "The two tools differ in this in every version, or no known difference explains it.");
  }
  const since = crossing(rule, answer.from, answer.to, tool);
  return h("p", { class: "rule", title: `Known from: ${rule.source}` },
    since !== "" && h("strong", null, `${since}: `),
    prose(rule.summary), " ", h("span", { class: "releases" }, holds(rule)));
}

/** In which versions a row holds. */
function holds(rule: VersionRule): string {
  return `(${releases(rule, ["terraform", "opentofu"]).map(({ dialect, text }) => `${tool(dialect)}: ${text}`).join("; ")})`;
}

function obstacle(page: Page, found: Obstacle, again: (() => void) | null): HTMLElement {
  return h("article", { class: "problem error" },
    h("p", { class: "card-title" }, h("strong", null, found.summary)),
    h("p", { class: "jumps" }, button(place(found.range), () => page.jump(found.range), { class: "jump" })),
    ...found.edits.map(({ range, text }) => h("p", { class: "advice" }, "Write ", h("code", null, text),
      found.edits.length > 1 && ` at ${place(range)}`, " instead. ")),
    found.edits.length > 0 && again !== null && h("p", null, button("Write it and compare again", () => {
      page.edit(found.edits);
      again();
    }, { "data-key": `edit ${place(found.range)}` })));
}

function findingRow(page: Page, answer: Upgrade, found: Diagnostic & { rule?: string }, group: string): Row {
  return {
    group,
    draw: () => {
      const shown = diagnostic(page, found);
      // An error about a constraint on the version explains itself.
      if (found.code !== "load/unsupported-tool-version") shown.append(cause(answer, found.rule));
      return shown;
    },
    text: () => `${found.range ? `${place(found.range)}: ` : ""}${found.severity}: ${found.summary} (${found.code})`,
  };
}

/** One side of a difference in words or as a value; `null` if there is nothing to show. */
function side(of: UpgradeSide | undefined): string | null {
  if (!of) return null;
  if (of.redacted) return "(sensitive, not shown)";
  if (of.value === undefined) return of.unknown ? "(known after apply)" : null;
  return brief(valueText(of.value), 400) + (of.unknown ? " (partly known after apply)" : "");
}

/** What is different, in words. */
const KINDS: Record<string, string> = { unknown: "known when planned", sensitive: "marked as sensitive", type: "type" };

function subject(change: UpgradeChange): string {
  const parts = (change.pointer ?? "").split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (change.address === undefined) return nameOf(parts) || "the plan document";
  const name = nameOf(parts);
  return name === "" ? change.address : `${change.address}${name.startsWith("[") ? "" : "."}${name}`;
}

function word(change: UpgradeChange): string {
  const what = { added: "new", removed: "gone", changed: "changed", moved: "moved", reordered: "in another order" }[change.change] ?? change.change;
  const about = [KINDS[change.kind], change.conditions === true && "results of its conditions"].filter(Boolean).join(", ");
  return `${about === "" ? what : `${about}: ${what}`}${change.count ? `, ${change.count} times` : ""}`;
}

function changeRow(page: Page, answer: Upgrade, change: UpgradeChange, group: string): Row {
  const look = { added: "added", removed: "lost" }[change.change] ?? "replaced";
  const glyph = { added: "+", removed: "−" }[change.change] ?? "↻";
  const [before, after] = [side(change.before), side(change.after)];
  const range = change.after?.range ?? change.before?.range;
  const texts = (): string => [before !== null && `before ${brief(before, 80)}`, after !== null && `now ${brief(after, 80)}`].filter(Boolean).join(", ");
  return {
    group,
    draw: () => h("div", { class: `card ${look}` },
      h("p", { class: "card-title" }, h("span", { class: "glyph", "aria-hidden": "true" }, glyph), h("strong", null, subject(change)), " ",
        h("span", { class: "kind" }, word(change))),
      before !== null && h("pre", { class: "before" }, h("span", { class: "label" }, `${named(answer.from)} `),
        change.change === "removed" ? gone(before) : before),
      after !== null && h("pre", { class: "after" }, h("span", { class: "label" }, `${named(answer.to)} `), after),
      range && h("p", { class: "jumps" }, button(place(range), () => page.jump(range), { class: "jump" })),
      cause(answer, change.rule)),
    text: () => `${subject(change)}: ${word(change)}${texts() ? `, ${texts()}` : ""}`,
  };
}

/** Changes of the plan document, those with the same row behind them together. */
function byRule(changes: UpgradeChange[]): UpgradeChange[][] {
  const lists = new Map<string | undefined, UpgradeChange[]>();
  for (const change of changes) {
    const list = lists.get(change.rule);
    if (list) list.push(change); else lists.set(change.rule, [change]);
  }
  return [...lists.values()];
}

/** How many changes of the document with the same row behind them are shown. */
const DOCUMENT_SHOWN = 12;

function documentRow(answer: Upgrade, list: UpgradeChange[]): Row {
  return {
    draw: () => h("div", { class: "card" }, cause(answer, list[0]?.rule),
      ...list.slice(0, DOCUMENT_SHOWN).map((change) => {
        const [before, after] = [side(change.before), side(change.after)];
        const both = [before, after].map((text) => brief(text ?? "", 60)).filter((text) => text !== "").join(" → ");
        return h("p", { class: "member" }, h("code", null, subject(change)), " ", h("span", { class: "hint" }, word(change)),
          both !== "" && ": ", both !== "" && h("code", null, both));
      }),
      list.length > DOCUMENT_SHOWN && h("p", { class: "hint" }, `and ${list.length - DOCUMENT_SHOWN} more`)),
    text: () => list.map((change) => `${subject(change)}: ${word(change)}`).join("\n"),
  };
}

/** What is the same, in one line. */
function same(answer: Upgrade): string {
  const { diagnostics: { added, removed }, changes, from, to } = answer;
  const isCompared = from.valid && to.valid;
  const parts = [added.length + removed.length === 0 ? "what is reported" : "all other diagnostics",
    isCompared && (changes.some(({ kind }) => kind !== "document") ? "everything else that is planned" : "everything that is planned")].filter(Boolean);
  const most = isCompared ? "" : " Since there are errors, the plans are not compared further.";
  return `The same: ${parts.join(", ")}.${most}`;
}

/** Where the version that the files mean was found. */
function meant(page: Page, { from }: Upgrade): HTMLElement | false {
  const found = from.version_from;
  if (!found) return false;
  if (found.source === "default") {
    return h("p", { class: "hint" }, `The files do not say which version they are for, so the newest was taken: ${named(from)}.`);
  }
  return h("p", { class: "hint" }, `The files mean ${named(from)}, by ${MEANT_BY[found.source] ?? found.source} `,
    found.range && button(place(found.range), () => page.jump(found.range!), { class: "jump" }));
}

function answer(page: Page, of: Upgrade, again: (() => void) | null): (HTMLElement | false)[] {
  const { diagnostics: { added, removed }, changes, ready } = of;
  const rank = { error: 0, warning: 1, info: 2 };
  const bySeverity = (list: Diagnostic[]) => [...list].sort((a, b) => rank[a.severity] - rank[b.severity]);
  // The obstacle says the same as the error about it, with what to do.
  const isTold = (found: Diagnostic) => found.code === "load/unsupported-tool-version" && ready.some(({ range }) =>
    range.filename === found.range?.filename && range.start.byte === found.range.start.byte);
  const plan = changes.filter(({ kind }) => kind !== "document");
  const document = changes.filter(({ kind }) => kind === "document");
  const rows = [
    ...bySeverity(added).filter((found) => !isTold(found)).map((found) => findingRow(page, of, found, `New with ${named(of.to)}`)),
    ...plan.map((change) => changeRow(page, of, change, "Different in the plan")),
    ...bySeverity(removed).map((found) => findingRow(page, of, found, "No longer reported")),
  ];
  const written = document.length > 0 && h("details", { class: "document", open: rows.length + ready.length === 0 },
    h("summary", null, h("strong", null, "The plan document "), h("span", { class: "hint" },
      `${counted(document.length, "difference")} for programs that read it`)),
    rowList(byRule(document).map((list) => documentRow(of, list)), "Differences in the plan document"));
  return [
    meant(page, of),
    ready.length > 0 && h("section", null, h("h2", null, "Change first"), ...ready.slice(0, 50).map((found) => obstacle(page, found, again))),
    rows.length > 0 && rowList(rows, "What changes"),
    written,
    named(of.from) !== named(of.to) && h("p", { class: "hint" }, same(of)),
    of.searched === false && h("p", { class: "hint" }, "The limits of one request ended the search for the versions behind the changes."),
  ];
}

let form: Form | null = null;

export function upgrade(page: Page): HTMLElement {
  if (!hasPlan(state.input.dialect)) {
    return h("div", { class: "empty" }, h("p", null,
      "What another version does is known only for Terraform and OpenTofu. Choose one of them at the top."));
  }
  form ??= new Form(page);
  return form.show();
}
