// The right side: the result in one line, and the views.

import { byId, button, counted, h, refill } from "./dom.ts";
import { type LostLine, ResultEditor } from "./editor.ts";
import type { Page } from "./main.ts";
import { brief, GLYPHS, place, source, subject } from "./marks.ts";
import { lookedAt, state, title, type View } from "./state.ts";
import type { Change, Diagnostic, Merged, Problem } from "./types.ts";
import { changes } from "./changes.ts";
import { compare } from "./compare.ts";
import { plan } from "./plan.ts";
import { problems } from "./problems.ts";
import { upgrade } from "./upgrade.ts";
import { variables } from "./variables.ts";
import { versions } from "./versions.ts";

const VIEWS: { view: View; text: string }[] = [
  { view: "merged", text: "Merged" },
  { view: "changes", text: "Changes" },
  { view: "problems", text: "Problems" },
  { view: "variables", text: "Variables" },
  { view: "plan", text: "Plan" },
  { view: "json", text: "JSON" },
  { view: "upgrade", text: "Upgrade" },
  { view: "versions", text: "Versions" },
  { view: "compare", text: "Compare" },
];

/** How many lost parts are shown above the views. */
const LOST_SHOWN = 3;

export class Panels {
  private readonly tabs = new Map<View, { tab: HTMLButtonElement; badge: HTMLElement; panel: HTMLElement }>();
  private readonly merged: ResultEditor;
  private readonly json: ResultEditor;
  /** The lines of the merged text with changes, and the one shown last. */
  private stops = new Set<number>();
  private at = 0;
  private lostLines: LostLine[] = [];
  private drawn: { merged: Merged | null; json: unknown } = { merged: null, json: null };

  constructor(private readonly page: Page) {
    for (const { view, text } of VIEWS) {
      const badge = h("span", { class: "badge" });
      const tab = h("button", { type: "button", role: "tab", id: `tab-${view}`, "aria-controls": `panel-${view}`,
        on: { click: () => page.show(view), keydown: (event: KeyboardEvent) => this.walk(event, view) } }, text, badge);
      const panel = h("div", { role: "tabpanel", id: `panel-${view}`, "aria-labelledby": `tab-${view}`, class: `panel ${view}` });
      this.tabs.set(view, { tab, badge, panel });
      byId("tabs").append(tab);
      byId("panels").append(panel);
    }
    const host = (view: View) => {
      const element = h("div", { class: "editor" });
      this.tabs.get(view)!.panel.append(element);
      return element;
    };
    this.merged = new ResultEditor(host("merged"), "Merged configuration", "hcl");
    this.json = new ResultEditor(host("json"), "Merged configuration as JSON", "json");
  }

  private walk(event: KeyboardEvent, view: View): void {
    const all = VIEWS.map((row) => row.view);
    const at = all.indexOf(view);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const chosen = all[(next + all.length) % all.length]!;
    this.page.show(chosen);
    this.tabs.get(chosen)!.tab.focus();
  }

