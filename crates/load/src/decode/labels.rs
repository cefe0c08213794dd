//! Rules about the labels of nested blocks, which are checked only if the enclosing block has no other error
//! (opentofu.md, section 4.1).

use crate::decode::{Decoder, codes};
use overfold_base::diag::Diagnostic;
use overfold_dialect::{BlockSpec, CleanCheck, UniqueWithin};
use overfold_model::config::Block;
use std::collections::HashMap;

impl Decoder<'_, '_> {
    /// Checks the labels of the blocks in `block`.
    pub(super) fn label_rules(&mut self, spec: &'static BlockSpec, block: &Block<'_>) {
        for check in spec.clean_checks() {
            match check {
                CleanCheck::LabelsDiffer { among: UniqueWithin { block: keyword, inside }, title } => {
                    let holders: Vec<&Block<'_>> = match inside {
                        None => vec![block],
                        Some(inside) => block.blocks.iter().filter(|inner| *inner.keyword == *inside).collect(),
                    };
                    for holder in holders {
                        self.labels_differ(block, holder, keyword, title);
                    }
                }
                CleanCheck::LabelsAreWords { block: keyword, titles } => {
                    for inner in block.blocks.iter().filter(|inner| *inner.keyword == *keyword) {
                        for (label, title) in inner.labels.iter().zip(titles) {
                            if !is_word(label.text) {
                                let detail = format!(
                                    "{:?} is not a valid label for a `{keyword}` block: only ASCII letters, digits, underscores and dashes are allowed. The block around it is left out.",
                                    label.text
                                );
                                let found = Diagnostic::tool(&codes::INVALID_NAME, None, detail).titled(*title);
                                self.out.push(found.and("the label", label.span));
                            }
                        }
                    }
                }
            }
        }
    }

    fn labels_differ(&mut self, reported_at: &Block<'_>, holder: &Block<'_>, keyword: &str, title: &'static str) {
        let mut same: HashMap<Vec<&str>, Vec<&Block<'_>>> = HashMap::new();
        for inner in holder.blocks.iter().filter(|inner| *inner.keyword == *keyword) {
            same.entry(inner.labels.iter().map(|label| label.text).collect()).or_default().push(inner);
        }
        for inner in holder.blocks.iter().filter(|inner| *inner.keyword == *keyword) {
            let labels: Vec<&str> = inner.labels.iter().map(|label| label.text).collect();
            if let Some([first, _, ..]) = same.get(&labels).map(Vec::as_slice) {
                let name = labels.join(".");
                let detail = format!(
                    "Several `{keyword}` blocks have the address {name}, and all of them are ignored. Keep only one, or give them different labels."
                );
                let found = Diagnostic::tool(&codes::DUPLICATE_INNER, reported_at.header, detail).titled(title);
                self.out.push(found.and("the first one", first.header).and("one of them", inner.header));
            }
        }
    }
}

/// Whether a label may be part of an address of this kind. It may begin with a digit.
fn is_word(label: &str) -> bool {
    !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
