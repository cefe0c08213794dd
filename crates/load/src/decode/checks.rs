//! Checks the rules across the parts of a block while it is read, with one match for each of [`HeaderCheck`],
//! [`NestedCheck`] and [`BodyCheck`].

use crate::decode::blocks::is_object;
use crate::decode::{Decoder, Owner, codes};
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting as _, Span, Verdict};
use overfold_dialect::{AddressUse, AttrKind, BlockSpec, BodyCheck, HeaderCheck, NestedCheck, words};
use overfold_eval as eval;
use overfold_model::body::content::{Content, ContentBlock};
use overfold_model::body::traversal;
use overfold_model::config::{Block, DecodedArgument, resource_mode};
use overfold_model::language::addresses::{ImportTargets, Target};
use overfold_model::language::conditions::{ConditionOwner, ForeignReferences};
use overfold_model::language::references::ResourceMode;
use overfold_model::language::{addresses, conditions, constants, names};
use overfold_syntax::ExprAt;
use std::sync::Arc;

/// Whether the parts of a block that have been read so far have errors.
#[derive(Clone, Copy)]
pub(super) struct Verdicts {
    /// The verdict on the structure and the labels.
    pub(super) structure: Verdict,
    /// The verdict on these and everything after them.
    pub(super) whole: Verdict,
}

/// The moment at which a rule about nested blocks is checked.
#[derive(Clone, Copy)]
enum CheckTime<'a> {
    /// Before a nested block with this row and header is read.
    Before(&'static BlockSpec, Span),
    /// After it has been read, with the verdict on it.
    After(&'a Block<'a>, Verdict),
    /// After all nested blocks have been read.
    End,
}

