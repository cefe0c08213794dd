//! What is checked of the options where two configurations, or two versions, are compared.

use overfold_module::pipeline::ToolStage;
use overfold_output::ConfigFormat;

use super::MergeOptions;
use super::prepare::check_name;
use super::prepare_plan::check_has_plans;
use crate::limits::RequestLimits;
use crate::refusal::{Refusal, RefusalKind};

/// Refuses the options that select the parts and the form of a merged module, on behalf of `what`, which shows none.
///
/// # Errors
/// Refuses the first such option.
pub(crate) fn refuse_parts(options: &MergeOptions, what: &str) -> Result<(), Refusal> {
    let chosen = [
        (options.include.is_some(), "include"),
        (options.config_format != ConfigFormat::default(), "config_format"),
        (options.resolve, "resolve"),
    ];
    match chosen.iter().find(|(is_chosen, _)| *is_chosen) {
        Some((_, name)) => {
            let why = format!("{name}: this option does not apply to {what}; leave it out");
            Err(Refusal::new(RefusalKind::BadOption, why).at(format!("/{name}")))
        }
        None => Ok(()),
    }
}

/// Returns the options of a comparison of versions, which has a default of its own for the stage.
///
/// # Errors
/// Refuses options that have no meaning there, those about the parts of a merged module, and many modules at once, which
/// is not implemented yet.
pub(crate) fn for_comparison(options: MergeOptions) -> Result<MergeOptions, Refusal> {
    refuse_parts(&options, "a comparison of versions")?;
    if options.recursive {
        return Err(Refusal::not_implemented("the option recursive for a comparison of versions").at("/recursive"));
    }
    Ok(MergeOptions { stage: options.stage.or(Some(ToolStage::Load)), ..options })
}

/// Checks the new version. Whether it is known is only looked up when it is followed.
///
/// # Errors
/// Refuses a dialect without plans, and a version that is too long to be one.
pub(crate) fn check_target(dialect: &str, version: Option<&str>, limits: &RequestLimits) -> Result<(), Refusal> {
    check_has_plans(dialect).map_err(|refusal| refusal.at("/to/dialect"))?;
    version.map_or(Ok(()), |version| check_name(version, "the version in to", "/to/version", limits))
}
