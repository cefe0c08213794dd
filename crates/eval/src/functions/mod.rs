//! The functions of the language, one row each and one file per family.
//!
//! To add a function: write one `fn(&[Value], &Type, &mut CallContext<'_>) -> Result<Value, FunctionError>` and one
//! [`Function`] row in its family's `rows()`. The row contains everything else: the parameters, and the type of the
//! result when arguments are not known yet. The versions that have the function are rows of the dialect tables. The
//! rules common to all functions (counting and converting arguments, nulls, unknown arguments, marks) are applied by
//! the callers, in `eval::calls` and `call`.

#![expect(clippy::unnecessary_wraps, reason = "every function of the language has the same shape")]

mod call;
mod charsets;
mod code_pages;
mod collection;
mod conversion;
mod crypto;
mod doubles;
mod encoding;
mod files;
mod flow;
mod format;
mod glob;
mod hash;
pub(crate) mod json;
mod marks;
mod network;
mod numeric;
mod re2;
mod regex;
mod text;
mod text_case;
mod time;
mod yaml;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use foldhash::fast::FixedState;
use indexmap::IndexMap;

pub(super) use call::Argument;
pub(crate) use call::call;
pub use call::{CallContext, LazyCall};
pub(super) use files::charge_path;
pub use files::{WORKING_DIRECTORY, clean, is_absolute};
pub use json::json_value;
pub use time::is_timestamp;
pub use yaml::YamlRules;

use super::variations::{Variation, Variations};
use overfold_value::{Type, Value};

/// The reason why a call failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionError {
    /// The argument (0-based) at fault, where `Invalid function argument` is reported. `None`: the call as a whole,
    /// reported as `Error in function call`.
    pub argument: Option<usize>,
    /// What is wrong, as a phrase of this service's own without a full stop: "must not be empty".
    pub message: String,
}

impl FunctionError {
    /// Creates an error of the call as a whole.
    pub fn new(message: impl Into<String>) -> Self {
        Self { argument: None, message: message.into() }
    }

    /// Creates an error of the argument at `index` (0-based).
    pub fn argument(index: usize, message: impl Into<String>) -> Self {
        Self { argument: Some(index), message: message.into() }
    }
}

/// The result of a function.
pub type Outcome = Result<Value, FunctionError>;

/// A parameter. Arguments are converted to its type before they are passed to the function.
#[derive(Clone, Debug)]
pub struct Param {
    /// The name used in messages.
    pub name: &'static str,
    /// The type; dynamic parts accept anything.
    pub ty: Type,
    /// Whether a null argument is passed to the function. Otherwise it is an error at the argument.
    pub allow_null: bool,
    /// Whether an unknown argument is passed to the function. Otherwise the result is unknown.
    pub allow_unknown: bool,
    /// Whether an argument of unknown type is passed to the function. Otherwise the result is unknown, of unknown type.
    pub allow_dynamic: bool,
    /// Whether marks are passed to the function, which must then add them to its result itself. Otherwise they are
    /// removed at every depth and added to the whole result.
    pub allow_marked: bool,
    /// Whether the marks that say which parts may not be what they seem are passed to the function, alone.
    pub allow_doubt: bool,
}

/// Returns the argument at `index` (0-based) as a text. Calls convert their arguments to the types of the parameters; one
/// that is of another type, or not there, reads as the empty text.
fn argument(args: &[Value], index: usize) -> &str {
    args.get(index).and_then(Value::as_text).unwrap_or_default()
}

/// Creates a parameter that accepts known, unmarked values that are not null.
pub const fn param(name: &'static str, ty: Type) -> Param {
    Param {
        name,
        ty,
        allow_null: false,
        allow_unknown: false,
        allow_dynamic: false,
        allow_marked: false,
        allow_doubt: false,
    }
}

impl Param {
    /// Lets nulls be passed to the function.
    #[must_use]
    pub const fn null(mut self) -> Self {
        self.allow_null = true;
        self
    }

    /// Lets unknown values be passed to the function.
    #[must_use]
    pub const fn unknown(mut self) -> Self {
        self.allow_unknown = true;
        self
    }

