//! How secret an expression is for what it is made of. Marks do not say it where a value lost them, as that of a variable
//! does in its own rules, or `nonsensitive()` took them.

use std::collections::HashMap;

use crate::account;
use crate::config::Module;
use crate::diag::Secrecy;
use crate::syntax::{ExprAt, Forest, statics};

/// The secrecy of every local value, through all that it is made of.
pub(super) struct Locals<'m>(HashMap<&'m str, Secrecy>);

impl<'m> Locals<'m> {
    /// Follows the references among all local values of the module, each once. Needed by few requests.
    pub(super) fn of(module: &'m Module<'m>, forest: &Forest) -> Self {
        let mut levels: HashMap<&str, Secrecy> = HashMap::new();
        let mut users: HashMap<String, Vec<&str>> = HashMap::new();
        let mut changed: Vec<&str> = Vec::new();
        for element in &module.elements {
            let (Some(name), Some(value)) =
                (element.address.0.strip_prefix("local."), element.block.arguments.first())
            else {
                continue;
            };
            let mut level = of_calls(forest, value.expr);
            for reference in statics::references(forest, value.expr) {
                account::work(1);
                match (&*reference.root, reference.attr(0)) {
                    ("var", Some(variable)) => level = level.max(module.secrets.variable(variable)),
                    ("local", Some(other)) => users.entry(other.to_owned()).or_default().push(name),
                    _ => {}
                }
            }
            if level > Secrecy::Open {
                levels.insert(name, level);
                changed.push(name);
            }
        }
        while let Some(name) = changed.pop() {
            let level = levels.get(name).copied().unwrap_or_default();
            for &user in users.get(name).into_iter().flatten() {
                let held = levels.entry(user).or_default();
                if *held < level {
                    *held = level;
                    changed.push(user);
                }
            }
        }
        Self(levels)
    }

    /// How secret an expression of the module is.
    pub(super) fn expression(&self, module: &Module<'_>, forest: &Forest, expr: ExprAt) -> Secrecy {
        let level = |root: &str, name: Option<&str>| match (root, name) {
            ("var", Some(name)) => module.secrets.variable(name),
            ("local", Some(name)) => self.0.get(name).copied().unwrap_or_default(),
            _ => Secrecy::Open,
        };
        statics::references(forest, expr)
            .iter()
            .map(|reference| level(&reference.root, reference.attr(0)))
            .fold(of_calls(forest, expr), Secrecy::max)
    }
}

/// `sensitive("…")` makes a secret of what stands in the file.
fn of_calls(forest: &Forest, expr: ExprAt) -> Secrecy {
    let is_called = statics::calls(forest, expr).iter().any(|call| call.name.ends_with("sensitive"));
    if is_called { Secrecy::Sensitive } else { Secrecy::Open }
}
