//! Time, memory and Ctrl-C: always a summary, always exit 10, never a verdict.

use std::time::{Duration, Instant};

use crate::common::{Scratch, code, impasse, run, stderr, stdout};

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

fn corpus(name: &str) -> String {
    format!("{}/../../corpus/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A ring of philosophers as a net.
fn net(n: usize) -> String {
    let mut text = String::from("PLACE ");
    let places = (0..n).map(|i| format!("t{i}, h{i}, e{i}, f{i}")).collect::<Vec<_>>();
    let marked = (0..n).map(|i| format!("t{i}: 1, f{i}: 1")).collect::<Vec<_>>();
    text += &format!("{};\nMARKING {};\n", places.join(", "), marked.join(", "));
    for i in 0..n {
        let next = (i + 1) % n;
        text += &format!("TRANSITION l{i} CONSUME t{i}: 1, f{i}: 1; PRODUCE h{i}: 1;\n");
        text += &format!("TRANSITION r{i} CONSUME h{i}: 1, f{next}: 1; PRODUCE e{i}: 1;\n");
        text += &format!("TRANSITION p{i} CONSUME e{i}: 1; PRODUCE t{i}: 1, f{i}: 1, f{next}: 1;\n");
    }
    text
}

/// The same in Promela: forks are bytes that are tested and set in one step.
const PROMELA: &str = "#define N 200\nbyte fork[N];\nactive [N] proctype Phil() {\n  do\n  :: \
    atomic { fork[_pid] == 0 -> fork[_pid] = 1 };\n     atomic { fork[(_pid + 1) % N] == 0 -> fork[(_pid + 1) % N] = 1 };\n     \
    fork[_pid] = 0;\n     fork[(_pid + 1) % N] = 0\n  od\n}\n";

/// A ring in which everybody waits for the one before, as a network of automata.
fn automata(n: usize) -> String {
    let part = |i: usize| {
        format!("G{i}, G{} -> rename A -> G{i}, B -> G{} in \"cell.aut\" end rename", (i + 1) % n, (i + 1) % n)
    };
    format!("par\n{}\nend par\n", (0..n).map(part).collect::<Vec<_>>().join("\n|| "))
}

/// However large a model is, the time limit is kept: while it is read, seen as a network or a net, analysed, searched, told.
#[test]
fn a_time_limit_is_kept_by_large_models() {
    let scratch = Scratch::new("large-models");
    scratch.write("cell.aut", "des (0, 2, 2)\n(0, \"A\", 1)\n(1, \"B\", 0)\n");
    let csp = std::fs::read_to_string(corpus("csp/philosophers.csp")).expect("the script").replace("N = 4", "N = 300");
    let files = [
        scratch.write("ring.lola", net(20_000)),
        scratch.write("ring.pml", PROMELA),
        scratch.write("ring.csp", &csp),
        scratch.write("ring.exp", automata(3_000)),
    ];
    let asymmetric = corpus("classics/philosophers-asymmetric.imp");
    let mut questions: Vec<Vec<&str>> = files.iter().map(|file| vec![&**file]).collect();
    let (ring, scheduler, booleans) = (
        corpus("philosophers.imp"),
        corpus("classics/milner-scheduler.imp"),
        corpus("classics/philosophers-booleans.imp"),
    );
    let requests = corpus("classics/ricart-agrawala.imp");
    questions.extend([
        vec![&*ring, "--set", "n=50000"],
        vec![&*ring, "--set", "n=2000", "--hint"],
        vec![&*asymmetric, "--set", "n=30000", "--deadlock"],
        vec![&*asymmetric, "--set", "n=3000", "--deadlock", "--engine", "net"],
        vec![&*scheduler, "--set", "n=10000"],
        vec![&*booleans, "--set", "n=5000"],
        vec![&*requests, "--set", "n=60"],
    ]);
    for question in questions {
        let start = Instant::now();
        let output = run(&[&["check", "--timeout", "1s", "-q"], &question[..]].concat());
        let (time, said) = (start.elapsed(), stdout(&output) + &stderr(&output));
        assert!(time < Duration::from_secs(10), "{question:?}: {time:?}\n{said}");
        // Rings of philosophers deadlock, unless one of them is left-handed; nothing else may be said.
        let is_ring =
            !question[0].contains("asymmetric") && !question[0].contains("milner") && !question[0].contains("ricart");
        match code(&output) {
            Some(10) => assert!(said.to_lowercase().contains("unknown"), "{question:?}: {said}"),
            Some(11) => assert!(is_ring, "{question:?}: {said}"),
            Some(0) => assert!(!is_ring, "{question:?}: {said}"),
            other => panic!("{question:?}: {other:?}\n{said}"),
        }
    }
}

/// Programs are told, too, and can tell it from a mistake.
#[test]
fn a_model_that_is_not_read_in_time_is_unknown() {
    let model = corpus("classics/ricart-agrawala.imp");
    let output = run(&["check", &model, "--set", "n=90", "--timeout", "1ms", "--format", "json"]);
    assert_eq!(code(&output), Some(10), "{}", stderr(&output));
    assert_eq!(stderr(&output), "unknown: the time limit was reached while the model was read\n");
    assert!(stdout(&output).contains("\"kind\": \"limit\""), "{}", stdout(&output));
}
