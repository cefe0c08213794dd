//! Entries of `required_providers` (terraform.md, section 5).
//!
//! The tool reads the entries of a block in random order, and after one invalid entry, later entries in object form
//! may silently disappear. Here, every entry is read in source order, and every valid one is kept.

use crate::body::traversal;
use crate::body::traversal::error;
use crate::language::names::BadPart;
use crate::language::{codes, hostname, names};
use overfold_base::account::ChargedText;
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting, Span};
use overfold_base::versions::Constraints;
use overfold_dialect::words;
use overfold_dialect::{self as dialect, DialectSpec};
use overfold_eval as eval;
use overfold_syntax::statics::TraversalKey;
use overfold_syntax::tree::ExprKind;
use overfold_syntax::{ExprAt, Forest, statics};
use overfold_value::{Type, convert};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

/// A provider that a module requires.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RequiredProvider {
    /// Its address; `None` if it is not given, and therefore implied by the local name.
    pub source: Option<ProviderSource>,
    /// The version constraints as written, if there are any that can be read.
    pub version: Option<String>,
    /// The aliases that the calling module must pass.
    pub aliases: Vec<String>,
}

/// The address of a provider.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ProviderSource {
    /// The host name in normal form; `None` for the tool's own registry.
    pub host: Option<String>,
    /// The namespace in normal form; `None` for the tool's own namespace.
    pub namespace: Option<String>,
    /// The name in normal form.
    pub name: String,
}

/// Whether a required provider is the one that is built into the tool. `source` is the expression of its source;
/// without one, this depends on the local name.
pub fn is_builtin(forest: &Forest, name: &str, source: Option<ExprAt>) -> bool {
    match source {
        Some(source) => traversal::plain_text(forest, source)
            .is_some_and(|source| source.eq_ignore_ascii_case("terraform.io/builtin/terraform")),
        None => name == "terraform",
    }
}

/// Returns the host of sources that do not name one, if the dialect has provider requirements.
pub fn registry(dialect: &DialectSpec) -> Option<&'static str> {
    let inside = dialect.blocks.iter().flat_map(|row| row.blocks);
    inside.chain(dialect.blocks).find_map(|row| row.traits.requirements_of)
}

/// The registries of the tools: they stand for each other where a provider is named by its full address.
static REGISTRIES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let newest = |name: &str| dialect::find(name, None).ok();
    dialect::names().filter_map(newest).filter_map(registry).collect()
});

/// Whether a host is the registry of a tool.
pub fn is_registry(host: &str) -> bool {
    REGISTRIES.contains(&host)
}

/// Returns the addresses of a provider in the registries of other tools, given its full address in that of one; none for
/// any other address.
pub fn addresses_in_other_registries(address: &str) -> impl Iterator<Item = String> {
    let (host, path) = address.touched().split_once('/').unwrap_or_default();
    let others = REGISTRIES.iter().filter(move |_| is_registry(host)).filter(move |other| **other != host);
    others.map(move |other| format!("{other}/{path}"))
}

/// What the sources of providers may be.
#[derive(Clone, Copy, Debug)]
pub struct SourceRules<'r> {
    /// The tool's own registry.
    pub registry: &'r str,
    /// Whether a namespace may contain underscores.
    pub underscores: bool,
}

/// Reads one entry: `name = "~> 1.0"` or `name = { source = …, version = …, configuration_aliases = […] }`. `registry`
/// is the only host that may have the namespace `-`. Returns `None` if there is an error in the entry.
pub fn entry(
    forest: &Forest,
    name: &str,
    expr: ExprAt,
    rules: SourceRules<'_>,
    out: &mut Diagnostics,
) -> Option<RequiredProvider> {
    let span = forest.expr_span(expr);
    let map = is_map(forest, expr);
    if !map && let Some(text) = scalar(forest, expr) {
        // An entry that is only a string is kept whatever is wrong with it. Its name need not be in normal form, but
        // must be a valid name.
        let version = constraint(&text, span, out);
        if let Err(bad) = names::normalize_provider_part(name) {
            error(out, &codes::PROVIDER_NAME, span, format!("The provider name {name:?} {}.", bad.reason()));
            return None;
        }
        return Some(RequiredProvider { version, ..RequiredProvider::default() });
    }
    if let Some(detail) = names::bad_provider_local_name(name) {
        error(out, &codes::PROVIDER_LOCAL_NAME, span, detail);
        return None;
    }
    if !map {
        let detail = "An entry must be an object with a source and a version, or a string with a version constraint.";
        error(out, &codes::REQUIRED_PROVIDERS_OBJECT, span, detail);
        return None;
    }
    let mut found = RequiredProvider::default();
    let (all_read, verdict) = out.watch(|out| {
        let pairs = statics::static_map(forest, expr, out);
        pairs.into_iter().all(|entry| pair(forest, name, entry, rules, &mut found, out))
    });
    (all_read && verdict.is_clean()).then_some(found)
}

