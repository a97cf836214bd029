//! Processes of scripts: the events, states and names of their networks.

use crate::support::{network, space};

const CHANNELS: &str = "
channel a, b, c, d
channel in, out : {0..2}
";

fn size(definitions: &str, process: &str) -> (usize, usize) {
    let space = space(&network(&format!("{CHANNELS}{definitions}"), process));
    (space.states, space.transitions)
}

fn labels(definitions: &str, process: &str) -> String {
    let space = space(&network(&format!("{CHANNELS}{definitions}"), process));
    space.labels.into_iter().collect::<Vec<_>>().join(" ")
}

#[test]
fn communication() {
    assert_eq!(size("COPY = in?x -> out!x -> COPY", "COPY"), (4, 6));
    assert_eq!(labels("P = in?x:{1,2} -> STOP", "P"), "in.1 in.2");
    assert_eq!(labels("P = in?1 -> STOP", "P"), "in.1");
    assert_eq!(labels("P = in$x:{0,1} -> STOP", "P"), "in.0 in.1 tau");
    assert_eq!(labels("channel e : {0..1}.{0..1}.{0..1}\nP = e?x!x?y:{x} -> STOP", "P"), "e.0.0.0 e.1.1.1");
    assert_eq!(labels("channel e : {0..1}.{0..1}\nP = e.0?y -> e?x.0 -> STOP", "P"), "e.0.0 e.0.1 e.1.0");
}

#[test]
fn states_do_not_depend_on_what_was_forgotten() {
    assert_eq!(size("P = in?x -> out?y -> in?z -> a -> P", "P"), (4, 10));
    assert_eq!(size("P(n) = let q = n+1 within a -> b -> P(0)", "P(7)"), (2, 2));
}

#[test]
fn recursion_through_arguments_data_and_lets() {
    assert_eq!(size("Q(R) = a -> R\nP = b -> Q(P)", "P"), (2, 2));
    assert_eq!(size("P = head(<a -> P>)", "P"), (1, 1));
    assert_eq!(size("P = let X = a -> Y\n    Y = b -> X within X", "P"), (2, 2));
    assert_eq!(size("f(x) = \\ y @ a -> f(y)(x)", "f(1)(2)"), (1, 1));
}

#[test]
fn operators() {
    assert_eq!(size("", "a -> SKIP ; b -> SKIP"), (5, 4));
    assert_eq!(size("", "a -> STOP [] b -> STOP |~| c -> STOP"), (4, 5));
    assert_eq!(size("", "a -> STOP /\\ b -> STOP"), (3, 3));
    assert_eq!(size("", "a -> STOP [> b -> STOP"), (3, 3));
    assert_eq!(size("", "a -> b -> STOP [| {b} |> c -> STOP"), (4, 3));
    assert_eq!(size("", "a -> b -> STOP [| {b} |] b -> c -> STOP"), (4, 3));
    assert_eq!(size("", "a -> b -> STOP [ {a,b} || {b,c} ] b -> c -> STOP"), (4, 3));
    assert_eq!(size("", "(a -> b -> STOP) \\ {a}"), (3, 2));
    assert_eq!(labels("", "(a -> b -> STOP) |\\ {a}"), "a tau");
    assert_eq!(labels("", "(in?x -> STOP)[[in <- out, in.0 <- a]]"), "a out.0 out.1 out.2");
    assert_eq!(size("", "false & a -> STOP"), (1, 0));
    assert_eq!(size("", "CHAOS({a,b})"), (2, 3));
    assert_eq!(size("", "RUN({|in|})"), (1, 3));
    assert_eq!(
        labels("COPY = in?x -> out!x -> COPY", "COPY [out <-> in] COPY"),
        "in.0 in.1 in.2 out.0 out.1 out.2 tau"
    );
}

#[test]
fn replicated_operators() {
    assert_eq!(labels("", "[] x:{0,2} @ in.x -> STOP"), "in.0 in.2");
    assert_eq!(size("", "|~| x:{0,2} @ in.x -> STOP"), (4, 4));
    assert_eq!(size("", "||| x:{0..2} @ in.x -> STOP"), (8, 12));
    assert_eq!(size("", "; x:<0,1> @ in.x -> SKIP"), (5, 4));
    assert_eq!(size("", "[| {a} |] x:{0..2} @ in.x -> a -> STOP"), (9, 13));
    assert_eq!(size("", "|| x:{0..1} @ [{a, in.x}] in.x -> a -> STOP"), (5, 5));
    assert_eq!(size("", "||| x:{} @ in.x -> STOP"), (2, 1));
    assert_eq!(size("COPY = in?x -> out!x -> COPY", "[out <-> in] i:<1..3> @ COPY").0, 64);
}

#[test]
fn the_structure_goes_through_names() {
    let text = format!(
        "{CHANNELS}
         SYSTEM(n) = (CELLS(n) \\ {{| in |}})[[a <- b]]
         CELLS(n) = if n == 0 then SKIP else CELL(n) ||| CELLS(n-1)
         CELL(n) = in.(n % 3) -> a -> CELL(n)"
    );
    let network = network(&text, "SYSTEM(3)");
    let names: Vec<&str> = network.components().iter().map(|c| c.name()).collect();
    assert_eq!(names, ["CELL(3)", "CELL(2)", "CELL(1)", "CELLS(0)"]);
    let labels: Vec<&str> = network.rules().iter().map(|r| &*r.label).collect();
    assert_eq!(labels, ["tau", "tau", "tau", "tau", "b", "b", "b"]);
    let hidden: Vec<&str> = network.rules().iter().map(|r| &*r.name).take(4).collect();
    assert_eq!(hidden, ["tau (tick)", "tau (in.0)", "tau (in.1)", "tau (in.2)"]);
}

#[test]
fn compositions_underneath_choices_stay_inside_a_component() {
    let network = network(&format!("{CHANNELS}P = a -> (b -> SKIP ||| c -> SKIP) ; P"), "P ||| d -> STOP");
    assert_eq!(network.components().len(), 2);
    assert_eq!(network.components()[0].states().len(), 9);
}

#[test]
fn termination_is_no_deadlock() {
    let done = space(&network(CHANNELS, "a -> SKIP ||| b -> SKIP"));
    assert_eq!((done.deadlocks, done.labels.contains("tick")), (0, true));
    let stuck = space(&network(CHANNELS, "a -> SKIP ||| b -> STOP"));
    assert_eq!((stuck.deadlocks, stuck.labels.contains("tick")), (1, false));
}
