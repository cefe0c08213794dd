//! Base64, percent encoding, character encodings and CSV (expressions.md, section 8).

use std::collections::HashSet;
use std::io::{Read as _, Write as _};
use std::sync::Arc;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use encoding_rs::Encoding;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::charsets::Multibyte;
use super::code_pages::{CodePage, PAGES};
use super::{CallContext, Function, FunctionError, Outcome, Returns, argument, param};
use overfold_base::account::{self, ChargedText};
use overfold_value::{Type, Value, excerpt, normalized};

pub(super) fn rows() -> Vec<Function> {
    let text = |name| param(name, Type::String);
    let returns = || Returns::Fixed(Type::String);
    vec![
        Function::new("base64encode", [text("str")], returns(), |args, _, _| {
            charge_texts(args);
            Ok(Value::text(STANDARD.encode(argument(args, 0))))
        }),
        Function::new("base64decode", [text("str")], returns(), |args, _, _| {
            charge_texts(args);
            base64_decode(argument(args, 0))
        }),
        Function::new("base64gzip", [text("str")], returns(), gzip),
        Function::new("urlencode", [text("str")], returns(), |args, _, _| {
            charge_texts(args);
            Ok(Value::text(url_encode(argument(args, 0))))
        }),
        Function::new("base64gunzip", [text("str")], returns(), gunzip),
        Function::new("urldecode", [text("str")], returns(), |args, _, _| {
            charge_texts(args);
            url_decode(argument(args, 0))
        }),
        Function::new("textencodebase64", [text("string"), text("encoding")], returns(), |args, _, _| {
            charge_texts(args);
            text_encode(argument(args, 0), argument(args, 1))
        }),
        Function::new("textdecodebase64", [text("source"), text("encoding")], returns(), |args, _, _| {
            charge_texts(args);
            text_decode(argument(args, 0), argument(args, 1))
        }),
        Function::new("csvdecode", [text("str")], Returns::Rule(csv_type), |args, _, _| {
            csv_decode(argument(args, 0))
        }),
    ]
}

fn charge_texts(args: &[Value]) {
    account::work(args.iter().filter_map(Value::as_text).map(|text| text.len() as u64 / 16).sum());
}

/// Decodes Base64; line breaks are ignored.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    /// Allows any unused bits in the last character.
    const LENIENT: GeneralPurpose =
        GeneralPurpose::new(&alphabet::STANDARD, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));
    let plain: String = text.chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
    LENIENT.decode(plain).ok()
}

fn base64_decode(text: &str) -> Outcome {
    let bytes = from_base64(text).ok_or_else(|| FunctionError::new("the string is not valid Base64"))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Value::text(text)),
        Err(_) => Err(FunctionError::new(
            "the decoded bytes are not valid UTF-8; use textdecodebase64 for other \
            encodings",
        )),
    }
}

fn gzip(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    // The tool's compressor produces other bytes for the same text, so a plan must not show ours.
    if let Some(absent) = context.env.scope.absent {
        return Ok(absent.function("base64gzip", &Value::unknown_not_null(Type::String)));
    }
    let text = argument(args, 0);
    account::work(text.len() as u64 / 4);
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    let packed = writer.write_all(text.as_bytes()).and_then(|()| writer.finish());
    let packed = packed.map_err(|error| FunctionError::new(format!("the string cannot be compressed: {error}")))?;
    Ok(Value::text(STANDARD.encode(packed)))
}

fn gunzip(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    /// The number of bytes read between two checks of the budget, so that a small text cannot grow without limit.
    const STEP: u64 = 64 * 1024;
    charge_texts(args);
    let packed =
        from_base64(argument(args, 0)).ok_or_else(|| FunctionError::new("the string is not valid Base64"))?;
    let mut reader = flate2::read::MultiGzDecoder::new(packed.as_slice());
    let mut bytes = Vec::new();
    loop {
        let read = reader.by_ref().take(STEP).read_to_end(&mut bytes);
        let read = read.map_err(|error| FunctionError::new(format!("the data cannot be decompressed: {error}")))?;
        if read == 0 {
            return Ok(Value::text(String::from_utf8_lossy(&bytes)));
        }
        account::work(read as u64 / 4);
    }
}

