// Connects the parts of the page: input leads to requests, answers lead to views.

import { ask, Failure } from "./service.ts";
import { SourceEditor, span } from "./editor.ts";
import { button, byId, h } from "./dom.ts";
import { forget, type Context } from "./marks.ts";
import { type Example, type Lesson, NOTHING, state, inModule, inUpload, title, type View } from "./state.ts";
import type { Change, DialectRow, Edit, Files, Input, Problem, Range, Release } from "./types.ts";
import { dropZone } from "./drop.ts";
import { hasPlan } from "./plan.ts";
import { newFile, showFiles } from "./files.ts";
import { Lessons } from "./lessons.ts";
import { pickers, showChoices } from "./pickers.ts";
import { edited } from "./edits.ts";
import { parted } from "./share.ts";
import { showShare } from "./sharing.ts";
import { splitter } from "./splitter.ts";
import { toast } from "./toast.ts";
import { Panels } from "./panels.ts";
import { showValues } from "./values.ts";
import { Text } from "@codemirror/state";

declare const EXAMPLES_FILE: string;

/** What the views can call. */
export interface Page {
  context: Context;
  jump(range: Range): void;
  /** Some part of the input has changed: sends a new request, after a moment. */
  changed(): void;
  openFile(path: string): void;
  replaceInput(input: Input, what: string): void;
  refreshInput(): void;
  show(view: View): void;
  keepAsBefore(): void;
  checkVersions(): void;
  upgrade(from: Release, to: Release): void;
  /** Other versions were chosen than those of the answer. */
  upgradeIsStale(): void;
  /** Makes edits of files of the module, and says so, with a way back. */
  edit(edits: Edit[]): void;
  useToken(token: string): void;
  /** Saves the files with the overrides folded in. */
  download(): void;
}

let examples: Example[] = [];
let timer = 0;
let linkTimer = 0;
/** How often the input has changed, and how often it had when a plan was last asked for. */
let revision = 0;
let planned = -1;
/** The file that was opened with new input, until its first answer says what matters in it. */
let unseen: string | null = null;
/** The input that is shown in place of a link that could not be read. As long as it stays the same, so does the address. */
let standIn: string | null = null;

function problemOf(trouble: unknown): Problem {
  return trouble instanceof Failure ? trouble.problem
    : { title: "Something went wrong on this page", status: 0, code: "page", detail: String(trouble) };
}

const editor = new SourceEditor(byId("source"), (path, text) => {
  state.input.files[path] = text.toString();
  state.archive = null;
  page.changed();
});

/** The text of a file as a document, kept as long as the file stays the same. */
const documents = new Map<string, { content: string; doc: Text }>();
function documentOf(path: string): Text | null {
  const content = state.input.files[path];
  if (typeof content !== "string") return null;
  const known = documents.get(path);
  if (known?.content === content) return known.doc;
  const doc = Text.of(content.split("\n"));
  documents.set(path, { content, doc });
  return doc;
}

const context: Context = {
  excerpt(range) {
    const doc = documentOf(inUpload(range.filename));
    if (!doc) return "";
    const { from, to } = span(doc, range);
    const text = doc.sliceString(from, Math.min(to, from + 4000));
    const indent = /^[ \t]*/.exec(doc.lineAt(from).text)![0];
    return text.split("\n").map((line) => line.startsWith(indent) ? line.slice(indent.length) : line).join("\n");
  },
  jump: (range) => page.jump(range),
  rule(change: Change) {
    const terms = state.terms.get(state.input.dialect);
    const order = change.argument !== undefined ? ["merge", "nested", "override"] : ["nested", "override", "merge"];
    for (const group of order) {
      const found = terms?.[group]?.[change.rule];
      if (found !== undefined) return found;
    }
    return null;
  },
};

