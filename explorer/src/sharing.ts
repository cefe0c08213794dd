// The buttons that copy: the link, and the same request as a shell command.

import { copy } from "./copy.ts";
import { byId } from "./dom.ts";
import { command, curl } from "./request.ts";
import { ask } from "./service.ts";
import { withPlace } from "./share.ts";
import { state } from "./state.ts";
import { toast } from "./toast.ts";

const base = new URL("..", import.meta.url).href;

/** Connects the buttons; `at` gives the file and the line of the cursor. */
export function showShare(at: () => { path: string; line: number }): void {
  byId("copy-link").addEventListener("click", async () => {
    const fragment = await ask("fragment", state.input);
    if (fragment === null) toast("These files are too large for a link. Copy the curl command instead.");
    else await copy(new URL(`#${withPlace(fragment, at().path, at().line)}`, location.href).href, "Link to this line copied. It contains your files and values, in the part after # that browsers never send.");
  });
  byId("copy-curl").addEventListener("click", () => copy(curl(state.input, base, state.hasToken), "curl command copied."));
  byId("copy-command").addEventListener("click", () =>
    copy(command(state.input), "Command copied. Run it in the folder that contains these files."));
}
