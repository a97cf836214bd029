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

/// The same for units.
const UNITS: &str = "int a = 2, b[3], c[2] = { 1, 2 }; hidden byte h; unsigned u : 5 = 3;
    typedef U { mtype kind; U0 pair; unsigned seq : 3 } U u0; mtype:fruit = { apple, pear }
    chan ch = [2] of { mtype, byte, U0 }; chan many[2] = [0] of { int };
    inline f(v, by) { x = v + by }
    active [2] proctype B(chan out; byte k, l) priority 2 provided (x > 0 && x < 3) { int w; f(x, 1); end: skip }
    never claim { do :: x == 1 :: B[1]@end && y -> break od }
    ltl p1 { [] (x == 1 -> <> y) && (x U y) || !x }";

/// Random damage: what SPIN takes is read, what it refuses for its syntax is refused.
fn agree_about(part: &str, frame: impl Fn(&str) -> String) {
    let rounds = std::env::var("IMPASSE_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    let (mut taken, mut refused, mut differences) = (0, 0, Vec::new());
    for seed in 0..rounds {
        let part = damaged(part, &mut Rng::new(seed));
        // The C preprocessor goes on where such things are amiss.
        if part.contains(['\0', '\\']) || part.contains("*/") {
            continue;
        }
        let text = frame(&part);
        let (ours, opinion) = (read(&text), opinion(&text));
        taken += u32::from(opinion == Opinion::Taken);
        refused += u32::from(opinion == Opinion::Refused);
        if opinion == Opinion::Taken && ours.is_err() || opinion == Opinion::Refused && ours.is_ok() {
            differences.push(format!("seed {seed}: {opinion:?}\n{part}\n{:?}", ours.err()));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
    assert!(taken > 0 && refused > 0, "{taken} taken, {refused} refused");
}

#[test]
fn spin_agrees_about_damaged_bodies() {
    if installed() {
        agree_about(BODY, |body| format!("{HEAD} proctype A() {{ skip }}\ninit {{ {body} }}\n"));
    }
}

#[test]
fn spin_agrees_about_damaged_units() {
    if installed() {
        agree_about(UNITS, |units| format!("{HEAD} typedef U0 {{ int f }};\n{units}\ninit {{ skip }}\n"));
    }
}
