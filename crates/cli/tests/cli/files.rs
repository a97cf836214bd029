//! What is written to files: traces, formatted models, conversions. Whole or not at all.

use crate::common::{Scratch, code, models, run, stderr, stdout};

#[test]
fn a_saved_trace_can_be_replayed() {
    let scratch = Scratch::new("trace");
    let trace = scratch.file("run.json").display().to_string();
    let output = run(&["check", "philosophers.imp", "--set", "n=3", "--trace", &trace, "-q"]);
    assert_eq!(code(&output), Some(11));
    assert_eq!(scratch.names(), ["run.json"], "no temporary file is left");
    // The trace knows that n was 3.
    let replayed = run(&["simulate", "philosophers.imp", "--replay", &trace]);
    assert_eq!(code(&replayed), Some(0), "{}", stderr(&replayed));
    assert!(stdout(&replayed).contains("Phil[2] waits for fork[0], held by Phil[0]"), "{}", stdout(&replayed));
    for (args, message) in [
        (&["simulate", "philosophers.imp", "--set", "n=2", "--replay", &trace][..], "does not fit the model"),
        (&["simulate", "mutex.imp", "--set", "k=2", "--replay", &trace][..], "no parameter"),
    ] {
        let other = run(args);
        assert_eq!(code(&other), Some(3));
        assert!(stderr(&other).contains(message), "{}", stderr(&other));
        assert_eq!(stdout(&other), "");
    }
}

#[test]
fn a_trace_of_a_question_from_the_command_line_knows_the_question() {
    let scratch = Scratch::new("adhoc");
    let trace = scratch.file("run.json").display().to_string();
    for (model, option, expression, exit, end) in [
        ("overflow.imp", "--reachable", "x == 2", 0, "\n`x == 2` is true here: x is 2\n"),
        ("overflow.imp", "--invariant", "x < 2", 12, "\n  `x < 2` is false: x is 2\n"),
        ("overflow.imp", "--invariant", "true", 12, "\nModel error in step 3: the value 3 is outside the range of `x`"),
    ] {
        assert_eq!(code(&run(&["check", model, option, expression, "--trace", &trace, "-q"])), Some(exit));
        let replayed = run(&["simulate", model, "--replay", &trace]);
        assert_eq!(code(&replayed), Some(0), "{}", stderr(&replayed));
        assert!(stdout(&replayed).contains(end), "{}", stdout(&replayed));
    }
    assert_eq!(code(&run(&["check", "philosophers.imp", "--deadlock", "--trace", &trace, "-q"])), Some(11));
    let replayed = run(&["simulate", "philosophers.imp", "--replay", &trace]);
    assert!(stdout(&replayed).contains("Wait-for cycle:"), "{}", stdout(&replayed));
}

/// The saved trace of a claim of the command line is enough: the automaton is in it, and of several processes it knows
/// which one it is about.
#[test]
fn a_trace_of_a_claim_about_runs_can_be_replayed_alone() {
    let scratch = Scratch::new("claims");
    let trace = scratch.file("run.json").display().to_string();
    let polling = "../../../../corpus/promela/polling.pml";
    let automaton = |name: &str| std::fs::read_to_string(models().join("never").join(name)).expect("an automaton");
    for (model, option, question, end) in [
        ("philosophers.imp", "--never", "starving.hoa", "The automaton accepts this run."),
        ("automata/stuck.exp", "--never", "back.hoa", "The automaton accepts this run."),
        (polling, "--never", "waiting.hoa", "The automaton accepts this run."),
        (polling, "--ltl", "<> Server@progress", "is false of this run"),
        ("csp/handshake.csp", "--ltl", "<> taken(greet)", "is false of this run"),
    ] {
        let question = match option {
            "--never" => scratch.write("gone.hoa", automaton(question)),
            _ => question.to_owned(),
        };
        let checked = run(&["check", model, option, &question, "--trace", &trace, "-q"]);
        assert_eq!(code(&checked), Some(13), "{model}: {}", stderr(&checked));
        scratch.write("gone.hoa", "");
        let replayed = run(&["simulate", model, "--replay", &trace]);
        assert_eq!(code(&replayed), Some(0), "{model}: {}", stderr(&replayed));
        assert!(stdout(&replayed).contains(end), "{model}: {}", stdout(&replayed));
    }
}

