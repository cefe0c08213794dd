//! Sets of characters in a pattern: in brackets, by class, by name.

use std::fmt::Write as _;

use super::Reader;
use overfold_value::excerpt;

/// A set that matches no character.
pub(super) const NOTHING: &str = r"[^\x{0}-\x{10ffff}]";
/// A set that matches every character.
const EVERYTHING: &str = r"[\x{0}-\x{10ffff}]";

/// A set of characters in the syntax of the `regex` crate, with brackets (the closing one is added last).
pub(super) struct Class {
    pub text: String,
    /// The approximate number of states it needs.
    pub(super) size: u64,
}

impl Class {
    fn from_ranges(ranges: &[(u8, u8)], negated: bool) -> Self {
        let mut class =
            Self { text: if negated { "[^" } else { "[" }.to_owned(), size: if negated { 10 } else { 2 } };
        for (low, high) in ranges {
            class.range(u32::from(*low), u32::from(*high));
        }
        class.text.push(']');
        class
    }

    fn add(&mut self, other: &Self) {
        self.text.push_str(&other.text);
        self.size = self.size.saturating_add(other.size);
    }

    fn range(&mut self, low: u32, high: u32) {
        // Writing to a String cannot fail.
        let _ = write!(self.text, r"\x{{{low:x}}}-\x{{{high:x}}}");
        self.size += if high < 0x80 { 0 } else { 8 };
    }
}

impl<'p> Reader<'p> {
    /// Parses `\d`, `\pL`, …, after the backslash.
    pub(super) fn escaped_set(&mut self) -> Result<Option<Class>, String> {
        let Some(c) = self.rest.chars().next() else { return Ok(None) };
        if let Some((ranges, negated)) = perl_set(c) {
            self.next();
            return Ok(Some(Class::from_ranges(ranges, negated)));
        }
        if !matches!(c, 'p' | 'P') {
            return Ok(None);
        }
        self.next();
        let mut negated = c == 'P';
        let name = if self.take("{") {
            let (name, rest) = self.rest.split_once('}').ok_or("the name of a character class is not closed")?;
            self.rest = rest;
            name
        } else {
            let whole = self.rest;
            self.next();
            whole.split_at(whole.len() - self.rest.len()).0
        };
        let plain = match name.strip_prefix('^') {
            Some(plain) => {
                negated = !negated;
                plain
            }
            None => name,
        };
        let not = if negated { "^" } else { "" };
        let plain = if self.loose_names { loose_name(plain) } else { plain };
        let text = match plain {
            "ASCII" if self.loose_names => format!(r"[{not}\x{{0}}-\x{{7f}}]"),
            "Assigned" | "Cn" | "LC" if self.loose_names => format!(r"[{not}\p{{{plain}}}]"),
            "Any" => format!("[{not}\\x{{0}}-\\x{{10ffff}}]"),
            // Surrogates are not characters.
            "Cs" if negated => EVERYTHING.to_owned(),
            "Cs" => NOTHING.to_owned(),
            // Without unassigned characters.
            "C" => format!(r"[{not}\p{{Cc}}\p{{Cf}}\p{{Co}}]"),
            _ if CATEGORIES.contains(&plain) || SCRIPTS.binary_search(&plain).is_ok() => {
                format!(r"[{not}\p{{{plain}}}]")
            }
            _ => return Err(format!("{:?} is not a known character class", excerpt(plain))),
        };
        Ok(Some(Class { text, size: 400 }))
    }

