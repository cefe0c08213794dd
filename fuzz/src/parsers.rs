//! The parsers and the archive readers, called directly.

use bytes::Bytes;
use overfold_cli::account::{self, Cancel};
use overfold_cli::diag::Diagnostics;
use overfold_cli::source::{self, ArchiveFormat, Limits, Payload};
use overfold_cli::syntax::{Forest, SyntaxLimits, tree};

/// Limits small enough for an input to reach them.
const SYNTAX: SyntaxLimits = SyntaxLimits { depth: 200, tokens: 20_000, name_bytes: 1024 };
const UPLOAD: Limits = Limits {
    request_bytes: 1 << 20,
    unpacked_bytes: 4 << 20,
    entries: 1_000,
    file_bytes: 1 << 20,
    path_bytes: 256,
    path_depth: 16,
};
const ACCOUNT: account::Limits = account::Limits { work: 2_000_000, memory: 64 << 20 };

/// Fuzzes a file, an expression and a template in native syntax.
pub(crate) fn native(data: &[u8]) {
    twice(|| {
        let (forest, mut out) = (Forest::new(SYNTAX), Diagnostics::new());
        let text = Bytes::copy_from_slice(data);
        forest.parse_native("main.tf", text.clone(), &mut out);
        forest.parse_detached_expression("expression", text.clone(), &mut out);
        forest.parse_detached_template("template", text, &mut out);
        findings(&out)
    });
}

/// Fuzzes a file in JSON syntax, and each of its strings as a template and as an expression.
pub(crate) fn json(data: &[u8]) {
    twice(|| {
        let (forest, mut out) = (Forest::new(SYNTAX), Diagnostics::new());
        let id = forest.parse_json("main.tf.json", Bytes::copy_from_slice(data), &mut out);
        let count = forest.json(id).map_or(0, |tree| u32::try_from(tree.nodes.len()).unwrap_or(0));
        for at in 0..count {
            let node = tree::Id::new(at);
            forest.parse_json_template(id, node, &mut out);
            forest.parse_json_expression(id, node, &mut out);
        }
        findings(&out)
    });
}

/// Fuzzes a file in HCL 1, in both of its forms.
pub(crate) fn hcl1(data: &[u8]) {
    twice(|| {
        let (forest, mut out) = (Forest::new(SYNTAX), Diagnostics::new());
        let text = Bytes::copy_from_slice(data);
        forest.parse_hcl1("main.tf", text.clone(), &mut out);
        forest.parse_detached_hcl1("option", text, &mut out);
        findings(&out)
    });
}

pub(crate) fn tar(data: &[u8]) {
    archive(ArchiveFormat::Tar, data);
}

pub(crate) fn tar_gz(data: &[u8]) {
    archive(ArchiveFormat::TarGzip, data);
}

pub(crate) fn tar_zst(data: &[u8]) {
    archive(ArchiveFormat::TarZstd, data);
}

pub(crate) fn zip(data: &[u8]) {
    archive(ArchiveFormat::Zip, data);
}

fn archive(format: ArchiveFormat, data: &[u8]) {
    twice(|| {
        let payload = Payload::archive(format, Bytes::copy_from_slice(data));
        let upload = match source::read(payload, &UPLOAD) {
            Ok(upload) => upload,
            Err(error) => return error.to_string(),
        };
        let mut bytes = 0;
        let mut seen = String::new();
        for file in upload.files.files() {
            let path = file.path.as_str();
            let sound = !path.is_empty() && path.split('/').all(|part| !matches!(part, "" | "." | ".."));
            assert!(sound, "the path {path:?} was accepted");
            assert!(
                file.bytes.len() as u64 <= UPLOAD.file_bytes,
                "a file of {} bytes was accepted",
                file.bytes.len()
            );
            bytes += file.bytes.len() as u64;
            seen += path;
            seen.push('\n');
        }
        assert!(bytes <= UPLOAD.unpacked_bytes, "{bytes} bytes were accepted");
        seen
    });
}

/// Runs a job twice, each time on a separate account: the same input must produce the same result.
fn twice(job: impl Fn() -> String) {
    let run = || account::open(ACCOUNT, &Cancel::new(), || overfold_cli::stack::ensure_sufficient(&job)).ok();
    assert_eq!(run(), run(), "a different result the second time");
}

fn findings(out: &Diagnostics) -> String {
    out.iter().map(|found| format!("{} {:?} {}\n", found.code.id, found.span, found.detail)).collect()
}
