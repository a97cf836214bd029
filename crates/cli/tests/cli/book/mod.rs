//! The book: all its commands run and print what it says, its pictures are what they draw, and its links lead somewhere.
//!
//! In a block called `console`, `$ impasse ...` runs in a folder that has the corpus, and what follows is what it prints, with
//! `...` and `[..]` as in transcripts; something of it must be there, unless the command prints nothing. `impasse serve` is
//! ended when it has shown its page. In tables, what stands between backquotes and begins with `impasse` is run, too. A block
//! with `file=NAME` is a file of that folder; `models` has the services of the corpus. Nothing else may look like a command,
//! except on pages that are included whole: of the forms that those show, the ones about the corpus are run. Pictures that
//! commands draw into `pictures` are those of the book; `IMPASSE_BLESS=1` renews them.

mod links;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::transcripts::agrees;
use text::{Chapter, blocks, cells, chapters, commands, source};

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut all: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    all.sort();
    all
}

/// A command in a shell that finds the program.
fn shell(command: &str, folder: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_impasse")).parent().expect("it is in a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(program).chain(std::env::split_paths(&path));
    let mut shell = Command::new("sh");
    // The shell becomes the program, so that ending one ends the other.
    shell.args(["-c", &format!("exec {command}")]).current_dir(folder).stdin(Stdio::null());
    shell.env("PATH", std::env::join_paths(folders).expect("folders"));
    shell
}

/// Runs a command of the book; what it printed, if that is not what the book says.
fn check(command: &str, expected: Option<&[String]>, folder: &Path) -> Result<(), String> {
    assert!(command.starts_with("impasse "), "`{command}` is not run by this test");
    let (code, printed) = if command.starts_with("impasse serve ") {
        (Some(0), served(command, folder))
    } else {
        let run = shell(command, folder).output().expect("a shell");
        let printed = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        (run.status.code(), printed)
    };
    let is_answer = matches!(code, Some(0 | 10..=13));
    if is_answer && expected.is_none_or(|expected| is_told(expected, &printed) && agrees(expected, &printed)) {
        return Ok(());
    }
    let expected = expected.unwrap_or_default().join("\n");
    Err(format!("$ {command}\nexit {code:?}\n--- expected\n{expected}\n--- printed\n{printed}"))
}

/// Whether something is said of what is printed, if something is.
fn is_told(expected: &[String], printed: &str) -> bool {
    let says = |line: &String| line != "..." && !line.replace("[..]", "").trim().is_empty();
    printed.is_empty() || expected.iter().any(says)
}

/// What a server prints: the address of its page, and a line for people. The page is there; then the server is ended.
fn served(command: &str, folder: &Path) -> String {
    let mut piped = shell(command, folder);
    let mut server = piped.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the server starts");
    let (mut address, mut printed) = (String::new(), String::new());
    let mut out = BufReader::new(server.stdout.take().expect("a pipe"));
    let mut remarks = BufReader::new(server.stderr.take().expect("a pipe"));
    out.read_line(&mut address).expect("it tells its address");
    remarks.read_line(&mut printed).expect("it tells how it ends");
    let status = page(address.trim());
    server.kill().expect("the server is there");
    server.wait().expect("the server ends");
    assert!(status.starts_with("HTTP/1.1 200 "), "{command}: {address}{status}");
    address + &printed
}

/// What the server at an address answers first.
fn page(address: &str) -> String {
    let (host, path) = address.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("an address");
    let mut stream = TcpStream::connect(host).expect("the server listens");
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("it reads");
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).expect("it answers");
    String::from_utf8_lossy(&reply).lines().next().unwrap_or_default().to_owned()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().expect("a folder")).expect("a folder can be made");
    fs::copy(from, to).expect("files can be copied");
}

/// The folder in which the commands run.
fn prepared() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("pictures")).expect("a folder can be made");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    for file in files(&corpus) {
        let name = file.strip_prefix(&corpus).expect("it is below");
        copy(&file, &folder.join("corpus").join(name));
        if let Ok(name) = name.strip_prefix("services") {
            copy(&file, &folder.join("models").join(name));
        }
    }
    folder
}

