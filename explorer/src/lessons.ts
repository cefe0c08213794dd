// Lessons in override rules: small modules, each with what to look at in it, and the rule.

import { byId, button, h, prose, refill } from "./dom.ts";
import type { Page } from "./main.ts";
import { markdown } from "./markdown.ts";
import { look, place, subject, WORDS } from "./marks.ts";
import { NOTHING, state, type Lesson } from "./state.ts";
import type { Range } from "./types.ts";

/** Whether an entry has all of these members. */
function has(entry: object, wanted: object): boolean {
  return Object.entries(wanted).every(([name, value]) => (entry as { [name: string]: unknown })[name] === value);
}

/** What a lesson shows, as the answer has it: in words, and where. */
function shown({ shows }: Lesson): { text: string; range: Range }[] {
  const { merged } = state;
  return shows.flatMap((promise) => {
    if ("override" in promise) {
      const found = merged?.changes.find((change) => has(change, promise.override));
      if (!found) return [];
      return [{ text: `${subject(found)} ${WORDS[look(found)]}`, range: (look(found) === "lost" && found.before?.range) || found.cause }];
    }
    const found = merged?.diagnostics.find((row) => has(row, promise.diagnostic));
    return found?.range ? [{ text: found.summary, range: found.range }] : [];
  });
}

export class Lessons {
  private all: Lesson[] = [];
  /** Whether the rule is open; it stays so from lesson to lesson. */
  private isOpen = false;

  constructor(private readonly page: Page) {
    byId("lessons").addEventListener("click", () => this.start(this.all[0]));
  }

  /** Takes the lessons, and returns them as choices. */
  take(all: Lesson[]): HTMLElement {
    this.all = all;
    return h("optgroup", { label: "Lessons: rules of overrides" },
      ...all.map(({ name, title }) => h("option", { value: `lesson ${name}` }, title.replaceAll("`", ""))));
  }

  /** Opens the lesson of a choice; returns whether it is one. */
  choose(value: string): boolean {
    const found = this.all.find(({ name }) => value === `lesson ${name}`);
    this.start(found);
    return found !== undefined;
  }

  private start(lesson: Lesson | undefined): void {
    if (!lesson) return;
    this.page.replaceInput({ ...NOTHING, files: { ...lesson.files } }, `Opened lesson ${this.all.indexOf(lesson) + 1}.`);
    state.lesson = lesson;
    this.page.show(lesson.view ?? "merged");
    this.show();
  }

  /** Shows the lesson whose files are open, if there is one. */
  show(): void {
    const bar = byId("lesson");
    const { lesson, merged } = state;
    bar.hidden = lesson === null;
    if (!lesson) return;
    const at = this.all.indexOf(lesson);
    const links = shown(lesson);
    const step = (text: string, to: number, key: string) =>
      button(text, () => this.start(this.all[to]), { "data-key": key, disabled: to < 0 || to >= this.all.length });
    const rule = h("details", { class: "rule-text", open: this.isOpen },
      h("summary", { "data-key": "lesson rule" }, `The rule: docs/rules/${lesson.rule.document}, section ${lesson.rule.section} (${lesson.rule.heading})`),
      h("div", { class: "rule-body", tabindex: "0", role: "region", "aria-label": `Section ${lesson.rule.section}` },
        ...markdown(lesson.rule.text, lesson.rule.heading)));
    rule.addEventListener("toggle", () => { this.isOpen = rule.open; });
    refill(bar,
      h("div", { class: "lesson-head" },
        h("h2", null, h("span", { class: "hint" }, `Lesson ${at + 1} of ${this.all.length} `), lesson.title),
        h("div", { class: "lesson-steps" }, step("Previous", at - 1, "lesson previous"), step("Next", at + 1, "lesson next"),
          button("Close", () => {
            state.lesson = null;
            this.show();
          }, { class: "button quiet", "data-key": "lesson close" }))),
      h("p", { class: "lesson-text" }, prose(lesson.text)),
      h("p", { class: "jumps" }, links.length > 0 && h("span", null, "Look at: "),
        ...links.flatMap(({ text, range }, index) => [
          button(place(range), () => this.page.jump(range), { class: "jump", "data-key": `lesson ${index}` }),
          h("span", null, `${text}${index + 1 < links.length ? "," : ""}`)]),
        merged !== null && links.length === 0 && "The files have been changed, and do not show this any more."),
      rule);
  }
}
