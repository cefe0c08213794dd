//! The functions of the language, one row each; one file a family.
//!
//! To add a function: write one `fn(&[Value], &Type, &mut CallContext<'_>) -> Result<Value, FunctionError>` and one
//! [`Function`] row in its family's `rows()`. The row says everything else: parameters, since which version, what
//! type comes out when arguments are not known yet. Rules that hold for all functions (counting and converting
//! arguments, nulls, unknown arguments, marks) are applied by the caller, in `call`.

#![expect(clippy::unnecessary_wraps, reason = "every function of the language has the same shape")]

mod call;
mod code_pages;
mod collection;
mod conversion;
mod crypto;
mod doubles;
mod encoding;
mod files;
mod flow;
mod format;
mod hash;
mod json;
mod marks;
mod network;
mod numeric;
mod re2;
mod regex;
mod text;
mod text_case;
mod time;
mod yaml;

use std::collections::BTreeMap;
use std::sync::LazyLock;

pub(super) use call::Argument;
pub(crate) use call::call;
pub use call::{CallContext, Unevaluated};
pub(super) use files::charge_path;

use crate::value::{Type, Value};

/// Why a call failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionError {
    /// The argument (0-based) that is to blame: `Invalid function argument` at it. `None`: `Error in function call`.
    pub argument: Option<usize>,
    /// What is wrong, a phrase of our own without a full stop: "must not be empty".
    pub message: String,
}

impl FunctionError {
    /// The call as a whole failed.
    pub fn new(message: impl Into<String>) -> Self {
        Self { argument: None, message: message.into() }
    }

    /// The argument at `index` (0-based) is to blame.
    pub fn argument(index: usize, message: impl Into<String>) -> Self {
        Self { argument: Some(index), message: message.into() }
    }
}

/// What a function gives.
pub type Outcome = Result<Value, FunctionError>;

/// A parameter. Arguments are converted to its type before the function sees them.
#[derive(Clone, Debug)]
pub struct Param {
    /// Name, as messages call it.
    pub name: &'static str,
    /// Type; dynamic parts take anything.
    pub ty: Type,
    /// A null argument reaches the function. Otherwise it is an error at the argument.
    pub allow_null: bool,
    /// An unknown argument reaches the function. Otherwise the result is unknown.
    pub allow_unknown: bool,
    /// An argument of unknown type reaches the function. Otherwise the result is unknown, of unknown type.
    pub allow_dynamic: bool,
    /// Marks reach the function, which must put them on its result itself. Otherwise they are taken off at every
    /// depth and put on the whole result.
    pub allow_marked: bool,
}

/// A parameter that takes known, unmarked values that are not null.
pub const fn param(name: &'static str, ty: Type) -> Param {
    Param { name, ty, allow_null: false, allow_unknown: false, allow_dynamic: false, allow_marked: false }
}

impl Param {
    /// Nulls reach the function.
    #[must_use]
    pub const fn null(mut self) -> Self {
        self.allow_null = true;
        self
    }

    /// Unknown values reach the function.
    #[must_use]
    pub const fn unknown(mut self) -> Self {
        self.allow_unknown = true;
        self
    }

    /// Values of unknown type reach the function (with [`Self::unknown`]).
    #[must_use]
    pub const fn dynamic(mut self) -> Self {
        self.allow_dynamic = true;
        self
    }

    /// Marked values reach the function.
    #[must_use]
    pub const fn marked(mut self) -> Self {
        self.allow_marked = true;
        self
    }
}

/// The two lines of tools that share the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lineage {
    /// The tool that the language comes from.
    Mainline,
    /// Its fork.
    Fork,
}

/// In which versions a function exists: the first `(major, minor)` of each line that has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Since {
    /// The first mainline version, `None`: never.
    pub mainline: Option<(u32, u32)>,
    /// The first version of the fork, `None`: never.
    pub fork: Option<(u32, u32)>,
}

impl Since {
    /// In every version of both.
    pub const ALWAYS: Self = Self { mainline: Some((0, 0)), fork: Some((0, 0)) };

    /// Since a version of the fork, and never in mainline.
    pub const fn fork(major: u32, minor: u32) -> Self {
        Self { mainline: None, fork: Some((major, minor)) }
    }

    /// Since a mainline version, and in every version of the fork.
    pub const fn mainline(major: u32, minor: u32) -> Self {
        Self { mainline: Some((major, minor)), fork: Some((0, 0)) }
    }
}

