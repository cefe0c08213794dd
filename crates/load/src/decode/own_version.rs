//! Constraints on the tool's own version that are checked while they are read (opentofu.md, section 2).

use crate::decode::{Decoder, codes};
use crate::tool_version;
use overfold_base::diag::{Diagnostic, Phase, Reporting as _, Span};
use overfold_base::versions::{Constraints, Version};
use overfold_dialect::{BlockSpec, OwnVersionHolder, Release};
use overfold_model::body::content;
use overfold_model::body::content::{ArgumentSchema, ConsumedNames, Content, ContentAttribute, ContentBlock, Schema};
use overfold_model::config::OwnVersion;
use overfold_model::language::constants;

impl<'f> Decoder<'f, '_> {
    /// Checks one constraint against the version that is followed.
    pub(super) fn own_version(&mut self, attribute: &ContentAttribute<'f>) {
        let Some(text) = constants::version_constraint(self.forest, attribute.expr, self.out) else { return };
        self.own_versions.push(OwnVersion { text: text.clone(), range: attribute.range });
        let hides = self.dialect.rules.required_version.unmet_hides_others;
        for found in
            tool_version::constraint_problems(&text, attribute.range, &codes::INCOMPATIBLE_MODULE, self.dialect)
        {
            if hides && found.code == &codes::INCOMPATIBLE_MODULE {
                self.out.push_in(Phase::OwnVersion, found);
            } else {
                self.out.push(found);
            }
        }
        let detail = format!(
            "{} compares this constraint with its own version while it reads the file and then discards it, so it is not part of the merged configuration.",
            self.dialect.tool
        );
        self.out.push(Diagnostic::ours(&codes::OWN_VERSION_NOT_KEPT, attribute.range, detail));
    }

    /// Checks the blocks that constrain the tool's own version, if the row has such a rule, and returns their type.
    /// Whether the constraints are met is checked elsewhere.
    pub(super) fn states_own_version(
        &mut self,
        spec: &'static BlockSpec,
        around: &ContentBlock<'f>,
        content: &Content<'f>,
    ) -> Option<&'static str> {
        let OwnVersionHolder { block, argument, before } = spec.traits.states_own_version?;
        let mut first: Option<Span> = None;
        for inner in content.blocks_of(block) {
            if let Some(first) = first {
                let detail = format!(
                    "Only one `{block}` block inside `{}` can set the version of {}. Remove the others.",
                    around.keyword, self.dialect.tool
                );
                self.out.push(
                    Diagnostic::tool(&codes::DUPLICATE_INNER, around.header, detail)
                        .titled(format!("Duplicate {block} block"))
                        .and("the first one", first)
                        .and("another one", inner.header),
                );
            } else {
                first = self.one_own_version(inner, argument, before);
            }
        }
        Some(block)
    }

    /// Returns the location of the constraint in a block, if it can be read.
    fn one_own_version(&mut self, block: &ContentBlock<'f>, argument: &str, before: Release) -> Option<Span> {
        let schema = Schema { arguments: &[ArgumentSchema::optional(argument)], blocks: &[] };
        let mut hidden = ConsumedNames::NONE;
        let (content, body) =
            self.out.watch(|out| content::partial(self.forest, block.body, &mut hidden, schema, out));
        for other in content::open(self.forest, block.body, &hidden, &|_| None).attributes {
            let detail = format!("{:?} is meant for other software, so it is ignored.", other.name);
            self.out.push(Diagnostic::ours(&codes::FORGOTTEN_ARGUMENT, other.range, detail));
        }
        let Some(attribute) = content.attribute(argument) else {
            if body.is_clean() {
                let detail = format!(
                    "{} crashes on a `{}` block that does not set {argument:?}. Add the argument.",
                    self.dialect.tool, block.keyword
                );
                self.out.push(Diagnostic::ours(&codes::CRASHES_THE_TOOL, block.header, detail));
            }
            return None;
        };
        let (text, constraint) =
            self.out.watch(|out| constants::version_constraint(self.forest, attribute.expr, out));
        if constraint.failed() {
            return None;
        }
        let Release(major, minor, patch) = before;
        let older = Version::release(major.into(), minor.into(), patch.into());
        // No constraint, which is what null means, allows every version.
        if body.is_clean()
            && text.is_none_or(|text| Constraints::parse(&text).is_some_and(|known| known.allow(&older)))
        {
            let detail = format!(
                "Releases up to {major}.{minor} do not know the `{}` block, so they ignore this constraint. Use a constraint that excludes them.",
                block.keyword
            );
            self.out.push(Diagnostic::tool(&codes::INEFFECTIVE_CONSTRAINT, attribute.range, detail));
        }
        Some(attribute.range)
    }
}