impl<'f> Decoder<'f, '_> {
    /// Checks the rules about the header, and those that come before the arguments are read. Returns whether the block
    /// is kept.
    pub(super) fn header_rules(
        &mut self,
        spec: &'static BlockSpec,
        block: &ContentBlock<'f>,
        content: &Content<'f>,
    ) -> bool {
        let mut stays = true;
        let Some(label) = block.labels.first() else { return true };
        for check in spec.header_checks() {
            match check {
                HeaderCheck::ValuesAreConstant => {
                    for attribute in &content.attributes {
                        eval::constant(self.forest, attribute.expr, self.out);
                    }
                }
                HeaderCheck::LocalName | HeaderCheck::LocalNameKept => {
                    if let Some(detail) = names::bad_provider_local_name(label.text) {
                        self.out.push(Diagnostic::tool(
                            &overfold_model::language::codes::PROVIDER_LOCAL_NAME,
                            block.header,
                            detail,
                        ));
                        stays &= check == HeaderCheck::LocalNameKept;
                    }
                }
                HeaderCheck::NameNotUsedByModules => {
                    let used =
                        self.dialect.blocks.iter().find(|row| row.keyword == words::MODULE).is_some_and(|module| {
                            module.attr(label.text).is_some()
                                || module.block(label.text).is_some()
                                || *label.text == *"_"
                        });
                    if used {
                        let detail = format!(
                            "`module` blocks use the name {:?} for an argument of their own, so no caller could set this variable. Choose another name.",
                            label.text
                        );
                        self.out.push(Diagnostic::tool(&codes::RESERVED_NAME, label.span, detail));
                    }
                }
                HeaderCheck::PlainName(title) => {
                    let name = block.labels.last().unwrap_or(label);
                    if !names::is_plain_name(name.text) {
                        let start = self.forest.sources.range(name.span).start;
                        let title = if title.contains("{0}") {
                            title.replace("{0}", name.text)
                        } else {
                            format!("position {}:{}: {title}", start.line, start.column)
                        };
                        let detail = format!(
                            "{:?} is not a valid name. A name can contain only letters, digits, underscores and dashes, and must not start with a dash.",
                            name.text
                        );
                        self.out.push(Diagnostic::tool(&codes::INVALID_NAME, name.span, detail).titled(title));
                    }
                }
                HeaderCheck::NameKeptByModules(names) if names.contains(&label.text) => {
                    let detail = format!(
                        "`module` blocks use the name {:?} for an argument of their own, so no caller can set this variable: a called module always gets the default. Choose another name.",
                        label.text
                    );
                    self.out.push(Diagnostic::ours(&codes::NAME_KEPT, label.span, detail));
                }
                HeaderCheck::ProvisionerKindIsGone(kinds) if kinds.contains(&label.text) => {
                    let title = format!("The {:?} provisioner has been removed", label.text);
                    let tool = self.dialect.tool;
                    let detail = format!(
                        "{tool} no longer includes the {:?} provisioner. Use another provisioner, or a version of {tool} that still has this one.",
                        label.text
                    );
                    self.out.push(Diagnostic::tool(&codes::PROVISIONER_GONE, label.span, detail).titled(title));
                    stays = false;
                }
                HeaderCheck::NameKeptByModules(_) | HeaderCheck::ProvisionerKindIsGone(_) => {}
            }
        }
        stays
    }

    /// Reads the addresses in the block.
    pub(super) fn read_targets(&mut self, spec: &'static BlockSpec, content: &Content<'f>) {
        for attribute in &content.attributes {
            let Some(row) = spec.attr(attribute.name) else { continue };
            let AttrKind::Address(usage) = row.kind else { continue };
            let words = self.words();
            let target = match usage {
                AddressUse::Moved => addresses::moved(self.forest, attribute.expr, words, self.out),
                AddressUse::Removed => addresses::removed(self.forest, attribute.expr, words, self.out),
                AddressUse::KeyedImportTarget => {
                    let kinds = ImportTargets::ComputedKeys;
                    addresses::import_to(self.forest, attribute.expr, attribute.range, kinds, words, self.out)
                }
                AddressUse::KeyedImportTargetNotJson => {
                    let kinds = ImportTargets::ComputedKeysInNative;
                    addresses::import_to(self.forest, attribute.expr, attribute.range, kinds, words, self.out)
                }
                AddressUse::ImportTarget => {
                    let kinds = if self.dialect.rules.imports.computed_keys {
                        ImportTargets::ManagedWithComputedKeys
                    } else {
                        ImportTargets::Constant
                    };
                    addresses::import_to(self.forest, attribute.expr, attribute.range, kinds, words, self.out)
                }
            };
            if row.name == words::FROM {
                self.targets.from = target;
            } else {
                self.targets.to = target;
                // In JSON, the address is an expression inside the string, and the tool reports it at the quote.
                let mut discarded = Diagnostics::new();
                let inner = match attribute.expr {
                    ExprAt::Json(source, node) => self.forest.parse_json_expression(source, node, &mut discarded),
                    ExprAt::Native(..) => None,
                };
                self.targets.to_span = Some(self.forest.expr_span(inner.unwrap_or(attribute.expr)));
            }
        }
    }

    /// Reads the address of a block whose address is read first. Returns whether this ends the reading of the block,
    /// because of an error in the address or, in JSON, in something before it.
    pub(super) fn address_ends_reading(
        &mut self,
        spec: &'static BlockSpec,
        content: &Content<'f>,
        before: Verdict,
    ) -> bool {
        let text = content.attributes.iter().find(|attribute| {
            spec.attr(attribute.name).is_some_and(
                |row| matches!(row.kind, AttrKind::Address(usage) if usage != AddressUse::KeyedImportTargetNotJson),
            )
        });
        if let Some(attribute) = text
            && matches!(attribute.expr, ExprAt::Json(..))
        {
            let (_, text) = self.out.watch(|out| traversal::reference_expression(self.forest, attribute.expr, out));
            if before.and(text).failed() {
                return true;
            }
        }
        let ((), targets) = self.watch(|decoder| decoder.read_targets(spec, content));
        targets.failed()
    }

    /// Checks the rules of the enclosing block about a nested block before it is read. Returns whether the nested
    /// block is left out.
    pub(super) fn refuses_nested(
        &mut self,
        spec: &'static BlockSpec,
        owner: Owner<'_>,
        row: &'static BlockSpec,
        block: &ContentBlock<'f>,
        around: &Block<'_>,
    ) -> bool {
        for check in spec.nested_checks() {
            if !self.nested_check(check, around, CheckTime::Before(row, block.header)) {
                return true;
            }
        }
        // Inside a check's data source, the lifecycle block is an error, but is still read.
        if owner.outer.is_some_and(|outer| outer.traits.scoped_data_is_plain) && row.keyword == words::LIFECYCLE {
            let detail = "A data source inside a `check` block cannot have a `lifecycle` block. Remove it.";
            self.out.push(Diagnostic::tool(&codes::SCOPED_LIFECYCLE, block.header, detail));
        }
        false
    }

    /// Checks the rules of the enclosing block about a nested block that has been read, with or without errors.
    /// Returns whether the nested block is kept.
    pub(super) fn accepts_nested(
        &mut self,
        spec: &'static BlockSpec,
        inner: &Block<'_>,
        around: &Block<'_>,
        verdict: Verdict,
    ) -> bool {
        spec.nested_checks().all(|check| self.nested_check(check, around, CheckTime::After(inner, verdict)))
    }

    /// Checks a rule of the block `around` about its nested blocks. Returns whether the nested block in question is
    /// kept.
    fn nested_check(&mut self, check: NestedCheck, around: &Block<'_>, moment: CheckTime<'_>) -> bool {
        match check {
            NestedCheck::ChecksNeedAsserts => self.checks_need_asserts(around, moment),
            NestedCheck::OneScopedData => self.one_scoped_data(around, moment),
            NestedCheck::OnlyDestroyProvisioners => self.only_destroy_provisioners(moment),
            NestedCheck::RemovedProvisioners { creating, of_module } => {
                if let CheckTime::After(inner, _) = moment
                    && inner.keyword == words::PROVISIONER
                {
                    self.removed_provisioner(inner, around, creating, of_module);
                }
                true
            }
        }
    }

    /// Requires at least one assertion; an assertion with an error is not counted.
    fn checks_need_asserts(&mut self, around: &Block<'_>, moment: CheckTime<'_>) -> bool {
        match moment {
            CheckTime::Before(..) => true,
            CheckTime::After(inner, verdict) => inner.keyword != words::ASSERT || verdict.is_clean(),
            CheckTime::End => {
                if !around.blocks.iter().any(|inner| inner.keyword == words::ASSERT) {
                    let detail = "A `check` block must contain at least one valid `assert` block; without one it checks nothing.";
                    self.out.push(Diagnostic::tool(&codes::ZERO_ASSERTS, around.header, detail));
                }
                true
            }
        }
    }

    /// Allows one data source: a second one is not read, and one with an error is dropped.
    fn one_scoped_data(&mut self, around: &Block<'_>, moment: CheckTime<'_>) -> bool {
        match moment {
            CheckTime::Before(row, header) => {
                if is_object(row)
                    && let Some(first) = around.blocks.iter().find(|block| block.spec.is_some_and(is_object))
                {
                    let detail = "A `check` block can contain only one data source. Move this one into a check of its own, or out of the check.";
                    let found = Diagnostic::tool(&codes::MULTIPLE_DATA, header, detail);
                    self.out.push(found.and("the first one", first.header));
                    return false;
                }
                true
            }
            CheckTime::After(inner, verdict) => !inner.spec.is_some_and(is_object) || verdict.is_clean(),
            CheckTime::End => true,
        }
    }

    /// Allows provisioners and connections in a `removed` block only if it removes a managed resource, and requires its
    /// provisioners to be destroy-time provisioners.
    fn only_destroy_provisioners(&mut self, moment: CheckTime<'_>) -> bool {
        match moment {
            CheckTime::Before(row, header) => {
                if matches!(row.keyword, words::PROVISIONER | words::CONNECTION)
                    && !is_managed(self.targets.from.as_ref())
                {
                    let title = format!("Invalid {} block", row.keyword);
                    let detail = "Only managed resources have provisioners and connections, and the `from` address of this block does not refer to one.";
                    self.out.push(Diagnostic::tool(&codes::REMOVED_PROVISIONER, header, detail).titled(title));
                    return false;
                }
            }
            CheckTime::After(inner, _) if inner.keyword == words::PROVISIONER && !at_destroy(inner) => {
                let detail = "A `removed` block never creates an object, so its provisioners can run only at destroy time. Set `when = destroy`.";
                self.out.push(Diagnostic::tool(&codes::REMOVED_PROVISIONER, inner.header, detail));
            }
            CheckTime::After(..) | CheckTime::End => {}
        }
        true
    }

    /// Checks the rules of the block as a whole. `before` is the verdict on reading it; the result also covers the
    /// rules.
    pub(super) fn block_rules(
        &mut self,
        spec: &'static BlockSpec,
        content: &Content<'f>,
        rest: Option<&Content<'f>>,
        owner: Owner<'_>,
        block: &mut Block<'_>,
        before: Verdicts,
    ) -> Verdict {
        let mut so_far = before;
        for check in spec.body_checks() {
            let ((), verdict) =
                self.watch(|decoder| decoder.block_rule(check, spec, content, rest, owner, block, so_far));
            so_far.whole = so_far.whole.and(verdict);
        }
        for check in spec.nested_checks() {
            let (_, verdict) = self.watch(|decoder| decoder.nested_check(check, block, CheckTime::End));
            so_far.whole = so_far.whole.and(verdict);
        }
        so_far.whole
    }

    #[expect(clippy::too_many_arguments, reason = "everything that a rule may look at")]
    fn block_rule(
        &mut self,
        check: BodyCheck,
        spec: &'static BlockSpec,
        content: &Content<'f>,
        rest: Option<&Content<'f>>,
        owner: Owner<'_>,
        block: &mut Block<'_>,
        so_far: Verdicts,
    ) {
        let expr = |name: &str| content.attribute(name).map(|attribute| attribute.expr);
        match check {
            BodyCheck::CountWithForEach => self.repetition(content, owner),
            BodyCheck::ForEachNeedsAlias => {
                if let Some(for_each) = expr(words::FOR_EACH)
                    && !block.arguments.iter().any(|argument| {
                        argument.name == words::ALIAS
                            && matches!(&argument.decoded, DecodedArgument::Text(alias) if !alias.is_empty())
                    })
                {
                    let detail = "A provider configuration with `for_each` has several instances, which can be referred to only by an alias. Set the argument `alias`.";
                    self.out.push(Diagnostic::tool(&codes::ALIAS_REQUIRED, self.forest.expr_span(for_each), detail));
                }
            }
            BodyCheck::OneRepetition { .. } => self.one_repetition(content, owner, block),
            BodyCheck::NotBlank { argument, title, place } => {
                self.not_blank(spec, content, block, so_far.structure, (argument, title, place));
            }
            BodyCheck::MoveEndsMovable => self.ends_movable(block),
            BodyCheck::RemovedSaysDestroy if so_far.whole.is_clean() => self.says_destroy(block),
            BodyCheck::IdOrIdentity { neither, both } => self.id_or_identity(content, block, neither, both),
            BodyCheck::ConditionUsesSomething => {
                if let Some(condition) = expr(words::CONDITION) {
                    conditions::require_reference(self.forest, condition, spec.keyword, self.out);
                }
            }
            BodyCheck::ConditionUsesOwnVariable => {
                let foreign = match (
                    spec.traits.condition_uses_only_own_variable,
                    spec.traits.message_uses_only_own_variable,
                ) {
                    (true, true) => ForeignReferences::Refused,
                    (true, false) => ForeignReferences::RefusedInCondition,
                    (false, _) => ForeignReferences::Allowed,
                };
                let variable = owner.labels.first().map_or("", |label| label.text);
                let words = self.words();
                let (condition, message) = (expr(words::CONDITION), expr(words::ERROR_MESSAGE));
                conditions::validation(self.forest, condition, message, variable, foreign, words, self.out);
            }
            BodyCheck::MessageIsSentence => {
                if let Some(message) = expr(words::ERROR_MESSAGE) {
                    self.sentence(message);
                }
            }
            BodyCheck::ConditionNotSelf => {
                if let Some(holder) = holder(owner) {
                    let message = if spec.traits.message_not_self { expr(words::ERROR_MESSAGE) } else { None };
                    let looked_at = expr(words::CONDITION).into_iter().chain(message);
                    let words = self.words();
                    conditions::forbid_self_reference(self.forest, looked_at, spec.keyword, holder, words, self.out);
                }
            }
            BodyCheck::DestroyReferences => self.destroy_references(rest, block),
            BodyCheck::MoveEndsAgree => {
                if let (Some(from), Some(to)) = (&self.targets.from, &self.targets.to)
                    && so_far.whole.is_clean()
                    && !addresses::moved_ends_match(from, to)
                {
                    let detail = "A module can be moved only to a module, and a resource only to a resource. Make `from` and `to` refer to the same kind of object.";
                    self.out.push(Diagnostic::tool(&codes::MOVED_ADDRESSES, block.header, detail));
                }
            }
            BodyCheck::OneImportIdentity if expr(words::ID).is_some() == expr("identity").is_some() => {
                let detail =
                    "Set exactly one of the arguments `id` and `identity`. It identifies the object to import.";
                self.out.push(Diagnostic::tool(&codes::IMPORT_FORM, block.header, detail));
            }
            BodyCheck::NoProviderForModuleTarget => {
                if let (Some(target), Some(provider)) = (&self.targets.to, content.attribute(words::PROVIDER)) {
                    addresses::import_provider(target, provider.range, self.out);
                }
                if let Some(DecodedArgument::Text(id)) = block.argument(words::ID).map(|argument| &argument.decoded) {
                    self.targets.id = Some(Arc::from(*id));
                }
            }
            BodyCheck::Needs { argument, title } if expr(argument).is_none() => {
                let detail = format!("A `{}` block must set the argument {argument:?} here.", spec.keyword);
                self.report(&codes::NEEDED_ARGUMENT, title, block.header, detail);
            }
            BodyCheck::BlocksDiffer { blocks, by, title, place } => {
                self.blocks_differ(block, blocks, by, title, place);
            }
            BodyCheck::WordForbidsFalse { argument, word, flag, title } => {
                self.word_forbids_false(block, (argument, word), flag, title);
            }
            BodyCheck::ConstIsPlain => self.const_is_plain(block),
            BodyCheck::TriggerIsComplete => self.trigger_is_complete(block),
            BodyCheck::RemovedSaysDestroy | BodyCheck::OneImportIdentity | BodyCheck::Needs { .. } => {}
        }
    }

    fn repetition(&mut self, content: &Content<'f>, owner: Owner<'_>) {
        if self.scoped_repetition(content, owner) {
            return;
        }
        let (count, for_each) = (content.attribute(words::COUNT), content.attribute(words::FOR_EACH));
        if let (Some(count), Some(for_each)) = (count, for_each) {
            let detail = "`count` and `for_each` are alternative ways to create several instances and cannot be combined. Remove one of them.";
            self.out.push(
                Diagnostic::tool(&codes::COUNT_AND_FOR_EACH, for_each.name_span, detail)
                    .and("the count", count.name_span),
            );
        }
    }

    /// Reports that the data source of a check is repeated, which is not allowed. Returns whether the block is such a
    /// data source.
    pub(super) fn scoped_repetition(&mut self, content: &Content<'f>, owner: Owner<'_>) -> bool {
        if !owner.outer.is_some_and(|outer| outer.traits.scoped_data_is_plain) {
            return false;
        }
        for attribute in [words::COUNT, words::FOR_EACH].into_iter().filter_map(|name| content.attribute(name)) {
            let title = format!("Invalid {:?} attribute", attribute.name);
            let detail = "A data source inside a `check` block has only one instance, so it cannot set `count` or `for_each`. Remove the argument.";
            self.out.push(Diagnostic::tool(&codes::SCOPED_META, attribute.name_span, detail).titled(title));
        }
        true
    }

    /// Checks the references of a destroy-time provisioner and of its connection, or of the connection of a resource
    /// that has a destroy-time provisioner.
    fn destroy_references(&mut self, rest: Option<&Content<'f>>, block: &Block<'_>) {
        let connection = block.blocks.iter().find(|inner| inner.keyword == words::CONNECTION);
        let own = at_destroy(block);
        let held = own || block.blocks.iter().any(|inner| inner.keyword == words::PROVISIONER && at_destroy(inner));
        if !held {
            return;
        }
        let words = self.words();
        if own {
            for attribute in rest.into_iter().flat_map(|rest| &rest.attributes) {
                conditions::check_destroy_references(self.forest, attribute.expr, words, self.out);
            }
        }
        for argument in connection.into_iter().flat_map(|connection| connection.arguments) {
            conditions::check_destroy_references(self.forest, argument.expr, words, self.out);
        }
    }

    fn sentence(&mut self, message: ExprAt) {
        let on_failure = self.failure_report();
        let (text, verdict) = self.out.watch(|out| constants::text(self.forest, message, on_failure, out));
        if let Some(text) = text
            && verdict.is_clean()
            && !conditions::is_sentence(&text)
        {
            let detail = "In this version an error message must be a full sentence that starts with an upper-case letter and ends with a full stop, a question mark or an exclamation mark.";
            self.out.push(Diagnostic::tool(&codes::MESSAGE_SENTENCE, self.forest.expr_span(message), detail));
        }
    }

    fn const_is_plain(&mut self, block: &Block<'_>) {
        let set = |name: &str| {
            block
                .arguments
                .iter()
                .any(|argument| argument.name == name && argument.decoded == DecodedArgument::Bool(true))
        };
        if !set(words::CONST) {
            return;
        }
        if set(words::SENSITIVE) {
            let detail = "A constant variable is evaluated while the module is loaded, so it cannot be sensitive. Remove either `const` or `sensitive`.";
            self.out.push(Diagnostic::tool(&codes::CONST_SENSITIVE, block.header, detail));
        }
        if set(words::EPHEMERAL) {
            let detail = "A constant variable is evaluated while the module is loaded, so it cannot be ephemeral. Remove either `const` or `ephemeral`.";
            self.out.push(Diagnostic::tool(&codes::CONST_EPHEMERAL, block.header, detail));
        }
    }
}

fn is_managed(target: Option<&Target>) -> bool {
    target.and_then(|target| target.resource.as_ref()).is_some_and(|resource| resource.mode == ResourceMode::Managed)
}

pub(super) fn at_destroy(provisioner: &Block<'_>) -> bool {
    provisioner.arguments.iter().any(|argument| {
        argument.name == words::WHEN
            && matches!(&argument.decoded, DecodedArgument::Text(word) if *word == words::DESTROY)
    })
}

/// Returns the object that contains a condition; `None` if it has no type and name.
fn holder(owner: Owner<'_>) -> Option<ConditionOwner<'_>> {
    let mode = resource_mode(owner.spec.kind).filter(|mode| *mode != ResourceMode::Action)?;
    let [type_name, name] = owner.labels else { return None };
    Some(ConditionOwner { mode, type_name: type_name.text, name: name.text })
}
