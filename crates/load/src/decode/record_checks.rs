//! Rules across the parts of a block that not every dialect has: the content of moved, import and removed blocks, one
//! way of repetition per block, and deprecation messages that must not be blank (opentofu.md, sections 5, 7 and 8).

use crate::decode::checks::at_destroy;
use crate::decode::{Decoder, Owner, codes};
use overfold_base::diag::{Diagnostic, Span, Verdict};
use overfold_dialect::{BlankPlace, BlockSpec, words};
use overfold_model::body::content::Content;
use overfold_model::config::{Block, DecodedArgument};
use overfold_model::language::addresses::Target;
use overfold_model::language::references::ResourceMode;

/// An argument that must not be blank, the title of the error, and where it is reported.
type Blank = (&'static str, &'static str, BlankPlace);

impl<'f> Decoder<'f, '_> {
    /// Allows at most one of `count`, `for_each` and the lifecycle block's `enabled`.
    pub(super) fn one_repetition(&mut self, content: &Content<'f>, owner: Owner<'_>, block: &Block<'_>) {
        if self.scoped_repetition(content, owner) {
            return;
        }
        let meta = |name: &str| content.attribute(name).map(|attribute| attribute.name_span);
        let enabled = block
            .blocks
            .iter()
            .filter(|inner| inner.spec.is_some() && inner.keyword == words::LIFECYCLE)
            .find_map(|lifecycle| lifecycle.argument(words::ENABLED))
            .map(|enabled| enabled.name_span);
        // In the order of the title.
        let given: Vec<(&str, Span)> =
            [(words::COUNT, meta(words::COUNT)), (words::ENABLED, enabled), (words::FOR_EACH, meta(words::FOR_EACH))]
                .into_iter()
                .filter_map(|(name, at)| Some((name, at?)))
                .collect();
        let names = match given.as_slice() {
            [first, second] => format!("{:?} and {:?}", first.0, second.0),
            [first, second, third] => format!("{:?}, {:?}, and {:?}", first.0, second.0, third.0),
            _ => return,
        };
        let mut places = given.iter().map(|(_, at)| *at);
        let Some(first) = places.next() else { return };
        let whole = places.fold(first.range(), |range, at| range.to(at.range()));
        let detail = format!(
            "Only one of the arguments {names} can be set, because each of them decides how many instances there are. Remove the others."
        );
        self.out.push(
            Diagnostic::tool(&codes::COUNT_AND_FOR_EACH, whole.in_source(first.source), detail)
                .titled(format!("Invalid combination of {names}")),
        );
    }

    /// Reports a blank string in an argument that must not be blank.
    pub(super) fn not_blank(
        &mut self,
        spec: &'static BlockSpec,
        content: &Content<'f>,
        block: &Block<'_>,
        structure: Verdict,
        (name, title, place): Blank,
    ) {
        let Some(blank) = block.argument(name) else { return };
        if !matches!(&blank.decoded, DecodedArgument::Text(text) if text.trim().is_empty()) {
            return;
        }
        let at = match place {
            BlankPlace::Label => block.labels.first().map(|label| label.span),
            BlankPlace::ValueUnlessWrong { earlier } => {
                let wrong =
                    |name: &&str| block.argument(name).is_some_and(|found| found.decoded == DecodedArgument::Wrong);
                if structure.failed() || earlier.iter().any(wrong) {
                    return;
                }
                content.attribute(name).map(|attribute| self.forest.expr_span(attribute.expr))
            }
        };
        let detail = format!(
            "{name:?} is blank. Describe what users of this {} should do, or remove the argument.",
            spec.keyword
        );
        let mut found = Diagnostic::tool(&codes::BLANK_TEXT, at, detail).titled(title);
        if place == BlankPlace::Label {
            found = found.and("the blank string", blank.range);
        }
        self.out.push(found);
    }

    /// Checks that both ends of a move are present and readable, and are not ephemeral objects.
    pub(super) fn ends_movable(&mut self, block: &Block<'_>) {
        for (name, end) in [(words::FROM, &self.targets.from), (words::TO, &self.targets.to)] {
            if end.as_ref().is_some_and(is_movable) {
                continue;
            }
            let why = if end.is_some() {
                "refers to an ephemeral resource. Ephemeral resources are not stored in the state, so they cannot be moved"
            } else {
                "is missing or invalid. It must refer to a module or a managed resource"
            };
            let detail = format!("The {name:?} address of this block {why}.");
            self.out.push(Diagnostic::tool(&codes::MOVED_ADDRESS, block.header, detail));
        }
    }

    /// Checks a provisioner in a `removed` block that is still being read.
    pub(super) fn removed_provisioner(
        &mut self,
        provisioner: &Block<'_>,
        around: &Block<'_>,
        creating: &'static str,
        of_module: &'static str,
    ) {
        if !at_destroy(provisioner) {
            let detail = "A `removed` block never creates an object, so its provisioners can run only at destroy time. Set `when = destroy`.";
            self.report(&codes::REMOVED_PROVISIONER, creating, provisioner.header, detail);
            return;
        }
        match &self.targets.from {
            Some(target) if target.resource.is_some() => {}
            Some(_) => {
                let title = self.dialect.title(codes::REMOVED_PROVISIONER.id, of_module);
                let detail = "The `from` address of this block refers to a module, but only resources have provisioners. Remove the provisioner.";
                let found = Diagnostic::tool(&codes::REMOVED_PROVISIONER, around.header, detail).titled(title);
                self.out.push(found.and("the provisioner", provisioner.header));
            }
            None => {
                let detail = format!(
                    "The `from` address of this block is missing or invalid, and {} fails with an internal error on a provisioner in such a block. Correct the address.",
                    self.dialect.tool
                );
                self.out.push(Diagnostic::ours(&codes::TOOL_FAILS, provisioner.header, detail));
            }
        }
    }

    /// Warns about a `removed` block without errors that does not say whether to destroy the object, or whose
    /// provisioners do not run because it does not destroy the object.
    pub(super) fn says_destroy(&mut self, block: &Block<'_>) {
        let destroy = block
            .blocks
            .iter()
            .find(|inner| inner.keyword == words::LIFECYCLE)
            .and_then(|lifecycle| lifecycle.argument(words::DESTROY));
        let provisioner = block.blocks.iter().find(|inner| inner.keyword == words::PROVISIONER);
        match (destroy, provisioner) {
            (None, _) => {
                let detail = format!(
                    "This block does not set `destroy` in a `lifecycle` block, so {} removes the object from the state without destroying it; Terraform destroys it. Set `destroy` to choose one of the two.",
                    self.dialect.tool
                );
                self.out.push(Diagnostic::tool(&codes::REMOVED_UNSTATED, block.header, detail));
            }
            (Some(destroy), Some(provisioner)) if destroy.decoded == DecodedArgument::Bool(false) => {
                let detail = "With `destroy = false` the object is removed from the state but not destroyed, so its destroy-time provisioners never run. Remove them, or set `destroy = true`.";
                self.out.push(
                    Diagnostic::tool(&codes::REMOVED_IDLE_PROVISIONERS, block.header, detail)
                        .and("not destroyed because of this", destroy.range)
                        .and("a provisioner", provisioner.header),
                );
            }
            _ => {}
        }
    }

    /// Requires exactly one of the two ways to identify the imported object.
    pub(super) fn id_or_identity(
        &mut self,
        content: &Content<'f>,
        block: &Block<'_>,
        neither: &'static str,
        both: &'static str,
    ) {
        let detail = "Set exactly one of the arguments `id` and `identity`. It identifies the object to import.";
        match (content.attribute(words::ID), content.attribute("identity")) {
            (None, None) => self.report(&codes::IMPORT_FORM, neither, block.header, detail),
            (Some(id), Some(identity)) => {
                let at = id.range.range().to(identity.range.range()).in_source(id.range.source);
                self.report(&codes::IMPORT_FORM, both, at, detail);
            }
            _ => {}
        }
    }
}

fn is_movable(target: &Target) -> bool {
    target.resource.as_ref().is_none_or(|resource| resource.mode != ResourceMode::Ephemeral)
}
