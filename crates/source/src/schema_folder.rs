//! Documents with the schemas of providers on this machine: one file, or a folder in which each has the path
//! `HOST/NAMESPACE/NAME/VERSION.json`, as it is, or compressed (`.json.zst`, `.json.xz`).

#![expect(
    clippy::disallowed_methods,
    reason = "reading the place that a setting names, and noticing when it changes, is this module's job"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, UNIX_EPOCH};

use sha2::{Digest as _, Sha256};

use super::limits::read_capped;
use super::regular;
use overfold_base::schema_files::{SchemaFile, SchemaFiles, SchemaListing};
use overfold_base::versions::Version;

/// The most bytes of a document, compressed or not: several times the largest one.
pub const MAX_DOCUMENT_BYTES: u64 = 64 << 20;

/// The most entries of all folders together that are looked at.
const MAX_ENTRIES: usize = 20_000;

/// The most problems that are told.
const MAX_PROBLEMS: usize = 100;

/// How long a listing is taken for what is there now.
const RECHECK: Duration = Duration::from_secs(1);

/// The memory that unpacking an xz file may take beside its text, in KiB: what `xz -9` makes needs this much (xz(1)).
const XZ_MEMORY: u32 = 66 << 10;

/// How a document is stored: the end of its name, and the coding.
const ENDINGS: [(&str, Coding); 3] =
    [(".json", Coding::Plain), (".json.zst", Coding::Zstd), (".json.xz", Coding::Xz)];

#[derive(Clone, Copy, Debug)]
enum Coding {
    Plain,
    Zstd,
    Xz,
}

/// A file or folder with schemas.
#[derive(Debug)]
pub struct SchemaFolder {
    place: PathBuf,
    /// The last listing, and when it was made.
    listed: Mutex<Option<(Instant, Arc<SchemaListing>)>>,
}

impl SchemaFolder {
    /// Creates what is in this file or folder, of which nothing is read yet.
    pub const fn new(place: PathBuf) -> Self {
        Self { place, listed: Mutex::new(None) }
    }

    /// Checks that there is a file or a folder.
    ///
    /// # Errors
    /// Fails if there is neither.
    pub fn check(place: &Path) -> io::Result<()> {
        let meta = fs::metadata(place)?;
        if meta.is_dir() || meta.is_file() {
            return Ok(());
        }
        Err(io::Error::new(io::ErrorKind::InvalidInput, "neither a file nor a folder"))
    }

    fn list(&self) -> SchemaListing {
        let mut listing = SchemaListing::default();
        match fs::metadata(&self.place) {
            Ok(meta) if meta.is_dir() => Walk { place: &self.place, entries: 0, listing: &mut listing }.run(),
            Ok(meta) => {
                listing.document =
                    Some(SchemaFile { path: Arc::from(""), version: Arc::from(""), state: state_of(&meta) });
            }
            Err(error) => listing.problems.push(format!("{}: {error}", self.place.display())),
        }
        listing.generation = generation(&listing);
        listing
    }
}

impl SchemaFiles for SchemaFolder {
    fn listing(&self) -> Arc<SchemaListing> {
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, listing)) = &*listed
            && at.elapsed() < RECHECK
        {
            return Arc::clone(listing);
        }
        let listing = Arc::new(self.list());
        *listed = Some((Instant::now(), Arc::clone(&listing)));
        listing
    }

    fn read(&self, file: &SchemaFile) -> Result<String, String> {
        let place = if file.path.is_empty() { self.place.clone() } else { self.place.join(&*file.path) };
        let changed = || "the file has changed while it was read; the next request reads it again".to_owned();
        let (open, _) = regular::open(&place).map_err(|error| error.to_string())?.ok_or("not a regular file")?;
        if open.metadata().map_err(|error| error.to_string())?.len() > MAX_DOCUMENT_BYTES {
            return Err(too_long());
        }
        let packed = read_capped(&open, MAX_DOCUMENT_BYTES, file.state.0).map_err(|error| error.to_string())?;
        let meta = open.metadata().map_err(|error| error.to_string())?;
        if state_of(&meta) != file.state || packed.len() as u64 != file.state.0 {
            return Err(changed());
        }
        let coding = coding_of(&place.file_name().unwrap_or_default().to_string_lossy()).map(|(_, coding)| coding);
        let mut text = unpack(packed, coding.unwrap_or(Coding::Plain))?;
        // It is kept.
        text.shrink_to_fit();
        String::from_utf8(text).map_err(|_| "the document is not valid UTF-8".to_owned())
    }
}

/// Looks through a folder.
struct Walk<'w> {
    place: &'w Path,
    entries: usize,
    listing: &'w mut SchemaListing,
}

