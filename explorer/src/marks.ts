// Describes in words what an override did, and shows the card for it next to a line.

import { button, gone, h, prose } from "./dom.ts";
import type { Change, Range } from "./types.ts";

/** What a card needs from the page. */
export interface Context {
  /** The text of a range in a file. */
  excerpt(range: Range): string;
  jump(range: Range): void;
  /** The sentence that describes a rule of the dialect. */
  rule(change: Change): string | null;
}

/** The subject of a change: the name of the argument or block, otherwise the address. */
export function subject(change: Change): string {
  return change.argument ?? change.block ?? change.address;
}

/** `main.tf:12`. */
export function place(range: Range): string {
  return `${range.filename}:${range.start.line}`;
}

/** The style of a mark. */
export function look(change: Change): "replaced" | "added" | "lost" | "ignored" {
  switch (change.change) {
    case "added": case "object-added": return "added";
    case "removed": return "lost";
    case "ignored": return "ignored";
    default: return "replaced";
  }
}

export const GLYPHS = { replaced: "↻", added: "+", lost: "−", ignored: "○" } as const;
export const WORDS = { replaced: "replaced", added: "added", lost: "lost", ignored: "has no effect" } as const;

/** The source text of one side of a change. */
export function source(context: Context, side: Change["before"]): string {
  if (!side) return "";
  if (side.redacted) return "(sensitive, not shown)";
  return side.expression ?? context.excerpt(side.range);
}

/** The text in one line, shortened. */
export function brief(text: string, most = 48): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** A change as a sentence, for screen readers. */
export function sentence(context: Context, change: Change): string {
  const name = subject(change);
  const before = change.before ? ` ${brief(source(context, change.before), 80)} (${place(change.before.range)})` : "";
  switch (look(change)) {
    case "added": return `${name}: added by ${place(change.cause)}`;
    case "lost": return `${name}: lost${before}, because of ${place(change.cause)}`;
    case "ignored": return `${name}: ${place(change.cause)} has no effect`;
    default: return `${name}: set by ${place(change.cause)}, was${before}`;
  }
}

/** A change with both texts, and buttons that lead to both positions. */
export function card(context: Context, change: Change, withAddress = true): HTMLElement {
  const kind = look(change);
  const before = change.before && source(context, change.before);
  const after = kind === "lost" ? undefined : change.after && source(context, change.after);
  const rule = context.rule(change);
  return h("div", { class: `card ${kind}` },
    h("p", { class: "card-title" },
      h("span", { class: "glyph", "aria-hidden": "true" }, GLYPHS[kind]),
      h("strong", null, subject(change)), " ", h("span", { class: "kind" }, WORDS[kind]),
      withAddress && subject(change) !== change.address && h("span", { class: "address" }, ` ${change.address}`)),
    before !== undefined && h("pre", { class: kind === "ignored" ? "after" : "before" },
      kind === "ignored" ? h("span", { class: "label" }, "Kept ") : h("span", { class: "label" }, kind === "lost" ? "Lost " : "Was "),
      kind === "ignored" ? before : gone(before)),
    after !== undefined && h("pre", { class: kind === "ignored" ? "before" : "after" },
      h("span", { class: "label" }, kind === "ignored" ? "Ignored " : "Now "), after),
    h("p", { class: "jumps" },
      change.before && button(place(change.before.range), () => context.jump(change.before!.range),
        { class: "jump", "aria-label": `Go to ${place(change.before.range)}, the original`, "data-jump": "before" }),
      change.before && h("span", { "aria-hidden": "true" }, kind === "lost" ? " lost because of " : "←"),
      button(place(change.cause), () => context.jump(change.cause),
        { class: "jump", "aria-label": `Go to ${place(change.cause)}, the override`, "data-jump": "after" })),
    rule !== null && h("p", { class: "rule" }, prose(rule)));
}

const bubble = h("div", { class: "bubble", role: "group", "aria-label": "What the override did", hidden: true });
let owner: HTMLElement | null = null;
let timer = 0;

function show(anchor: HTMLElement, context: Context, changes: Change[]): void {
  clearTimeout(timer);
  if (owner === anchor && !bubble.hidden) return;
  owner = anchor;
  bubble.replaceChildren(...changes.slice(0, 12).map((change) => card(context, change)));
  bubble.hidden = false;
  const at = anchor.getBoundingClientRect();
  const size = bubble.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left, innerWidth - size.width - 8));
  const below = at.bottom + 6 + size.height < innerHeight || at.top < size.height + 14;
  bubble.style.left = `${left}px`;
  bubble.style.top = `${Math.max(8, below ? Math.min(at.bottom + 6, innerHeight - size.height - 8) : at.top - size.height - 6)}px`;
}

function hide(): void {
  clearTimeout(timer);
  bubble.hidden = true;
  owner = null;
}

function later(): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => { if (!bubble.contains(document.activeElement)) hide(); }, 250);
}

/** Hides the card if its line is gone. */
export function forget(): void {
  if (!bubble.contains(document.activeElement)) hide();
}

/** Makes a button show its card on hover and on focus; pressing it moves the focus into the card. */
export function explain(anchor: HTMLButtonElement, context: Context, changes: Change[]): void {
  anchor.addEventListener("mouseenter", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => show(anchor, context, changes), 100);
  });
  anchor.addEventListener("mouseleave", later);
  anchor.addEventListener("focus", () => show(anchor, context, changes));
  anchor.addEventListener("blur", later);
  anchor.addEventListener("click", () => {
    show(anchor, context, changes);
    bubble.querySelector<HTMLElement>("button")?.focus();
  });
}

document.body.append(bubble);
bubble.addEventListener("mouseenter", () => clearTimeout(timer));
bubble.addEventListener("mouseleave", later);
bubble.addEventListener("focusout", later);
bubble.addEventListener("click", (event) => { if ((event.target as Element).closest("button")) hide(); });
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || bubble.hidden) return;
  const back = bubble.contains(document.activeElement) ? owner : null;
  hide();
  back?.focus();
  hide();
});
document.addEventListener("scroll", (event) => {
  if (event.target instanceof Node && !bubble.contains(event.target)) forget();
}, true);
