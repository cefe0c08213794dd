//! Codes of constraints on the tool's version.

overfold_base::codes! {
    UNSUPPORTED_TOOL_VERSION = "load/unsupported-tool-version", Error, "Unsupported Terraform Core version",
        "`required_version` does not allow the version that is followed. Follow a version that it allows, or change the constraint.";
    NAMED_VERSION_UNKNOWN = "version/not-known", Info, "Version is not known",
        "With `version: \"auto\"`, a version file such as `.terraform-version` names a version that is not known here; the nearest known version is followed.";
    REQUIRED_VERSION_PRE_RELEASE = "load/pre-release-in-required-version", Error, "Invalid required_version constraint",
        "`required_version` contains a pre-release version, which is not supported. Use only release versions.";
}
