//! Networks of automata as files: written whole, read back, the same.

use crate::common::{Scratch, code, run, stderr, stdout};

const CORPUS: &str = "../../../../corpus";

fn space(file: &str) -> String {
    let output = run(&["convert", file, "--to", "aut"]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    stdout(&output).lines().next().unwrap_or_default().to_owned()
}

#[test]
fn what_is_written_reads_back() {
    let scratch = Scratch::new("networks");
    for name in ["philosophers", "alternating-bit", "scheduler", "peers", "jobs", "lost-job"] {
        let (source, copy) = (format!("{CORPUS}/automata/{name}.exp"), scratch.file(&format!("{name}.exp")));
        let copy = copy.display().to_string();
        let output = run(&["convert", &source, "--to", "exp", "--output", &copy]);
        assert_eq!(
            (code(&output), stdout(&output), stderr(&output)),
            (Some(0), String::new(), String::new()),
            "{name}"
        );
        assert_eq!(space(&copy), space(&source), "{name}");
        let verdicts = [&source, &copy].map(|f| code(&run(&["check", f, "-q"])));
        assert_eq!(verdicts[0], verdicts[1], "{name}");
    }
}

/// A model in the native language becomes a network; what cannot be said there is noted.
#[test]
fn a_native_model_as_a_network() {
    let scratch = Scratch::new("native-network");
    let copy = scratch.file("table.exp").display().to_string();
    let output = run(&["convert", &format!("{CORPUS}/philosophers.imp"), "--to", "exp", "-o", &copy]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "note: steps that are model errors become steps that change nothing\n");
    assert!(scratch.names().iter().all(|n| n == "table.exp" || n.starts_with("table-")), "{:?}", scratch.names());
    assert_eq!(space(&copy), "des (0, 805, 242)");
}

/// The state space of a network is an automaton, and a model again.
#[test]
fn a_state_space_is_a_model() {
    let scratch = Scratch::new("space");
    let file = scratch.file("space.aut").display().to_string();
    let source = format!("{CORPUS}/automata/jobs.exp");
    assert_eq!(code(&run(&["convert", &source, "--to", "aut", "-o", &file])), Some(0));
    // It terminates where the network did: that is no deadlock.
    assert_eq!(code(&run(&["check", &file])), Some(0));
    assert_eq!(space(&file), space(&source));
}

#[test]
fn headers_are_not_believed() {
    let scratch = Scratch::new("headers");
    let file = scratch.write("bomb.aut", "des (0, 18446744073709551615, 18446744073709551615)\n(0, a, 0)\n");
    let output = run(&["check", &file]);
    assert_eq!(code(&output), Some(3));
    assert!(stderr(&output).contains("the header says 18446744073709551615 transitions, and there are 1"));
    let file = scratch.write("folder.exp", format!("\"{}\"", scratch.file("").display()));
    assert_eq!(code(&run(&["check", &file])), Some(3));
}
