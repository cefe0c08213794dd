//! Writes the merged module in native syntax: the primary files with their override files folded in, as files or as one
//! text.
//!
//! Unchanged parts stay byte for byte, including comments and white space. A changed part is replaced by the text of
//! the override file; content from JSON files is reformatted.

mod body;
mod json_file;
mod patch;
mod values;

use std::collections::BTreeMap;

use bytes::Bytes;
use elsa::FrozenMap;
use foldhash::{HashMap, HashSet};

use super::super::json::JsonWriter;
use super::super::redaction::Redaction;
use super::tf_json::Surroundings;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use body::lines;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostics, SourceId, Span};
use overfold_dialect::{FileSyntax, SuffixUse};
use overfold_model::config::EffectiveConfig;
use overfold_model::config::effective::Object;
use overfold_model::config::folding::{Edit, EditAct, Folding, PrimaryFile};
use overfold_module::pipeline::Report;
use overfold_syntax::Forest;
use overfold_syntax::tree::{self, Tree};
use patch::{Patch, Text, apply};
pub(crate) use values::is_identifier;
use values::name;

/// The blocks of a native tree, by the start of their headers.
type Nodes = HashMap<u32, usize>;

/// Writes a merged module in the native syntax.
struct NativeText<'a> {
    report: &'a Report<'a>,
    forest: &'a Forest,
    redaction: &'a Redaction<'a>,
    config: &'a EffectiveConfig<'a>,
    folding: &'a Folding<'a>,
    is_hcl1: bool,
    /// Whether the blocks are expanded copies that no file contains.
    is_expanded: bool,
    nodes: FrozenMap<SourceId, Box<Nodes>>,
    texts: FrozenMap<SourceId, Box<Text>>,
}

/// Writes the primary files with the override files folded in, as an object of texts. The file names are those of the
/// part `files`.
pub(crate) fn write_files(json: &mut JsonWriter, report: &Report<'_>, redaction: &Redaction<'_>) {
    with(report, redaction, |native| {
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for file in &native.folding.files {
            let mut text = native.file(file);
            native.keep_broken(file.source, &mut text);
            files.push((file.name.to_owned(), text));
        }
        let added = native.added_objects();
        if !added.is_empty() {
            // An unfinished block or comment at the end of a file would take in what follows it.
            let takes =
                |file: &PrimaryFile<'_>| native.native_tree(file.source).is_some() && !native.is_damaged(file.source);
            let last = native.folding.files.iter().rposition(takes);
            match last.and_then(|last| files.get_mut(last)) {
                Some((_, text)) => join(text, &added),
                None => files.push((native.new_name(), added)),
            }
        }
        // What could be understood of a broken override file is folded in; its errors are only in the file itself.
        for &(name, source) in native.folding.overrides.iter().filter(|&&(_, source)| native.is_damaged(source)) {
            let mut text = native.copy(source);
            native.keep_broken(source, &mut text);
            files.push((name.to_owned(), text));
        }
        files.sort();
        json.object(|json| {
            let folder = report.forest.sources.folder();
            for (name, text) in files {
                json.key(&format!("{folder}{name}"));
                match String::from_utf8(text) {
                    Ok(text) => json.str(&text),
                    Err(bytes) => {
                        json.object(|json| json.member("base64", &BASE64_STANDARD.encode(bytes.as_bytes())));
                    }
                }
            }
        });
    });
}

/// Returns the whole module as one text.
pub(crate) fn text(report: &Report<'_>, redaction: &Redaction<'_>) -> String {
    with(report, redaction, |native| {
        let mut all = Vec::new();
        if report.is_expanded {
            join(&mut all, &native.format_objects(&native.config.objects(), false));
        } else {
            let mut objects: HashMap<SourceId, Vec<Object<'_>>> = HashMap::default();
            if native.folding.files.iter().any(|file| native.native_tree(file.source).is_none()) {
                for object in native.config.objects() {
                    if let Some(home) = native.folding.home(object.block.header) {
                        objects.entry(home).or_default().push(object);
                    }
                }
            }
            let mut add = |all: &mut Vec<u8>, file: &PrimaryFile<'_>| {
                if native.native_tree(file.source).is_some() {
                    let text = native.file(file);
                    join(all, text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&text));
                } else {
                    let own = objects.remove(&file.source).unwrap_or_default();
                    join(all, &native.format_objects(&own, native.declares_experiments(file.source)));
                }
            };
            // An unfinished block or comment in a broken file takes in what follows it.
            let (broken, whole): (Vec<_>, Vec<_>) =
                native.folding.files.iter().partition(|file| native.is_damaged(file.source));
            for file in whole {
                add(&mut all, file);
            }
            join(&mut all, &native.added_objects());
            for file in broken {
                add(&mut all, file);
            }
        }
        let sources = native.folding.files.iter().map(|file| file.source);
        let mut sources = sources.chain(native.folding.overrides.iter().map(|&(_, source)| source));
        if sources.any(|source| native.is_damaged(source)) && native.parses(&all, false) {
            join(&mut all, SYNTAX_ERROR.as_bytes());
        }
        String::from_utf8(all).unwrap_or_else(|bytes| String::from_utf8_lossy(bytes.as_bytes()).into_owned())
    })
}

