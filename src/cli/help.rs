//! What `-h` and `--help` show. `-h` fits a screen: what the command does, the options that most runs need, and two
//! examples. `--help` has all options in groups, those about limits last. Both, and the manual, describe options in the
//! words of the command line; the API's words for the same options are beside their declarations.

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};

use crate::api::v1::{CodeList, VersionList};

/// Which help is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// `-h`.
    Short,
    /// `--help`, the manual and completions.
    Long,
}

impl Form {
    /// Returns what these arguments of the program ask for, if they ask for help.
    pub(super) fn of(mut args: impl Iterator<Item = OsString>) -> Self {
        if args.any(|arg| arg == "-h") { Self::Short } else { Self::Long }
    }
}

/// What a command's help says beside its options.
struct CommandHelp {
    name: &'static str,
    /// The options that `-h` shows.
    most_used: &'static [&'static str],
    /// Commands, and what each does.
    examples: &'static [(&'static str, &'static str)],
}

const COMMANDS: &[CommandHelp] = &[
    CommandHelp {
        name: "serve",
        most_used: &["listen", "token-file", "provider-schemas", "concurrency", "log-format"],
        examples: &[
            ("overfold serve", "the service, and its page at http://127.0.0.1:8080/"),
            ("overfold serve --listen :8080 --token-file tokens", "for others, with tokens"),
        ],
    },
    CommandHelp {
        name: "worker",
        most_used: &["nats", "provider-schemas", "concurrency", "log-format"],
        examples: &[("overfold worker --nats nats://nats:4222", "answers what is in the queue")],
    },
    CommandHelp {
        name: "submit",
        most_used: &["nats", "route", "list", "run"],
        examples: &[(
            "overfold submit --run monday --nats nats://nats:4222 modules/*",
            "asks for a merge of each folder",
        )],
    },
    CommandHelp {
        name: "collect",
        most_used: &["nats", "run", "wait-seconds", "summary"],
        examples: &[("overfold collect --run monday --nats nats://nats:4222", "the answers, and a summary")],
    },
    CommandHelp {
        name: "merge",
        most_used: &["version", "recursive", "values", "format", "fail-on"],
        examples: &[
            ("overfold merge infra", "what override files change and lose in a module"),
            (
                "overfold merge --recursive --fail-on warning",
                "every module below this folder; exit code 1 if anything is lost",
            ),
        ],
    },
    CommandHelp {
        name: "diff",
        most_used: &["version", "after-version", "recursive", "format", "link-base"],
        examples: &[
            ("overfold diff origin/main...HEAD", "what this branch changes in effect"),
            ("overfold diff --recursive before after --format markdown", "a comment for a pull request"),
        ],
    },
    CommandHelp {
        name: "plan",
        most_used: &["var-file", "unset-variables", "provider-schemas", "assume", "format"],
        examples: &[
            ("overfold plan infra --unset-variables", "what would be created, variables without a value unknown"),
            (
                "overfold plan infra --format document > plan.json",
                "the document of `terraform show -json`, for policies",
            ),
        ],
    },
    CommandHelp {
        name: "plan-diff",
        most_used: &["var-file", "unset-variables", "recursive", "format", "link-base"],
        examples: &[
            ("overfold plan-diff origin/main...HEAD", "what this branch does, instance by instance"),
            ("overfold plan-diff main HEAD --format markdown", "a comment for a pull request"),
        ],
    },
    CommandHelp {
        name: "upgrade",
        most_used: &["from", "to", "to-dialect", "recursive", "format"],
        examples: &[
            ("overfold upgrade infra --to 1.15", "what Terraform 1.15 would do differently, and why"),
            ("overfold upgrade infra --to-dialect opentofu", "what OpenTofu would do differently"),
        ],
    },
    CommandHelp {
        name: "compatibility",
        most_used: &["version", "recursive", "root", "format", "fail-on"],
        examples: &[
            ("overfold compatibility infra", "which versions load the module, and what stops the others"),
            ("overfold compatibility infra --version 1.5", "exit code 1 if Terraform 1.5 does not"),
        ],
    },
];

const READ: &str = "What is read";
const RULES: &str = "Rules that are followed";
const VALUES: &str = "Values";
const OUTPUT: &str = "What is printed";

/// An option in the words of the command line.
struct OptionHelp {
    name: &'static str,
    group: &'static str,
    text: &'static str,
}

const fn option(name: &'static str, group: &'static str, text: &'static str) -> OptionHelp {
    OptionHelp { name, group, text }
}

