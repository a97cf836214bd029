//! Characters as numbers.

/// The number of a character between its quotes.
pub(super) fn value(text: &str) -> i64 {
    let inner = text.strip_prefix('\'').unwrap_or(text);
    let mut inner = inner.strip_suffix('\'').unwrap_or(inner).chars();
    match (inner.next(), inner.next()) {
        (Some('\\'), Some(escaped)) => match escaped {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            '0' => 0,
            other => i64::from(u32::from(other)),
        },
        (Some(only), _) => i64::from(u32::from(only)),
        (None, _) => 0,
    }
}
