//! Brings a value of the written configuration into a normal form in which equivalent values are equal: white space,
//! line breaks and comments inside interpolations are ignored, and numbers are compared by value.

use super::super::config::Form;
use overfold_base::account;
use overfold_value::Number;
use overfold_value::json::write_text;

/// How a value is normalised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// How its strings are read.
    pub(super) form: Form,
    /// Whether an array with one object is equivalent to that object: two ways to write one block.
    pub(super) unfolds: bool,
}

/// Returns the normal form of a JSON text.
pub(super) fn normal(text: &[u8], reading: Reading) -> Vec<u8> {
    /// An array or object that has not ended yet.
    struct Open {
        at: usize,
        items: usize,
        is_array: bool,
    }
    account::touch(text.len());
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => {
                let end = string_end(text, at);
                let string: String =
                    serde_json::from_slice(text.get(at..end).unwrap_or_default()).unwrap_or_default();
                let mut quoted = String::new();
                write_text(&normalized(&string, reading.form), &mut quoted);
                out.extend_from_slice(quoted.as_bytes());
                at = end;
                continue;
            }
            b'{' | b'[' => {
                open.push(Open { at: out.len(), items: 1, is_array: byte == b'[' });
                out.push(byte);
            }
            b'}' | b']' => {
                let closed = open.pop();
                let alone = closed.filter(|closed| {
                    reading.unfolds && closed.is_array && closed.items == 1 && out.get(closed.at + 1) == Some(&b'{')
                });
                match alone {
                    Some(array) => {
                        account::touch(out.len() - array.at);
                        out.remove(array.at);
                    }
                    None => out.push(byte),
                }
            }
            b',' => {
                if let Some(open) = open.last_mut() {
                    open.items += 1;
                }
                out.push(byte);
            }
            b'0'..=b'9' | b'-' => {
                let rest = text.get(at..).unwrap_or_default();
                let length = rest.iter().position(|byte| b",]}".contains(byte)).unwrap_or(rest.len());
                out.extend_from_slice(&number(rest.get(..length).unwrap_or_default()));
                at += length;
                continue;
            }
            _ => out.push(byte),
        }
        at += 1;
    }
    out
}

/// Returns the digits of a number's value, or the text itself if it is not a plain number.
fn number(digits: &[u8]) -> Vec<u8> {
    let is_whole = digits.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(digits).ok().filter(|_| !is_whole);
    let value = text.and_then(|text| Number::parse(text).ok()).filter(|value| !value.is_zero());
    value.and_then(|value| value.to_text().ok()).map_or_else(|| digits.to_vec(), String::into_bytes)
}

/// Returns the offset after a string that begins at `at`.
fn string_end(text: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'\\' => at += 1,
            b'"' => break,
            _ => {}
        }
    }
    at.min(text.len())
}

/// Returns a string without its insignificant parts.
pub(super) fn normalized(text: &str, form: Form) -> String {
    let from = match form {
        Form::Literal => return text.to_owned(),
        Form::Template if !text.contains("${") && !text.contains("%{") => return text.to_owned(),
        Form::Template => Enclosing::Template,
        Form::Bare => Enclosing::Expression,
    };
    account::touch(text.len());
    let mut squeezer = Normalizer {
        text,
        at: 0,
        out: String::with_capacity(text.len()),
        around: vec![from],
        blank: false,
        comma: false,
    };
    squeezer.run();
    squeezer.out
}

/// What a character is enclosed by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Enclosing {
    /// A template at the top level.
    Template,
    /// A quoted template.
    Quotes,
    /// An expression at the top level.
    Expression,
    /// `${…}` or `%{…}`.
    Sequence,
    /// Parentheses, square brackets, or the braces of a `for`: line breaks are insignificant.
    Brackets,
    /// The braces of an object: a line break ends an item, like a comma.
    Object,
}

struct Normalizer<'t> {
    text: &'t str,
    at: usize,
    out: String,
    around: Vec<Enclosing>,
    /// Whether there was white space since the last token.
    blank: bool,
    /// Whether there was a comma since then, or a line break that acts as one.
    comma: bool,
}