const OPTIONS: &[OptionHelp] = &[
    option("root", READ, "The module's folder inside of what is read"),
    option(
        "recursive",
        READ,
        "Every module in the folder and below it; hidden folders such as `.terraform` are left out",
    ),
    option(
        "paths",
        READ,
        "With --recursive: only modules that contain one of these files, separated by commas, and those that call such a module. For the files that a pull request changes",
    ),
    option("config-file", READ, "Dialect sentinel: read only this configuration file, as `sentinel -config` does"),
    option(
        "strip-components",
        READ,
        "How many leading folders to remove from the paths in an archive [default: 1 if all its files are below one folder]",
    ),
    option("module-source", READ, "The folder of a module that is not local, by its source; may be repeated"),
    option(
        "missing-files",
        READ,
        "A file that a function reads and that is not there: `error`, or `unknown` (also without a value), for what is built later",
    ),
    option("cwd", READ, "The working directory as `path.cwd` shows it [default: the folder of the root module]"),
    option("dialect", RULES, "The dialect to follow [default: terraform, or what the files say]"),
    option(
        "version",
        RULES,
        "The version to follow: `1.11` (its last patch release), `1.11.4`, or `auto`: the one that the repository means [default: auto]",
    ),
    option("after-dialect", RULES, "Follow another dialect for AFTER"),
    option("after-version", RULES, "Follow another version for AFTER [default: the version for BEFORE]"),
    option("from", RULES, "The version in use [default: the one that the repository means]"),
    option("to", RULES, "The version to compare with [default with --to-dialect: its newest]"),
    option("to-dialect", RULES, "The dialect to compare with, terraform or opentofu [default: that of the module]"),
    option(
        "stage",
        RULES,
        "`load`: what is reported while a module is loaded. `validate`: also what `terraform validate` reports about names, types and calls [default: validate, where the dialect has it]",
    ),
    option(
        "provider-schemas",
        RULES,
        "The providers' schemas: a file that `terraform providers schema -json` wrote, or a folder that `overfold schemas add` fills. With them, arguments of resources are checked, and plans have every attribute",
    ),
    option(
        "provider-checks",
        RULES,
        "`sdk`: report also what most providers refuse, where their schema is known; `none`: do not [default: sdk]",
    ),
    option(
        "provider-defaults",
        RULES,
        "An optional argument or block that is not set: `unknown` in expressions, because the provider may fill it in, or `none`: null or empty, as the schema says [default: unknown]",
    ),
    option("expand", RULES, "Dialect tflint: evaluate `count`, `for_each` and `dynamic` before overriding"),
    option(
        "values",
        VALUES,
        "Give variables their values: definitions files are read, and a required variable must have one",
    ),
    option("var", VALUES, "Set a variable; may be repeated"),
    option("var-file", VALUES, "Read a variable definitions file, relative to the module's folder; may be repeated"),
    option(
        "env",
        VALUES,
        "Set an environment variable for the run, such as TF_VAR_size=3, or take one from this environment (NAME alone)",
    ),
    option(
        "unset-variables",
        VALUES,
        "A required variable without a value: `error`, or `unknown` (also without a value): a plan is made all the same",
    ),
    option(
        "assume",
        VALUES,
        "Attributes to assume for resources and data sources: one, or a file with an object of them by address; may be repeated",
    ),
    option("emulate", VALUES, "Data sources to compute as their provider would"),
    option(
        "workspace",
        VALUES,
        "The selected workspace [default: TF_WORKSPACE, or what .terraform/environment says]",
    ),
    option("timestamp", VALUES, "The time that `plantimestamp()` returns (RFC 3339) [default: unknown]"),
    option(
        "resolve",
        VALUES,
        "In the configuration, replace expressions with their values where these are known and not sensitive; needs values of variables",
    ),
    option("format", OUTPUT, "What to print; diagnostics go to standard error, unless they are what is printed"),
    option("include", OUTPUT, "The parts of a JSON answer, separated by commas"),
    option(
        "config-format",
        OUTPUT,
        "The form of the merged configuration; `files` is the files with overrides folded in",
    ),
    option(
        "fail-on",
        OUTPUT,
        "Fail if there is a diagnostic of this severity or worse: exit with 1 [default: error], after a comparison with 3 [default: do not]",
    ),
    option(
        "severity",
        OUTPUT,
        "Another severity for a code, such as override/content-lost=error; `override/*` is every code of a stage, and `off` hides; separated by commas",
    ),
    option("reveal-sensitive", OUTPUT, "Show sensitive values; ephemeral ones are never shown"),
    option(
        "path-prefix",
        OUTPUT,
        "What file names begin with in formats for other tools: the folder's path in its repository",
    ),
    option("link-base", OUTPUT, "Make places in a comment links: the address of the files, ending in a slash"),
    option("before-link-base", OUTPUT, "The same for BEFORE or BASE"),
    option("allow-empty", OUTPUT, "Do not fail if there are no configuration files"),
];

