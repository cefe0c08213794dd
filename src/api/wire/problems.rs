//! Why the stages cannot process a request, as problems.

use crate::api::http::error::{ApiError, ExceededLimit, Kind};
use crate::task::PlanError;
use overfold_base::echo;
use overfold_module::pipeline::RequestError;
use overfold_transport::TransportError;

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> Self {
        let (kind, pointer) = match &error {
            RequestError::UnknownDialect(name) => {
                return Self::not_implemented(&format!("the dialect {:?}", echo::short(name))).at("/dialect");
            }
            RequestError::UnknownVersion { .. } => (Kind::UnknownVersion, "/version"),
            RequestError::NoRoot(_) | RequestError::LinkedRoot { .. } => (Kind::RootNotFound, "/root"),
            RequestError::ConfigFile { missing: true, .. } => (Kind::ConfigFileNotFound, "/config_file"),
            RequestError::ConfigFile { .. } => (Kind::BadOption, "/config_file"),
            RequestError::NotExpanded(_) => (Kind::BadOption, "/expand"),
            RequestError::NotCompared(_) => (Kind::BadOption, "/dialect"),
            RequestError::NoVariables(_) => (Kind::BadOption, "/variables"),
            RequestError::BadWorkspace(_) => (Kind::BadOption, "/variables/env/TF_WORKSPACE"),
            RequestError::SpecialFile { .. } => (Kind::UnsupportedEntry, "/files"),
        };
        Self::new(kind, error.to_string()).at(pointer)
    }
}

impl From<PlanError> for ApiError {
    fn from(error: PlanError) -> Self {
        let detail = error.to_string();
        match error {
            PlanError::Request(error) => error.into(),
            PlanError::NoModuleSource { index, .. } => {
                Self::new(Kind::ModuleSourceNotFound, detail).at(format!("/module_sources/{index}/path"))
            }
        }
    }
}

impl From<TransportError> for ApiError {
    fn from(error: TransportError) -> Self {
        let kind = match &error {
            TransportError::OverLimit { .. } => Kind::OverLimit,
            TransportError::BadPath { .. } => Kind::BadPath,
            TransportError::NotUtf8 { .. } => Kind::NotUtf8,
            TransportError::DuplicatePath { .. } => Kind::DuplicatePath,
            TransportError::FileAndFolder { .. } => Kind::FileAndFolder,
            TransportError::Truncated { .. } => Kind::TruncatedArchive,
            TransportError::Damaged { .. } => Kind::MalformedArchive,
            TransportError::UnsupportedEntry { .. } => Kind::UnsupportedEntry,
            TransportError::UnknownFormat => Kind::UnknownArchiveFormat,
            TransportError::BadBase64 { .. } => Kind::BadBase64,
            TransportError::NothingLeft { .. } => Kind::NothingLeft,
            // Only the command line reads from this machine.
            TransportError::Io { .. } => Kind::Internal,
        };
        let limit = match error {
            TransportError::OverLimit { limit, value, .. } => Some(ExceededLimit { name: limit.setting(), value }),
            _ => None,
        };
        Self { limit, ..Self::new(kind, error.to_string()) }
    }
}
