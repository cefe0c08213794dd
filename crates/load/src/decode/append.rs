//! Appends the primary files to one module; declaring the same thing twice is an error (terraform.md, section 6).

use crate::decode::{Decoding, Item, Targets, codes};
use foldhash::{HashMap, HashSet};
use overfold_base::account::{self, List};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_dialect::{
    AddressRule, BlockSpec, BodyCheck, Check, DialectSpec, DuplicatePolicy, Exclusion, NestedCheck, OverrideRule,
    Repeat,
};
use overfold_model::config::{Argument, Block, Element, ObjectAddr};
use overfold_model::language::addresses::Target;
use overfold_syntax::Forest;
use std::sync::Arc;

/// Appends the primary files one after another.
pub(super) struct Appender<'f, 'o> {
    forest: &'f Forest,
    dialect: &'static DialectSpec,
    out: &'o mut Diagnostics,
    elements: List<Option<Element<'f>>>,
    /// The index in `elements` of the element with each address.
    places: HashMap<ObjectAddr<'f>, usize>,
    /// The headers of blocks of types that may occur only once, by keyword.
    blocks: HashMap<&'static str, Span>,
    /// The number of elements of each numbered kind so far.
    numbers: HashMap<&'static str, u32>,
    /// The headers of the imports of each target.
    imports: HashMap<String, Vec<Span>>,
    /// The targets and headers of the imports of each id and resource type.
    ids: HashMap<(Arc<str>, String), Imports>,
    moved_from: HashSet<Target>,
    /// The arguments of elements of which every file adds some, by their index in `elements`.
    constraints: HashMap<usize, Vec<Argument<'f>>>,
    /// Diagnostics that are reported only when their location is final.
    duplicates: List<Diagnostic>,
}

/// Returns the tool's error about a second element with the same address, with the title from its row; `None` if it
/// does not report one. `first` is the header of the first element.
pub(crate) fn duplicate(dialect: &DialectSpec, element: &Element<'_>, first: Span) -> Option<Diagnostic> {
    let Repeat::Error { title, .. } = element.block.spec?.repeat else { return None };
    let title = duplicate_title(dialect, title, Some(element));
    let detail = format!(
        "`{}` is already declared, and the first declaration is used. Keep only one of the two, or give them different names.",
        element.address
    );
    Some(
        Diagnostic::tool(&codes::DUPLICATE, element.block.header, detail)
            .titled(title)
            .about(element.address)
            .and("first declared here", first),
    )
}

/// Returns the title with its placeholders replaced: `{0}` and `{1}` by labels, `{address}` by the address, and
/// `{name}` by its last part.
fn duplicate_title(dialect: &DialectSpec, title: &'static str, element: Option<&Element<'_>>) -> String {
    let mut title = dialect.title(codes::DUPLICATE.id, title).to_owned();
    let Some(element) = element else { return title };
    for (index, label) in element.block.labels.iter().enumerate() {
        title = title.replace(&format!("{{{index}}}"), label.text);
    }
    let address = element.address.to_string();
    title.replace("{address}", &address).replace("{name}", element.address.name())
}

/// The targets and headers of imports.
type Imports = Vec<(Target, Span)>;

/// The number of earlier imports with which a clashing import is compared. The tool reports every pair; the limit
/// keeps the work linear in the number of blocks.
const MAX_PAIRS: usize = 64;

impl<'f, 'o> Appender<'f, 'o> {
    pub(super) fn new(forest: &'f Forest, dialect: &'static DialectSpec, out: &'o mut Diagnostics) -> Self {
        Self {
            forest,
            dialect,
            out,
            elements: List::new(),
            places: HashMap::default(),
            blocks: HashMap::default(),
            numbers: HashMap::default(),
            imports: HashMap::default(),
            ids: HashMap::default(),
            moved_from: HashSet::default(),
            duplicates: List::new(),
            constraints: HashMap::default(),
        }
    }

    /// Appends one file.
    pub(super) fn file(&mut self, file: Decoding<'f>) {
        // Objects inside a check come last, so they lose against all other objects of the file.
        let (mut imports, mut late) = (Vec::new(), Vec::new());
        for item in file.items {
            if item.spec.checks(Check::Nested(NestedCheck::OneScopedData)) {
                late.push(item);
            } else if item.spec.checks(Check::Body(BodyCheck::NoProviderForModuleTarget)) {
                imports.push(item);
            } else {
                if let Some(from) = item.targets.as_ref().and_then(|targets| targets.from.as_ref()) {
                    self.moved_from.insert(from.clone());
                }
                self.item(item);
            }
        }
        for item in imports {
            self.import(&item);
            self.item(item);
        }
        for item in late {
            self.scoped(item);
        }
        self.exclusions();
    }

