//! Sources and versions of module calls.

use std::sync::Arc;

use crate::decode::codes::{MODULE_SOURCE, REGISTRY_SOURCE};
use crate::early_eval::values::{EarlyEvaluation, EvaluatedExpr, EvaluationMode, Traits};
use crate::early_eval::{ResolvedModule, codes, install};
use overfold_base::account::ChargedIterator;
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Reporting, Secrecy};
use overfold_base::versions::Constraints;
use overfold_dialect::{AttrKind, Behaviour, VersionUse};
use overfold_model::config::{Argument, DecodedArgument, Element, ObjectAddr};
use overfold_model::language::codes::{UNSUITABLE_VALUE, VERSION_CONSTRAINT};
use overfold_model::language::module_source;
use overfold_syntax::ExprAt;
use overfold_syntax::tree::ExprKind;
use overfold_value::{Type, Value, convert};

/// Returns a module call whose source and version are constants, which were read with its block.
pub(super) fn as_written(element: &Element<'_>) -> Option<(Box<str>, ResolvedModule)> {
    let text = |wanted: fn(AttrKind) -> bool| {
        element.block.arguments.iter().find_map(|argument| match &argument.decoded {
            DecodedArgument::Text(text) if argument.spec.is_some_and(|row| wanted(row.kind)) => {
                Some(Arc::from(*text))
            }
            _ => None,
        })
    };
    let source = text(|kind| matches!(kind, AttrKind::ModuleSource { .. }))?;
    let version = text(|kind| matches!(kind, AttrKind::VersionConstraint(VersionUse::Module)));
    Some((
        element.address.name().into(),
        ResolvedModule { source, version, source_secrecy: Secrecy::Open, version_secrecy: Secrecy::Open },
    ))
}

/// The evaluated version argument of a module call.
#[derive(Default)]
struct Version {
    /// Whether there is a version, readable or not, so that the source must be a registry address.
    there: bool,
    text: Option<Arc<str>>,
    secrecy: Secrecy,
}

