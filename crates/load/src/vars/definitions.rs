//! Reads the assignments in variable definitions files (variables.md, section A3).

use bytes::Bytes;

use super::codes;
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting, SourceId};
use overfold_base::files::SourceRole;
use overfold_dialect::FileSyntax;
use overfold_dialect::words;
use overfold_model::body::content;
use overfold_model::body::content::{BlockSchema, BodyAt, ConsumedNames, ContentAttribute, Schema};
use overfold_syntax::{ExprAt, Forest};

/// An assignment in a definitions file.
pub(super) struct Assignment {
    pub(super) name: String,
    pub(super) expr: ExprAt,
}

/// Reads the definitions file called `name` and returns its assignments in source order. As in the tool, a file with
/// an error has no assignments.
pub(super) fn read(
    forest: &Forest,
    name: &str,
    text: Bytes,
    syntax: FileSyntax,
    out: &mut Diagnostics,
) -> Option<Vec<Assignment>> {
    let (source, parsed) = out.watch(|out| match syntax {
        FileSyntax::Native => forest.parse_native(name, text, out),
        FileSyntax::Json => forest.parse_json(name, text, out),
        FileSyntax::Hcl1 => forest.parse_hcl1(name, text, out),
    });
    forest.sources.set_role(source, SourceRole::Definitions);
    if parsed.failed() {
        // After a syntax error, the rest of the file is only searched for declarations.
        if let Some(body) = BodyAt::of_file(forest, source) {
            holds_declarations(forest, body, out);
        }
        return None;
    }
    let (assignments, verdict) = out.watch(|out| assignments(forest, source, out));
    assignments.filter(|_| verdict.is_clean())
}

fn assignments(forest: &Forest, source: SourceId, out: &mut Diagnostics) -> Option<Vec<Assignment>> {
    let body = BodyAt::of_file(forest, source)?;
    if holds_declarations(forest, body, out) {
        return None;
    }
    let attributes = content::attributes_only(forest, body, &ConsumedNames::NONE, out);
    let assignment =
        |attribute: &ContentAttribute<'_>| Assignment { name: attribute.name.to_string(), expr: attribute.expr };
    Some(attributes.iter().map(assignment).collect())
}

/// Reports declarations, a common mistake with a separate title, once for each block.
fn holds_declarations(forest: &Forest, body: BodyAt, out: &mut Diagnostics) -> bool {
    const SCHEMA: Schema<'static> =
        Schema { arguments: &[], blocks: &[BlockSchema::new(words::VARIABLE, &["name"])] };
    let mut silent = Diagnostics::new();
    let found = content::partial(forest, body, &mut ConsumedNames::default(), SCHEMA, &mut silent);
    for block in &found.blocks {
        let name = block.labels.first().map_or("", |label| label.text);
        let detail = format!(
            "A variable definitions file can only assign values. To set {name:?}, write `{name} = …`; to declare the variable, use a configuration file."
        );
        out.push(Diagnostic::tool(&codes::DECLARATION_IN_VALUES, block.type_span, detail));
    }
    !found.blocks.is_empty()
}
