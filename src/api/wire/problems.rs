//! Why a request is refused, as problems.

use crate::api::wire::kind;
use overfold_engine::{Refusal, RefusalKind};
use overfold_server::error::{ApiError, ExceededLimit};
use overfold_source::ReadError;

/// Returns the problem of a request that a use case refuses.
pub(crate) fn refusal_problem(refusal: Refusal) -> ApiError {
    let Refusal { kind, detail, pointer, limit, diagnostics } = refusal;
    let kind = match kind {
        RefusalKind::MalformedBody => kind::MALFORMED_BODY,
        RefusalKind::NotUtf8 => kind::NOT_UTF8,
        RefusalKind::DuplicateKey => kind::DUPLICATE_KEY,
        RefusalKind::UnknownOption => kind::UNKNOWN_OPTION,
        RefusalKind::BadOption => kind::BAD_OPTION,
        RefusalKind::BadSeverity => kind::BAD_SEVERITY,
        RefusalKind::BadAddress => kind::BAD_ADDRESS,
        RefusalKind::BadTimestamp => kind::BAD_TIMESTAMP,
        RefusalKind::BadPath => kind::BAD_PATH,
        RefusalKind::OverLimit => kind::OVER_LIMIT,
        RefusalKind::FormImpossible => kind::FORM_IMPOSSIBLE,
        RefusalKind::SchemaUnreadable => kind::SCHEMA_UNREADABLE,
        RefusalKind::PlanNotForDialect => kind::PLAN_NOT_FOR_DIALECT,
        RefusalKind::NotImplementedYet => kind::NOT_IMPLEMENTED_YET,
        RefusalKind::UnknownVersion => kind::UNKNOWN_VERSION,
        RefusalKind::RootNotFound => kind::ROOT_NOT_FOUND,
        RefusalKind::ConfigFileNotFound => kind::CONFIG_FILE_NOT_FOUND,
        RefusalKind::VarFileNotFound => kind::VAR_FILE_NOT_FOUND,
        RefusalKind::ModuleSourceNotFound => kind::MODULE_SOURCE_NOT_FOUND,
        RefusalKind::UnsupportedEntry => kind::UNSUPPORTED_ENTRY,
        RefusalKind::NoPlan => kind::NO_PLAN,
    };
    let limit = limit.map(|limit| ExceededLimit { name: limit.name, value: limit.value });
    let problem = ApiError { limit, diagnostics, ..ApiError::new(kind, detail) };
    match pointer {
        Some(pointer) => problem.at(pointer),
        None => problem,
    }
}

/// Returns the problem of an upload that cannot be read.
pub(crate) fn read_problem(error: &ReadError) -> ApiError {
    let kind = match error {
        ReadError::OverLimit { .. } => kind::OVER_LIMIT,
        ReadError::BadPath { .. } => kind::BAD_PATH,
        ReadError::NotUtf8 { .. } => kind::NOT_UTF8,
        ReadError::DuplicatePath { .. } => kind::DUPLICATE_PATH,
        ReadError::FileAndFolder { .. } => kind::FILE_AND_FOLDER,
        ReadError::Truncated { .. } => kind::TRUNCATED_ARCHIVE,
        ReadError::Damaged { .. } => kind::MALFORMED_ARCHIVE,
        ReadError::UnsupportedEntry { .. } => kind::UNSUPPORTED_ENTRY,
        ReadError::UnknownFormat => kind::UNKNOWN_ARCHIVE_FORMAT,
        ReadError::BadBase64 { .. } => kind::BAD_BASE64,
        ReadError::NothingLeft { .. } => kind::NOTHING_LEFT,
        // Only the command line reads from this machine.
        ReadError::Io { .. } => kind::INTERNAL,
    };
    let limit = match error {
        ReadError::OverLimit { limit, value, .. } => Some(ExceededLimit { name: limit.setting(), value: *value }),
        _ => None,
    };
    ApiError { limit, ..ApiError::new(kind, error.to_string()) }
}
