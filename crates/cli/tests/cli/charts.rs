//! Explanations as pictures: sequence charts, and who waits for whom; repairs.

use crate::common::{Scratch, code, run, stderr, stdout};

const MODEL: &str = "\
action sign
channel box : 1 of (0..3)
channel desk : rendezvous of (0..3)
lock key
process Clerk { states a, b, c, d
  a -> b : post do box!2
  b -> c : hand do desk!3
  c -> d sync sign }
process Guest { states a, b, c, d
  var got : 0..3
  a -> b : fetch do box?got
  b -> c : accept do desk?got
  c -> d sync sign }
process Guard { states a, b, c
  a -> b : lock do acquire key
  b -> c : more do acquire key }
property deadlock-free
";

/// What is drawn of a model, in the file of a name.
fn drawn(scratch: &Scratch, option: &str, name: &str, model: &str) -> String {
    let path = scratch.file(name).display().to_string();
    let found = run(&["check", model, "--deadlock", option, &path, "-q"]);
    assert_eq!(code(&found), Some(11), "{}", stderr(&found));
    std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{name} was not written: {}", stderr(&found)))
}

#[test]
fn a_run_is_drawn_as_a_chart() {
    let scratch = Scratch::new("chart");
    let model = scratch.write("m.imp", MODEL);
    let mermaid = drawn(&scratch, "--chart", "run.mmd", &model);
    for line in [
        "  participant l0 as Clerk",
        "  participant l3 as channel box",
        "  Note over l2: 1. lock#58; acquire key",
        "  l0->>l3: 2. 2",
        "  l3->>l1: 3. 2",
        "  l0->>l1: 4. desk#58; 3",
        "  l0->l1: 5. sign",
        "  Note over l2: is stuck at b",
    ] {
        assert!(mermaid.lines().any(|l| l == line), "{line} in\n{mermaid}");
    }
    let plantuml = drawn(&scratch, "--chart", "run.puml", &model);
    assert!(plantuml.contains("\nqueue \"box\" as l3\n") && plantuml.contains("\nl0 <-> l1 : 5. sign\n"), "{plantuml}");
    let svg = drawn(&scratch, "--chart", "run.svg", &model);
    assert_eq!((svg.matches("class=\"life\"").count(), svg.matches("class=\"arrow\"").count()), (4, 4), "{svg}");
}

#[test]
fn a_saved_run_has_the_same_chart() {
    let scratch = Scratch::new("saved-chart");
    let file = |name: &str| scratch.file(name).display().to_string();
    let model = scratch.write("m.imp", MODEL);
    let found = run(&["check", &model, "--trace", &file("run.json"), "--chart", &file("a.mmd"), "-q"]);
    assert_eq!(code(&found), Some(11), "{}", stderr(&found));
    let again = run(&["simulate", &model, "--replay", &file("run.json"), "--chart", &file("b.mmd")]);
    assert_eq!(code(&again), Some(0), "{}", stderr(&again));
    let read = |name: &str| std::fs::read_to_string(file(name)).expect("a chart");
    assert_eq!(read("a.mmd"), read("b.mmd"));
    let aimless = run(&["simulate", &model, "--steps", "1", "--chart", &file("c.mmd")]);
    assert_eq!(code(&aimless), Some(2), "{}", stdout(&aimless));
}

#[test]
fn what_repeats_for_ever_is_framed() {
    let scratch = Scratch::new("lasso-chart");
    let model = scratch.write("m.imp", "process P { states a, b, c  a -> b : go  b -> c : up  c -> b : down }\n");
    let path = scratch.file("run.mmd").display().to_string();
    let found = run(&["check", &model, "--ltl", "<> [] P at c", "--chart", &path, "-q"]);
    assert_eq!(code(&found), Some(13), "{}{}", stdout(&found), stderr(&found));
    let chart = std::fs::read_to_string(&path).expect("a chart");
    let body: Vec<&str> = chart.lines().skip(3).collect();
    let wanted =
        ["  Note over l0: 1. go", "  loop for ever", "  Note over l0: 2. up", "  Note over l0: 3. down", "  end"];
    assert_eq!(body, wanted, "{chart}");
}

#[test]
fn who_waits_for_whom_is_drawn() {
    let scratch = Scratch::new("wait-for");
    let dot = drawn(&scratch, "--wait-for", "d.dot", "philosophers.imp");
    assert_eq!(dot.matches("penwidth=2").count() % 2, 0);
    assert!(dot.contains("-> n1 [label=\"fork["), "{dot}");
    let svg = drawn(&scratch, "--wait-for", "d.svg", "philosophers.imp");
    assert_eq!(svg.matches("url(#bad-tip)").count(), svg.matches("class=\"stuck\"").count(), "{svg}");
    let net = drawn(&scratch, "--wait-for", "n.svg", "philosophers.pnml");
    assert!(net.contains("emptied siphon"), "{net}");
}

#[test]
fn the_emptied_siphon_is_told() {
    let found = run(&["check", "philosophers.pnml", "--deadlock"]);
    assert!(stdout(&found).contains("Emptied siphon: no token comes back to "), "{}", stdout(&found));
}

#[test]
fn without_a_run_nothing_is_written() {
    let scratch = Scratch::new("no-chart");
    let model = scratch.write("m.imp", "process P { states a  a -> a : go }\n");
    let file = |name: &str| scratch.file(name).display().to_string();
    let found = run(&["check", &model, "--deadlock", "--chart", &file("a.svg"), "--wait-for", &file("b.svg")]);
    assert_eq!(code(&found), Some(0));
    let notes = stderr(&found);
    assert!(notes.contains("there is no run to draw") && notes.contains("there is no deadlock to draw"), "{notes}");
    assert!(!scratch.file("a.svg").exists() && !scratch.file("b.svg").exists());
    let wrong = run(&["check", &model, "--chart", "run.png"]);
    assert_eq!(code(&wrong), Some(2));
}

#[test]
fn a_repair_is_told_if_it_was_checked() {
    let found = run(&["check", "philosophers.imp", "--set", "n=3", "--deadlock", "--hint", "--no-times"]);
    assert_eq!(code(&found), Some(11), "{}", stderr(&found));
    let hint = "\nHint: Phil[2] takes `fork[2]` before `fork[0]`; if it takes `fork[0]` before `fork[2]` there is no deadlock (checked)";
    assert!(stdout(&found).contains(hint), "{}", stdout(&found));
    let json = stdout(&run(&["check", "philosophers.imp", "--deadlock", "--hint", "--format", "json"]));
    assert!(json.contains("\"hints\": ["), "{json}");
}
