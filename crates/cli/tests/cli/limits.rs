//! Time, memory and Ctrl-C: always a summary, always exit 10, never a verdict.

use std::time::{Duration, Instant};

use crate::common::{code, impasse, run, stderr, stdout};

#[test]
fn a_timeout_is_unknown_with_what_was_covered() {
    let start = Instant::now();
    let output = run(&["check", "large.imp", "--engine", "explore", "--timeout", "300ms"]);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(code(&output), Some(10), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.starts_with("UNKNOWN deadlock-free: the time limit was reached\n"), "{text}");
    assert!(text.contains(" states, ") && text.contains("(a part of the state space)"), "{text}");
}

#[test]
fn every_property_gets_its_share_of_the_time() {
    // The first would take all of it; what cannot be decided at all needs none.
    let questions = ["--deadlock", "--reachable", "Bit[0] at one", "--ltl", "Bit[0] at one"];
    let output =
        run(&[&["check", "large.imp", "--engine", "explore", "--timeout", "1s", "-q"], &questions[..]].concat());
    assert_eq!(code(&output), Some(10), "{}", stderr(&output));
    let text = stdout(&output);
    let verdicts: Vec<&str> = text.lines().filter_map(|l| l.split_whitespace().next()).collect();
    assert_eq!(verdicts, ["UNKNOWN", "HOLDS", "UNKNOWN"], "{text}");
}

#[test]
fn the_last_property_gets_all_that_is_left() {
    let start = Instant::now();
    let questions = ["--invariant", "Bit[0] at zero", "--reachable", "false"];
    let output =
        run(&[&["check", "large.imp", "--engine", "explore", "--timeout", "800ms", "-q"], &questions[..]].concat());
    assert!(stdout(&output).contains("UNKNOWN reachable false"), "{}", stdout(&output));
    assert!(start.elapsed() >= Duration::from_millis(700), "{:?}", start.elapsed());
}

#[test]
fn a_memory_limit_is_unknown_with_what_was_covered() {
    let output = run(&["check", "large.imp", "--engine", "explore", "--memory", "1M"]);
    assert_eq!(code(&output), Some(10), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.starts_with("UNKNOWN deadlock-free: the memory limit was reached\n"), "{text}");
    assert!(text.contains("(a part of the state space)"), "{text}");
}

#[test]
fn progress_goes_to_standard_error_only_if_asked() {
    let quiet = run(&["check", "large.imp", "--engine", "explore", "--timeout", "300ms"]);
    assert_eq!(stderr(&quiet), "", "standard error is no terminal");
    let never = run(&["check", "large.imp", "--engine", "explore", "--timeout", "300ms", "--progress", "never"]);
    assert_eq!(stderr(&never), "");
    let always = run(&["check", "large.imp", "--engine", "explore", "--timeout", "1500ms", "--progress", "always"]);
    assert!(stderr(&always).contains(" states/s, "), "a second is enough for a line: {:?}", stderr(&always));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_a_summary() {
    use std::process::{Command, Stdio};
    let mut command = impasse(&["check", "large.imp", "--engine", "explore"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    std::thread::sleep(Duration::from_millis(500));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill exists");
    assert!(killed.success());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(code(&output), Some(10), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.starts_with("UNKNOWN deadlock-free: the search was interrupted\n"), "{text}");
    assert!(text.contains("(a part of the state space)"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_mistake() {
    use std::process::Stdio;
    for args in [&["check", "philosophers.imp"][..], &["man"], &["info", "mutex.imp"], &["--help"]] {
        let mut command = impasse(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert!(matches!(code(&output), Some(0 | 11)), "{args:?}: {:?}", output.status);
        assert_eq!(stderr(&output), "");
    }
}
