//! Merges an override block into the base with the same address, according to the rows of the dialect (terraform.md,
//! section 7; opentofu.md, section 4).
//!
//! 1. Arguments. An argument of the override replaces the argument of the base with the same name, even if it is null;
//!    new arguments are added; maps and lists are values like any other and are never merged. If the dialect has a row
//!    for the argument, the row's [`AttrMerge`] can specify otherwise: never merged, refused, merged unless empty, and
//!    so on.
//! 2. Nested blocks that have a row are merged by the row's [`OverrideRule`]: part by part (`lifecycle`), as a whole
//!    (`connection`), or all blocks of a type by all blocks of that type (`provisioner`).
//! 3. Nested blocks without a row are replaced by type: a type that occurs in the override, written out or generated
//!    by `dynamic`, replaces all blocks of that type in the base, written out or generated. The remaining blocks of
//!    the base come first, then those of the override in their order. Nothing inside such blocks is merged.
//! 4. A JSON property is a block if it is merged with a block (terraform.md, section 9).
//! 5. What was replaced stays attached to its replacement ([`BlockMerger`] does this). Each change, including what is
//!    ignored, is recorded with the rule that caused it.

use foldhash::HashSet;

use super::block::{BlockMerger, BlockType, Grouping, by_type, nested_rule};
use super::codes;
use super::losses::Losses;
use super::record::{Context, Reason};
use super::repetition::{repetitions, settle};
use overfold_base::diag::{Diagnostic, Span};
use overfold_dialect::{AttrMerge, Missing, NestedRule, OverrideRule};
use overfold_model::config::{Argument, Block, ChangeKind, DecodedArgument, MergeRule, Part};
use overfold_syntax::ExprAt;

/// Merges one override block into its base.
pub(super) fn merge_block<'f>(base: &mut BlockMerger<'f>, over: Block<'f>, cx: &mut Context<'f, '_>) {
    ByRow { nested: nested_rule(base.spec()), base, over: over.range, cx }.merge(over);
}

/// An override block that is being merged into its base.
struct ByRow<'m, 'f, 'c> {
    base: &'m mut BlockMerger<'f>,
    /// How nested blocks without a row are merged.
    nested: NestedRule,
    /// The range of the override block.
    over: Span,
    cx: &'m mut Context<'f, 'c>,
}

impl<'f> ByRow<'_, 'f, '_> {
    fn merge(&mut self, mut over: Block<'f>) {
        self.base.overridden_by(&over);
        if self.base.spec().is_some_and(|row| row.traits.takes_override_position) {
            self.base.move_to(over.header, over.range);
        }
        let repeated = repetitions(self.base);
        let mark = self.cx.record.len();
        self.refuse_for_base();
        self.resolve_json_blocks(&mut over);
        self.remove_unset(&over);
        if self.nested == NestedRule::ByName {
            self.remove_other_form(&over);
        }
        for &argument in over.arguments {
            self.argument(argument);
        }
        for &argument in over.escaped {
            let (name, range) = (argument.name, argument.range);
            let before = self.base.set_escaped(argument);
            self.cx.set(name, before, range, self.reason(REPLACE));
        }
        self.blocks(over.blocks);
        settle(self.base, &repeated, mark, self.over, self.cx);
    }

    fn reason(&self, rule: MergeRule) -> Reason {
        Reason { within: self.base.header(), rule }
    }

    /// Removes from the base the other form of what the override sets, in a syntax in which an argument and a block of
    /// the same name mean the same.
    fn remove_other_form(&mut self, over: &Block<'f>) {
        let reason = self.reason(MergeRule::Nested(NestedRule::ByName));
        for argument in over.arguments.iter().filter(|argument| argument.spec.is_none()) {
            for gone in self.base.remove_blocks([BlockType::named(argument.name)]) {
                let part = Part::Block(gone.keyword);
                self.cx.record_change(part, ChangeKind::Removed, Some(gone.range), argument.range, reason);
            }
        }
        for block in over.blocks.iter().filter(|block| block.spec.is_none()) {
            if self.base.argument(block.keyword).is_some_and(|argument| argument.spec.is_none()) {
                let gone = self.base.remove_recorded(block.keyword);
                self.cx.record_change(Part::Argument(block.keyword), ChangeKind::Removed, gone, block.range, reason);
            }
        }
    }

