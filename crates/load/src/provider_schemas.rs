//! Which schemas belong to a provider: those that the request brings, else those of a version that is kept by the service
//! or beside the command.
//!
//! Of the versions that are kept: the one that the lock file beside the root module names, else the newest that all
//! constraints of the tree allow. Without constraints any release will do, as for the tool.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use elsa::FrozenMap;

use crate::module_checks::provider_names;
use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::diag::Diagnostics;
use overfold_base::files::FileSet;
use overfold_base::schema_files::SchemaFile;
use overfold_base::versions::{Constraints, Version};
use overfold_dialect::{DialectSpec, words};
use overfold_eval as eval;
use overfold_model::config::{Module, ObjectAddr, Payload};
use overfold_model::language::required_providers::{self, ProviderSource, addresses_in_other_registries};
use overfold_model::schema::{ProviderSchema, ProviderSchemas, SchemaError, StoredSchemas};
use overfold_syntax::tree::Root;
use overfold_syntax::{ExprAt, Forest, SyntaxLimits};

/// The file in which a tool keeps the providers that it has chosen.
pub const LOCK_FILE: &str = ".terraform.lock.hcl";

/// The size beyond which a lock file is not read, in bytes.
const MAX_LOCK_FILE: usize = 1 << 20;

/// The schemas that a request can use, each looked for when it is first asked for.
pub struct KnownSchemas<'r> {
    given: Option<&'r ProviderSchemas>,
    stored: Option<Stored<'r>>,
    chosen: FrozenMap<Box<str>, Box<ChosenSchema>>,
    /// The providers whose schemas were asked for and found, in the order of their addresses.
    used: RefCell<BTreeMap<Box<str>, SchemaOrigin>>,
}

#[derive(Debug)]
struct Stored<'r> {
    schemas: &'r StoredSchemas,
    files: &'r FileSet,
    root: &'r str,
    /// What each provider has to satisfy, by full address.
    constraints: BTreeMap<Box<str>, Vec<Constraints>>,
    locked: OnceCell<BTreeMap<Box<str>, Box<str>>>,
}

/// What was chosen of what is kept.
#[derive(Debug)]
enum ChosenSchema {
    Nothing,
    Document { document: Arc<ProviderSchemas>, origin: SchemaOrigin },
    Unreadable { path: Arc<str>, error: SchemaError },
}

/// Where the schemas of a provider come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaOrigin {
    /// Why these.
    pub choice: SchemaChoice,
    /// The version of the provider; `None` if it is not known.
    pub version: Option<Arc<str>>,
}

/// Why these schemas of a provider were chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SchemaChoice {
    /// The request brought them.
    Request,
    /// The lock file of the root module names the version.
    LockFile,
    /// The newest version that is kept and that all constraints allow.
    Constraints,
    /// All that is kept is a document without versions.
    Document,
}

/// Adds what a merged module requires of the versions of providers. `address_of` returns the full address of the provider
/// that a local name of it stands for.
pub fn add_constraints(
    module: &Module<'_>,
    forest: &Forest,
    address_of: impl Fn(&str) -> String,
    constraints: &mut BTreeMap<Box<str>, Vec<Constraints>>,
) {
    for element in module.elements.iter().charged(1) {
        let (ObjectAddr::RequiredProvider(name) | ObjectAddr::Provider { name, .. }) = element.address else {
            continue;
        };
        let Some(version) = element.block.usable_argument(words::VERSION) else { continue };
        let value = eval::constant(forest, version.expr, &mut Diagnostics::new());
        if let Some(stated) = value.as_shared_text().and_then(|text| Constraints::parse(text)) {
            let list = constraints.entry(address_of(name).into()).or_default();
            account::push(list, stated);
        }
    }
}