/// Reads one attribute of an entry in object form. Returns `false` if the rest of the object is not to be examined.
fn pair(
    forest: &Forest,
    name: &str,
    (key, value): (ExprAt, ExprAt),
    rules: SourceRules<'_>,
    found: &mut RequiredProvider,
    out: &mut Diagnostics,
) -> bool {
    let key_text = match key_text(forest, key) {
        Key::Text(text) => text,
        Key::NotConstant(at) => {
            error(out, &codes::VARIABLES_NOT_ALLOWED, at, "The keys of an entry must be constants, not references.");
            return false;
        }
        Key::Ambiguous => {
            let detail = "A key must be a plain name or a quoted string.";
            error(out, &codes::PROVIDER_KEY_AMBIGUOUS, forest.expr_span(key), detail);
            return false;
        }
        Key::NoText => {
            error(
                out,
                &codes::REQUIRED_PROVIDERS_KEY,
                forest.expr_span(key),
                "The keys of an entry must be strings: `source`, `version` or `configuration_aliases`.",
            );
            return false;
        }
    };
    let span = forest.expr_span(value);
    match key_text.as_str() {
        words::VERSION => match traversal::plain_text(forest, value) {
            Some(text) => found.version = constraint(&text, span, out),
            None => error(out, &codes::VERSION_CONSTRAINT, span, "A version constraint must be a constant string."),
        },
        words::SOURCE_ARGUMENT => match traversal::plain_text(forest, value) {
            Some(text) => found.source = source(&text, span, rules, out),
            None => error(out, &codes::PROVIDER_SOURCE, span, "The source of a provider must be a constant string."),
        },
        "configuration_aliases" => aliases(forest, name, value, found, out),
        _ => {
            error(
                out,
                &codes::REQUIRED_PROVIDERS_OBJECT,
                forest.expr_span(key),
                "The only keys of an entry are `source`, `version` and `configuration_aliases`. Everything else belongs in a `provider` block.",
            );
            return false;
        }
    }
    true
}

fn aliases(forest: &Forest, name: &str, list: ExprAt, found: &mut RequiredProvider, out: &mut Diagnostics) {
    for item in statics::static_list(forest, list, out) {
        let Some(traversal) = statics::absolute_traversal(forest, item, out) else { continue };
        let detail = match traversal.steps.first().map(|step| &step.key) {
            _ if &*traversal.root != name => {
                format!("Each alias of this provider must begin with its local name: {name:?}, a dot and the alias.")
            }
            // A name without an alias is accepted, as in the tool.
            None => continue,
            Some(TraversalKey::Attr(alias)) => {
                found.aliases.push(alias.to_string());
                continue;
            }
            Some(_) => "Write the alias after a dot, not in brackets: NAME.ALIAS.".to_owned(),
        };
        error(out, &codes::CONFIGURATION_ALIAS, forest.expr_span(list), detail);
    }
}

/// Returns a version constraint if the text is one. When the tool selects providers, a stricter parser reads it again,
/// which accepts at most three numbers, no `v`, no pre-release without a dash, and no `~` in a pre-release.
fn constraint(text: &str, span: Span, out: &mut Diagnostics) -> Option<String> {
    let Some(constraints) = Constraints::parse(text) else {
        error(
            out,
            &codes::VERSION_CONSTRAINT,
            span,
            format!("{text:?} is not a valid version constraint. An example of a valid one is \"~> 1.2, != 1.2.5\"."),
        );
        return None;
    };
    if !constraints.are_valid_for_providers(text) {
        out.push(Diagnostic::ours(
            &codes::CONSTRAINT_REFUSED_LATER,
            span,
            "This constraint is accepted while the configuration is loaded, but no version of a provider can satisfy it. The version of a provider has at most three numbers and no leading v, and a dash comes before a pre-release.",
        ));
    }
    Some(text.to_owned())
}

/// Returns a namespace in normal form.
fn namespace_part(text: &str, rules: SourceRules<'_>) -> Result<String, names::BadPart> {
    if rules.underscores && text.contains('_') {
        // What is left must be as without the underscores.
        names::normalize_provider_part(&text.scanned(32).replace('_', "x"))?;
        return Ok(text.to_lowercase());
    }
    names::normalize_provider_part(text).map(std::borrow::Cow::into_owned)
}