    /// Returns the elements in order of declaration, and [`overfold_model::config::LoadedElements::duplicates`].
    pub(super) fn finish(mut self) -> (Vec<Element<'f>>, Vec<Diagnostic>) {
        #[expect(clippy::iter_over_hash_type, reason = "each goes to its own place, in any order")]
        for (place, all) in self.constraints {
            if let Some(Some(element)) = self.elements.get_mut(place) {
                let arguments = self.forest.keep_list(&all);
                element.block = self.forest.keep_one(Block { arguments, ..*element.block });
            }
        }
        (self.elements.into_iter().flatten().collect(), self.duplicates.into_vec())
    }

    fn item(&mut self, item: Item<'f>) {
        let Item { spec, header, elements, .. } = item;
        if let Repeat::WholeBlock { title } = spec.repeat {
            if let Some(&first) = self.blocks.get(spec.keyword) {
                self.duplicate(title, spec, None, header, first);
                return;
            }
            self.blocks.insert(spec.keyword, header);
        }
        for element in elements {
            self.element(spec, element);
        }
    }

    fn element(&mut self, spec: &'static BlockSpec, mut element: Element<'f>) {
        account::work(4);
        if let AddressRule::Numbered(word) = spec.address {
            let number = self.numbers.entry(word).or_default();
            element.address = ObjectAddr::Numbered { keyword: word, index: Some(*number) };
            *number += 1;
        }
        let Some(&place) = self.places.get(&element.address) else {
            self.places.insert(element.address, self.elements.len());
            self.elements.push(Some(element));
            return;
        };
        let Some(Some(first)) = self.elements.get_mut(place) else { return };
        if matches!(spec.over, OverrideRule::AllOfFileReplace) {
            // There is one element for all constraints, each of which has to be met.
            let all = self.constraints.entry(place).or_insert_with(|| first.block.arguments.to_vec());
            all.extend_from_slice(element.block.arguments);
            return;
        }
        if let Repeat::OnePerFile { title } = spec.repeat {
            let first_header = first.block.header;
            if first_header.source == element.block.header.source {
                self.duplicate(title, spec, Some(&element), element.block.header, first_header);
                return;
            }
            let detail = "An earlier file contains the same setting. The one from this file is silently used; keep only one of them.";
            let note = Diagnostic::ours(&codes::REPLACED_BY_LATER_FILE, element.block.header, detail);
            self.out.push(note.about(element.address).and("previously set here", first_header));
            *first = element;
            return;
        }
        let Repeat::Error { title, keeps } = spec.repeat else {
            self.elements.push(Some(element));
            return;
        };
        let first_header = first.block.header;
        self.duplicate(title, spec, Some(&element), element.block.header, first_header);
        match keeps {
            DuplicatePolicy::Last => {
                // It takes effect at its own position.
                if let Some(slot) = self.elements.get_mut(place) {
                    *slot = None;
                }
                self.places.insert(element.address, self.elements.len());
                self.elements.push(Some(element));
            }
            DuplicatePolicy::BothListed => self.elements.push(Some(element)),
            DuplicatePolicy::First | DuplicatePolicy::DropsParent => {}
        }
    }

    /// Appends a check with a data source inside it; if the data source is a duplicate, the whole check is dropped.
    fn scoped(&mut self, item: Item<'f>) {
        let Item { spec, mut elements, .. } = item;
        let Some(check) = elements.pop() else { return };
        let mut inner = elements.into_iter();
        if let Some(data) = inner.next()
            && let Some(row) = data.block.spec
        {
            if let Some(first) = self.header_of(&data.address) {
                if let Repeat::Error { title, .. } = row.repeat {
                    self.duplicate(title, row, Some(&data), data.block.header, first);
                }
                return;
            }
            self.element(row, data);
        }
        self.element(spec, check);
    }

    fn header_of(&self, address: &ObjectAddr<'_>) -> Option<Span> {
        self.places
            .get(address)
            .and_then(|&place| self.elements.get(place))
            .and_then(Option::as_ref)
            .map(|element| element.block.header)
    }

