//! Where the parts of a plan come from, for a comparison with the plan of another configuration.

use std::sync::Arc;

use overfold_base::account;
use overfold_base::diag::Span;
use overfold_dialect::AttrMerge;
use overfold_model::config::{ChangeKind, MergeRule, Module, Part};
use overfold_model::language::addresses::Target;
use overfold_syntax::Forest;
use overfold_value::Value;

use super::ModuleAddress;

/// Where the parts of a plan come from.
#[derive(Debug, Default)]
pub struct Origins {
    /// The `moved` blocks of all modules.
    pub moves: Vec<Move>,
    /// The `removed` blocks of all modules.
    pub removals: Vec<Removal>,
    /// The origin of each of the plan's `resources`, in their order. Instances of a resource share one if they are in the same
    /// instance of its module.
    pub resources: Vec<Arc<ResourceOrigin>>,
    /// The origin of each of the plan's `outputs`, in their order.
    pub outputs: Vec<PartOrigin>,
    /// The instances of calls whose modules were not given, in the order of their modules.
    pub calls: Vec<UnplannedCall>,
    /// What the override files of all modules did.
    pub overridings: Vec<Overriding>,
}

/// An instance of a call whose module was not given, so that nothing of it is planned.
#[derive(Debug)]
pub struct UnplannedCall {
    /// The module instance that it would make.
    pub address: ModuleAddress,
    /// An object of the arguments, and of `source` and `version` as they are written.
    pub arguments: Value,
    /// Where it stands, and what sets its arguments.
    pub origin: ResourceOrigin,
}

/// A `moved` block, which applies to every instance of the module that contains it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The names of the calls that lead to the module.
    pub module: Vec<Box<str>>,
    /// What is moved, from that module.
    pub from: Target,
    /// Where to, from that module.
    pub to: Target,
}

/// What an override file set, replaced or removed, so that nothing of an earlier file is left of it.
#[derive(Clone, Debug)]
pub struct Overriding {
    /// The address of the object, from the root module.
    pub address: Box<str>,
    /// The name of the argument, or the type of the nested block; `None` for the object as a whole.
    pub part: Option<Box<str>>,
    /// The place of what was replaced or removed.
    pub before: Option<Span>,
    /// The place in the override file of what did it.
    pub cause: Span,
}

impl Overriding {
    /// Adds those of a module to a list, in the order of the override files; `around` are the names of the calls that
    /// lead to the module.
    pub fn add_of(module: &Module<'_>, forest: &Forest, around: &[&str], list: &mut Vec<Self>) {
        for change in &module.changes {
            account::work(4 + around.len() as u64);
            // What is combined with the earlier value leaves something of it.
            let is_combined =
                matches!(change.rule, MergeRule::Argument(AttrMerge::Or | AttrMerge::VariableType | AttrMerge::Key));
            if change.act == ChangeKind::Ignored || is_combined {
                continue;
            }
            let mut address = String::new();
            for name in around {
                address.extend(["module.", name, "."]);
            }
            address.push_str(change.address.text(forest));
            let part = match change.part {
                Part::Argument(name) | Part::Block(name) => Some(Box::from(name)),
                Part::Object => None,
            };
            account::grow((address.len() + part.as_deref().map_or(0, str::len)) as u64);
            let address = address.into();
            account::push(list, Self { address, part, before: change.before, cause: change.cause });
        }
    }
}

/// A `removed` block, which applies to every instance of the module that contains it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Removal {
    /// The names of the calls that lead to the module.
    pub module: Vec<Box<str>>,
    /// The resource or module that is gone, from that module; without instance keys.
    pub from: Target,
    /// Whether objects are destroyed. Otherwise they are only dropped from the state.
    pub destroys: bool,
}

/// Where a resource stands, and what sets its values.
#[derive(Clone, Debug, Default)]
pub struct ResourceOrigin {
    /// The header of its block.
    pub header: Option<Span>,
    /// Its arguments and nested blocks, sorted by pointer.
    pub parts: Vec<PartOrigin>,
}

/// Where an argument or nested block stands, and what its value is made of.
#[derive(Clone, Debug)]
pub struct PartOrigin {
    /// Where it is in the planned object, as a JSON Pointer. The type of nested blocks alone stands for all of them.
    pub pointer: Arc<str>,
    /// An argument from its name to the end of its expression, or the header of a block. `None` if it is not known.
    pub span: Option<Span>,
    /// Whether an override file set it.
    pub is_overridden: bool,
    /// What an argument depends on, sorted: references followed through local values, the outputs of modules and the
    /// variables that calls set, up to resources and other variables.
    pub sources: Arc<[Source]>,
    /// The expression of an argument with unknown parts without its references; `None` if it is a single reference and
    /// nothing else.
    pub skeleton: Option<Arc<str>>,
}

impl PartOrigin {
    /// Returns an origin of which nothing is known.
    pub fn unknown() -> Self {
        Self { pointer: Arc::from(""), span: None, is_overridden: false, sources: Arc::from([]), skeleton: None }
    }
}

/// Something that an expression refers to in the end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Source {
    /// The address of a resource with its module instance, and with its key where the reference has one; of anything else,
    /// the reference.
    pub address: Arc<str>,
    /// What follows the address.
    pub steps: Arc<str>,
}
