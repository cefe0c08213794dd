//! Why a request is refused.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::RawValue;

use overfold_base::echo;
use overfold_module::pipeline::RequestError;

/// What kind of refusal it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusalKind {
    /// The text of a request cannot be read.
    MalformedBody,
    /// A text is not valid UTF-8.
    NotUtf8,
    /// A name occurs twice.
    DuplicateKey,
    /// There is no such option.
    UnknownOption,
    /// The value of an option is not valid.
    BadOption,
    /// A severity, or the code that it is for, does not exist.
    BadSeverity,
    /// An address cannot be parsed.
    BadAddress,
    /// A time is not valid.
    BadTimestamp,
    /// A path is not allowed.
    BadPath,
    /// Something is over a limit.
    OverLimit,
    /// The configuration cannot be written in the form that is asked for.
    FormImpossible,
    /// The schemas of the providers cannot be read.
    SchemaUnreadable,
    /// The dialect has no plans.
    PlanNotForDialect,
    /// It is specified, but not part of this release.
    NotImplementedYet,
    /// The dialect does not have this version.
    UnknownVersion,
    /// The module directory is not in the files.
    RootNotFound,
    /// The configuration file is not in the files.
    ConfigFileNotFound,
    /// A variable definitions file is not in the files.
    VarFileNotFound,
    /// The directory of a module is not in the files.
    ModuleSourceNotFound,
    /// A file is something that cannot be read.
    UnsupportedEntry,
    /// The tool makes no plan of this configuration.
    NoPlan,
}

/// A limit that was exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExceededLimit {
    /// The limit's name, which is also the name of its flag.
    pub name: &'static str,
    /// Its value.
    pub value: u64,
}

/// A request that cannot be met, and why: its options are wrong, or do not fit its files.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{detail}")]
pub struct Refusal {
    /// What kind of refusal it is.
    pub kind: RefusalKind,
    /// What is wrong with this request, in one or two sentences.
    pub detail: Cow<'static, str>,
    /// JSON pointer (RFC 6901) to the place in the request object, if there is one.
    pub pointer: Option<String>,
    /// The limit that was exceeded, for [`RefusalKind::OverLimit`].
    pub limit: Option<ExceededLimit>,
    /// The diagnostics of the run as a JSON list, if there was a run.
    pub diagnostics: Option<Arc<RawValue>>,
}

impl Refusal {
    /// Creates a refusal. Text of the request quoted in `detail` must pass through [`echo::short`] first; in any case,
    /// the message is kept within bounds.
    pub fn new(kind: RefusalKind, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, detail: echo::message(detail.into()), pointer: None, limit: None, diagnostics: None }
    }

    /// Creates the refusal of what is part of the contract but not of this release.
    pub fn not_implemented(what: &str) -> Self {
        let detail = format!("{what} is specified but not implemented in this release");
        Self::new(RefusalKind::NotImplementedYet, detail)
    }

    /// Creates the refusal of a request over a limit: `what` is the thing counted, such as `the number of paths`.
    pub fn over_limit(what: &str, name: &'static str, value: u64) -> Self {
        let unit = if name.ends_with("bytes") { " bytes" } else { "" };
        let detail = format!("{what} is over the limit {name} of {value}{unit}");
        Self { limit: Some(ExceededLimit { name, value }), ..Self::new(RefusalKind::OverLimit, detail) }
    }

    /// Adds the place in the request object.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// Adds the name of a side to the place.
    #[must_use]
    pub fn of_side(self, name: &str) -> Self {
        let pointer = format!("/{name}{}", self.pointer.as_deref().unwrap_or_default());
        self.at(pointer)
    }

    /// Puts the place below another one, a JSON Pointer.
    #[must_use]
    pub(crate) fn below(self, place: &str) -> Self {
        let pointer = format!("{place}{}", self.pointer.as_deref().unwrap_or_default());
        self.at(pointer)
    }

    /// Adds the diagnostics of a run, a JSON list.
    #[must_use]
    pub(crate) fn with_diagnostics(mut self, list: Vec<u8>) -> Self {
        let list = String::from_utf8(list).ok().and_then(|text| RawValue::from_string(text).ok());
        self.diagnostics = list.map(Arc::from);
        self
    }
}

impl From<RequestError> for Refusal {
    fn from(error: RequestError) -> Self {
        let (kind, pointer) = match &error {
            RequestError::UnknownDialect(name) => {
                return Self::not_implemented(&format!("the dialect {:?}", echo::short(name))).at("/dialect");
            }
            RequestError::UnknownVersion { .. } => (RefusalKind::UnknownVersion, "/version"),
            RequestError::NoRoot(_) | RequestError::LinkedRoot { .. } => (RefusalKind::RootNotFound, "/root"),
            RequestError::ConfigFile { missing: true, .. } => (RefusalKind::ConfigFileNotFound, "/config_file"),
            RequestError::ConfigFile { .. } => (RefusalKind::BadOption, "/config_file"),
            RequestError::NotExpanded(_) => (RefusalKind::BadOption, "/expand"),
            RequestError::NotCompared(_) => (RefusalKind::BadOption, "/dialect"),
            RequestError::NoVariables(_) => (RefusalKind::BadOption, "/variables"),
            RequestError::BadWorkspace(_) => (RefusalKind::BadOption, "/variables/env/TF_WORKSPACE"),
            RequestError::SpecialFile { .. } => (RefusalKind::UnsupportedEntry, "/files"),
        };
        Self::new(kind, error.to_string()).at(pointer)
    }
}