    /// Lets values of unknown type be passed to the function (with [`Self::unknown`]).
    #[must_use]
    pub const fn dynamic(mut self) -> Self {
        self.allow_dynamic = true;
        self
    }

    /// Lets the marks of parts that may not be what they seem be passed to the function.
    #[must_use]
    pub const fn doubt(mut self) -> Self {
        self.allow_doubt = true;
        self
    }

    /// Lets marked values be passed to the function.
    #[must_use]
    pub const fn marked(mut self) -> Self {
        self.allow_marked = true;
        self
    }
}

/// The two lines of tools that share the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lineage {
    /// The original tool.
    Mainline,
    /// Its fork.
    Fork,
}

/// How the result type is determined while arguments may still be unknown.
#[derive(Clone)]
pub enum Returns {
    /// Always this type.
    Fixed(Type),
    /// Determined by the arguments, some of which may be unknown; errors found here are reported even if other
    /// arguments are unknown. Marks are removed unless the parameter allows them.
    Rule(fn(&[Value]) -> Result<Type, FunctionError>),
}

/// The implementation of a function.
#[derive(Clone, Copy)]
pub enum Run {
    /// Called with the values of its arguments and the type determined by [`Returns`].
    Values(fn(&[Value], &Type, &mut CallContext<'_, '_>) -> Outcome),
    /// Called with unevaluated arguments: `try`, `can`, `templatestring`. Only the number of arguments is checked
    /// before.
    Lazy(fn(&mut LazyCall<'_, '_>) -> Outcome),
}

/// One function of the language.
#[derive(Clone)]
pub struct Function {
    /// The name.
    pub name: &'static str,
    /// The parameters by position.
    pub params: Vec<Param>,
    /// The parameter for any further arguments.
    pub variadic: Option<Param>,
    /// The line whose function of this name it is; `None` if both lines have the same one.
    pub only_of: Option<Lineage>,
    /// The variation that decides whether it is this function of its name, and whether that has to hold.
    pub only_with: Option<(Variation, bool)>,
    /// The type of the result.
    pub returns: Returns,
    /// Whether a result that is not known yet is known not to be null.
    pub never_null: bool,
    /// The implementation.
    pub run: Run,
}

impl Function {
    /// Creates a function of both lines, without a variadic parameter, whose result is never null.
    pub fn new(
        name: &'static str,
        params: impl Into<Vec<Param>>,
        returns: Returns,
        run: fn(&[Value], &Type, &mut CallContext<'_, '_>) -> Outcome,
    ) -> Self {
        Self {
            name,
            params: params.into(),
            variadic: None,
            only_of: None,
            only_with: None,
            returns,
            never_null: true,
            run: Run::Values(run),
        }
    }

    /// Creates a function that evaluates its arguments itself.
    pub fn unevaluated(
        name: &'static str,
        params: impl Into<Vec<Param>>,
        run: fn(&mut LazyCall<'_, '_>) -> Outcome,
    ) -> Self {
        Self {
            name,
            params: params.into(),
            variadic: None,
            only_of: None,
            only_with: None,
            returns: Returns::Fixed(Type::Dynamic),
            never_null: false,
            run: Run::Lazy(run),
        }
    }

    /// Adds a parameter for any number of further arguments.
    #[must_use]
    pub fn variadic(mut self, param: Param) -> Self {
        self.variadic = Some(param);
        self
    }

    /// Makes it the function of one line only.
    #[must_use]
    pub fn only_of(mut self, lineage: Lineage) -> Self {
        self.only_of = Some(lineage);
        self
    }

    /// Makes it the function where a variation holds.
    #[must_use]
    pub fn with(mut self, variation: Variation) -> Self {
        self.only_with = Some((variation, true));
        self
    }

    /// Makes it the function where a variation does not hold.
    #[must_use]
    pub fn without(mut self, variation: Variation) -> Self {
        self.only_with = Some((variation, false));
        self
    }

    /// Lets the result be null.
    #[must_use]
    pub fn may_be_null(mut self) -> Self {
        self.never_null = false;
        self
    }

    /// Returns the parameter for the argument at `index` (0-based).
    pub fn param(&self, index: usize) -> Option<&Param> {
        self.params.get(index).or(self.variadic.as_ref())
    }
}

