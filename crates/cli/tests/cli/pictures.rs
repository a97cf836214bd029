//! Pictures of prefixes and runs.

use crate::common::{Scratch, code, run, run_with, stderr, stdout};

/// The lines of a text that have a part.
fn lines(text: &str, part: &str) -> usize {
    text.lines().filter(|line| line.contains(part)).count()
}

#[test]
fn a_deadlock_is_drawn_as_a_process() {
    let scratch = Scratch::new("process");
    let (trace, svg) = (scratch.file("run.json").display().to_string(), scratch.file("run.svg").display().to_string());
    let found = run(&["check", "philosophers.imp", "--set", "n=3", "--trace", &trace, "--picture", &svg, "-q"]);
    assert_eq!(code(&found), Some(11), "{}", stderr(&found));
    let drawn = std::fs::read_to_string(&svg).expect("the picture");
    // The trace knows that n was 3.
    let again = run(&["convert", "philosophers.imp", "--trace", &trace, "--to", "process-svg"]);
    assert_eq!((code(&again), stdout(&again)), (Some(0), drawn.clone()), "{}", stderr(&again));
    for (class, expected) in
        [("\"event\"", 3), ("\"condition initial\"", 6), ("\"blocked\"", 3), ("\"arc lacking\"", 3)]
    {
        assert_eq!(lines(&drawn, &format!("class={class}")), expected, "{class}: {drawn}");
    }
    assert!(drawn.contains(">3 events, 9 conditions</text>") && drawn.contains(">Phil[2] at hungry</text>"), "{drawn}");
    let dot = run(&["convert", "philosophers.imp", "--trace", &trace, "--to", "process-dot"]);
    assert_eq!(code(&dot), Some(0), "{}", stderr(&dot));
    assert_eq!((lines(&stdout(&dot), "shape=ellipse"), lines(&stdout(&dot), "color=red")), (9, 6));
}

#[test]
fn a_prefix_is_drawn_whole_or_where_a_run_leads() {
    let scratch = Scratch::new("prefix");
    let trace = scratch.file("run.json").display().to_string();
    assert_eq!(code(&run(&["check", "philosophers.pnml", "--trace", &trace, "-q"])), Some(11));
    let whole = stdout(&run(&["convert", "philosophers.pnml", "--to", "prefix-dot"]));
    let part = stdout(&run(&["convert", "philosophers.pnml", "--to", "prefix-dot", "--trace", &trace]));
    assert_eq!((lines(&whole, "shape=box"), lines(&whole, "= start")), (4, 2), "{whole}");
    assert_eq!((lines(&part, "shape=box"), lines(&part, "color=red, fontcolor")), (4, 2), "{part}");
    assert!(part.contains("\\n2 events, 6 conditions\""), "{part}");
    let svg = run(&["convert", "philosophers.pnml", "--to", "prefix-svg"]);
    assert!(stdout(&svg).contains(">4 events (2 cut-offs), 12 conditions</text>"), "{}", stdout(&svg));
    assert_eq!(lines(&stdout(&svg), "class=\"event cutoff\""), 2);
}

#[test]
fn a_run_through_a_cycle_is_drawn_without_it() {
    let scratch = Scratch::new("shorter");
    let model = "process P { states a, b  a -> b  b -> a  a -> c : stop  states c }\n";
    let path = scratch.write("m.imp", model.replace("states a, b ", "states a, b, c ").replace("  states c", ""));
    let steps = ["P.a->b", "P.b->a", "P.stop"].iter().enumerate();
    let stem: Vec<_> = steps.map(|(i, name)| serde_json::json!({ "transition": i, "name": name })).collect();
    let saved =
        serde_json::json!({ "schema": "impasse-trace-1", "model": "m", "property": "deadlock-free", "stem": stem });
    let trace = scratch.write("run.json", saved.to_string());
    let drawn = |to: &str| stdout(&run(&["convert", &path, "--to", to, "--trace", &trace]));
    assert_eq!(lines(&drawn("process-dot"), "shape=box"), 3);
    assert_eq!(lines(&drawn("prefix-dot"), "shape=box"), 1, "the cycle is a cut-off");
}

#[test]
fn a_model_error_is_drawn_as_the_last_step() {
    let scratch = Scratch::new("error");
    let trace = scratch.file("run.json").display().to_string();
    assert_eq!(code(&run(&["check", "overflow.imp", "--invariant", "true", "--trace", &trace, "-q"])), Some(12));
    let dot = run(&["convert", "overflow.imp", "--trace", &trace, "--to", "process-dot"]);
    assert_eq!(code(&dot), Some(0), "{}", stderr(&dot));
    assert_eq!(lines(&stdout(&dot), "\\nmodel error\""), 1, "{}", stdout(&dot));
    assert!(stdout(&dot).contains("label=\"x=2\""), "{}", stdout(&dot));
}