/// Returns what a merged module alone requires of the versions of providers, by full address.
pub(crate) fn constraints_of(
    module: &Module<'_>,
    forest: &Forest,
    dialect: &DialectSpec,
) -> BTreeMap<Box<str>, Vec<Constraints>> {
    let registry = required_providers::registry(dialect).unwrap_or_default();
    let requirements = module.elements.iter().charged(1).filter_map(|element| match &element.payload {
        Payload::Requirement(requirement) => Some((element.address.name(), requirement.source.as_ref())),
        _ => None,
    });
    let sources: BTreeMap<&str, Option<&ProviderSource>> = requirements.charged(2).collect();
    let address_of = |name: &str| {
        let source = sources.get(name).copied().flatten();
        provider_names::address(source, name, registry)
    };
    let mut constraints = BTreeMap::new();
    add_constraints(module, forest, address_of, &mut constraints);
    constraints
}

impl SchemaChoice {
    /// Returns the name that answers use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::LockFile => "lock-file",
            Self::Constraints => "constraints",
            Self::Document => "document",
        }
    }
}

impl<'r> KnownSchemas<'r> {
    /// Returns the schemas that a request can use: those that it brings, and those that are kept, from which the lock file
    /// in the directory of the root module chooses. `constraints` returns what the modules require of the versions of
    /// providers, by full address; it is asked only if that can matter.
    pub fn new(
        given: Option<&'r ProviderSchemas>,
        stored: Option<&'r StoredSchemas>,
        (files, root): (&'r FileSet, &'r str),
        constraints: impl FnOnce() -> BTreeMap<Box<str>, Vec<Constraints>>,
    ) -> Self {
        let stored = stored.map(|schemas| Stored {
            schemas,
            files,
            root,
            constraints: constraints(),
            locked: OnceCell::new(),
        });
        Self { given, stored, chosen: FrozenMap::new(), used: RefCell::default() }
    }

    /// Whether there can be schemas of any provider.
    pub fn has_any(&self) -> bool {
        self.given.is_some() || self.stored.is_some()
    }

    /// Returns the schemas of a provider by its full address (`registry.terraform.io/hashicorp/aws`); `None` if none are
    /// known.
    pub fn provider(&self, address: &str) -> Option<&ProviderSchema> {
        if let Some(provider) = self.given.and_then(|given| given.provider(address)) {
            self.use_of(address, || SchemaOrigin { choice: SchemaChoice::Request, version: None });
            return Some(provider);
        }
        let stored = self.stored.as_ref()?;
        let chosen = match self.chosen.get(address) {
            Some(chosen) => chosen,
            None => {
                account::text(2 * address.len() + size_of::<ChosenSchema>());
                self.chosen.insert(address.into(), Box::new(stored.choose(address)))
            }
        };
        let ChosenSchema::Document { document, origin } = chosen else { return None };
        let provider = document.provider(address)?;
        self.use_of(address, || origin.clone());
        Some(provider)
    }

    fn use_of(&self, address: &str, origin: impl FnOnce() -> SchemaOrigin) {
        let mut used = self.used.borrow_mut();
        account::work(4);
        if !used.contains_key(address) {
            account::text(address.len() + size_of::<SchemaOrigin>());
            used.insert(address.into(), origin());
        }
    }

    /// Returns the providers whose schemas were asked for so far and are known, by full address.
    pub fn used(&self) -> BTreeMap<Box<str>, SchemaOrigin> {
        let used = self.used.borrow();
        account::build(used.len() as u64, (used.len() * (size_of::<SchemaOrigin>() + 64)) as u64);
        used.clone()
    }

    /// Returns why the schemas of a provider are not known although there is a document for it, in a sentence without a
    /// full stop.
    pub fn problem(&self, address: &str) -> Option<String> {
        match self.chosen.get(address)? {
            ChosenSchema::Unreadable { path, error } => Some(format!("{path}: {error}")),
            ChosenSchema::Document { document, origin } if document.provider(address).is_none() => origin
                .version
                .as_ref()
                .map(|version| format!("the document for version {version} has no schemas of this provider")),
            ChosenSchema::Document { .. } | ChosenSchema::Nothing => None,
        }
    }
}

