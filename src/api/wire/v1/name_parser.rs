//! Options with a fixed list of names: the name that was probably meant by another one, and the command line's parser.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};

use overfold_base::nearest::nearest;

/// Other words for names, without case and punctuation.
const SYNONYMS: &[(&str, &str)] = &[
    ("tofu", "opentofu"),
    ("opentf", "opentofu"),
    ("ot", "opentofu"),
    ("tf", "terraform"),
    ("hashicorp", "terraform"),
    ("tf011", "terraform-0.11"),
    ("011", "terraform-0.11"),
    ("hcl1", "terraform-0.11"),
    ("lint", "tflint"),
    ("json", "tf-json"),
    ("native", "hcl"),
    ("hcl2", "hcl"),
    ("vars", "variables"),
    ("err", "error"),
    ("warn", "warning"),
    ("note", "info"),
    ("notice", "info"),
    ("all", "info"),
];

/// The maximum length of a word that is compared, in bytes.
const MAX: usize = 64;

/// Returns the name that was probably meant by a word that is none; `None` if that is not clear.
pub(crate) fn likely<'n>(word: &str, names: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    if word.len() > MAX {
        return None;
    }
    let plain = plain(word);
    let same = names.clone().find(|name| self::plain(name) == plain);
    let synonym = || SYNONYMS.iter().find(|(other, _)| *other == plain).map(|(_, name)| *name);
    let synonym = || synonym().and_then(|meant| names.clone().find(|name| *name == meant));
    // Such as a dialect together with a version.
    let start = || {
        let is_number = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit());
        let starts = names.clone().filter(|name| plain.strip_prefix(&self::plain(name)).is_some_and(is_number));
        starts.max_by_key(|name| name.len())
    };
    same.or_else(synonym).or_else(start).or_else(|| nearest(&word.to_lowercase(), names))
}

/// Returns a word without case and punctuation.
fn plain(word: &str) -> String {
    word.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Parses a value of a command-line option that is one of a list of names.
#[derive(Clone)]
pub(super) struct NameParser<T: 'static>(pub(super) &'static [(&'static str, T)]);

impl<T: Copy + Send + Sync + 'static> TypedValueParser for NameParser<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<T, clap::Error> {
        let word = value.to_string_lossy();
        if let Some((_, found)) = self.0.iter().find(|(name, _)| *name == word) {
            return Ok(*found);
        }
        let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
        if let Some(arg) = arg {
            error.insert(ContextKind::InvalidArg, ContextValue::String(arg.to_string()));
        }
        error.insert(ContextKind::InvalidValue, ContextValue::String(word.clone().into_owned()));
        let names = self.0.iter().map(|(name, _)| *name);
        let all = names.clone().map(str::to_owned).collect();
        error.insert(ContextKind::ValidValue, ContextValue::Strings(all));
        if let Some(name) = likely(&word, names) {
            error.insert(ContextKind::SuggestedValue, ContextValue::String(name.to_owned()));
        }
        Err(error)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|(name, _)| PossibleValue::new(*name))))
    }
}

#[cfg(test)]
mod tests {
    use super::likely;

    #[test]
    fn what_a_person_would_suggest() {
        let dialects = ["terraform", "opentofu", "tflint", "sentinel", "terraform-0.11"];
        for (word, meant) in [
            ("tofu", Some("opentofu")),
            ("OpenTofu", Some("opentofu")),
            ("open-tofu", Some("opentofu")),
            ("Terraform", Some("terraform")),
            ("terafrom", Some("terraform")),
            ("terraform0.11", Some("terraform-0.11")),
            ("terraform_0.11", Some("terraform-0.11")),
            ("terraform-0.11.15", Some("terraform-0.11")),
            ("terraform-1.5", Some("terraform")),
            ("0.11", Some("terraform-0.11")),
            ("tf", Some("terraform")),
            ("tf-lint", Some("tflint")),
            ("pulumi", None),
            ("", None),
        ] {
            assert_eq!(likely(word, dialects.into_iter()), meant, "{word}");
        }
        assert_eq!(likely("tofu", ["config", "files"].into_iter()), None);
    }
}