#[test]
fn a_trace_of_an_unknown_question_says_so() {
    let scratch = Scratch::new("unknown");
    let trace = scratch.file("run.json").display().to_string();
    assert_eq!(code(&run(&["check", "overflow.imp", "--reachable", "x == 2", "--trace", &trace, "-q"])), Some(0));
    let text = std::fs::read_to_string(&trace).expect("the trace");
    let mut saved: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let replay = |saved: &serde_json::Value| {
        let path = scratch.write("changed.json", saved.to_string());
        run(&["simulate", "overflow.imp", "--replay", &path])
    };
    saved["question"]["text"] = "y == 2".into();
    let refused = replay(&saved);
    assert_eq!((code(&refused), stdout(&refused).as_str()), (Some(3), ""));
    assert!(stderr(&refused).contains("there is no `y`"), "{}", stderr(&refused));
    saved["question"]["kind"] = "likely".into();
    let refused = replay(&saved);
    assert_eq!(code(&refused), Some(3));
    assert!(stderr(&refused).contains("no questions of the kind `likely`"), "{}", stderr(&refused));
    // Files of earlier versions have no question.
    saved.as_object_mut().expect("an object").remove("question");
    let stepped = stdout(&replay(&saved));
    assert!(stepped.contains("state after 2 steps\n  P at a\n  x = 2\n"), "{stepped}");
    assert!(stepped.contains("`reachable x == 2`, which is not a property of the model"), "{stepped}");
    // A step too many is a model error: nobody knows whether that was meant.
    let step = saved["stem"][0].clone();
    saved["stem"].as_array_mut().expect("steps").push(step);
    let refused = replay(&saved);
    assert_eq!((code(&refused), stdout(&refused).as_str()), (Some(3), ""));
    assert!(stderr(&refused).contains("step 3: ") && stderr(&refused).contains("no property"), "{}", stderr(&refused));
}

#[test]
fn of_a_very_long_run_both_ends_are_explained_and_all_is_saved() {
    let scratch = Scratch::new("long");
    let trace = scratch.file("run.json").display().to_string();
    let count = "var x : 0..5000\nprocess P { states a  a -> a when x < 5000 do x := x + 1 }\n";
    let path = scratch.write("count.imp", count);
    let output = run(&["check", &path, "--deadlock", "--trace", &trace, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let result = &report["results"][0];
    let explanation = &result["explanation"];
    assert_eq!(explanation["elided"], 3000);
    assert_eq!(explanation["steps"].as_array().map(Vec::len), Some(2000));
    assert_eq!(
        (&explanation["steps"][999]["number"], &explanation["steps"][1000]["number"]),
        (&1000.into(), &4001.into())
    );
    assert_eq!(result["trace"]["stem"].as_array().map(Vec::len), Some(5000));
    let saved: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&trace).expect("the trace")).expect("JSON");
    assert_eq!(saved, result["trace"]);
    let replayed = stdout(&run(&["simulate", &path, "--replay", &trace]));
    assert!(replayed.starts_with("5000 steps lead to a deadlock:\n"), "{replayed}");
    assert!(replayed.contains("  ... steps 1001 to 4000 are left out (a saved trace has them all)\n"), "{replayed}");
    assert!(replayed.contains("x: 4000 -> 4001") && !replayed.contains("x: 3999 -> 4000"), "{replayed}");
}

#[test]
fn every_deadlock_of_a_list_is_saved() {
    let scratch = Scratch::new("list");
    let trace = scratch.file("run.json").display().to_string();
    let output = run(&["check", "crossing.imp", "--all", "--trace", &trace, "-q"]);
    assert_eq!(code(&output), Some(11), "{}", stderr(&output));
    assert_eq!(scratch.names(), ["run.json", "run.json.1", "run.json.2"]);
    for (file, end) in [("run.json.1", "P[1] is at `one`"), ("run.json.2", "P[1] is at `gone`")] {
        let replayed = run(&["simulate", "crossing.imp", "--replay", &scratch.file(file).display().to_string()]);
        assert_eq!(code(&replayed), Some(0), "{}", stderr(&replayed));
        assert!(stdout(&replayed).contains(end), "{}", stdout(&replayed));
    }
}

