use super::{Comment, ListTitles, MAX_MARKDOWN, Weight, WeightedList, code, line_diff, tools};

const TITLES: ListTitles = ListTitles {
    lost: "Lost",
    lost_word: "lost",
    changed: "Changed",
    added: "Added",
    without_effect: "Without effect",
};

fn list(entries: &[(Weight, &str, usize)]) -> WeightedList {
    let mut list = WeightedList::default();
    for &(weight, name, details) in entries {
        let line = || format!("- {name}\n");
        list.push(weight, name, line, 0..details, |at| format!("  - detail {at}\n"));
    }
    list
}

fn start() -> Comment {
    Comment::new("a verdict", "1 object changed", &tools(("terraform", "1.11.4"), ("terraform", "1.11.4")))
}

fn footer(tools: &str) -> String {
    format!(
        "\n<sub>overfold {}: from the files alone, without state and providers, by the rules of {tools}</sub>\n",
        env!("CARGO_PKG_VERSION")
    )
}

#[test]
fn the_weighty_comes_first_and_the_rest_is_folded() {
    let list = list(&[
        (Weight::State, "state", 1),
        (Weight::Lost, "lost", 0),
        (Weight::Lost, "also", 2),
        (Weight::Changed, "changed", 1),
        (Weight::Added, "added", 1),
        (Weight::WithoutEffect, "moved", 0),
    ]);
    let mut comment = start();
    comment.weighty(&list, &TITLES);
    comment.light(&list, &TITLES);
    let expected = "### A verdict\n\n1 object changed.\n\n**Place of the state**\n\n- state\n  - detail 0\n\n**Lost**\n\n- lost\n\
         - also\n  - detail 0\n  - detail 1\n\n**Changed**\n\n- changed\n  - detail 0\n\n\
         <details><summary>Added (1)</summary>\n\n- added\n  - detail 0\n\n</details>\n\n\
         <details><summary>Without effect (1)</summary>\n\n- moved\n\n</details>\n";
    assert_eq!(comment.finish(), format!("{expected}{}", footer("`terraform 1.11.4`")));
}

#[test]
fn after_twenty_entries_there_is_a_summary_and_a_fold() {
    let names: Vec<String> = (0..30).map(|at| format!("kind{}", at % 13)).collect();
    let weight = |at: usize| if at < 3 { Weight::Lost } else { Weight::Changed };
    let entries: Vec<_> = names.iter().enumerate().map(|(at, name)| (weight(at), &**name, 0)).collect();
    let (few, many) = (list(&entries[..20]), list(&entries));
    let written = |list: &WeightedList| {
        let mut comment = start();
        comment.summary(&[("", list)], "Kind", &TITLES);
        comment.weighty(list, &TITLES);
        comment.finish()
    };
    assert!(!written(&few).contains('|') && !written(&few).contains("<details>"));
    let text = written(&many);
    assert!(text.contains("\n| Kind | Changes |\n| --- | --- |\n| `kind0` | 1 lost, 2 changed |\n"), "{text}");
    assert!(text.contains("\n| 3 more | |\n"), "{text}");
    assert!(text.contains("\n\n<details><summary>More changes (10)</summary>\n\n- kind7\n"), "{text}");
    assert_eq!(text.matches("\n- kind").count(), 30);
    // Each of several lists is a row.
    let mut comment = start();
    comment.summary(&[("a|`b", &few), ("c", &many)], "Module", &TITLES);
    let text = comment.finish();
    assert!(text.contains("| `c` | 3 lost, 27 changed |\n| ``a\\|`b`` | 3 lost, 17 changed |\n"), "{text}");
}

#[test]
fn tools_that_differ_are_both_named() {
    assert_eq!(tools(("one", "1.5.7"), ("other", "1.9.0")), "`one 1.5.7` → `other 1.9.0`");
}

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn hostile(&mut self) -> String {
        const PIECES: [&str; 14] = [
            "`",
            "```",
            "|",
            "<!--",
            "</details>",
            "@team",
            "#123",
            "](x)",
            "\n",
            "\u{202e}",
            "ä",
            "</sub>",
            "\\",
            "~~~",
        ];
        (0..self.below(30)).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }
}