export const page: Page = {
  context,
  jump(range) {
    const path = inUpload(range.filename);
    if (!(path in state.input.files)) return;
    page.openFile(path);
    editor.reveal(range);
  },
  changed() {
    revision += 1;
    clearTimeout(timer);
    timer = window.setTimeout(run, 150);
    clearTimeout(linkTimer);
    linkTimer = window.setTimeout(writeLink, 600);
    if (state.compatibility) state.compatibility.isStale = true;
    if (state.upgrade) state.upgrade.isStale = true;
  },
  openFile(path) {
    state.open = path;
    const content = state.input.files[path];
    editor.open(path, typeof content === "string" ? content : content === undefined ? "" : null);
    showFiles(page);
    mark();
  },
  replaceInput(input, what) {
    const old = { input: state.input, archive: state.archive, open: state.open, lesson: state.lesson };
    byId("notice").hidden = true;
    take(input);
    toast(what, "Undo", () => {
      take(old.input, old.open);
      state.archive = old.archive;
      state.lesson = old.lesson;
    });
  },
  refreshInput() {
    showFiles(page);
    showChoices();
    showValues(page);
    page.changed();
  },
  show(view) {
    state.view = view;
    if (view === "plan" && planned !== revision) state.plan = null;
    panels.show();
    if (view === "json" && state.json === null) void loadJson();
    if (view === "plan") void loadPlan();
    if (view === "compare" && state.before && state.difference === null) void loadDifference();
  },
  keepAsBefore() {
    state.before = {
      input: structuredClone(state.input),
      at: new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }),
    };
    state.difference = null;
    state.view = "compare";
    panels.show();
    void loadDifference();
  },
  checkVersions() {
    void loadCompatibility();
  },
  upgrade(from, to) {
    void loadUpgrade(from, to);
  },
  upgradeIsStale() {
    if (state.upgrade) state.upgrade.isStale = true;
    panels.show();
  },
  edit(edits) {
    const first = edits[0]?.range;
    if (!first) return;
    const old = { input: structuredClone(state.input), archive: state.archive, open: state.open };
    for (const path of new Set(edits.map(({ range }) => inUpload(range.filename)))) {
      const content = state.input.files[path];
      if (typeof content !== "string") continue;
      state.input.files[path] = edited(content, edits.filter(({ range }) => inUpload(range.filename) === path));
    }
    state.archive = null;
    page.openFile(inUpload(first.filename));
    editor.reveal(first, false);
    page.changed();
    toast(`Changed ${inUpload(first.filename)}.`, "Undo", () => {
      take(old.input, old.open);
      state.archive = old.archive;
    });
  },
  download() {
    void ask("merged_files", { input: state.input, archive: state.archive }).then((bytes) => {
      const address = URL.createObjectURL(new Blob([bytes as BlobPart], { type: "application/zip" }));
      h("a", { href: address, download: "merged.zip" }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    }, (trouble) => toast(problemOf(trouble).detail));
  },
  useToken(token) {
    state.hasToken = token !== "";
    void ask("token", token);
    void start();
  },
};

const panels = new Panels(page);
const lessons = new Lessons(page);

/** Replaces the current input. */
function take(input: Input, open?: string): void {
  state.input = structuredClone(input);
  state.number += 1;
  state.lesson = null;
  state.archive = null;
  state.merged = null;
  state.json = null;
  state.plan = null;
  state.planProblem = null;
  state.upgrade = null;
  state.upgradeProblem = null;
  state.isUpgrading = false;
  editor.clear();
  const paths = Object.keys(state.input.files);
  if (paths.length === 0) state.input.files["main.tf"] = "";
  const names = Object.keys(state.input.files);
  const shown = open ?? names.find((path) => /(^|[/_])override\./.test(path) && inModule(path) !== null)
    ?? names.find((path) => inModule(path) !== null) ?? names[0]!;
  page.openFile(shown);
  unseen = open === undefined ? shown : null;
  showChoices();
  showValues(page);
  loadTerms();
  panels.show();
  lessons.show();
  page.changed();
}

function mark(): void {
  const names = new Map<string, boolean>();
  const isHere = ({ filename }: Range) => {
    const known = names.get(filename) ?? inUpload(filename) === state.open;
    names.set(filename, known);
    return known;
  };
  editor.mark(context, isHere, state.merged?.changes ?? [], state.merged?.diagnostics ?? []);
}

async function run(): Promise<void> {
  const asked = { input: state.input, archive: state.archive };
  document.body.classList.add("is-working");
  try {
    const merged = await ask("merge", asked);
    state.merged = merged;
    state.problem = null;
    state.json = null;
    state.difference = null;
  } catch (trouble) {
    state.problem = problemOf(trouble);
  }
  document.body.classList.remove("is-working");
  forget();
  mark();
  showFiles(page);
  if (state.view === "json") void loadJson();
  if (state.view === "plan") void loadPlan();
  if (state.view === "compare") void loadDifference();
  panels.show();
  lessons.show();
  if (state.problem === null) showWhatMatters();
}

