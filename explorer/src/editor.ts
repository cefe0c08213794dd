// The two editors: one in which files are edited, one that shows the merged configuration. Each is in a shadow root,
// where CodeMirror's style sheets need no exception from the page's Content-Security-Policy.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { type Diagnostic as LintMark, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, RangeSet, RangeSetBuilder, StateEffect, StateField, type Line, type Text } from "@codemirror/state";
import {
  Decoration, type DecorationSet, EditorView, GutterMarker, ViewPlugin, WidgetType, drawSelection, gutter, highlightActiveLine,
  highlightActiveLineGutter, keymap, lineNumbers,
} from "@codemirror/view";
import { h, prose } from "./dom.ts";
import { colours, hcl } from "./hcl.ts";
import { type Context, GLYPHS, brief, explain, look, place, sentence, source, subject } from "./marks.ts";
import type { Change, Diagnostic, Lines, Position, Range } from "./types.ts";

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--ink)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto", scrollbarWidth: "thin", scrollbarColor: "var(--line) transparent" },
  ".cm-content": { padding: "10px 0 40px", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--faint)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "34px", padding: "0 6px 0 8px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--active-line)" },
  "&.cm-focused .cm-activeLineGutter": { color: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "1.5px" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "var(--selection)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)", outline: "none" },
  ".cm-selectionMatch": { backgroundColor: "var(--match)" },
  ".cm-searchMatch": { backgroundColor: "var(--match)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)", borderColor: "var(--line) !important" },
  ".cm-panels input, .cm-panels button": { fontSize: "12px", color: "var(--ink)", background: "var(--paper)" },
  ".cm-tooltip": {
    backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "6px",
    boxShadow: "var(--shadow)", fontFamily: "var(--sans)", maxWidth: "420px", fontSize: "13px",
  },
  ".cm-diagnostic": { padding: "8px 12px", borderLeft: "none", marginLeft: "0" },
  ".cm-diagnostic p": { margin: "2px 0" },
  ".cm-lintRange": {
    backgroundImage: "none", textDecoration: "underline wavy", textUnderlineOffset: "3px", textDecorationThickness: "1px",
  },
  ".cm-lintRange-error": { textDecorationColor: "var(--lost)" },
  ".cm-lintRange-warning": { textDecorationColor: "var(--warn)" },
  ".cm-lintRange-info": { textDecorationColor: "var(--replaced)", textDecorationStyle: "dotted" },
  ".cm-lintPoint:after": { borderBottomColor: "var(--lost)" },
  ".cm-foldGutter": { display: "none" },
  // Marks
  ".marks": { width: "18px" },
  ".marks .cm-gutterElement": { padding: "0", display: "flex", justifyContent: "center" },
  ".mark": {
    all: "unset", boxSizing: "border-box", display: "block", width: "16px", textAlign: "center", cursor: "pointer", fontWeight: "700",
    borderRadius: "3px", fontFamily: "var(--sans)", fontSize: "12px",
  },
  ".bar": { width: "3px", height: "100%", borderRadius: "0", opacity: "0.55" },
  ".mark.replaced": { color: "var(--replaced)" },
  ".mark.added": { color: "var(--added)" },
  ".mark.lost": { color: "var(--lost)" },
  ".mark.ignored, .mark.over": { color: "var(--quiet)" },
  ".mark:hover, .chip:hover": { backgroundColor: "var(--hover)" },
  ".mark:focus-visible, .chip:focus-visible": { outline: "2px solid var(--focus)", outlineOffset: "0" },
  ".bar.replaced": { backgroundColor: "var(--replaced)" },
  ".bar.added": { backgroundColor: "var(--added)" },
  ".bar.lost": { backgroundColor: "var(--lost)" },
  ".bar.ignored, .bar.over": { backgroundColor: "var(--faint)" },
  ".line-replaced": { backgroundColor: "var(--replaced-wash)" },
  ".line-added": { backgroundColor: "var(--added-wash)" },
  ".over-text": { textDecoration: "line-through", textDecorationColor: "var(--quiet)" },
  ".over-text, .over-text *": { color: "var(--quiet) !important" },
  ".lost-text": { textDecoration: "line-through", textDecorationColor: "var(--lost)" },
  ".lost-text, .lost-text *": { color: "var(--lost) !important" },
  ".chip": {
    all: "unset", position: "relative", marginLeft: "18px", padding: "0 6px", borderRadius: "4px", cursor: "pointer",
    fontFamily: "var(--sans)", fontSize: "12px", whiteSpace: "nowrap",
  },
  ".chip.replaced": { color: "var(--replaced)" },
  ".chip.added": { color: "var(--added)" },
  ".chip.lost": { color: "var(--lost)" },
  ".chip del": { color: "var(--quiet)", fontFamily: "var(--mono)", marginLeft: "8px" },
  ".hidden": {
    position: "absolute", width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)", whiteSpace: "nowrap",
  },
  ".ghost": { display: "flex", alignItems: "baseline", padding: "0 12px 0 6px", backgroundColor: "var(--lost-wash)" },
  ".ghost .indent": { whiteSpace: "pre" },
  ".ghost del": { whiteSpace: "pre", color: "var(--lost)", textDecorationThickness: "1px" },
  // If there is little room, lines are wrapped, so that a mark can be read without scrolling.
  "@media (max-width: 1180px)": {
    ".cm-content": { whiteSpace: "break-spaces !important", wordBreak: "break-word", overflowWrap: "anywhere", flexShrink: "1 !important" },
    ".chip": { whiteSpace: "normal", wordBreak: "normal" },
    ".ghost": { flexWrap: "wrap" },
    ".ghost del": { whiteSpace: "break-spaces" },
  },
  ".flash": { animation: "flash 1.4s ease-out" },
  "@keyframes flash": { from: { backgroundColor: "var(--flash)" }, to: { backgroundColor: "transparent" } },
  "@media (prefers-reduced-motion: reduce)": { ".flash": { animation: "none", backgroundColor: "var(--flash)" } },
});

