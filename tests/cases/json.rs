//! JSON for the cases: numbers are compared exactly, by value, however they are written.

use std::collections::BTreeMap;
use std::fmt;

/// A JSON value. Properties are sorted; duplicates are rejected.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(Decimal),
    Text(String),
    Array(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

/// `digits × 10^exponent`, without zeros at either end of the digits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn parse(text: &str) -> Self {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let mut exponent: i64 = exponent.parse().expect("an exponent");
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        exponent -= i64::try_from(fraction.len()).unwrap();
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0');
        let significant = digits.trim_end_matches('0');
        exponent += i64::try_from(digits.len() - significant.len()).unwrap();
        if significant.is_empty() {
            return Self { negative: false, digits: String::new(), exponent: 0 };
        }
        Self { negative, digits: significant.to_owned(), exponent }
    }
}

static NULL: Json = Json::Null;

impl Json {
    /// Parses a JSON text.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value()?;
        reader.blanks();
        if reader.at == text.len() { Ok(value) } else { Err(reader.wrong("nothing more")) }
    }

    /// Returns the value as JSON text.
    pub(crate) fn to_text(&self) -> String {
        let list = |items: Vec<String>, [start, end]: [&str; 2]| format!("{start}{}{end}", items.join(","));
        match self {
            Self::Text(text) => serde_json::to_string(text).expect("a text can be written"),
            Self::Array(items) => list(items.iter().map(Self::to_text).collect(), ["[", "]"]),
            Self::Object(properties) => {
                let member = |(name, value): (&String, &Self)| {
                    format!("{}:{}", Self::Text(name.clone()).to_text(), value.to_text())
                };
                list(properties.iter().map(member).collect(), ["{", "}"])
            }
            other => other.to_string(),
        }
    }

    /// Returns the property `name`, or null if there is none.
    pub(crate) fn get(&self, name: &str) -> &Self {
        self.find(name).unwrap_or(&NULL)
    }

    /// Returns the property `name`, if there is one.
    pub(crate) fn find(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(properties) => properties.get(name),
            _ => None,
        }
    }

    /// Returns the text of a string.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            other => panic!("a string was expected, not {other}"),
        }
    }

    /// Returns the elements of an array; none for null.
    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::Array(items) => items,
            Self::Null => &[],
            other => panic!("an array was expected, not {other}"),
        }
    }

    /// Returns the properties of an object; none for null.
    pub(crate) fn properties(&self) -> &BTreeMap<String, Self> {
        static EMPTY: BTreeMap<String, Json> = BTreeMap::new();
        match self {
            Self::Object(properties) => properties,
            Self::Null => &EMPTY,
            other => panic!("an object was expected, not {other}"),
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(Decimal { negative, digits, exponent }) => {
                let sign = if *negative { "-" } else { "" };
                let digits = if digits.is_empty() { "0" } else { digits };
                match usize::try_from(*exponent) {
                    Ok(zeros @ 0..20) => write!(f, "{sign}{digits}{}", "0".repeat(zeros)),
                    _ => write!(f, "{sign}{digits}e{exponent}"),
                }
            }
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Array(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if at == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Self::Object(properties) => {
                f.write_str("{")?;
                for (at, (name, value)) in properties.iter().enumerate() {
                    write!(f, "{}{name:?}: {value}", if at == 0 { "" } else { ", " })?;
                }
                f.write_str("}")
            }
        }
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).expect("a place between characters")
    }

    fn wrong(&self, wanted: &str) -> String {
        let found: String = self.rest().chars().take(30).collect();
        format!("no JSON: at byte {} {wanted} was expected, not {found:?}", self.at)
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn value(&mut self) -> Result<Json, String> {
        self.blanks();
        for (word, value) in [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))] {
            if self.take(word) {
                return Ok(value);
            }
        }
        if self.take("[") {
            let mut items = Vec::new();
            self.list("]", |reader| {
                items.push(reader.value()?);
                Ok(())
            })?;
            return Ok(Json::Array(items));
        }
        if self.take("{") {
            let mut properties = BTreeMap::new();
            self.list("}", |reader| {
                reader.blanks();
                let name = reader.string()?;
                reader.blanks();
                if !reader.take(":") {
                    return Err(reader.wrong("a colon"));
                }
                let value = reader.value()?;
                match properties.insert(name.clone(), value) {
                    None => Ok(()),
                    Some(_) => Err(reader.wrong(&format!("no second property {name:?}"))),
                }
            })?;
            return Ok(Json::Object(properties));
        }
        if self.rest().starts_with('"') {
            return self.string().map(Json::Text);
        }
        let number: String = self
            .rest()
            .chars()
            .take_while(|c| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E'))
            .collect();
        let digits = number.trim_start_matches('-');
        let sound = digits.starts_with(|c: char| c.is_ascii_digit())
            && (digits.len() == 1 || !digits.starts_with('0') || !digits.as_bytes()[1].is_ascii_digit());
        if !sound {
            return Err(self.wrong("a value"));
        }
        self.at += number.len();
        Ok(Json::Number(Decimal::parse(&number)))
    }

    fn list(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> Result<(), String>) -> Result<(), String> {
        self.blanks();
        if self.take(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            self.blanks();
            if self.take(close) {
                return Ok(());
            }
            if !self.take(",") {
                return Err(self.wrong("a comma or a closing bracket"));
            }
        }
    }

    fn string(&mut self) -> Result<String, String> {
        if !self.take("\"") {
            return Err(self.wrong("a string"));
        }
        let mut text = String::new();
        loop {
            let Some(next) = self.rest().chars().next() else { return Err(self.wrong("the end of a string")) };
            self.at += next.len_utf8();
            match next {
                '"' => return Ok(text),
                '\\' => {
                    let Some(letter) = self.rest().chars().next() else { return Err(self.wrong("an escape")) };
                    self.at += letter.len_utf8();
                    match letter {
                        'b' => text.push('\u{8}'),
                        'f' => text.push('\u{c}'),
                        'n' => text.push('\n'),
                        'r' => text.push('\r'),
                        't' => text.push('\t'),
                        '"' | '\\' | '/' => text.push(letter),
                        'u' => text.push(self.code_point()?),
                        _ => return Err(self.wrong("a known escape")),
                    }
                }
                control if control < ' ' => return Err(self.wrong("no control character")),
                other => text.push(other),
            }
        }
    }

    fn code_point(&mut self) -> Result<char, String> {
        let first = self.hex()?;
        if (0xD800..0xDC00).contains(&first) && self.take("\\u") {
            let second = self.hex()?;
            return char::from_u32(0x10000 + ((first - 0xD800) << 10) + second.wrapping_sub(0xDC00))
                .ok_or_else(|| self.wrong("a surrogate pair"));
        }
        char::from_u32(first).ok_or_else(|| self.wrong("a code point"))
    }

    fn hex(&mut self) -> Result<u32, String> {
        let digits = self.rest().get(..4).ok_or_else(|| self.wrong("four hex digits"))?;
        let value = u32::from_str_radix(digits, 16).map_err(|_| self.wrong("four hex digits"))?;
        self.at += 4;
        Ok(value)
    }
}
