//! Requests with secrets in them, generated from a seed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

/// A generator of pseudo-random numbers (xorshift64*): the same seed yields the same requests on every machine.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end
    }

    pub(super) fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A request with the secrets that it contains.
pub(super) struct Bundle {
    pub(super) request: Value,
    /// The secrets that `reveal_sensitive` may show.
    pub(super) sensitive: Vec<String>,
    /// The secrets that must never be shown.
    pub(super) ephemeral: Vec<String>,
}

/// The words that must survive damage: without them a file no longer declares that something is secret, or what.
const KEPT: [&str; 6] = ["sensitive", "ephemeral", "variable", "\"pass\"", "\"token\"", "\"region\""];

struct Maker {
    random: Random,
    sensitive: Vec<String>,
    ephemeral: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sensitive,
    Ephemeral,
}

impl Maker {
    /// Creates a new secret word.
    fn secret(&mut self, kind: Kind) -> String {
        const LETTERS: &[u8] = b"BCDFGHJKMNPQRSTVWXZ";
        let word: String = std::iter::once('Q')
            .chain((0..17).map(|_| char::from(LETTERS[self.random.below(LETTERS.len())])))
            .collect();
        self.keep(kind, word)
    }

    fn digits(&mut self, kind: Kind) -> String {
        let word: String = (0..14).map(|_| char::from(b'1' + self.random.below(9) as u8)).collect();
        self.keep(kind, word)
    }

    fn keep(&mut self, kind: Kind, word: String) -> String {
        match kind {
            Kind::Sensitive => self.sensitive.push(word.clone()),
            Kind::Ephemeral => self.ephemeral.push(word.clone()),
        }
        word
    }

    /// Creates a value in native syntax.
    fn native(&mut self, kind: Kind) -> String {
        match self.random.below(8) {
            0 => self.digits(kind),
            1 => format!("[\"{}\", \"{}\"]", self.secret(kind), self.secret(kind)),
            2 => format!("{{\n    {} = \"{}\"\n  }}", self.secret(kind), self.secret(kind)),
            3 => format!("<<EOT\n{}\nregion = \"{}\"\nEOT", self.secret(kind), self.secret(kind)),
            4 => format!("\"${{{}}}\"", self.secret(kind)),
            5 => format!("upper(\"{}\")", self.secret(kind)),
            _ => format!("\"{}\"", self.secret(kind)),
        }
    }

    fn json(&mut self, kind: Kind) -> Value {
        match self.random.below(6) {
            0 => serde_json::from_str(&self.digits(kind)).unwrap(),
            1 => json!([self.secret(kind), self.secret(kind)]),
            2 => json!({self.secret(kind): self.secret(kind)}),
            3 => json!({"a": {"b": [self.secret(kind)]}}),
            4 => json!(format!("${{{}", self.secret(kind))),
            _ => json!(self.secret(kind)),
        }
    }

    fn type_text(&mut self, kind: Kind) -> String {
        let text = self.random.pick(&[
            "string",
            "number",
            "bool",
            "any",
            "list(string)",
            "list(number)",
            "map(number)",
            "set(bool)",
            "object({a = number})",
            "tuple([number])",
            "OPTIONAL",
            "nonsense",
        ]);
        if text == "OPTIONAL" {
            format!("object({{z = optional(string, \"{}\")}})", self.secret(kind))
        } else {
            text.to_owned()
        }
    }

