//! Paths as URI references, as SARIF wants them.

/// The reference for a path, and whether it is relative; nothing for texts that are in no file.
pub(crate) fn uri(path: &str) -> Option<(String, bool)> {
    if path.is_empty() || path.starts_with('<') || path.starts_with("--") {
        return None;
    }
    let path = path.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let encoded: String = path.bytes().map(encode).collect();
    let drive = path.get(1..3) == Some(":/");
    Some(match path {
        _ if drive => (format!("file:///{encoded}"), false),
        _ if path.starts_with('/') => (format!("file://{encoded}"), false),
        _ => (encoded, true),
    })
}

fn encode(byte: u8) -> String {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        let is = |path, expected: &str, relative| assert_eq!(uri(path), Some((expected.to_owned(), relative)));
        is("models/a b.imp", "models/a%20b.imp", true);
        is("./m.imp", "m.imp", true);
        is("../m%.imp", "../m%25.imp", true);
        is("/tmp/\u{e9}.imp", "file:///tmp/%C3%A9.imp", false);
        is("a\\b.imp", "a/b.imp", true);
        is("C:\\b.imp", "file:///C%3A/b.imp", false);
        assert_eq!([uri("<stdin>"), uri("--invariant"), uri("")], [None, None, None]);
    }
}
