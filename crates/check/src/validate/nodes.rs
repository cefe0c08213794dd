//! The nodes of one module: what the tool visits one by one, what each depends on, and what is found at each.

use std::cell::OnceCell;

use foldhash::{HashMap, HashMapExt};

use super::deprecated::SchemaMarks;
use super::names::{Names, RepetitionKind, Resource, call_value, path_rules};
use super::schemas::{Configuration, Schemas, configuration_of};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Origin, Severity};
use overfold_dialect::{self as dialect, ObjectKind, words};
use overfold_model::config::{Argument, Block, Element, ObjectAddr, resource_mode};
use overfold_model::language::references::AddressWords;
use overfold_model::scope::Definitions;
use overfold_tree::calls;
use overfold_tree::module_tree::TreeModule;

/// The position of a node among those of its module.
pub type NodeId = usize;

/// Something that the tool visits once for each call of the module.
pub struct Node<'a> {
    /// What it is.
    pub kind: NodeKind<'a>,
    /// The address of the object in its module.
    pub address: ObjectAddr<'a>,
    /// What has to be visited before.
    pub dependencies: Vec<Dependency>,
    /// What is found here whatever becomes of other nodes.
    pub found: Vec<Diagnostic>,
    /// Whether the tool reports an error here.
    pub(crate) failed: bool,
    /// Whether it depends on itself.
    pub refers_to_itself: bool,
}

/// What a node is.
#[derive(Clone, Copy)]
pub enum NodeKind<'a> {
    /// An input variable. In a called module, it depends on the argument that sets it.
    Variable,
    /// The validation rules of a variable.
    Rules(&'a Element<'a>),
    /// A local value.
    Local,
    /// A provider configuration.
    Provider(&'a Block<'a>),
    /// A resource of any mode.
    Resource(&'a Block<'a>),
    /// `count`, `for_each` and `depends_on` of a module call, by its position.
    Call(usize),
    /// An argument that a module call passes, by the position of the call.
    Input(usize, &'a Argument<'a>),
    /// An output.
    Output(&'a Block<'a>),
    /// The assertions of a check.
    Check(&'a Block<'a>),
    /// An `import` block.
    Import(&'a Block<'a>),
}

/// What a node depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dependency {
    /// A node of the same module.
    Node(NodeId),
    /// One output of a called module.
    Output {
        /// The position of the call.
        call: usize,
        /// The name of the output.
        name: Box<str>,
    },
    /// A called module as a whole.
    Module {
        /// The position of the call.
        call: usize,
    },
    /// A provider configuration, which may be one of a calling module.
    Provider(Configuration),
}

/// Whether the tool reports a finding as an error now.
pub fn is_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error && finding.origin == Origin::Tool
}

/// Collects the nodes of a module.
struct Collector<'a> {
    module: &'a TreeModule<'a>,
    schemas: Schemas<'a>,
    nodes: Vec<Node<'a>>,
    addresses: HashMap<ObjectAddr<'a>, NodeId>,
    resources: HashMap<ObjectAddr<'a>, Resource<'a>>,
    calls: HashMap<&'a str, usize>,
    /// The checks that contain data sources.
    scoped: HashMap<ObjectAddr<'a>, &'a str>,
}

