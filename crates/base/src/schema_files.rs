//! Where the documents with the schemas of providers are kept between requests, such as a folder of the service. What they
//! contain is read elsewhere.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::account;
use crate::versions::Version;

/// A place with documents of schemas.
pub trait SchemaFiles: fmt::Debug + Send + Sync {
    /// Returns what is there now. An answer of a moment ago may be returned again.
    fn listing(&self) -> Arc<SchemaListing>;

    /// Returns the text of a document, unpacked.
    ///
    /// # Errors
    /// A message for people, without the path, if the file has changed since it was listed, cannot be read, is over a
    /// limit, or is not UTF-8.
    fn read(&self, file: &SchemaFile) -> Result<String, String>;
}

/// The documents of a place at one moment.
#[derive(Debug, Default)]
pub struct SchemaListing {
    /// A digest of the names and states of all files, in hexadecimal: if it is equal, so is what the place contains.
    pub generation: String,
    /// A document with the schemas of any number of providers, whose versions are not known.
    pub document: Option<SchemaFile>,
    /// The documents with the schemas of one provider, by its full address (`registry.terraform.io/hashicorp/aws`): the
    /// newest version first.
    pub providers: BTreeMap<Box<str>, Vec<SchemaFile>>,
    /// What is there and cannot be used, in sentences for the operator.
    pub problems: Vec<String>,
}

/// A file with a document of schemas.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SchemaFile {
    /// Its path, below the place.
    pub path: Arc<str>,
    /// The version of the provider as the name of the file writes it; empty if it is not known.
    pub version: Arc<str>,
    /// What tells a state of the file from other ones: its size in bytes, when it was changed in nanoseconds, and its number
    /// in the file system.
    pub state: (u64, u128, u64),
}

impl SchemaListing {
    /// Returns the document for one of the versions of a provider, by its full address, that `is_allowed`: the newest
    /// release, else the newest of them.
    pub fn newest(&self, address: &str, mut is_allowed: impl FnMut(&Version) -> bool) -> Option<&SchemaFile> {
        let mut pre_release = None;
        for file in self.providers.get(address).into_iter().flatten() {
            account::work(4);
            let Some(version) = Version::parse(&file.version).filter(&mut is_allowed) else { continue };
            if !version.is_pre_release() {
                return Some(file);
            }
            pre_release.get_or_insert(file);
        }
        pre_release
    }

    /// Returns the document for exactly this version of a provider, by its full address.
    pub fn exact(&self, address: &str, version: &str) -> Option<&SchemaFile> {
        let files = self.providers.get(address)?;
        account::work(files.len() as u64);
        files.iter().find(|file| *file.version == *version)
    }
}
