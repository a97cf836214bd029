//! Nets of the size that people have: read, reduced, checked and explained in seconds, and in few lines.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::common::{Scratch, code, run, stderr, stdout};

/// Philosophers as a net with four places and three transitions each; the first may take his forks the other way round.
fn philosophers(n: usize, first_differs: bool) -> String {
    let all = |name: &str| (0..n).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", ");
    let places = ["thinks", "waits", "eats", "fork"].map(all).join(",\n");
    let marked: Vec<String> = (0..n).map(|i| format!("thinks{i}: 1, fork{i}: 1")).collect();
    let mut out = format!("PLACE {places};\nMARKING {};\n", marked.join(", "));
    for i in 0..n {
        let (left, right) = (i, (i + 1) % n);
        let (a, b) = if first_differs && i == 0 { (right, left) } else { (left, right) };
        writeln!(out, "TRANSITION first{i} CONSUME thinks{i}: 1, fork{a}: 1; PRODUCE waits{i}: 1;")
            .and_then(|()| writeln!(out, "TRANSITION second{i} CONSUME waits{i}: 1, fork{b}: 1; PRODUCE eats{i}: 1;"))
            .and_then(|()| writeln!(out, "TRANSITION put{i} CONSUME eats{i}: 1;"))
            .and_then(|()| writeln!(out, "PRODUCE thinks{i}: 1, fork{left}: 1, fork{right}: 1;"))
            .expect("writing to a string cannot fail");
    }
    out
}

/// What a command says about a net; the bound is generous, but far below what quadratic work would take.
fn says(command: &[&str], net: &str, expected: i32) -> String {
    let scratch = Scratch::new(&format!("net-{}-{expected}-{}", command[0], net.len()));
    let file = scratch.write("large.lola", net);
    let start = Instant::now();
    let output = run(&[command, &[&file]].concat());
    assert!(start.elapsed() < Duration::from_secs(150), "{:?}", start.elapsed());
    assert_eq!(code(&output), Some(expected), "{}{}", stdout(&output), stderr(&output));
    let text = stdout(&output);
    assert!(text.len() < 50_000, "{} bytes are too much to read", text.len());
    text
}

const CHECK: &[&str] = &["check", "--threads", "2", "--timeout", "120s"];

#[test]
fn ten_thousand_philosophers_get_stuck() {
    let text = says(CHECK, &philosophers(10_000, false), 11);
    assert!(text.starts_with("VIOLATED deadlock-free: there is a deadlock\n"), "{text}");
    assert!(text.contains("waits0: 1\n") && text.contains("second0: fork1 has 0 of 1\n"), "{text}");
    assert!(text.contains("... and 9976 more places\n"), "{text}");
}

#[test]
fn ten_thousand_philosophers_one_of_whom_is_different_do_not() {
    let text = says(CHECK, &philosophers(10_000, true), 0);
    assert!(text.starts_with("HOLDS deadlock-free: "), "{text}");
}

#[test]
fn a_hundred_thousand_places() {
    let net = philosophers(25_000, false);
    let text = says(&["info"], &net, 0);
    assert!(text.contains("  100,000 places, 75,000 transitions, 250,000 arcs\n"), "{text}");
    assert!(text.contains("  ... and 99,976 more\n"), "{text}");
    let text = says(CHECK, &net, 11);
    assert!(text.contains(" steps lead to a deadlock:\n"), "{text}");
    let text = says(&[CHECK, &["--reachable", "waits0 + waits1 == 2 && fork2 == 0"]].concat(), &net, 0);
    assert!(text.starts_with("HOLDS reachable "), "{text}");
}

#[test]
fn files_that_are_no_nets() {
    let scratch = Scratch::new("no-nets");
    let long = format!("<pnml>{}<net", "<!-- -->".repeat(1000));
    for (name, bytes, message) in [
        ("empty.pnml", &b""[..], "empty.pnml"),
        ("cut.pnml", b"<pnml><net id=\"n\">", "cut.pnml"),
        ("long.pnml", long.as_bytes(), "at "),
        ("noise.lola", b"PLACE \xff", "UTF-8"),
        ("noise.net", b"tr ->", "noise.net"),
        ("noise.ll_net", b"\0\0", "noise.ll_net"),
    ] {
        let output = run(&["check", &scratch.write(name, bytes)]);
        let text = stderr(&output);
        assert_eq!((code(&output), stdout(&output)), (Some(3), String::new()), "{name}: {text}");
        assert!(text.contains(message) && !text.contains("panicked") && text.len() < 4000, "{name}: {text}");
    }
}

#[test]
fn what_is_written_reads_back_with_the_same_answers() {
    let scratch = Scratch::new("net-roundtrip");
    for (target, file) in [("pnml", "again.pnml"), ("lola", "again.lola"), ("native", "again.imp")] {
        let path = scratch.file(file).display().to_string();
        let output = run(&["convert", "philosophers.pnml", "--to", target, "-o", &path]);
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        let output = run(&["check", &path, "--engine", "explore"]);
        assert_eq!(code(&output), Some(11), "{target}: {}", stdout(&output));
        assert!(stdout(&output).contains("\n4 states, 6 transitions, 1 deadlock, "), "{target}: {}", stdout(&output));
    }
}

#[test]
fn a_saved_run_of_a_net_is_shown_again() {
    let scratch = Scratch::new("net-trace");
    let trace = scratch.file("run.json").display().to_string();
    let question = "`hungry 0` == 1 && h1 == 1";
    let output = run(&["check", "philosophers.pnml", "--reachable", question, "--trace", &trace]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let output = run(&["simulate", "philosophers.pnml", "--replay", &trace]);
    assert!(stdout(&output).contains("is true here: hungry 0 is 1, hungry 1 is 1"), "{}", stdout(&output));
}

#[test]
fn nets_say_what_they_expect() {
    let dir = Scratch::new("net-expectations");
    let net = "PLACE a, b; MARKING a: 1; TRANSITION t CONSUME a: 1; PRODUCE b: 1;\n";
    let right = dir.write("right.lola", format!("{{ expect: deadlock-free violated }}\n{{ expect: 2 states }}\n{net}"));
    let wrong = dir.write("wrong.lola", format!("{{ expect: deadlock-free holds }}\n{{ expect: 3 states }}\n{net}"));
    let output = run(&["test", &right]);
    assert_eq!(code(&output), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).ends_with("1 model, 2 checks: 2 passed\n"));
    let output = run(&["test", &wrong]);
    assert_eq!(code(&output), Some(12));
    assert!(stdout(&output).contains("expected holds, found violated"), "{}", stdout(&output));
    assert!(stdout(&output).contains("expected 3 states, found 2"), "{}", stdout(&output));
    dir.write("late.lola", format!("{{ expect: deadlock-free violated }}\n{net}"));
    let folder = dir.file("").display().to_string();
    let output = run(&["test", &folder, "--timeout", "0s"]);
    assert_eq!(code(&output), Some(10), "directories are searched for nets, and a timeout never passes");
}