    /// Parses a set in brackets, after the opening one.
    pub(super) fn class(&mut self) -> Result<Class, String> {
        let mut class = Class { text: "[".to_owned(), size: 2 };
        if self.take("^") {
            class.text.push('^');
            class.size = 10;
        }
        let mut first = true;
        let mut empty = true;
        let mut ranges = 0_u64;
        while first || !self.rest.starts_with(']') {
            first = false;
            ranges += 1;
            if let Some(inner) = self.rest.strip_prefix("[:").filter(|_| !self.no_named_sets)
                && let Some((name, rest)) = self.set_name(inner)
            {
                self.rest = rest;
                let (plain, negated) = name.strip_prefix('^').map_or((name, false), |plain| (plain, true));
                let ranges = posix_set(plain)
                    .ok_or_else(|| format!("[:{}:] is not a known character class", excerpt(name)))?;
                class.add(&Class::from_ranges(ranges, negated));
                empty = false;
                continue;
            }
            if let Some(inner) = self.rest.strip_prefix('\\') {
                let whole = std::mem::replace(&mut self.rest, inner);
                if let Some(set) = self.escaped_set()? {
                    class.add(&set);
                    empty = false;
                    continue;
                }
                self.rest = whole;
            }
            let low = self.class_character()?;
            let mut high = low;
            if self.rest.len() >= 2 && self.rest.starts_with('-') && !self.rest.starts_with("-]") {
                self.next();
                high = self.class_character()?;
                if high < low {
                    return Err("a character range is in the wrong order".to_owned());
                }
            }
            // Surrogates are not characters.
            let low = if (0xD800..0xE000).contains(&low) { 0xE000 } else { low };
            let high = if (0xD800..0xE000).contains(&high) { 0xD7FF } else { high };
            if low <= high {
                empty = false;
                class.range(low, high);
            }
        }
        self.next();
        // Each range is sorted into those before it.
        self.set_cost = self.set_cost.saturating_add(ranges * 2 + ranges * ranges / 32);
        if empty {
            let everything = class.text == "[^";
            return Ok(Class { text: if everything { EVERYTHING } else { NOTHING }.to_owned(), size: 2 });
        }
        class.text.push(']');
        Ok(class)
    }

    /// Returns the name of a set after its `[:`, and what follows its `:]`.
    fn set_name(&mut self, inner: &'p str) -> Option<(&'p str, &'p str)> {
        let found = inner.split_once(":]");
        self.no_named_sets = found.is_none();
        found
    }

    fn class_character(&mut self) -> Result<u32, String> {
        match self.next() {
            None => Err("a closing bracket is missing".to_owned()),
            Some('\\') => self.escaped_character(),
            Some(c) => Ok(c as u32),
        }
    }
}

