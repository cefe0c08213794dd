//! The bodies that are not a request object, as the document describes them.

use utoipa::ToSchema;

use overfold_engine::options::{MergeOptions, PlanOptions, UpgradeOptions};

/// The bytes of an archive, as the body of `POST /v1/merge`.
#[derive(ToSchema, Debug)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "documentation only: wire::upload reads the bytes")]
pub struct Archive(Vec<u8>);

/// The body of `POST /v1/merge` as `multipart/form-data`: either `archive`, or any number of `files`.
#[derive(ToSchema, Debug)]
#[expect(dead_code, reason = "documentation only: wire::upload reads the parts")]
pub struct MergeForm {
    /// One archive: tar, tar.gz, tar.zst or zip.
    #[schema(required = false, value_type = String, format = Binary)]
    archive: Vec<u8>,
    /// Files; the file name of each part is the file's path.
    #[schema(required = false, value_type = Vec<String>, format = Binary)]
    files: Vec<Vec<u8>>,
    /// The options as `application/json`.
    #[schema(required = false)]
    options: MergeOptions,
    /// The option `provider_schemas`, as a part of its own.
    #[schema(required = false, value_type = Object)]
    provider_schemas: (),
}

/// The body of `POST /v1/plan` as `multipart/form-data`: either `archive`, or any number of `files`.
#[derive(ToSchema, Debug)]
#[expect(dead_code, reason = "documentation only: wire::upload reads the parts")]
pub struct PlanForm {
    /// One archive: tar, tar.gz, tar.zst or zip.
    #[schema(required = false, value_type = String, format = Binary)]
    archive: Vec<u8>,
    /// Files; the file name of each part is the file's path.
    #[schema(required = false, value_type = Vec<String>, format = Binary)]
    files: Vec<Vec<u8>>,
    /// The options as `application/json`.
    #[schema(required = false)]
    options: PlanOptions,
    /// The option `provider_schemas`, as a part of its own.
    #[schema(required = false, value_type = Object)]
    provider_schemas: (),
}

/// The body of `POST /v1/upgrade` as `multipart/form-data`: either `archive`, or any number of `files`.
#[derive(ToSchema, Debug)]
#[expect(dead_code, reason = "documentation only: wire::upload reads the parts")]
pub struct UpgradeForm {
    /// One archive: tar, tar.gz, tar.zst or zip.
    #[schema(required = false, value_type = String, format = Binary)]
    archive: Vec<u8>,
    /// Files; the file name of each part is the file's path.
    #[schema(required = false, value_type = Vec<String>, format = Binary)]
    files: Vec<Vec<u8>>,
    /// The options as `application/json`.
    options: UpgradeOptions,
    /// The option `provider_schemas`, as a part of its own.
    #[schema(required = false, value_type = Object)]
    provider_schemas: (),
}
