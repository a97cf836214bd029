//! The chapters as mdBook reads them: those of the table of contents, with what they include.

use std::fs;
use std::path::{Path, PathBuf};

/// Where the chapters are.
pub(super) fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src")
}

/// A chapter: its file below the source, and its text after inclusion.
pub(super) struct Chapter {
    pub(super) name: String,
    pub(super) text: String,
    /// Whether it is a page that is read outside the book, too, and has forms to fill in instead of commands.
    pub(super) is_reference: bool,
}

/// All chapters, in the order of the table of contents.
pub(super) fn chapters() -> Vec<Chapter> {
    let contents = fs::read_to_string(source().join("SUMMARY.md")).expect("the table of contents");
    let mut chapters = Vec::new();
    for line in contents.lines() {
        let Some(name) = line.split_once("](").and_then(|(_, rest)| rest.strip_suffix(')')) else { continue };
        let file = source().join(name);
        let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{name}: {e}"));
        let is_reference = text.starts_with("{{#include ") && text.lines().count() == 1;
        chapters.push(Chapter { name: name.to_owned(), text: included(&text, &file), is_reference });
    }
    chapters
}

/// A text with the files, or lines of files, that it includes: `{{#include FILE}}`, `{{#include FILE:FIRST:LAST}}`, where
/// first and last may be missing, `{{#include FILE:LINE}}` or `{{#include FILE:ANCHOR}}`.
pub(super) fn included(text: &str, file: &Path) -> String {
    let Some((before, rest)) = text.split_once("{{#include ") else { return text.to_owned() };
    let (what, after) = rest.split_once("}}").expect("an include ends");
    let mut parts = what.trim().splitn(3, ':');
    let path = file.parent().expect("a folder").join(parts.next().expect("a name"));
    let whole = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let lines: Vec<&str> = whole.lines().collect();
    let number = |part: Option<&str>, default: usize| part.map_or(default, |n| n.parse().unwrap_or(default));
    let chosen = match (parts.next(), parts.next()) {
        (Some(anchor), None) if anchor.parse::<usize>().is_err() => anchored(&lines, anchor),
        (only @ Some(_), None) => &lines[number(only, 1) - 1..number(only, 1)],
        (first, last) => &lines[number(first, 1) - 1..number(last, lines.len())],
    };
    let not_anchor = |line: &&&str| !line.contains("ANCHOR: ") && !line.contains("ANCHOR_END: ");
    let chosen: Vec<&str> = chosen.iter().filter(not_anchor).copied().collect();
    format!("{before}{}{}", included(&chosen.join("\n"), &path), included(after, file))
}

fn anchored<'l, 't>(lines: &'l [&'t str], anchor: &str) -> &'l [&'t str] {
    let at = |mark: String| lines.iter().position(|line| line.contains(&mark)).unwrap_or_else(|| panic!("no {mark}"));
    &lines[at(format!("ANCHOR: {anchor}")) + 1..at(format!("ANCHOR_END: {anchor}"))]
}

/// The blocks between fences, with what they are called.
pub(super) fn blocks(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(info) if !inside => blocks.push((info, Vec::new())),
            None if inside => blocks.last_mut().expect("one is open").1.push(line),
            _ => {}
        }
        inside ^= line.starts_with("```");
    }
    blocks
}

/// The lines outside of fences, without what stands between backquotes.
pub(super) fn prose(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        if !inside && !is_fence {
            let outside = line.split('`').step_by(2);
            lines.push(if line.contains("``") { line.to_owned() } else { outside.collect::<Vec<_>>().join("`") });
        }
        inside ^= is_fence;
    }
    lines
}

/// What stands between backquotes in the rows of tables.
pub(super) fn cells(text: &str) -> Vec<&str> {
    let rows = text.lines().filter(|line| line.starts_with('|'));
    rows.flat_map(|row| row.split('`').skip(1).step_by(2)).collect()
}

/// The commands of a block and what they should print.
pub(super) fn commands<'t>(block: &[&'t str]) -> Vec<(&'t str, Vec<String>)> {
    let mut all: Vec<(&str, Vec<String>)> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), all.last_mut()) {
            (Some(command), _) => all.push((command, Vec::new())),
            (None, Some((_, expected))) => expected.push((*line).to_owned()),
            (None, None) => panic!("`{line}` is before any command"),
        }
    }
    all
}

#[test]
fn blocks_are_found() {
    let text = "a `b` c\n```console\n$ impasse info x\nm\n...\n$ impasse check x\n```\n| `c` | `d` |\n```imp,file=x\nlock l\n```\n";
    let found = blocks(text);
    assert_eq!(found.iter().map(|(info, _)| *info).collect::<Vec<_>>(), ["console", "imp,file=x"]);
    let commands = commands(&found[0].1);
    assert_eq!(commands[0], ("impasse info x", vec!["m".to_owned(), "...".to_owned()]));
    assert_eq!(commands[1], ("impasse check x", Vec::new()));
    assert_eq!(prose(text), ["a ` c", "| ` | ` |"]);
    assert_eq!(cells(text), ["c", "d"]);
}

#[test]
fn files_are_included() {
    let lines = ["a", "<!-- ANCHOR: x -->", "b", "<!-- ANCHOR_END: x -->", "c"];
    assert_eq!(anchored(&lines, "x"), ["b"]);
    let here = Path::new(file!()).file_name().expect("a name").to_string_lossy().into_owned();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/book").join(&here);
    let include = |part: &str| included(&["<", "{{#inc", "lude ", &here, part, "}}>"].concat(), &file);
    assert_eq!(include(":3:4"), "<use std::fs;\nuse std::path::{Path, PathBuf};>");
    assert_eq!(include(":3"), "<use std::fs;>");
    assert_eq!(
        include("::1"),
        "<//! The chapters as mdBook reads them: those of the table of contents, with what they include.>"
    );
}
