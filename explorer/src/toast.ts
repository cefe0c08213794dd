// A short message at the edge of the page, with an action.

import { button, byId } from "./dom.ts";

let timer = 0;

/** Shows what has happened; `run` is the action of the button. */
export function toast(text: string, label?: string, run?: () => void): void {
  const place = byId("toast");
  const done = () => { place.replaceChildren(); place.classList.remove("is-shown"); };
  place.replaceChildren(text);
  if (label && run) place.append(" ", button(label, () => { done(); run(); }, { class: "jump" }));
  place.classList.add("is-shown");
  clearTimeout(timer);
  timer = window.setTimeout(done, 8000);
}
