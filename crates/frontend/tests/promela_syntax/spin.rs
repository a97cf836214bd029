//! The same texts, given to SPIN where it is installed: it must agree about the syntax.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use testkit::Rng;

use crate::fuzz::damaged;
use crate::grammar::{REFUSED, TAKEN, UNITS_REFUSED, UNITS_TAKEN, in_body, in_model};
use crate::support::{HEAD, read};

/// What SPIN thinks of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Opinion {
    Taken,
    /// Refused for its syntax.
    Refused,
    /// Refused for another reason, perhaps before the syntax was looked at.
    Other(String),
}

/// Whether SPIN is there.
pub(crate) fn installed() -> bool {
    let found = Command::new("spin").arg("-V").output().is_ok_and(|out| out.status.success());
    if !found {
        eprintln!("skipped: spin is not installed");
    }
    found
}

/// A folder of its own, gone after use: SPIN writes files where it runs.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("impasse-spin-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for temporary files");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What SPIN thinks of a file.
pub(crate) fn opinion_of_file(path: &std::path::Path) -> Opinion {
    let folder = Folder::new();
    let out = Command::new("spin").arg("-a").arg(path).current_dir(&folder.0).output().expect("spin runs");
    let said = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    let syntax = [
        "syntax error",
        "placed incorrectly",
        "label preceding",
        "usage: provided",
        "without width-field",
        "character quote missing",
        "wrong nr of params",
        "bad param to inline",
        "procedure name",
        "error: #",
        "mtype declaration must be global",
        "outside inline",
        "preprocessing failed",
    ];
    match out.status.code() {
        Some(0) => Opinion::Taken,
        Some(_) if syntax.iter().any(|word| said.contains(word)) => Opinion::Refused,
        _ => Opinion::Other(said),
    }
}

/// What SPIN thinks of a text.
fn opinion(text: &str) -> Opinion {
    let folder = Folder::new();
    let path = folder.0.join("model.pml");
    std::fs::write(&path, text).expect("a temporary file");
    opinion_of_file(&path)
}

#[test]
fn spin_agrees_about_the_texts() {
    if !installed() {
        return;
    }
    let taken = TAKEN.iter().map(|text| in_body(text)).chain(UNITS_TAKEN.iter().map(|text| in_model(text)));
    for text in taken {
        assert_eq!(opinion(&text), Opinion::Taken, "{text}");
    }
    let refused = REFUSED.iter().map(|text| in_body(text)).chain(UNITS_REFUSED.iter().map(|text| in_model(text)));
    for text in refused {
        assert_ne!(opinion(&text), Opinion::Taken, "{text}");
    }
}

/// Statements in which damage is likely to leave something that is still correct.
const BODY: &str = "if :: x == 1 -> q!1,2; x++ :: else y = (x -> 1 : 2) fi; do :: q?x,y -> break :: q?<x(y)> od;
    L: atomic { x = z[1] + 2; t.f = 3 } { x = 1 } unless { y }
    for (x : 0 .. 2) { z[x] = x };
    y = x && (y || !x)
    q!ma(x); goto L";

/// Random damage to a body: what SPIN takes is read, what it refuses for its syntax is refused.
#[test]
fn spin_agrees_about_damaged_bodies() {
    if !installed() {
        return;
    }
    let rounds = std::env::var("IMPASSE_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let mut counts = [0; 3];
    for seed in 0..rounds {
        let body = damaged(BODY, &mut Rng::new(seed));
        let text = format!("{HEAD} proctype A() {{ skip }}\ninit {{ {body} }}\n");
        let ours = read(&text);
        match opinion(&text) {
            Opinion::Taken => {
                counts[0] += 1;
                assert!(ours.is_ok(), "seed {seed}: SPIN takes {text}\n{:?}", ours.err());
            }
            Opinion::Refused => {
                counts[1] += 1;
                assert!(ours.is_err(), "seed {seed}: SPIN refuses {text}");
            }
            Opinion::Other(_) => counts[2] += 1,
        }
    }
    assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
}
