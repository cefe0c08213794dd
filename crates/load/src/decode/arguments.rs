//! Reads arguments according to their rows.

use crate::decode::{Decoder, codes};
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Span};
use overfold_dialect::{AttrKind, AttrSpec, VersionUse, words};
use overfold_eval as eval;
use overfold_model::body::content::{Content, ContentAttribute};
use overfold_model::config::{Argument, DecodedArgument};
use overfold_model::language::constants::{FailureReport, Literal};
use overfold_model::language::dependencies::{ActionDependency, AfterError};
use overfold_model::language::provider_refs::ProviderRefRules;
use overfold_model::language::references::AddressWords;
use overfold_model::language::{constants, dependencies, keywords, module_source, names, provider_refs};
use overfold_syntax::ExprAt;

impl<'f> Decoder<'f, '_> {
    /// Reads an argument that has a row, in a block with this header. Returns `None` if the tool does not keep it at
    /// all.
    pub(super) fn argument(
        &mut self,
        row: &'static AttrSpec,
        attribute: &ContentAttribute<'f>,
        around: &Content<'_>,
        header: Span,
    ) -> Option<Argument<'f>> {
        account::work(4);
        let expr = attribute.expr;
        let decoded = match row.kind {
            // These are read when the whole block is known, or not at all.
            AttrKind::Any
            | AttrKind::Static(_)
            | AttrKind::Condition
            | AttrKind::Message
            | AttrKind::Default
            | AttrKind::Hcl1Type
            | AttrKind::Hcl1Default
            | AttrKind::TypeConstraint(_)
            | AttrKind::Reference
            | AttrKind::Address(_)
            | AttrKind::RequiredVersion(_)
            | AttrKind::OwnVersion { .. }
            | AttrKind::Forgotten
            | AttrKind::Experiments(_)
            | AttrKind::Edition(_) => DecodedArgument::Expr,
            AttrKind::Constant => {
                eval::constant(self.forest, expr, self.out);
                DecodedArgument::Expr
            }
            AttrKind::ConstBool => self.boolean(expr),
            AttrKind::ConstText | AttrKind::ConstTextNotNull => self.text(expr),
            AttrKind::Alias => {
                let decoded = self.text(expr);
                let alias = match decoded {
                    DecodedArgument::Text(alias) => alias,
                    _ => "",
                };
                if !names::is_identifier(alias) {
                    // The tool reports this without a location (terraform.md, section 3).
                    self.report(
                        &codes::INVALID_ALIAS,
                        codes::INVALID_ALIAS.title,
                        None,
                        format!("{alias:?} is not a valid alias for a provider configuration. An alias must start with a letter or an underscore and contain only letters, digits, underscores and dashes."),
                    );
                }
                if decoded == DecodedArgument::Wrong {
                    return None;
                }
                decoded
            }
            AttrKind::References { action } => {
                let actions = if action.is_some() { ActionDependency::Refused } else { ActionDependency::Taken };
                let found = dependencies::depends_on(self.forest, expr, actions, self.out);
                self.items(found.iter().map(|found| found.traversal.span))
            }
            AttrKind::IgnoreChanges => {
                let found = dependencies::ignore_changes(self.forest, expr, self.out);
                if found.all {
                    DecodedArgument::All
                } else {
                    self.items(found.attributes.iter().map(|found| found.span))
                }
            }
            AttrKind::ReplaceTriggers => {
                let words = self.words();
                let one_by_one = self.dialect.rules.triggers.checked_one_by_one;
                let rest = if one_by_one { AfterError::CheckedToo } else { AfterError::Skipped };
                let found = dependencies::replace_triggered_by(self.forest, expr, words, rest, self.out);
                self.items(found.iter().map(|&found| self.forest.expr_span(found)))
            }
            AttrKind::ProviderReference => {
                let rules = self.provider_references();
                match provider_refs::provider_ref(self.forest, expr, rules, self.out) {
                    Some(found) => self.kept_text(&found.to_string()),
                    None => DecodedArgument::Nothing,
                }
            }
            AttrKind::ProviderMap => {
                let rules = self.provider_references();
                DecodedArgument::Entries(provider_refs::provider_map(self.forest, expr, rules, self.out).len())
            }
            AttrKind::Keyword(rule) => match keywords::one_of(self.forest, expr, rule, self.out) {
                Some(word) => DecodedArgument::Text(word),
                None => DecodedArgument::Wrong,
            },
            AttrKind::BareKeyword(rule) => match keywords::unquoted(self.forest, expr, rule, self.out) {
                Some(word) => DecodedArgument::Text(word),
                None => DecodedArgument::Wrong,
            },
            AttrKind::BareKeywordAtArgument(rule) => {
                let word = keywords::unquoted_at(self.forest, expr, attribute.range, rule, self.out);
                word.map_or(DecodedArgument::Wrong, DecodedArgument::Text)
            }
            AttrKind::OverrideTarget { of, title } => self.override_target(attribute, of, title),
            AttrKind::TestedModuleSource { downloaded } => self.tested_source(attribute, downloaded, around),
            AttrKind::Keywords(rule) => self.events(rule, expr),
            AttrKind::ActionReferences => self.actions(expr),
            AttrKind::VersionConstraint(place) => self.version_argument(place, expr, around)?,
            AttrKind::ModuleSource { checked } => self.module_source(expr, checked, around),
            AttrKind::Stored(shape) => self.stored(row.name, expr, shape),
            AttrKind::Literal(shape) => match constants::literal(self.forest, expr, shape, self.out) {
                Literal::Text(text) => self.kept_text(&text),
                Literal::Kept => DecodedArgument::Expr,
                Literal::Wrong => DecodedArgument::Wrong,
            },
            AttrKind::Reserved(title) => {
                let detail = format!(
                    "The name {:?} is reserved, so it cannot be used as an argument of this block. Remove the argument.",
                    row.name
                );
                self.report(&codes::REFUSED_ARGUMENT, title, attribute.name_span, detail);
                return None;
            }
            AttrKind::Refused(title) => {
                let detail = format!(
                    "The argument {:?} does not apply to this kind of object, so it is rejected. Remove the argument.",
                    row.name
                );
                self.report(&codes::REFUSED_ARGUMENT, title, attribute.name_span, detail);
                return None;
            }
            AttrKind::RefusedAtValue(title) => {
                let detail =
                    format!("The argument {:?} is not allowed in this kind of file. Remove the argument.", row.name);
                self.report(&codes::REFUSED_ARGUMENT, title, self.forest.expr_span(expr), detail);
                return None;
            }
            AttrKind::RefusedAtHeader(title) => {
                let detail = format!(
                    "The argument {:?} does not apply to this kind of object, so it is rejected. Remove the argument.",
                    row.name
                );
                let title = self.dialect.title(codes::REFUSED_ARGUMENT.id, title);
                let found = Diagnostic::tool(&codes::REFUSED_ARGUMENT, header, detail).titled(title);
                self.out.push(found.and("the argument", attribute.name_span));
                return None;
            }
        };
        Some(Argument { spec: Some(row), decoded, ..self.plain_argument(attribute) })
    }

    /// Returns the words in addresses that this version knows.
    pub(super) fn words(&self) -> AddressWords {
        AddressWords::for_dialect(self.dialect)
    }

    fn provider_references(&self) -> ProviderRefRules {
        ProviderRefRules::for_dialect(self.dialect)
    }

    pub(super) fn boolean(&mut self, expr: ExprAt) -> DecodedArgument<'f> {
        constants::boolean(self.forest, expr, self.failure_report(), self.out)
            .map_or(DecodedArgument::Wrong, DecodedArgument::Bool)
    }

    pub(super) fn text(&mut self, expr: ExprAt) -> DecodedArgument<'f> {
        let text = constants::text(self.forest, expr, self.failure_report(), self.out);
        text.map_or(DecodedArgument::Wrong, |text| self.kept_text(&text))
    }

    /// Returns a text as the result of decoding.
    pub(super) fn kept_text(&self, text: &str) -> DecodedArgument<'f> {
        DecodedArgument::Text(self.forest.keep(text))
    }

    /// Returns the locations of items as the result of decoding.
    pub(super) fn items(&self, items: impl ExactSizeIterator<Item = Span>) -> DecodedArgument<'f> {
        DecodedArgument::Items(self.forest.keep_each(items))
    }

    /// Returns what is reported about a constant that cannot be evaluated.
    pub(super) fn failure_report(&self) -> FailureReport {
        if self.dialect.rules.expressions.failed_constants_reported_once {
            FailureReport::ReasonOnly
        } else {
            FailureReport::ReasonAndUnsuitable
        }
    }

    /// Reads the version constraint of a provider or a module. Returns `None` if it cannot be read, because the tool
    /// does not record it then.
    fn version_argument(
        &mut self,
        place: VersionUse,
        expr: ExprAt,
        _around: &Content<'_>,
    ) -> Option<DecodedArgument<'f>> {
        if place == VersionUse::Provider {
            self.out.push(Diagnostic::tool(
                &codes::PROVIDER_VERSION,
                self.forest.expr_span(expr),
                "Version constraints in `provider` blocks are deprecated. Constrain the version in the `required_providers` block instead.",
            ));
        }
        constants::version_constraint(self.forest, expr, self.out).map(|text| self.kept_text(&text))
    }

    /// Reads the source of a module and checks its address, which must be a registry address if there is also a
    /// version.
    fn module_source(&mut self, expr: ExprAt, checked: bool, around: &Content<'_>) -> DecodedArgument<'f> {
        let DecodedArgument::Text(source) = self.text(expr) else { return DecodedArgument::Wrong };
        if checked {
            let versioned = self.dialect.rules.modules.version_needs_registry_source
                && around.attribute(words::VERSION).is_some();
            let at = self.forest.expr_span(expr);
            if versioned {
                if let Err(why) = module_source::parse_registry(source) {
                    self.out.push(Diagnostic::tool(&codes::REGISTRY_SOURCE, at, why));
                }
            } else if let Err(why) = module_source::parse(source) {
                self.out.push(Diagnostic::tool(&codes::MODULE_SOURCE, at, why));
            }
        }
        DecodedArgument::Text(source)
    }
}
