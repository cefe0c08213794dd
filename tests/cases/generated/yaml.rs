//! Pseudo-random YAML documents: some follow the grammar, and then leave it here and there; others are real documents
//! with edits.

use super::dice::Dice;

/// Scalars, and what looks like one.
#[rustfmt::skip]
const SCALARS: &[&str] = &[
    "a", "b c", "1", "-1", "0x1F", "0o17", "017", "0b11", "1_000", "+0x1F", "-0o17", "1.", ".5", "-.5", "+.5", "1e3",
    "1E-2", ".5p3", "1p3", "0x", "0x_", "+", "-", "_1", "1__0", "-0", "+0", "~", "null", "Null", "yes", "Y", "n",
    "on", "Off", "TRUE", ".inf", "-.INF", ".nan", "+.Inf", "2020-01-01", "2001-2-3 4:5:6.7", "2001-2-3t4:5:6+08:00",
    "2001-12-14T21:59:43.10-05:00", "2001-1-1T1:1:1Z", "2001-13-1", "12:30:45", "<<", "=", "...x", "--- x", "---x",
    "a:b", "a :b", "a #b", "a#b", "?x", "?", "-x", ":x", "::", "\u{e9}", "\u{65e5}\u{672c}", "\u{1f600}", "@x", "`x",
    "%x", "a,b", "[a", "a]", "{b", "a}", "!x", "*x", "&x", "|x", ">x", "\"q\"", "'it''s'", "\"a\\nb\"",
    "\"\\x41\\u00e9\\U0001F600\"", "\"a\\\n  b\"", "\"a\n  b\"", "'a\n\n  b'", "\"a \\\n\\  b\"", "\"\\/\"",
    "\"\\q\"", "\"\"", "''", "\"<<\"", "\"yes\"", "\"1\"", "a\n  b", "a\n\n  b", "a\n # c\n b", "a\u{2028}b",
    "a\u{85}b", "e\u{301}", "1e400", "1e99999999999", "123456789012345678901234567890", "0xFFFFFFFFFFFFFFFF",
    "0xFFFFFFFFFFFFFFFFF", "0o7777777777777777777777", "# c", "a # c", "-", "- ", "!!str", "!!int 1_000",
    "!!int 0b11", "!!int 0x_1F", "!!float 1", "!!int abc", "!!int \"abc\"", "!!int \"3\"", "!!bool yes", "!!bool abc",
    "!!null x", "!!null \"x\"", "!!null \"n\"", "!!timestamp 2001-1-1", "!!timestamp 5", "!!timestamp x",
    "!!binary QQ==", "!!binary QR==", "!!binary QQ", "!!binary \"Q Q=\"", "!!str 1", "!!str", "! 1", "!foo a",
    "!!foo a", "!<tag:yaml.org,2002:str> 1", "!!%73tr 1", "!!str,", "!!map {a: 1}", "!!seq [1]", "!!set {a}",
    "!!omap [a: 1]", "!!seq", "!!map", "!!float Inf", "!!float -inf", "!!float .inf", "!!merge <<", "!!int \"\"",
    "!!int", "!!bool", "&x a", "&x", "*x", "*y", "&x !!str 1", "!!str &x 1", "&x &y a", "&x [1]", "&x {a: 1}",
];

/// Keys: the usual ones first.
#[rustfmt::skip]
const KEYS: &[&str] = &[
    "a", "b", "k", "x y", "1", "true", "\"q\"", "'s'", "&m k", "!!str n", "<<", "\u{e9}", "? a", "?", "\"<<\"", "1_0",
    "0x1", ".5", "null", "~", "2001-1-1", "", "-", "a#b", "a: b", "!!int 5", "*x", "[a]", "{a: 1}", "\"a\n b\"",
    "!!merge <<", "\"a\" ", "a\t", ".inf",
];

/// What a mutation inserts.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "\t", " ", "  ", "\n", "\r\n", "\n ", "\n\t", ":", ": ", "- ", "-", "?", "? ", "#", " #", "[", "]", "{", "}", ",",
    "&x ", "*x", "!", "!!str ", "|", ">", "|\n", "\"", "'", "\\", "---\n", "...\n", "%", "@", "<<: ", "\u{2028}",
    "\u{85}", "\u{feff}", "=", "0", "_",
];

