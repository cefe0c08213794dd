//! Content that only test files have: addresses of what a test overrides, the module that a test runs, and blocks that
//! must differ from each other (terraform.md, section 12).

use super::Decoder;
use crate::decode::codes;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Span};
use overfold_dialect::{ClashPlace, Identity, Overridden, words};
use overfold_model::body::content::{Content, ContentAttribute};
use overfold_model::config::{Block, DecodedArgument};
use overfold_model::language::addresses::Target;
use overfold_model::language::module_source::SourceKind;
use overfold_model::language::references::ResourceMode;
use overfold_model::language::{addresses, module_source};
use std::collections::HashMap;

impl<'f> Decoder<'f, '_> {
    /// Reads the address of what is overridden, as a string in canonical form.
    pub(super) fn override_target(
        &mut self,
        attribute: &ContentAttribute<'_>,
        of: Overridden,
        title: &'static str,
    ) -> DecodedArgument<'f> {
        let words = self.words();
        let Some(target) = addresses::moved(self.forest, attribute.expr, words, self.out) else {
            return DecodedArgument::Wrong;
        };
        if kind(&target) == Some(of) {
            return self.kept_text(&target.to_string());
        }
        let wanted = match of {
            Overridden::Resource => "a managed resource",
            Overridden::Data => "a data source",
            Overridden::Module => "a module",
        };
        let detail = format!(
            "This block overrides {wanted}, so its target must be the address of one. Correct the address, or use the block type that matches it."
        );
        self.report(&overfold_model::language::codes::OVERRIDE_TARGET, title, attribute.range, detail);
        DecodedArgument::Wrong
    }

    /// Reads the source of the module that a test runs. If there is a version, readable or not, it must be a registry
    /// address.
    pub(super) fn tested_source(
        &mut self,
        attribute: &ContentAttribute<'_>,
        downloaded: bool,
        around: &Content<'_>,
    ) -> DecodedArgument<'f> {
        let DecodedArgument::Text(source) = self.text(attribute.expr) else { return DecodedArgument::Wrong };
        let (code, found) = if around.attribute(words::VERSION).is_some() {
            (&codes::REGISTRY_SOURCE, module_source::parse_registry(source))
        } else {
            let found = match module_source::parse(source) {
                Ok(SourceKind::Remote) if !downloaded => {
                    Err("The module of a test must be a local path or come from a registry.".to_owned())
                }
                Ok(_) => Ok(()),
                Err(why) => Err(why),
            };
            (&codes::MODULE_SOURCE, found)
        };
        match found {
            Ok(()) => DecodedArgument::Text(source),
            Err(why) => {
                self.out.push(Diagnostic::tool(code, attribute.range, why));
                DecodedArgument::Wrong
            }
        }
    }

    /// Reports blocks of these types that are the same as an earlier one.
    pub(super) fn blocks_differ(
        &mut self,
        around: &Block<'_>,
        keywords: &[&str],
        by: Identity,
        title: &'static str,
        place: ClashPlace,
    ) {
        let mut firsts: HashMap<String, Span> = HashMap::new();
        for block in around.blocks.charged(4) {
            if !keywords.contains(&block.keyword) {
                continue;
            }
            let Some(name) = name(block, by) else { continue };
            account::touch(name.len());
            let Some(&first) = firsts.get(&name) else {
                firsts.insert(name, block.header);
                continue;
            };
            let at = match place {
                ClashPlace::Header => block.header,
                ClashPlace::Label => block.labels.last().map_or(block.header, |label| label.span),
                ClashPlace::Around => around.header,
            };
            let keyword = block.keyword;
            let detail = match by {
                Identity::Labels => {
                    format!(
                        "An earlier `{keyword}` block already has the name {name:?}. Give each block a name of its own."
                    )
                }
                Identity::LabelAndAlias => {
                    format!(
                        "An earlier block already configures the provider {name:?}. Remove one of them, or set different aliases."
                    )
                }
                Identity::Argument(argument) => {
                    format!(
                        "An earlier `{keyword}` block already has {name:?} as its {argument}. Remove one of the two."
                    )
                }
            };
            let title = self.dialect.title(codes::DUPLICATE_INNER.id, title);
            let mut found = Diagnostic::tool(&codes::DUPLICATE_INNER, at, detail).titled(title);
            found = found.and("the first one", first);
            if place == ClashPlace::Around {
                found = found.and("the later one", block.header);
            }
            self.out.push(found);
        }
    }

    /// Reports a flag that is false although a keyword requires it to be true. A flag that cannot be read is treated
    /// as false.
    pub(super) fn word_forbids_false(
        &mut self,
        block: &Block<'_>,
        (argument, word): (&str, &str),
        flag: &str,
        title: &'static str,
    ) {
        let has_word = block
            .argument(argument)
            .is_some_and(|found| matches!(&found.decoded, DecodedArgument::Text(text) if *text == word));
        let flag = block.argument(flag).filter(|found| found.decoded != DecodedArgument::Bool(true));
        if let (true, Some(flag)) = (has_word, flag) {
            let detail = format!(
                "{:?} cannot be false when {argument} is {word}: such a run only refreshes the state, so it would have nothing to do.",
                flag.name
            );
            self.report(&codes::PLAN_OPTIONS, title, flag.range, detail);
        }
    }
}

fn kind(target: &Target) -> Option<Overridden> {
    match target.resource.as_ref().map(|resource| resource.mode) {
        None => Some(Overridden::Module),
        Some(ResourceMode::Managed) => Some(Overridden::Resource),
        Some(ResourceMode::Data) => Some(Overridden::Data),
        Some(_) => None,
    }
}

/// Returns what distinguishes the block from others; `None` if it cannot be read.
fn name(block: &Block<'_>, by: Identity) -> Option<String> {
    let text = |argument: &str| match &block.argument(argument)?.decoded {
        DecodedArgument::Text(text) => Some(*text),
        _ => None,
    };
    let labels = || block.labels.iter().map(|label| label.text);
    Some(match by {
        Identity::Labels => labels().collect::<Vec<_>>().join("."),
        Identity::LabelAndAlias => {
            labels().take(1).chain(text(words::ALIAS).filter(|alias| !alias.is_empty())).collect::<Vec<_>>().join(".")
        }
        Identity::Argument(argument) => text(argument)?.to_owned(),
    })
}