    fn rules(&mut self, name: &str) -> String {
        let own = format!("var.{name}");
        let condition = match self.random.below(14) {
            0 => format!("tonumber({own}) > 1"),
            1 => format!("jsondecode({own}) == 1"),
            2 => format!("regex({own}, \"x\") == \"x\""),
            3 => format!("file({own}) == \"x\""),
            4 => format!("cidrhost({own}, 1) == \"x\""),
            5 => format!("{own}[\"zz\"] == \"x\""),
            6 => format!("{{a = 1}}[{own}] == 1"),
            7 => format!("{{for x in [1, 2] : {own} => x}} == {{}}"),
            8 => format!("parseint({own}, 10) == 1 || local.copy == 1"),
            9 => format!("templatestring({own}, {{}}) == \"\""),
            10 => own.clone(),
            11 => format!("yamldecode({own}) == 1"),
            12 => format!("local.copy + 1 == 2 && {own} == \"\""),
            _ => format!("{own} == \"nothing\""),
        };
        let message = match self.random.below(5) {
            0 => format!("not good: ${{{own}}}"),
            1 => format!("not good: ${{jsonencode({own})}}"),
            2 => "not good: ${local.copy}".to_owned(),
            3 => format!("not good: ${{nonsensitive({own})}}"),
            _ => "not good".to_owned(),
        };
        format!("  validation {{\n    condition = {condition}\n    error_message = \"{message}\"\n  }}\n")
    }

    /// Creates declarations in native syntax, with flags and defaults in one file or in separate ones.
    fn configuration(&mut self, dialect: &str, files: &mut BTreeMap<String, String>) {
        let mut main = String::from("variable \"region\" {\n  type = string\n  default = \"eu\"\n}\n");
        let mut over = String::new();
        let mut flags = String::new();
        for (name, kind, flag) in [("pass", Kind::Sensitive, "sensitive"), ("token", Kind::Ephemeral, "ephemeral")] {
            let flag = match self.random.below(6) {
                0 => format!("  {flag} = \"maybe\"\n"),
                1 => format!("  {flag} = region\n"),
                _ => format!("  {flag} = true\n"),
            };
            let _ = writeln!(main, "variable \"{name}\" {{");
            if !self.random.one_in(3) {
                let type_text = self.type_text(kind);
                let _ = writeln!(main, "  type = {type_text}");
            }
            let apart = self.random.one_in(3);
            if !apart {
                main.push_str(&flag);
            }
            if !self.random.one_in(3) {
                let value = self.native(kind);
                let word = if self.random.one_in(6) { "defualt" } else { "default" };
                let _ = writeln!(main, "  {word} = {value}");
            }
            if self.random.one_in(12) {
                let value = self.secret(kind);
                let _ = writeln!(main, "  default {{\n    a = \"{value}\"\n  }}");
            }
            if self.random.one_in(2) && dialect != "tflint" {
                let rules = self.rules(name);
                main.push_str(&rules);
            }
            main.push_str("}\n");
            if apart {
                let _ = writeln!(flags, "variable \"{name}\" {{\n{flag}}}");
            }
            if self.random.one_in(4) {
                let value = self.native(kind);
                let _ = writeln!(over, "variable \"{name}\" {{\n  default = {value}\n}}");
            }
            if self.random.one_in(10) {
                let value = self.secret(kind);
                let _ = writeln!(main, "variable \"{name}\" {{\n  default = \"{value}\"\n}}");
            }
        }
        main.push_str("locals {\n  copy = var.pass\n}\n");
        if self.random.one_in(2) {
            main.push_str("module \"m\" {\n  source = \"./${var.pass}\"\n  version = var.pass\n}\n");
        }
        if dialect == "opentofu" && self.random.one_in(3) {
            main.push_str("provider \"p\" {\n  alias = \"x\"\n  for_each = toset([var.pass])\n}\n");
        }
        if dialect == "tflint" || self.random.one_in(4) {
            main.push_str(
                "resource \"a\" \"b\" {\n  for_each = toset([var.pass])\n  x = each.value\n}\n\
                 resource \"a\" \"c\" {\n  count = var.pass\n  y = var.token\n  dynamic \"d\" {\n    for_each = [var.pass, var.token]\n    labels = [d.value]\n    content {\n      z = d.value\n    }\n  }\n}\n",
            );
        }
        files.insert("main.tf".to_owned(), main);
        if !over.is_empty() {
            files.insert("a_override.tf".to_owned(), over);
        }
        if !flags.is_empty() {
            files.insert("flags_override.tf".to_owned(), flags);
        }
    }