fn perl_set(c: char) -> Option<(&'static [(u8, u8)], bool)> {
    let set: &[(u8, u8)] = match c.to_ascii_lowercase() {
        'd' => &[(b'0', b'9')],
        's' => &[(b'\t', b'\n'), (12, b'\r'), (b' ', b' ')],
        'w' => &[(b'0', b'9'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z')],
        _ => return None,
    };
    Some((set, c.is_ascii_uppercase()))
}

fn posix_set(name: &str) -> Option<&'static [(u8, u8)]> {
    Some(match name {
        "alnum" => &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')],
        "alpha" => &[(b'A', b'Z'), (b'a', b'z')],
        "ascii" => &[(0, 127)],
        "blank" => &[(b'\t', b'\t'), (b' ', b' ')],
        "cntrl" => &[(0, 31), (127, 127)],
        "digit" => &[(b'0', b'9')],
        "graph" => &[(b'!', b'~')],
        "lower" => &[(b'a', b'z')],
        "print" => &[(b' ', b'~')],
        "punct" => &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')],
        "space" => &[(b'\t', b'\r'), (b' ', b' ')],
        "upper" => &[(b'A', b'Z')],
        "word" => &[(b'0', b'9'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z')],
        "xdigit" => &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')],
        _ => return None,
    })
}

/// Returns the name of a property as it is listed here; names ignore case, spaces, hyphens and underscores. What is not known
/// stays as it is.
fn loose_name(name: &str) -> &str {
    let letters = |name: &str| -> String {
        name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).map(|c| c.to_ascii_lowercase()).collect()
    };
    overfold_base::account::work(16 + name.len() as u64 / 8);
    let wanted = letters(name);
    let is_it = |listed: &&&str| letters(listed) == wanted;
    if let Some((_, short)) = LONG_CATEGORIES.iter().find(|(long, _)| *long == wanted) {
        return short;
    }
    let others = ["Any", "ASCII", "Assigned", "C", "Cn", "Cs", "LC"];
    others.iter().chain(CATEGORIES).chain(SCRIPTS).find(is_it).copied().unwrap_or(name)
}

/// Long names of general categories, in lower case without underscores, and their short ones.
#[rustfmt::skip]
const LONG_CATEGORIES: &[(&str, &str)] = &[
    ("casedletter", "LC"), ("closepunctuation", "Pe"), ("cntrl", "Cc"), ("combiningmark", "M"),
    ("connectorpunctuation", "Pc"), ("control", "Cc"), ("currencysymbol", "Sc"), ("dashpunctuation", "Pd"),
    ("decimalnumber", "Nd"), ("digit", "Nd"), ("enclosingmark", "Me"), ("finalpunctuation", "Pf"), ("format", "Cf"),
    ("initialpunctuation", "Pi"), ("letter", "L"), ("letternumber", "Nl"), ("lineseparator", "Zl"),
    ("lowercaseletter", "Ll"), ("mark", "M"), ("mathsymbol", "Sm"), ("modifierletter", "Lm"), ("modifiersymbol", "Sk"),
    ("nonspacingmark", "Mn"), ("number", "N"), ("openpunctuation", "Ps"), ("other", "C"), ("otherletter", "Lo"),
    ("othernumber", "No"), ("otherpunctuation", "Po"), ("othersymbol", "So"), ("paragraphseparator", "Zp"),
    ("privateuse", "Co"), ("punct", "P"), ("punctuation", "P"), ("separator", "Z"), ("spaceseparator", "Zs"),
    ("spacingmark", "Mc"), ("surrogate", "Cs"), ("symbol", "S"), ("titlecaseletter", "Lt"), ("unassigned", "Cn"),
    ("uppercaseletter", "Lu"),
];

/// General categories other than `C` and `Cs`.
#[rustfmt::skip]
const CATEGORIES: &[&str] = &[
    "Cc", "Cf", "Co", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No", "P", "Pc", "Pd",
    "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp", "Zs",
];

/// Scripts of Unicode 15.0, sorted.
#[rustfmt::skip]
const SCRIPTS: &[&str] = &[
    "Adlam", "Ahom", "Anatolian_Hieroglyphs", "Arabic", "Armenian", "Avestan", "Balinese", "Bamum", "Bassa_Vah",
    "Batak", "Bengali", "Bhaiksuki", "Bopomofo", "Brahmi", "Braille", "Buginese", "Buhid", "Canadian_Aboriginal",
    "Carian", "Caucasian_Albanian", "Chakma", "Cham", "Cherokee", "Chorasmian", "Common", "Coptic", "Cuneiform",
    "Cypriot", "Cypro_Minoan", "Cyrillic", "Deseret", "Devanagari", "Dives_Akuru", "Dogra", "Duployan",
    "Egyptian_Hieroglyphs", "Elbasan", "Elymaic", "Ethiopic", "Georgian", "Glagolitic", "Gothic", "Grantha", "Greek",
    "Gujarati", "Gunjala_Gondi", "Gurmukhi", "Han", "Hangul", "Hanifi_Rohingya", "Hanunoo", "Hatran", "Hebrew",
    "Hiragana", "Imperial_Aramaic", "Inherited", "Inscriptional_Pahlavi", "Inscriptional_Parthian", "Javanese",
    "Kaithi", "Kannada", "Katakana", "Kawi", "Kayah_Li", "Kharoshthi", "Khitan_Small_Script", "Khmer", "Khojki",
    "Khudawadi", "Lao", "Latin", "Lepcha", "Limbu", "Linear_A", "Linear_B", "Lisu", "Lycian", "Lydian", "Mahajani",
    "Makasar", "Malayalam", "Mandaic", "Manichaean", "Marchen", "Masaram_Gondi", "Medefaidrin", "Meetei_Mayek",
    "Mende_Kikakui", "Meroitic_Cursive", "Meroitic_Hieroglyphs", "Miao", "Modi", "Mongolian", "Mro", "Multani",
    "Myanmar", "Nabataean", "Nag_Mundari", "Nandinagari", "New_Tai_Lue", "Newa", "Nko", "Nushu",
    "Nyiakeng_Puachue_Hmong", "Ogham", "Ol_Chiki", "Old_Hungarian", "Old_Italic", "Old_North_Arabian", "Old_Permic",
    "Old_Persian", "Old_Sogdian", "Old_South_Arabian", "Old_Turkic", "Old_Uyghur", "Oriya", "Osage", "Osmanya",
    "Pahawh_Hmong", "Palmyrene", "Pau_Cin_Hau", "Phags_Pa", "Phoenician", "Psalter_Pahlavi", "Rejang", "Runic",
    "Samaritan", "Saurashtra", "Sharada", "Shavian", "Siddham", "SignWriting", "Sinhala", "Sogdian", "Sora_Sompeng",
    "Soyombo", "Sundanese", "Syloti_Nagri", "Syriac", "Tagalog", "Tagbanwa", "Tai_Le", "Tai_Tham", "Tai_Viet",
    "Takri", "Tamil", "Tangsa", "Tangut", "Telugu", "Thaana", "Thai", "Tibetan", "Tifinagh", "Tirhuta", "Toto",
    "Ugaritic", "Vai", "Vithkuqi", "Wancho", "Warang_Citi", "Yezidi", "Yi", "Zanabazar_Square",
];