/// Runs a chapter: how many commands it has, and those that do not do what it says.
fn run(chapter: &Chapter, folder: &Path) -> (usize, Vec<String>) {
    let mut results = Vec::new();
    for (info, block) in blocks(&chapter.text) {
        if let Some(name) = info.split(',').find_map(|word| word.strip_prefix("file=")) {
            fs::write(folder.join(name), block.join("\n") + "\n").expect("files can be written");
        }
        for (command, expected) in commands(if info == "console" { &block } else { &[] }) {
            results.push(check(command, Some(&expected), folder));
        }
    }
    let rows = cells(&chapter.text).into_iter().filter(|cell| cell.starts_with("impasse "));
    let forms = chapter.text.lines().filter_map(|line| line.strip_prefix("    "));
    let forms = forms.filter(|line| line.starts_with("impasse ") && line.contains(" corpus/"));
    let more: Vec<&str> = if chapter.is_reference { forms.collect() } else { rows.collect() };
    results.extend(more.into_iter().map(|command| check(command, None, folder)));
    (results.len(), results.into_iter().filter_map(Result::err).map(|e| format!("{}: {e}", chapter.name)).collect())
}

#[test]
fn the_book_says_what_happens() {
    let folder = prepared();
    let (mut failures, mut number) = (Vec::new(), 0);
    for chapter in chapters() {
        let (more, wrong) = run(&chapter, &folder);
        number += more;
        failures.extend(wrong);
    }
    assert!(number > 50, "only {number} commands were found");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    let bless = std::env::var_os("IMPASSE_BLESS").is_some();
    for drawn in files(&folder.join("pictures")) {
        let kept = source().join("pictures").join(drawn.file_name().expect("files have names"));
        if bless {
            copy(&drawn, &kept);
        }
        assert_eq!(fs::read(&drawn).ok(), fs::read(&kept).ok(), "{} is drawn otherwise", kept.display());
    }
}

/// Nothing looks like a command and is not run.
#[test]
fn what_looks_like_a_command_is_one() {
    for chapter in chapters().iter().filter(|chapter| !chapter.is_reference) {
        for (info, block) in blocks(&chapter.text).iter().filter(|(info, _)| *info != "console") {
            let is_run = |line: &str| line.strip_prefix("impasse ").is_some_and(|rest| !rest.starts_with('='));
            let like = |line: &&&str| is_run(line) || line.starts_with("$ ");
            assert_eq!(block.iter().find(like), None, "{}: a block called `{info}` has commands", chapter.name);
        }
        let indented = chapter.text.lines().find(|line| line.starts_with("    impasse "));
        assert_eq!(indented, None, "{}: it is in no block", chapter.name);
    }
}

/// Every file is a chapter, every link leads to one or to a file of the book.
#[test]
fn the_book_is_whole() {
    let chapters = chapters();
    let named: BTreeSet<&str> = chapters.iter().map(|chapter| chapter.name.as_str()).collect();
    for file in files(&source()) {
        let name = file.strip_prefix(source()).expect("it is below").to_string_lossy().into_owned();
        let is_chapter = name.ends_with(".md") && name != "SUMMARY.md";
        assert!(!is_chapter || named.contains(name.as_str()), "{name} is not in the table of contents");
    }
    let dead = links::dead(&chapters);
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

/// Each picture is shown, in the chapter that has the command that draws it; and each chapter about a method shows one.
#[test]
fn pictures_are_where_their_commands_are() {
    let mut shown: BTreeMap<String, String> = BTreeMap::new();
    for chapter in chapters() {
        for target in links::targets(&chapter.text).into_iter().filter(|target| target.ends_with(".svg")) {
            let name = target.trim_start_matches("../").to_owned();
            let is_drawn = |(command, _): &(&str, Vec<String>)| command.contains(&name);
            let found = blocks(&chapter.text)
                .iter()
                .any(|(info, block)| *info == "console" && commands(block).iter().any(is_drawn));
            assert!(found, "{}: no command draws {target}", chapter.name);
            shown.insert(name, chapter.name.clone());
        }
    }
    for kept in files(&source().join("pictures")) {
        let name = format!("pictures/{}", kept.file_name().expect("files have names").to_string_lossy());
        assert!(shown.contains_key(&name), "{name} is not shown");
    }
    let with_pictures: BTreeSet<&str> = shown.values().map(String::as_str).collect();
    for method in ["selective-search", "temporal-logic", "unfoldings", "local-analysis", "invariants", "nets", "auto"] {
        assert!(with_pictures.contains(format!("{method}.md").as_str()), "{method} has no picture");
    }
}

#[test]
fn wildcards_alone_tell_nothing() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(is_told(&lines("..."), "") && is_told(&lines("...\nHOLDS [..]"), "a"));
    assert!(!is_told(&lines("...\n[..]\n"), "a") && !is_told(&[], "a"));
}
