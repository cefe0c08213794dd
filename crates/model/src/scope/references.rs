//! The references in an expression.

use std::borrow::Cow;

use foldhash::HashSet;
use smallvec::SmallVec;

use super::codes;
use super::definitions::{Definitions, LocalId, VariableId};
use crate::language::references::{self, AddressWords, Subject};
use overfold_base::diag::{Code, Diagnostic, Diagnostics, Span};
use overfold_base::nearest::hint;
use overfold_syntax::statics::{self, FunctionCall, Traversal, WrittenReference};
use overfold_syntax::{ExprAt, Forest};

/// A definition in the module that has a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Definition {
    /// An input variable.
    Variable(VariableId),
    /// A local value.
    Local(LocalId),
}

/// One reference in an expression.
#[derive(Clone, Debug)]
pub struct Reference<'f> {
    /// The root name, as written.
    pub root: Cow<'f, str>,
    /// The object of the reference; `None` if the reference is malformed.
    pub subject: Option<Subject<'f>>,
    /// The definition that it names, if the module has it.
    pub definition: Option<Definition>,
    /// The location of the steps that name the subject; for a malformed reference, all steps.
    pub span: Span,
    /// The range from the root name to the last step.
    pub whole: Span,
    /// The number of steps behind those that name the subject.
    pub remaining: usize,
    /// Whether an earlier reference in the expression names the same definition.
    pub repeated: bool,
    /// What is wrong with its form.
    pub malformed: Box<[Diagnostic]>,
    /// Whether the tool has `terraform.applying`.
    pub has_applying: bool,
    /// The reference where it is written; `None` if it has been read elsewhere.
    pub written: Option<WrittenReference<'f>>,
}

