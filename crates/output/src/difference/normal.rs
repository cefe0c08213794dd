//! Brings a value of the written configuration into a normal form in which equivalent values are equal: white space,
//! line breaks and comments inside interpolations are ignored, and numbers are compared by value.

use super::super::config::{Form, JsonSink};
use super::super::json::Container;
use overfold_base::account::{self, List};
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

/// Writes a value in its normal form.
pub(super) struct NormalWriter {
    reading: Reading,
    out: Vec<u8>,
    /// The objects and arrays that have not ended yet, outermost first.
    open: List<Open>,
    /// Whether a comma must precede the next item.
    comma: bool,
}

/// An object or array that has not ended yet.
struct Open {
    /// The offset of its bracket.
    start: usize,
    /// The number of commas in it.
    commas: usize,
}

impl NormalWriter {
    pub(super) const fn new(reading: Reading) -> Self {
        Self { reading, out: Vec::new(), open: List::new(), comma: false }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    fn append(&mut self, text: &[u8]) {
        account::touch(text.len());
        account::reserve(&mut self.out, text.len());
        self.out.extend_from_slice(text);
    }

    /// Writes what precedes an item.
    fn separate(&mut self) {
        if self.comma {
            self.append(b",");
            if let Some(open) = self.open.last_mut() {
                open.commas += 1;
            }
        }
        self.comma = true;
    }

    fn quote(&mut self, text: &str) {
        let mut quoted = String::new();
        write_text(&normalized(text, self.reading.form), &mut quoted);
        self.append(quoted.as_bytes());
    }
}

impl JsonSink for NormalWriter {
    fn begin(&mut self, container: Container) {
        self.separate();
        self.open.push(Open { start: self.out.len(), commas: 0 });
        self.append(&[container.opening()]);
        self.comma = false;
    }

    fn end(&mut self, container: Container) {
        self.comma = true;
        let is_array = self.reading.unfolds && container == Container::Array;
        let array = self.open.pop().filter(|ended| is_array && ended.commas == 0);
        match array.filter(|array| self.out.get(array.start + 1) == Some(&b'{')) {
            Some(array) => {
                account::touch(self.out.len() - array.start);
                self.out.remove(array.start);
            }
            None => self.append(&[container.closing()]),
        }
    }

    fn key(&mut self, name: &str) {
        self.separate();
        self.quote(name);
        self.append(b":");
        self.comma = false;
    }

    fn str(&mut self, text: &str) {
        self.separate();
        self.quote(text);
    }

    fn scalar(&mut self, text: &str) {
        self.separate();
        let value = number(text);
        self.append(value.as_deref().unwrap_or(text).as_bytes());
    }
}

/// Returns the digits of a number's value; `None` if those that are written are the same, or no number is.
fn number(text: &str) -> Option<String> {
    let is_whole = text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
    let value = if is_number && !is_whole { Number::parse(text).ok()? } else { return None };
    if value.is_zero() { None } else { value.to_text().ok() }
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
    let inside = rest.strip_prefix('{').map(str::trim_start);
    match inside.and_then(|inside| inside.strip_prefix("for")) {
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
    use super::{Form, JsonSink as _, NormalWriter, Reading, normalized};

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
        let of = |unfolds, write: &dyn Fn(&mut NormalWriter)| {
            let mut writer = NormalWriter::new(Reading { form: Form::Template, unfolds });
            write(&mut writer);
            String::from_utf8(writer.into_bytes()).unwrap()
        };
        let numbers = ["1.50", "1e2", "-3", "0", "-0"];
        let list = |sink: &mut NormalWriter| sink.array(|sink| numbers.iter().for_each(|text| sink.scalar(text)));
        assert_eq!(of(false, &list), "[1.5,100,-3,0,-0]");
        let object = |sink: &mut NormalWriter, name: &str, items: &[&str]| {
            sink.object(|sink| {
                sink.key(name);
                sink.array(|sink| items.iter().for_each(|text| sink.scalar(text)));
            });
        };
        let one = |sink: &mut NormalWriter| sink.array(|sink| object(sink, "b", &["1"]));
        assert_eq!(of(true, &one), r#"{"b":[1]}"#);
        assert_eq!(of(false, &one), r#"[{"b":[1]}]"#);
        let two = |sink: &mut NormalWriter| {
            sink.array(|sink| {
                object(sink, "b", &["1", "3"]);
                object(sink, "b", &["2"]);
            });
        };
        assert_eq!(of(true, &two), r#"[{"b":[1,3]},{"b":[2]}]"#);
    }
}
