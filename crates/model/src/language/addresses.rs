//! Addresses in `moved`, `import` and `removed` blocks. Titles and ranges are those of the tool, determined by running
//! it with unusual addresses.

use crate::body::traversal;
use crate::body::traversal::{Part, error, parts};
use crate::language::codes;
use crate::language::references::{AddressWords, InstanceKey, ResourceMode};
use bytes::Bytes;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_syntax::statics::{Traversal, TraversalKey};
use overfold_syntax::tree::Root;
use overfold_syntax::{ExprAt, Forest, SyntaxLimits, statics};
use overfold_value::Value;
use std::fmt;

/// One module call on the path to a module.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ModuleStep {
    /// The name of the call.
    pub name: String,
    /// The instance key.
    pub key: Option<InstanceKey>,
}

/// The resource at the end of an address.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ResourceStep {
    /// The mode.
    pub mode: ResourceMode,
    /// The type.
    pub type_name: String,
    /// The name.
    pub name: String,
    /// The instance key.
    pub key: Option<InstanceKey>,
}

/// An address: a module, or a resource in one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Target {
    /// The module calls from the root downwards; empty for the root module itself.
    pub modules: Vec<ModuleStep>,
    /// The resource; `None` if the address is that of a module.
    pub resource: Option<ResourceStep>,
    /// Whether keys that must be evaluated were left out, so that the address may be that of any instance.
    pub computed: bool,
}

impl Target {
    /// Returns the address without instance keys.
    #[must_use]
    pub fn without_keys(&self) -> Self {
        let mut whole = self.clone();
        for step in &mut whole.modules {
            step.key = None;
        }
        if let Some(step) = &mut whole.resource {
            step.key = None;
        }
        whole
    }
}

impl fmt::Display for Target {
    /// Writes the canonical form: `module.a["x"].data.TYPE.NAME[0]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key =
            |f: &mut fmt::Formatter<'_>, key: &Option<InstanceKey>| key.as_ref().map_or(Ok(()), |key| key.fmt(f));
        for (at, step) in self.modules.iter().enumerate() {
            account::copy(step.name.len());
            write!(f, "{}module.{}", if at == 0 { "" } else { "." }, step.name)?;
            key(f, &step.key)?;
        }
        if let Some(step) = &self.resource {
            let dot = if self.modules.is_empty() { "" } else { "." };
            account::copy(step.type_name.len() + step.name.len());
            write!(f, "{dot}{}{}.{}", step.mode.prefix(), step.type_name, step.name)?;
            key(f, &step.key)?;
        }
        Ok(())
    }
}

/// Reads `moved.from` or `moved.to`: the address of a module, a resource or an instance of one.
pub fn moved(forest: &Forest, expr: ExprAt, words: AddressWords, out: &mut Diagnostics) -> Option<Target> {
    let found = statics::absolute_traversal(forest, expr, out)?;
    address(&found, words, out)
}

/// Reads the address of a module or resource from a text on its own; `None` if it is not one.
pub fn of_text(text: &str) -> Option<Target> {
    let forest = Forest::new(SyntaxLimits::default());
    let mut out = Diagnostics::new();
    let source = forest.parse_detached_expression("", Bytes::copy_from_slice(text.as_bytes()), &mut out);
    let Root::Expr(id) = forest.native(source)?.root else { return None };
    let words = AddressWords {
        ephemeral: true,
        action: true,
        list: false,
        caller: false,
        resource: true,
        reserved: true,
        few: false,
        types: false,
        also_terraform: None,
    };
    let target = moved(&forest, ExprAt::Native(source, id), words, &mut out)?;
    (!out.has_errors()).then_some(target)
}

/// Whether the two addresses of a `moved` block are of the same kind: both modules, or both resources. The tool
/// reports a mismatch (`Invalid "moved" addresses`, at the header) only if the block has no other error.
pub fn moved_ends_match(from: &Target, to: &Target) -> bool {
    from.resource.is_some() == to.resource.is_some()
}

