//! The names of rows: a name stands for what is said of one thing, in all rows about it.

use crate::spec::{BlockSpec, BuiltinKind, Described, Description, KindRow, TitleRow};

/// Returns the name of the row of a file name or its ending.
pub(crate) fn file(name: &str) -> String {
    format!("file:{name}")
}

/// Returns the name of a behaviour of the module as a whole.
pub(crate) fn rule(rule: &Description) -> String {
    format!("rule:{}", rule.id)
}

/// Returns the name of something built in.
pub(crate) fn builtin(kind: BuiltinKind, name: &str) -> String {
    format!("{}:{name}", kind.described().id)
}

/// Returns the path of a block type: `resource/lifecycle`.
pub(crate) fn path(outer: &str, row: &BlockSpec) -> String {
    let slash = if outer.is_empty() { "" } else { "/" };
    format!("{outer}{slash}{}", row.keyword)
}

/// Returns the name of a block type.
pub(crate) fn block(outer: &str, row: &BlockSpec) -> String {
    format!("block:{}", path(outer, row))
}

/// Returns the name of a block type with a first label.
pub(crate) fn kind(outer: &str, row: &KindRow) -> String {
    format!("{}[{}]", block(outer, &row.spec), row.label)
}

/// Returns the name of an argument.
pub(crate) fn argument(path: &str, name: &str) -> String {
    format!("argument:{path}.{name}")
}

/// Returns the name of a rule across the parts of a block.
pub(crate) fn check(path: &str, check: &Description) -> String {
    format!("check:{path}:{}", check.id)
}

/// Returns the name of a title of the module as a whole, or of blocks of a type.
pub(crate) fn title(path: &str, row: &TitleRow) -> String {
    let colon = if path.is_empty() { "" } else { ":" };
    format!("title:{path}{colon}{}:{}", row.code, row.says)
}
