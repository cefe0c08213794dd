//! References to provider configurations: `provider = aws.west`, `providers = { aws = aws.west }`.

use std::collections::HashMap;

use super::leaf_codes as codes;
use super::names;
use super::traversal::{self, Quoted, error, failed_since};
use crate::diag::{Diagnostic, Diagnostics, Span};
use crate::syntax::statics::{self, Traversal, TraversalKey};
use crate::syntax::{ExprAt, Forest};

/// A provider configuration by its local name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ProviderRef {
    /// Local name.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// Alias.
    pub alias: Option<String>,
}

impl std::fmt::Display for ProviderRef {
    /// `name` or `name.alias`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.alias {
            Some(alias) => write!(f, "{}.{alias}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// Reads one reference to a provider configuration. A reference with mistakes gives `None`, except one with a key in
/// place of the alias, which names the default configuration. Nothing says that the name must be a provider:
/// `var.p` is provider `var` with alias `p` (terraform.md, section 5).
pub fn provider_ref(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<ProviderRef> {
    let before = out.error_count();
    let found = match traversal::unquote(forest, expr, out) {
        Quoted::Text(found) => found,
        Quoted::No => traversal::silent(forest, expr),
    };
    let Some(Traversal { root: name, root_span, steps, .. }) = found.filter(|found| found.steps.len() <= 1) else {
        error(
            out,
            &codes::PROVIDER_REFERENCE,
            forest.expr_span(expr),
            "A provider configuration is named by its local name, or by its local name, a dot and an alias.",
        );
        return None;
    };
    if let Some(detail) = names::bad_provider_local_name(&name) {
        error(out, &codes::PROVIDER_LOCAL_NAME, root_span, detail);
    }
    if failed_since(out, before) {
        return None;
    }
    let mut found = ProviderRef { name: name.into(), name_span: root_span, alias: None };
    if let Some(step) = steps.into_iter().next() {
        match step.key {
            TraversalKey::Attr(alias) => found.alias = Some(alias.into()),
            _ => error(
                out,
                &codes::PROVIDER_REFERENCE,
                step.span,
                "An alias follows the local name after a dot, not in brackets.",
            ),
        }
    }
    Some(found)
}

/// One pair of a module call's `providers` map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PassedProvider {
    /// The configuration inside the module.
    pub inner: ProviderRef,
    /// The configuration of the calling module.
    pub outer: ProviderRef,
}

/// Reads the `providers` map of a module call. Pairs with mistakes are left out; of two for one configuration the
/// first counts.
pub fn provider_map(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Vec<PassedProvider> {
    let mut passed: Vec<PassedProvider> = Vec::new();
    let mut seen: HashMap<String, Span> = HashMap::new();
    for (key, value) in statics::static_map(forest, expr, out).unwrap_or_default() {
        let (before, key_span) = (out.error_count(), forest.expr_span(key));
        let inner = provider_ref(forest, key, out);
        let outer = provider_ref(forest, value, out);
        if failed_since(out, before) {
            continue;
        }
        let (Some(inner), Some(outer)) = (inner, outer) else { continue };
        let span = forest.expr_span(value);
        if let Some(&earlier) = seen.get(&inner.to_string()) {
            out.push(
                Diagnostic::tool(
                    &codes::DUPLICATE_PROVIDER_ADDRESS,
                    span,
                    format!("The module's provider configuration {inner} was given one already."),
                )
                .and("first given here", earlier),
            );
            continue;
        }
        let pair = key_span.range().to(span.range()).in_source(span.source);
        seen.insert(inner.to_string(), pair);
        passed.push(PassedProvider { inner, outer });
    }
    passed
}
