//! Numbers as they are shown.

use crate::diag::TextRange;
use crate::value::Number;

/// A number of the source in plain decimal, without an exponent, as the tool holds it. One that would be longer than any
/// number should be is shown as it is written.
pub(super) fn plain_decimal(text: &[u8], range: TextRange) -> String {
    let written = String::from_utf8_lossy(text.get(range.start as usize..range.end as usize).unwrap_or_default());
    match Number::parse(&written).map(|number| number.to_text()) {
        Ok(Ok(text)) => text,
        _ => written.into_owned(),
    }
}