/// Why a well-formed reference has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault<'r> {
    /// The module declares no input variable of this name.
    UndeclaredVariable(&'r str),
    /// The module declares no local value of this name.
    UndeclaredLocal(&'r str),
    /// `path` has no attribute of this name.
    PathAttribute(&'r str),
    /// `terraform` has no attribute of this name.
    TerraformAttribute(&'r str),
}

impl Fault<'_> {
    /// Returns the code of the fault, and what to say about it.
    pub fn wording(self, definitions: &Definitions<'_>) -> (&'static Code, String) {
        match self {
            Self::UndeclaredVariable(name) => {
                let hint = hint(name, definitions.variables().map(|variable| variable.name));
                let detail = format!("The module does not declare an input variable named {name:?}.{hint}");
                (&codes::UNDECLARED_VARIABLE, detail)
            }
            Self::UndeclaredLocal(name) => {
                let hint = hint(name, definitions.locals().map(|local| local.name));
                let detail = format!("The module does not declare a local value named {name:?}.{hint}");
                (&codes::UNDECLARED_LOCAL, detail)
            }
            Self::PathAttribute(name) => {
                (&codes::PATH_ATTRIBUTE, format!("`path` has no attribute {name:?}; it has cwd, module and root."))
            }
            Self::TerraformAttribute(name) => {
                (&codes::TERRAFORM_ATTRIBUTE, format!("`terraform` has no attribute {name:?}."))
            }
        }
    }
}

impl<'f> Reference<'f> {
    /// Reads a reference where it is written.
    fn new(words: AddressWords, definitions: &Definitions<'_>, written: WrittenReference<'f>) -> Self {
        let Some(read) = references::well_formed(written, words) else {
            return Self { written: Some(written), ..Self::of_traversal(words, definitions, written.traversal()) };
        };
        debug_assert_eq!(
            Some(&read),
            references::reference(&written.traversal(), words, &mut Diagnostics::new()).as_ref(),
            "both ways to read a reference give the same"
        );
        let definition = definition(definitions, &read.subject);
        let (root, span, whole) = (Cow::Borrowed(written.root()), read.span, written.span());
        let (subject, remaining) = (Some(read.subject), read.remaining);
        let (malformed, has_applying) = (Box::default(), words.ephemeral);
        let (repeated, written) = (false, Some(written));
        Self { root, subject, definition, span, whole, remaining, repeated, malformed, has_applying, written }
    }

    fn of_traversal(words: AddressWords, definitions: &Definitions<'_>, traversal: Traversal<'f>) -> Self {
        let mut malformed = Diagnostics::new();
        let read = references::reference(&traversal, words, &mut malformed);
        let span = read.as_ref().map_or(traversal.span, |read| read.span);
        let remaining = read.as_ref().map_or(0, |read| read.remaining);
        let subject = read.map(|read| read.subject);
        let definition = subject.as_ref().and_then(|subject| definition(definitions, subject));
        let (root, whole) = (traversal.root, traversal.span);
        let malformed = malformed.into_vec().into();
        Self {
            root,
            subject,
            definition,
            span,
            whole,
            remaining,
            repeated: false,
            malformed,
            written: None,
            has_applying: words.ephemeral,
        }
    }

    /// Returns why the reference has no value, if it is well-formed but names something that does not exist.
    pub fn fault(&self) -> Option<Fault<'_>> {
        match self.subject.as_ref()? {
            Subject::Variable(name) if self.definition.is_none() => Some(Fault::UndeclaredVariable(name)),
            Subject::Local(name) if self.definition.is_none() => Some(Fault::UndeclaredLocal(name)),
            Subject::Path(name) if !matches!(&**name, "cwd" | "module" | "root") => Some(Fault::PathAttribute(name)),
            Subject::Terraform(name) if name != "workspace" && !(self.has_applying && name == "applying") => {
                Some(Fault::TerraformAttribute(name))
            }
            _ => None,
        }
    }
}

/// Returns the definition that a reference names, if the module has it.
fn definition(definitions: &Definitions<'_>, subject: &Subject<'_>) -> Option<Definition> {
    match subject {
        Subject::Variable(name) => definitions.variable_named(name).map(Definition::Variable),
        Subject::Local(name) => definitions.local_named(name).map(Definition::Local),
        _ => None,
    }
}

/// Marks the references to definitions that earlier ones name. A few are compared with each other, more are hashed.
fn mark_repeated(list: &mut [Reference<'_>]) {
    const FEW: usize = 8;
    if list.len() > FEW {
        let mut seen = HashSet::default();
        for reference in list {
            reference.repeated = reference.definition.is_some_and(|definition| !seen.insert(definition));
        }
        return;
    }
    let mut rest = list;
    while let Some((last, earlier)) = rest.split_last_mut() {
        last.repeated = last.definition.is_some() && earlier.iter().any(|one| one.definition == last.definition);
        rest = earlier;
    }
}

/// The references in an expression. Without spare capacity, because one is kept for every local value of a chain
/// during its evaluation.
#[derive(Clone, Debug, Default)]
pub struct References<'f> {
    /// The references, in source order.
    pub list: Box<[Reference<'f>]>,
    /// Whether all references in the expression are well-formed and in the list.
    pub is_complete: bool,
    /// The calls of provider functions, in source order.
    pub provider_calls: Box<[FunctionCall<'f>]>,
}

impl<'f> References<'f> {
    /// Collects the references in an expression. Those whose root name is `bound` to something else are left out.
    pub fn new(
        forest: &'f Forest,
        words: AddressWords,
        definitions: &Definitions<'_>,
        expr: ExprAt,
        bound: impl Fn(&str) -> bool,
    ) -> Self {
        let mut provider_calls = Vec::new();
        let mut is_complete = true;
        let mut add_call = |call: FunctionCall<'f>| {
            if call.name.starts_with("provider::") {
                provider_calls.push(call);
            }
        };
        let mut written: SmallVec<[WrittenReference<'f>; 8]> = SmallVec::new();
        let mut add_reference = |reference: WrittenReference<'f>| {
            if bound(reference.root()) {
                is_complete = false;
            } else {
                written.push(reference);
            }
        };
        statics::each_call_and_reference(forest, expr, &mut add_call, &mut add_reference);
        // A reference is several times as large as where it is written, so their number comes first.
        let mut list = Vec::with_capacity(written.len());
        list.extend(written.iter().map(|&written| Reference::new(words, definitions, written)));
        is_complete &= list.iter().all(|reference| reference.subject.is_some());
        mark_repeated(&mut list);
        Self { list: list.into(), is_complete, provider_calls: provider_calls.into() }
    }

    /// Returns the references that are well-formed, or whose root is the only thing that the tool understands of them.
    #[must_use]
    pub fn well_formed(&self) -> Self {
        let is_named = |reference: &&Reference<'_>| {
            reference.subject.is_some()
                || matches!(&*reference.root, "var" | "local" | "path" | "count" | "each" | "terraform")
        };
        let list = self.list.iter().filter(is_named).cloned().collect();
        Self { list, is_complete: self.is_complete, provider_calls: self.provider_calls.clone() }
    }

    /// Returns the reference that a traversal alone is.
    pub fn of_traversal(words: AddressWords, definitions: &Definitions<'_>, traversal: Traversal<'f>) -> Self {
        let list = vec![Reference::of_traversal(words, definitions, traversal)];
        Self { list: list.into(), is_complete: false, provider_calls: Box::default() }
    }

    /// Whether any reference is malformed, or names something that does not exist.
    pub fn is_faulty(&self) -> bool {
        self.list.iter().any(|found| found.subject.is_none() || found.fault().is_some())
    }

    /// Whether a provider function is called.
    pub const fn calls_provider(&self) -> bool {
        !self.provider_calls.is_empty()
    }

    /// Reports malformed references and undeclared names.
    pub fn report(&self, definitions: &Definitions<'_>, out: &mut Diagnostics) {
        for reference in &self.list {
            out.extend(reference.malformed.iter().cloned());
            let Some(fault) = reference.fault() else { continue };
            let (code, detail) = fault.wording(definitions);
            out.push(Diagnostic::tool(code, reference.span, detail));
        }
    }
}
