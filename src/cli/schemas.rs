//! The schemas of providers, from a file or a folder.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use bytestring::ByteString;
use clap::Args;

use super::{Failure, complain};
use crate::settings::LimitSettings;
use overfold_engine::PreparedRequest;
use overfold_engine::options::SchemaText;
use overfold_model::schema::{ProviderSchemas, SchemaStore, StoredSchemas};
use overfold_source::SchemaFolder;

/// Where the schemas are.
#[derive(Args, Debug)]
pub(super) struct Schemas {
    /// The schemas of the providers that the modules use: a file with what `terraform providers schema -json` prints, or a
    /// part of it; or a folder with files HOST/NAMESPACE/NAME/VERSION.json (also .json.zst and .json.xz), as `overfold
    /// schemas add` writes them
    #[arg(long, env = "OVERFOLD_PROVIDER_SCHEMAS", value_name = "FILE|DIR")]
    provider_schemas: Option<PathBuf>,
}

/// The schemas that an option names.
#[derive(Default)]
pub(super) struct GivenSchemas {
    /// The document, if it is a file.
    pub(super) text: Option<SchemaText>,
    /// What is in the folder, if it is one.
    stored: Option<StoredSchemas>,
}

impl GivenSchemas {
    /// Lets a request use those that are in a folder.
    pub(super) fn apply(&self, prepared: &mut PreparedRequest) {
        if let Some(stored) = &self.stored {
            prepared.use_stored_schemas(stored);
        }
    }
}

/// Reads the file that this option names.
///
/// # Errors
/// Fails if it cannot be read, or is over the limit on an unpacked request.
pub(super) fn read_file(option: &str, path: &Path, limits: &LimitSettings) -> Result<Vec<u8>, Failure> {
    let failure = |error| Failure::Io { what: format!("{option} {}", path.display()), error };
    let max = limits.body.max_unpacked_bytes;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failure)?;
    file.take(max.saturating_add(1)).read_to_end(&mut bytes).map_err(failure)?;
    if bytes.len() as u64 > max {
        let text = format!("{option} {} is over the limit max-unpacked-bytes of {max} bytes", path.display());
        return Err(Failure::Message(text));
    }
    Ok(bytes)
}

impl Schemas {
    /// Returns what the option names.
    ///
    /// # Errors
    /// Fails if there is nothing, if a file cannot be read, is over the limit on an unpacked request, or contains no JSON
    /// object.
    pub(super) fn read(&self, limits: &LimitSettings) -> Result<GivenSchemas, Failure> {
        let Some(path) = &self.provider_schemas else { return Ok(GivenSchemas::default()) };
        if path.is_dir() {
            let stored = SchemaStore::new(SchemaFolder::new(path.clone())).now();
            for problem in &stored.listing().problems {
                complain(&format!("overfold: warning: provider schemas: {problem}"));
            }
            return Ok(GivenSchemas { stored: Some(stored), text: None });
        }
        let bytes = Bytes::from(read_file("--provider-schemas", path, limits)?);
        let text = match read_object(&bytes) {
            Some(schemas) => SchemaText::from(schemas),
            None => serde_json::from_slice(&bytes).map_err(|error| {
                Failure::Message(format!(
                    "--provider-schemas {}: it is not what `terraform providers schema -json` prints ({error})",
                    path.display()
                ))
            })?,
        };
        Ok(GivenSchemas { text: Some(text), stored: None })
    }
}

/// Reads a document that is an object; `None` if it is not what it should be, which the request says.
fn read_object(bytes: &Bytes) -> Option<ProviderSchemas> {
    let text = ByteString::try_from(bytes.clone()).ok()?;
    ProviderSchemas::read(text).ok().filter(|schemas| schemas.text().trim_ascii_start().starts_with('{'))
}
