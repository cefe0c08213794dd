//! The schemas of providers, from a file.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::Failure;
use crate::settings::LimitSettings;
use overfold_engine::options::SchemaText;

/// Where the schemas are.
#[derive(Args, Debug)]
pub(super) struct Schemas {
    /// A file with the schemas of the providers that the modules use: what `terraform providers schema -json` prints, or a
    /// part of it
    #[arg(long, env = "OVERFOLD_PROVIDER_SCHEMAS", value_name = "FILE")]
    provider_schemas: Option<PathBuf>,
}

/// Reads a file that an option names.
///
/// # Errors
/// Fails if it cannot be read, or is over the limit on an unpacked request.
pub(super) fn read_file(path: &Path, limits: &LimitSettings) -> Result<Vec<u8>, Failure> {
    let failure = |error| Failure::Io { what: path.display().to_string(), error };
    let max = limits.body.max_unpacked_bytes;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failure)?;
    file.take(max.saturating_add(1)).read_to_end(&mut bytes).map_err(failure)?;
    if bytes.len() as u64 > max {
        let text = format!("{} is over the limit max-unpacked-bytes of {max} bytes", path.display());
        return Err(Failure::Message(text));
    }
    Ok(bytes)
}

impl Schemas {
    /// Returns the content of the file; `None` without a file.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is over the limit on an unpacked request, or contains no JSON object.
    pub(super) fn read(&self, limits: &LimitSettings) -> Result<Option<SchemaText>, Failure> {
        let Some(path) = &self.provider_schemas else { return Ok(None) };
        let text = serde_json::from_slice(&read_file(path, limits)?)
            .map_err(|error| Failure::Message(format!("{}: {error}", path.display())))?;
        Ok(Some(text))
    }
}
