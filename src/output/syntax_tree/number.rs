//! Numbers as they are shown.

use crate::diag::TextRange;

pub(super) fn plain_decimal(text: &[u8], range: TextRange) -> String {
    String::from_utf8_lossy(text.get(range.start as usize..range.end as usize).unwrap_or_default()).into_owned()
}
