// Creates elements. Text always stays text: nothing here parses markup.

type Child = Node | string | null | false | undefined;
type Props = { [name: string]: unknown } & { class?: string; on?: Record<string, (event: never) => void> };

/** Creates an element with its attributes, listeners (`on`) and children. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name, props: Props | null = null, ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "on") {
      for (const [event, listener] of Object.entries(value as Record<string, EventListener>)) {
        element.addEventListener(event, listener);
      }
    } else if (key === "value") (element as unknown as HTMLInputElement).value = String(value);
    else if (key === "checked") (element as unknown as HTMLInputElement).checked = true;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== false && child !== undefined));
  return element;
}

/** A sentence from the service; text between backticks is code. */
export function prose(text: string): HTMLSpanElement {
  const parts = text.split("`");
  // With an odd number of backticks, they are literal.
  if (parts.length % 2 === 0) return h("span", null, text);
  return h("span", null, ...parts.map((part, at) => at % 2 === 1 ? h("code", null, part) : part));
}

/** The lines of a removed text: struck through, except for their indentation. */
export function gone(text: string): HTMLSpanElement {
  return h("span", null, ...text.split("\n").flatMap((line, at) => {
    const rest = line.trimStart();
    return [`${at > 0 ? "\n" : ""}${line.slice(0, line.length - rest.length)}`, h("del", null, rest)];
  }));
}

/** The element of the page with this id. */
export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as Kind;
}

/** A button that looks like a button, or like a link (`quiet`). */
export function button(text: string, run: () => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", class: "button", ...props, on: { click: run, ...props.on } }, text);
}

/** `1 file`, `2 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Replaces the children of an element, keeping the focus on the element with the same `data-key`. */
export function refill(parent: HTMLElement, ...children: Child[]): void {
  const focused = parent.contains(document.activeElement)
    ? (document.activeElement as HTMLElement).closest<HTMLElement>("[data-key]")?.dataset.key : undefined;
  parent.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)));
  if (focused !== undefined) parent.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}