    fn blocks(&mut self, over: &[Block<'f>]) {
        let (with_row, open): (Vec<Block<'f>>, Vec<Block<'f>>) =
            over.iter().copied().partition(|block| block.spec.is_some());
        self.blocks_without_rows(open);
        self.blocks_with_rows(with_row);
    }

    // Rule 1: arguments.

    fn argument(&mut self, over: Argument<'f>) {
        let is_empty = match &over.decoded {
            DecodedArgument::Entries(entries) => *entries == 0,
            DecodedArgument::Text(text) => text.is_empty(),
            _ => false,
        };
        let unreadable = over.decoded == DecodedArgument::Wrong;
        let base = self.base.argument(over.name);
        if over.decoded == DecodedArgument::Nothing && base.is_some() {
            // The tool has nothing to replace the argument of the base with; the reason has been reported.
            self.without_effect(&over);
            return;
        }
        match rule_of(&over) {
            AttrMerge::Never | AttrMerge::BaseStays | AttrMerge::RefuseWhenBaseHasItems(_) => self.ignored(&over),
            AttrMerge::RefuseUnlessEmpty(title) => match &over.decoded {
                DecodedArgument::Items(items) => match items.first() {
                    Some(&first) => self.refused(title, first, &over),
                    None => self.ignored(&over),
                },
                // A list that could not be read, which was reported when the file was loaded, has no items to refuse.
                _ => {
                    self.without_effect(&over);
                }
            },
            AttrMerge::ReplaceUnlessEmptyText | AttrMerge::ReplaceUnlessEmptyMap if is_empty => {
                self.ignored(&over);
            }
            AttrMerge::ReplaceUnlessOne if matches!(&over.decoded, DecodedArgument::Text(text) if &**text == "1") => {
                self.ignored(&over);
            }
            // There is no readable value to replace anything with; the reason has been reported.
            AttrMerge::ReplaceUnlessEmptyText if unreadable => {
                self.without_effect(&over);
            }
            AttrMerge::Key if base.is_some() => {}
            AttrMerge::IgnoreChanges { all_counts } => self.ignore_changes(over, *all_counts),
            AttrMerge::Or => {
                let stays = base.is_some_and(|base| base.decoded == DecodedArgument::Bool(true));
                if stays && over.decoded == DecodedArgument::Bool(false) {
                    self.ignored(&over);
                } else {
                    self.set(over);
                }
            }
            AttrMerge::Replace
            | AttrMerge::EvenIfUnset
            | AttrMerge::Key
            | AttrMerge::VariableType
            | AttrMerge::VariableDefault
            | AttrMerge::ReplaceUnlessEmptyText
            | AttrMerge::ReplaceUnlessEmptyMap
            | AttrMerge::ReplaceUnlessOne => self.set(over),
        }
    }

    /// Replaces the argument of the same name, or adds the argument at the end.
    fn set(&mut self, over: Argument<'f>) {
        let reason = self.reason(MergeRule::Argument(rule_of(&over)));
        let (name, range) = (over.name, over.range);
        let before = self.base.set(over);
        self.cx.set(name, before, range, reason);
    }

    /// Removes those arguments of the base that an override removes by not setting them.
    fn remove_unset(&mut self, over: &Block<'_>) {
        for row in self.base.spec().into_iter().flat_map(|spec| spec.attrs) {
            if row.merge != AttrMerge::EvenIfUnset || over.arguments.iter().any(|stated| *stated.name == *row.name) {
                continue;
            }
            let Some(gone) = self.base.remove_recorded(row.name) else { continue };
            let reason = self.reason(MergeRule::Argument(&row.merge));
            self.cx.record_change(Part::Argument(row.name), ChangeKind::Removed, Some(gone), over.range, reason);
            let detail = format!(
                "This `{}` block does not set `{name}`, so the `{name}` of the original block is removed. Repeat the argument here to keep it.",
                over.keyword,
                name = row.name
            );
            let found = Diagnostic::ours(&codes::ARGUMENT_LOST, over.header, detail).about(self.cx.address);
            self.cx.out.push(found.and("this is lost", gone));
        }
    }

    /// Merges `ignore_changes`. A list replaces a list. The keyword `all` replaces a list and cannot be undone: the
    /// tool keeps a later list in addition to it, but never uses that list.
    fn ignore_changes(&mut self, over: Argument<'f>, all_counts: bool) {
        let base = self.base.argument(over.name);
        let all = base.filter(|base| base.decoded == DecodedArgument::All).map(|base| base.range);
        match (&over.decoded, all) {
            (DecodedArgument::All, _) if !all_counts => self.ignored(&over),
            (DecodedArgument::Items([]), _) => self.ignored(&over),
            (DecodedArgument::Items(_), Some(all)) => self.note_all_kept(&over, all),
            _ => self.set(over),
        }
    }

    /// Notes that a list changes nothing, because the base has `all`.
    fn note_all_kept(&mut self, over: &Argument<'f>, all: Span) {
        self.without_effect(over);
        let detail = format!(
            "An override file cannot undo `{} = all`: all changes are still ignored, and this list has no effect.",
            over.name
        );
        let note = Diagnostic::ours(&codes::ARGUMENT_IGNORED, over.range, detail).about(self.cx.address);
        self.cx.out.push(note.and("this still applies", all));
    }

    /// Records that an argument changes nothing. Returns the location of the argument that is kept.
    fn without_effect(&mut self, over: &Argument<'f>) -> Option<Span> {
        let kept = self.base.argument(over.name).map(|kept| kept.range);
        let reason = self.reason(MergeRule::Argument(rule_of(over)));
        self.cx.record_change(Part::Argument(over.name), ChangeKind::Ignored, kept, over.range, reason);
        kept
    }

    fn ignored(&mut self, over: &Argument<'f>) {
        let kept = self.without_effect(over);
        let detail = format!(
            "`{}` is silently ignored in an override file, so it has no effect here. Set it in the primary file.",
            over.name
        );
        let mut note = Diagnostic::ours(&codes::ARGUMENT_IGNORED, over.range, detail).about(self.cx.address);
        if let Some(kept) = kept {
            note = note.and("this value is kept", kept);
        }
        self.cx.out.push(note);
    }

    fn refused(&mut self, title: &'static str, at: Span, over: &Argument<'f>) {
        let kept = self.without_effect(over);
        let detail = format!(
            "An override file cannot change `{}`. Remove the argument here, or change it in the primary file.",
            over.name
        );
        let mut error = Diagnostic::tool(&codes::ARGUMENT_REFUSED, at, detail).titled(title).about(self.cx.address);
        if let Some(kept) = kept {
            error = error.and("this value is kept", kept);
        }
        self.cx.out.push(error);
    }

    /// Refuses overrides of blocks with items in certain lists. Some releases checked the base where they should have
    /// checked the override (terraform.md, section 10.2 (1.4.1)): they refuse every override.
    fn refuse_for_base(&mut self) {
        for row in self.base.spec().into_iter().flat_map(|spec| spec.attrs) {
            if let AttrMerge::RefuseWhenBaseHasItems(title) = row.merge
                && let Some(Argument { decoded: DecodedArgument::Items(items), .. }) = self.base.argument(row.name)
                && let Some(&first) = items.first()
            {
                let detail = format!(
                    "This release rejects every override of a block whose `{}` is not empty, even an override that does not set it. Change the primary file instead.",
                    row.name
                );
                let error = Diagnostic::tool(&codes::ARGUMENT_REFUSED, first, detail);
                self.cx.out.push(error.titled(title).about(self.cx.address));
            }
        }
    }

    // Rule 2: nested blocks with a row.

    fn blocks_with_rows(&mut self, over: Vec<Block<'f>>) {
        let replacing =
            over.iter().filter(|block| block.spec.is_some_and(|row| row.over == OverrideRule::AllReplace));
        for (of_type, new) in by_type(replacing, |block| self.base.type_of(block)) {
            let reason = self.reason(MergeRule::Block(&OverrideRule::AllReplace));
            let gone = self.base.remove_blocks([of_type]);
            self.cx.record_replaced_blocks(&gone, &new, Losses::Reported, reason);
        }
        let given: HashSet<&str> = over.iter().map(|block| block.keyword).collect();
        for row in self.base.spec().into_iter().flat_map(|spec| spec.blocks) {
            if let OverrideRule::GoesWith(other) = row.over
                && given.contains(other)
            {
                let reason = self.reason(MergeRule::Block(&row.over));
                for gone in self.base.remove_blocks([BlockType::with_row(row.keyword)]) {
                    self.cx.record_change(
                        Part::Block(row.keyword),
                        ChangeKind::Removed,
                        Some(gone.range),
                        self.over,
                        reason,
                    );
                }
            }
        }
        for block in over {
            let Some(row) = block.spec else { continue };
            match row.over {
                OverrideRule::GoesWith(other) if given.contains(other) => self.add(block, &row.over),
                OverrideRule::GoesWith(other) => {
                    let why = format!("it is read only together with `{other}` blocks in the same override");
                    self.note_dropped(&block, &row.over, &why);
                }
                OverrideRule::BaseStays => self.note_dropped(
                    &block,
                    &row.over,
                    "an override cannot change blocks of this type, so it is silently ignored",
                ),
                OverrideRule::AllReplace => self.base.push(block),
                OverrideRule::Merge { missing } => match self.base.same_header(&block) {
                    Some(base) => merge_block(base, block, self.cx),
                    None if missing == Missing::Adopt => self.adopt(block, &row.over),
                    None => self.ignored_block(&block, &row.over),
                },
                OverrideRule::ReplaceWhole { missing } => self.replace_block(block, missing, &row.over),
                // Reported and removed when the file was loaded, or only for the top level.
                OverrideRule::Refused { .. }
                | OverrideRule::Ignored
                | OverrideRule::OnePerFile { .. }
                | OverrideRule::OnePerFileMerged { .. }
                | OverrideRule::AllOfFileReplace
                | OverrideRule::Added
                | OverrideRule::MergeIntoNamesake
                | OverrideRule::InList(_) => {}
            }
        }
    }

    /// Adds a nested block that has no base.
    fn add(&mut self, block: Block<'f>, rule: &'static OverrideRule) {
        let reason = self.reason(MergeRule::Block(rule));
        self.cx.record_change(Part::Block(block.keyword), ChangeKind::Added, None, block.range, reason);
        self.base.push(block);
    }

    /// Replaces the nested block that has the same header.
    fn replace_block(&mut self, block: Block<'f>, missing: Missing, rule: &'static OverrideRule) {
        let reason = self.reason(MergeRule::Block(rule));
        if self.base.same_header(&block).is_none() {
            match missing {
                Missing::Adopt => self.add(block, rule),
                _ => self.ignored_block(&block, rule),
            }
        } else if let Some(old) = self.base.replace(block) {
            let part = Part::Block(block.keyword);
            self.cx.record_change(part, ChangeKind::Replaced, Some(old.range), block.range, reason);
            self.cx.record_lost_contents(&old, &block, Losses::Reported, reason);
        }
    }

    /// Adds a nested block without a base, as far as its content can be merged.
    fn adopt(&mut self, block: Block<'f>, rule: &'static OverrideRule) {
        let over = block.range;
        let empty = Block { arguments: &[], blocks: &[], ..block };
        let mut inner = BlockMerger::new(empty, Grouping::ByRow, self.cx.forest);
        let around = std::mem::replace(&mut self.cx.is_new, true);
        let mut adopting = ByRow { nested: nested_rule(inner.spec()), base: &mut inner, over, cx: self.cx };
        for &argument in block.arguments {
            if *rule_of(&argument) == AttrMerge::BaseStays {
                adopting.set(argument);
            } else {
                adopting.argument(argument);
            }
        }
        adopting.blocks(block.blocks);
        self.cx.is_new = around;
        let adopted = inner.close();
        let nothing = adopted.arguments.is_empty() && adopted.blocks.is_empty();
        if !(nothing && adopted.spec.is_some_and(|row| row.omit_if_empty)) {
            self.add(adopted, rule);
        }
    }

    /// Records that a nested block changes nothing.
    fn ignored_block(&mut self, block: &Block<'f>, rule: &'static OverrideRule) {
        let kept = self.base.same_header(block).map(|kept| kept.range());
        let reason = self.reason(MergeRule::Block(rule));
        self.cx.record_change(Part::Block(block.keyword), ChangeKind::Ignored, kept, block.range, reason);
    }

    /// Records that a nested block changes nothing, and reports a note.
    fn note_dropped(&mut self, block: &Block<'f>, rule: &'static OverrideRule, why: &str) {
        self.ignored_block(block, rule);
        let detail = format!("This `{}` block of an override file has no effect: {why}.", block.keyword);
        let note = Diagnostic::ours(&codes::BLOCK_DROPPED, block.header, detail);
        self.cx.out.push(note.about(self.cx.address));
    }

    // Rule 3: nested blocks without a row.

    fn blocks_without_rows(&mut self, over: Vec<Block<'f>>) {
        // All blocks of these types are removed from the base before those of the override are added, so that the
        // latter do not replace each other.
        let reason = self.reason(MergeRule::Nested(self.nested));
        for (of_type, new) in by_type(over.iter(), |block| self.base.type_of(block)) {
            let gone = self.base.remove_blocks([of_type]);
            self.cx.record_replaced_blocks(&gone, &new, Losses::Reported, reason);
        }
        for block in over {
            self.base.push(block);
        }
    }

    // Rule 4: JSON properties.

    /// Converts JSON properties on either side into blocks if the other side has blocks of that type.
    fn resolve_json_blocks(&mut self, over: &mut Block<'f>) {
        let may_be_block = |argument: &Argument<'_>| argument.spec.is_none() && is_json(argument);
        let types: Vec<&str> = over
            .blocks
            .iter()
            .filter(|inner| inner.spec.is_none())
            .map(|inner| self.base.type_of(inner).name())
            .collect();
        for property in self.base.take_arguments(types, may_be_block) {
            for block in overfold_model::config::blocks_of_property(self.cx.forest, &property) {
                self.base.push(block);
            }
        }
        let mut is_block =
            |argument: &Argument<'f>| may_be_block(argument) && self.base.has(BlockType::named(argument.name));
        if over.arguments.iter().any(&mut is_block) {
            let forest = self.cx.forest;
            let (properties, arguments): (Vec<Argument<'f>>, Vec<Argument<'f>>) =
                over.arguments.iter().copied().partition(is_block);
            over.arguments = forest.keep_list(&arguments);
            let mut blocks = over.blocks.to_vec();
            for property in &properties {
                blocks.extend(overfold_model::config::blocks_of_property(forest, property));
            }
            over.blocks = forest.keep_list(&blocks);
        }
    }
}

/// The rule of arguments without a row.
const REPLACE: MergeRule = MergeRule::Argument(&AttrMerge::Replace);

fn rule_of(argument: &Argument<'_>) -> &'static AttrMerge {
    argument.spec.map_or(&AttrMerge::Replace, |row| &row.merge)
}

fn is_json(argument: &Argument<'_>) -> bool {
    matches!(argument.expr, ExprAt::Json(..))
}
