//! The part `configuration` of the document (plan.md, section 16).

use super::sink::Sink;
use overfold_module::plan::configuration::Configuration;

/// Writes the part.
pub(super) fn write(sink: &mut Sink, _configuration: &Configuration) {
    sink.object(|_| {});
}