/// Which targets `import.to` accepts (terraform.md, section 10.2 (1.5 to 1.7)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImportTargets {
    /// Constant addresses of resources of every mode.
    Constant,
    /// Addresses of managed resources only; keys may be expressions.
    ManagedWithComputedKeys,
    /// Addresses of resources of every mode; keys may be expressions. In JSON, no target can be read.
    ComputedKeysInNative,
    /// Addresses of resources of every mode, in native and JSON syntax; keys may be expressions.
    ComputedKeys,
}

/// Reads `import.to`. `argument` is the whole argument, at which `Invalid import address` is reported. Returns `None`
/// if the address cannot be read; the address of something that cannot be imported is reported and returned.
pub fn import_to(
    forest: &Forest,
    expr: ExprAt,
    argument: Span,
    targets: ImportTargets,
    words: AddressWords,
    out: &mut Diagnostics,
) -> Option<Target> {
    if targets == ImportTargets::Constant {
        let found = statics::absolute_traversal(forest, expr, out)?;
        let target = address(&found, words, out)?;
        return instance_required(target, &found, out);
    }
    if targets == ImportTargets::ComputedKeysInNative && matches!(expr, ExprAt::Json(..)) {
        let detail =
            "This version cannot read the target of an `import` block from JSON. Write the block in native syntax.";
        error(out, &codes::IMPORT_EXPRESSION, forest.expr_span(expr), detail);
        return None;
    }
    let expr = traversal::reference_expression(forest, expr, out)?;
    if targets != ImportTargets::ManagedWithComputedKeys {
        let (found, computed) = match traversal::with_computed_keys(forest, expr) {
            Ok(found) => found,
            Err(other) => {
                import_expression(forest.expr_span(other), out);
                return None;
            }
        };
        let target = address(&found, words, out)?;
        return instance_required(Target { computed, ..target }, &found, out);
    }
    let target = computed_address(forest, expr, words, out);
    let mode = target.as_ref().and_then(|target| target.resource.as_ref()).map(|resource| resource.mode);
    if mode != Some(ResourceMode::Managed) {
        error(
            out,
            &codes::IMPORT_ADDRESS,
            argument,
            "An `import` block needs the address of a managed resource, and this is not one.",
        );
    }
    target
}

fn import_expression(at: Span, out: &mut Diagnostics) {
    let detail = "The target must be a resource address; only its instance keys can be expressions.";
    error(out, &codes::IMPORT_EXPRESSION, at, detail);
}

/// Reports `import.provider` at the argument if the target is inside a module.
pub fn import_provider(target: &Target, argument: Span, out: &mut Diagnostics) {
    if !target.modules.is_empty() {
        error(
            out,
            &codes::IMPORT_PROVIDER,
            argument,
            "A resource inside a module uses the provider configuration of that module, so `provider` cannot be set here. Remove it.",
        );
    }
}

/// Reports `Duplicate import configuration for "ADDRESS"` at `span`. Tools that accept computed keys omit the keys of
/// the target here.
pub fn duplicate_import(target: &str, span: Span, first: Span, out: &mut Diagnostics) {
    out.push(
        Diagnostic::tool(&codes::IMPORT_DUPLICATE, span, "Another `import` block already has this target. An object can be imported only once; remove one of the blocks.")
            .titled(format!("Duplicate import configuration for {target:?}"))
            .and("first imported here", first),
    );
}