/// Decodes `+` to a blank, and `%` with two hexadecimal digits to a byte.
fn url_decode(text: &str) -> Outcome {
    let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => match (digit(rest.next()), digit(rest.next())) {
                (Some(high), Some(low)) => (high * 16 + low) as u8,
                _ => return Err(FunctionError::new("a percent sign is not followed by two hexadecimal digits")),
            },
            byte => byte,
        });
    }
    Ok(Value::text(String::from_utf8_lossy(&bytes)))
}

fn url_encode(text: &str) -> String {
    const SET: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b' ');
    utf8_percent_encode(text, SET).to_string().replace(' ', "+")
}

/// A character encoding known to the language.
enum Charset {
    Utf8,
    Utf16 {
        big_endian: bool,
        mark: bool,
    },
    /// ISO 8859-1, where each byte is the code point with the same number.
    Latin1,
    Page(&'static CodePage),
    Multibyte(Multibyte),
    Library(&'static Encoding),
}

/// IANA names and aliases, in lower case, that the library does not know or interprets differently, and the encodings
/// used for them. The library follows the rules of web browsers, which read some names as a larger encoding.
const NAMES: &[(&[&str], &str)] = &[
    (
        &[
            "iso-8859-1",
            "iso_8859-1:1987",
            "iso_8859-1",
            "iso-ir-100",
            "latin1",
            "l1",
            "ibm819",
            "cp819",
            "csisolatin1",
        ],
        "latin1",
    ),
    (&["iso-8859-9", "iso_8859-9:1989", "iso_8859-9", "iso-ir-148", "latin5", "l5", "csisolatin5"], "ISO-8859-9"),
    (
        &[
            "us-ascii",
            "iso-ir-6",
            "ansi_x3.4-1968",
            "ansi_x3.4-1986",
            "iso_646.irv:1991",
            "iso646-us",
            "us",
            "ibm367",
            "cp367",
            "csascii",
        ],
        "US-ASCII",
    ),
    (&["ibm1047", "ibm-1047", "csibm1047"], "IBM1047"),
    (&["ibm037", "cp037", "ebcdic-cp-us", "ebcdic-cp-ca", "ebcdic-cp-wt", "ebcdic-cp-nl", "csibm037"], "IBM037"),
    (&["ibm437", "cp437", "437", "cspc8codepage437"], "IBM437"),
    (&["ibm850", "cp850", "850", "cspc850multilingual"], "IBM850"),
    (&["ibm852", "cp852", "852", "cspcp852"], "IBM852"),
    (&["ibm855", "cp855", "855", "csibm855"], "IBM855"),
    (&["ibm00858", "ccsid00858", "cp00858", "pc-multilingual-850+euro", "csibm00858"], "IBM00858"),
    (&["ibm860", "cp860", "860", "csibm860"], "IBM860"),
    (&["ibm862", "cp862", "862", "cspc862latinhebrew"], "IBM862"),
    (&["ibm863", "cp863", "863", "csibm863"], "IBM863"),
    (&["ibm865", "cp865", "865", "csibm865"], "IBM865"),
    (&["ibm866", "cp866", "866", "csibm866"], "ibm866"),
    (&["ibm01140", "ccsid01140", "cp01140", "ebcdic-us-37+euro", "csibm01140"], "IBM01140"),
    (&["macintosh", "mac", "csmacintosh"], "macintosh"),
    (&["iso-8859-2", "iso_8859-2:1987", "iso_8859-2", "iso-ir-101", "latin2", "l2", "csisolatin2"], "iso-8859-2"),
    (&["iso-8859-3", "iso_8859-3:1988", "iso_8859-3", "iso-ir-109", "latin3", "l3", "csisolatin3"], "iso-8859-3"),
    (&["iso-8859-4", "iso_8859-4:1988", "iso_8859-4", "iso-ir-110", "latin4", "l4", "csisolatin4"], "iso-8859-4"),
    (&["iso-8859-5", "iso_8859-5:1988", "iso_8859-5", "iso-ir-144", "cyrillic", "csisolatincyrillic"], "iso-8859-5"),
    (
        &[
            "iso-8859-6",
            "iso_8859-6:1987",
            "iso_8859-6",
            "iso-ir-127",
            "ecma-114",
            "asmo-708",
            "arabic",
            "csisolatinarabic",
            "iso-8859-6-e",
            "iso-8859-6-i",
        ],
        "iso-8859-6",
    ),
    (
        &[
            "iso-8859-7",
            "iso_8859-7:1987",
            "iso_8859-7",
            "iso-ir-126",
            "elot_928",
            "ecma-118",
            "greek",
            "greek8",
            "csisolatingreek",
        ],
        "iso-8859-7",
    ),
    (
        &["iso-8859-8", "iso_8859-8:1988", "iso_8859-8", "iso-ir-138", "hebrew", "csisolatinhebrew", "iso-8859-8-e"],
        "iso-8859-8",
    ),
    (&["iso-8859-8-i", "csiso88598i"], "iso-8859-8-i"),
    (&["iso-8859-10", "iso-ir-157", "l6", "iso_8859-10:1992", "latin6", "csisolatin6"], "iso-8859-10"),
    (&["iso-8859-13", "csiso885913"], "iso-8859-13"),
    (
        &[
            "iso-8859-14",
            "iso-ir-199",
            "iso_8859-14:1998",
            "iso_8859-14",
            "latin8",
            "iso-celtic",
            "l8",
            "csiso885914",
        ],
        "iso-8859-14",
    ),
    (&["iso-8859-15", "iso_8859-15", "latin-9", "csiso885915"], "iso-8859-15"),
    (
        &["iso-8859-16", "iso-ir-226", "iso_8859-16:2001", "iso_8859-16", "latin10", "l10", "csiso885916"],
        "iso-8859-16",
    ),
    (&["koi8-r", "cskoi8r"], "koi8-r"),
    (&["koi8-u", "cskoi8u"], "koi8-u"),
    (&["windows-874", "cswindows874"], "windows-874"),
    (&["windows-1250", "cswindows1250"], "windows-1250"),
    (&["windows-1251", "cswindows1251"], "windows-1251"),
    (&["windows-1252", "cswindows1252"], "windows-1252"),
    (&["windows-1253", "cswindows1253"], "windows-1253"),
    (&["windows-1254", "cswindows1254"], "windows-1254"),
    (&["windows-1255", "cswindows1255"], "windows-1255"),
    (&["windows-1256", "cswindows1256"], "windows-1256"),
    (&["windows-1257", "cswindows1257"], "windows-1257"),
    (&["windows-1258", "cswindows1258"], "windows-1258"),
    (&["shift_jis", "ms_kanji", "csshiftjis"], "shift_jis"),
    (&["euc-jp", "extended_unix_code_packed_format_for_japanese", "cseucpkdfmtjapanese"], "euc-jp"),
    (&["iso-2022-jp", "csiso2022jp"], "iso-2022-jp"),
    (&["euc-kr", "cseuckr"], "euc-kr"),
    (&["gb18030", "csgb18030"], "gb18030"),
    (&["gbk", "cp936", "ms936", "windows-936", "csgbk"], "gbk"),
    (&["big5", "csbig5"], "big5"),
    (&["hz-gb-2312"], "hz-gb-2312"),
];

/// The encodings of several bytes for which the library does not follow the tool.
const MULTIBYTE: &[(&str, Multibyte)] = &[
    ("big5", Multibyte::Big5),
    ("euc-jp", Multibyte::EucJp),
    ("gb18030", Multibyte::Gb18030),
    ("gbk", Multibyte::Gbk),
    ("hz-gb-2312", Multibyte::Hz),
    ("iso-2022-jp", Multibyte::Iso2022Jp),
    ("shift_jis", Multibyte::ShiftJis),
];

fn charset(name: &str) -> Result<Charset, FunctionError> {
    let lower = name.trim().to_ascii_lowercase();
    match lower.as_str() {
        "utf-8" | "csutf8" => return Ok(Charset::Utf8),
        "utf-16" | "csutf16" => return Ok(Charset::Utf16 { big_endian: true, mark: true }),
        "utf-16be" | "csutf16be" => return Ok(Charset::Utf16 { big_endian: true, mark: false }),
        "utf-16le" | "csutf16le" => return Ok(Charset::Utf16 { big_endian: false, mark: false }),
        _ => {}
    }
    let unknown = || {
        FunctionError::argument(1, format!("{:?} is not a known IANA name of a character encoding", excerpt(name)))
    };
    let found = NAMES.iter().find(|(names, _)| names.contains(&lower.as_str())).map(|(_, found)| *found);
    let found = found.ok_or_else(unknown)?;
    if found == "latin1" {
        return Ok(Charset::Latin1);
    }
    if let Some(page) = PAGES.iter().find(|page| page.name == found) {
        return Ok(Charset::Page(page));
    }
    if let Some((_, multibyte)) = MULTIBYTE.iter().find(|(name, _)| *name == found) {
        return Ok(Charset::Multibyte(*multibyte));
    }
    Encoding::for_label(found.as_bytes()).map(Charset::Library).ok_or_else(unknown)
}

fn text_encode(text: &str, name: &str) -> Outcome {
    let bytes = match charset(name)? {
        Charset::Utf8 => Some(text.as_bytes().to_vec()),
        Charset::Utf16 { big_endian, mark } => {
            let mark = mark.then_some(0xFEFF);
            let units = mark.into_iter().chain(text.encode_utf16());
            Some(units.flat_map(|unit| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect())
        }
        Charset::Latin1 => text.chars().map(|c| u8::try_from(c).ok()).collect(),
        Charset::Page(page) => page.encode(text),
        Charset::Multibyte(encoding) => encoding.encode(text),
        Charset::Library(encoding) => {
            if !encoding.is_single_byte() && !text.is_ascii() {
                // The library looks up each character in a table.
                account::work(text.len() as u64 * 3 / 2);
            }
            let (bytes, _, unmappable) = encoding.encode(text);
            (!unmappable && !has_unassigned_controls(encoding, text)).then(|| bytes.into_owned())
        }
    };
    match bytes {
        Some(bytes) => Ok(Value::text(STANDARD.encode(bytes))),
        None => Err(FunctionError::argument(0, format!("it contains a character that {name} does not have"))),
    }
}

fn text_decode(source: &str, name: &str) -> Outcome {
    let charset = charset(name)?;
    let bytes = from_base64(source).ok_or_else(|| FunctionError::argument(0, "it is not valid Base64"))?;
    let text = match charset {
        Charset::Utf8 => String::from_utf8_lossy(&bytes).into_owned(),
        Charset::Utf16 { big_endian, mark } => utf16(&bytes, big_endian, mark),
        Charset::Latin1 => bytes.iter().map(|&byte| char::from(byte)).collect(),
        Charset::Page(page) => page.decode(&bytes),
        Charset::Multibyte(encoding) => {
            encoding.decode(&bytes).unwrap_or_else(|| char::REPLACEMENT_CHARACTER.to_string())
        }
        Charset::Library(encoding) => {
            let (text, _) = encoding.decode_without_bom_handling(bytes.scanned(6));
            if has_unassigned_controls(encoding, &text) { "\u{fffd}".to_owned() } else { text.into_owned() }
        }
    };
    if text.contains('\u{fffd}') {
        return Err(FunctionError::argument(0, format!("it contains bytes that are not valid in {name}")));
    }
    Ok(Value::text(text))
}

/// Returns whether `text` contains control characters that the library, unlike any other, uses for unassigned bytes.
fn has_unassigned_controls(encoding: &'static Encoding, text: &str) -> bool {
    encoding.is_single_byte() && text.chars().any(|c| ('\u{80}'..='\u{9f}').contains(&c))
}

fn utf16(mut bytes: &[u8], mut big_endian: bool, mark: bool) -> String {
    if mark {
        match bytes.split_at_checked(2) {
            Some(([0xFE, 0xFF], rest)) => bytes = rest,
            Some(([0xFF, 0xFE], rest)) => {
                bytes = rest;
                big_endian = false;
            }
            _ => {}
        }
    }
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units =
        pairs.iter().map(|pair| if big_endian { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) });
    let mut text: String = char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect();
    if !rest.is_empty() {
        text.push('\u{fffd}');
    }
    text
}

fn csv_type(args: &[Value]) -> Result<Type, FunctionError> {
    match args.first().and_then(Value::as_text) {
        Some(text) => csv_decode(text).map(|value| value.ty().clone()),
        None => Ok(Type::Dynamic),
    }
}

/// Decodes to a list of objects, whose attributes are named by the first record.
fn csv_decode(text: &str) -> Outcome {
    account::work(text.len() as u64 / 3);
    let mut records = Records { rest: text };
    let header = records.next().transpose()?.ok_or_else(|| FunctionError::new("the string has no header line"))?;
    let names: Vec<Arc<str>> = header.iter().map(|name| Arc::from(&*normalized(name))).collect();
    let mut seen = HashSet::new();
    if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_bytes())) {
        return Err(FunctionError::new(format!("two columns have the name {:?}", excerpt(twice))));
    }
    let ty = Type::object(
        names.iter().map(|name| overfold_value::AttributeType::new(name.clone(), Type::String)).collect(),
    );
    let mut rows = Vec::new();
    for record in records {
        let record = record?;
        if record.len() != names.len() {
            return Err(FunctionError::new(format!(
                "the number of fields in a row is {}, but in the header it is {}",
                record.len(),
                names.len()
            )));
        }
        rows.push(Value::object(names.iter().cloned().zip(record.iter().map(Value::text)).collect()));
    }
    Ok(Value::list(ty, rows))
}