/** Opens new input where it matters: at the first error, otherwise at the first part that is lost. */
function showWhatMatters(): void {
  const merged = state.merged;
  const isMoved = unseen !== state.open;
  unseen = null;
  if (merged === null || isMoved) return;
  const lost = merged.changes.find(({ change }) => change === "removed");
  const range = merged.diagnostics.find(({ severity, range }) => severity === "error" && range)?.range ?? lost?.cause;
  if (range === undefined || !(inUpload(range.filename) in state.input.files)) return;
  page.openFile(inUpload(range.filename));
  editor.reveal(range, false);
  if (lost) panels.revealLost(lost);
}

async function loadJson(): Promise<void> {
  const merged = state.merged;
  if (!merged) return;
  try {
    const pointers = merged.changes.map((change) => change.pointer ?? null);
    const json = await ask("json", { input: state.input, archive: state.archive, pointers });
    if (state.merged === merged) state.json = json;
  } catch (trouble) {
    state.problem = problemOf(trouble);
  }
  panels.show();
}

async function loadPlan(): Promise<void> {
  if (!hasPlan(state.input.dialect)) return;
  if (state.plan && planned === revision) return;
  planned = revision;
  const { input } = state;
  try {
    const plan = await ask("plan", { input, archive: state.archive });
    if (input !== state.input) return;
    state.plan = plan;
    state.planProblem = null;
  } catch (trouble) {
    if (input !== state.input) return;
    state.plan = null;
    state.planProblem = problemOf(trouble);
  }
  panels.show();
}

async function loadDifference(): Promise<void> {
  const { before } = state;
  if (!before) return;
  const asked = revision;
  // An answer about other files than the current ones is not shown: another question follows.
  const isLate = () => asked !== revision || before !== state.before;
  try {
    const difference = await ask("diff", { before: before.input, after: state.input });
    if (isLate()) return;
    state.difference = difference;
    state.differenceProblem = null;
  } catch (trouble) {
    if (isLate()) return;
    state.difference = null;
    state.differenceProblem = problemOf(trouble);
  }
  panels.show();
}

/** Asks what another version does. A newer question supersedes an older one, whose answer never arrives. */
async function loadUpgrade(from: Release, to: Release): Promise<void> {
  const { input } = state;
  const asked = revision;
  state.isUpgrading = true;
  panels.show();
  try {
    const answer = await ask("upgrade", { input, archive: state.archive, from, to });
    if (input !== state.input) return;
    state.upgrade = { answer, isStale: asked !== revision };
    state.upgradeProblem = null;
  } catch (trouble) {
    if (input !== state.input) return;
    state.upgrade = null;
    state.upgradeProblem = problemOf(trouble);
  }
  state.isUpgrading = false;
  panels.show();
}

async function loadCompatibility(): Promise<void> {
  state.isChecking = true;
  panels.show();
  try {
    const asked = revision;
    const answer = await ask("compatibility", state.input);
    state.compatibility = { answer, isStale: asked !== revision };
    state.compatibilityProblem = null;
  } catch (trouble) {
    state.compatibilityProblem = problemOf(trouble);
  }
  state.isChecking = false;
  panels.show();
}

function loadTerms(): void {
  const name = state.input.dialect;
  if (state.terms.has(name)) return;
  void ask("get", `v1/dialects/${encodeURIComponent(name)}`).then((answer) => {
    state.terms.set(name, (answer as { terms?: Record<string, Record<string, string>> }).terms ?? {});
    panels.show();
  }, () => undefined);
}

async function writeLink(): Promise<void> {
  if (standIn !== null) {
    if (JSON.stringify(state.input) === standIn) return;
    standIn = null;
  }
  const fragment = await ask("fragment", state.input);
  const address = fragment === null ? location.pathname + location.search : `#${fragment}`;
  if (fragment === null || location.hash !== `#${fragment}`) window.history.replaceState(null, "", address);
}

function choose(found: Example): Input {
  return { ...NOTHING, files: { ...found.files }, dialect: found.dialect, values: found.values, rows: found.rows };
}