/// Whatever is in a comment: it is within its limit, what it opens it closes, and it says how much is missing.
#[test]
fn every_comment_is_whole() {
    let mut is_cut = 0;
    for seed in 0..80 {
        let mut numbers = Numbers(seed);
        let mut list = WeightedList::default();
        let size = [1, 5, 40, 200][numbers.below(4)];
        let long = [1, 30, 300][numbers.below(3)];
        let mut weights: Vec<usize> = (0..size).map(|_| numbers.below(5)).collect();
        weights.sort_unstable();
        let all = [Weight::State, Weight::Lost, Weight::Changed, Weight::Added, Weight::WithoutEffect];
        let mut parts = 0;
        for weight in weights {
            let name = code(&numbers.hostile(), 120);
            let details: Vec<String> = (0..numbers.below(6)).map(|_| numbers.hostile().repeat(long)).collect();
            parts += details.len().max(1);
            let detail = |text: String| match line_diff([&text, &format!("{text}\nx\ny")], "    ") {
                Some(lines) => format!("  - {}:\n{lines}", code(&text, 120)),
                None => format!("  - {}\n", code(&text, 120)),
            };
            list.push(all[weight], &name, || format!("- {name}\n"), details.into_iter(), detail);
        }
        let mut comment = start();
        comment.summary(&[("", &list)], "Kind", &TITLES);
        let blocks = (0..numbers.below(2000)).map(|at| format!("moved {{ {at} }}\n"));
        comment.code("Add", &WeightedList::of_lines(blocks));
        comment.weighty(&list, &TITLES);
        let lines = (0..numbers.below(50)).map(|_| format!("- {}\n", code(&"x".repeat(90), 120)));
        comment.lines("Diagnostics", &WeightedList::of_lines(lines), false);
        comment.light(&list, &TITLES);
        let text = comment.finish();
        assert!(text.chars().count() <= MAX_MARKDOWN, "{seed}: {}", text.chars().count());
        is_whole(&text);
        let has_rest = text.contains(" not shown.\n");
        is_cut += usize::from(has_rest);
        let shown = text.lines().filter(|line| line.starts_with("- `") || line.starts_with("  - `")).count();
        assert!(has_rest || shown >= parts, "{seed}: {shown} of {parts}");
        assert!(text.ends_with(&footer("`terraform 1.11.4`")), "{seed}");
    }
    assert!((15..65).contains(&is_cut), "{is_cut}");
}

/// Checks that each fence and each fold is closed, that outside of code no line has markup of a file, and that every entry is a
/// whole one.
fn is_whole(text: &str) {
    let (mut fence, mut depth) = (None::<String>, 0);
    for line in text.lines() {
        let start = line.trim_start();
        if let Some(open) = &fence {
            if start == open {
                fence = None;
            }
            continue;
        }
        let ticks: String = start.chars().take_while(|c| *c == '`').collect();
        if ticks.len() >= 3 && !start.get(ticks.len()..).unwrap().contains('`') {
            fence = Some(ticks);
            continue;
        }
        let plain = without_code(line);
        if plain.starts_with("<details>") {
            depth += 1;
        } else if plain == "</details>" {
            depth -= 1;
        } else {
            let allowed = plain.starts_with("<sub>overfold ") && plain.ends_with("</sub>");
            assert!(allowed || !plain.contains(['<', '@', '\u{202e}', ']', '`']), "{line}");
            assert!(!plain.trim_start().starts_with('#') || plain == "### A verdict", "{line}");
        }
        assert!((0..=1).contains(&depth), "{line}");
    }
    assert_eq!((fence, depth), (None, 0));
}

/// Returns a line without its code spans (GitHub Flavored Markdown, 6.3).
fn without_code(line: &str) -> String {
    let characters: Vec<char> = line.chars().collect();
    let run = |at: usize| characters.iter().skip(at).take_while(|c| **c == '`').count();
    let (mut plain, mut at) = (String::new(), 0);
    while at < characters.len() {
        let ticks = run(at);
        if ticks == 0 {
            plain.push(characters[at]);
            at += 1;
            continue;
        }
        let mut end = at + ticks;
        while end < characters.len() && run(end) != ticks {
            end += run(end).max(1);
        }
        assert!(end < characters.len(), "a code span has no end: {line}");
        plain.push('.');
        at = end + ticks;
    }
    plain
}