/** Gutters contain buttons, so they must not be hidden from screen readers; line numbers stay hidden. */
const gutterWithButtons = ViewPlugin.define((view) => {
  const open = () => {
    view.dom.querySelectorAll(".cm-gutters").forEach((gutters) => gutters.removeAttribute("aria-hidden"));
    view.dom.querySelectorAll(".cm-lineNumbers").forEach((numbers) => numbers.setAttribute("aria-hidden", "true"));
  };
  queueMicrotask(open);
  return { update: (update) => { if (update.geometryChanged) open(); } };
});

/** The changes of a line, for screen readers: the first of them in full. */
function sentences(context: Context, changes: Change[]): string {
  const most = 12;
  const more = changes.length > most ? `; and ${changes.length - most} more` : "";
  return changes.slice(0, most).map((change) => sentence(context, change)).join("; ") + more;
}

class Mark extends GutterMarker {
  constructor(readonly kind: string, readonly changes: Change[] | null, readonly context: Context, readonly isOver: boolean) { super(); }
  override eq(other: Mark): boolean { return this.kind === other.kind && this.changes === other.changes; }
  override toDOM(): Node {
    if (this.changes === null) return h("div", { class: `bar ${this.kind}`, "aria-hidden": "true" });
    const glyph = this.isOver ? "↷" : GLYPHS[this.kind as keyof typeof GLYPHS] ?? "↷";
    const button = h("button", { type: "button", class: `mark ${this.kind}`,
      "aria-label": sentences(this.context, this.changes) }, glyph);
    explain(button, this.context, this.changes);
    return button;
  }
}

/** At the end of a line of the merged text: who set it, and its previous value. */
class Chip extends WidgetType {
  constructor(readonly changes: Change[], readonly context: Context) { super(); }
  override eq(other: Chip): boolean { return this.changes === other.changes; }
  override toDOM(): HTMLElement {
    const last = this.changes[this.changes.length - 1]!;
    const kind = look(last);
    const was = last.before?.expression ?? (last.before?.redacted ? "(sensitive)" : undefined);
    const chip = h("button", { type: "button", class: `chip ${kind}` },
      h("span", { "aria-hidden": "true" }, kind === "added" ? "+\u00a0" : "←\u00a0"), place(last.cause),
      was !== undefined && h("del", null, brief(was, 40)),
      h("span", { class: "hidden" }, ` ${sentences(this.context, this.changes)}`));
    explain(chip, this.context, this.changes);
    return chip;
  }
  override ignoreEvent(): boolean { return true; }
}