  /** Scrolls the list of tabs, which may be wider than the screen, to one of them. */
  private bringIntoView(tab: HTMLElement): void {
    const list = byId("tabs");
    const [outer, inner] = [list.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (inner.left < outer.left) list.scrollLeft -= outer.left - inner.left + 10;
    else if (inner.right > outer.right) list.scrollLeft += inner.right - outer.right + 10;
  }

  /** Renders the current state. */
  show(): void {
    const { merged } = state;
    for (const [view, { tab, badge, panel }] of this.tabs) {
      const isChosen = view === state.view;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      panel.hidden = !isChosen;
      if (isChosen) this.bringIntoView(tab);
      const count = view === "changes" ? merged?.changes.length : view === "problems" ? merged?.diagnostics.length
        : view === "variables" ? Object.keys(merged?.variables ?? {}).length : undefined;
      badge.textContent = count ? String(count) : "";
      badge.className = view === "problems" && merged?.diagnostics.some(({ severity }) => severity === "error") ? "badge error" : "badge";
    }
    this.summary();
    this.showLost();
    const panel = this.tabs.get(state.view)!.panel;
    const { page } = this;
    switch (state.view) {
      case "merged": this.drawMerged(); break;
      case "json": this.drawJson(); break;
      case "changes": refill(panel, changes(page)); break;
      case "problems": refill(panel, problems(page)); break;
      case "variables": refill(panel, variables(page)); break;
      case "plan":
      case "upgrade": {
        const shown = state.view === "plan" ? plan(page) : upgrade(page);
        // What is in the page already keeps its place.
        if (panel.firstChild !== shown) refill(panel, shown);
        break;
      }
      case "versions": refill(panel, versions(page)); break;
      case "compare": refill(panel, compare(page)); break;
    }
  }

  private drawMerged(): void {
    const { merged } = state;
    if (merged === null || this.drawn.merged === merged) return;
    this.drawn.merged = merged;
    const order = new Map(merged.files.map((row) => [row.path, row.order ?? 0]));
    const places = merged.changes
      .map((change, at) => ({ change, lines: merged.places[at] ?? null }))
      .filter((row): row is { change: Change; lines: NonNullable<typeof row.lines> } =>
        row.lines !== null && row.change.change !== "ignored")
      .sort((a, b) => (order.get(a.change.file) ?? 0) - (order.get(b.change.file) ?? 0));
    const lost = this.lost(merged);
    this.lostLines = lost;
    this.stops = new Set([...places.map(({ lines }) => lines.from), ...lost.map(({ after }) => after)]);
    this.merged.show(this.page.context, merged.text, places, lost);
    // For tests: how many of the changes that have a position in the merged text have been found in it.
    const standing = merged.changes.filter((change) => change.pointer !== undefined && change.change !== "ignored").length;
    this.tabs.get("merged")!.panel.dataset.marked = `${places.length} of ${standing}`;
  }

  /** Shows the next line that an override set, or the previous one. */
  private step(direction: 1 | -1): void {
    const lines = [...this.stops].sort((a, b) => a - b);
    const next = direction === 1 ? lines.find((line) => line > this.at) ?? lines[0]
      : lines.reverse().find((line) => line < this.at) ?? lines[0];
    if (next === undefined) return;
    this.at = next;
    this.merged.reveal({ from: next, to: next }, false);
  }

  /** Shows where a lost part would be in the merged text, if that is in view. */
  revealLost(change: Change): void {
    const found = state.view === "merged" && this.lostLines.find((row) => row.change === change);
    if (!found) return;
    this.at = found.after;
    this.merged.reveal({ from: found.after, to: found.after }, false);
  }

  /** The parts that are lost, as links. */
  private showLost(): void {
    const { context } = this.page;
    const all = state.problem === null ? state.merged?.changes.filter(({ change }) => change === "removed") ?? [] : [];
    const list = byId("lost");
    list.hidden = all.length === 0;
    refill(list, ...all.slice(0, LOST_SHOWN).map((change, at) => h("li", null,
      h("span", { class: "glyph", "aria-hidden": "true" }, GLYPHS.lost),
      h("code", null, change.before ? brief(context.excerpt(change.before.range) || source(context, change.before)) : subject(change)),
      h("span", { class: "hint" }, change.address),
      change.before && button(place(change.before.range), () => {
        this.revealLost(change);
        context.jump(change.before!.range);
      }, { class: "jump", "aria-label": `Go to ${place(change.before.range)}, the original`, "data-key": `lost ${at}` }),
      h("span", { class: "hint" }, "because of"),
      button(place(change.cause), () => context.jump(change.cause),
        { class: "jump", "aria-label": `Go to ${place(change.cause)}, the override`, "data-key": `cause ${at}` }))),
    all.length > LOST_SHOWN && h("li", null,
      button(`${all.length - LOST_SHOWN} more`, () => this.page.show("changes"), { class: "jump", "data-key": "lost more" })));
  }

  /** What is struck through in the merged text: lost parts, and blocks that were replaced by others. */
  private lost(merged: Merged): LostLine[] {
    const { context } = this.page;
    const lines = merged.text.split("\n");
    const indented = (text: string, line: number) => {
      const indent = /^\s*/.exec(lines[line - 1] ?? "")?.[0] ?? "";
      return text.split("\n").slice(0, 30).map((row) => indent + row).join("\n");
    };
    const found: LostLine[] = [];
    merged.changes.forEach((change, at) => {
      const gone = merged.lost[at];
      if (change.change === "removed" && change.before && gone) {
        const text = context.excerpt(change.before.range) || source(context, change.before);
        found.push({ after: gone.after, change, text: indented(text, gone.like) });
      }
      const place = merged.places[at];
      if (change.change === "block-replaced" && change.block === undefined && change.before?.expression === undefined
        && change.before && place) {
        found.push({ after: place.to, change, text: indented(context.excerpt(change.before.range), place.from) });
      }
    });
    // In source order.
    return found.sort((a, b) => a.after - b.after
      || (a.change.before?.range.start.byte ?? 0) - (b.change.before?.range.start.byte ?? 0));
  }

  private drawJson(): void {
    const { json, merged } = state;
    if (!json || !merged || this.drawn.json === json) return;
    this.drawn.json = json;
    const places = merged.changes
      .map((change, at) => ({ change, lines: json.places[at] ?? null }))
      .filter((row): row is { change: Change; lines: NonNullable<typeof row.lines> } =>
        row.lines !== null && row.change.change !== "ignored");
    this.json.show(this.page.context, json.text, places, []);
  }

  private summary(): void {
    const { merged, problem } = state;
    const bar = byId("summary");
    if (problem) {
      refill(bar, refusal(this.page, problem));
      return;
    }
    if (!merged) {
      refill(bar, h("p", { class: "hint" }, "Loading…"));
      return;
    }
    const of = (test: (change: Change) => boolean) => merged.changes.filter(test).length;
    const replaced = of(({ change }) => change === "replaced" || change === "block-replaced");
    const added = of(({ change }) => change === "added" || change === "object-added");
    const lost = of(({ change }) => change === "removed");
    const ignored = of(({ change }) => change === "ignored");
    const errors = merged.diagnostics.filter(({ severity }) => severity === "error");
    const first = errors[0];
    // A title may end with the first numbers of the version.
    const tool = `${title(merged.dialect).replace(/ [\d.]+$/, "")} ${merged.version}`;
    const looked = lookedAt(merged);
    const checked = looked !== null && looked !== "load";
    const tally = (count: number, text: string, kind: string) =>
      count > 0 && h("span", { class: `tally ${kind}` }, h("b", null, String(count)), ` ${text}`);
    refill(bar,
      h("p", null,
        h("strong", { class: merged.valid ? "verdict valid" : "verdict invalid" },
          !merged.valid ? `${checked && !errors.some(stopsLoading) ? "Not valid" : "Does not load"}: ${counted(errors.length, "error")}` : checked ? "Valid" : `Loads with ${tool}`),
        checked && h("span", { class: "hint", title: "The checks of this command, as far as they need no provider" }, ` ${looked} ${merged.version}`),
        !merged.valid && !checked && h("span", { class: "hint" }, ` ${tool}`),
        looked === "load" && h("span", { class: "hint" }, " (stage load)")),
      first && h("p", { class: "first" },
        first.range && button(place(first.range), () => this.page.jump(first.range!), { class: "jump", "data-key": "first" }), " ", first.summary,
        errors.length > 1 && " ",
        errors.length > 1 && button(`and ${errors.length - 1} more`, () => this.page.show("problems"), { class: "jump", "data-key": "first more" })),
      h("p", { class: "tallies" },
        merged.changes.length === 0 && h("span", { class: "hint" }, "Nothing is overridden."),
        tally(replaced, "replaced", "replaced"), tally(added, "added", "added"),
        tally(lost, "lost", "lost"), tally(ignored, "without effect", "ignored")),
      state.view === "merged" && h("p", { class: "steps" },
        button("Download", () => this.page.download(), { class: "button quiet", "data-key": "download",
          title: "The files with the overrides folded in, as a zip; comments stay" }),
        merged.changes.length > 0 && button("↑", () => this.step(-1), { class: "button quiet", "aria-label": "Previous change", title: "Previous change", "data-key": "previous" }),
        merged.changes.length > 0 && button("Next change ↓", () => this.step(1), { "data-key": "next" })));
  }
}

/** Whether an error is found while files are read and merged, before their contents are checked. */
function stopsLoading({ code }: Diagnostic): boolean {
  return /^(syntax|load|override|static)\//.test(code);
}

/** A problem from the service, with a field for the token if it requires one. */
export function refusal(page: Page, problem: Problem): HTMLElement {
  if (problem.status === 401) {
    const input = h("input", { type: "password", "aria-label": "Token", autocomplete: "off", size: "32", "data-key": "token" });
    return h("form", { class: "refusal", on: { submit: (event: Event) => {
      event.preventDefault();
      page.useToken(input.value.trim());
    } } },
    h("p", null, h("strong", null, "This service requires a token.")),
    h("p", null, input, " ", h("button", { class: "button primary" }, "Use token")),
    h("p", { class: "hint" }, "It is kept until you close this page and is never included in a link."));
  }
  return h("div", { class: "refusal" },
    h("p", null, h("strong", null, problem.title)), h("p", null, problem.detail),
    problem.status === 0 && h("p", null, button("Try again", () => page.changed(), { "data-key": "again" })));
}
