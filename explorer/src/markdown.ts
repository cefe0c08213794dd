// The Markdown of the documents of rules, as far as they use it: paragraphs, lists, tables, code and bold text.

import { h } from "./dom.ts";

/** Text with `code`, **bold** and [links](…), of which the words stay. */
function inline(text: string): Node[] {
  const parts = text.replace(/\s+/g, " ").split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/);
  return parts.filter((part) => part !== "").map((part) => {
    if (part.startsWith("`")) return h("code", null, part.slice(1, -1));
    if (part.startsWith("**")) return h("strong", null, ...inline(part.slice(2, -2)));
    const link = /^\[([^\]]+)\]\(/.exec(part);
    return document.createTextNode(link ? link[1]! : part);
  });
}

function cells(line: string): string[] {
  return line.trim().replace(/^\|/, "").replace(/\|$/, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function table(rows: string[], label: string): HTMLElement {
  const [head = "", , ...body] = rows;
  return h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": label }, h("table", null,
    h("thead", null, h("tr", null, ...cells(head).map((cell) => h("th", { scope: "col" }, ...inline(cell))))),
    h("tbody", null, ...body.map((row) => h("tr", null, ...cells(row).map((cell) => h("td", null, ...inline(cell))))))));
}

/** The elements of a text. `label` names its tables. */
export function markdown(text: string, label: string): HTMLElement[] {
  return text.split(/\n{2,}/).map((block) => {
    const lines = block.split("\n");
    if (lines[0]!.startsWith("|")) return table(lines, label);
    const item = /^(- |\d+\. )/;
    if (!item.test(lines[0]!)) return h("p", null, ...inline(block));
    const items: string[] = [];
    for (const line of lines) {
      if (item.test(line)) items.push(line.replace(item, ""));
      else items[items.length - 1] += ` ${line.trim()}`;
    }
    return h(/^\d/.test(lines[0]!) ? "ol" : "ul", null, ...items.map((text) => h("li", null, ...inline(text))));
  });
}
