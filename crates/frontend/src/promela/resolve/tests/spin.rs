//! Asks SPIN for its automata, where it is installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use super::automaton::{Automaton, Kind, Step};

/// Whether SPIN and a C compiler are there.
pub(super) fn is_there() -> bool {
    let answers = |name: &str, flag: &str| {
        Command::new(name).arg(flag).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    };
    let both = answers("spin", "-V") && answers("gcc", "--version");
    if !both {
        eprintln!("skipped: there is no spin or no gcc");
    }
    both
}

/// The automata of a model; nothing if SPIN does not take it.
pub(super) fn automata(model: &Path) -> Option<Vec<Automaton>> {
    let folder = Folder::new();
    let quiet = |command: &mut Command| {
        command.current_dir(&folder.0).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    };
    let model = std::path::absolute(model).expect("a path");
    quiet(Command::new("spin").args(["-o1", "-o2", "-o3", "-a"]).arg(model));
    let flags = ["-O0", "-w", "-DNOREDUCE", "-DSAFETY", "-o", "pan", "pan.c"];
    if !folder.0.join("pan.c").is_file() || !quiet(Command::new("gcc").args(flags)) {
        return None;
    }
    let output = Command::new(folder.0.join("pan")).arg("-d").current_dir(&folder.0).output().ok()?;
    Some(read(&String::from_utf8_lossy(&output.stdout)))
}

/// The automata of a text.
pub(super) fn automata_of_text(text: &str) -> Option<Vec<Automaton>> {
    let folder = Folder::new();
    let path = folder.0.join("model.pml");
    std::fs::write(&path, text).expect("a writable folder");
    automata(&path)
}

/// A folder of its own that is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("promela-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a writable temporary folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Reads what `pan -d` prints.
fn read(output: &str) -> Vec<Automaton> {
    let mut all: Vec<Automaton> = Vec::new();
    for line in output.lines() {
        if let Some(name) = line.strip_prefix("proctype ").or_else(|| line.strip_prefix("claim ")) {
            all.push(Automaton { name: name.to_owned(), ..Default::default() });
        } else if line == "init" || line == "notrace assertion" || line == "trace assertion" {
            all.push(Automaton { name: line.to_owned(), ..Default::default() });
        } else if line.starts_with("\tstate") {
            read_step(line, all.last_mut().expect("a title stands before its states"));
        }
    }
    all
}

fn read_step(line: &str, automaton: &mut Automaton) {
    let (head, text) = line.split_once(" => ").expect("a statement");
    let numbers: Vec<u32> = head.split("state").skip(1).map(first_number).collect();
    let [from, to] = numbers[..] else { panic!("two states in {line}") };
    let flags = head.rsplit_once('[').expect("flags").1.as_bytes();
    if automaton.states.is_empty() {
        automaton.start = from;
    }
    if text == "-end-" {
        return;
    }
    let state = automaton.states.entry(from).or_default();
    (state.accept, state.end, state.progress) = (flags[1] == b'a', flags[2] == b'e', flags[3] == b'p');
    let is_d_step = text.starts_with("D_STEP");
    let kind = Kind {
        is_jump: text.starts_with("goto ") || text == "break" || text == ".(goto)",
        is_else: text == "else",
        is_d_step,
        keeps: flags[0] == b'A' && !is_d_step,
    };
    state.steps.push(Step { to, kind, text: text.to_owned() });
}

fn first_number(text: &str) -> u32 {
    text.trim_start().split(' ').next().and_then(|n| n.parse().ok()).expect("a number of a state")
}
