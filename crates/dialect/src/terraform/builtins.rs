//! Built-in names of Terraform by version (terraform.md, section 13).

use super::{V1_10, V1_15};
use crate::spec::{BuiltinKind, BuiltinRow, When};

/// Every row, for all versions.
pub(crate) const BUILTINS: &[BuiltinRow] = &[
    BuiltinRow::new(BuiltinKind::Function, FUNCTIONS),
    // Without the experiment that this function belongs to, calling it is an error (terraform.md, section 13).
    BuiltinRow::new(BuiltinKind::Function, &["defaults"]).when(When::until(1, 3, 0)),
    BuiltinRow::new(BuiltinKind::Function, &["endswith", "startswith", "timecmp"]).when(When::since(1, 3, 0)),
    BuiltinRow::new(BuiltinKind::Function, &["plantimestamp", "strcontains"]).when(When::since(1, 5, 0)),
    BuiltinRow::new(BuiltinKind::Function, &["issensitive"]).when(When::since(1, 8, 0)),
    BuiltinRow::new(BuiltinKind::Function, &["templatestring"]).when(When::since(1, 9, 0)),
    BuiltinRow::new(BuiltinKind::Function, &["ephemeralasnull"]).when(V1_10),
    BuiltinRow::new(BuiltinKind::Function, &["convert"]).when(V1_15),
    BuiltinRow::new(BuiltinKind::ResourceType, &["terraform.terraform_data"]).when(When::since(1, 4, 0)),
    BuiltinRow::new(BuiltinKind::ResourceType, &["test.test_assertions"]).when(When::until(1, 6, 0)),
    DATA_SOURCES,
    BuiltinRow::new(BuiltinKind::ProviderFunction, PROVIDER_FUNCTIONS).when(When::since(1, 8, 0)),
    PATH,
    WORKSPACE,
    BuiltinRow::new(BuiltinKind::ToolAttribute, &["applying"]).when(V1_10),
    BuiltinRow::new(BuiltinKind::Backend, BACKENDS),
    BuiltinRow::new(BuiltinKind::Backend, &["artifactory", "azure", "etcd", "etcdv3", "manta", "swift"])
        .when(When::until(1, 3, 0)),
    BuiltinRow::new(BuiltinKind::Backend, &["oci"]).when(When::since(1, 12, 0)),
];

pub(crate) const DATA_SOURCES: BuiltinRow =
    BuiltinRow::new(BuiltinKind::DataSource, &["terraform.terraform_remote_state"]);

pub(crate) const PATH: BuiltinRow = BuiltinRow::new(BuiltinKind::PathAttribute, &["cwd", "module", "root"]);

pub(crate) const WORKSPACE: BuiltinRow = BuiltinRow::new(BuiltinKind::ToolAttribute, &["workspace"]);

/// The functions of the built-in provider.
pub(crate) const PROVIDER_FUNCTIONS: &[&str] = &["decode_tfvars", "encode_expr", "encode_tfvars"];

/// The backends of every version.
pub(crate) const BACKENDS: &[&str] =
    &["azurerm", "consul", "cos", "gcs", "http", "inmem", "kubernetes", "local", "oss", "pg", "remote", "s3"];

/// The functions of every version.
#[rustfmt::skip]
pub(crate) const FUNCTIONS: &[&str] = &[
    "abs", "abspath", "alltrue", "anytrue", "base64decode", "base64encode", "base64gzip", "base64sha256",
    "base64sha512", "basename", "bcrypt", "can", "ceil", "chomp", "chunklist", "cidrhost", "cidrnetmask",
    "cidrsubnet", "cidrsubnets", "coalesce", "coalescelist", "compact", "concat", "contains", "csvdecode",
    "dirname", "distinct", "element", "file", "filebase64", "filebase64sha256", "filebase64sha512", "fileexists",
    "filemd5", "fileset", "filesha1", "filesha256", "filesha512", "flatten", "floor", "format", "formatdate",
    "formatlist", "indent", "index", "join", "jsondecode", "jsonencode", "keys", "length", "list", "log", "lookup",
    "lower", "map", "matchkeys", "max", "md5", "merge", "min", "nonsensitive", "one", "parseint", "pathexpand",
    "pow", "range", "regex", "regexall", "replace", "reverse", "rsadecrypt", "sensitive", "setintersection",
    "setproduct", "setsubtract", "setunion", "sha1", "sha256", "sha512", "signum", "slice", "sort", "split",
    "strrev", "substr", "sum", "templatefile", "textdecodebase64", "textencodebase64", "timeadd", "timestamp",
    "title", "tobool", "tolist", "tomap", "tonumber", "toset", "tostring", "transpose", "trim", "trimprefix",
    "trimspace", "trimsuffix", "try", "upper", "urlencode", "uuid", "uuidv5", "values", "yamldecode", "yamlencode",
    "zipmap",
];