#[test]
fn thousands_of_deadlocks_are_listed_soon() {
    let scratch = Scratch::new("many");
    let many = "var x : 0..1999\nprocess P {\n states a, b\n for k in 0..1999 { a -> b do x := k }\n}\n";
    let start = std::time::Instant::now();
    let output = run(&["check", &scratch.write("many.imp", many), "--all"]);
    assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
    let text = stdout(&output);
    assert!(text.starts_with("VIOLATED deadlock-free: there are 2,000 deadlocks\n\nDeadlock 1 of 2,000\n"), "{text}");
    assert_eq!(text.matches("Deadlock: nothing can happen").count(), 200, "the first are told in words");
    assert_eq!(text.matches("1 step leads to it: ").count(), 1800, "of the others the run is shown");
}

#[test]
fn without_a_run_no_trace_is_written() {
    let scratch = Scratch::new("norun");
    let trace = scratch.file("run.json").display().to_string();
    let output = run(&["check", "mutex.imp", "--property", "mutex", "--trace", &trace]);
    assert_eq!(code(&output), Some(0));
    assert!(stderr(&output).contains("nothing was written"), "{}", stderr(&output));
    assert!(scratch.names().is_empty());
}

#[test]
fn a_file_that_cannot_be_written_is_bad_input() {
    let output = run(&["check", "philosophers.imp", "--trace", "/no/such/directory/run.json"]);
    assert_eq!(code(&output), Some(3));
    assert!(stderr(&output).contains("cannot write /no/such/directory/run.json"), "{}", stderr(&output));
    // It is found out before the search: nobody waits in vain.
    let start = std::time::Instant::now();
    let output = run(&["check", "large.imp", "--timeout", "20s", "--trace", "/no/such/directory/run.json"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (Some(3), ""));
    assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
}

#[cfg(unix)]
#[test]
fn the_verdict_is_shown_whatever_becomes_of_the_trace() {
    // It can be opened, but nothing can be written to it.
    let output = run(&["check", "philosophers.imp", "--trace", "/dev/full", "-q"]);
    assert_eq!(code(&output), Some(3), "{}", stderr(&output));
    assert_eq!(stdout(&output), "VIOLATED deadlock-free: there is a deadlock\n");
    assert!(stderr(&output).contains("cannot write /dev/full"), "{}", stderr(&output));
}

#[test]
fn a_run_that_no_longer_shows_anything_is_called_so() {
    let scratch = Scratch::new("repaired");
    let trace = scratch.file("run.json").display().to_string();
    let broken = "process P { states s, t  s -> t }\n";
    let path = scratch.write("m.imp", broken);
    assert_eq!(code(&run(&["check", &path, "--trace", &trace, "-q"])), Some(11));
    scratch.write("m.imp", broken.replace("s -> t", "s -> t  t -> s"));
    let replayed = run(&["simulate", &path, "--replay", &trace]);
    assert_eq!(code(&replayed), Some(0), "{}", stderr(&replayed));
    let end =
        "\nThis run no longer leads to a deadlock: it says nothing about `deadlock-free`. Run `impasse check` again.\n";
    assert!(stdout(&replayed).ends_with(end), "{}", stdout(&replayed));
}

#[test]
fn formatting_writes_only_what_changes() {
    let scratch = Scratch::new("fmt");
    let untidy = std::fs::read_to_string(models().join("untidy.imp")).expect("a model");
    let path = scratch.write("untidy.imp", &untidy);
    let bad = scratch.write("bad.imp", "process {");
    assert_eq!(code(&run(&["fmt", "--check", &path])), Some(3));
    assert_eq!(std::fs::read_to_string(&path).expect("the file"), untidy, "--check writes nothing");
    let output = run(&["fmt", &bad, &path]);
    assert_eq!(code(&output), Some(3), "one of the files has mistakes");
    assert_ne!(std::fs::read_to_string(&path).expect("the file"), untidy, "the other is formatted all the same");
    assert_eq!(std::fs::read_to_string(&bad).expect("the file"), "process {");
    let modified = || std::fs::metadata(&path).and_then(|m| m.modified()).expect("a time");
    let before = modified();
    assert_eq!(code(&run(&["fmt", &path])), Some(0));
    assert_eq!(modified(), before, "a formatted file is not touched");
    assert_eq!(code(&run(&["fmt", "--check", &path])), Some(0));
    assert_eq!(scratch.names(), ["bad.imp", "untidy.imp"]);
}

#[cfg(unix)]
#[test]
fn formatting_keeps_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let scratch = Scratch::new("perm");
    let path = scratch.write("real.imp", "process   P { states a }\n");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("permissions");
    let link = scratch.file("link.imp");
    symlink(&path, &link).expect("a link");
    assert_eq!(code(&run(&["fmt", &link.display().to_string()])), Some(0));
    let metadata = std::fs::metadata(&path).expect("the file");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o640);
    assert!(std::fs::symlink_metadata(&link).expect("the link").is_symlink());
    assert!(std::fs::read_to_string(&path).expect("the file").starts_with("process P {"));
}