impl Normalizer<'_> {
    fn run(&mut self) {
        while let Some(rest) = self.text.get(self.at..).filter(|rest| !rest.is_empty()) {
            match self.around.last() {
                None => {
                    self.out.push_str(rest);
                    return;
                }
                Some(Enclosing::Template | Enclosing::Quotes) => self.literal(rest),
                Some(_) if is_heredoc(rest) => {
                    // White space is significant in a heredoc.
                    self.before(rest);
                    self.out.push_str(rest);
                    return;
                }
                Some(&around) => self.token(rest, around),
            }
        }
    }

    /// Copies this many bytes verbatim.
    fn take(&mut self, rest: &str, length: usize) {
        self.out.push_str(rest.get(..length).unwrap_or(rest));
        self.at += length;
    }

    fn literal(&mut self, rest: &str) {
        let quoted = self.around.last() == Some(&Enclosing::Quotes);
        if rest.starts_with("$${") || rest.starts_with("%%{") {
            self.take(rest, 3);
        } else if rest.starts_with("${") || rest.starts_with("%{") {
            self.take(rest, 2);
            self.around.push(Enclosing::Sequence);
            (self.blank, self.comma) = (false, false);
        } else if quoted && rest.starts_with('\\') {
            let escaped = rest.chars().nth(1).map_or(0, char::len_utf8);
            self.take(rest, 1 + escaped);
        } else {
            if quoted && rest.starts_with('"') {
                self.around.pop();
            }
            self.take(rest, rest.chars().next().map_or(1, char::len_utf8));
        }
    }

    fn token(&mut self, rest: &str, around: Enclosing) {
        let first = rest.chars().next().unwrap_or(' ');
        let comment = rest.starts_with('#') || rest.starts_with("//");
        if rest.starts_with("/*") {
            self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            self.blank = true;
        } else if comment {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if first.is_whitespace() {
            self.at += first.len_utf8();
            self.blank = true;
            self.comma |= first == '\n' && around == Enclosing::Object;
        } else if first == ',' {
            self.at += 1;
            self.comma = true;
        } else if matches!(first, ')' | ']' | '}') {
            // A trailing comma is insignificant.
            self.comma = false;
            self.before(rest);
            self.around.pop();
            self.take(rest, 1);
        } else {
            self.before(rest);
            let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            match first {
                '"' => self.around.push(Enclosing::Quotes),
                '(' | '[' => self.around.push(Enclosing::Brackets),
                '{' => self.around.push(braces(rest)),
                _ => {}
            }
            // A number or name is copied at once: a dash is part of a name.
            self.take(rest, if word > 0 && first != '-' { word } else { first.len_utf8() });
        }
    }

    /// Writes the separator required between the last token and the next one.
    fn before(&mut self, rest: &str) {
        let next = rest.chars().next().unwrap_or(' ');
        let last = self.out.chars().next_back().unwrap_or(' ');
        if std::mem::take(&mut self.comma) {
            if !matches!(last, '{' | '[' | '(' | ',') {
                self.out.push(',');
            }
        } else if is_word(last) && (is_word(next) && last != '-' || next == '-')
            || self.blank && "<>=!&|?:.*/".contains(last) && "=>&|.:*/".contains(next)
        {
            self.out.push(' ');
        }
        self.blank = false;
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// Whether a heredoc begins.
fn is_heredoc(rest: &str) -> bool {
    let Some(after) = rest.strip_prefix("<<") else { return false };
    after.strip_prefix('-').unwrap_or(after).starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Determines what the braces that begin here enclose.
fn braces(rest: &str) -> Enclosing {
    let inside = rest.get(1..).unwrap_or_default().trim_start();
    match inside.strip_prefix("for") {
        Some(after) if !after.starts_with(is_word) && !is_assignment(after) => Enclosing::Brackets,
        _ => Enclosing::Object,
    }
}

/// Whether a value follows, so that the name before it is a key.
fn is_assignment(after: &str) -> bool {
    let after = after.trim_start();
    after.starts_with('=') || after.starts_with(':')
}

#[cfg(test)]
mod tests {
    use super::{Form, Reading, normal, normalized};

    #[test]
    fn blanks_inside_of_interpolations_do_not_count() {
        let same = [
            ("${a  +  b}", "${a+b}"),
            ("x  ${ f( a,\n b ) }  y", "x  ${f(a, b)}  y"),
            ("${ {\n a = 1\n b = 2\n} }", "${{a = 1, b = 2,}}"),
            ("${[for k , v in x : v  if v != \"a  b\"]}", "${[for k,v in x:v if v!=\"a  b\"]}"),
            ("${{for k, v in x :\n k => v}}", "${{ for k, v in x : k => v }}"),
            ("${a /* why */ # because\n}", "${a}"),
            ("${a - b}", "${a -b}"),
            ("%{ if  a }x%{ endif }", "%{if a}x%{endif}"),
            ("${\"${ a }\"}", "${\"${a}\"}"),
        ];
        for (one, other) in same {
            assert_eq!(normalized(one, Form::Template), normalized(other, Form::Template), "{one}");
        }
        assert_eq!(normalized("list( string )", Form::Bare), normalized("list(string)", Form::Bare));
    }

    #[test]
    fn everything_else_counts() {
        let different = [
            ("a  b", "a b"),
            ("${a-b}", "${a - b}"),
            ("${\"a  b\"}", "${\"a b\"}"),
            ("$${a  b}", "$${a b}"),
            ("${a b}", "${ab}"),
            ("${{a = 1\nb = 2}}", "${{a = 1 b = 2}}"),
            ("${<<E\n a\nE\n}", "${<<E\na\nE\n}"),
            ("x %{if a} y", "x %{if a}  y"),
        ];
        for (one, other) in different {
            assert_ne!(normalized(one, Form::Template), normalized(other, Form::Template), "{one}");
        }
        assert_ne!(normalized("${a  b}", Form::Literal), normalized("${a b}", Form::Literal));
    }

    #[test]
    fn numbers_count_by_value_and_an_array_of_one_object_can_be_that_object() {
        let of = |text: &str, unfolds| {
            String::from_utf8(normal(text.as_bytes(), Reading { form: Form::Template, unfolds })).unwrap()
        };
        assert_eq!(of("[1.50,1e2,-3,0,-0]", false), "[1.5,100,-3,0,-0]");
        assert_eq!(of(r#"{"a":[{"b":[1]}]}"#, true), r#"{"a":{"b":[1]}}"#);
        assert_eq!(of(r#"{"a":[{"b":1}]}"#, false), r#"{"a":[{"b":1}]}"#);
        assert_eq!(of(r#"[{"b":1},{"b":2}]"#, true), r#"[{"b":1},{"b":2}]"#);
    }
}