/** A line that no longer exists. */
class Ghost extends WidgetType {
  constructor(readonly text: string, readonly change: Change, readonly context: Context, readonly isFirst: boolean) { super(); }
  override eq(other: Ghost): boolean { return this.change === other.change && this.text === other.text; }
  override toDOM(): HTMLElement {
    const chip = h("button", { type: "button", class: "chip lost" },
      h("span", { "aria-hidden": "true" }, "−\u00a0"), `lost: ${place(this.change.before?.range ?? this.change.cause)}, because of ${place(this.change.cause)}`);
    explain(chip, this.context, [this.change]);
    const indent = /^\s*/.exec(this.text)?.[0] ?? "";
    return h("div", { class: "ghost" }, h("span", { class: "indent" }, indent), h("del", null, this.text.slice(indent.length)),
      this.isFirst && chip);
  }
  override ignoreEvent(): boolean { return true; }
}

interface Dressing { marks: RangeSet<GutterMarker>; decorations: DecorationSet }
const dress = StateEffect.define<Dressing>();
const flash = StateEffect.define<{ from: number; to: number } | null>();

const dressing = StateField.define<Dressing>({
  create: () => ({ marks: RangeSet.empty, decorations: Decoration.none }),
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(dress)) return effect.value;
    if (!transaction.docChanged) return value;
    return { marks: value.marks.map(transaction.changes), decorations: value.decorations.map(transaction.changes) };
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.decorations),
});

const flashing = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(flash)) continue;
      if (effect.value === null) return Decoration.none;
      const builder = new RangeSetBuilder<Decoration>();
      const doc = transaction.state.doc;
      const last = Math.min(doc.lineAt(effect.value.to).number, doc.lineAt(effect.value.from).number + 60);
      for (let line = doc.lineAt(effect.value.from).number; line <= last; line += 1) {
        builder.add(doc.line(line).from, doc.line(line).from, Decoration.line({ class: "flash" }));
      }
      return builder.finish();
    }
    return transaction.docChanged ? Decoration.none : value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const markGutter = gutter({ class: "marks", markers: (view) => view.state.field(dressing).marks });

const common: Extension[] = [
  theme, colours, markGutter, lineNumbers(), gutterWithButtons, dressing, flashing, drawSelection(), search({ top: true }),
  EditorState.lineSeparator.of("\n"), indentUnit.of("  "), EditorState.phrases.of({ "No diagnostics": "No problems" }),
];

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The offset of a position given by the service, whose columns count grapheme clusters. */
function offset(doc: Text, { line, column }: Position): number {
  const found = doc.line(Math.max(1, Math.min(line, doc.lines)));
  if (line > doc.lines) return found.to;
  if (found.length > LONG) return found.from + inLongLine(doc, found, column);
  if (isPlain(found.text.slice(0, column))) return Math.min(found.from + column - 1, found.to);
  let count = 1;
  for (const { index } of graphemes.segment(found.text)) {
    if (count === column) return found.from + index;
    count += 1;
  }
  return found.to;
}

function isPlain(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(text);
}

/** From how many characters on a line is read only once for all positions in it. */
const LONG = 1000;
/** For each long line of a document, where its grapheme clusters begin; `null` if each is one character. */
const clusters = new WeakMap<Text, Map<number, Uint32Array | null>>();

/** The offset of a column in a long line. */
function inLongLine(doc: Text, line: Line, column: number): number {
  let known = clusters.get(doc);
  if (!known) clusters.set(doc, known = new Map());
  let starts = known.get(line.number);
  if (starts === undefined) {
    starts = isPlain(line.text) ? null : Uint32Array.from(graphemes.segment(line.text), ({ index }) => index);
    known.set(line.number, starts);
  }
  return starts === null ? Math.min(column - 1, line.length) : starts[column - 1] ?? line.length;
}

/** A range given by the service, as offsets in a document. */
export function span(doc: Text, { start, end }: Range): { from: number; to: number } {
  const from = offset(doc, start);
  return { from, to: Math.max(from, offset(doc, end)) };
}

