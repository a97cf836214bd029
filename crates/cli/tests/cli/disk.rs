//! Searches that use the disk: killed at any time they go on, and what goes wrong with files is told, never a verdict.

use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::common::{Scratch, code, impasse, run, stderr, stdout};

const TABLE: &str = "../../../../corpus/classics/shared-table.imp";
const CARELESS: &str = "../../../../corpus/classics/shared-table-careless.imp";
const WHOLE: &str = "explore:finish=unlimited";

/// A search of everything that leaves checkpoints as often as it can.
fn arguments<'a>(model: &'a str, size: &'a str, threads: &'a str, folder: &'a str) -> Vec<&'a str> {
    let mut all =
        vec!["check", model, "--set", size, "--deadlock", "--engine", WHOLE, "--threads", threads, "--no-times"];
    all.extend(["--checkpoint", folder, "--checkpoint-every", "1ms"]);
    all
}

/// The verdicts and figures of a report: of several runs that are equally short, another may be told.
fn said(output: &Output) -> String {
    let text = stdout(output);
    let is_kept =
        |line: &&str| [" deadlock-free: ", " states, ", " steps lead to "].iter().any(|part| line.contains(part));
    text.lines().filter(is_kept).map(|line| format!("{line}\n")).collect()
}

/// Killed without a chance to do anything, at times that are all over the search.
#[cfg(unix)]
#[test]
fn a_search_that_is_killed_goes_on() {
    let mut killed = 0;
    for (model, threads) in [(TABLE, "2"), (CARELESS, "1")] {
        let scratch = Scratch::new(&format!("killed{threads}"));
        let folder = scratch.file("checkpoints").display().to_string();
        let args = arguments(model, "n=8", threads, &folder);
        let mut patience = 10;
        let ended = loop {
            let mut child = impasse(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
            std::thread::sleep(Duration::from_millis(patience));
            patience = patience * 5 / 4 + 7;
            if child.try_wait().expect("it is a child").is_some() {
                break child.wait_with_output().expect("it has ended");
            }
            child.kill().expect("it runs");
            let output = child.wait_with_output().expect("it has ended");
            if code(&output).is_some() {
                break output;
            }
            killed += 1;
        };
        let whole = run(&["check", model, "--set", "n=8", "--deadlock", "--engine", WHOLE, "--no-times"]);
        assert_eq!(code(&ended), code(&whole), "{}", stderr(&ended));
        assert_eq!(said(&ended), said(&whole), "{model}");
        assert_eq!(std::fs::read_dir(&folder).expect("it was made").count(), 0, "nothing stays behind");
    }
    assert!(killed >= 4, "only {killed} times");
}

#[test]
fn a_search_that_is_out_of_time_goes_on() {
    let scratch = Scratch::new("later");
    let folder = scratch.file("checkpoints").display().to_string();
    let args = arguments(TABLE, "n=9", "2", &folder);
    let first = run(&[&args[..], &["--timeout", "50ms"]].concat());
    assert_eq!(code(&first), Some(10), "{}", stderr(&first));
    assert!(stdout(&first).contains("the same command goes on from here"), "{}", stdout(&first));
    // Another model, and a file that is cut short.
    let other = run(&arguments(TABLE, "n=7", "2", &folder));
    assert_eq!(code(&other), Some(10));
    assert!(stdout(&other).contains("is the checkpoint of another model"), "{}", stdout(&other));
    let file = std::fs::read_dir(&folder).expect("it was made").next().expect("there is one").expect("a file").path();
    let whole = std::fs::read(&file).expect("the checkpoint");
    std::fs::write(&file, &whole[..whole.len() - 100]).expect("there is room");
    let torn = run(&args);
    assert_eq!(code(&torn), Some(10));
    assert!(stdout(&torn).contains("is not as it was written"), "{}", stdout(&torn));
    std::fs::write(&file, &whole).expect("there is room");
    let last = run(&args);
    assert_eq!(code(&last), Some(0), "{}", stderr(&last));
    assert!(stdout(&last).contains("the search went on from a checkpoint with "), "{}", stdout(&last));
}

/// A second search for the same is refused while the first one runs, and not when that was killed.
#[cfg(unix)]
#[test]
fn two_searches_at_once_do_not_use_one_folder() {
    let scratch = Scratch::new("twice");
    let folder = scratch.file("checkpoints").display().to_string();
    let args = arguments(TABLE, "n=11", "1", &folder);
    let mut first = impasse(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let names = || std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|file| file.path());
    let is_there = |ending: &str| names().any(|path| path.extension().is_some_and(|e| e == ending));
    while !is_there("checkpoint") {
        assert!(first.try_wait().expect("it is a child").is_none(), "it is done already");
        std::thread::sleep(Duration::from_millis(2));
    }
    let soon = [&args[..], &["--timeout", "1s"]].concat();
    let second = run(&soon);
    assert_eq!(code(&second), Some(10), "{}", stderr(&second));
    let who = format!("another search for the same uses the checkpoints in {folder} (process {})", first.id());
    assert!(stdout(&second).contains(&who), "{}", stdout(&second));
    first.kill().expect("it runs");
    first.wait().expect("it has ended");
    assert!(is_there("lock"), "nobody took it away");
    let third = run(&soon);
    assert!(stdout(&third).contains("the search went on from a checkpoint"), "{}", stdout(&third));
    assert!(!is_there("lock"));
}

/// No file may be longer than a few kilobytes.
#[cfg(unix)]
fn run_with_small_files(args: &[&str]) -> Output {
    let program = impasse(args);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$@\"", "sh"])
        .arg(program.get_program())
        .args(program.get_args());
    shell.current_dir(crate::common::models()).output().expect("there is a shell")
}