impl EarlyEvaluation<'_> {
    /// Evaluates the source and the version of a module call. Returns `None` if the source cannot be evaluated.
    pub(super) fn module(
        &mut self,
        element: &Element<'_>,
        source: Option<&Argument<'_>>,
        version: Option<&Argument<'_>>,
        out: &mut Diagnostics,
    ) -> Option<ResolvedModule> {
        let address = element.address;
        let (version, found) =
            out.collect(|out| version.map(|version| self.version(version, address, out)).unwrap_or_default());
        let (dialect, at_install) = (self.inputs.dialect, self.at_install);
        out.extend(
            found
                .into_iter()
                .map(|found| if at_install { install::retitled(dialect, found, "module version") } else { found }),
        );
        let argument = source?;
        let forest = self.inputs.forest;
        let at = forest.expr_span(argument.expr);
        let at_once = self.inputs.dialect.rules.early_eval.sources_decoded_at_once;
        let mode = if at_once { EvaluationMode::AtOnce } else { EvaluationMode::Usual };
        let evaluated = self.evaluate_argument(argument, mode, address);
        self.report(&evaluated, at, Some(address), out);
        let unsuitable = |why: &str| {
            let detail =
                format!("The source of a module must be a string that is known while the module is loaded: {why}.");
            let place = if self.at_install { at } else { forest.start_span(argument.expr) };
            let found = Diagnostic::tool(&UNSUITABLE_VALUE, place, detail).about(address);
            if self.at_install { found.titled(install::UNSUITABLE_SOURCE) } else { found }
        };
        if evaluated.failed {
            if at_once && evaluated.failed_itself {
                out.push(unsuitable("it could not be evaluated"));
            }
            return None;
        }
        let EvaluatedExpr { value, traits, .. } = evaluated;
        if !at_once && self.report_marks(&value, argument, address, out) {
            return None;
        }
        let text = match known_text(&value, traits) {
            SourceValue::Text(text) => text,
            SourceValue::Undecided => {
                self.note_undecided(argument, address, out);
                return None;
            }
            SourceValue::Null => {
                out.push(unsuitable("it must not be null"));
                return None;
            }
            SourceValue::Unknown if self.at_install => {
                out.push(self.unknown(argument, "source").about(address));
                return None;
            }
            SourceValue::Unknown => {
                out.push(unsuitable(BROKEN).quoting(Quotes::Values(traits.secrecy)));
                return None;
            }
            SourceValue::Wrong(why) => {
                out.push(unsuitable(&why).quoting(Quotes::Values(traits.secrecy)));
                return None;
            }
        };
        let parsed = if version.there {
            module_source::parse_registry(&text)
        } else {
            module_source::parse(&text).map(|_| ())
        };
        if let Err(why) = parsed {
            let code = if version.there { &REGISTRY_SOURCE } else { &MODULE_SOURCE };
            let found = Diagnostic::tool(code, at, why).about(address);
            out.push(found.quoting(Quotes::Values(traits.secrecy)));
        }
        Some(ResolvedModule {
            source: text,
            version: version.text,
            source_secrecy: traits.secrecy,
            version_secrecy: version.secrecy,
        })
    }

    fn version(&mut self, argument: &Argument<'_>, address: ObjectAddr<'_>, out: &mut Diagnostics) -> Version {
        let forest = self.inputs.forest;
        let evaluated = self.evaluate_argument(argument, EvaluationMode::Usual, address);
        self.report(&evaluated, argument.range, Some(address), out);
        let mut version = Version { there: true, text: None, secrecy: evaluated.traits.secrecy };
        if evaluated.failed {
            return version;
        }
        let EvaluatedExpr { value, traits, .. } = evaluated;
        if value.is_null() && self.inputs.dialect.rules.modules.null_version_is_none {
            version.there = false;
            return version;
        }
        let mut wrong = |why: String| {
            let detail = format!("A version constraint must be a string such as \">= 1.2, < 2.0\": {why}.");
            let at = forest.expr_span(argument.expr);
            let found = Diagnostic::tool(&VERSION_CONSTRAINT, at, detail).about(address);
            out.push(found.quoting(Quotes::Values(traits.secrecy)));
        };
        let looks_at_marks = !self.inputs.dialect.rules.early_eval.sources_decoded_at_once;
        if looks_at_marks && value.marks().is_sensitive() {
            wrong("it must not be sensitive, because it would become visible".to_owned());
            return version;
        }
        if looks_at_marks && value.marks().is_ephemeral() {
            wrong("it must not be ephemeral, because it would be stored".to_owned());
            return version;
        }
        match known_text(&value, traits) {
            SourceValue::Text(text) if Constraints::parse(&text).is_some() => version.text = Some(text),
            SourceValue::Text(_) => wrong("this string is not a valid list of constraints".to_owned()),
            SourceValue::Unknown if self.at_install => {
                out.push(self.unknown(argument, "version").about(address));
            }
            SourceValue::Unknown | SourceValue::Wrong(_) if value.ty().is_dynamic() => {}
            SourceValue::Unknown => wrong(BROKEN.to_owned()),
            SourceValue::Wrong(why) => wrong(why),
            SourceValue::Null => {}
            SourceValue::Undecided => self.note_undecided(argument, address, out),
        }
        version
    }

    /// Returns the diagnostic about a source or a version, which `what` says, that is unknown.
    fn unknown(&self, argument: &Argument<'_>, what: &str) -> Diagnostic {
        let forest = self.inputs.forest;
        if !self.inputs.dialect.has(Behaviour::UnknownModuleSourcesAtParts) {
            return Diagnostic::tool(&codes::UNKNOWN_SOURCE, forest.expr_span(argument.expr), UNKNOWN);
        }
        let part = self.unknown_part(argument.expr).unwrap_or(argument.expr);
        let found = Diagnostic::tool(&codes::UNKNOWN_SOURCE, forest.expr_span(part), UNKNOWN);
        found.titled(format!("Invalid module {what}"))
    }

    /// Returns the first part of a template that is unknown.
    fn unknown_part(&self, expr: ExprAt) -> Option<ExprAt> {
        let ExprAt::Native(source, id) = expr else { return None };
        let tree = self.inputs.forest.native(source)?;
        let ExprKind::Template { parts, .. } = tree.expr(id).kind else { return None };
        let mut parts = tree.list(parts).iter().map(|&part| ExprAt::Native(source, part)).charged(8);
        parts.find(|&part| {
            let references = self.evaluator.references(part, |_| false);
            let value = self.evaluator.known.evaluate(part, &references, &mut Diagnostics::new());
            !value.is_known()
        })
    }

    /// Reports that any part of the source is sensitive or ephemeral, and returns whether this is the case.
    fn report_marks(
        &self,
        value: &Value,
        argument: &Argument<'_>,
        address: ObjectAddr<'_>,
        out: &mut Diagnostics,
    ) -> bool {
        let marks = value.deep_marks();
        let (code, why) = if marks.is_sensitive() {
            (
                &codes::SENSITIVE_VALUE,
                "The source of a module becomes visible, so it must not contain a sensitive value.",
            )
        } else if marks.is_ephemeral() {
            (&codes::EPHEMERAL_VALUE, "The source of a module is stored, so it must not contain an ephemeral value.")
        } else {
            return false;
        };
        out.push(Diagnostic::tool(code, self.inputs.forest.expr_span(argument.expr), why).about(address));
        true
    }

    /// Notes that the value depends on something that only the tool knows.
    pub(super) fn note_undecided(&self, argument: &Argument<'_>, address: ObjectAddr<'_>, out: &mut Diagnostics) {
        let tool = self.inputs.dialect.tool;
        let detail = format!("This depends on the machine on which {tool} is run, so it is not evaluated here.");
        let at = self.inputs.forest.expr_span(argument.expr);
        out.push(Diagnostic::ours(&codes::UNDECIDED, at, detail).about(address));
    }
}

/// Why a source or a version is unknown to the tool.
const UNKNOWN: &str = "This is known only during a plan or apply, but it is needed when modules are installed.";
const BROKEN: &str = "a value that it depends on could not be evaluated";

/// A value as a string.
enum SourceValue {
    Text(Arc<str>),
    Null,
    /// The value is unknown here, but known to the tool.
    Undecided,
    /// The value is unknown to the tool, too.
    Unknown,
    /// The value is not a string, for this reason.
    Wrong(String),
}

fn known_text(value: &Value, traits: Traits) -> SourceValue {
    let converted = match convert(&value.unmarked_deep(), &Type::String) {
        Ok(converted) => converted,
        Err(error) => {
            return SourceValue::Wrong(error.to_string());
        }
    };
    if converted.is_null() {
        SourceValue::Null
    } else if let Some(text) = converted.as_shared_text() {
        SourceValue::Text(Arc::clone(text))
    } else if traits.broken {
        SourceValue::Unknown
    } else {
        SourceValue::Undecided
    }
}