impl Walk<'_> {
    fn run(mut self) {
        for (host, host_place) in self.folders(self.place) {
            for (namespace, namespace_place) in self.folders(&host_place) {
                for (name, place) in self.folders(&namespace_place) {
                    let address = format!("{host}/{namespace}/{name}");
                    self.versions(&address, &place);
                }
            }
        }
        if self.entries > MAX_ENTRIES {
            self.problem(format!("there are more than {MAX_ENTRIES} entries; the rest is not looked at"));
        }
    }

    /// Returns the names of the entries of a folder, in ascending order.
    fn names(&mut self, folder: &Path) -> Vec<String> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                self.problem(format!("{}: {error}", folder.display()));
                return Vec::new();
            }
        };
        let room = (MAX_ENTRIES + 1).saturating_sub(self.entries);
        let names = entries.flatten().take(room).map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        self.entries += names.len();
        names.retain(|name| !name.starts_with('.'));
        names.sort_unstable();
        names
    }

    fn folders(&mut self, folder: &Path) -> Vec<(String, PathBuf)> {
        let mut folders = Vec::new();
        for name in self.names(folder) {
            let place = folder.join(&name);
            if fs::metadata(&place).is_ok_and(|meta| meta.is_dir()) {
                folders.push((name, place));
            } else if coding_of(&name).is_some() {
                self.problem(format!(
                    "{} is not at HOST/NAMESPACE/NAME/VERSION.json below the folder",
                    place.display()
                ));
            }
        }
        folders
    }

    fn versions(&mut self, address: &str, folder: &Path) {
        let mut found: BTreeMap<String, SchemaFile> = BTreeMap::new();
        for name in self.names(folder) {
            let Some((version, _)) = coding_of(&name) else { continue };
            let place = folder.join(&name);
            if Version::parse(version).is_none() {
                self.problem(format!("{}: {version:?} is not a version", place.display()));
                continue;
            }
            match fs::metadata(&place) {
                Ok(meta) if meta.is_file() => {
                    let path = Arc::from(format!("{address}/{name}"));
                    let file = SchemaFile { path, version: Arc::from(version), state: state_of(&meta) };
                    if found.contains_key(version) {
                        self.problem(format!("{}: there is another file for this version", place.display()));
                    } else {
                        found.insert(version.to_owned(), file);
                    }
                }
                Ok(_) => self.problem(format!("{} is not a file", place.display())),
                Err(error) => self.problem(format!("{}: {error}", place.display())),
            }
        }
        let mut files: Vec<(Version, SchemaFile)> =
            found.into_values().filter_map(|file| Some((Version::parse(&file.version)?, file))).collect();
        files.sort_by(|(left, _), (right, _)| right.cmp(left));
        if !files.is_empty() {
            self.listing.providers.insert(address.into(), files.into_iter().map(|(_, file)| file).collect());
        }
    }

    fn problem(&mut self, problem: String) {
        if self.listing.problems.len() < MAX_PROBLEMS {
            self.listing.problems.push(problem);
        }
    }
}

/// Returns the name of a document without its ending, and how it is stored; `None` if the name is none of a document.
fn coding_of(name: &str) -> Option<(&str, Coding)> {
    ENDINGS.iter().rev().find_map(|(ending, coding)| Some((name.strip_suffix(ending)?, *coding)))
}

fn state_of(meta: &Metadata) -> (u64, u128, u64) {
    let changed = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    (meta.len(), changed.map_or(0, |since| since.as_nanos()), number_of(meta))
}

#[cfg(unix)]
fn number_of(meta: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(meta)
}

#[cfg(not(unix))]
fn number_of(_: &Metadata) -> u64 {
    0
}

/// Returns the digest of what a listing names.
fn generation(listing: &SchemaListing) -> String {
    let mut digest = Sha256::new();
    for file in listing.document.iter().chain(listing.providers.values().flatten()) {
        let SchemaFile { path, version: _, state: (size, changed, number) } = file;
        digest.update((path.len() as u64).to_le_bytes());
        digest.update(path.as_bytes());
        digest.update(size.to_le_bytes());
        digest.update(changed.to_le_bytes());
        digest.update(number.to_le_bytes());
    }
    digest.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unpack(packed: Vec<u8>, coding: Coding) -> Result<Vec<u8>, String> {
    let expected = (packed.len() as u64).saturating_mul(16);
    let read = |reader: &mut dyn Read| {
        let text = read_capped(reader, MAX_DOCUMENT_BYTES, expected)
            .map_err(|_| "the file is damaged, or not compressed as its name says".to_owned())?;
        if text.len() as u64 > MAX_DOCUMENT_BYTES { Err(too_long()) } else { Ok(text) }
    };
    match coding {
        Coding::Plain => Ok(packed),
        Coding::Zstd => read(&mut zstd::Decoder::with_buffer(&*packed).map_err(|error| error.to_string())?),
        Coding::Xz => read(&mut lzma_rust2::XzReader::new_mem_limit(&*packed, true, XZ_MEMORY)),
    }
}

fn too_long() -> String {
    format!("the document is over the limit of {MAX_DOCUMENT_BYTES} bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `{"a": 1}` and a line feed, as `xz` packs it.
    const XZ: &[u8] = &[
        0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04, 0xe6, 0xd6, 0xb4, 0x46, 0x04, 0xc0, 0x0d, 0x09, 0x21, 0x01,
        0x16, 0x00, 0x00, 0x00, 0x00, 0x00,
    ];

    #[test]
    fn a_damaged_document_is_told_without_an_end() {
        for coding in [Coding::Zstd, Coding::Xz] {
            let why = unpack(XZ.to_vec(), coding).expect_err("only the beginning is there");
            assert!(why.contains("damaged"), "{why}");
        }
    }

    #[test]
    fn endings_say_how_a_document_is_stored() {
        let stem = |name| coding_of(name).map(|(stem, _)| stem);
        assert_eq!(stem("1.2.3.json.xz"), Some("1.2.3"));
        assert_eq!(stem("1.2.3-rc1.json.zst"), Some("1.2.3-rc1"));
        assert_eq!(stem("1.2.3.json"), Some("1.2.3"));
        assert_eq!(stem("1.2.3.json.gz"), None);
    }
}
