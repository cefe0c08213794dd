//! Hashes of texts and files (expressions.md, sections 8 and 10).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use super::{CallContext, Function, Outcome, Returns, argument, files, param};
use overfold_base::account::ChargedText;
use overfold_value::{Type, Value};

pub(super) fn rows() -> Vec<Function> {
    let of_text = |name, run| Function::new(name, [param("str", Type::String)], Returns::Fixed(Type::String), run);
    let of_file = |name, run| Function::new(name, [param("path", Type::String)], Returns::Fixed(Type::String), run);
    vec![
        of_text("md5", |args, _, cx| text(args, cx, hex::<Md5>)),
        of_text("sha1", |args, _, cx| text(args, cx, hex::<Sha1>)),
        of_text("sha256", |args, _, cx| text(args, cx, hex::<Sha256>)),
        of_text("sha512", |args, _, cx| text(args, cx, hex::<Sha512>)),
        of_text("base64sha256", |args, _, cx| text(args, cx, base64::<Sha256>)),
        of_text("base64sha512", |args, _, cx| text(args, cx, base64::<Sha512>)),
        of_file("filemd5", |args, _, cx| file(args, cx, hex::<Md5>)),
        of_file("filesha1", |args, _, cx| file(args, cx, hex::<Sha1>)),
        of_file("filesha256", |args, _, cx| file(args, cx, hex::<Sha256>)),
        of_file("filesha512", |args, _, cx| file(args, cx, hex::<Sha512>)),
        of_file("filebase64sha256", |args, _, cx| file(args, cx, base64::<Sha256>)),
        of_file("filebase64sha512", |args, _, cx| file(args, cx, base64::<Sha512>)),
    ]
}

fn text(args: &[Value], _: &CallContext<'_, '_>, hash: fn(&[u8]) -> String) -> Outcome {
    let bytes = argument(args, 0).as_bytes();
    Ok(Value::text(hash(bytes.scanned(32))))
}

fn file(args: &[Value], context: &CallContext<'_, '_>, hash: fn(&[u8]) -> String) -> Outcome {
    match files::read(args, context, None)? {
        Some(bytes) => Ok(Value::text(hash(bytes.scanned(32)))),
        None => Ok(context.without_file(argument(args, 0), Value::unknown(Type::String))),
    }
}

fn hex<D: Digest>(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let digest = D::digest(bytes);
    let mut out = String::with_capacity(digest.len() * 2);
    for byte in digest {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

fn base64<D: Digest>(bytes: &[u8]) -> String {
    STANDARD.encode(D::digest(bytes))
}
