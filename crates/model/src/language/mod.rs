//! The small languages in arguments: references, addresses, sources of modules and providers, version constraints,
//! keywords, and what conditions may refer to.

pub mod addresses;
pub mod codes;
pub mod conditions;
pub mod constants;
pub mod dependencies;
mod hostname;
pub mod keywords;
pub mod module_source;
pub mod names;
pub mod provider_refs;
pub mod references;
pub mod required_providers;