/// How the type of the result is found while arguments may still be unknown.
#[derive(Clone)]
pub enum Returns {
    /// It is always this.
    Fixed(Type),
    /// By the arguments, some of them perhaps unknown; errors found here count even if others are unknown. Marks
    /// are off unless the parameter allows them.
    Rule(fn(&[Value]) -> Result<Type, FunctionError>),
}

/// What the function does.
#[derive(Clone, Copy)]
pub enum Run {
    /// With the values of its arguments and the type that [`Returns`] gave.
    Values(fn(&[Value], &Type, &mut CallContext<'_, '_>) -> Outcome),
    /// With its arguments unevaluated: `try`, `can`, `templatestring`. Only the argument count is checked before.
    Unevaluated(fn(&mut Unevaluated<'_, '_>) -> Outcome),
}

/// One function of the language.
#[derive(Clone)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Parameters by position.
    pub params: Vec<Param>,
    /// What any further arguments are.
    pub variadic: Option<Param>,
    /// Versions that have it.
    pub since: Since,
    /// Type of the result.
    pub returns: Returns,
    /// A result that is not known yet is known not to be null.
    pub never_null: bool,
    /// What it does.
    pub run: Run,
}

impl Function {
    /// A function in every version, without variadic parameter, whose result is never null.
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
            since: Since::ALWAYS,
            returns,
            never_null: true,
            run: Run::Values(run),
        }
    }

    /// A function that evaluates its arguments itself.
    pub fn unevaluated(
        name: &'static str,
        params: impl Into<Vec<Param>>,
        run: fn(&mut Unevaluated<'_, '_>) -> Outcome,
    ) -> Self {
        Self {
            name,
            params: params.into(),
            variadic: None,
            since: Since::ALWAYS,
            returns: Returns::Fixed(Type::Dynamic),
            never_null: false,
            run: Run::Unevaluated(run),
        }
    }

    /// With any number of further arguments.
    #[must_use]
    pub fn variadic(mut self, param: Param) -> Self {
        self.variadic = Some(param);
        self
    }

    /// Only in some versions.
    #[must_use]
    pub fn since(mut self, since: Since) -> Self {
        self.since = since;
        self
    }

    /// The result may be null.
    #[must_use]
    pub fn may_be_null(mut self) -> Self {
        self.never_null = false;
        self
    }

    /// The parameter that the argument at `index` (0-based) belongs to.
    pub fn param(&self, index: usize) -> Option<&Param> {
        self.params.get(index).or(self.variadic.as_ref())
    }
}

/// Every function of every version.
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

/// The functions that one evaluation may call, by name. Every function is there under its own name and as `core::NAME`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionSet {
    by_name: BTreeMap<&'static str, usize>,
    namespaces: bool,
    lineage: Lineage,
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl FunctionSet {
    /// The functions of a version.
    pub fn of(lineage: Lineage, major: u32, minor: u32) -> Self {
        let version = (major, minor);
        let by_name = ALL
            .iter()
            .enumerate()
            .filter(|(_, function)| {
                let first = match lineage {
                    Lineage::Mainline => function.since.mainline,
                    Lineage::Fork => function.since.fork,
                };
                first.is_some_and(|first| first <= version)
            })
            .map(|(index, function)| (function.name, index))
            .collect();
        // Names with `::` came with mainline 1.8 and the fork's 1.7.
        let namespaces = version >= if lineage == Lineage::Mainline { (1, 8) } else { (1, 7) };
        Self { by_name, namespaces, lineage }
    }

    /// The same without some functions.
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        let mut set = self.clone();
        set.by_name.retain(|name, _| !names.contains(name));
        set
    }

    /// The function of that name, with or without `core::`.
    pub fn get(&self, name: &str) -> Option<&'static Function> {
        let plain = if self.namespaces { name.strip_prefix("core::").unwrap_or(name) } else { name };
        self.by_name.get(plain).and_then(|index| ALL.get(*index))
    }

    /// Whether names may have name spaces.
    pub(super) fn has_namespaces(&self) -> bool {
        self.namespaces
    }

    /// Whether the name of a provider's function may hold the alias of a configuration.
    pub(super) fn names_configurations(&self) -> bool {
        self.lineage == Lineage::Fork
    }

    /// Whether the provider that is part of the tool may have this function. Which ones the fork's has is not followed.
    pub(super) fn is_builtin_provider_function(&self, name: &str) -> bool {
        self.lineage == Lineage::Fork || matches!(name, "decode_tfvars" | "encode_expr" | "encode_tfvars")
    }

    /// All names, sorted, without name space.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.by_name.keys().copied()
    }
}