impl Stored<'_> {
    fn choose(&self, address: &str) -> ChosenSchema {
        let listing = self.schemas.listing();
        let found = self.locked(address).or_else(|| self.newest(address));
        let found = found.or_else(|| listing.document.as_ref().map(|file| (file, SchemaChoice::Document)));
        let Some((file, choice)) = found else { return ChosenSchema::Nothing };
        match self.schemas.read(file) {
            Ok(document) => {
                let version = (!file.version.is_empty()).then(|| Arc::clone(&file.version));
                ChosenSchema::Document { document, origin: SchemaOrigin { choice, version } }
            }
            Err(error) => ChosenSchema::Unreadable { path: Arc::clone(&file.path), error },
        }
    }

    /// Returns the document for the version that the lock file names.
    fn locked(&self, address: &str) -> Option<(&SchemaFile, SchemaChoice)> {
        let locked = self.locked.get_or_init(|| locked_versions(self.files, self.root));
        let version = addresses(address).find_map(|address| locked.get(&*address))?;
        let file = addresses(address).find_map(|address| self.schemas.listing().exact(&address, version))?;
        Some((file, SchemaChoice::LockFile))
    }

    fn newest(&self, address: &str) -> Option<(&SchemaFile, SchemaChoice)> {
        let constraints = self.constraints.get(address).map(Vec::as_slice).unwrap_or_default();
        let names_pre_release = constraints.iter().any(Constraints::names_pre_release);
        let is_allowed = |version: &Version| {
            account::work(constraints.len() as u64);
            (names_pre_release || !version.is_pre_release())
                && constraints.iter().all(|constraint| constraint.allow(version))
        };
        let file = addresses(address).find_map(|address| self.schemas.listing().newest(&address, is_allowed))?;
        Some((file, SchemaChoice::Constraints))
    }
}

/// Returns the addresses under which a provider may be kept: its own first.
fn addresses(address: &str) -> impl Iterator<Item = String> {
    std::iter::once(address.to_owned()).chain(addresses_in_other_registries(address))
}

/// Returns the versions that the lock file in a directory names, by the full address of the provider. Whatever is
/// wrong with it is for the installation to report.
fn locked_versions(files: &FileSet, root: &str) -> BTreeMap<Box<str>, Box<str>> {
    let path = if root.is_empty() { LOCK_FILE.to_owned() } else { format!("{root}/{LOCK_FILE}") };
    let text = files.get(&path).map(|file| file.bytes.clone());
    text.filter(|text| text.len() <= MAX_LOCK_FILE).map(read_lock_file).unwrap_or_default()
}

/// Returns the versions that the text of a lock file names, by the full address of the provider. What cannot be read says
/// nothing.
pub fn read_lock_file(text: Bytes) -> BTreeMap<Box<str>, Box<str>> {
    let forest = Forest::new(SyntaxLimits::default());
    let mut ignored = Diagnostics::new();
    let source = forest.parse_native(LOCK_FILE, text, &mut ignored);
    let Some(tree) = forest.native(source) else { return BTreeMap::new() };
    let mut versions = BTreeMap::new();
    let Root::Body(root) = tree.root else { return BTreeMap::new() };
    for block in tree.blocks(tree.body(root).blocks).iter().charged(2) {
        let (words::PROVIDER, [label]) = (tree.name(block.type_range), tree.labels(block.labels)) else { continue };
        let attributes = tree.attributes(tree.body(block.body).attributes).iter();
        let mut attributes = attributes.charged(1);
        let version = attributes.find(|attribute| tree.name(attribute.name_range) == words::VERSION);
        let Some(version) = version else { continue };
        let value = eval::constant(&forest, ExprAt::Native(source, version.expr), &mut ignored);
        if let Some(version) = value.as_shared_text() {
            let address = tree.str(label.text);
            account::text(address.len() + version.len() + 64);
            versions.insert(address.touched().into(), Box::from(&**version));
        }
    }
    versions
}
