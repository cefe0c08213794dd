//! Looks up the references in interpolations of HCL 1 in the merged module (terraform-0.11.md, section 5).
//!
//! This covers the arguments of modules, providers, resources, data sources, provisioners and outputs, but not those
//! of local values and connections. A variable, module call or resource that does not exist is an error, once for each
//! name and each of these places.

use crate::module_checks::codes;
use foldhash::HashSet;
use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::diag::{Code, Diagnostic, Diagnostics, Span};
use overfold_dialect::words;
use overfold_dialect::{DialectSpec, ObjectKind};
use overfold_model::config::{Block, Element, Module, ObjectAddr};
use overfold_model::language::references::ResourceMode;
use overfold_syntax::tree::ExprKind;
use overfold_syntax::{ExprAt, Forest, hcl1};

/// Looks up all references of the module, if the dialect does so.
pub(crate) fn check(module: &Module<'_>, dialect: &DialectSpec, forest: &Forest, out: &mut Diagnostics) {
    if !dialect.rules.references.interpolations_are_looked_up {
        return;
    }
    let known = module.elements.iter().map(|element| element.address).collect();
    let mut lookup = Lookup { forest, known, out };
    for element in &module.elements {
        lookup.element(element);
    }
}

struct Lookup<'a> {
    forest: &'a Forest,
    /// The addresses in the module.
    known: HashSet<ObjectAddr<'a>>,
    out: &'a mut Diagnostics,
}

impl Lookup<'_> {
    fn element(&mut self, element: &Element<'_>) {
        let address = element.address;
        let block = &element.block;
        let label = block.labels.first().map_or("", |label| label.text);
        match element.kind {
            ObjectKind::ModuleCall => self.place(&format!("module '{label}'"), address, body(block)),
            ObjectKind::Provider => self.place(&format!("provider config '{label}'"), address, body(block)),
            ObjectKind::Output => {
                let arguments = block.arguments.iter().filter(|argument| argument.name != words::DEPENDS_ON);
                self.place(&format!("output '{label}'"), address, arguments.map(|argument| argument.expr).collect());
            }
            ObjectKind::Resource | ObjectKind::Data => {
                let count = block.arguments.iter().filter(|argument| argument.name == words::COUNT);
                let count = count.map(|argument| argument.expr).collect();
                self.place(&format!("resource '{address}' count"), address, count);
                self.place(&format!("resource '{address}' config"), address, body(block));
                let provisioners =
                    block.blocks.iter().filter(|inner| inner.spec.is_some() && inner.keyword == words::PROVISIONER);
                for (index, inner) in provisioners.enumerate() {
                    let kind = inner.labels.first().map_or("", |label| label.text);
                    let place = format!("resource '{address}' provisioner {kind} (#{})", index + 1);
                    self.place(&place, address, body(inner));
                }
            }
            _ => {}
        }
    }

    /// Looks up the references in these expressions.
    fn place(&mut self, place: &str, address: ObjectAddr<'_>, mut todo: Vec<ExprAt>) {
        let mut seen: HashSet<String> = HashSet::default();
        todo.reverse();
        while let Some(at) = todo.pop() {
            account::work(1);
            let ExprAt::Native(source, id) = at else { continue };
            let Some(tree) = self.forest.native(source) else { continue };
            match tree.expr(id).kind {
                ExprKind::Interpolated(text) => {
                    let text = tree.str(text);
                    for name in hcl1::interpolated_names(text.touched()).charged(2) {
                        if !seen.contains(name) {
                            seen.insert(name.to_owned());
                            self.name(name, place, address, tree.span(tree.expr(id).range));
                        }
                    }
                }
                ExprKind::Tuple { items, .. } => {
                    todo.extend(tree.list(items).iter().rev().map(|&item| ExprAt::Native(source, item)));
                }
                ExprKind::Object { items, .. } => {
                    let items = tree.items(items).iter().rev();
                    todo.extend(items.flat_map(|item| [item.value, item.key].map(|id| ExprAt::Native(source, id))));
                }
                _ => {}
            }
        }
    }

    fn name(&mut self, name: &str, place: &str, address: ObjectAddr<'_>, at: Span) {
        let parts: Vec<&str> = name.split('.').collect();
        let (code, wanted, title): (&'static Code, _, _) = match *parts.as_slice() {
            ["var", variable, ..] => {
                let title = format!("unknown variable referenced: '{variable}'; define it with a 'variable' block");
                (&codes::UNKNOWN_PLAIN_VARIABLE, ObjectAddr::Variable(variable), title)
            }
            ["module", module, _, ..] => {
                let title = format!("unknown module referenced: {module}");
                (&codes::UNKNOWN_PLAIN_MODULE, ObjectAddr::ModuleCall(module), title)
            }
            ["var" | "module" | "local" | "count" | "path" | "self" | "terraform", ..] | [] | [_] | [_, _] => return,
            ["data", kind, object, ..] => {
                let id = ObjectAddr::Resource { mode: ResourceMode::Data, type_name: kind, name: object };
                let title = format!("unknown resource '{id}' referenced in variable {name}");
                (&codes::UNKNOWN_PLAIN_RESOURCE, id, title)
            }
            [kind, object, ..] => {
                let id = ObjectAddr::Resource { mode: ResourceMode::Managed, type_name: kind, name: object };
                let title = format!("unknown resource '{id}' referenced in variable {name}");
                (&codes::UNKNOWN_PLAIN_RESOURCE, id, title)
            }
        };
        if self.known.contains(&wanted) {
            return;
        }
        let detail = format!(
            "This refers to {name}, but no file of the module declares {wanted}. Declare it, or correct the reference."
        );
        let found = Diagnostic::tool(code, at, detail).titled(format!("{place}: {title}"));
        self.out.push(found.about(address));
    }
}

/// Returns the expressions of a body as the program keeps it: without the arguments and blocks that it treats
/// specially.
fn body(block: &Block<'_>) -> Vec<ExprAt> {
    let mut found: Vec<ExprAt> = Vec::new();
    let mut blocks = vec![block];
    while let Some(block) = blocks.pop() {
        account::work(1 + block.arguments.len() as u64);
        found.extend(block.arguments.iter().filter(|argument| argument.spec.is_none()).map(|argument| argument.expr));
        blocks.extend(block.blocks.iter().rev().filter(|inner| inner.spec.is_none()));
    }
    found
}