/** The lines of a range, without their indentation. */
function textLines(doc: Text, from: number, to: number): { from: number; to: number }[] {
  const found = [];
  for (let number = doc.lineAt(from).number; number <= doc.lineAt(to).number; number += 1) {
    const line = doc.line(number);
    const start = Math.max(from, line.from + line.text.length - line.text.trimStart().length);
    const end = Math.min(to, line.to);
    if (start < end) found.push({ from: start, to: end });
  }
  return found;
}

function language(path: string): Extension {
  return path.endsWith(".json") ? json() : hcl;
}

function mount(host: HTMLElement): { root: ShadowRoot; parent: HTMLElement } {
  const root = host.attachShadow({ mode: "open" });
  const parent = h("div");
  parent.style.height = "100%";
  root.append(parent);
  return { root, parent };
}

function spotlight(view: EditorView, from: number, to: number, isFocused = true): void {
  view.dispatch({
    selection: { anchor: from },
    effects: [flash.of({ from, to }), EditorView.scrollIntoView(from, { y: "center" })],
  });
  if (isFocused) view.focus();
  setTimeout(() => view.dispatch({ effects: flash.of(null) }), 1500);
}

/** The editor for files. It keeps a state, with its history, for each file. */
export class SourceEditor {
  readonly view: EditorView;
  private states = new Map<string, EditorState>();
  private path = "";

  constructor(host: HTMLElement, private readonly edited: (path: string, text: Text) => void) {
    this.view = new EditorView({ ...mount(host), state: EditorState.create() });
  }

  private state(path: string, text: string, isFixed: boolean): EditorState {
    return EditorState.create({
      doc: text,
      extensions: [
        common, language(path), history(), bracketMatching(), indentOnInput(), highlightActiveLine(), highlightActiveLineGutter(),
        highlightSelectionMatches(), EditorState.readOnly.of(isFixed),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ "aria-label": `Text of ${path}`, spellcheck: "false" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) this.edited(path, update.state.doc); }),
      ],
    });
  }

  /** Shows a file, or nothing for `null`. */
  open(path: string, text: string | null): void {
    if (path !== this.path && this.path !== "") this.states.set(this.path, this.view.state);
    const known = this.states.get(path);
    this.path = path;
    const wanted = text ?? "This file is not text. It is sent unchanged.";
    this.view.setState(known && known.doc.toString() === wanted ? known : this.state(path, wanted, text === null));
  }

  /** Forgets all files. */
  clear(): void {
    this.states.clear();
    this.path = "";
  }

  /** Marks what overriding did in the open file, and the problems in it. `isHere` says whether a range is in that file, which the
   * service may name otherwise. */
  mark(context: Context, isHere: (range: Range) => boolean, changes: Change[], diagnostics: Diagnostic[]): void {
    const doc = this.view.state.doc;
    const lines = new Map<number, { kind: string; changes: Change[] | null; isOver: boolean }>();
    const struck: { from: number; to: number; class: string }[] = [];
    const paint = (range: Range, change: Change, kind: string, isOver: boolean) => {
      const { from, to } = span(doc, range);
      const first = doc.lineAt(from).number;
      const last = doc.lineAt(to).number;
      const here = lines.get(first);
      if (here?.changes) here.changes.push(change);
      else lines.set(first, { kind, changes: [change], isOver });
      for (let line = first + 1; line <= last; line += 1) if (!lines.has(line)) lines.set(line, { kind, changes: null, isOver });
    };
    for (const change of changes) {
      const kind = look(change);
      if (isHere(change.cause) && kind !== "lost") {
        paint(change.cause, change, kind, false);
        if (kind === "ignored") struck.push({ ...span(doc, change.cause), class: "over-text" });
      }
      if (change.before && isHere(change.before.range) && kind !== "ignored") {
        paint(change.before.range, change, kind === "lost" ? "lost" : "over", true);
        struck.push({ ...span(doc, change.before.range), class: kind === "lost" ? "lost-text" : "over-text" });
      }
    }
    const marks = new RangeSetBuilder<GutterMarker>();
    for (const [line, row] of [...lines].sort(([a], [b]) => a - b)) {
      const { from } = doc.line(line);
      marks.add(from, from, new Mark(row.kind, row.changes, context, row.isOver));
    }
    const decorations = Decoration.set(struck.flatMap(({ from, to, class: name }) => textLines(doc, from, to)
      .map((line) => Decoration.mark({ class: name }).range(line.from, line.to))), true);
    const found: LintMark[] = diagnostics.filter(({ range }) => range && isHere(range)).slice(0, 500)
      .map(({ range, severity, summary, detail }) => ({
        ...span(doc, range!), severity, message: summary,
        renderMessage: () => h("div", null, h("strong", null, summary), detail && h("p", null, prose(detail))),
      }));
    this.view.dispatch({ effects: dress.of({ marks: marks.finish(), decorations }) });
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  /** The line of the cursor. */
  get line(): number { return this.view.state.doc.lineAt(this.view.state.selection.main.head).number; }

  /** Selects a range in the open file and scrolls to it. */
  reveal(range: Range, isFocused = true): void {
    const { from, to } = span(this.view.state.doc, range);
    spotlight(this.view, from, to, isFocused);
  }
}

