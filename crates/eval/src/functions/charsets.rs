//! Encodings with several bytes for a character, as the tool's tables have them (expressions.md, section 8). The encoding
//! library follows the rules of web browsers: it encodes fewer characters than it decodes, knows neither HZ-GB-2312 nor
//! all of ISO-2022-JP, and has codes for private use that the tool refuses. Its decoder is right for every other code, so
//! what encodes a character is found by decoding all codes once.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use encoding_rs::{BIG5, EUC_JP, Encoding, GBK, SHIFT_JIS};
use overfold_base::account;

/// An encoding whose tables are made here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Multibyte {
    Big5,
    EucJp,
    Gb18030,
    Gbk,
    Hz,
    Iso2022Jp,
    ShiftJis,
}

/// The two bytes of each character.
type Codes = HashMap<char, [u8; 2]>;

const LEADS: RangeInclusive<u8> = 0x81..=0xFE;
const TRAILS: RangeInclusive<u8> = 0x40..=0xFE;
const HIGH: RangeInclusive<u8> = 0xA1..=0xFE;
/// The bytes that stand for a row or a cell of a table of 94 times 94.
const CELLS: RangeInclusive<u8> = 0x21..=0x7E;

static BIG5_CODES: LazyLock<Codes> = LazyLock::new(|| {
    // Of two codes of a character, the last one is the usual one.
    pairs(LEADS, TRAILS).filter_map(|pair| Some((decoded(BIG5, &pair)?, pair))).collect()
});
static GBK_CODES: LazyLock<Codes> =
    LazyLock::new(|| first_of(pairs(LEADS, TRAILS).filter_map(|pair| Some((gbk_character(pair)?, pair)))));
static SHIFT_JIS_CODES: LazyLock<Codes> = LazyLock::new(|| {
    first_of(
        pairs(LEADS, TRAILS)
            .filter_map(|pair| Some((decoded(SHIFT_JIS, &pair).filter(|character| is_public(*character))?, pair))),
    )
});
static JIS_0208: LazyLock<Codes> =
    LazyLock::new(|| first_of(pairs(HIGH, HIGH).filter_map(|pair| Some((decoded(EUC_JP, &pair)?, pair)))));
static JIS_0212: LazyLock<Codes> = LazyLock::new(|| {
    first_of(
        pairs(HIGH, HIGH)
            .filter_map(|[lead, trail]| Some((decoded(EUC_JP, &[JIS_0212_FOLLOWS, lead, trail])?, [lead, trail]))),
    )
});

/// The byte that is written before a code of JIS X 0212 in EUC-JP.
const JIS_0212_FOLLOWS: u8 = 0x8F;

fn pairs(leads: RangeInclusive<u8>, trails: RangeInclusive<u8>) -> impl Iterator<Item = [u8; 2]> {
    leads.flat_map(move |lead| trails.clone().map(move |trail| [lead, trail]))
}

fn first_of(codes: impl Iterator<Item = (char, [u8; 2])>) -> Codes {
    let mut first = Codes::new();
    for (character, code) in codes {
        first.entry(character).or_insert(code);
    }
    first
}

/// Returns the one character that a code stands for; those of several are combinations of others.
fn decoded(encoding: &'static Encoding, code: &[u8]) -> Option<char> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(code)?;
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

fn is_public(character: char) -> bool {
    !('\u{e000}'..='\u{f8ff}').contains(&character)
}

/// Characters that the library's table of GBK has, but not the tool's, which is older.
fn is_newer(character: char) -> bool {
    matches!(character, '\u{1e3f}' | '\u{9fb4}'..='\u{9fbb}' | '\u{fe10}'..='\u{fe19}')
}

/// Returns the character of a code of two bytes, also in HZ-GB-2312 with the high bits set.
fn gbk_character(pair: [u8; 2]) -> Option<char> {
    decoded(GBK, &pair).filter(|character| is_public(*character) && !is_newer(*character))
}

impl Multibyte {
    /// Encodes a text. Returns `None` if the encoding does not have one of its characters.
    pub(super) fn encode(self, text: &str) -> Option<Vec<u8>> {
        account::build(text.len() as u64 * 3 / 2, text.len() as u64 * 4);
        match self {
            Self::Hz => hz_encode(text),
            Self::Iso2022Jp => iso_2022_jp_encode(text),
            _ => text.chars().try_fold(Vec::with_capacity(text.len()), |mut bytes, character| {
                if character.is_ascii() {
                    bytes.push(character as u8);
                } else {
                    self.push(character, &mut bytes)?;
                }
                Some(bytes)
            }),
        }
    }

    /// Appends the code of a character that is not ASCII.
    fn push(self, character: char, bytes: &mut Vec<u8>) -> Option<()> {
        let code = match self {
            Self::Big5 => BIG5_CODES.get(&character)?,
            Self::EucJp => match (katakana(character), JIS_0208.get(&character)) {
                (Some(byte), _) => &[0x8E, byte | 0x80],
                (None, Some(code)) => code,
                (None, None) => {
                    let code = JIS_0212.get(&character)?;
                    bytes.push(JIS_0212_FOLLOWS);
                    code
                }
            },
            Self::Gbk | Self::Gb18030 => match GBK_CODES.get(&character) {
                _ if self == Self::Gbk && character == '€' => {
                    bytes.push(0x80);
                    return Some(());
                }
                Some(code) => code,
                None if self == Self::Gb18030 => {
                    bytes.extend_from_slice(&four_bytes(character));
                    return Some(());
                }
                None => return None,
            },
            Self::ShiftJis => match katakana(character) {
                Some(byte) => {
                    bytes.push(byte | 0x80);
                    return Some(());
                }
                None => SHIFT_JIS_CODES.get(&character)?,
            },
            Self::Hz | Self::Iso2022Jp => return None,
        };
        bytes.extend_from_slice(code);
        Some(())
    }

    /// Decodes bytes. Returns `None` if some of them are no code.
    pub(super) fn decode(self, bytes: &[u8]) -> Option<String> {
        account::build(bytes.len() as u64 / 2, bytes.len() as u64 * 3);
        let with = |encoding: &'static Encoding, is_refused: fn(char) -> bool| {
            let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
            (!text.chars().any(is_refused)).then(|| text.into_owned())
        };
        match self {
            Self::Big5 => with(BIG5, |_| false),
            Self::EucJp => with(EUC_JP, |_| false),
            Self::ShiftJis => with(SHIFT_JIS, |character| !is_public(character)),
            Self::Gbk => with(GBK, |character| !is_public(character) || is_newer(character)),
            Self::Gb18030 => with(encoding_rs::GB18030, |character| !is_public(character) || is_newer(character)),
            Self::Hz => hz_decode(bytes),
            Self::Iso2022Jp => iso_2022_jp_decode(bytes),
        }
    }
}