    fn duplicate(
        &mut self,
        title: &'static str,
        spec: &'static BlockSpec,
        element: Option<&Element<'_>>,
        at: Span,
        first: Span,
    ) {
        let title = duplicate_title(self.dialect, title, element);
        let what = element.map_or_else(|| spec.keyword.to_owned(), |element| element.address.to_string());
        let stays = match spec.repeat {
            Repeat::Error { keeps: DuplicatePolicy::Last, .. } => "the last declaration is used",
            _ => "the first declaration is used",
        };
        let detail = format!(
            "`{what}` is declared more than once in the primary files; {stays}. Keep only one of the declarations, or give them different names."
        );
        let mut found =
            Diagnostic::tool(&codes::DUPLICATE, at, detail).titled(title).and("first declared here", first);
        if let Some(element) = element {
            found = found.about(element.address);
        }
        if matches!((spec.address, spec.repeat), (AddressRule::EachArgument { .. }, Repeat::Error { .. })) {
            self.duplicates.push(found);
        } else {
            self.out.push(found);
        }
    }

    /// Reports two settings that exclude each other, for every file starting with the one that declares the second.
    fn exclusions(&mut self) {
        let Some(Exclusion { reported, other, title }) = self.dialect.rules.reading.exclusion else { return };
        let find = |address| self.header_of(&ObjectAddr::Setting(address));
        let (Some(reported), Some(other)) = (find(reported), find(other)) else { return };
        let title = self.dialect.title(codes::EXCLUDED.id, title);
        let detail = "A module can have either a `backend` or a `cloud` block, not both. Remove one of them. This error is repeated for every primary file that is read afterwards.";
        self.out
            .push(Diagnostic::tool(&codes::EXCLUDED, reported, detail).titled(title).and("the other setting", other));
    }

    fn import(&mut self, item: &Item<'_>) {
        let none = Targets::default();
        let Targets { to, to_span, id, .. } = item.targets.as_deref().unwrap_or(&none);
        let at_header = self.dialect.rules.imports.clash_at_header;
        let computed_keys = self.dialect.rules.imports.computed_keys;
        let target = match to {
            Some(target) if target.computed => None,
            Some(target) => Some(target.to_string()),
            // The name that the old tool gives to an address that it cannot read; two of them clash.
            None => (at_header && !computed_keys).then(|| String::from("<invalid>..")),
        };
        let reported = if at_header { Some(item.header) } else { *to_span };
        if let (Some(target), Some(at)) = (&target, reported)
            && (at_header || self.dialect.rules.imports.clash_at_target)
        {
            // The newer title omits the instance keys.
            let shown = match to {
                Some(to) if !at_header => to.without_keys().to_string(),
                _ => target.clone(),
            };
            let earlier = self.imports.entry(target.clone()).or_default();
            for &first in &*earlier {
                overfold_model::language::addresses::duplicate_import(&shown, at, first, self.out);
            }
            if earlier.len() < MAX_PAIRS {
                earlier.push(item.header);
            }
        }
        if self.dialect.rules.imports.ids_clash
            && let (Some(id), Some(to)) = (id, to)
            && let Some(resource) = &to.resource
        {
            let earlier = self.ids.entry((Arc::clone(id), resource.type_name.clone())).or_default();
            for (_, first) in earlier.iter().filter(|(other, _)| other != to) {
                let title = format!("Duplicate import for ID {:?}", &**id);
                let detail = format!(
                    "Another `import` block already uses this ID for a resource of type {:?}. An object can be imported only once: correct one of the IDs, or remove one of the blocks.",
                    resource.type_name
                );
                self.out.push(
                    Diagnostic::tool(&codes::IMPORT_DUPLICATE_ID, item.header, detail)
                        .titled(title)
                        .and("the first one", *first),
                );
            }
            if earlier.len() < MAX_PAIRS {
                earlier.push((to.clone(), item.header));
            }
        }
        if self.dialect.rules.imports.clash_with_moves
            && let Some(to) = to
            && self.moved_from.contains(to)
        {
            let detail = "A `moved` block of this module moves this address away, so no object remains here to import into. Import into the new address instead.";
            self.out.push(Diagnostic::tool(&codes::IMPORT_MOVE_SOURCE, item.header, detail));
        }
    }
}
