//! How large what a request asks about may be.

#[cfg(feature = "program")]
use clap::builder::RangedU64ValueParser;

use overfold_syntax::SyntaxLimits;

/// How large what a request asks about may be. When a limit is exceeded, the answer names it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[cfg_attr(feature = "program", command(next_help_heading = "Limits of a request"))]
pub struct RequestLimits {
    /// Maximum number of files, folders and other entries in a request
    #[cfg_attr(feature = "program", arg(long, env = "OVERFOLD_MAX_ENTRIES", default_value_t = Self::DEFAULT.max_entries, value_name = "COUNT",
        value_parser = clap::value_parser!(u64).range(1..=Self::HIGHEST_ENTRIES)))]
    pub max_entries: u64,
    /// Maximum size of one file, in bytes
    #[cfg_attr(feature = "program", arg(long, env = "OVERFOLD_MAX_FILE_BYTES", default_value_t = Self::DEFAULT.max_file_bytes, value_name = "BYTES",
        value_parser = clap::value_parser!(u64).range(1..)))]
    pub max_file_bytes: u64,
    /// Maximum length of a file's path, in bytes
    #[cfg_attr(feature = "program", arg(long, env = "OVERFOLD_MAX_PATH_BYTES", default_value_t = Self::DEFAULT.max_path_bytes, value_name = "BYTES",
        value_parser = clap::value_parser!(u64).range(1..=Self::HIGHEST_PATH_BYTES)))]
    pub max_path_bytes: u64,
    /// Maximum number of segments in a file's path
    #[cfg_attr(feature = "program", arg(long, env = "OVERFOLD_MAX_PATH_DEPTH", default_value_t = Self::DEFAULT.max_path_depth, value_name = "COUNT",
        value_parser = clap::value_parser!(u64).range(1..)))]
    pub max_path_depth: u64,
    /// Maximum length of a name, in bytes: of a label, an argument or an instance key, in files a diagnostic; of a
    /// variable, a source or an address in an option
    #[cfg_attr(feature = "program", arg(long, env = "OVERFOLD_MAX_NAME_BYTES", default_value_t = Self::DEFAULT.max_name_bytes, value_name = "BYTES",
        value_parser = clap::value_parser!(u32).range(1..=65_536)))]
    pub max_name_bytes: u32,
    /// Maximum number of variables in the environment and the options of a request
    #[cfg_attr(feature = "program", arg(long, env = "OVERFOLD_MAX_VARIABLES", default_value_t = Self::DEFAULT.max_variables, value_name = "COUNT",
        value_parser = clap::value_parser!(u64).range(1..=Self::HIGHEST_VARIABLES)))]
    pub max_variables: u64,
    /// Maximum depth of nesting in a file, up to 4000; deeper nesting is reported as a diagnostic of that file
    #[cfg_attr(feature = "program", arg(long, env = "OVERFOLD_MAX_SYNTAX_DEPTH", default_value_t = Self::DEFAULT.max_syntax_depth, value_name = "COUNT",
        value_parser = clap::value_parser!(u32).range(1..=4000)))]
    pub max_syntax_depth: u32,
    /// Maximum number of tokens in a file; the rest of it is not read, which is reported as a diagnostic of that file
    #[cfg_attr(feature = "program", arg(long, env = "OVERFOLD_MAX_SYNTAX_TOKENS", default_value_t = Self::DEFAULT.max_syntax_tokens, value_name = "COUNT",
        value_parser = clap::value_parser!(u32).range(1..)))]
    pub max_syntax_tokens: u32,
    /// Maximum number of instances of modules, resources and data sources in a plan
    #[cfg_attr(feature = "program", arg(long, env = "OVERFOLD_MAX_INSTANCES", default_value_t = Self::DEFAULT.max_instances, value_name = "COUNT",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000)))]
    pub max_instances: usize,
    /// Maximum depth to which module calls are followed in a plan
    #[cfg_attr(feature = "program", arg(long, env = "OVERFOLD_MAX_MODULE_DEPTH", default_value_t = Self::DEFAULT.max_module_depth, value_name = "COUNT",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=1000)))]
    pub max_module_depth: usize,
}

impl RequestLimits {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        max_entries: 50_000,
        max_file_bytes: 32 << 20,
        max_path_bytes: 1024,
        max_path_depth: 64,
        max_name_bytes: 16 << 10,
        max_variables: 10_000,
        max_syntax_depth: 4000,
        max_syntax_tokens: 10_000_000,
        max_instances: 100_000,
        max_module_depth: 64,
    };
    /// The highest value of `max-entries`, and the most paths of an option that are kept while a request is read.
    pub const HIGHEST_ENTRIES: u64 = 1_000_000;
    /// The highest value of `max-path-bytes`, and the most bytes of an option's path or name that are kept while a
    /// request is read.
    pub const HIGHEST_PATH_BYTES: u64 = 65_536;
    /// The highest value of `max-name-bytes`, no higher than what is kept of a path or name.
    pub const HIGHEST_NAME_BYTES: u64 = Self::HIGHEST_PATH_BYTES;
    /// The highest value of `max-variables`, and the most environment variables, and the most options, that are kept
    /// while a request is read.
    pub const HIGHEST_VARIABLES: u64 = 100_000;

    /// Returns the limits that apply when files are parsed.
    pub fn syntax(&self) -> SyntaxLimits {
        SyntaxLimits { depth: self.max_syntax_depth, tokens: self.max_syntax_tokens, name_bytes: self.max_name_bytes }
    }

    /// Returns limits small enough for a test to reach.
    pub const fn for_testing() -> Self {
        Self {
            max_entries: 100,
            max_file_bytes: 64 << 10,
            max_path_bytes: 128,
            max_path_depth: 8,
            max_name_bytes: 512,
            max_variables: 10,
            max_syntax_depth: 4000,
            max_syntax_tokens: 100_000,
            max_instances: 1000,
            max_module_depth: 8,
        }
    }
}