/// Returns the byte of a half-width katakana, without its high bit.
fn katakana(character: char) -> Option<u8> {
    let offset = u32::from(character).checked_sub(0xFF61).filter(|offset| *offset < 0x3F)?;
    u8::try_from(offset + 0x21).ok()
}

/// Returns the code of a character in GB18030 that has none of two bytes.
fn four_bytes(character: char) -> [u8; 4] {
    /// From which character on, by how much less the number of its code is than its own. The library has the characters
    /// for private use in other places.
    const LESS_BY: &[(u32, u32)] = &[
        (0x1E3F, 286),
        (0x1E40, 0),
        (0x9FB4, 21827),
        (0x9FBC, 0),
        (0xE000, 21827),
        (0xE76C, 25775),
        (0xE7C8, 25866),
        (0xE7E7, 25896),
        (0xE815, 25929),
        (0xE819, 25932),
        (0xE81F, 25933),
        (0xE827, 25934),
        (0xE82D, 25936),
        (0xE833, 25938),
        (0xE83C, 25939),
        (0xE844, 25940),
        (0xE856, 25942),
        (0xE865, 25943),
        (0xF900, 0),
        (0xFE10, 25964),
        (0xFE1A, 0),
    ];
    let code_point = u32::from(character);
    let less_by = LESS_BY.iter().rev().find(|(from, _)| *from <= code_point).map_or(0, |(_, less_by)| *less_by);
    if less_by == 0 {
        let mut buffer = [0; 4];
        let (bytes, ..) = encoding_rs::GB18030.encode(character.encode_utf8(&mut buffer));
        return bytes.first_chunk().copied().unwrap_or_default();
    }
    let number = code_point - less_by;
    let digit = |divisor: u32, base: u32, first: u8| first + (number / divisor % base) as u8;
    [digit(12600, 126, 0x81), digit(1260, 10, 0x30), digit(10, 126, 0x81), digit(1, 10, 0x30)]
}

/// Marks the place where codes of two bytes begin.
const HZ_BEGIN: &[u8] = b"~{";
/// Marks the place where they end. Nothing marks it at the end of a text.
const HZ_END: &[u8] = b"~}";

fn hz_encode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut in_codes = false;
    for character in text.chars() {
        let code = match character {
            _ if character.is_ascii() => None,
            _ => Some(GBK_CODES.get(&character).filter(|code| code.iter().all(|byte| HIGH.contains(byte)))?),
        };
        if in_codes != code.is_some() {
            bytes.extend_from_slice(if in_codes { HZ_END } else { HZ_BEGIN });
            in_codes = !in_codes;
        }
        match code {
            Some(code) => bytes.extend(code.iter().map(|byte| byte & 0x7F)),
            None if character == '~' => bytes.extend_from_slice(b"~~"),
            None => bytes.push(character as u8),
        }
    }
    Some(bytes)
}

