//! Finds what a module uses that a version of the tool does not have: functions, types of built-in providers,
//! attributes of `path` and `terraform`, backends, key providers and methods of encryption (terraform.md, section 13;
//! opentofu.md, section 11).
//!
//! Only what takes effect counts: the merged module without what overrides replaced, and the test files. Function names
//! have a namespace of their own, so nothing that a module declares hides them. A resource type belongs to a built-in
//! provider only if its local name does, and a root name is that of the tool only if no loop or dynamic block around
//! it declares the same name.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::module_checks::codes;
use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::diag::{Code, Diagnostic, Diagnostics, SourceId, Span};
use overfold_base::nearest::hint;
use overfold_dialect::words;
use overfold_dialect::{self as dialect, AttrKind, BuiltinKind, DialectSpec, ObjectKind};
use overfold_eval::{
    self as eval, Entry, FileAccess, FunctionSet, JsonStrings, LogicRule, ProviderFunctions, Roots, Scope,
};
use overfold_model::config::{Block, Element, Module, Payload};
use overfold_model::language::provider_refs::{ProviderRefRules, implied_name, provider_ref};
use overfold_model::language::references::{AddressWords, Subject, reference};
use overfold_model::scope;
use overfold_syntax::statics::{self, FunctionCall, Traversal};
use overfold_syntax::tree::{ExprKind, Root};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::Value;

/// The namespace of the providers that are part of the tool.
const BUILT_IN: (&str, &str) = ("terraform.io", "builtin");
/// The local name that stands for the built-in provider unless `required_providers` says otherwise.
const TOOL: &str = "terraform";

/// Returns what the merged module and its test files use although this version of the tool does not have it. Whatever
/// `reported` already contains is left out.
pub fn missing_names(
    module: &Module<'_>,
    dialect: &'static DialectSpec,
    forest: &Forest,
    files: FileAccess<'_>,
    reported: &Diagnostics,
) -> Vec<Diagnostic> {
    let providers = scope::provider_functions(module, forest);
    account::work(reported.iter().count() as u64);
    let mut uses = BuiltInCheck {
        dialect,
        forest,
        words: AddressWords::for_dialect(dialect),
        functions: dialect::functions(dialect),
        providers: &providers,
        files,
        templates: BTreeMap::new(),
        reported: reported.iter().filter_map(|found| Some((found.code.id, found.span?))).collect(),
        resources: BTreeSet::new(),
        found: Vec::new(),
    };
    uses.module(module);
    uses.found
}

struct BuiltInCheck<'a> {
    dialect: &'static DialectSpec,
    forest: &'a Forest,
    words: AddressWords,
    functions: &'static FunctionSet,
    providers: &'a ProviderFunctions,
    files: FileAccess<'a>,
    /// The calls in each template file that was read, by path.
    templates: BTreeMap<String, Vec<Box<str>>>,
    /// Where something was reported, by code.
    reported: BTreeSet<(&'static str, Span)>,
    /// The managed resources whose type is the word of another tool, as `TYPE.NAME`.
    resources: BTreeSet<String>,
    found: Vec<Diagnostic>,
}

/// A block that is left to visit, with the iterators of the dynamic blocks around it.
struct Visit<'a> {
    block: &'a Block<'a>,
    /// The index of the innermost iterator.
    iterator: Option<usize>,
}

