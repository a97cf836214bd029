//! The files that the addresses of documents mean.

use std::path::{Path, PathBuf};

use crate::input::promela::EXTENSIONS as PROMELA;

/// The file of a document. One that is in no file is taken to be in the working directory.
pub(super) fn file(uri: &str) -> PathBuf {
    let Some(rest) = uri.strip_prefix("file://") else {
        let plain = |c: char| if c.is_alphanumeric() || c == '.' { c } else { '-' };
        let name: String = decode(uri).chars().map(plain).collect();
        return std::env::current_dir().unwrap_or_default().join(name);
    };
    // What stands before the path is the name of a machine: this one.
    let rest = &rest[rest.find('/').unwrap_or(0)..];
    let drive = rest.get(2..3) == Some(":") || rest.get(2..5).is_some_and(|c| c.eq_ignore_ascii_case("%3a"));
    PathBuf::from(decode(if drive { &rest[1..] } else { rest }))
}

/// A name that says its language: the same, or with the ending of the language that the editor says.
pub(super) fn with_language(file: &Path, language: &str) -> PathBuf {
    if is_known(file) {
        return file.to_owned();
    }
    let mut named = file.as_os_str().to_owned();
    named.push(match language {
        "promela" | "spin" => ".pml",
        "pnml" | "xml" => ".pnml",
        _ => ".imp",
    });
    PathBuf::from(named)
}

fn is_known(path: &Path) -> bool {
    let Some(extension) = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase) else { return false };
    let others = ["imp", "pnml", "xml", "lola", "net", "ll_net", "aut", "exp", "csp", "cspm", "fdr2", "fdr3", "bip"];
    others.contains(&&*extension) || PROMELA.contains(&&*extension)
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = || u8::from_str_radix(std::str::from_utf8(bytes.get(at + 1..at + 3)?).ok()?, 16).ok();
        match (bytes[at], code()) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_files() {
        let path = |uri: &str, language| with_language(&file(uri), language);
        let is = |uri, language, expected: &str| assert_eq!(path(uri, language), PathBuf::from(expected));
        is("file:///tmp/a%20b/%C3%A9.imp", "", "/tmp/a b/\u{e9}.imp");
        is("file:///tmp/m", "promela", "/tmp/m.pml");
        is("file:///tmp/m.txt", "impasse", "/tmp/m.txt.imp");
        is("file:///c%3A/m.pml", "", "c:/m.pml");
        is("file:///tmp/100%.imp", "", "/tmp/100%.imp");
        assert!(path("untitled:Untitled-1", "xml").ends_with("untitled-Untitled-1.pnml"));
    }
}
