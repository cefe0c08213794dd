//! Writes a primary file in JSON with its override files folded in: only changed bodies and arguments are rewritten.

use foldhash::{HashMap, HashSet};

use super::super::super::json::JsonWriter;
use super::super::tf_json;
use super::NativeText;
use super::patch::{Patch, Text, apply};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Span, TextRange};
use overfold_model::config::Block;
use overfold_model::config::effective::Object;
use overfold_model::config::folding::{Edit, EditAct, PrimaryFile};
use overfold_syntax::json::{JsonKind, JsonTree, Property};

/// The deepest indentation of a line, in steps.
const MAX_DEPTH: usize = 32;

impl<'a> NativeText<'a> {
    /// Writes a primary file in JSON with everything folded in. Additions to rewritten bodies use the tool's JSON
    /// syntax, whatever the style of the file. If an object is replaced or removed as a whole, the entire file is
    /// rewritten.
    pub(super) fn json_file(&self, file: &PrimaryFile<'a>, text: &[u8]) -> Vec<u8> {
        let cuts = self.redaction.masks(file.source).cuts(TextRange::new(0, u32::MAX));
        if let Some(patches) = self.json_patches(file) {
            return apply(text, 0..text.len(), patches, cuts);
        }
        // Every object is looked at to find those of this file.
        account::work(self.report.module.elements.len() as u64 * 6);
        let mut json = JsonWriter::default();
        let shown = |block: &Block<'_>| self.folding.home(block.header) == Some(file.source);
        tf_json::walk_selected(&mut json, self.report, self.redaction, self.config, shown);
        let mut out = indented(&json.into_bytes(), "  ");
        out.push(b'\n');
        out
    }

    /// Collects the changes to a file; `None` if its parts cannot be changed individually.
    fn json_patches(&self, file: &PrimaryFile<'a>) -> Option<Vec<Patch>> {
        if file.edits.is_empty() {
            return Some(Vec::new());
        }
        let tree = self.forest.json(file.source).filter(|_| !self.is_hcl1)?;
        let text = self.lines_of(file.source, &tree.text);
        let mut bodies: HashMap<u32, &[Property]> = HashMap::default();
        for node in tree.nodes.iter().charged_at_once(1) {
            if let JsonKind::Object { properties, .. } = node.kind {
                bodies.insert(node.range.start, tree.properties(properties));
            }
        }
        let mut patches = Vec::with_capacity(file.edits.len());
        for Edit { at, act } in &file.edits {
            let range = at.range().indexes();
            patches.push(match act {
                EditAct::Content(object) => {
                    let properties = *bodies.get(&at.start)?;
                    let mut json = JsonWriter::default();
                    tf_json::write_body(&mut json, self.report, self.redaction, self.config, object.block);
                    let body = self.keep_unknown(tree, properties, object.block, &json.into_bytes());
                    Patch::new(range, lay_out(tree, text, *at, &body))
                }
                EditAct::Object(object) => Patch::new(range, self.json_entry(tree, text, *at, object)?),
                EditAct::Beside(object) => {
                    let entry = self.json_entry(tree, text, *at, object)?;
                    let separator = if text.is_indented(range.start) {
                        format!(",{}{}", text.newline(), text.indent(range.start))
                    } else {
                        ", ".to_owned()
                    };
                    Patch::insert(range.end, format!("{separator}{entry}"))
                }
                EditAct::Nothing => return None,
            });
        }
        Some(patches)
    }

    /// Returns `"name": value` for an object that is an argument.
    fn json_entry(&self, tree: &JsonTree, text: &Text, at: Span, object: &Object<'a>) -> Option<String> {
        let mut json = JsonWriter::default();
        let name = tf_json::write_entry(&mut json, self.report, self.redaction, self.config, object)?;
        let mut key = JsonWriter::default();
        key.str(name);
        let key = String::from_utf8(key.into_bytes()).ok()?;
        Some(format!("{key}: {}", lay_out(tree, text, at, &json.into_bytes())))
    }

