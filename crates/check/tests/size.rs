//! The checker is small enough to be read in one sitting, and has nothing in it that would have to be believed.

use std::fs;
use std::path::Path;

/// What is promised: lines of code, without tests.
const MOST: usize = 2_000;
/// The same with comments and empty lines.
const MOST_WITH_COMMENTS: usize = 2_600;

/// The lines of a source file before its tests: all of them, and those that have code.
fn lines(text: &str) -> (usize, usize) {
    let own: Vec<&str> = text.lines().take_while(|line| line.trim() != "#[cfg(test)]").collect();
    let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    (own.len(), own.iter().filter(is_code).count())
}

/// The files of a folder and those below it.
fn sources(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the sources").map(|e| e.expect("an entry").path());
    let text = |path: &Path| fs::read_to_string(path).expect("a source");
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![text(&path)] }).collect()
}

#[test]
fn the_checker_is_small() {
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let (all, code) = sources.iter().map(|s| lines(s)).fold((0, 0), |(a, c), (all, code)| (a + all, c + code));
    assert!(code > 1_000, "only {code} lines were found");
    assert!(code < MOST && all < MOST_WITH_COMMENTS, "{code} lines of code, {all} with comments");
    assert!(sources.iter().any(|s| s.contains("#![forbid(unsafe_code)]")));
    let has = |words: &str| sources.iter().any(|s| s.lines().any(|line| line.trim_start().starts_with(words)));
    assert!(!["use engines", "use solve", "use reduce", "include!"].into_iter().any(has), "no engine, no solver");
}

#[test]
fn lines_are_counted() {
    assert_eq!(
        lines("//! What.\n\nuse a::b;\nfn f() {} // why\n    /// No code.\n#[cfg(test)]\nmod tests {}\n"),
        (5, 2)
    );
    assert_eq!(lines(""), (0, 0));
}
