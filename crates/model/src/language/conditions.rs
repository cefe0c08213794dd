//! What conditions and provisioners may refer to.

use crate::body::traversal::error;
use crate::language::references::{AddressWords, ResourceMode, Subject};
use crate::language::{codes, references};
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_syntax::statics::Traversal;
use overfold_syntax::{ExprAt, Forest, statics};

/// Which parts of a validation may refer to objects other than its own variable (terraform.md, section 10.2 (1.2,
/// 1.9)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForeignReferences {
    /// Both parts may refer to any object; the condition must still use its own variable.
    Allowed,
    /// Neither the condition nor the message may do so.
    Refused,
    /// The condition may not; the message is a constant in any case.
    RefusedInCondition,
}

/// Reports a condition that refers to nothing at all, at the condition, with the title `Invalid KIND expression`;
/// `kind` is `validation`, `precondition`, `postcondition` or `assert`.
pub fn require_reference(forest: &Forest, condition: ExprAt, kind: &str, out: &mut Diagnostics) {
    if statics::references(forest, condition).is_empty() {
        out.push(
            Diagnostic::tool(
                &codes::CONDITION_WITHOUT_REFERENCE,
                forest.expr_span(condition),
                "The condition does not refer to anything, so its result is always the same. Refer to the object that it checks.",
            )
            .titled(format!("Invalid {kind} expression")),
        );
    }
}

/// Checks the condition and the message of a validation of `variable`.
pub fn validation(
    forest: &Forest,
    condition: Option<ExprAt>,
    message: Option<ExprAt>,
    variable: &str,
    foreign: ForeignReferences,
    words: AddressWords,
    out: &mut Diagnostics,
) {
    let is_own = |traversal: &Traversal<'_>| {
        references::reference(traversal, words, &mut Diagnostics::new())
            .is_some_and(|found| matches!(found.subject, Subject::Variable(name) if name == variable))
    };
    let refuse = |traversal: &Traversal<'_>, out: &mut Diagnostics| {
        error(
            out,
            &codes::VALIDATION_REFERENCE,
            traversal.span,
            format!("In this version the condition of a validation can refer only to `var.{variable}`."),
        );
    };
    if let Some(condition) = condition {
        let mut own = false;
        for traversal in statics::references(forest, condition) {
            if is_own(&traversal) {
                own = true;
            } else if foreign != ForeignReferences::Allowed {
                refuse(&traversal, out);
            }
        }
        if !own {
            error(
                out,
                &codes::VALIDATION_CONDITION,
                forest.expr_span(condition),
                format!("The condition must refer to `var.{variable}`, the variable that it validates."),
            );
        }
    }
    if let Some(message) = message
        && foreign == ForeignReferences::Refused
    {
        for traversal in statics::references(forest, message) {
            if !is_own(&traversal) {
                refuse(&traversal, out);
            }
        }
    }
}

/// The object that contains a condition block.
#[derive(Clone, Copy, Debug)]
pub struct ConditionOwner<'a> {
    /// The mode.
    pub mode: ResourceMode,
    /// The type.
    pub type_name: &'a str,
    /// The name.
    pub name: &'a str,
}

/// Reports a condition block (`kind`: `precondition` or `postcondition`) that refers to the object that contains it,
/// with one error for each expression, at the expression.
pub fn forbid_self_reference(
    forest: &Forest,
    expressions: impl IntoIterator<Item = ExprAt>,
    kind: &str,
    holder: ConditionOwner<'_>,
    words: AddressWords,
    out: &mut Diagnostics,
) {
    for expr in expressions {
        let names_holder = statics::references(forest, expr).iter().any(|traversal| {
            references::reference(traversal, words, &mut Diagnostics::new()).is_some_and(|found| {
                matches!(&found.subject, Subject::Resource { mode, type_name, name, .. }
                    if *mode == holder.mode && type_name == holder.type_name && name == holder.name)
            })
        });
        if names_holder {
            out.push(
                Diagnostic::tool(
                    &codes::SELF_REFERENCE,
                    forest.expr_span(expr),
                    "A block cannot refer to its own object by address. Use `self` instead.",
                )
                .titled(format!("Invalid reference in {kind}")),
            );
        }
    }
}

/// Checks an argument of a destroy-time provisioner, or of a connection that one uses: reports one error for each
/// reference to anything but `self`, `count.index`, `each.key`, `path` and `terraform`, at the whole expression.
pub fn check_destroy_references(forest: &Forest, expr: ExprAt, words: AddressWords, out: &mut Diagnostics) {
    for traversal in statics::references(forest, expr) {
        let second = traversal.attr(0);
        let fits = match &*traversal.root {
            "self" | "path" => true,
            word if words.is_tool(word) => true,
            "count" => traversal.steps.len() == 1 && second == Some("index"),
            "each" => traversal.steps.len() == 1 && second == Some("key"),
            _ => false,
        };
        if !fits {
            error(
                out,
                &codes::DESTROY_REFERENCE,
                forest.expr_span(expr),
                "When an object is destroyed, other objects may no longer exist, so a destroy-time provisioner cannot refer to them. Use only `self`, `count.index` and `each.key`.",
            );
        }
    }
}

/// Whether versions before 1.2 accept a message (terraform.md, section 10.2 (1.2)): it is not empty, does not begin
/// with a lower-case letter, and ends with `.`, `?` or `!`.
pub fn is_sentence(message: &str) -> bool {
    let begins = message.chars().next().is_some_and(|c| !c.is_lowercase());
    begins && message.ends_with(['.', '?', '!'])
}
