//! Replaces titles by those of a dialect that name their subject: `{0}` and `{1}` stand for the labels of the block,
//! `{key}` for the source text at the location, `{place}` for its line and column.

use overfold_base::diag::Diagnostic;
use overfold_dialect::TitleRow;
use overfold_model::body::content::ContentLabel;
use overfold_syntax::Forest;

/// Replaces the title of a diagnostic if one of `rows` applies to it. `labels` are the labels of the block to which
/// the rows belong.
pub fn reword(forest: &Forest, rows: &[TitleRow], labels: &[ContentLabel<'_>], found: &mut Diagnostic) {
    if let Some(row) = rows.iter().find(|row| row.code == found.code.id && *row.title == *found.summary) {
        found.summary = fill(forest, row.says, labels, found).into();
    }
}

fn fill(forest: &Forest, title: &str, labels: &[ContentLabel<'_>], found: &Diagnostic) -> String {
    let mut reworded = title.to_owned();
    if let Some(span) = found.span {
        if title.contains("{place}") {
            let start = forest.sources.range(span).start;
            reworded = reworded.replace("{place}", &format!("{}:{}", start.line, start.column));
        }
        if title.contains("{key}") {
            let text = forest.native(span.source).map(|tree| tree.name(span.range()).to_owned()).unwrap_or_default();
            let text = text.trim_matches('"');
            reworded = reworded.replace("{key}", text);
        }
    }
    for (index, label) in labels.iter().enumerate() {
        reworded = reworded.replace(&format!("{{{index}}}"), label.text);
    }
    reworded
}