/// What to try first.
const FIRST_STEPS: &str = "\
Examples:
  overfold merge infra              what override files change and lose in a module
  overfold diff main...HEAD         what a branch changes in effect
  overfold plan infra > plan.json   a plan without state and credentials, for policies
  overfold                          the service, and its page at http://127.0.0.1:8080/

`overfold COMMAND -h` shows what a command is for, `overfold COMMAND --help` all of its options.";

/// The exit codes of all commands but `serve`.
const EXIT_CODES: &str = "\
Exit codes:
  0  success
  1  the configuration has errors, or what is compared differs
  2  a wrong command line, a file that cannot be read, a limit that is exceeded
  3  a comparison was made, and a side has diagnostics of the severity of --fail-on";

/// Arranges the help of the program and of its commands.
pub(super) fn arranged(program: Command, form: Form) -> Command {
    let program = match form {
        Form::Short => program.mut_args(|arg| arg.hide(true)).after_help(FIRST_STEPS),
        Form::Long => program.after_help(format!("{FIRST_STEPS}\n\n{EXIT_CODES}")),
    };
    let program = program.mut_subcommand("explain", |command| {
        command.mut_arg("code", |arg| arg.value_parser(Suggested::Codes).hide_possible_values(true))
    });
    // Some commands are in some builds only.
    COMMANDS.iter().fold(program, |program, help| match program.find_subcommand(help.name) {
        Some(_) => program.mut_subcommand(help.name, |command| help.arrange(command, form)),
        None => program,
    })
}

impl CommandHelp {
    fn arrange(&self, command: Command, form: Form) -> Command {
        let about_options = match form {
            Form::Short => format!("\n\n`overfold {} --help` shows all options.", self.name),
            Form::Long if self.is_service() => String::new(),
            Form::Long => format!("\n\n{EXIT_CODES}"),
        };
        let width = self.examples.iter().map(|(text, _)| text.len()).max().unwrap_or_default();
        let examples = self.examples.iter().map(|(text, what)| match form {
            Form::Short => format!("\n  {text}\n      {what}"),
            Form::Long => format!("\n  {text:width$}  {what}"),
        });
        let examples: String = examples.collect();
        command.mut_args(|arg| self.option(arg, form)).after_help(format!("Examples:{examples}{about_options}"))
    }

    /// Whether the command runs until it is told to stop. Its options are settings, described where they are declared.
    fn is_service(&self) -> bool {
        matches!(self.name, "serve" | "worker")
    }

    fn option(&self, arg: Arg, form: Form) -> Arg {
        let Some(name) = arg.get_long().map(str::to_owned) else { return arg };
        let arg = match OPTIONS.iter().find(|known| known.name == name).filter(|_| !self.is_service()) {
            Some(known) => arg.help(known.text).long_help(known.text).help_heading(known.group),
            None => arg,
        };
        let arg = match name.as_str() {
            "version" | "to" | "from" | "after-version" if !self.is_service() => {
                arg.value_parser(Suggested::Versions).hide_possible_values(true)
            }
            _ => arg,
        };
        match form {
            Form::Short if self.most_used.contains(&&*name) => arg.hide_env(true).help_heading(None),
            Form::Short => arg.hide(name != "help"),
            Form::Long => arg,
        }
    }
}

/// Any text, with values that a shell completes.
#[derive(Clone, Copy)]
enum Suggested {
    /// The release lines of Terraform and OpenTofu.
    Versions,
    /// The codes of diagnostics.
    Codes,
}

impl Suggested {
    /// Returns the values. They are many, and only completions ask for them.
    fn values(self) -> Vec<String> {
        match self {
            Self::Versions => {
                let lines = VersionList::known().tools.into_iter().flat_map(|tool| tool.lines).map(|line| line.line);
                lines.chain(["auto".to_owned()]).collect::<BTreeSet<String>>().into_iter().collect()
            }
            Self::Codes => CodeList::known().diagnostics.iter().map(|entry| entry.code.to_string()).collect(),
        }
    }
}

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.values().into_iter().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::{COMMANDS, Form, arranged};
    use crate::cli::Cli;

    #[test]
    fn examples_are_command_lines_and_options_exist() {
        let program = arranged(Cli::command(), Form::Long);
        for help in COMMANDS {
            let Some(command) = program.find_subcommand(help.name) else { continue };
            for name in help.most_used {
                assert!(command.get_arguments().any(|arg| arg.get_long() == Some(*name)), "{}: --{name}", help.name);
            }
            for (example, _) in help.examples {
                let words = example.split(" > ").next().unwrap_or_default().split(' ');
                let parsed = program.clone().try_get_matches_from(words);
                assert!(parsed.is_ok_and(|found| found.subcommand_name() == Some(help.name)), "{example}");
            }
        }
    }
}
