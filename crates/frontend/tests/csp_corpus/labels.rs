//! Labels tell events apart: two different ones never have the same text, whatever their names.

use std::collections::BTreeSet;

use frontend::csp::{Limits, Script};

fn labels(text: &str, process: &str) -> BTreeSet<String> {
    let script = Script::read("test", text, &|_| Err("nothing is included".to_owned())).expect("a script");
    let process = script.process(process).expect("a process");
    let network = script.network(&process, &Limits::default()).expect("a network");
    let specification = script.specification(&process, &Limits::default()).expect("a specification");
    let seen: BTreeSet<String> = network.rules().iter().map(|r| r.label.to_string()).collect();
    let silent = |label: &&String| *label != "tau";
    assert_eq!(
        seen.iter().filter(silent).cloned().collect::<BTreeSet<_>>(),
        specification.labels.into_iter().collect()
    );
    seen
}

fn set(labels: &[&str]) -> BTreeSet<String> {
    labels.iter().map(|l| (*l).to_owned()).collect()
}

#[test]
fn events_are_neither_internal_steps_nor_terminations() {
    let text = "channel tau, tick, done, a\nP = tau -> tick -> done -> (SKIP ||| (a -> SKIP) \\ {a})";
    assert_eq!(labels(text, "P"), set(&["event tau", "event tick", "done", "tau", "tick"]));
}

#[test]
fn events_of_different_modules_are_different() {
    let text = "
module M(X)
  datatype T = t
exports
  channel c : X
  channel d : T
  P = c?x -> d.t -> P
endmodule
instance A = M({0})
instance B = M({0})
module N
  instance C = M({1})
exports
  Q = C::P
endmodule";
    assert_eq!(labels(text, "A::P ||| B::P"), set(&["A::c.0", "A::d.A::t", "B::c.0", "B::d.B::t"]));
    assert_eq!(labels(text, "N::Q"), set(&["N::C::c.1", "N::C::d.N::C::t"]));
}