/** A lost line, as the view of the merged text needs it. */
export interface LostLine { after: number; text: string; change: Change }

/** The read-only editor for results. */
export class ResultEditor {
  readonly view: EditorView;

  constructor(host: HTMLElement, private readonly label: string, private readonly syntax: "hcl" | "json") {
    this.view = new EditorView({ ...mount(host), state: this.state("") });
  }

  private state(text: string): EditorState {
    return EditorState.create({
      doc: text,
      extensions: [
        common, this.syntax === "json" ? json() : hcl, EditorState.readOnly.of(true), EditorView.editable.of(false),
        keymap.of([...defaultKeymap, ...searchKeymap]),
        EditorView.contentAttributes.of({ "aria-label": this.label, tabindex: "0" }),
      ],
    });
  }

  /** Shows a text with a mark on each line that an override set, and lost lines where they would be. */
  show(context: Context, text: string, places: { lines: Lines; change: Change }[], lost: LostLine[]): void {
    if (this.view.state.doc.toString() !== text) {
      // Only the difference is replaced, so that the view does not move.
      const old = this.view.state.doc.toString();
      let head = 0;
      const most = Math.min(old.length, text.length);
      while (head < most && old.charCodeAt(head) === text.charCodeAt(head)) head += 1;
      let tail = 0;
      while (tail < most - head && old.charCodeAt(old.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)) tail += 1;
      this.view.dispatch({ changes: { from: head, to: old.length - tail, insert: text.slice(head, text.length - tail) } });
    }
    const doc = this.view.state.doc;
    const heads = new Map<number, Change[]>();
    const kinds = new Map<number, string>();
    for (const { lines, change } of places) {
      if (lines.from > doc.lines) continue;
      const kind = look(change);
      const here = heads.get(lines.from);
      if (here) here.push(change);
      else heads.set(lines.from, [change]);
      for (let line = lines.from; line <= Math.min(lines.to, doc.lines); line += 1) kinds.set(line, kind);
    }
    const marks = new RangeSetBuilder<GutterMarker>();
    const set: ReturnType<Decoration["range"]>[] = [];
    for (const [line, kind] of [...kinds].sort(([a], [b]) => a - b)) {
      const { from, to } = doc.line(line);
      marks.add(from, from, new Mark(kind, null, context, false));
      set.push(Decoration.line({ class: `line-${kind}` }).range(from));
      const changes = heads.get(line);
      if (changes) set.push(Decoration.widget({ widget: new Chip(changes, context), side: 1 }).range(to));
    }
    for (const { after, text: gone, change } of lost) {
      const at = doc.line(Math.max(1, Math.min(after, doc.lines))).to;
      gone.split("\n").forEach((line, number) => {
        set.push(Decoration.widget({ widget: new Ghost(line, change, context, number === 0), side: 2, block: true }).range(at));
      });
    }
    this.view.dispatch({ effects: dress.of({ marks: marks.finish(), decorations: Decoration.set(set, true) }) });
  }

  /** Shows these lines of the text. */
  reveal({ from, to }: Lines, isFocused = true): void {
    const doc = this.view.state.doc;
    spotlight(this.view, doc.line(Math.min(from, doc.lines)).from, doc.line(Math.min(to, doc.lines)).to, isFocused);
  }
}

export { source, subject };