fn with<T>(report: &Report<'_>, redaction: &Redaction<'_>, write: impl FnOnce(&NativeText<'_>) -> T) -> T {
    let config = EffectiveConfig::from_module(&report.module, report.dialect, &report.experiments);
    let folding = Folding::new(&config, &report.module, report.forest);
    write(&NativeText {
        report,
        forest: report.forest,
        redaction,
        config: &config,
        folding: &folding,
        is_hcl1: report.dialect.reads_hcl1(),
        is_expanded: report.is_expanded,
        nodes: FrozenMap::new(),
        texts: FrozenMap::new(),
    })
}

/// Appends a text, separated by an empty line.
fn join(all: &mut Vec<u8>, text: &[u8]) {
    if text.iter().all(u8::is_ascii_whitespace) && !all.is_empty() {
        return;
    }
    account::grow(text.len() as u64);
    if !all.is_empty() {
        if !all.ends_with(b"\n") {
            all.push(b'\n');
        }
        all.push(b'\n');
    }
    all.extend_from_slice(text);
}

/// Stands for syntax errors that a text has lost, because text was hidden, replaced, or brought together with other
/// text. No syntax accepts the last line.
const SYNTAX_ERROR: &str =
    "# The files have syntax errors that are no longer visible in this text. The next line stands for them.\n)\n";

impl<'a> NativeText<'a> {
    /// Whether a file has a syntax error.
    fn is_damaged(&self, source: SourceId) -> bool {
        self.forest.sources.get(source).is_some_and(|source| source.damaged)
    }

    /// Whether a text has no syntax error.
    fn parses(&self, text: &[u8], is_json: bool) -> bool {
        let forest = Forest::with_grammar(self.forest.limits, self.forest.grammar());
        let text = Bytes::copy_from_slice(text);
        let mut out = Diagnostics::new();
        if self.is_hcl1 {
            forest.parse_hcl1("", text, &mut out);
        } else if is_json {
            forest.parse_json("", text, &mut out);
        } else {
            forest.parse_native("", text, &mut out);
        }
        !out.has_errors()
    }

    /// Makes sure that the text of a file with a syntax error has one, too.
    fn keep_broken(&self, source: SourceId, text: &mut Vec<u8>) {
        if self.is_damaged(source) && self.parses(text, self.forest.json(source).is_some()) {
            if !text.is_empty() && !text.ends_with(b"\n") {
                text.push(b'\n');
            }
            text.extend_from_slice(SYNTAX_ERROR.as_bytes());
        }
    }

    /// Returns a file as it is, with secrets hidden.
    fn copy(&self, source: SourceId) -> Vec<u8> {
        let Some(file) = self.forest.sources.get(source) else { return Vec::new() };
        let cuts = self.redaction.masks(source).cuts(overfold_base::diag::TextRange::new(0, u32::MAX));
        apply(&file.text, 0..file.text.len(), Vec::new(), cuts)
    }

    fn nodes(&self, tree: &Tree) -> &Nodes {
        if let Some(nodes) = self.nodes.get(&tree.source) {
            return nodes;
        }
        let mut nodes = Nodes::default();
        for (at, block) in tree.blocks.iter().charged_at_once(1).enumerate() {
            nodes.entry(block.def_range.start).or_insert(at);
        }
        self.nodes.insert(tree.source, Box::new(nodes))
    }

    /// Returns the text of a tree, with facts about its lines that are determined once.
    fn lines_of(&self, source: SourceId, text: &Bytes) -> &Text {
        match self.texts.get(&source) {
            Some(text) => text,
            None => self.texts.insert(source, Box::new(Text::new(text))),
        }
    }

    /// Returns a primary file with everything folded in.
    fn file(&self, file: &PrimaryFile<'a>) -> Vec<u8> {
        let Some(source) = self.forest.sources.get(file.source) else { return Vec::new() };
        let Some(tree) = self.native_tree(file.source) else {
            return self.json_file(file, &source.text);
        };
        let text = self.lines_of(file.source, &tree.text);
        let mut patches = Vec::new();
        // The content to insert into blocks that hold arguments, by the start of the block.
        let mut inside: BTreeMap<u32, Inside<'_>> = BTreeMap::new();
        let holders = Holders::default();
        for Edit { at, act } in &file.edits {
            match *act {
                EditAct::Nothing => patches.push(text.removal(at.range())),
                EditAct::Content(object) => {
                    if let Some(node) = self.node(tree, object.block) {
                        self.content(tree, node, object.block, Surroundings::EXPRESSIONS, &mut patches);
                    }
                }
                EditAct::Object(object) => {
                    let range = at.range().indexes();
                    let added = self.object_text(&object, &text.indent(range.start));
                    let keyword = object.container.or(object.holder.filter(|_| object.is_setting()));
                    let Some(node) = keyword.and_then(|keyword| holders.around(tree, *at, keyword)) else {
                        patches.push(Patch::new(range, added));
                        continue;
                    };
                    inside.entry(node.range.start).or_insert_with(|| Inside::of(node)).breaks |= added.contains('\n');
                    let is_one_line = text.is_one_line(node.open_brace, node.close_brace);
                    patches.push(text.in_place(range, is_one_line, node.close_brace.indexes().start, added));
                }
                EditAct::Beside(object) => {
                    let Some(node) = holders.around(tree, *at, object.container.unwrap_or_default()) else {
                        continue;
                    };
                    let added = self.object_text(&object, "  ");
                    inside.entry(node.range.start).or_insert_with(|| Inside::of(node)).added.push(added);
                }
            }
        }
        for Inside { node, added, breaks } in inside.into_values() {
            patches.extend(text.append(node.open_brace, node.close_brace, &added, breaks));
        }
        let cuts = self.redaction.masks(file.source).cuts(overfold_base::diag::TextRange::new(0, u32::MAX));
        apply(&source.text, 0..source.text.len(), patches, cuts)
    }

    /// Returns an object without the block that holds it.
    fn object_text(&self, object: &Object<'a>, indent: &str) -> String {
        let block = object.block;
        let around = Surroundings::of(block, Surroundings::EXPRESSIONS);
        if let Some(part) = object.part {
            let setting = block.arguments.get(part);
            let around = Surroundings { form: super::expr::Form::Literal, ..Surroundings::EXPRESSIONS };
            return setting.map_or_else(String::new, |setting| self.assignment(block, setting, around));
        }
        if object.container.is_none() {
            return self.block(block, Surroundings::EXPRESSIONS, indent);
        }
        if self.native_tree(block.header.source).is_some() {
            return self.slice(block.header);
        }
        match block.arguments {
            [value] if value.name == "value" => {
                format!("{} = {}", name(object.name), self.value(block, value, around))
            }
            arguments => {
                let parts = arguments
                    .iter()
                    .map(|argument| format!("{} = {}", name(argument.name), self.value(block, argument, around)));
                let parts: Vec<String> = parts.collect();
                format!("{} = {{{}\n{indent}}}", name(object.name), lines(&parts, &format!("{indent}  ")))
            }
        }
    }

    /// Returns the objects that have no position in a primary file.
    fn added_objects(&self) -> Vec<u8> {
        self.format_objects(&self.folding.added, false)
    }

    /// Returns objects one after another; objects that belong in one block are grouped.
    fn format_objects(&self, objects: &[Object<'a>], experiments: bool) -> Vec<u8> {
        let mut out = String::new();
        let mut separate = |text: &str| {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(text);
            out.push('\n');
        };
        let objects: Vec<Object<'a>> =
            objects.iter().filter(|object| !self.redaction.hides_labels(object.block)).copied().collect();
        let mut held: Vec<(&str, Vec<Object<'a>>)> = Vec::new();
        for object in &objects {
            let Some(group) = object.holder.or(object.container) else { continue };
            match held.iter_mut().find(|(name, _)| *name == group) {
                Some((_, objects)) => objects.push(*object),
                None => held.push((group, vec![*object])),
            }
        }
        let opted = self.config.experiments().filter(|_| experiments);
        if let Some(opted) = opted
            && !held.iter().any(|(name, _)| *name == opted.holder)
        {
            held.push((opted.holder, Vec::new()));
        }
        let mut written: Vec<&str> = Vec::new();
        let groups = objects.iter().map(|object| object.holder.or(object.container).ok_or(object));
        for group in groups.chain(opted.map(|opted| Ok(opted.holder))) {
            match group {
                Err(object) => separate(&self.object_text(object, "")),
                Ok(group) if written.contains(&group) => {}
                Ok(group) => {
                    written.push(group);
                    let objects = held.iter().find(|(name, _)| *name == group).map_or(&[][..], |(_, all)| all);
                    let opted = opted.filter(|opted| opted.holder == group);
                    for text in self.group(group, objects, opted) {
                        separate(&text);
                    }
                }
            }
        }
        out.into_bytes()
    }

    /// Returns a block that holds objects, and another one for each further value of a setting.
    fn group(
        &self,
        keyword: &str,
        objects: &[Object<'a>],
        experiments: Option<overfold_model::config::effective::Experiments<'_>>,
    ) -> Vec<String> {
        let mut items: Vec<String> = Vec::new();
        let mut more = Vec::new();
        let mut containers: Vec<&str> = Vec::new();
        if let Some(experiments) = experiments {
            let names: Vec<&str> = experiments.opted.iter().map(|name| &**name).collect();
            items.push(format!("{} = [{}]", experiments.name, names.join(", ")));
        }
        for object in objects {
            match object.container {
                Some(container) if object.holder.is_some() => {
                    if containers.contains(&container) {
                        continue;
                    }
                    containers.push(container);
                    let entries = objects.iter().filter(|other| other.container == Some(container));
                    let entries: Vec<String> = entries.map(|entry| self.object_text(entry, "    ")).collect();
                    items.push(format!(
                        "{container} {{{}
  }}",
                        lines(&entries, "    ")
                    ));
                }
                _ if object.part.is_some_and(|part| part > 0) => {
                    more.push(format!("{keyword} {{\n  {}\n}}", self.object_text(object, "  ")));
                }
                _ => items.push(self.object_text(object, "  ")),
            }
        }
        let mut blocks = vec![format!("{keyword} {{{}\n}}", lines(&items, "  "))];
        blocks.extend(more);
        blocks
    }

    /// Whether a JSON file opts into experiments.
    fn declares_experiments(&self, source: SourceId) -> bool {
        let Some(experiments) = self.config.experiments() else { return false };
        let Some(tree) = self.forest.json(source) else { return false };
        let has = |name: &str| tree.properties.iter().any(|property| tree.str(property.name) == name);
        has(experiments.holder) && has(experiments.name)
    }

    /// Chooses the name of a new file for objects without one.
    fn new_name(&self) -> String {
        let files = self.report.dialect.files;
        let native = files.suffixes.iter().find(|row| {
            row.usage == SuffixUse::Config && matches!(row.syntax, FileSyntax::Native | FileSyntax::Hcl1)
        });
        let names = &self.report.module.files;
        let taken: HashSet<&str> = names.iter().charged_at_once(2).map(|entry| &*entry.name).collect();
        let suffix = native.map_or(".tf", |row| row.suffix);
        let mut name = format!("main{suffix}");
        let mut number = 1_u32;
        while taken.contains(&*name) {
            number += 1;
            name = format!("main-{number}{suffix}");
        }
        name
    }
}

/// The content to insert into a block that holds arguments.
struct Inside<'t> {
    node: &'t tree::Block,
    /// Items to append.
    added: Vec<String>,
    /// Whether an argument in the block now spans several lines.
    breaks: bool,
}

impl<'t> Inside<'t> {
    const fn of(node: &'t tree::Block) -> Self {
        Self { node, added: Vec::new(), breaks: false }
    }
}

/// The blocks of one tree that hold arguments, by type. Blocks of one type are never nested within one another.
#[derive(Default)]
struct Holders {
    /// Indexes into the tree, sorted by the start of the blocks.
    of_type: FrozenMap<String, Vec<usize>>,
}

impl Holders {
    /// Returns the block of this type that encloses a position.
    fn around<'t>(&self, tree: &'t Tree, at: Span, keyword: &str) -> Option<&'t tree::Block> {
        let start = |index: &usize| tree.blocks.get(*index).map_or(0, |block| block.range.start);
        let sorted = self.of_type.get(keyword).unwrap_or_else(|| {
            let all = tree
                .blocks
                .iter()
                .charged_at_once(1)
                .enumerate()
                .filter(|(_, block)| tree.name(block.type_range) == keyword);
            let mut indexes: Vec<usize> = all.map(|(index, _)| index).collect();
            indexes.sort_by_key(start);
            self.of_type.insert(keyword.to_owned(), indexes)
        });
        let behind = sorted.partition_point(|index| start(index) <= at.start);
        let block = tree.blocks.get(*sorted.get(behind.checked_sub(1)?)?)?;
        (at.end <= block.range.end).then_some(block)
    }
}