/// Documents as people write them.
const FILES: &[&str] = &[
    include_str!("../../data/yaml/files/alerts.yaml"),
    include_str!("../../data/yaml/files/archetype.json.yaml"),
    include_str!("../../data/yaml/files/compose.yaml"),
    include_str!("../../data/yaml/files/deployment.yaml"),
    include_str!("../../data/yaml/files/landing-zone.yaml"),
    include_str!("../../data/yaml/files/pipeline.yaml"),
    include_str!("../../data/yaml/files/workflow.yaml"),
];

/// The recorded documents.
const RECORDED: &str = include_str!("../../conformance/yamldecode/cases.jsonl");

/// Generates a document.
pub(crate) fn document(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    if dice.once_in(2) {
        return Writer { dice: &mut dice }.document();
    }
    let base = if dice.once_in(3) {
        dice.pick(FILES).to_owned()
    } else if dice.once_in(2) {
        let lines: Vec<&str> = RECORDED.lines().collect();
        let line: serde_json::Value = serde_json::from_str(dice.pick(&lines)).expect("a line is JSON");
        line.get("doc").and_then(serde_json::Value::as_str).expect("a document").to_owned()
    } else {
        Writer { dice: &mut dice }.document()
    };
    mutated(&mut dice, base)
}

/// Changes a document in one to three places.
fn mutated(dice: &mut Dice, mut text: String) -> String {
    for _ in 0..[1, 1, 1, 2, 3][dice.below(5)] {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let place = dice.below(places.len());
        match dice.below(20) {
            0..=9 => text.insert_str(places[place], dice.pick(PIECES)),
            10..=14 => {
                let end = (place + [1, 1, 2, 4][dice.below(4)]).min(places.len() - 1);
                text.replace_range(places[place]..places[end], "");
            }
            15..=17 => {
                let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
                let (line, other) = (dice.below(lines.len()), dice.below(lines.len()));
                match dice.below(3) {
                    0 => {
                        lines[line] =
                            format!("{}{}", dice.pick(&[" ", "  ", "\t", ""]), lines[line].trim_start_matches(' '));
                    }
                    1 => lines[line].insert_str(0, dice.pick(&[" ", "  ", "\t"])),
                    _ => lines.swap(line, other),
                }
                text = lines.join("\n");
            }
            18 => text = text.replace('\n', "\r\n"),
            _ => text.truncate(text.trim_end_matches('\n').len()),
        }
    }
    text
}

/// Writes by the grammar, more or less.
struct Writer<'d> {
    dice: &'d mut Dice,
}