/// Returns the nodes of a module, in order of declaration, and what its names lead to.
pub(crate) fn collect<'a>(
    tree: &'a [TreeModule<'a>],
    module: &'a TreeModule<'a>,
    definitions: &'a Definitions<'a>,
    schemas: Schemas<'a>,
) -> (Vec<Node<'a>>, Names<'a>) {
    let calls = module.calls.iter().enumerate().map(|(at, call)| (call.call.name, at)).collect();
    let elements = &module.report.module.elements;
    account::work(elements.len() as u64 / 4);
    let resources = elements.iter().filter(|element| resource_mode(element.kind).is_some()).count();
    let mut collector = Collector {
        module,
        schemas,
        nodes: Vec::with_capacity(elements.len()),
        addresses: HashMap::with_capacity(elements.len() - resources),
        resources: HashMap::with_capacity(resources),
        calls,
        scoped: HashMap::new(),
    };
    for check in elements.iter().filter(|element| element.kind == ObjectKind::Check) {
        account::work(1 + check.block.blocks.len() as u64);
        let inside = check.block.blocks.iter().filter_map(ObjectAddr::of_nested);
        collector.scoped.extend(inside.map(|inside| (inside, check.address.name())));
    }
    for element in elements {
        collector.element(element);
    }
    let Collector { nodes, addresses, resources, calls, .. } = collector;
    let called = |call: &overfold_tree::module_tree::TreeCall<'a>| {
        call_value(&call.call, call.module.and_then(|at| tree.get(at)))
    };
    let marks = SchemaMarks::for_dialect(module.report.dialect);
    let has_deprecated_resources = marks != SchemaMarks::None
        && resources
            .values()
            .charged(2)
            .any(|resource| resource.schema.known().is_some_and(|schema| marks.apply_to(schema)));
    let has_deprecated_attributes = path_rules(module.report.dialect).warns_of_deprecated
        && resources
            .values()
            .charged(1)
            .any(|resource| resource.schema.known().is_some_and(|schema| schema.deprecations().attributes));
    let names = Names {
        has_deprecated_attributes,
        forest: module.report.forest,
        module,
        words: AddressWords::for_dialect(module.report.dialect),
        functions: dialect::functions(module.report.dialect),
        definitions,
        resources,
        nodes: addresses,
        calls,
        call_values: module.calls.iter().map(called).collect(),
        addresses: std::cell::OnceCell::new(),
        has_deprecated: has_deprecated_resources
            || module.calls.iter().filter_map(|call| tree.get(call.module?)).any(TreeModule::marks_deprecated),
        is_damaged: module.is_damaged(),
    };
    (nodes, names)
}

impl<'a> Collector<'a> {
    fn add(&mut self, kind: NodeKind<'a>, address: ObjectAddr<'a>) -> NodeId {
        account::build(4, size_of::<Node<'_>>() as u64);
        self.nodes.push(Node {
            kind,
            address,
            dependencies: Vec::new(),
            found: Vec::new(),
            failed: false,
            refers_to_itself: false,
        });
        self.nodes.len() - 1
    }

    fn depend(&mut self, node: NodeId, dependency: Dependency) {
        if let Some(node) = self.nodes.get_mut(node) {
            node.dependencies.push(dependency);
        }
    }

    fn element(&mut self, element: &'a Element<'a>) {
        account::work(2);
        let (block, address) = (element.block, element.address);
        let node = match element.kind {
            ObjectKind::Variable => {
                let variable = self.add(NodeKind::Variable, address);
                let has_rules = block.blocks.iter().any(|inner| inner.keyword == words::VALIDATION);
                if has_rules {
                    let rules = self.add(NodeKind::Rules(element), address);
                    self.depend(rules, Dependency::Node(variable));
                    rules
                } else {
                    variable
                }
            }
            ObjectKind::Local => self.add(NodeKind::Local, address),
            ObjectKind::Provider => self.add(NodeKind::Provider(block), address),
            ObjectKind::Output => self.add(NodeKind::Output(block), address),
            ObjectKind::ModuleCall => match self.calls.get(address.name()) {
                Some(&at) => self.call(at, block, address),
                None => return,
            },
            ObjectKind::Check => self.add(NodeKind::Check(block), address),
            kind if resource_mode(kind).is_some() => return self.resource(block, address),
            _ if block.keyword == words::IMPORT => self.add(NodeKind::Import(block), address),
            _ => return,
        };
        self.addresses.insert(address, node);
    }

    /// Adds a resource of any mode.
    fn resource(&mut self, block: &'a Block<'a>, address: ObjectAddr<'a>) {
        let check = self.scoped.get(&address).copied();
        let ObjectAddr::Resource { mode, .. } = address else { return };
        let node = self.add(NodeKind::Resource(block), address);
        self.depend(node, Dependency::Provider(configuration_of(self.module, block)));
        let schema = self.schemas.object(self.module, block, mode);
        self.resources.insert(
            address,
            Resource { node, repetition: RepetitionKind::from_block(block), check, schema, value: OnceCell::new() },
        );
    }

    /// Adds a module call, and a node for each argument that it passes.
    fn call(&mut self, at: usize, block: &'a Block<'a>, address: ObjectAddr<'a>) -> NodeId {
        let call = self.add(NodeKind::Call(at), address);
        for argument in calls::inputs(block) {
            let input = self.add(NodeKind::Input(at, argument), address);
            self.depend(input, Dependency::Node(call));
        }
        call
    }
}
