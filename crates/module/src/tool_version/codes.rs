//! Codes of constraints on the tool's version.

overfold_base::codes! {
    UNSUPPORTED_TOOL_VERSION = "load/unsupported-tool-version", Error, "Unsupported Terraform Core version",
        "`required_version` does not allow the version that this request uses. Request a version that it allows, or change the constraint.";
    REQUIRED_VERSION_PRE_RELEASE = "load/pre-release-in-required-version", Error, "Invalid required_version constraint",
        "`required_version` contains a pre-release version, which the tool does not support. Use only release versions.";
}
