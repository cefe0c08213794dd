//! The module instances of a plan that contain resources, or below which one does, as a tree.

use std::collections::BTreeMap;

use super::resource;
use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::written::order;
use overfold_module::plan::{ModuleAddress, PlannedResource};
use overfold_value::Value;

/// A module instance; the root of a tree is the root module.
#[derive(Default)]
pub(super) struct ModuleNode<'p> {
    /// The address; empty for the root module.
    pub(super) address: Box<str>,
    /// The resources with their addresses within the module, in the order of the plan unless they are sorted.
    pub(super) resources: List<(Box<str>, &'p PlannedResource, &'p Value)>,
    /// The modules below it by the last step of their address, `module.a["k"]`, as text.
    pub(super) children: BTreeMap<Box<str>, ModuleNode<'p>>,
}

impl<'p> ModuleNode<'p> {
    /// Arranges the resources that have a value, in each module by address as text.
    pub(super) fn sorted_tree(
        resources: &'p [PlannedResource],
        value: impl Fn(&'p PlannedResource) -> Option<&'p Value>,
    ) -> Self {
        let mut root = Self::tree(resources, value);
        root.sort();
        root
    }

    /// Arranges the resources that have a value, in each module in the order of the plan.
    pub(super) fn tree(
        resources: &'p [PlannedResource],
        value: impl Fn(&'p PlannedResource) -> Option<&'p Value>,
    ) -> Self {
        let mut root = Self::default();
        for same in resources.chunk_by(|a, b| a.module == b.module).charged_by(|same| same.len() as u64) {
            let mut with_value = same.iter().filter_map(|found| Some((found, value(found)?))).peekable();
            if let (Some(first), Some(_)) = (same.first(), with_value.peek()) {
                let node = root.below(&first.module);
                for (found, value) in with_value {
                    let address = resource::charged(found.local_address());
                    node.resources.push((address, found, value));
                }
            }
        }
        root
    }

    /// Returns a module below this one; it and those that contain it are added.
    fn below(&mut self, address: &ModuleAddress) -> &mut Self {
        let mut node = self;
        for step in address.0.iter().charged(8) {
            account::grow(size_of::<Self>() as u64);
            let name = resource::charged(step.to_string());
            // It is compared with those of its siblings.
            account::touch(8 * name.len());
            let dot = if node.address.is_empty() { "" } else { "." };
            let address = &node.address;
            let new = || {
                let address = resource::charged(format!("{address}{dot}{name}"));
                Self { address, ..Self::default() }
            };
            node = node.children.entry(name.clone()).or_insert_with(new);
        }
        node
    }

    /// Sorts the resources of all modules.
    fn sort(&mut self) {
        self.resources.sort_by(|(a, ..), (b, ..)| order(a, b));
        for child in self.children.values_mut() {
            overfold_value::with_stack(|| child.sort());
        }
    }

    /// Whether there is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        self.resources.is_empty() && self.children.is_empty()
    }
}
