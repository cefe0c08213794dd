//! Data sources that wait for a change of what they depend on (plan.md, section 5).

use super::conditions::resource_conditions;
use super::resource::DeclaredResource;
use super::walk::Walk;
use overfold_base::account::{self, ChargedIterator};
pub(crate) use overfold_check::validate::nodes::{Dependency, NodeId};
use overfold_dialect::words;
use overfold_load::plan::ResourceMode;
use overfold_model::config::{Block, ObjectAddr};

impl Walk<'_, '_, '_> {
    /// Whether a data source waits for a change: of something that it names, or that something in its `depends_on` or that
    /// of a call around it needs, or, if it has conditions, that anything needs on which it depends.
    pub(super) fn is_pending(&self, declared: &DeclaredResource<'_>) -> bool {
        let Some(walked) = self.walked(declared.path) else { return false };
        let Some(node) = walked.nodes.get(declared.id) else { return false };
        let has_conditions = resource_conditions(declared.block, words::PRECONDITION).next().is_some()
            || resource_conditions(declared.block, words::POSTCONDITION).next().is_some();
        let is_pending = |number: usize| self.pending.get(number) == Some(&true);
        if has_conditions && self.graph.called_by(declared.number).iter().skimmed(4).any(|&at| is_pending(at)) {
            return true;
        }
        let named = node.dependencies.iter().charged(1).any(|dependency| match dependency {
            Dependency::Node(id) => {
                let is_resource = walked.nodes.get(*id).is_some_and(|node| {
                    matches!(node.address, ObjectAddr::Resource { mode: ResourceMode::Managed, .. })
                });
                is_resource && self.has_change(declared.path, *id)
            }
            _ => false,
        });
        named || self.depends_on_change(declared.path, declared.block) || self.is_call_pending(declared.path)
    }

    fn is_call_pending(&self, mut path: usize) -> bool {
        while let Some((caller, call)) = self.instances.list.get(path).and_then(|instance| instance.caller) {
            account::work(4);
            let block =
                self.walked(caller).and_then(|walked| walked.module.calls.get(call)).map(|found| found.call.block);
            if block.is_some_and(|block| self.depends_on_change(caller, block)) {
                return true;
            }
            path = caller;
        }
        false
    }

    /// Whether a managed resource has a planned change itself.
    fn has_change(&self, path: usize, id: NodeId) -> bool {
        self.changed.contains(&self.instances.number(path, id))
    }

    fn depends_on_change(&self, path: usize, block: &Block<'_>) -> bool {
        let Some(walked) = self.walked(path) else { return false };
        walked.depends_on_targets(block).iter().charged(2).any(|dependency| {
            self.instances
                .target(path, dependency, false)
                .is_some_and(|number| self.pending.get(number) == Some(&true))
        })
    }
}
