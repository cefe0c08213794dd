//! Built-in names of OpenTofu by version (opentofu.md, section 11).

use super::{V1_7, V1_10, V1_11};
use crate::spec::{BuiltinKind, BuiltinRow};
use crate::terraform::{BACKENDS, DATA_SOURCES, FUNCTIONS, PATH, PROVIDER_FUNCTIONS, WORKSPACE};

/// Every row, for all versions.
pub(super) const BUILTINS: &[BuiltinRow] = &[
    BuiltinRow::new(BuiltinKind::Function, FUNCTIONS),
    BuiltinRow::new(BuiltinKind::Function, &["endswith", "plantimestamp", "startswith", "strcontains", "timecmp"]),
    BuiltinRow::new(
        BuiltinKind::Function,
        &["base64gunzip", "cidrcontains", "issensitive", "templatestring", "urldecode"],
    )
    .when(V1_7),
    BuiltinRow::new(BuiltinKind::Function, &["ephemeralasnull"]).when(V1_11),
    BuiltinRow::new(BuiltinKind::ResourceType, &["terraform.terraform_data"]),
    DATA_SOURCES,
    BuiltinRow::new(BuiltinKind::ProviderFunction, PROVIDER_FUNCTIONS).when(V1_10),
    PATH,
    WORKSPACE,
    BuiltinRow::new(BuiltinKind::ToolAttribute, &["applying"]).when(V1_11),
    BuiltinRow::new(BuiltinKind::Backend, BACKENDS),
    BuiltinRow::new(BuiltinKind::KeyProvider, &["aws_kms", "gcp_kms", "openbao", "pbkdf2"]).when(V1_7),
    BuiltinRow::new(BuiltinKind::KeyProvider, &["external"]).when(V1_10),
    BuiltinRow::new(BuiltinKind::KeyProvider, &["azure_vault"]).when(V1_11),
    BuiltinRow::new(BuiltinKind::EncryptionMethod, &["aes_gcm", "unencrypted"]).when(V1_7),
    BuiltinRow::new(BuiltinKind::EncryptionMethod, &["external"]).when(V1_10),
];