/// Reads `[HOST/][NAMESPACE/]NAME`.
fn source(text: &str, span: Span, rules: SourceRules<'_>, out: &mut Diagnostics) -> Option<ProviderSource> {
    let registry = rules.registry;
    let parts: Vec<&str> = text.split('/').collect();
    if parts.len() > 3 || parts.contains(&"") {
        let detail =
            format!("{text:?} is not a valid provider source. A source has the form [HOST/][NAMESPACE/]NAME.");
        error(out, &codes::PROVIDER_SOURCE_FORM, span, detail);
        return None;
    }
    let (host, namespace, name) = match *parts.as_slice() {
        [name] => (None, None, name),
        [namespace, name] => (None, Some(namespace), name),
        [host, namespace, name] => (Some(host), Some(namespace), name),
        _ => return None,
    };
    let bad = |part: &str, bad: BadPart| format!("The part {part:?} of the provider source {}.", bad.reason());
    let name_found = names::normalize_provider_part(name);
    if let Err(reason) = name_found {
        error(out, &codes::PROVIDER_SOURCE_TYPE, span, bad(name, reason));
        return None;
    }
    let namespace = match namespace {
        // The namespace of providers from before there were namespaces.
        Some("-") => Some("-".to_owned()),
        Some(given) => match namespace_part(given, rules) {
            Ok(normal) => Some(normal),
            Err(reason) => {
                error(out, &codes::PROVIDER_SOURCE_NAMESPACE, span, bad(given, reason));
                return None;
            }
        },
        None => None,
    };
    let host = match host {
        Some(given) => {
            let normal = hostname::normalized(given);
            if normal.is_none() {
                error(
                    out,
                    &codes::PROVIDER_SOURCE_HOST,
                    span,
                    format!("{given:?} is not a valid host name for a provider source."),
                );
                return None;
            }
            normal
        }
        None => None,
    };
    if namespace.as_deref() == Some("-") && host.as_deref().is_some_and(|host| host != registry) {
        let detail = format!(
            "The namespace \"-\" for legacy providers exists only on {registry}. Use the current namespace of the provider."
        );
        error(out, &codes::PROVIDER_SOURCE_NAMESPACE, span, detail);
        return None;
    }
    let name = name_found.ok()?;
    // The tool does not report the old prefix if there is no namespace.
    if namespace.is_some() && name.starts_with("terraform-") {
        error(
            out,
            &codes::PROVIDER_SOURCE_TYPE,
            span,
            "The name of a provider does not begin with terraform-, even though that of its repository does. Remove the prefix.",
        );
        return None;
    }
    Some(ProviderSource { host, namespace, name: name.into_owned() })
}

/// Returns a constant of a primitive type as a string; numbers and booleans are included, as in the tool.
fn scalar(forest: &Forest, expr: ExprAt) -> Option<Arc<str>> {
    let mut discarded = Diagnostics::new();
    let value = eval::constant(forest, expr, &mut discarded);
    if discarded.has_errors() || !matches!(value.ty(), Type::String | Type::Number | Type::Bool) {
        return None;
    }
    let text = convert(&value, &Type::String).ok()?;
    text.as_shared_text().cloned()
}

fn is_map(forest: &Forest, expr: ExprAt) -> bool {
    statics::written_map(forest, expr).is_some()
}

enum Key {
    Text(String),
    NotConstant(Span),
    /// A reference without parentheses.
    Ambiguous,
    NoText,
}

fn key_text(forest: &Forest, expr: ExprAt) -> Key {
    if let Some(word) = bare_word(forest, expr) {
        return Key::Text(word);
    }
    if let Some(text) = traversal::plain_text(forest, expr) {
        return Key::Text(text.to_string());
    }
    if let ExprAt::Native(source, id) = expr
        && let Some(tree) = forest.native(source)
        && matches!(tree.expr(id).kind, ExprKind::Traversal(_))
    {
        return Key::Ambiguous;
    }
    match statics::references(forest, expr).first() {
        Some(traversal) => Key::NotConstant(traversal.root_span),
        None => Key::NoText,
    }
}

/// Returns a keyword that is used as a string.
fn bare_word(forest: &Forest, expr: ExprAt) -> Option<String> {
    let ExprAt::Native(source, id) = expr else { return None };
    let tree = forest.native(source)?;
    match tree.expr(id).kind {
        ExprKind::Traversal(steps) if steps.len() == 1 => Some(tree.slice(tree.expr(id).range).to_owned()),
        _ => None,
    }
}
