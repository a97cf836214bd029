//! What is wrong with a script is said at its place, in its own words.

use frontend::csp::{Limits, Script};

use crate::support::{mistake, script};

const CHANNELS: &str = "channel a, b\nchannel c : {0..1}\nchannel d : Int\n";

#[track_caller]
fn refused(definitions: &str, process: &str, message: &str) {
    assert_eq!(mistake(&format!("{CHANNELS}{definitions}"), process), message);
}

#[test]
fn names() {
    refused("P = a -> Q", "P", "the name `Q` is not defined");
    refused("P = STOP\nP' = STOP\nP = SKIP", "P", "the name `P` is defined more than once");
    refused("f(x, x) = STOP", "STOP", "the pattern binds `x` twice");
    refused("transparent squeeze", "STOP", "there is no predefined function `squeeze`");
}

#[test]
fn a_name_that_was_meant() {
    let errors = Script::read("test", "PHIL = STOP\nSYSTEM = PHILL", &|_| Err(String::new())).expect_err("a mistake");
    assert_eq!(errors[0].help.as_deref(), Some("did you mean `PHIL`?"));
    assert_eq!(errors[0].position(b"PHIL = STOP\nSYSTEM = PHILL"), (2, 10));
    let errors = Script::read("test", "P = normal(STOP)", &|_| Err(String::new())).expect_err("a mistake");
    assert_eq!(errors[0].help.as_deref(), Some("declare it first: `transparent normal` or `external normal`"));
}

#[test]
fn events() {
    refused("P = c.2 -> STOP", "P", "`c` does not carry 2: its field is from {0, 1}");
    refused("P = c -> STOP", "P", "`c` is not a complete event: fields are missing");
    refused("P = c.0.1 -> STOP", "P", "`c.0.1` has more fields than were declared");
    refused("P = STOP \\ {c}\nQ = (a -> STOP) \\ {c}", "Q", "`c` is not a complete event: fields are missing");
    refused("P = 3 -> STOP", "P", "3 is a number, and not an event");
    let infinite = "the set Int is infinite, or too large, to be listed here";
    refused("P = d?x -> STOP", "P", infinite);
    refused("P = (a -> STOP) \\ {| d |}", "P", infinite);
    let script = script(&format!("{CHANNELS}P = d?x:{{1,2}} -> d!x -> STOP"));
    let process = script.process("P").expect("a process");
    assert!(script.network(&process, &Limits::default()).is_ok(), "the restricted input has an end");
}

#[test]
fn values_of_the_wrong_kind() {
    refused("P = if 1 then STOP else SKIP", "P", "a truth value is needed here, and this is a number");
    refused("P = a -> 3", "P", "a process is needed here, and this is a number");
    refused("f(x) = a -> STOP", "f(1,2)", "in `f(1,2)`: `f` takes 1 arguments, and here are 2");
    refused("f(0) = STOP", "f(1)", "no clause matches the call f(1)");
    refused("P = STOP(1)", "P", "this is a process, and takes no arguments");
    refused("P = |~| x:{} @ STOP", "P", "a replicated internal choice needs at least one process");
    refused("P = STOP [c.0 <-> a, c.0 <-> b] STOP", "P", "the event `c.0` is linked more than once");
}

#[test]
fn no_end() {
    refused("P = P", "P", "the value of `P` depends on itself");
    refused("P = P [] a -> STOP", "P", "`P` calls itself before it does anything");
    refused("P = P ||| STOP", "P", "`P` calls itself before it does anything");
    refused("x = x + 1\nP = x == 1 & STOP", "P", "the value of `x` depends on itself");
    let deep = "the evaluation goes too deep: probably a function that calls itself for ever";
    refused("P(n) = P(n+1)", "P(0)", deep);
    refused("P(n) = P(n+1) [] STOP", "P(0)", "`P(0)` calls itself before it does anything");
    refused("f(n) = 1 + f(n+1)\nP = f(0) == 1 & STOP", "P", deep);
}

#[test]
fn too_many_states() {
    let script = script("channel a\nP(n) = a -> P(n+1)");
    let process = script.process("P(0)").expect("a process");
    let limits = Limits { states: 100, ..Limits::default() };
    let errors = script.network(&process, &limits).expect_err("there is no end");
    assert_eq!(errors[0].message, "the process `P(0)` has more than 100 states");
}

#[test]
fn what_is_outside_of_the_part_is_named() {
    refused("external prioritise\nP = prioritise(a -> STOP, <{a}>)", "P", "prioritise is not supported");
    refused("OneStep(_) = 1\nTimed(OneStep) {\n  P = a -> STOP\n}", "P", "a Timed section is not supported");
    refused("P = BUFFER(2, {(a, b)})", "P", "the process BUFFER is not supported");
}

#[test]
fn mistakes_in_included_files_are_placed_at_their_include() {
    let main = "include \"sub.csp\"\nP = Q";
    let script = Script::read("test", main, &|_| Ok("channel a\nQ = a -> R".to_owned()));
    let errors = script.expect_err("a mistake");
    assert_eq!(errors[0].message, "in \"sub.csp\", line 2, column 10: the name `R` is not defined");
    assert_eq!(errors[0].position(main.as_bytes()), (1, 1));
}
