//! The kinds of problems of a request to this service, beside those of the server.

use overfold_server::error::Kind;
pub(crate) use overfold_server::error::kind::*;

overfold_server::kinds! {
    MALFORMED_ARCHIVE: BAD_REQUEST, "malformed-archive", "The archive cannot be read";
    TRUNCATED_ARCHIVE: BAD_REQUEST, "truncated-archive", "The archive is truncated";
    UNSUPPORTED_ENTRY: BAD_REQUEST, "unsupported-entry", "The archive uses an unsupported feature";
    BAD_BASE64: BAD_REQUEST, "bad-base64", "The content of a file is not valid Base64";
    NOT_UTF8: BAD_REQUEST, "not-utf8", "A text is not valid UTF-8";
    DUPLICATE_KEY: BAD_REQUEST, "duplicate-key", "A name occurs twice";
    UNKNOWN_OPTION: BAD_REQUEST, "unknown-option", "The option does not exist";
    BAD_OPTION: BAD_REQUEST, "bad-option", "The value of an option is not valid";
    BAD_SEVERITY: BAD_REQUEST, "bad-severity", "A severity or the code that it is for does not exist";
    BAD_ADDRESS: BAD_REQUEST, "bad-address", "An address cannot be parsed";
    BAD_TIMESTAMP: BAD_REQUEST, "bad-timestamp", "A time is not valid";
    BAD_PATH: BAD_REQUEST, "bad-path", "A path is not allowed";
    DUPLICATE_PATH: BAD_REQUEST, "duplicate-path", "A path occurs twice";
    FILE_AND_FOLDER: BAD_REQUEST, "file-and-folder", "A path is both a file and a directory";
    UNKNOWN_ARCHIVE_FORMAT: UNSUPPORTED_MEDIA_TYPE, "unknown-archive-format", "The format of the archive is not known";
    NOTHING_LEFT: UNPROCESSABLE_ENTITY, "nothing-left", "No files are left after removing path components";
    UNKNOWN_VERSION: UNPROCESSABLE_ENTITY, "unknown-version", "The dialect does not have this version";
    ROOT_NOT_FOUND: UNPROCESSABLE_ENTITY, "root-not-found", "The root is not in the files";
    VAR_FILE_NOT_FOUND: UNPROCESSABLE_ENTITY, "var-file-not-found", "A variable definitions file is not in the files";
    CONFIG_FILE_NOT_FOUND: UNPROCESSABLE_ENTITY, "config-file-not-found", "The configuration file is not in the files";
    SCHEMA_UNREADABLE: UNPROCESSABLE_ENTITY, "schema-unreadable", "The schemas of the providers cannot be read";
    PLAN_NOT_FOR_DIALECT: UNPROCESSABLE_ENTITY, "plan-not-for-dialect", "The dialect has no plans";
    MODULE_SOURCE_NOT_FOUND: UNPROCESSABLE_ENTITY, "module-source-not-found", "The directory of a module is not in the files";
    NO_PLAN: UNPROCESSABLE_ENTITY, "no-plan", "There is no plan";
    FORM_IMPOSSIBLE: UNPROCESSABLE_ENTITY, "form-impossible", "The configuration cannot be written in this form";
    NOT_IMPLEMENTED_YET: UNPROCESSABLE_ENTITY, "not-implemented-yet", "This feature is not implemented yet";
}

/// Returns every kind, the server's and these, ordered by status.
pub(crate) fn all() -> Vec<Kind> {
    let mut all: Vec<_> = overfold_server::error::kind::ALL.iter().chain(ALL).copied().collect();
    all.sort_by_key(|kind| kind.status());
    all
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Kind, all};

    #[test]
    fn no_code_of_the_server_is_declared_again() {
        let codes: HashSet<_> = all().into_iter().map(Kind::code).collect();
        assert_eq!(codes.len(), all().len());
    }
}
