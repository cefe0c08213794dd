// Copies a text, or shows it where the browser does not allow that.

import { button, h } from "./dom.ts";
import { toast } from "./toast.ts";

/** Copies the text, and says so with `what`. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(what);
  } catch {
    // A page that was loaded neither over TLS nor from this machine may not write to the clipboard.
    const area = h("textarea", { "aria-label": "Text to copy", rows: "12", readonly: true }, text);
    const dialog = h("dialog", null, h("p", null, "The browser does not allow this page to copy. Here is the text:"), area,
      button("Close", () => dialog.close()));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    area.select();
  }
}
