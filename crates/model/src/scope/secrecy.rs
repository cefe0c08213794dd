//! How secret an expression is because of what it is computed from. Marks do not show this if a value has lost them,
//! as the value of a variable does in its own rules, or because of `nonsensitive()`.

use std::collections::HashMap;

use super::definitions::Definitions;
use crate::config::Secrets;
use overfold_base::account::ChargedIterator;
use overfold_base::diag::Secrecy;
use overfold_syntax::{ExprAt, Forest, statics};

/// How secret every local value of a module is, because of everything from which it is computed.
pub struct LocalSecrecy<'a> {
    secrets: &'a Secrets,
    forest: &'a Forest,
    levels: HashMap<&'a str, Secrecy>,
}

impl<'a> LocalSecrecy<'a> {
    /// Follows the references between all local values of the module, each once. `secrets` contains how secret its
    /// variables are.
    pub fn new(definitions: &Definitions<'a>, secrets: &'a Secrets, forest: &'a Forest) -> Self {
        let mut levels: HashMap<&str, Secrecy> = HashMap::new();
        let mut users: HashMap<String, Vec<&str>> = HashMap::new();
        let mut changed: Vec<&str> = Vec::new();
        for local in definitions.locals() {
            let name = local.name;
            let mut level = of_calls(forest, local.expr);
            for reference in statics::references(forest, local.expr).charged(1) {
                match (&*reference.root, reference.attr(0)) {
                    ("var", Some(variable)) => level = level.max(secrets.variable(variable)),
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
        Self { secrets, forest, levels }
    }

    /// Returns how secret an expression of the module is.
    pub fn expression(&self, expr: ExprAt) -> Secrecy {
        let level = |root: &str, name: Option<&str>| match (root, name) {
            ("var", Some(name)) => self.secrets.variable(name),
            ("local", Some(name)) => self.levels.get(name).copied().unwrap_or_default(),
            _ => Secrecy::Open,
        };
        statics::references(self.forest, expr)
            .iter()
            .map(|reference| level(&reference.root, reference.attr(0)))
            .fold(of_calls(self.forest, expr), Secrecy::max)
    }
}

/// Returns the secrecy that calls of `sensitive("…")` give to text in the file.
pub(super) fn of_calls(forest: &Forest, expr: ExprAt) -> Secrecy {
    let is_called = statics::calls(forest, expr).iter().any(|call| call.name.ends_with("sensitive"));
    if is_called { Secrecy::Sensitive } else { Secrecy::Open }
}
