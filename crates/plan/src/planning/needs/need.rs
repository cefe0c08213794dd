//! Something that would have to be known, in words.

use std::sync::Arc;

use overfold_load::plan::module_remedy;

/// Something that was not given, on which a value depends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in super::super) enum Need {
    /// An attribute of a resource or data source.
    Attribute {
        /// The address of the resource, without instance keys.
        address: Arc<str>,
        /// The attribute, if the expression says which.
        attribute: Option<Arc<str>>,
        /// The provider whose schema may say what the attribute is, if that was not given.
        schema_of: Option<Arc<str>>,
        /// Whether it is a data source.
        is_read: bool,
    },
    /// What an ephemeral resource gives.
    Ephemeral {
        /// Its address.
        address: Arc<str>,
    },
    /// A module.
    Module {
        /// The address of its call, without instance keys.
        address: Arc<str>,
        /// The source as written, if it is constant.
        source: Option<Arc<str>>,
        /// The version constraint, if there is one.
        version: Option<Arc<str>>,
    },
    /// The value of a variable of the root module.
    Variable {
        /// Its name.
        name: Arc<str>,
    },
    /// A file; `.` is the directory in which the tool is run, `~` the home directory of its user.
    File {
        /// Its path, as an expression has it.
        path: Arc<str>,
    },
    /// The result of a function that is not computed here.
    Function {
        /// Its whole name.
        name: Arc<str>,
    },
    /// The time of the plan.
    Time,
    /// That sensitive values may be shown.
    Revealing,
    /// A higher limit on instances.
    Limit,
}

impl Need {
    /// About how many bytes it holds.
    pub(super) fn size(&self) -> u64 {
        let of = |text: &Option<Arc<str>>| text.as_ref().map_or(0, |text| text.len());
        let length = match self {
            Self::Attribute { attribute, .. } => of(attribute),
            Self::Module { version, .. } => of(version),
            Self::Variable { name } | Self::Function { name } => name.len(),
            Self::File { path } => path.len(),
            Self::Ephemeral { .. } | Self::Time | Self::Revealing | Self::Limit => 0,
        };
        96 + length as u64
    }

    /// Returns what it is.
    pub(super) fn what(&self) -> String {
        match self {
            Self::Attribute { address, attribute: Some(attribute), .. } => format!("{address}.{attribute}"),
            Self::Attribute { address, attribute: None, .. } | Self::Ephemeral { address } => address.to_string(),
            Self::Module { address, source, version } => {
                let source = source.as_ref().map_or_else(String::new, |source| {
                    let version = version.as_ref().map_or_else(String::new, |version| format!(", version {version}"));
                    format!(" ({source}{version})")
                });
                format!("{address}{source}")
            }
            Self::Variable { name } => format!("var.{name}"),
            Self::File { path } => match &**path {
                "." => "the working directory".to_owned(),
                "~" => "the home directory of the user".to_owned(),
                path => format!("the file {path}"),
            },
            Self::Function { name } => format!("{name}(…)"),
            Self::Time => "the time of the plan".to_owned(),
            Self::Revealing => "sensitive values".to_owned(),
            Self::Limit => "a higher limit on instances".to_owned(),
        }
    }

    /// Returns why it is not known, as the rest of a sentence.
    pub(super) fn why(&self) -> String {
        match self {
            Self::Attribute { is_read: true, .. } => "no data source is read here".to_owned(),
            Self::Attribute { schema_of: Some(provider), .. } => {
                format!("the provider {provider} may set it, and its schema was not given")
            }
            Self::Attribute { .. } => "its provider may set it".to_owned(),
            Self::Ephemeral { .. } => "no ephemeral resource is opened here".to_owned(),
            Self::Module { .. } => "the module was not given".to_owned(),
            Self::Variable { .. } => "the variable has no value".to_owned(),
            Self::File { path } if **path == *"." => "it was not given".to_owned(),
            Self::File { path } if **path == *"~" => "it is another on every machine".to_owned(),
            Self::File { .. } => "it is not among what was given".to_owned(),
            Self::Function { name } if name.contains("::") => "functions of providers are not called here".to_owned(),
            Self::Function { .. } => "its result differs between builds".to_owned(),
            Self::Time => "it was not given".to_owned(),
            Self::Revealing => "they would be part of addresses".to_owned(),
            Self::Limit => "there is one".to_owned(),
        }
    }

    /// Returns what to do about it, if anything can be done: an instruction. `tool` is the name of the tool's command.
    pub(super) fn remedy(&self, tool: &str) -> Option<String> {
        Some(match self {
            Self::Attribute { address, attribute, schema_of, .. } => {
                let name = attribute.as_deref().unwrap_or("ATTRIBUTE");
                let schemas = if schema_of.is_some() { ", or --provider-schemas FILE" } else { "" };
                format!("give --assume {address}.{name}=JSON{schemas}")
            }
            Self::Module { source, .. } => module_remedy(source.as_deref(), tool),
            Self::Variable { name } => format!("give --var {name}=VALUE"),
            Self::File { path } if **path == *"." => "give --cwd PATH".to_owned(),
            Self::Time => "give --timestamp TIME".to_owned(),
            Self::Revealing => "give --reveal-sensitive".to_owned(),
            Self::Limit => "give --max-instances NUMBER".to_owned(),
            Self::Ephemeral { .. } | Self::File { .. } | Self::Function { .. } => return None,
        })
    }

    /// Returns what it is, and what to do about it.
    fn with_remedy(&self, tool: &str) -> String {
        let what = self.what();
        self.remedy(tool).map_or_else(|| what.clone(), |remedy| format!("{what} ({remedy})"))
    }

    /// Returns what stands in place of a value that depends on it.
    fn short(&self) -> String {
        match self {
            Self::Attribute { schema_of: Some(provider), .. } => schema(provider),
            Self::Module { address, .. } => address.to_string(),
            need => need.what(),
        }
    }
}

/// Returns the words for the schema of a provider.
pub(super) fn schema(provider: &str) -> String {
    format!("the schema of {provider}")
}

/// Returns each with what to do about it.
pub(in super::super) fn listed(needs: &[Need], tool: &str) -> String {
    let list: Vec<String> = needs.iter().map(|need| need.with_remedy(tool)).collect();
    if list.is_empty() { "something that was not given".to_owned() } else { list.join("; ") }
}

/// Returns what stands in place of a value that depends on these, in a few words.
pub(in super::super) fn short<'n>(needs: impl Iterator<Item = &'n Need>) -> String {
    let mut list: Vec<String> = needs.map(Need::short).collect();
    list.sort();
    list.dedup();
    let more = list.len().saturating_sub(2);
    list.truncate(2);
    let list = list.join(" and ");
    if more > 0 { format!("{list} and {more} more") } else { list }
}