    /// Creates declarations in JSON syntax.
    fn json_configuration(&mut self, files: &mut BTreeMap<String, String>) {
        let mut variables = Map::new();
        variables.insert("region".to_owned(), json!({"type": "string", "default": "eu"}));
        for (name, kind, flag) in [("pass", Kind::Sensitive, "sensitive"), ("token", Kind::Ephemeral, "ephemeral")] {
            let mut body = Map::new();
            let flag_value = self.random.pick(&["true", "\"yes\"", "\"${region}\"", "[]"]);
            body.insert(flag.to_owned(), serde_json::from_str(flag_value).unwrap());
            if !self.random.one_in(3) {
                body.insert("default".to_owned(), self.json(kind));
            }
            if !self.random.one_in(3) {
                body.insert("type".to_owned(), json!(self.type_text(kind)));
            }
            if self.random.one_in(8) {
                body.insert("defualt".to_owned(), self.json(kind));
            }
            let own = format!("var.{name}");
            if self.random.one_in(3) {
                let message = format!("bad ${{{own}}}");
                let condition = format!("${{tonumber({own}) == 1}}");
                body.insert("validation".to_owned(), json!([{"condition": condition, "error_message": message}]));
            }
            let body = if self.random.one_in(3) { json!([body]) } else { Value::Object(body) };
            variables.insert(name.to_owned(), body);
        }
        let variables = if self.random.one_in(3) { json!([variables]) } else { Value::Object(variables) };
        let file = json!({"variable": variables, "locals": {"copy": "${var.pass}"}});
        let text =
            if self.random.one_in(2) { file.to_string() } else { serde_json::to_string_pretty(&file).unwrap() };
        files.insert("main.tf.json".to_owned(), text);
    }

    fn definitions(&mut self) -> String {
        let mut text = String::new();
        let mut lines = vec!["region = \"us\"\n".to_owned()];
        for (name, kind) in [("pass", Kind::Sensitive), ("token", Kind::Ephemeral), ("unknown", Kind::Sensitive)] {
            if self.random.one_in(4) {
                continue;
            }
            let value = self.native(kind);
            lines.push(match self.random.below(9) {
                0 => format!("{name} = {value}\n{name} = {value}\n"),
                1 => format!("{name} {{ a = \"{}\" }}\n", self.secret(kind)),
                2 => format!("{name} \"{}\" {{\n}}\n", self.secret(kind)),
                3 => format!("variable \"{name}\" {{\n  default = {value}\n}}\n"),
                _ => format!("{name} = {value}\n"),
            });
        }
        while !lines.is_empty() {
            text.push_str(&lines.remove(self.random.below(lines.len())));
        }
        text
    }

    fn json_definitions(&mut self) -> String {
        let mut file = Map::new();
        file.insert("region".to_owned(), json!("us"));
        for (name, kind) in [("pass", Kind::Sensitive), ("token", Kind::Ephemeral), ("unknown", Kind::Sensitive)] {
            file.insert(name.to_owned(), self.json(kind));
        }
        let text = if self.random.one_in(2) {
            Value::Object(file).to_string()
        } else {
            serde_json::to_string_pretty(&file).unwrap()
        };
        match self.random.below(6) {
            0 => format!("[{text}, \"{}\"]", self.secret(Kind::Sensitive)),
            1 => format!("\"{}\"", self.secret(Kind::Sensitive)),
            2 => text.replacen('{', &format!("{{\"pass\": \"{}\", ", self.secret(Kind::Sensitive)), 1),
            _ => text,
        }
    }

