//! References to provider configurations: `provider = aws.west`, `providers = { aws = aws.west }`.

use crate::body::traversal;
use crate::body::traversal::{Quoted, error};
use crate::language::{codes, names};
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting, Span};
use overfold_dialect::DialectSpec;
use overfold_syntax::statics::{Traversal, TraversalKey};
use overfold_syntax::{ExprAt, Forest, statics};
use std::borrow::Cow;
use std::collections::HashMap;

/// A provider configuration, identified by its local name and alias.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ProviderRef {
    /// The local name.
    pub name: String,
    /// The location of the name.
    pub name_span: Span,
    /// The alias.
    pub alias: Option<String>,
}

impl std::fmt::Display for ProviderRef {
    /// Writes `name` or `name.alias`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.alias {
            Some(alias) => write!(f, "{}.{alias}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// Returns the local name and the alias of a provider configuration, which is written `NAME` or `NAME.ALIAS`.
pub fn split_configuration(configuration: &str) -> (&str, Option<&str>) {
    match configuration.split_once('.') {
        Some((name, alias)) => (name, Some(alias)),
        None => (configuration, None),
    }
}

/// Returns the local name of the provider that the type of an object implies: what is before its first underscore.
pub fn implied_name(type_name: &str) -> &str {
    type_name.split_once('_').map_or(type_name, |(name, _)| name)
}

/// How references to provider configurations may be written (opentofu.md, section 7.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProviderRefRules {
    /// Whether an instance key may follow the alias.
    pub instance_keys: bool,
    /// Whether that key may be one that must be evaluated, in native syntax; otherwise, such a key is not recognised
    /// as a key. It may not be on the left side of a `providers` map (read in the tool's code).
    pub computed_keys: bool,
    /// Whether a string in the JSON syntax is an expression of the native syntax; otherwise, it is only a traversal.
    pub json_expressions: bool,
}

impl ProviderRefRules {
    /// Returns the rules of a dialect.
    pub fn for_dialect(dialect: &DialectSpec) -> Self {
        Self {
            instance_keys: dialect.rules.providers.instance_keys,
            computed_keys: true,
            json_expressions: dialect.rules.providers.texts_are_expressions,
        }
    }
}

/// Reads one reference to a provider configuration. Returns `None` for a reference with errors, unless the error is
/// after the name. The name need not be that of a provider: `var.p` is the provider `var` with the alias `p`
/// (terraform.md, section 5).
pub fn provider_ref(
    forest: &Forest,
    expr: ExprAt,
    rules: ProviderRefRules,
    out: &mut Diagnostics,
) -> Option<ProviderRef> {
    let from_text = matches!(expr, ExprAt::Json(..));
    let mut expr = expr;
    if rules.json_expressions {
        expr = traversal::reference_expression(forest, expr, out)?;
    }
    let (mut inner, mut last) = (expr, Vec::new());
    let mut computed = false;
    if rules.instance_keys
        && let Some(index) = traversal::index(forest, expr)
        && (rules.computed_keys || from_text || index.step.is_some())
    {
        computed = index.step.is_none();
        last.extend(index.step);
        inner = index.collection;
    }
    let (quoted, verdict) = out.watch(|out| traversal::unquote(forest, inner, out));
    let found = match quoted {
        Quoted::Text(found) => found,
        Quoted::No => traversal::try_absolute(forest, inner),
    };
    // A key that must be evaluated is removed before the rest is examined.
    let looked_at = if computed { inner } else { expr };
    // An alias, and one key after it.
    let max = if rules.instance_keys && !computed { 2 } else { 1 };
    let Some(Traversal { root: name, root_span, mut steps, span }) =
        found.filter(|found| found.steps.len() + last.len() <= max)
    else {
        error(
            out,
            &codes::PROVIDER_REFERENCE,
            forest.expr_span(looked_at),
            "This must be the local name of a provider, optionally followed by a dot and an alias.",
        );
        return None;
    };
    steps.append(&mut last);
    if let Some(detail) = names::bad_provider_local_name(&name) {
        error(out, &codes::PROVIDER_LOCAL_NAME, root_span, detail);
        return None;
    }
    if verdict.failed() {
        return None;
    }
    let mut found = ProviderRef { name: name.into(), name_span: root_span, alias: None };
    let mut steps = steps.into_iter();
    if let Some(step) = steps.next() {
        let TraversalKey::Attr(alias) = step.key else {
            let detail = "Write the alias after a dot, not in brackets: NAME.ALIAS.";
            error(out, &codes::PROVIDER_REFERENCE, step.span, detail);
            return Some(found);
        };
        found.alias = Some(alias.into());
    }
    if let Some(step) = steps.next() {
        if let TraversalKey::Attr(_) = step.key {
            let detail = "After the alias, only the key of an instance in brackets is allowed.";
            error(out, &codes::PROVIDER_REFERENCE, step.span, detail);
        }
    } else if computed && found.alias.is_none() {
        let detail = "Only a provider configuration with an alias has instances. Write the alias before the key.";
        error(out, &codes::PROVIDER_REFERENCE, span, detail);
    }
    Some(found)
}

/// The key of an instance at the end of a reference to a provider configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProviderKey<'f> {
    /// A plain text.
    Text(Cow<'f, str>),
    /// A plain number, as written.
    Number(Cow<'f, str>),
    /// An expression, which has to be evaluated.
    Computed(ExprAt),
}

/// Returns the key in which a reference to a provider configuration ends, and where the tool reports it: the whole
/// reference if the key is plain.
pub fn instance_key(forest: &Forest, expr: ExprAt, rules: ProviderRefRules) -> Option<(ProviderKey<'_>, Span)> {
    if !rules.instance_keys {
        return None;
    }
    let mut expr = expr;
    if rules.json_expressions {
        expr = traversal::reference_expression(forest, expr, &mut Diagnostics::new())?;
    }
    if let Some(index) = traversal::index(forest, expr) {
        return Some((ProviderKey::Computed(index.key), forest.expr_span(index.key)));
    }
    // A constant key is a step of the reference itself.
    let mut found = traversal::try_absolute(forest, expr).filter(|found| found.steps.len() > 1)?;
    let key = match found.steps.pop()?.key {
        TraversalKey::IndexText(text) => ProviderKey::Text(text),
        TraversalKey::IndexNumber(digits) => ProviderKey::Number(digits),
        _ => return None,
    };
    Some((key, forest.expr_span(expr)))
}

/// One entry of the `providers` map of a module call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PassedProvider {
    /// The configuration in the called module.
    pub inner: ProviderRef,
    /// The configuration in the calling module.
    pub outer: ProviderRef,
}

/// Reads the `providers` map of a module call. Entries with errors are left out; if two are for the same
/// configuration, the first one is used.
pub fn provider_map(
    forest: &Forest,
    expr: ExprAt,
    rules: ProviderRefRules,
    out: &mut Diagnostics,
) -> Vec<PassedProvider> {
    let mut passed: Vec<PassedProvider> = Vec::new();
    let mut seen: HashMap<String, Span> = HashMap::new();
    for (key, value) in statics::static_map(forest, expr, out) {
        let (pair, verdict) = out.watch(|out| {
            let inner = provider_ref(forest, key, ProviderRefRules { computed_keys: false, ..rules }, out);
            let outer = provider_ref(forest, value, rules, out);
            inner.zip(outer)
        });
        // A reference with an error after its name is still a reference, but yields no entry.
        let Some((inner, outer)) = pair.filter(|_| verdict.is_clean()) else { continue };
        let (key_span, span) = (forest.expr_span(key), forest.expr_span(value));
        if let Some(&earlier) = seen.get(&inner.to_string()) {
            out.push(
                Diagnostic::tool(
                    &codes::DUPLICATE_PROVIDER_ADDRESS,
                    span,
                    format!("This module call already sets the provider configuration {inner}. Remove one of the two entries."),
                )
                .and("first set here", earlier),
            );
            continue;
        }
        let pair = key_span.range().to(span.range()).in_source(span.source);
        seen.insert(inner.to_string(), pair);
        passed.push(PassedProvider { inner, outer });
    }
    passed
}
