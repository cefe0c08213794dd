// Colours for native syntax: a line-by-line reader that knows strings with templates, heredocs and comments.

import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

interface State {
  /** What has been opened and not closed: a string, or a template in one with the number of its open braces. */
  open: ("text" | number)[];
  heredoc: string | null;
  inComment: boolean;
  /** Whether only names have been seen on this line so far. */
  atStart: boolean;
}

function inText(stream: StringStream, state: State): string {
  while (!stream.eol()) {
    if (stream.match(/^(\$\$|%%)\{/)) continue;
    if (stream.match(/^[$%]\{/, false)) {
      if (stream.current() !== "") return "string";
      stream.match(/^[$%]\{~?/);
      state.open.push(1);
      return "brace";
    }
    const char = stream.next();
    if (state.heredoc !== null && state.open.length === 0) continue;
    if (char === "\\") stream.next();
    else if (char === "\"") { state.open.pop(); return "string"; }
  }
  if (state.heredoc === null) state.open.pop();
  return "string";
}

export const hcl = StreamLanguage.define<State>({
  name: "hcl",
  startState: () => ({ open: [], heredoc: null, inComment: false, atStart: true }),
  copyState: (state) => ({ ...state, open: [...state.open] }),
  token(stream, state) {
    if (stream.sol()) state.atStart = state.open.length === 0;
    const top = state.open[state.open.length - 1];
    if (state.inComment) {
      if (stream.skipTo("*/")) { stream.match("*/"); state.inComment = false; } else stream.skipToEnd();
      return "comment";
    }
    if (state.heredoc !== null && top === undefined) {
      if (stream.sol() && stream.string.trim() === state.heredoc) {
        stream.skipToEnd();
        state.heredoc = null;
        return "string";
      }
      return inText(stream, state);
    }
    if (top === "text") return inText(stream, state);
    if (stream.eatSpace()) return null;
    if (stream.match(/^(#|\/\/)/)) { stream.skipToEnd(); return "comment"; }
    if (stream.match("/*")) { state.inComment = true; return "comment"; }
    const heredoc = stream.match(/^<<[-~]?([\w-]+)\s*$/) as RegExpMatchArray | null;
    if (heredoc) { state.heredoc = heredoc[1] ?? ""; return "string"; }
    if (stream.eat("\"")) {
      state.open.push("text");
      return inText(stream, state);
    }
    if (stream.match(/^\d[\d.]*([eE][-+]?\d+)?/)) { state.atStart = false; return "number"; }
    if (stream.match(/^(true|false|null)\b/)) { state.atStart = false; return "atom"; }
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_-]*/u)) {
      const starts = state.atStart;
      state.atStart = false;
      if (stream.match(/^\s*=(?![=>])/, false)) return "propertyName";
      if (stream.match(/^\s*\(/, false)) return "callee";
      if (starts && stream.match(/^(\s+"[^"]*"|\s+[\p{L}_][\p{L}\p{N}_-]*)*\s*\{/u, false)) return "keyword";
      if (/^(for|in|if|else|endif|endfor)$/.test(stream.current())) return "keyword";
      return "variableName";
    }
    const char = stream.next();
    if (typeof top === "number" && (char === "{" || char === "}")) {
      const left = char === "{" ? top + 1 : top - 1;
      if (left === 0) state.open.pop(); else state.open[state.open.length - 1] = left;
      return "brace";
    }
    if (char && "{}[]()".includes(char)) {
      if (char === "{") state.atStart = true;
      return "brace";
    }
    return "operator";
  },
  languageData: {
    commentTokens: { line: "#", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{", "\""] },
    indentOnInput: /^\s*[}\])]$/,
  },
  tokenTable: { callee: tags.function(tags.variableName) },
});

/** The same few colours for native and JSON syntax; the page's style sheet defines them. */
export const colours = syntaxHighlighting(HighlightStyle.define([
  { tag: tags.comment, color: "var(--syntax-comment)", fontStyle: "italic" },
  { tag: tags.keyword, color: "var(--syntax-keyword)" },
  { tag: tags.string, color: "var(--syntax-text)" },
  { tag: [tags.number, tags.atom, tags.bool, tags.null], color: "var(--syntax-number)" },
  { tag: tags.propertyName, color: "var(--syntax-name)" },
  { tag: tags.function(tags.variableName), color: "var(--syntax-call)" },
  { tag: [tags.operator, tags.brace, tags.punctuation], color: "var(--syntax-quiet)" },
]));
