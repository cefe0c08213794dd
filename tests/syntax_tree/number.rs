//! Formats numbers for display.

use overfold_cli::diag::TextRange;
use overfold_cli::value::Number;

/// Formats a number of the source in plain decimal without an exponent, as the tool stores it. A number whose decimal
/// form would be excessively long is shown as written.
pub(super) fn plain_decimal(text: &[u8], range: TextRange) -> String {
    let written = String::from_utf8_lossy(text.get(range.start as usize..range.end as usize).unwrap_or_default());
    match Number::parse(&written).map(|number| number.to_text()) {
        Ok(Ok(text)) => text,
        _ => written.into_owned(),
    }
}