byId<HTMLSelectElement>("example").addEventListener("change", ({ target }) => {
  const example = target as HTMLSelectElement;
  const found = examples.find(({ name }) => name === example.value);
  if (found) page.replaceInput(choose(found), `Opened the example “${found.title}”.`);
  else if (!lessons.choose(example.value)) page.replaceInput(NOTHING, "Opened an empty configuration.");
  example.value = "-";
});
pickers(page, loadTerms);

/** Takes over files that were dropped or picked. */
function takeFiles(files: Files, archive: typeof state.archive, what: string, isWhole: boolean): void {
  const names = Object.keys(files);
  const guessed = names.some((path) => /(^|\/)sentinel\.hcl$/.test(path)) ? "sentinel"
    : names.some((path) => /\.tofu(\.json)?$/.test(path)) && state.input.dialect === "terraform" ? "opentofu" : state.input.dialect;
  const base = isWhole ? { ...NOTHING, dialect: guessed } : { ...state.input, files: { ...state.input.files } };
  const input: Input = { ...base, files: isWhole ? files : { ...base.files, ...files } };
  if (isWhole) {
    input.version = guessed === state.input.dialect ? state.input.version : "";
    const folders = new Set(names.filter((path) => /\.(tf|tofu|hcl)(\.json)?$/.test(path))
      .map((path) => path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "."));
    if (folders.size > 0 && !folders.has(".")) {
      input.root = [...folders].sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1))[0]!;
    }
  }
  page.replaceInput(input, what);
  state.archive = archive;
}

async function start(): Promise<void> {
  try {
    const [{ dialects }, found] = await Promise.all([
      ask("get", "v1/dialects") as Promise<{ dialects: DialectRow[] }>,
      fetch(new URL(EXAMPLES_FILE, import.meta.url)).then((response) => response.json() as Promise<{ examples: Example[]; lessons: Lesson[] }>),
    ]);
    state.dialects = dialects;
    examples = found.examples;
    byId("example").replaceChildren(h("option", { value: "-" }, "Choose…"),
      h("optgroup", { label: "Examples" }, ...examples.map(({ name, title: text }) => h("option", { value: name }, text)),
        h("option", { value: "" }, "Empty")), lessons.take(found.lessons));
    state.problem = null;
    void ask("get", "version").then((answer) => {
      const { version, commit } = answer as { version: string; commit: string };
      byId("build").textContent = `overfold ${version}${commit === "unknown" ? "" : `, commit ${commit.slice(0, 12)}`}`;
    }, () => undefined);
  } catch (trouble) {
    state.problem = problemOf(trouble);
    panels.show();
    return;
  }
  const { input, place } = parted(location.hash.slice(1));
  const linked = isLink() ? await ask("unfragment", input) : null;
  const first = examples[0];
  take(linked ?? (first ? choose(first) : NOTHING));
  if (linked && place) goTo(place);
  if (isLink() && linked === null) warn(first ? `an example (“${first.title}”)` : "empty");
}

/** Opens the place that a link leads to, instead of what matters. */
function goTo({ path, line }: { path: string; line: number }): void {
  if (!(path in state.input.files)) return;
  const at = { line, column: 1, byte: 0 };
  unseen = null;
  page.openFile(path);
  editor.reveal({ filename: path, start: at, end: at }, false);
}

/** Whether the address says that it is more than that of the page. */
function isLink(): boolean {
  return location.hash.length > 1 && location.hash !== "#result";
}

/** Says that the link in the address could not be read, and that these are not its files. */
function warn(what: string): void {
  standIn = JSON.stringify(state.input);
  const notice = byId("notice");
  notice.replaceChildren(
    h("p", null, h("strong", null, "This link is damaged or incomplete."), ` The files below are ${what}, not those of the person who sent it. `
      + "Check that you have copied all of it, or ask for a new one. The address stays as it is until you change something."),
    button("Close", () => { notice.hidden = true; }));
  notice.hidden = false;
}

addEventListener("hashchange", async () => {
  if (!isLink()) return;
  const { input, place } = parted(location.hash.slice(1));
  const linked = await ask("unfragment", input);
  if (linked) {
    page.replaceInput(linked, "Opened the files from the link.");
    if (place) goTo(place);
  } else warn("what you had open before");
});

byId("add-file").addEventListener("click", () => newFile(page));
dropZone(takeFiles);
splitter();
showShare(() => ({ path: state.open, line: editor.line }));
void start();

export { title };
