// A list of which only the rows in view are in the page, since an answer may have tens of thousands of them.

import { button, counted, h } from "./dom.ts";
import { copy } from "./copy.ts";

/** A row, drawn when it comes into view. */
export interface Row {
  /** The heading that rows in sequence share. */
  group?: string;
  draw(): HTMLElement;
  /** The row in plain text, for the filter and for copying. */
  text(): string;
}

/** How far beyond the view rows are drawn, in pixels: the next one must exist before Tab can reach it. */
const BEYOND = 500;
/** The height of a row that has not been drawn yet, in pixels. */
const GUESS = 96;
/** Up to how many rows all are drawn. With more there is a filter: the browser's own search sees only what is in view. */
const MANY = 40;
/** How many rows are printed. */
const PRINTED = 1000;

/** A row of a list, with the heading of its group if it is the first of it. */
function rowAt(rows: Row[], at: number): HTMLElement {
  const row = rows[at]!;
  const heads = row.group !== undefined && row.group !== rows[at - 1]?.group;
  return h("div", { class: "row", role: "listitem", "aria-setsize": rows.length, "aria-posinset": at + 1 },
    heads && h("h2", { class: "address-head" }, row.group), row.draw());
}

class List {
  readonly body: HTMLElement;
  private shown: Row[];
  private heights: Float64Array;
  /** Where each row begins, and, last, where the list ends. */
  private tops: Float64Array;
  private readonly drawn = new Map<number, HTMLElement>();
  private isFlat = false;

  constructor(private readonly rows: Row[], label: string) {
    this.body = h("div", { class: "rows", role: "list", "aria-label": label });
    this.shown = rows;
    this.heights = new Float64Array(0);
    this.tops = new Float64Array(1);
    this.reset();
    const update = () => { if (this.body.isConnected) this.update(); else stop(); };
    const print = () => { if (this.body.isConnected) this.flatten(true); };
    const printed = () => { if (this.body.isConnected) this.flatten(false); };
    const sizes = new ResizeObserver(update);
    const stop = () => {
      document.removeEventListener("scroll", update, true);
      removeEventListener("beforeprint", print);
      removeEventListener("afterprint", printed);
      sizes.disconnect();
    };
    document.addEventListener("scroll", update, { capture: true, passive: true });
    addEventListener("beforeprint", print);
    addEventListener("afterprint", printed);
    this.body.addEventListener("focusin", update);
    // Reports the list when it is first shown, and whenever the panel becomes wider, narrower or visible.
    sizes.observe(this.body);
  }

  get count(): number { return this.shown.length; }

