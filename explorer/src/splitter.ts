// The line between the files and the result, which can be moved. Its place is kept in this browser.

import { byId } from "./dom.ts";

const KEY = "overfold-split";
/** The part of the width that the files can have, in percent, and how far a key moves the line. */
const LEAST = 20;
const MOST = 80;
const STEP = 2;
const MIDDLE = 50;

/** Makes the line movable, with the pointer and with the arrow keys; a double click puts it back. */
export function splitter(): void {
  const line = byId("splitter");
  const main = line.parentElement!;
  const set = (percent: number, isKept = true) => {
    const at = Math.round(Math.max(LEAST, Math.min(MOST, percent)));
    main.style.setProperty("--files", `${at}fr`);
    main.style.setProperty("--result", `${100 - at}fr`);
    line.setAttribute("aria-valuenow", String(at));
    if (!isKept) return;
    // A browser may forbid to keep anything.
    try { localStorage.setItem(KEY, String(at)); } catch { /* It stays until the page is closed. */ }
  };
  let kept: string | null = null;
  try { kept = localStorage.getItem(KEY); } catch { /* Nothing is kept. */ }
  if (kept !== null && Number.isFinite(Number(kept))) set(Number(kept), false);
  const now = () => Number(line.getAttribute("aria-valuenow"));
  line.addEventListener("pointerdown", (event) => {
    line.setPointerCapture(event.pointerId);
    event.preventDefault();
    line.focus();
  });
  line.addEventListener("pointermove", (event) => {
    if (!line.hasPointerCapture(event.pointerId)) return;
    const { left, width } = main.getBoundingClientRect();
    set((event.clientX - left) / width * 100);
  });
  line.addEventListener("dblclick", () => set(MIDDLE));
  line.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: now() - STEP, ArrowRight: now() + STEP, Home: LEAST, End: MOST }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    set(to);
  });
}
