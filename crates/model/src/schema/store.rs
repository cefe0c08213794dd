//! Schemas that are kept between requests: documents are read when something first asks for them, stay parsed as far as
//! they have been read, and are read again once their files change.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use foldhash::HashMap;

use super::document::{ProviderSchemas, SchemaError};
use overfold_base::account;
use overfold_base::schema_files::{SchemaFile, SchemaFiles, SchemaListing};

/// The bytes of text that are kept at most: about six of the largest providers, unpacked.
const MOST_KEPT: usize = 16 << 20;

/// The most memory that what is kept takes, in bytes: the texts, and what has been read of them. Reading every type of the
/// three largest providers takes eleven times their text.
pub const MOST_MEMORY: u64 = 12 * MOST_KEPT as u64;

/// Documents of schemas, by the files that hold them. Clones share what has been read.
#[derive(Clone, Debug)]
pub struct SchemaStore(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    files: Box<dyn SchemaFiles>,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    documents: HashMap<SchemaFile, KeptDocument>,
    /// The generation of the listing that the documents were last compared with.
    generation: String,
    /// Counts the uses of documents.
    clock: u64,
}

#[derive(Debug)]
struct KeptDocument {
    content: Content,
    last_use: u64,
}

/// What a file contains, once it has been read.
type Content = Arc<OnceLock<Result<Arc<ProviderSchemas>, SchemaError>>>;

/// What a store contains at one moment, for one request.
#[derive(Clone, Debug)]
pub struct StoredSchemas {
    store: SchemaStore,
    listing: Arc<SchemaListing>,
}

impl SchemaStore {
    /// Creates a store of which nothing has been read yet.
    pub fn new(files: impl SchemaFiles + 'static) -> Self {
        Self(Arc::new(Inner { files: Box::new(files), kept: Mutex::default() }))
    }

    /// Returns what is there now.
    pub fn now(&self) -> StoredSchemas {
        StoredSchemas { store: self.clone(), listing: self.0.files.listing() }
    }

    /// Returns the place of a document among those that are kept.
    fn slot(&self, file: &SchemaFile, listing: &SchemaListing) -> Content {
        let mut kept = self.0.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.generation != listing.generation {
            kept.generation.clone_from(&listing.generation);
            kept.forget_others(listing);
        }
        kept.clock += 1;
        let now = kept.clock;
        let new = || KeptDocument { content: Content::default(), last_use: 0 };
        let document = kept.documents.entry(file.clone()).or_insert_with(new);
        document.last_use = now;
        let content = Arc::clone(&document.content);
        kept.shrink(MOST_KEPT, file);
        content
    }
}

impl Kept {
    /// Forgets the documents whose files have changed or gone.
    fn forget_others(&mut self, listing: &SchemaListing) {
        account::work(8 * self.documents.len() as u64);
        self.documents.retain(|file, _| {
            listing.document.as_ref() == Some(file)
                || listing.providers.values().flatten().any(|listed| listed == file)
        });
    }

    /// Forgets the documents that were used longest ago, until the text of those that are left has at most `most` bytes,
    /// or only `spared` is left.
    fn shrink(&mut self, most: usize, spared: &SchemaFile) {
        account::work(2 * self.documents.len() as u64);
        let mut bytes: usize = self.documents.values().map(KeptDocument::text_bytes).sum();
        while bytes > most {
            account::work(2 * self.documents.len() as u64);
            let others = self.documents.iter().filter(|(file, _)| *file != spared);
            let Some((oldest, freed)) = others
                .filter(|(_, document)| document.text_bytes() > 0)
                .min_by_key(|(_, document)| document.last_use)
                .map(|(file, document)| (file.clone(), document.text_bytes()))
            else {
                return;
            };
            self.documents.remove(&oldest);
            bytes -= freed;
        }
    }
}

impl KeptDocument {
    /// The bytes of the text; 0 while it has not been read.
    fn text_bytes(&self) -> usize {
        self.content.get().and_then(|content| content.as_ref().ok()).map_or(0, |schemas| schemas.text().len())
    }
}

impl StoredSchemas {
    /// Returns which documents there are.
    pub fn listing(&self) -> &SchemaListing {
        &self.listing
    }

    /// Returns what a document of the listing contains. Whoever asks first pays for reading it.
    ///
    /// # Errors
    /// [`SchemaError`] if it cannot be read.
    pub fn read(&self, file: &SchemaFile) -> Result<Arc<ProviderSchemas>, SchemaError> {
        let content = self.store.slot(file, &self.listing);
        let read = || {
            let text = self.store.0.files.read(file).map_err(SchemaError::new)?;
            ProviderSchemas::read(text).map(Arc::new)
        };
        content.get_or_init(read).clone()
    }
}
