//! The list of the modules that the tool has installed: `modules.json`.

use std::sync::Arc;

use foldhash::HashMap;

use super::below;
use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::files::{FileSet, Place};

/// The name of the list in the folder of installed modules.
const NAME: &str = "modules.json";

/// The list, by the path of calls to each module.
#[derive(Default)]
pub(super) struct Manifest(HashMap<Box<str>, Entry>);

/// An installed module.
pub(super) struct Entry {
    /// The source as the tool has resolved it.
    pub(super) source: Box<str>,
    /// The installed version of a module from a registry.
    pub(super) version: Option<Box<str>>,
    /// Its directory relative to the root module.
    pub(super) folder: Arc<str>,
}

/// The file, as far as it is read.
#[derive(serde::Deserialize)]
struct ManifestFile {
    #[serde(rename = "Modules", default)]
    modules: Vec<WrittenEntry>,
}

#[derive(serde::Deserialize)]
struct WrittenEntry {
    #[serde(rename = "Key")]
    key: Box<str>,
    #[serde(rename = "Source", default)]
    source: Box<str>,
    #[serde(rename = "Version")]
    version: Option<Box<str>>,
    #[serde(rename = "Dir")]
    folder: Box<str>,
}

impl Manifest {
    /// Reads the list in a folder. One that is not there, or is not in the form of one, is empty.
    pub(super) fn read(files: &FileSet, folder: &str) -> Self {
        let Place::File(file) = files.look_up(&format!("{folder}/{NAME}")) else { return Self::default() };
        account::touch(file.bytes.len() * 4);
        account::room(file.bytes.len());
        let Ok(written) = serde_json::from_slice::<ManifestFile>(&file.bytes) else { return Self::default() };
        let entries = written.modules.into_iter().charged(16).map(|entry| {
            account::grow((entry.key.len() + entry.source.len() + entry.folder.len()) as u64 + 128);
            let folder = below("", &entry.folder);
            (entry.key, Entry { source: entry.source, version: entry.version, folder })
        });
        Self(entries.collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn get(&self, key: &str) -> Option<&Entry> {
        self.0.get(key.touched())
    }
}
