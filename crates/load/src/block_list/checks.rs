//! The checks that the tool makes while it loads a module, and no others (tflint.md, section 1).

use std::collections::HashMap;

use crate::block_list::codes;
use overfold_base::diag::{Diagnostic, Diagnostics, SourceId};
use overfold_dialect::words;
use overfold_dialect::{AttrKind, BlockSpec, BodyRule, DialectSpec, ObjectKind};
use overfold_eval::{self as eval, TypeRules};
use overfold_model::body::content;
use overfold_model::body::content::{ArgumentSchema, BlockSchema, BodyAt, ConsumedNames, Schema};
use overfold_model::config::{
    Argument, Block, BlockHistory, DecodedArgument, Element, ObjectAddr, Payload, Variable, VariableParts,
    stored_default,
};
use overfold_model::language::constants;
use overfold_model::language::constants::FailureReport;
use overfold_syntax::Forest;
use overfold_value::Value;

/// Step 1: checks the headers of block types whose labels the tool counts, and bodies that may hold only arguments. In
/// JSON the bodies of variables are read here as well.
pub(super) fn headers(forest: &Forest, dialect: &'static DialectSpec, source: SourceId, out: &mut Diagnostics) {
    let Some(body) = BodyAt::of_file(forest, source) else { return };
    let rows: Vec<&'static BlockSpec> = dialect.blocks.iter().filter(|row| row.labels_are_counted).collect();
    let schema: Vec<BlockSchema<'static>> =
        rows.iter().map(|row| BlockSchema::new(row.keyword, row.label_names)).collect();
    let schema = Schema { arguments: &[], blocks: &schema };
    let found = content::partial(forest, body, &mut ConsumedNames::NONE.clone(), schema, out);
    for block in &found.blocks {
        let Some(row) = rows.iter().find(|row| *row.keyword == *block.keyword) else { continue };
        if matches!(row.body, BodyRule::Arguments { .. }) {
            content::attributes_only(forest, block.body, &ConsumedNames::NONE, out);
            continue;
        }
        let checked: Vec<ArgumentSchema<'static>> = row
            .attrs
            .iter()
            .filter(|attr| is_checked(attr.kind))
            .map(|attr| ArgumentSchema::optional(attr.name))
            .collect();
        let schema = Schema { arguments: &checked, blocks: &[] };
        content::partial(forest, block.body, &mut ConsumedNames::NONE.clone(), schema, out);
    }
}

/// Whether an argument of this kind is read when the module is loaded.
const fn is_checked(kind: AttrKind) -> bool {
    matches!(kind, AttrKind::TypeConstraint(_) | AttrKind::Default | AttrKind::ConstBool)
}

/// Step 2: reads each variable of the merged list. If several blocks declare one variable, the last one applies.
pub(super) fn variables<'f>(blocks: &[Block<'f>], forest: &'f Forest, out: &mut Diagnostics) -> Vec<Element<'f>> {
    let mut elements: Vec<Element<'f>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for block in blocks {
        let has_default = |spec: &BlockSpec| spec.attrs.iter().any(|attr| matches!(attr.kind, AttrKind::Default));
        if !block.spec.is_some_and(has_default) {
            continue;
        }
        let element = variable(block, forest, out);
        let [name] = block.labels else { continue };
        match places.get(name.text).and_then(|&at| elements.get_mut(at)) {
            Some(place) => {
                let detail = format!(
                    "An earlier block already declares {:?}. Both blocks stay in the list, but the value of the variable comes from this one.",
                    name.text
                );
                let note = Diagnostic::ours(&codes::SAME_VARIABLE, block.header, detail);
                out.push(note.and("first declared here", place.block.header));
                *place = element;
            }
            None => {
                places.insert(name.text, elements.len());
                elements.push(element);
            }
        }
    }
    elements
}

fn variable<'f>(block: &Block<'f>, forest: &'f Forest, out: &mut Diagnostics) -> Element<'f> {
    let name = block.labels.first().map_or("", |label| label.text);
    let find = |wanted: &dyn Fn(&AttrKind) -> bool| {
        let argument = block.arguments.iter().find(|argument| argument.spec.is_some_and(|row| wanted(&row.kind)));
        argument.filter(|argument| !argument.broken)
    };
    let constraint = find(&|kind| matches!(kind, AttrKind::TypeConstraint(_)))
        .map(|argument| eval::type_constraint(forest, argument.expr, TypeRules::VARIABLE, out));
    let mut flags: Vec<Argument<'f>> = Vec::new();
    for argument in block.arguments {
        if !argument.broken && argument.spec.is_some_and(|row| matches!(row.kind, AttrKind::ConstBool)) {
            let decoded = constants::boolean(forest, argument.expr, FailureReport::ReasonAndUnsuitable, out)
                .map_or(DecodedArgument::Wrong, DecodedArgument::Bool);
            flags.push(Argument { decoded, ..*argument });
        }
    }
    let default = find(&|kind| matches!(kind, AttrKind::Default)).map(|argument| {
        let value = eval::constant(forest, argument.expr, out);
        stored_default(value, constraint.as_ref()).unwrap_or_else(|error| {
            let detail =
                format!("After all overrides, the default cannot be converted to the type of the variable: {error}.");
            let at = forest.expr_span(argument.expr);
            out.push(
                Diagnostic::tool(&crate::decode::codes::INVALID_DEFAULT, at, detail).about(format!("var.{name}")),
            );
            Value::dynamic()
        })
    });
    let types = block.arguments.iter().filter(|argument| {
        !argument.broken && argument.spec.is_some_and(|row| matches!(row.kind, AttrKind::TypeConstraint(_)))
    });
    flags.extend(types.copied());
    // The variable shows that it is overridden, but what was removed is shown in the list.
    let history = BlockHistory { overridden_by: block.overridden_by(), ..BlockHistory::NONE }.keep(forest);
    let nullable = flags.iter().find(|flag| flag.name == words::NULLABLE);
    let nullable = nullable.map(|flag| flag.decoded == DecodedArgument::Bool(true));
    Element {
        address: ObjectAddr::Variable(name),
        kind: ObjectKind::Variable,
        block: forest.keep_one(Block {
            arguments: forest.keep_list(&flags),
            escaped: &[],
            blocks: &[],
            history,
            ..*block
        }),
        payload: Payload::Variable(Box::new(Variable::read(VariableParts { constraint, default }, nullable))),
    }
}