#[test]
fn conversions_can_go_to_a_file() {
    let scratch = Scratch::new("convert");
    let path = scratch.file("space.aut").display().to_string();
    let output = run(&["convert", "philosophers.imp", "--to", "aut", "-o", &path]);
    assert_eq!((code(&output), stdout(&output).as_str()), (Some(0), ""));
    assert!(std::fs::read_to_string(&path).expect("the file").starts_with("des (0, 8, 6)\n"));
    let refused = run(&["convert", "large.imp", "--to", "states-dot", "-o", &scratch.file("x").display().to_string()]);
    assert_eq!(code(&refused), Some(10));
    assert_eq!(scratch.names(), ["space.aut"], "nothing was written");
}

#[test]
fn the_model_printed_in_its_own_language_is_the_same_model() {
    let scratch = Scratch::new("native");
    let path = scratch.file("printed.imp").display().to_string();
    assert_eq!(code(&run(&["convert", "philosophers.imp", "--to", "native", "-o", &path])), Some(0));
    // Members of families get names of their own; the state space is as large as it was.
    let size = |file: &str| stdout(&run(&["convert", file, "--to", "aut"])).lines().next().map(str::to_owned);
    assert_eq!(size(&path).as_deref(), Some("des (0, 8, 6)"));
    assert_eq!(size(&path), size("philosophers.imp"));
    assert_eq!(code(&run(&["check", &path, "-q"])), Some(11));
}

#[test]
fn completions_and_the_manual_are_made_of_the_arguments() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&["completions", shell]);
        assert!(stdout(&output).contains("simulate"), "{shell}");
    }
    let page = stdout(&run(&["man"]));
    assert!(
        page.contains(".SH \"IMPASSE CHECK\"")
            && page.contains("timeout")
            && page.contains("equal share")
            && page.contains("Exit codes"),
        "{page}"
    );
}

/// The automaton of a formula, asked for as a claim, gives the formula's answer.
#[test]
fn the_automaton_of_a_formula_is_written_and_read() {
    let scratch = Scratch::new("hoa");
    let model = "../../../../corpus/classics/peterson.imp";
    let formulas = [
        ("always (P[0] at waiting => eventually P[0] at critical)", 0),
        ("always eventually P[0] at critical", 13),
        ("eventually P[1] at waiting", 13),
    ];
    for (formula, exit) in formulas {
        let file = scratch.file("formula.hoa").display().to_string();
        let written = run(&["convert", model, "--to", "hoa", "--ltl", formula, "-o", &file]);
        assert_eq!(code(&written), Some(0), "{}", stderr(&written));
        for asked in [["--ltl", formula], ["--never", &file]] {
            let checked = run(&[&["check", model, "-q"], &asked[..]].concat());
            let found = code(&checked).map(|code| if code == 12 { 13 } else { code });
            assert_eq!(found, Some(exit), "{asked:?}: {}{}", stdout(&checked), stderr(&checked));
        }
    }
    assert_eq!(code(&run(&["convert", model, "--to", "hoa"])), Some(2));
    assert_eq!(code(&run(&["convert", model, "--to", "hoa", "--property", "mutex"])), Some(2));
    assert_eq!(code(&run(&["convert", model, "--to", "hoa", "--property", "no_starvation"])), Some(0));
}