fn hz_decode(bytes: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(bytes.len());
    let mut in_codes = false;
    let mut rest = bytes;
    loop {
        rest = match *rest {
            [] => return Some(text),
            [b'~', b'{', ref rest @ ..] => {
                in_codes = true;
                rest
            }
            [b'~', b'}', ref rest @ ..] => {
                in_codes = false;
                rest
            }
            [b'~', b'~', ref rest @ ..] => {
                text.push('~');
                rest
            }
            [b'~', b'\n', ref rest @ ..] => rest,
            [b'~', ..] => return None,
            [lead, trail, ref rest @ ..] if in_codes => {
                let is_code = CELLS.contains(&lead) && CELLS.contains(&trail);
                text.push(gbk_character([lead | 0x80, trail | 0x80]).filter(|_| is_code)?);
                rest
            }
            [byte, ref rest @ ..] if byte.is_ascii() && !in_codes => {
                text.push(char::from(byte));
                rest
            }
            _ => return None,
        };
    }
}

/// What bytes stand for in ISO-2022-JP.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Jis {
    Ascii,
    Katakana,
    Jis0208,
    Jis0212,
}

impl Jis {
    /// The sequences that begin each, that of a writer first.
    const SEQUENCES: &[(&[u8], Self)] = &[
        (b"\x1b(B", Self::Ascii),
        (b"\x1b(I", Self::Katakana),
        (b"\x1b$B", Self::Jis0208),
        (b"\x1b(J", Self::Ascii),
        (b"\x1b$@", Self::Jis0208),
        (b"\x1b$(D", Self::Jis0212),
    ];

    /// Writes the sequence that begins it.
    fn begin(self, bytes: &mut Vec<u8>) {
        let found = Self::SEQUENCES.iter().find(|(_, begins)| *begins == self);
        bytes.extend_from_slice(found.map_or(b"", |(sequence, _)| sequence));
    }
}

fn iso_2022_jp_encode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut state = Jis::Ascii;
    for character in text.chars() {
        let (wanted, code): (Jis, &[u8]) = match (katakana(character), JIS_0208.get(&character)) {
            _ if character.is_ascii() => (Jis::Ascii, &[character as u8]),
            (Some(byte), _) => (Jis::Katakana, &[byte]),
            (None, Some(code)) => (Jis::Jis0208, code),
            (None, None) => return None,
        };
        if wanted != state {
            wanted.begin(&mut bytes);
            state = wanted;
        }
        bytes.extend(code.iter().map(|byte| byte & 0x7F));
    }
    if state != Jis::Ascii {
        Jis::Ascii.begin(&mut bytes);
    }
    Some(bytes)
}

fn iso_2022_jp_decode(bytes: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(bytes.len());
    let mut state = Jis::Ascii;
    let mut rest = bytes;
    loop {
        let begins = |(sequence, state): &(_, Jis)| Some((*state, rest.strip_prefix(*sequence)?));
        if let Some((begun, behind)) = Jis::SEQUENCES.iter().find_map(begins) {
            (state, rest) = (begun, behind);
            continue;
        }
        rest = match (state, rest) {
            (_, []) => return Some(text),
            (_, [0x1B, ..]) => return None,
            (Jis::Ascii, [byte, rest @ ..]) if byte.is_ascii() => {
                text.push(char::from(*byte));
                rest
            }
            (Jis::Katakana, [byte @ 0x21..0x60, rest @ ..]) => {
                text.push(char::from_u32(0xFF61 + u32::from(*byte - 0x21))?);
                rest
            }
            (Jis::Jis0208 | Jis::Jis0212, [lead, trail, rest @ ..])
                if CELLS.contains(lead) && CELLS.contains(trail) =>
            {
                let code @ [_, short @ ..] = &[JIS_0212_FOLLOWS, lead | 0x80, trail | 0x80];
                text.push(decoded(EUC_JP, if state == Jis::Jis0212 { code } else { short })?);
                rest
            }
            _ => return None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::Multibyte;

    /// Recorded with Terraform 1.11.4.
    #[test]
    fn codes_are_those_of_the_tool() {
        for (encoding, text, bytes) in [
            (Multibyte::Big5, "\u{e9}", &b"\x88\x6d"[..]),
            (Multibyte::EucJp, "\u{e9}", b"\x8f\xab\xb1"),
            (Multibyte::Hz, "\u{6e2f}\u{53e3}", b"~{8[?Z"),
            (Multibyte::Hz, "~\u{6e2f}a", b"~~~{8[~}a"),
            (Multibyte::Iso2022Jp, "\u{ff61}", b"\x1b(I!\x1b(B"),
            (Multibyte::ShiftJis, "\u{2170}", b"\xee\xef"),
            (Multibyte::Gbk, "\u{20ac}", b"\x80"),
            (Multibyte::Gb18030, "\u{1e3f}", b"\x81\x35\xf4\x37"),
        ] {
            assert_eq!(encoding.encode(text).as_deref(), Some(bytes), "{encoding:?} {text}");
            if encoding != Multibyte::Gb18030 {
                assert_eq!(encoding.decode(bytes).as_deref(), Some(text), "{encoding:?} {text}");
            }
        }
        assert_eq!(Multibyte::Gbk.encode("\u{1e3f}"), None);
        assert_eq!(Multibyte::ShiftJis.decode(b"\xf0\x40"), None);
        assert_eq!(Multibyte::Hz.decode(b"~{8"), None);
    }
}