#[cfg(unix)]
#[test]
fn a_full_disk_ends_checkpoints_but_not_the_search() {
    let scratch = Scratch::new("full");
    let folder = scratch.file("checkpoints").display().to_string();
    let output = run_with_small_files(&arguments(TABLE, "n=7", "1", &folder));
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("no checkpoint could be written to"), "{}", stdout(&output));
    assert!(stdout(&output).contains("28,192 states"), "{}", stdout(&output));
}

#[test]
fn engines_without_checkpoints_say_so() {
    for engine in ["auto", "explore:order=depth", "symbolic"] {
        let output = run(&["check", TABLE, "--engine", engine, "--checkpoint", "nowhere"]);
        assert_eq!(code(&output), Some(2), "{engine}");
        assert!(stderr(&output).contains("add --engine explore"), "{}", stderr(&output));
    }
}

/// What does not fit into memory fits onto the disk; a deadlock is found there, too, with its run.
#[test]
fn a_search_that_is_short_of_memory_spills() {
    let scratch = Scratch::new("spill");
    let folder = scratch.file("states").display().to_string();
    // What somebody left who was killed at the wrong moment.
    std::fs::create_dir_all(&folder).expect("there is room");
    std::fs::write(scratch.file("states").join("impasse-7-0.run"), "").expect("there is room");
    for (model, states, exit) in [(TABLE, "28,192 states", 0), (CARELESS, " states", 11)] {
        let args =
            ["check", model, "--set", "n=7", "--deadlock", "--engine", WHOLE, "--memory", "100K", "--spill", &folder];
        let output = run(&args);
        assert_eq!(code(&output), Some(exit), "{} {}", stdout(&output), stderr(&output));
        assert!(stdout(&output).contains(states), "{}", stdout(&output));
    }
    assert_eq!(std::fs::read_dir(&folder).expect("it was made").count(), 0, "nothing stays behind");
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_unknown_to_a_search_that_spills() {
    let scratch = Scratch::new("spilled");
    let folder = scratch.file("states").display().to_string();
    let output = run_with_small_files(&[
        "check",
        TABLE,
        "--set",
        "n=8",
        "--deadlock",
        "--engine",
        WHOLE,
        "--memory",
        "100K",
        "--spill",
        &folder,
    ]);
    assert_eq!(code(&output), Some(10), "{} {}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("cannot be kept: File too large"), "{}", stdout(&output));
}
