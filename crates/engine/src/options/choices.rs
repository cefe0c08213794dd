//! Choices among names that several options have.

use overfold_base::named;

named! {
    /// A part of the answer that can be requested.
    pub enum Part {
        /// The merged configuration.
        Config = "config",
        /// Every object with its arguments, where each one comes from, and what it replaced. For the dialect `tflint`, the
        /// answer has `content` in its place: the list of blocks that a rule would see, with the same details for each.
        Objects = "objects",
        /// The input variables.
        Variables = "variables" or "vars",
        /// The files of the module directory, and what became of each.
        Files = "files",
        /// What overriding changed.
        Overrides = "overrides",
        /// The graph of module calls (with `recursive`).
        Calls = "calls",
    }
}

named! {
    /// The severity that a request gives to diagnostics.
    pub enum Level {
        /// An error.
        Error = "error" or "err" or "fail" or "failure",
        /// A warning.
        Warning = "warning" or "warn",
        /// A note.
        Info = "info" or "note" or "notice" or "hint",
        /// Not shown.
        Off = "off" or "none" or "ignore" or "never" or "silent" or "disable" or "disabled" or "false",
    }
}