impl Writer<'_> {
    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        self.dice.pick(from)
    }

    fn document(&mut self) -> String {
        let starts = [
            "---\n",
            "--- ",
            "%YAML 1.1\n---\n",
            "%YAML 1.2\n---\n",
            "%TAG !e! tag:yaml.org,2002:\n---\n",
            "%TAG ! tag:yaml.org,2002:\n---\n",
            "# c\n",
            "\n",
            "  \n",
            "%FOO x\n---\n",
            "\u{feff}",
            "--- # c\n",
            "...\n",
            "---\n---\n",
        ];
        let ends = [
            "\n",
            "\n",
            "\n",
            "",
            "\n\n",
            "\n...\n",
            "\n...",
            "\n---\n",
            "\n# c",
            "\n  ",
            "\n\t\n",
            "\n... # c\n",
            "\n---\nx\n",
        ];
        let start = if self.dice.once_in(2) { self.pick(&starts) } else { "" };
        let node = self.node(3, 0);
        format!("{start}{}{}", node.strip_prefix('\n').unwrap_or(&node), self.pick(&ends))
    }

    fn node(&mut self, depth: usize, indent: usize) -> String {
        let mut out = String::new();
        if self.dice.once_in(2) {
            let before = ["&x ", "&y ", "!!str ", "!!map ", "!!seq ", "&x\n", "!!map &x\n", ""];
            out.push_str(self.pick(&before));
            if out.ends_with('\n') {
                out.push_str(&" ".repeat(indent));
            }
        }
        match self.dice.below(20) {
            kind if depth == 0 || kind < 7 => out.push_str(self.pick(SCALARS)),
            7..=9 => out.push_str(&self.block_scalar(indent)),
            10..=11 => out.push_str(&self.flow(3)),
            12..=16 => out.push_str(&self.mapping(depth, indent)),
            _ => out.push_str(&self.sequence(depth, indent)),
        }
        out
    }

    fn mapping(&mut self, depth: usize, indent: usize) -> String {
        let indent = indent + [2, 2, 2, 1, 4, 0, 0][self.dice.below(7)];
        let mut out = self.pick(&["", "", " ", "\t", " # c"]).to_owned();
        for _ in 0..=self.dice.below(4) {
            self.line(indent, &mut out);
            out.push_str(&self.key());
            out.push_str(self.pick(&[":", ":", ": ", ": ", ":  ", ":\t", " :", " : ", "", ":x"]));
            out.push_str(self.pick(&["", " ", " "]));
            let inner = indent + [2, 2, 0][self.dice.below(3)];
            out.push_str(&self.node(depth - 1, inner));
        }
        out
    }

    fn sequence(&mut self, depth: usize, indent: usize) -> String {
        let indent = indent + [2, 2, 0, 1, 4][self.dice.below(5)];
        let mut out = String::new();
        let begins_here = self.dice.below(5) < 2;
        for entry in 0..=self.dice.below(4) {
            if entry > 0 || !begins_here {
                self.line(indent, &mut out);
            }
            out.push_str(self.pick(&["- ", "- ", "- ", "-\t", "-", "-  "]));
            out.push_str(&self.node(depth - 1, indent + 2));
        }
        out
    }

    /// Begins a line, behind something that is none sometimes.
    fn line(&mut self, indent: usize, out: &mut String) {
        out.push('\n');
        if self.dice.once_in(2) {
            let between = ["", "", "", "\n", "  \n", "# c\n", "\t\n", " \t# c\n", "\r\n", "...\n", "---\n"];
            out.push_str(self.pick(&between));
        } else if self.dice.once_in(10) {
            out.extend([" ".repeat(indent).as_str(), "# c\n"]);
        }
        out.push_str(&" ".repeat(indent));
    }

    fn key(&mut self) -> String {
        let most = [4, 12, KEYS.len()][self.dice.below(3)];
        self.pick(&KEYS[..most]).to_owned()
    }

    fn block_scalar(&mut self, indent: usize) -> String {
        let headers = [
            "", "", "", "-", "+", "1", "2", "3", "4", "2-", "+1", "-2", "0", "9", "1+", "22", " ", "\t", " # c",
            "#c", "- # c", " x",
        ];
        let lines = [
            "text", "a  b", "more: x", "# h", "- i", "", "", "  ", "\t", "\tt", "'q'", "yes", "1", "...", "---",
            "<<", "a ", "%x",
        ];
        let mut out = format!("{}{}", self.pick(&["|", ">"]), self.pick(&headers));
        for _ in 0..self.dice.below(6) {
            let columns = [indent, indent, indent, indent + 1, indent + 2, indent.saturating_sub(1), 0];
            let column = columns[self.dice.below(columns.len())];
            out.extend(["\n", &" ".repeat(column), self.pick(&lines)]);
        }
        out
    }

    fn flow(&mut self, depth: usize) -> String {
        match self.dice.below(10) {
            kind if depth == 0 || kind < 4 => self.pick(SCALARS).to_owned(),
            4..=6 => {
                let mut out = format!("[{}", self.space());
                for entry in 0..self.dice.below(5) {
                    if entry > 0 {
                        out.extend([",", self.space()]);
                    }
                    out.push_str(self.pick(&["", "", "", "? "]));
                    out.push_str(&self.flow(depth - 1));
                    match self.dice.below(6) {
                        0 => out.push_str(self.space()),
                        1 => out.extend([": ", &self.flow(depth - 1)]),
                        2 => out.extend([":", &self.flow(depth - 1)]),
                        _ => {}
                    }
                }
                format!(
                    "{out}{}{}{}",
                    self.pick(&["", "", ",", ", ,"]),
                    self.space(),
                    self.pick(&["]", "]", "]", "]", "}", ""])
                )
            }
            _ => {
                let mut out = format!("{{{}", self.space());
                for entry in 0..self.dice.below(5) {
                    if entry > 0 {
                        out.extend([",", self.space()]);
                    }
                    out.push_str(self.pick(&["", "", "", "? ", "?"]));
                    out.push_str(&if self.dice.once_in(3) { self.flow(depth - 1) } else { self.key() });
                    out.push_str(self.pick(&[": ", ": ", ":", " : ", "", ":\n ", "\t: "]));
                    if self.dice.once_in(2) {
                        out.push_str(&self.flow(depth - 1));
                    }
                    out.push_str(self.space());
                }
                format!("{out}{}{}", self.pick(&["", "", ","]), self.pick(&["}", "}", "}", "}", "]", ""]))
            }
        }
    }

    fn space(&mut self) -> &'static str {
        self.pick(&["", "", " ", " ", "\n", "\n ", "\n  ", "\t", " # c\n", "\n\t", "\r\n"])
    }
}