#[test]
fn what_cannot_be_drawn() {
    let scratch = Scratch::new("undrawn");
    let trace = scratch.file("run.json").display().to_string();
    assert_eq!(code(&run(&["check", "philosophers.pnml", "--trace", &trace, "-q"])), Some(11));
    let text = std::fs::read_to_string(&trace).expect("the trace");
    let mut saved: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let step = saved["stem"][0].clone();
    saved["stem"].as_array_mut().expect("steps").push(step);
    let longer = scratch.write("longer.json", saved.to_string());
    let large =
        scratch.write("large.lola", "PLACE p, q; MARKING p: 4000000000; TRANSITION t CONSUME p: 1; PRODUCE q: 1;");
    let values = "channel c : 9 of (0..9)\nprocess P { states a  for k in 0..9 { a -> a do c!k } }\n";
    let values = scratch.write("values.imp", values);
    for (args, exit, message) in [
        (&["philosophers.imp", "--to", "process-svg"][..], 2, "a process is one of a run"),
        (&["philosophers.imp", "--to", "dot", "--trace", &trace], 2, "--trace is for pictures"),
        (&["philosophers.imp", "--to", "process-svg", "--trace", &trace], 3, "does not fit the model"),
        (&["philosophers.pnml", "--to", "process-svg", "--trace", &longer], 3, "step 3 cannot happen there"),
        (&["philosophers.pnml", "--to", "prefix-svg", "--trace", &longer], 3, "step 3 cannot happen there"),
        (
            &["philosophers.pnml", "--to", "process-svg", "--trace", &trace, "--limit", "7"],
            10,
            "8 nodes, and more than 7",
        ),
        (
            &["philosophers.pnml", "--to", "prefix-svg", "--trace", &trace, "--limit", "7"],
            10,
            "8 nodes, and more than 7",
        ),
        (&["philosophers.pnml", "--to", "prefix-dot", "--limit", "15"], 10, "more than 15 events and conditions"),
        (&["philosophers.imp", "--set", "n=201", "--to", "prefix-svg"], 10, "--trace FILE draws only the part"),
        (
            &["growing.net", "--to", "prefix-svg"],
            10,
            "no complete prefix was built: the net is unbounded: place `heap`",
        ),
        (&[&large, "--to", "prefix-svg"], 10, "more than 2,000 events and conditions"),
        (&[&values, "--to", "prefix-svg"], 3, "cannot be drawn as a net: channel `c`"),
    ] {
        let output = run(&[&["convert"], args].concat());
        assert_eq!((code(&output), stdout(&output).len()), (Some(exit), 0), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
    }
    assert_eq!(code(&run(&["convert", "philosophers.pnml", "--to", "prefix-dot", "--limit", "16"])), Some(0));
}

#[test]
fn the_answer_does_not_depend_on_the_picture() {
    let scratch = Scratch::new("unpictured");
    let svg = scratch.file("run.svg").display().to_string();
    let fine = run(&["check", "mutex.imp", "--property", "mutex", "--picture", &svg, "-q"]);
    assert_eq!(code(&fine), Some(0));
    assert!(stderr(&fine).contains("no run to draw; nothing was written"), "{}", stderr(&fine));
    let long = "var x : 0..900\nprocess P { states a  a -> a when x < 900 do x := x + 1 }\n";
    let long = run_with(&["check", "-", "--deadlock", "--picture", &svg, "-q"], long.as_bytes());
    assert_eq!(code(&long), Some(11), "{}", stderr(&long));
    assert!(stderr(&long).contains("more than 2,000 make no picture; no picture was written"), "{}", stderr(&long));
    let values = "channel c : 9 of (0..9)\nprocess P { states a, b  for k in 0..9 { a -> b do c!k } }\n";
    let values = run_with(&["check", "-", "--deadlock", "--picture", &svg, "-q"], values.as_bytes());
    assert_eq!(code(&values), Some(11), "{}", stderr(&values));
    assert!(stderr(&values).contains("cannot be drawn as a net: channel `c`"), "{}", stderr(&values));
    assert!(stderr(&values).contains("no picture was written"), "{}", stderr(&values));
    assert!(scratch.names().is_empty());
    let png = run(&["check", "mutex.imp", "--picture", "run.png"]);
    assert_eq!(code(&png), Some(2));
    assert!(stderr(&png).contains("a picture is an .svg or a .dot file"), "{}", stderr(&png));
    let nowhere = run(&["check", "philosophers.imp", "--picture", "/no/such/directory/run.svg"]);
    assert_eq!((code(&nowhere), stdout(&nowhere).as_str()), (Some(3), ""), "it is found out before the search");
}

#[test]
fn a_state_space_is_drawn_with_what_persistent_sets_leave_out() {
    let drawn = run(&["convert", "../../../../corpus/philosophers.imp", "--set", "n=3", "--to", "states-svg"]);
    assert_eq!(code(&drawn), Some(0), "{}", stderr(&drawn));
    let drawn = stdout(&drawn);
    for (class, expected) in [("state", 19), ("state deadlock", 1), ("state out", 6), ("step", 27), ("step out", 24)] {
        assert_eq!(lines(&drawn, &format!("class=\"{class}\"")), expected, "{class}: {drawn}");
    }
    let sizes = "dashed: what persistent sets leave out; 20 states, 27 transitions remain";
    assert!(drawn.contains(sizes) && drawn.contains(">26 states, 51 transitions</text>"), "{drawn}");
}

#[test]
fn steps_within_a_row_and_to_the_same_state_are_drawn() {
    let model = b"process P { states a, b, c  a -> b  a -> c  b -> c  c -> c }\n";
    let drawn = stdout(&run_with(&["convert", "-", "--to", "states-svg"], model));
    assert_eq!((lines(&drawn, "class=\"state\""), lines(&drawn, "class=\"step\"")), (3, 4), "{drawn}");
    assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
}
