//! The book: all its commands run, print what it says, and draw its pictures.
//!
//! In a block called `console`, `$ impasse ...` runs in a folder that has the corpus, and what follows is what it prints, with
//! `...` and `[..]` as in transcripts; without any it only must not be wrong usage. A block called `imp,file=NAME` is a file of
//! that folder. Pictures that commands draw into `pictures` are those of the book; `IMPASSE_BLESS=1` renews them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::transcripts::agrees;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src")
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut all: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    all.sort();
    all
}

/// The blocks between fences, with what they are called.
fn blocks(text: &str) -> Vec<(&str, Vec<&str>)> {
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

/// The commands of a block and what they should print.
fn commands<'t>(block: &[&'t str]) -> Vec<(&'t str, Vec<String>)> {
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

/// Runs a command of the book; what it printed, if that is not what the book says.
fn check(command: &str, expected: &[String], folder: &Path) -> Result<(), String> {
    assert!(command.starts_with("impasse "), "`{command}` is not run by this test");
    let program = Path::new(env!("CARGO_BIN_EXE_impasse")).parent().expect("it is in a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(program).chain(std::env::split_paths(&path));
    let run = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(folders).expect("folders"))
        .output()
        .expect("a shell");
    let printed = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let code = run.status.code();
    let is_answer = matches!(code, Some(0 | 10..=13));
    match is_answer && (expected.iter().all(String::is_empty) || agrees(expected, &printed)) {
        true => Ok(()),
        false => {
            Err(format!("$ {command}\nexit {code:?}\n--- expected\n{}\n--- printed\n{printed}", expected.join("\n")))
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().expect("a folder")).expect("a folder can be made");
    fs::copy(from, to).expect("files can be copied");
}

#[test]
fn the_book_says_what_happens() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("pictures")).expect("a folder can be made");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    for file in files(&corpus) {
        copy(&file, &folder.join("corpus").join(file.strip_prefix(&corpus).expect("it is below")));
    }
    let (mut failures, mut number) = (Vec::new(), 0);
    for chapter in files(&source()).into_iter().filter(|file| file.extension().is_some_and(|e| e == "md")) {
        let text = fs::read_to_string(&chapter).expect("a chapter");
        for (info, block) in blocks(&text) {
            if let Some(name) = info.split(',').find_map(|word| word.strip_prefix("file=")) {
                fs::write(folder.join(name), block.join("\n") + "\n").expect("files can be written");
            }
            for (command, expected) in commands(if info == "console" { &block } else { &[] }) {
                number += 1;
                failures.extend(
                    check(command, &expected, &folder).map_err(|e| format!("{}: {e}", chapter.display())).err(),
                );
            }
        }
    }
    assert!(number > 30, "only {number} commands were found");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    let bless = std::env::var_os("IMPASSE_BLESS").is_some();
    for drawn in files(&folder.join("pictures")) {
        let kept = source().join("pictures").join(drawn.file_name().expect("files have names"));
        if bless {
            copy(&drawn, &kept);
        }
        assert_eq!(
            fs::read_to_string(&drawn).ok(),
            fs::read_to_string(&kept).ok(),
            "{} is drawn otherwise",
            kept.display()
        );
    }
}

/// Every chapter is in the table of contents, and every link and picture is there.
#[test]
fn the_book_is_whole() {
    let contents = fs::read_to_string(source().join("SUMMARY.md")).expect("the table of contents");
    for file in files(&source()) {
        let name = file.strip_prefix(source()).expect("it is below").to_string_lossy().into_owned();
        let is_chapter = name.ends_with(".md") && name != "SUMMARY.md";
        assert!(!is_chapter || contents.contains(&format!("({name})")), "{name} is not in the table of contents");
        if !name.ends_with(".md") {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a chapter");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = target.split('#').next().unwrap_or_default();
            if !path.is_empty() && !path.contains("://") {
                let there = file.parent().expect("a folder").join(path);
                assert!(there.exists(), "{name}: {target} is not there");
            }
        }
    }
}

#[test]
fn blocks_are_found() {
    let text = "a\n```console\n$ impasse info x\nm\n...\n$ impasse check x\n```\nb\n```imp,file=x\nlock l\n```\n";
    let found = blocks(text);
    assert_eq!(found.iter().map(|(info, _)| *info).collect::<Vec<_>>(), ["console", "imp,file=x"]);
    let commands = commands(&found[0].1);
    assert_eq!(commands[0], ("impasse info x", vec!["m".to_owned(), "...".to_owned()]));
    assert_eq!(commands[1], ("impasse check x", Vec::new()));
}