/// Reads `removed.from`: the address of a whole module or a whole managed resource.
pub fn removed(forest: &Forest, expr: ExprAt, words: AddressWords, out: &mut Diagnostics) -> Option<Target> {
    let found = statics::absolute_traversal(forest, expr, out)?;
    let found_parts = parts(&found);
    let (modules, rest) = module_prefix(&found_parts, out, Keys::Refused)?;
    if rest.is_empty() {
        return Some(Target { modules, resource: None, computed: false });
    }
    let (mode, rest) = match rest.split_first() {
        Some((first, after)) if first.is_named("data") => (ResourceMode::Data, after),
        Some((first, after)) if first.is_named("ephemeral") && words.ephemeral && words.few => {
            (ResourceMode::Ephemeral, after)
        }
        _ => (ResourceMode::Managed, rest),
    };
    let (type_name, name, rest) = type_and_name(rest, out)?;
    if words.few
        && let Some(extra) = rest.get(1)
    {
        error(
            out,
            &codes::INVALID_ADDRESS,
            extra.span,
            "An address ends with the key of the instance. Remove what follows it.",
        );
        return None;
    }
    if let Some(step) = rest.first() {
        error(
            out,
            &codes::RESOURCE_KEY_NOT_ALLOWED,
            step.span,
            "A `removed` block applies to a whole resource, not to one instance. Remove what follows the name of the resource.",
        );
        return None;
    }
    if mode == ResourceMode::Data {
        error(
            out,
            &codes::DATA_NOT_ALLOWED,
            found.span,
            "Data sources are only read, never destroyed, so a `removed` block cannot refer to one. Remove the block.",
        );
        return None;
    }
    if mode == ResourceMode::Ephemeral {
        error(
            out,
            &codes::EPHEMERAL_NOT_ALLOWED,
            found.span,
            "Ephemeral resources are not stored in the state, so a `removed` block cannot refer to one. Remove the block.",
        );
        return None;
    }
    Some(Target { modules, resource: Some(ResourceStep { mode, type_name, name, key: None }), computed: false })
}

/// Whether the module part of an address may have keys.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    Allowed,
    Refused,
}

/// Returns the leading `module.NAME[key]` steps and the steps after them.
fn module_prefix<'a>(
    mut steps: &'a [Part<'a, 'a>],
    out: &mut Diagnostics,
    keys: Keys,
) -> Option<(Vec<ModuleStep>, &'a [Part<'a, 'a>])> {
    let mut modules = Vec::new();
    while let Some((first, rest)) = steps.split_first() {
        let Some(word) = first.name else {
            error(
                out,
                &codes::INVALID_ADDRESS_OPERATOR,
                first.span,
                "After the module, the address must continue with a dot and a name.",
            );
            return None;
        };
        if word != "module" {
            break;
        }
        let Some((name, mut rest)) = rest.split_first().and_then(|(part, rest)| Some((part.name?, rest))) else {
            error(
                out,
                &codes::INVALID_ADDRESS_OPERATOR,
                rest.first().unwrap_or(first).span,
                "`module` must be followed by a dot and the name of a module call.",
            );
            return None;
        };
        let mut key = None;
        if let Some((step, behind)) = rest.split_first()
            && step.key.is_some()
        {
            if keys == Keys::Refused {
                error(
                    out,
                    &codes::MODULE_KEY_NOT_ALLOWED,
                    step.span,
                    "The address must refer to a whole module, not to one instance. Remove the key.",
                );
                return None;
            }
            let Some(found) = step.key.and_then(InstanceKey::from_traversal) else {
                error(
                    out,
                    &codes::INVALID_ADDRESS_OPERATOR,
                    step.span,
                    "The key of a module instance must be a whole number or a string.",
                );
                return None;
            };
            key = Some(found);
            rest = behind;
        }
        modules.push(ModuleStep { name: name.to_string(), key });
        steps = rest;
    }
    Some((modules, steps))
}

/// Returns `TYPE`, `NAME` and the steps after them.
fn type_and_name<'a>(
    steps: &'a [Part<'a, 'a>],
    out: &mut Diagnostics,
) -> Option<(String, String, &'a [Part<'a, 'a>])> {
    let (first, second) = match (steps.first(), steps.get(1)) {
        (Some(first), Some(second)) => (first, second),
        (first, _) => {
            let mut diagnostic = Diagnostic::tool(
                &codes::INVALID_ADDRESS,
                first.map(|step| step.span),
                "The address of a resource has the form TYPE.NAME.",
            );
            // If there is nothing after the keyword, the tool reports no location.
            diagnostic.span = first.map(|step| step.span);
            out.push(diagnostic);
            return None;
        }
    };
    let Some(type_name) = first.name else {
        error(
            out,
            &codes::INVALID_ADDRESS,
            first.span,
            "A resource address must begin with the type, which is a name.",
        );
        return None;
    };
    let Some(name) = second.name else {
        error(out, &codes::INVALID_ADDRESS, second.span, "The resource type must be followed by a dot and a name.");
        return None;
    };
    Some((type_name.to_string(), name.to_string(), steps.get(2..).unwrap_or_default()))
}

