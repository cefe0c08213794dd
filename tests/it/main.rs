//! Integration tests that are not data-driven. They form one binary, so that the suite is linked once.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on says so by panicking")]

#[global_allocator]
static ALLOCATOR: overfold_cli::account::Allocator = overfold_cli::account::Allocator;

#[path = "../syntax_tree/mod.rs"]
#[expect(dead_code, reason = "the recorded cases use the rest")]
mod syntax_tree;
mod architecture;
mod bounded_answers;
mod cache_key;
mod changes;
mod cli;
mod cli_help;
mod cli_plan;
mod codes;
mod command_line_hints;
mod colours;
mod comments;
mod compatibility;
mod config_goldens;
mod dialects;
mod difference;
mod difference_details;
mod difference_parts;
mod difference_trees;
mod documents;
mod overridden_objects;
mod examples;
mod formats;
mod formats_of_trees;
mod findings;
mod forms;
mod hcl1_syntax;
mod http;
mod issuer;
mod json_bodies;
mod lessons;
mod library;
mod log_commands;
mod meant_version;
mod merged_checks;
mod module_directory;
mod native_syntax;
mod overrides;
mod opentofu_regressions;
mod opentofu_objects;
mod openapi;
mod opentofu_settings;
mod opentofu_statics;
mod plan_absent;
mod plan_assumed;
mod plan_conditions;
mod plan_difference;
mod plan_limits;
mod plan_modules;
mod plan_versions;
mod plan_whole;
mod planning;
mod provider_schemas;
mod reading_once;
mod reloading;
mod resolving;
mod repositories;
mod rule_citations;
mod second_opinion;
mod secrets;
mod sentinel_mock;
mod service;
mod severities;
mod terraform_0_11;
mod test_files;
mod texts;
mod upgrade;
mod tflint;
mod source;
mod variables;
mod variables_0_11;
