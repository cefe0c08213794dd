//! The options that several questions have.

pub use overfold_engine::options::{Dialect, ProviderChecks};
pub use overfold_module::pipeline::ToolStage as Stage;

use overfold_engine::options::{SchemaText, VariableArg, Variables};
use serde_json::Value as Json;

use crate::{Error, ErrorKind};

/// Sets the value of a variable from JSON.
pub(crate) fn set_variable(variables: &mut Option<Variables>, name: &str, value: &Json) {
    let arg = VariableArg {
        name: Some(name.to_owned()),
        // A value has always a text.
        value: serde_json::value::to_raw_value(value).ok(),
        ..VariableArg::default()
    };
    variables.get_or_insert_default().args.push(arg);
}

/// Adds a variable definitions file.
pub(crate) fn add_file(variables: &mut Option<Variables>, path: &str) {
    let arg = VariableArg { var_file: Some(path.to_owned()), ..VariableArg::default() };
    variables.get_or_insert_default().args.push(arg);
}

/// Reads a document with the schemas of providers.
pub(crate) fn schemas(document: &str) -> Result<SchemaText, Error> {
    serde_json::from_str(document).map_err(|error| {
        Error::new(ErrorKind::Options, format!("the schemas of the providers are no JSON document: {error}"))
    })
}

/// Declares the methods that set the options which a [`Merge`](crate::Merge) and a [`Plan`](crate::Plan) have in common.
macro_rules! common_options {
    () => {
        /// Follows another tool's rules than those of Terraform.
        #[must_use]
        pub fn dialect(mut self, dialect: $crate::Dialect) -> Self {
            self.options.dialect = Some(dialect);
            self
        }

        /// Follows a version: `1.11` for its last patch release, `1.11.4`, or `auto` for the one that the files mean, by a
        /// version file or `required_version`. The default is the newest one known for the dialect.
        #[must_use]
        pub fn version(mut self, version: impl Into<String>) -> Self {
            self.options.version = Some(version.into());
            self
        }

        /// Asks about the module in this directory of the source, which is otherwise the top: a relative path with `/` between
        /// the segments, without `..`.
        #[must_use]
        pub fn root(mut self, directory: impl Into<String>) -> Self {
            self.options.root = Some(directory.into());
            self
        }

        /// Sets an input variable. Of several values for one variable, the last one takes effect, whatever else gives one.
        #[must_use]
        pub fn variable(mut self, name: &str, value: impl Into<serde_json::Value>) -> Self {
            $crate::options::set_variable(&mut self.options.variables, name, &value.into());
            self
        }

        /// Reads a variable definitions file, by its path relative to the module directory. If the source is a folder, the path
        /// may be absolute.
        #[must_use]
        pub fn variables_file(mut self, path: &str) -> Self {
            $crate::options::add_file(&mut self.options.variables, path);
            self
        }

        /// Sets an environment variable, such as `TF_VAR_region`. That of the process is never read.
        #[must_use]
        pub fn environment(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
            self.options.variables.get_or_insert_default().env.0.insert(name.into(), value.into());
            self
        }

        /// Takes the schemas of providers: the document that `terraform providers schema -json` prints.
        ///
        /// # Errors
        /// Fails if it is no JSON document. What is wrong with its content is an error of the run.
        pub fn provider_schemas(mut self, document: &str) -> Result<Self, $crate::Error> {
            self.options.provider_schemas = Some($crate::options::schemas(document)?);
            Ok(self)
        }

        /// Chooses whether what most providers refuse is reported, where their schema is known. The default is to do so.
        #[must_use]
        pub fn provider_checks(mut self, checks: $crate::ProviderChecks) -> Self {
            self.options.provider_checks = Some(checks);
            self
        }

        /// Shows the values of sensitive variables, too. Ephemeral ones are never shown.
        #[must_use]
        pub fn reveal_sensitive(mut self) -> Self {
            self.options.reveal_sensitive = true;
            self
        }

        /// Runs within other limits.
        #[must_use]
        pub fn limits(mut self, limits: $crate::Limits) -> Self {
            self.setup.limits = limits;
            self
        }

        /// Lets another thread end the run.
        #[must_use]
        pub fn cancel(mut self, cancel: &$crate::Cancel) -> Self {
            self.setup.cancel = cancel.clone();
            self
        }
    };
}
pub(crate) use common_options;
