//! What expressions ask for that was not given, though the tool has it: in a plan, a value that depends on it is marked as
//! one that may not be what it seems.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use overfold_base::account;
use overfold_value::{Marks, Value};

/// The list of what was asked for.
#[derive(Debug, Default)]
pub struct Absent {
    files: RefCell<BTreeSet<Arc<str>>>,
    functions: RefCell<BTreeSet<Arc<str>>>,
    time: Cell<bool>,
}

impl Absent {
    /// Whether nothing was asked for.
    pub fn is_empty(&self) -> bool {
        !self.time.get() && self.files.borrow().is_empty() && self.functions.borrow().is_empty()
    }

    /// Whether the time of the plan was asked for.
    pub fn has_time(&self) -> bool {
        self.time.get()
    }

    /// Returns the paths of the files that were asked for, sorted, as they are written.
    pub fn files(&self) -> Vec<Arc<str>> {
        self.files.borrow().iter().map(Arc::clone).collect()
    }

    /// Returns the names of the functions of providers that were called, sorted.
    pub fn functions(&self) -> Vec<Arc<str>> {
        self.functions.borrow().iter().map(Arc::clone).collect()
    }

    /// Notes a file, and returns a value that depends on it.
    pub fn file(&self, path: &str, value: &Value) -> Value {
        note(&self.files, path);
        inexact(value)
    }

    /// Notes a function of a provider, and returns its result.
    pub(super) fn function(&self, name: &str, value: &Value) -> Value {
        note(&self.functions, name);
        inexact(value)
    }

    /// Notes the time of the plan, and returns a value that depends on it.
    pub(super) fn time(&self, value: &Value) -> Value {
        self.time.set(true);
        inexact(value)
    }
}

fn note(list: &RefCell<BTreeSet<Arc<str>>>, name: &str) {
    account::touch(name.len());
    let mut list = list.borrow_mut();
    if !list.contains(name) {
        account::grow(name.len() as u64 + 64);
        list.insert(Arc::from(name));
    }
}

fn inexact(value: &Value) -> Value {
    value.clone().with_marks(Marks::INEXACT)
}