  /** Shows only rows that contain every one of these words. */
  filter(words: string[]): void {
    this.shown = words.length === 0 ? this.rows : this.rows.filter((row) => {
      const text = `${row.group ?? ""} ${row.text()}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    this.reset();
    this.update();
  }

  /** The rows as text, each group with its heading. */
  text(): string {
    let last: string | undefined;
    return this.shown.map((row) => {
      const head = row.group !== undefined && row.group !== last ? `${row.group}\n` : "";
      last = row.group;
      return `${head}${row.text()}\n`;
    }).join("");
  }

  private reset(): void {
    this.drawn.clear();
    this.body.replaceChildren();
    this.heights = new Float64Array(this.shown.length).fill(GUESS);
    this.measure();
  }

  private measure(): void {
    const tops = new Float64Array(this.shown.length + 1);
    for (let at = 0; at < this.shown.length; at += 1) tops[at + 1] = tops[at]! + this.heights[at]!;
    this.tops = tops;
    this.body.style.height = `${tops[this.shown.length]}px`;
  }

  /** The row at a height. */
  private find(height: number): number {
    let low = 0;
    let high = this.shown.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.tops[middle]! <= height) low = middle; else high = middle;
    }
    return low;
  }

  /** Has exactly these rows in the page, and the one with the focus with its neighbours: Tab leads to them. */
  private keep(first: number, last: number): void {
    const wanted = new Set<number>();
    for (let at = first; at <= last; at += 1) wanted.add(at);
    const focused = document.activeElement?.closest<HTMLElement>(".row");
    if (focused && focused.parentElement === this.body) {
      const middle = Number(focused.getAttribute("aria-posinset")) - 1;
      for (let at = Math.max(0, middle - 3); at <= Math.min(middle + 3, this.shown.length - 1); at += 1) wanted.add(at);
    }
    for (const [at, element] of this.drawn) {
      if (wanted.has(at)) continue;
      element.remove();
      this.drawn.delete(at);
    }
    const after = [...this.drawn].sort(([a], [b]) => a - b);
    let next = 0;
    for (const at of [...wanted].sort((a, b) => a - b)) {
      while (next < after.length && after[next]![0] <= at) next += 1;
      if (this.drawn.has(at)) continue;
      const element = rowAt(this.shown, at);
      this.body.insertBefore(element, after[next]?.[1] ?? null);
      this.drawn.set(at, element);
    }
  }

  private update(): void {
    const panel = this.body.closest<HTMLElement>(".panel");
    if (this.isFlat || !panel || panel.hidden || this.shown.length === 0) return;
    // Rows that are drawn turn out higher or lower than expected, so others come into view.
    for (let round = 0; round < 4; round += 1) {
      const port = panel.getBoundingClientRect();
      const top = this.body.getBoundingClientRect().top;
      const seen = Math.max(port.top, 0) - top;
      const end = Math.min(port.bottom, innerHeight) - top;
      this.keep(this.find(seen - BEYOND), this.find(Math.max(seen, end) + BEYOND));
      const anchor = this.find(seen);
      const before = this.tops[anchor]!;
      const scroller = panel.scrollHeight > panel.clientHeight ? panel : document.scrollingElement ?? panel;
      const isAtEnd = scroller.scrollTop > 0 && scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
      let isSame = true;
      for (const [at, element] of this.drawn) {
        const height = element.offsetHeight;
        if (height !== this.heights[at]) {
          this.heights[at] = height;
          isSame = false;
        }
      }
      if (!isSame) this.measure();
      for (const [at, element] of this.drawn) element.style.top = `${this.tops[at]}px`;
      if (isSame) return;
      const moved = this.tops[anchor]! - before;
      if (isAtEnd) scroller.scrollTop = scroller.scrollHeight;
      else if (moved !== 0) scroller.scrollTop += moved;
    }
  }

  /** Puts the rows into the flow of the page, so that they can be printed. */
  private flatten(isFlat: boolean): void {
    this.isFlat = isFlat;
    this.body.classList.toggle("flat", isFlat);
    if (isFlat) this.keep(0, Math.min(this.shown.length, PRINTED) - 1);
    else this.update();
  }
}

/** A list of rows; if there are many, with a filter, and a button that copies all of them. */
export function rowList(rows: Row[], label: string): HTMLElement {
  if (rows.length <= MANY) {
    return h("div", { class: "rows flat", role: "list", "aria-label": label }, ...rows.map((_, at) => rowAt(rows, at)));
  }
  const list = new List(rows, label);
  const count = h("span", { class: "hint", role: "status" }, counted(rows.length, "entry", "entries"));
  let timer = 0;
  const input = h("input", { type: "search", placeholder: "Filter", "aria-label": `Filter: ${label}`, "data-key": "filter", on: {
    input: () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        list.filter(input.value.toLowerCase().split(/\s+/).filter((word) => word !== ""));
        count.textContent = list.count === rows.length ? counted(rows.length, "entry", "entries")
          : `${list.count.toLocaleString("en")} of ${counted(rows.length, "entry", "entries")}`;
      }, 120);
    },
  } });
  const all = button("Copy as text", () => void copy(list.text(), "Copied."), { class: "button quiet", "data-key": "copy-rows" });
  return h("div", { class: "row-list" }, h("p", { class: "row-tools" }, input, " ", count, " ", all), list.body);
}