    /// Damages a text in one place, but none of the words that must survive.
    fn damage(&mut self, text: &str) -> String {
        const BITS: [&str; 22] = [
            "\"",
            "{",
            "}",
            "[",
            "]",
            "(",
            ")",
            "=",
            ":",
            ",",
            "\n",
            "<<X\n",
            "/*",
            "${",
            "\\",
            "$",
            "%{",
            "é",
            "\u{0}",
            "@",
            " ",
            "x = \"y\n",
        ];
        for _ in 0..20 {
            let at = self.random.below(text.len().max(1));
            let length = if self.random.one_in(2) { 0 } else { 1 + self.random.below(3) };
            let end = (at + length).min(text.len());
            let (Some(before), Some(after)) = (text.get(..at), text.get(end..)) else { continue };
            // The line of a flag or a header stays intact.
            let from = before.rfind('\n').map_or(0, |at| at + 1);
            let to = after.find('\n').map_or(text.len(), |length| end + length);
            let line = text.get(from..to).unwrap();
            if text.contains('\n') && KEPT.iter().any(|word| line.contains(word)) {
                continue;
            }
            let touches = |word: &&str| {
                text.match_indices(*word).any(|(start, _)| start < end + 1 && at < start + word.len() + 8)
            };
            if KEPT.iter().any(touches) {
                continue;
            }
            let bit = if length == 0 { self.random.pick(&BITS) } else { "" };
            return format!("{before}{bit}{after}");
        }
        text.to_owned()
    }

    /// Returns the beginning of a text.
    fn cut(&mut self, text: &str) -> String {
        let at = self.random.below(text.len().max(1));
        text.get(..text.floor_char_boundary(at)).unwrap().to_owned()
    }

    fn values(&mut self, files: &mut BTreeMap<String, String>) -> Value {
        let mut env = Map::new();
        let mut args = Vec::new();
        for (name, kind) in [("pass", Kind::Sensitive), ("token", Kind::Ephemeral)] {
            if self.random.one_in(3) {
                env.insert(format!("TF_VAR_{name}"), json!(self.native(kind)));
            }
            if self.random.one_in(4) {
                args.push(json!({"var": format!("{name}={}", self.native(kind))}));
            }
            if self.random.one_in(4) {
                args.push(json!({"name": name, "value": self.json(kind)}));
            }
        }
        if self.random.one_in(4) {
            args.push(json!({"var": format!("unknown={}", self.native(Kind::Sensitive))}));
        }
        if self.random.one_in(2) {
            files.insert("terraform.tfvars".to_owned(), self.definitions());
        }
        if self.random.one_in(3) {
            files.insert("x.auto.tfvars.json".to_owned(), self.json_definitions());
        }
        if self.random.one_in(3) {
            files.insert("given.tfvars".to_owned(), self.definitions());
            args.push(json!({"var_file": "given.tfvars"}));
        }
        if self.random.one_in(12) {
            args.push(json!({"var_file": "missing.tfvars"}));
        }
        json!({"env": env, "args": args})
    }
}

/// Creates the request for a seed.
pub(super) fn make(seed: u64, reveal: bool) -> Bundle {
    let mut maker = Maker { random: Random::new(seed), sensitive: Vec::new(), ephemeral: Vec::new() };
    let (dialect, version) = maker.random.pick(&[
        ("terraform", "1.11"),
        ("terraform", "1.5"),
        ("opentofu", "1.11"),
        ("opentofu", "1.8"),
        ("tflint", ""),
    ]);
    let mut files = BTreeMap::new();
    if maker.random.one_in(3) {
        maker.json_configuration(&mut files);
    } else {
        maker.configuration(dialect, &mut files);
    }
    let variables = maker.values(&mut files);
    let names: Vec<String> = files.keys().cloned().collect();
    if !maker.random.one_in(4) {
        for _ in 0..=maker.random.below(2) {
            let name = &names[maker.random.below(names.len())];
            let cut = name.contains("tfvars") && maker.random.one_in(5);
            let damaged = if cut { maker.cut(&files[name]) } else { maker.damage(&files[name]) };
            files.insert(name.clone(), damaged);
        }
    }
    let mut request = json!({
        "files": files, "dialect": dialect, "variables": variables, "reveal_sensitive": reveal,
        "include": ["config", "objects", "variables", "files"],
    });
    if !version.is_empty() {
        request["version"] = json!(version);
    }
    if dialect == "tflint" {
        request["expand"] = json!(maker.random.one_in(2));
    }
    if maker.random.one_in(30) {
        // A request that cannot be read does not quote anything either.
        request["variables"]["args"] = json!({"name": maker.secret(Kind::Sensitive)});
    }
    Bundle { request, sensitive: maker.sensitive, ephemeral: maker.ephemeral }
}
