//! The definitions that a module declares: input variables and local values.

use foldhash::HashMap;

use crate::config::{self, Element, Module, ObjectAddr, Payload, is_set, unread_marks};
use overfold_base::diag::Span;
use overfold_base::slots::{Slot, Slots};
use overfold_dialect::{BlockSpec, ListRule, OverrideRule, words};
use overfold_eval::TypeConstraint;
use overfold_syntax::ExprAt;
use overfold_value::{ConvertError, Marks, Value};

/// An input variable of one [`Definitions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VariableId(pub(super) Slot);

/// A local value of one [`Definitions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LocalId(pub(super) Slot);

/// An input variable as the merged module declares it.
#[derive(Clone, Copy, Debug)]
pub struct Variable<'a> {
    /// The name.
    pub name: &'a str,
    /// The object that declares it.
    pub element: &'a Element<'a>,
    /// Its type, its default and `nullable`.
    pub declared: &'a config::Variable<'a>,
    /// The marks of its value according to its flags.
    pub marks: Marks,
    /// The marks that its value may have been meant to have according to a flag that cannot be read.
    pub suspected_marks: Marks,
}

impl<'a> Variable<'a> {
    /// Returns the variable that an object of the module declares; `None` if it declares none.
    pub fn from_element(module: &Module<'_>, element: &'a Element<'a>) -> Option<Self> {
        let (Payload::Variable(declared), Some(label)) = (&element.payload, element.block.labels.first()) else {
            return None;
        };
        let mark = |flag, mark| if is_set(element.block, flag) { mark } else { Marks::NONE };
        Some(Self {
            name: label.text,
            element,
            declared,
            marks: mark(words::SENSITIVE, Marks::SENSITIVE).and(mark(words::EPHEMERAL, Marks::EPHEMERAL)),
            suspected_marks: unread_marks(module, element),
        })
    }

    /// Returns the declared type; `None` if there is none, so that any value is accepted.
    pub fn constraint(&self) -> Option<&'a TypeConstraint> {
        self.declared.constraint()
    }

    /// Returns the default, converted when the module was loaded; null is also a default.
    pub fn default(&self) -> Option<&'a Value> {
        self.declared.default()
    }

    /// Returns an unknown value of the declared type.
    pub fn unknown(&self) -> Value {
        Value::unknown(self.declared.value_type())
    }

    /// Converts a value provided for the variable to the declared type, with the defaults of optional attributes.
    ///
    /// # Errors
    /// [`ConvertError`] if it cannot be converted.
    pub fn convert(&self, given: Value) -> Result<Value, ConvertError> {
        config::stored_default(given, self.constraint())
    }
}

/// A local value as the merged module declares it.
#[derive(Clone, Copy, Debug)]
pub struct LocalValue<'a> {
    /// The name.
    pub name: &'a str,
    /// The range from the name to the end of the expression.
    pub range: Span,
    /// The expression.
    pub expr: ExprAt,
    /// Whether the expression has a syntax error.
    pub broken: bool,
}

impl LocalValue<'_> {
    /// Returns its address, `local.NAME`.
    pub const fn address(&self) -> ObjectAddr<'_> {
        ObjectAddr::Local(self.name)
    }
}

/// The input variables and local values of a module.
#[derive(Clone, Debug, Default)]
pub struct Definitions<'a> {
    pub(super) variables: Slots<Variable<'a>>,
    variables_by_name: HashMap<&'a str, VariableId>,
    pub(super) locals: Slots<LocalValue<'a>>,
    locals_by_name: HashMap<&'a str, LocalId>,
}

impl<'a> Definitions<'a> {
    /// Collects the definitions of a module. If it is a list of blocks and several local values have the same name, the
    /// last one is used; one with a syntax error declares nothing.
    pub fn from_module(module: &'a Module<'a>) -> Self {
        let mut definitions = Self::default();
        for variable in module.elements.iter().filter_map(|element| Variable::from_element(module, element)) {
            let id = VariableId(definitions.variables.push(variable));
            definitions.variables_by_name.insert(variable.name, id);
        }
        for element in &module.elements {
            if let ObjectAddr::Local(name) = element.address
                && let Some(argument) = element.block.arguments.first()
            {
                definitions.add_local(LocalValue {
                    name,
                    range: argument.range,
                    expr: argument.expr,
                    broken: argument.broken,
                });
            }
        }
        let holds_locals = |spec: &BlockSpec| matches!(spec.over, OverrideRule::InList(ListRule::Entries));
        for block in module.blocks.iter().flatten().filter(|block| block.spec.is_some_and(holds_locals)) {
            for argument in block.arguments.iter().filter(|argument| !argument.broken) {
                definitions.add_local(LocalValue {
                    name: argument.name,
                    range: argument.range,
                    expr: argument.expr,
                    broken: false,
                });
            }
        }
        definitions
    }

    pub(super) fn add_local(&mut self, local: LocalValue<'a>) {
        let id = LocalId(self.locals.push(local));
        self.locals_by_name.insert(local.name, id);
    }

    /// Returns the variable of this name.
    pub fn variable_named(&self, name: &str) -> Option<VariableId> {
        self.variables_by_name.get(name).copied()
    }

    /// Returns the local value of this name.
    pub fn local_named(&self, name: &str) -> Option<LocalId> {
        self.locals_by_name.get(name).copied()
    }

    /// Returns a variable.
    pub fn variable(&self, id: VariableId) -> &Variable<'a> {
        &self.variables[id.0]
    }

    /// Returns a local value.
    pub fn local(&self, id: LocalId) -> &LocalValue<'a> {
        &self.locals[id.0]
    }

    /// Returns the variables, in order of declaration.
    pub fn variables(&self) -> impl Iterator<Item = &Variable<'a>> {
        self.variables.iter()
    }

    /// Returns the local values, in order of declaration.
    pub fn locals(&self) -> impl Iterator<Item = &LocalValue<'a>> {
        self.locals.iter()
    }
}