/// Keywords that cannot be resource types in an address.
const RESERVED: [&str; 10] =
    ["count", "each", "local", "path", "self", "terraform", "var", "template", "lazy", "arg"];

/// Reads a whole address with constant keys.
fn address(found: &Traversal<'_>, words: AddressWords, out: &mut Diagnostics) -> Option<Target> {
    let found_parts = parts(found);
    let (modules, rest) = module_prefix(&found_parts, out, Keys::Allowed)?;
    let Some((first, after)) = rest.split_first() else {
        return Some(Target { modules, resource: None, computed: false });
    };
    let (mode, rest) = match first.name.map_or("", |name| name) {
        "data" => (ResourceMode::Data, after),
        "resource" if words.resource => (ResourceMode::Managed, after),
        "ephemeral" if words.ephemeral => (ResourceMode::Ephemeral, after),
        word if words.reserved && RESERVED.contains(&word) => {
            error(
                out,
                &codes::INVALID_ADDRESS,
                found.span,
                format!(
                    "`{word}` is a keyword of the language. To refer to a resource type of that name, write resource.{word}.NAME."
                ),
            );
            return None;
        }
        _ => (ResourceMode::Managed, rest),
    };
    let (type_name, name, rest) = type_and_name(rest, out)?;
    let mut key = None;
    if let Some(extra) = rest.get(1) {
        error(
            out,
            &codes::INVALID_ADDRESS,
            extra.span,
            "An address ends with the key of the instance. Remove what follows it.",
        );
        return None;
    }
    if let Some(step) = rest.first() {
        if step.name.is_some() {
            error(out, &codes::INVALID_ADDRESS, step.span, "The key of an instance must be written in brackets.");
            return None;
        }
        let Some(found) = step.key.and_then(InstanceKey::from_traversal) else {
            error(
                out,
                &codes::INVALID_ADDRESS,
                step.span,
                "The key of an instance must be a whole number or a string.",
            );
            return None;
        };
        key = Some(found);
    }
    Some(Target { modules, resource: Some(ResourceStep { mode, type_name, name, key }), computed: false })
}

/// Requires that an import target is a resource.
fn instance_required(target: Target, found: &Traversal<'_>, out: &mut Diagnostics) -> Option<Target> {
    if target.resource.is_none() {
        error(
            out,
            &codes::INVALID_ADDRESS,
            found.span,
            "A whole module cannot be imported. Continue the address with the resource in it.",
        );
        return None;
    }
    Some(target)
}

/// Returns the address of the instance that an import target means. `key` evaluates its instance keys, in order; the
/// first `None` ends the reading. What is wrong with the address that comes out is reported (validate.md, section 6).
pub fn import_instance(
    forest: &Forest,
    expr: ExprAt,
    words: AddressWords,
    key: &mut dyn FnMut(ExprAt) -> Option<Value>,
    out: &mut Diagnostics,
) -> Option<Target> {
    let expr = traversal::reference_expression(forest, expr, &mut Diagnostics::new())?;
    let found = traversal::with_keys(forest, expr, &mut |expr| key(expr).as_ref().map(traversal_key))?;
    instance_required(address(&found, words, out)?, &found, out)
}

/// Returns a value as the key of a step.
pub fn traversal_key<'f>(value: &Value) -> TraversalKey<'f> {
    match (value.as_shared_text(), value.as_number()) {
        (Some(text), _) => TraversalKey::IndexText(text.to_string().into()),
        (None, Some(number)) => number
            .to_i64()
            .map_or(TraversalKey::IndexOther, |number| TraversalKey::IndexNumber(number.to_string().into())),
        (None, None) => TraversalKey::IndexOther,
    }
}

/// Reads an address whose keys may be expressions.
fn computed_address(forest: &Forest, expr: ExprAt, words: AddressWords, out: &mut Diagnostics) -> Option<Target> {
    let (found, computed) = match traversal::with_computed_keys(forest, expr) {
        Ok(found) => found,
        Err(other) => (statics::absolute_traversal(forest, other, out)?, false),
    };
    let target = address(&found, words, out)?;
    instance_required(Target { computed, ..target }, &found, out)
}