/// The records of a CSV text (RFC 4180); blank lines are skipped, and a line break inside quotes is a single `\n`.
struct Records<'t> {
    rest: &'t str,
}

impl Iterator for Records<'_> {
    type Item = Result<Vec<String>, FunctionError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            match self.rest.strip_prefix("\r\n").or_else(|| self.rest.strip_prefix('\n')) {
                Some(rest) => self.rest = rest,
                None => break,
            }
        }
        let record = self.record();
        if record.is_err() {
            self.rest = "";
        }
        Some(record)
    }
}

impl Records<'_> {
    fn record(&mut self) -> Result<Vec<String>, FunctionError> {
        let mut fields = Vec::new();
        loop {
            account::work(1);
            fields.push(match self.rest.strip_prefix('"') {
                Some(rest) => {
                    self.rest = rest;
                    self.quoted()?
                }
                None => self.plain()?,
            });
            if let Some(rest) = self.rest.strip_prefix(',') {
                self.rest = rest;
                continue;
            }
            let rest = self.rest.strip_prefix("\r\n").or_else(|| self.rest.strip_prefix('\n'));
            self.rest = rest.unwrap_or(self.rest);
            return Ok(fields);
        }
    }

    fn plain(&mut self) -> Result<String, FunctionError> {
        let end = self.rest.find([',', '\n']).unwrap_or(self.rest.len());
        let (field, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        let line_end = field.strip_suffix('\r').filter(|_| rest.is_empty() || rest.starts_with('\n'));
        if field.contains('"') {
            return Err(FunctionError::new("a field contains a quote but does not begin with one"));
        }
        self.rest = rest;
        Ok(line_end.unwrap_or(field).to_owned())
    }

    fn quoted(&mut self) -> Result<String, FunctionError> {
        let mut field = String::new();
        loop {
            let Some((text, rest)) = self.rest.split_once('"') else {
                return Err(FunctionError::new("a quoted field is never closed"));
            };
            field.push_str(&text.replace("\r\n", "\n"));
            match rest.strip_prefix('"') {
                Some(after) => {
                    field.push('"');
                    self.rest = after;
                }
                None => {
                    self.rest = rest;
                    break;
                }
            }
        }
        let ends = ["", ",", "\n", "\r\n"]
            .iter()
            .any(|end| if end.is_empty() { self.rest.is_empty() } else { self.rest.starts_with(end) });
        if ends { Ok(field) } else { Err(FunctionError::new("a quoted field must end with its closing quote")) }
    }
}