/// All functions of all versions.
static ALL: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let mut all = Vec::new();
    all.extend(conversion::rows());
    all.extend(flow::rows());
    all.extend(format::rows());
    all.extend(numeric::rows());
    all.extend(collection::rows());
    all.extend(crypto::rows());
    all.extend(encoding::rows());
    all.extend(files::rows());
    all.extend(hash::rows());
    all.extend(json::rows());
    all.extend(marks::rows());
    all.extend(network::rows());
    all.extend(regex::rows());
    all.extend(text::rows());
    all.extend(time::rows());
    all.extend(yaml::rows());
    all
});

/// The functions that one evaluation may call, by name. Every function is available under its plain name and as
/// `core::NAME`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionSet {
    /// The positions in [`ALL`], sorted by name.
    by_name: IndexMap<&'static str, usize, FixedState>,
    /// The functions of the provider that is built into the tool.
    of_provider: BTreeSet<&'static str>,
    namespaces: bool,
    lineage: Lineage,
    yaml: YamlRules,
    variations: Variations,
    /// How many templates are being rendered around the call.
    nesting: u16,
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl FunctionSet {
    /// Returns every function of a line, with namespaces.
    pub fn all(lineage: Lineage) -> Self {
        Self::named((lineage, Variations::NONE), |_| true, BTreeSet::new(), true)
    }

    /// Returns the functions of a line, as they vary, for which `has` is true. `of_provider` are the functions of the provider that
    /// is built into the tool; `namespaces` tells whether names may have namespaces.
    pub fn named(
        (lineage, variations): (Lineage, Variations),
        has: impl Fn(&str) -> bool,
        of_provider: BTreeSet<&'static str>,
        namespaces: bool,
    ) -> Self {
        let of_line = |function: &Function| {
            function.only_of.is_none_or(|only| only == lineage)
                && function.only_with.is_none_or(|(variation, holds)| variations.has(variation) == holds)
        };
        let rows = ALL.iter().enumerate().filter(|(_, function)| of_line(function) && has(function.name));
        let mut by_name: IndexMap<_, _, FixedState> = rows.map(|(index, function)| (function.name, index)).collect();
        by_name.sort_unstable_keys();
        Self { by_name, of_provider, namespaces, lineage, yaml: YamlRules::default(), variations, nesting: 0 }
    }

    /// Returns the set with these rules for YAML.
    #[must_use]
    pub fn reading_yaml(self, yaml: YamlRules) -> Self {
        Self { yaml, ..self }
    }

    /// Returns the set without some functions, for the calls in a template.
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        let mut set = self.clone();
        set.nesting = set.nesting.saturating_add(1);
        set.by_name.retain(|name, _| !names.contains(name));
        set
    }

    /// Returns the function with this name, with or without `core::`.
    pub fn get(&self, name: &str) -> Option<&'static Function> {
        let plain = if self.namespaces { name.strip_prefix("core::").unwrap_or(name) } else { name };
        self.by_name.get(plain).and_then(|index| ALL.get(*index))
    }

    /// Returns how YAML is read.
    pub(super) fn yaml(&self) -> YamlRules {
        self.yaml
    }

    /// Returns how many templates are being rendered around a call.
    pub(super) const fn nesting(&self) -> u16 {
        self.nesting
    }

    /// Returns what is evaluated differently.
    pub(super) const fn variations(&self) -> Variations {
        self.variations
    }

    /// Returns whether names may have namespaces.
    pub(super) fn has_namespaces(&self) -> bool {
        self.namespaces
    }

    /// Returns whether the name of a provider's function may contain the alias of a provider configuration.
    pub(super) fn names_configurations(&self) -> bool {
        self.lineage == Lineage::Fork
    }

    /// Returns whether the provider built into the tool has functions.
    pub(super) fn has_builtin_provider(&self) -> bool {
        !self.of_provider.is_empty()
    }

    /// Returns whether the provider built into the tool has this function.
    pub(super) fn is_builtin_provider_function(&self, name: &str) -> bool {
        self.of_provider.contains(name)
    }

    /// Returns all names, sorted, without namespaces.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.by_name.keys().copied()
    }
}