    /// Returns a body with those properties of its source that are neither arguments nor blocks: comments, and
    /// properties that were reported.
    fn keep_unknown(&self, tree: &JsonTree, properties: &[Property], block: &Block<'_>, body: &[u8]) -> Vec<u8> {
        let all = block.arguments.iter().flat_map(|argument| argument.previous.newest_first().chain([argument]));
        let arguments = all.chain(block.escaped).map(|argument| argument.name);
        let blocks = block.blocks.iter().chain(block.removed_blocks().newest_first()).map(|nested| nested.keyword);
        let known: HashSet<&str> = arguments.chain(blocks).chain(["_"]).collect();
        account::work((known.len() + properties.len()) as u64);
        let masks = self.redaction.masks(tree.source);
        let mut out: Vec<u8> = vec![b'{'];
        for property in properties {
            let range = property.name_range.to(tree.node(property.value).range);
            let is_comment = tree.str(property.name) == "//";
            if known.contains(tree.str(property.name))
                || self.folding.is_gone(range.in_source(tree.source))
                // A comment about redacted parts takes its place.
                || (is_comment && body.starts_with(b"{\"//\""))
            {
                continue;
            }
            if out.len() > 1 {
                out.push(b',');
            }
            let value = tree.node(property.value).range;
            out.extend_from_slice(property.name_range.bytes_of(&tree.text));
            out.push(b':');
            out.extend(compact(&apply(&tree.text, value.indexes(), Vec::new(), masks.cuts(value))));
        }
        let rest = body.get(1..).unwrap_or_default();
        if out.len() > 1 && rest != b"}" {
            out.push(b',');
        }
        out.extend_from_slice(rest);
        out
    }
}

/// Lays out JSON to replace something: on one line if that was on one line, otherwise on several.
fn lay_out(tree: &JsonTree, text: &Text, at: Span, json: &[u8]) -> String {
    let range = at.range().indexes();
    let is_name = tree.text.get(range.start) == Some(&b'"');
    if !text.has_lines() || !is_name && !text.has_feed(range.clone()) {
        return String::from_utf8_lossy(json).into_owned();
    }
    let blanks = text.indent(range.start);
    let step = if blanks.ends_with('\t') { "\t" } else { "  " };
    let laid_out = indented(json, step);
    let feeds = memchr::memchr_iter(b'\n', &laid_out).count();
    account::grow((laid_out.len() + feeds * blanks.len()) as u64);
    String::from_utf8_lossy(&laid_out).replace('\n', &format!("{}{blanks}", text.newline()))
}

/// Removes the white space between the parts of a JSON text.
fn compact(json: &[u8]) -> Vec<u8> {
    account::touch(json.len());
    let (mut in_text, mut escaped) = (false, false);
    let mut out = Vec::with_capacity(json.len());
    for &byte in json {
        if in_text {
            in_text = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
        } else if byte.is_ascii_whitespace() {
            continue;
        } else {
            in_text = byte == b'"';
        }
        out.push(byte);
    }
    out
}

/// Breaks JSON into lines, indented by one step for each level.
fn indented(json: &[u8], step: &str) -> Vec<u8> {
    account::touch(json.len() * 2);
    let mut out = Vec::with_capacity(json.len() * 2);
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    let line = |out: &mut Vec<u8>, depth: usize| {
        out.push(b'\n');
        (0..depth.min(MAX_DEPTH)).for_each(|_| out.extend_from_slice(step.as_bytes()));
    };
    for (at, &byte) in json.iter().enumerate() {
        if in_text {
            out.push(byte);
            in_text = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            continue;
        }
        let next = json.get(at + 1).copied().unwrap_or_default();
        match byte {
            b'{' | b'[' => {
                out.push(byte);
                depth += 1;
                if !matches!(next, b'}' | b']') {
                    line(&mut out, depth);
                }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if !matches!(json.get(at.wrapping_sub(1)), Some(b'{' | b'[')) {
                    line(&mut out, depth);
                }
                out.push(byte);
            }
            b',' => {
                out.push(byte);
                line(&mut out, depth);
            }
            b':' => out.extend_from_slice(b": "),
            _ => {
                in_text = byte == b'"';
                out.push(byte);
            }
        }
    }
    account::grow(out.len() as u64);
    out
}
