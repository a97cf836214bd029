//! Sessions as data: each file of `tests/transcripts` is a list of commands with what they print and how they exit.
//!
//! `$ impasse ...` runs a command in `tests/models`; `< text` lines are its standard input; `? 11` is its exit code. What
//! it prints (standard output, then standard error) is compared line by line, with `[..]` for anything within a line and
//! `...` for any number of lines.

use crate::common::{code, run_with, stderr, stdout};

struct Session {
    arguments: Vec<String>,
    input: String,
    expected: Vec<String>,
    code: i32,
}

/// Splits a transcript into its commands.
fn sessions(text: &str) -> Vec<Session> {
    let mut sessions: Vec<Session> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ impasse ") {
            let arguments = words(command);
            sessions.push(Session { arguments, input: String::new(), expected: Vec::new(), code: 0 });
            continue;
        }
        // What comes before the first command is a remark.
        let Some(session) = sessions.last_mut() else { continue };
        if let Some(input) = line.strip_prefix("< ") {
            session.input.push_str(&format!("{input}\n"));
        } else if let Some(code) = line.strip_prefix("? ") {
            session.code = code.parse().expect("an exit code");
        } else {
            session.expected.push(line.to_owned());
        }
    }
    sessions
}

/// The words of a command; quotes keep spaces.
fn words(command: &str) -> Vec<String> {
    let quoted = command.split('\'').enumerate();
    quoted
        .flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

fn line_matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split("[..]");
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (i, part) in parts.iter().enumerate() {
        let found =
            if i + 1 == parts.len() { rest.ends_with(part).then(|| rest.len() - part.len()) } else { rest.find(part) };
        let Some(at) = found else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty() || !parts.is_empty()
}

fn lines_match(patterns: &[String], lines: &[&str]) -> bool {
    match (patterns, lines) {
        ([], []) => true,
        ([p, rest @ ..], _) if p == "..." => (0..=lines.len()).any(|skip| lines_match(rest, &lines[skip..])),
        ([p, more_patterns @ ..], [l, more_lines @ ..]) => {
            line_matches(p.trim_end(), l.trim_end()) && lines_match(more_patterns, more_lines)
        }
        _ => false,
    }
}

/// Whether two texts agree, apart from empty lines at the end.
pub(crate) fn agrees(patterns: &[String], text: &str) -> bool {
    let filled = patterns.iter().rposition(|p| !p.is_empty()).map_or(0, |i| i + 1);
    lines_match(&patterns[..filled], &text.trim_end().lines().collect::<Vec<_>>())
}

fn check(name: &str, session: &Session) -> Result<(), String> {
    let arguments: Vec<&str> = session.arguments.iter().map(String::as_str).collect();
    let output = run_with(&arguments, session.input.as_bytes());
    let printed = stdout(&output) + &stderr(&output);
    if code(&output) == Some(session.code) && agrees(&session.expected, &printed) {
        return Ok(());
    }
    let expected = session.expected.join("\n");
    let codes = format!("exit {:?}, expected {}", code(&output), session.code);
    Err(format!("{name}: impasse {}\n{codes}\n--- expected\n{expected}\n--- printed\n{printed}", arguments.join(" ")))
}

#[test]
fn transcripts() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let entries = std::fs::read_dir(directory).expect("the transcripts");
    let mut files: Vec<_> = entries.map(|e| e.expect("a transcript").path()).collect();
    files.sort();
    let mut failures = Vec::new();
    let mut commands = 0;
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a transcript");
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        for session in sessions(&text) {
            commands += 1;
            failures.extend(check(&name, &session).err());
        }
    }
    assert!(commands > 20, "only {commands} commands were found");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn the_runner_notices_differences() {
    let patterns = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(agrees(&patterns("a\n...\nz [..] z"), "a\nb\nc\nz 17 z\n"));
    assert!(!agrees(&patterns("a\n...\nz [..] z"), "a\nb\nc\nz 17 y\n"));
    assert!(!agrees(&patterns("a\nb"), "a\n"));
    assert!(!agrees(&patterns("a"), "a\nb\n"));
    assert!(!line_matches("abc", "abcd") && line_matches("abc[..]", "abcd") && !line_matches("x[..]y[..]z", "xz"));
    assert_eq!(words("check 'a b' c"), ["check", "a b", "c"]);
}