impl BuiltInCheck<'_> {
    fn report(&mut self, code: &'static Code, at: Span, detail: String, address: &str) {
        account::work(8);
        if self.reported.insert((code.id, at)) {
            let found = Diagnostic::tool(code, at, detail);
            self.found.push(if address.is_empty() { found } else { found.about(address) });
        }
    }

    fn module(&mut self, module: &Module<'_>) {
        for element in module.elements.iter().filter(|element| element.kind == ObjectKind::Resource).charged(1) {
            let mut labels = element.block.label_texts();
            if let (Some(ty), Some(name)) = (labels.next(), labels.next())
                && dialect::tool_words().any(|word| word == ty)
            {
                self.resources.insert(format!("{ty}.{name}"));
            }
        }
        let mut required: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for element in &module.elements {
            let Payload::Requirement(entry) = &element.payload else { continue };
            let name = element.address.name();
            let builtin = match &entry.source {
                Some(source) => (source.host.as_deref() == Some(BUILT_IN.0)
                    && source.namespace.as_deref() == Some(BUILT_IN.1))
                .then_some(&*source.name),
                None => (name == TOOL).then_some(TOOL),
            };
            account::work(1);
            required.insert(name, builtin);
        }
        for element in &module.elements {
            self.types(element, &required);
            self.block(element.block, &element.address.to_string());
        }
        for test in &module.tests {
            self.block(test, "");
        }
    }

    /// Checks the type that an object is of.
    fn types(&mut self, element: &Element<'_>, required: &BTreeMap<&str, Option<&str>>) {
        let Some(label) = element.block.labels.first() else { return };
        let (name, at) = (label.text, label.span);
        match element.kind {
            ObjectKind::Resource => {
                self.of_provider(element, BuiltinKind::ResourceType, &codes::RESOURCE_TYPE, required);
            }
            ObjectKind::Data => self.of_provider(element, BuiltinKind::DataSource, &codes::DATA_SOURCE, required),
            // No built-in provider has such types in any version.
            ObjectKind::Ephemeral => {
                self.of_provider(element, BuiltinKind::ResourceType, &codes::EPHEMERAL_RESOURCE, required);
            }
            ObjectKind::Backend if !self.dialect.has_builtin(BuiltinKind::Backend, name) => {
                let detail = self.unknown("backend", name, BuiltinKind::Backend);
                self.report(&codes::BACKEND, at, detail, &element.address.to_string());
            }
            _ => {}
        }
    }

    fn of_provider(
        &mut self,
        element: &Element<'_>,
        kind: BuiltinKind,
        code: &'static Code,
        required: &BTreeMap<&str, Option<&str>>,
    ) {
        let block = &element.block;
        let Some(label) = block.labels.first() else { return };
        let argument = block.argument(words::PROVIDER);
        let local: Cow<'_, str> = match argument {
            Some(argument) => {
                let rules = ProviderRefRules::for_dialect(self.dialect);
                match provider_ref(self.forest, argument.expr, rules, &mut Diagnostics::new()) {
                    Some(found) => found.name.into(),
                    None => return,
                }
            }
            None => implied_name(label.text).into(),
        };
        account::touch(local.len());
        let implied = (*local == *TOOL).then_some(TOOL);
        let Some(provider) = required.get(&*local).copied().unwrap_or(implied) else { return };
        let name = format!("{provider}.{}", label.text);
        if *code != codes::EPHEMERAL_RESOURCE && self.dialect.has_builtin(kind, &name) {
            return;
        }
        let detail = format!(
            "In the version followed here, the built-in provider {provider:?} has no {} of type {:?}.",
            match kind {
                BuiltinKind::DataSource => "data source",
                _ if *code == codes::EPHEMERAL_RESOURCE => "ephemeral resource",
                _ => "resource",
            },
            label.text
        );
        self.report(code, label.span, detail, &element.address.to_string());
    }

    fn unknown(&self, what: &str, name: &str, kind: BuiltinKind) -> String {
        let hint = hint(name, self.dialect.builtins_of(kind));
        format!("This version has no {what} {name:?}.{hint}")
    }

    /// Checks everything in a block and below it.
    fn block(&mut self, top: &Block<'_>, address: &str) {
        let mut iterators: Vec<(Option<usize>, Cow<'_, str>)> = Vec::new();
        let mut left = vec![Visit { block: top, iterator: None }];
        while let Some(Visit { block, iterator }) = left.pop() {
            account::work(1 + (block.arguments.len() + block.blocks.len()) as u64);
            let arguments = block.arguments.iter().chain(block.escaped);
            for argument in arguments.filter(|argument| !argument.broken) {
                let is_type = argument
                    .spec
                    .is_some_and(|row| matches!(row.kind, AttrKind::TypeConstraint(_) | AttrKind::Hcl1Type));
                // Loading itself reads the constants of a module call, and reports what is wrong with them.
                let is_constant =
                    argument.spec.is_some() && matches!(argument.name, words::SOURCE_ARGUMENT | words::VERSION);
                let is_plain = argument.spec.is_none_or(|row| matches!(row.kind, AttrKind::Any));
                if !is_type && !is_constant {
                    self.expression(argument.expr, is_plain, &iterators, iterator, address);
                }
            }
            self.encryption(block, address);
            let mut inner = iterator;
            if block.keyword == words::DYNAMIC
                && let Some(label) = block.labels.first()
            {
                let named = block.argument(words::ITERATOR);
                let name = named.and_then(|argument| statics::keyword(self.forest, argument.expr));
                iterators.push((iterator, name.unwrap_or(Cow::Borrowed(label.text))));
                inner = Some(iterators.len() - 1);
            }
            left.extend(block.blocks.iter().rev().map(|block| Visit { block, iterator: inner }));
        }
    }

    /// Checks the type of a key provider or a method of encryption.
    fn encryption(&mut self, block: &Block<'_>, address: &str) {
        let (kind, code, what) = match block.spec.map(|row| row.kind) {
            Some(ObjectKind::Named(words::KEY_PROVIDER)) => {
                (BuiltinKind::KeyProvider, &codes::KEY_PROVIDER, "key provider")
            }
            Some(ObjectKind::Named(words::METHOD)) => {
                (BuiltinKind::EncryptionMethod, &codes::ENCRYPTION_METHOD, "method of encryption")
            }
            _ => return,
        };
        if let Some(label) = block.labels.first()
            && !self.dialect.has_builtin(kind, label.text)
        {
            let detail = self.unknown(what, label.text, kind);
            self.report(code, label.span, detail, address);
        }
    }

    fn expression(
        &mut self,
        expr: ExprAt,
        is_plain: bool,
        iterators: &[(Option<usize>, Cow<'_, str>)],
        innermost: Option<usize>,
        address: &str,
    ) {
        let mut problems = Diagnostics::new();
        let (calls, references) = statics::calls_and_references(self.forest, expr, &mut problems);
        // The tool parses the strings of the JSON syntax only when it evaluates them.
        for problem in problems.iter().filter(|_| is_plain) {
            if let Some(at) = problem.span {
                self.report(problem.code, at, problem.detail.to_string(), address);
            }
        }
        self.calls(&calls, address);
        for traversal in &references {
            let mut iterator = innermost;
            let mut is_iterator = false;
            while let Some((outer, name)) = iterator.and_then(|at| iterators.get(at)) {
                account::work(1);
                is_iterator |= *name == *traversal.root;
                iterator = *outer;
            }
            if !is_iterator {
                self.root(traversal, address);
            }
        }
    }

    /// Checks a reference to `path`, or to the tool itself.
    fn root(&mut self, traversal: &Traversal<'_>, address: &str) {
        let root = &*traversal.root;
        let is_tool = self.words.is_tool(root);
        if !is_tool && root != "path" && !dialect::tool_words().any(|word| word == root) {
            return;
        }
        let Some(found) = reference(traversal, self.words, &mut Diagnostics::new()) else { return };
        match &found.subject {
            Subject::Path(name) if !self.dialect.has_builtin(BuiltinKind::PathAttribute, name) => {
                let detail = self.unknown("attribute `path`.", name, BuiltinKind::PathAttribute);
                self.report(&codes::PATH_ATTRIBUTE, found.span, detail, address);
            }
            Subject::Terraform(name) if !self.dialect.has_builtin(BuiltinKind::ToolAttribute, name) => {
                let hint = hint(name, self.dialect.builtins_of(BuiltinKind::ToolAttribute));
                let detail = format!("In this version `{root}` has no attribute {name:?}.{hint}");
                self.report(&codes::TOOL_ATTRIBUTE, found.span, detail, address);
            }
            Subject::Resource { type_name, name, .. }
                if !is_tool && !self.resources.contains(&format!("{type_name}.{name}")) =>
            {
                let detail = format!(
                    "In this version {type_name:?} is not another name of `terraform`, and the module declares no resource {type_name}.{name}."
                );
                self.report(&codes::TOOL_WORD, found.span, detail, address);
            }
            _ => {}
        }
    }

    fn calls(&mut self, calls: &[FunctionCall<'_>], address: &str) {
        for call in calls.charged(1) {
            if call.name.strip_prefix("core::").unwrap_or(call.name) == "templatefile" {
                self.template_file(call, address);
            }
            if let Some(found) =
                eval::unknown_function(self.functions, Some(self.providers), call.name, call.name_span)
            {
                let (code, detail) = (found.code, found.detail.into_owned());
                self.report(code, call.name_span, detail, address);
            }
        }
    }

    fn argument(&self, call: &FunctionCall<'_>, index: usize) -> Option<ExprAt> {
        let ExprAt::Native(source, id) = call.call else { return None };
        let tree = self.forest.native(source)?;
        let ExprKind::Call(id) = tree.expr(id).kind else { return None };
        tree.list(tree.call(id).args).get(index).map(|&argument| ExprAt::Native(source, argument))
    }

    /// Checks the calls in a template file of the upload, if its path is constant.
    fn template_file(&mut self, call: &FunctionCall<'_>, address: &str) {
        let Some(path) = self.argument(call, 0).and_then(|expr| self.path(expr)) else { return };
        if !self.templates.contains_key(path.touched()) {
            let calls = match self.files.entry(&path) {
                Entry::File(text) => template_calls(self.forest, &path, text),
                _ => Vec::new(),
            };
            self.templates.insert(path.clone(), calls);
        }
        let names = self.templates.get(&path).map(Vec::as_slice).unwrap_or_default();
        let unknown = names.iter().touched_by(|name| name.len()).find_map(|name| {
            eval::unknown_function(self.functions, None, name, call.name_span).map(|found| (found.code, name))
        });
        if let Some((code, name)) = unknown {
            let detail = format!("The template {path:?} calls {name:?}, a function that this version does not have.");
            self.report(code, call.name_span, detail, address);
        }
    }

    /// Returns the text of an expression that depends at most on the module directory.
    fn path(&self, expr: ExprAt) -> Option<String> {
        let here = || Value::text(".");
        let path = Value::object(vec![("module".into(), here()), ("root".into(), here())]);
        let roots = Roots::from_iter([("path".into(), path)]);
        let scope = Scope {
            roots: Some(&roots),
            functions: Some(self.functions),
            providers: None,
            assumes_functions: false,
            files: None,
            json: JsonStrings::Templates,
            logic: LogicRule::BothSides,
            plan_time: None,
            clock: None,
            absent: None,
        };
        let mut problems = Diagnostics::new();
        let value = eval::evaluate(self.forest, expr, &scope, &mut problems);
        let path = value.as_text().filter(|_| !problems.has_errors())?;
        account::grow(path.len() as u64);
        Some(path.to_owned())
    }
}

/// Returns the names of the functions that a template calls.
fn template_calls(forest: &Forest, name: &str, text: bytes::Bytes) -> Vec<Box<str>> {
    let mut problems = Diagnostics::new();
    let source: SourceId = forest.parse_detached_template(name, text, &mut problems);
    let Some(Root::Expr(root)) = forest.native(source).map(|tree| tree.root) else { return Vec::new() };
    statics::calls(forest, ExprAt::Native(source, root)).into_iter().map(|call| call.name.into()).collect()
}
