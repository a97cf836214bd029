//! What the constructs mean: small models, each with its number of states and transitions.

use crate::support;
use frontend::native::{self, formula, load, predicate};
use model::{Expectation, Expr, Ltl, Property, Proposition};

/// A model, its states, its transitions.
type Case = (&'static str, usize, usize);

const CASES: &[Case] = &[
    ("process P { states a, b  a -> b }", 2, 1),
    ("process P { states a, b;  a -> b;  b -> a; };", 2, 2),
    ("process P { a -> b  states a, b }", 2, 1),
    ("process P { states a, b  init b  a -> b }", 1, 0),
    ("process P[i in 0..1] { states a, b  init b when i == 1  a -> b }", 2, 1),
    ("process P[i in 0..1, j in 0..1] { states a, b  a -> b when i == j }", 4, 4),
    ("process P[i in 2..1] { states a }  process Q { states a }", 1, 0),
    ("var x : 0..2  process P { states a  a -> a when x < 2 do x += 1 }", 3, 2),
    ("var x : 0..2 = 2  process P { states a  a -> a when x > 0 do x -= 1 }", 3, 2),
    ("var x[2] : bool  process P[i in 0..1] { states a  a -> a do x[i] := !x[1-i] }", 3, 6),
    ("var x : -2..-1  process P { states a  a -> a do x := -1 }", 2, 2),
    ("enum E { p, q }  var x : E  process P { states a  a -> a when x == p do x := q }", 2, 1),
    ("enum E { p, q }  var x : E = q  process P { states a  a -> a when x == p do x := q }", 1, 0),
    ("lock m  process P[i in 0..1] { states a, b  a -> b do acquire m  b -> a do release m }", 3, 4),
    ("semaphore s : 0..2 = 2  process P { states a  a -> a do wait s }", 3, 2),
    ("semaphore s : 0..2  process P { states a  a -> a when s < 2 do signal s }", 3, 2),
    ("counter c : 0..9 = 5  process P { states a  a -> a do c -= 2 }", 3, 2),
    ("channel q : 2  process P { states a  a -> a do q!() }", 3, 2),
    ("channel q : 2 of (0..1)  process P { states a  a -> a do q!0  a -> a do q!1 }", 7, 6),
    ("channel q : 3 of (0..2) = [0, 1, 2]  process P { states a  a -> a do q?_ }", 4, 3),
    ("channel q : 3 of (0..2) = [0, 1, 2]  process P { states a  a -> a do q?0 }", 2, 1),
    ("channel q : 1 of (0..3) = [2]  var x : 0..3  process P { states a  a -> a do q?x }", 2, 1),
    ("channel q : 1 of (0..3) = [2]  var x : 0..3  process P { states a  a -> a do q?=x }", 1, 0),
    ("channel q : 1 of (bool, 0..1) = [(true, 1)]  var x : 0..1  process P { states a  a -> a do q?(true, x) }", 2, 1),
    ("channel q[2] : 1 of (0..1) = [[0], []]  process P { states a  a -> a do q[0]?_  a -> a do q[1]?_ }", 2, 1),
    ("channel q : lossy 1  process P { states a  a -> a do q!() }", 2, 3),
    (
        "channel q : rendezvous of (0..2)  var x : 0..2  process S { states a  a -> a do q!2 }
         process R { states a  a -> a do q?x }",
        2,
        2,
    ),
    (
        "action go, stop  process P { states a, b  a -> b sync go  b -> a sync stop }
         process Q { states a, b  a -> b sync go  uses stop }",
        2,
        1,
    ),
    // A process blocks an action that it knows, also by a step that never happens.
    ("action go  process P { states a, b  a -> b sync go }  process Q { states a  a -> a sync go when false }", 1, 0),
    ("action go[1]  process P[i in 0..1] { states a, b  a -> b sync go[i-1] when i > 0 }", 2, 1),
    ("action go[2]  process P[i in 0..1] { states a, b  a -> b sync go[i] }", 4, 4),
    ("process P { states c[0..3]  for k in 0..2 { c[k] -> c[k+1] } }", 4, 3),
    ("process P { states c[0..1][1..2]  c[0][1], c[0][2] -> c[1][2] }", 2, 1),
    ("process P { states a, b  if 1 > 2 { a -> a } else if true { a -> b } else { b -> b } }", 2, 1),
    ("process P { var x : 0..1  states a  a -> a when x == 0 do x := 1 }", 2, 1),
    (
        "process P { var x : 0..1  states a  a -> a when Q.x == 0 do x := 1 }  process Q { var x : 0..1  states a }",
        2,
        2,
    ),
    // What a constant condition rules out may be wrong for other reasons.
    ("var x[2] : 0..1  process P[i in 0..1] { states a  a -> a when i > 0 && x[i-1] == 0 do x[i-1] := 1 }", 2, 1),
    ("var x[2] : 0..1  process P[i in 0..1] { states a  a -> a when x[i > 0 ? i - 1 : 1] == 0 do x[0] := 1 }", 2, 3),
    ("param n = 0  process P { states a, b  a -> b when n == 0 || 1 / n > 0 }", 2, 1),
    (
        "process P { states c[0..1]  for k in 0..1 { c[k] -> c[k+1] when k < 1 } }  property invariant 1 > 2 && P at c[7] || true",
        2,
        1,
    ),
    // A constant guard that is false: the step does not exist.
    ("var x : 0..1  process P { states a  a -> a when false do x := 5 }", 1, 0),
    // An inner index that is out of range must not reach the next row: it is a fault, so nothing is fired.
    ("var g[2][2] : 0..1  var j : 0..3 = 2  process P { states a  a -> a do g[0][j] := 1 }", 1, 0),
    ("var g[2][2] : 0..1  var j : 0..3 = 1  process P { states a  a -> a do g[0][j] := 1 }", 2, 2),
    // Keywords are names where no keyword can stand.
    (
        "var free, next, until, count : 0..1  lock wait, release
         process end { states init, error, states, wait  init -> error do acquire wait, next := 1
         error, states -> wait when free == next => count == until do release wait }",
        3,
        2,
    ),
    ("var x : 0..1  process P { states a  a -> a when forall i in 0..3: i < 4 }", 1, 1),
    (
        "var x : 0..3 = 2  process P { states a  a -> a when (sum i in 1..2: x * i) == 6 && (count i in 0..3: i < x) == 2 }",
        1,
        1,
    ),
];

#[test]
fn every_case_has_its_states_and_transitions() {
    for (text, states, transitions) in CASES {
        let loaded = load("case", text, &[]).unwrap_or_else(|d| panic!("{text}\n{d:#?}"));
        assert_eq!(support::size(&loaded.system), (*states, *transitions), "{text}");
    }
}

#[test]
fn names_are_those_of_the_language_page() {
    let text = "var g[2][2] : bool  action go[2]
                process C[i in 0..1, j in 1..2] { var x[2] : bool  states s[0..1]  s[0] -> s[1] : t[j] }";
    let system = load("names", text, &[]).expect("a model").system;
    let objects: Vec<&str> = system.objects().iter().map(|o| o.name.as_str()).collect();
    assert_eq!(objects[..6], ["g[0][0]", "g[0][1]", "g[1][0]", "g[1][1]", "C[0][1].x[0]", "C[0][1].x[1]"]);
    let processes: Vec<&str> = system.processes().iter().map(|p| p.name.as_str()).collect();
    assert_eq!(processes, ["C[0][1]", "C[0][2]", "C[1][1]", "C[1][2]"]);
    assert_eq!(system.processes()[0].locations[1].name, "s[1]");
    assert_eq!(system.transitions()[1].name, "C[0][2].t[2]");
}

#[test]
fn settings_override_parameters() {
    let text = "param n = 2  const m = n + 1  process P[i in 1..m] { states a }";
    let with = |n: i64| load("s", text, &[("n".to_owned(), n)]).map(|l| l.system.processes().len());
    assert_eq!(with(4), Ok(5));
    let unknown = load("s", text, &[("m".to_owned(), 4)]).expect_err("m is no parameter");
    assert_eq!(unknown[0].message, "the model has no parameter `m`");
    assert_eq!(&text[unknown[0].span.range()], "n");
    assert_eq!(unknown[0].help.as_deref(), Some("its parameters are n"));
}

#[test]
fn properties_have_names_and_expectations() {
    let text = "var x : 0..1  process P { states a, b  a -> b : t do x := 1 }
                property deadlock-free expect violated  property deadlock-free  property nice-name: reachable x == 1
                property invariant x < 2 expect holds
                expect 2 states, 1 transition  expect 1 deadlock";
    let loaded = load("p", text, &[]).expect("a model");
    let names: Vec<&str> = loaded.properties.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["deadlock-free", "deadlock-free-2", "nice-name", "invariant"]);
    assert_eq!(loaded.properties[0].expect, Some(Expectation::Violated));
    assert_eq!(loaded.properties[3].expect, Some(Expectation::Holds));
    let size = (loaded.size.states, loaded.size.transitions, loaded.size.deadlocks);
    assert_eq!(size, (Some(2), Some(1), Some(1)));
    let default = load("p", "process P { states a }", &[]).expect("a model").properties;
    assert!(matches!((&default[..], &default[0].property), ([_], Property::DeadlockFree)));
}

#[test]
fn observers_follow_the_steps_they_name() {
    let text = "action go  process P { states a, b  a -> b : t  b -> a sync go  a -> a }
                process Q { states a  a -> a sync go  a -> a : t }
                property o: safety { states s  error e  s -> e on P.t  s -> e on go  s -> e on P  s -> e on Q.go, P.t  s -> e }";
    let loaded = load("o", text, &[]).expect("a model");
    let Property::Safety(observer) = &loaded.properties[0].property else { panic!("an observer") };
    let names = |k: usize| -> Option<Vec<&str>> {
        let on = observer.edges[k].on.as_ref()?;
        Some(on.iter().map(|t| loaded.system.transition(*t).name.as_str()).collect())
    };
    assert_eq!(names(0), Some(vec!["P.t"]));
    assert_eq!(names(1), Some(vec!["go"]));
    assert_eq!(names(2), Some(vec!["P.t", "go", "P.a->a"]));
    assert_eq!(names(3), Some(vec!["P.t", "go"]));
    assert_eq!(names(4), None);
}

#[test]
fn formulas_keep_predicates_whole() {
    let text = "var x, y : bool  process P { states a, b  a -> b }";
    let read = |f: &str| formula(text, &[], f).unwrap_or_else(|d| panic!("{f}: {d:?}"));
    let Ltl::Or(left, right) = read("x && y => eventually P at b") else { panic!("an implication") };
    assert!(matches!(*left, Ltl::Not(a) if matches!(*a, Ltl::Atom(Proposition::State(Expr::Binary(..))))));
    assert!(matches!(*right, Ltl::Eventually(_)));
    assert_eq!(read("[] <> x"), read("always (eventually x)"));
    assert_eq!(read("always x == y && y"), read("(always (x == y)) && y"));
    assert_eq!(read("x until y until x"), read("x until (y until x)"));
    assert_eq!(read("!next x || y"), read("(!(next (x))) || y"));
    assert_eq!(read("forall i in 0..1: <> x"), read("(<> x) && (<> x)"));
    assert!(matches!(read("x release y"), Ltl::Release(..)));
}

#[test]
fn predicates_report_in_their_own_text() {
    let text = "param n = 2  var x : 0..3  process P { states a, b  a -> b }";
    assert!(predicate(text, &[], "x < n && P at b").is_ok());
    let wrong = predicate(text, &[], "P at c").expect_err("no such state");
    assert_eq!((wrong[0].span.start, wrong[0].span.end), (5, 6));
    let wrong = predicate("process {", &[], "true").expect_err("no model");
    assert_eq!(wrong[0].span.end, 0);
    let wrong = predicate(text, &[], "x < 1 extra").expect_err("too much");
    assert_eq!(wrong[0].message, "expected nothing more, found `extra`");
    let wrong = predicate(text, &[], "always x < 1").expect_err("no formula");
    assert!(!wrong.is_empty());
}

#[test]
fn warnings_are_few_and_true() {
    let text = "param n = 1  action go  lock m  process P { states a, b, c  a -> b sync go }";
    let warnings = load("w", text, &[]).expect("a model").warnings;
    let messages: Vec<&str> = warnings.iter().map(|w| w.message.as_str()).collect();
    let expected = [
        "the parameter `n` is never used",
        "only one process knows the action `go`",
        "the object `m` is never used",
        "no step leads to the state `c`",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn a_constant_hides_no_model_error_that_comes_before_it() {
    let fault = |guard: &str| {
        let text = format!("var x : 0..3  process P {{ states a, b  a -> b when {guard} }}");
        let system = load("f", &text, &[]).expect("a model").system;
        let state = system.initial_state();
        system.enabled(&state).next().is_some_and(|t| t.is_err())
    };
    assert!(fault("1 / x == 1 && false"), "the division is evaluated first");
    assert!(fault("1 / x == 1 || true"));
    assert!(fault("(1 / x == 1) => true"));
    assert!(fault("x - 9223372036854775807 - 2 > 0 && false"), "the difference leaves 64 bits");
    let long = "+ 1 ".repeat(40);
    assert!(fault(&format!("x - 9223372036854775807 - 2 {long} < 0")), "whatever is added later");
    assert!(!fault("false && 1 / x == 1"));
    assert!(!fault("x > 0 && false && 1 / x == 1"));
}

#[test]
fn what_is_true_of_nothing_is_remarked() {
    let warnings = |text: &str| -> Vec<String> {
        let loaded = load("w", text, &[]).expect("a model");
        let said = loaded.warnings.iter().map(|w| format!("{} {}", &text[w.span.range()], w.message));
        said.collect()
    };
    let other = "process Z { states a  a -> a }";
    assert_eq!(
        warnings(&format!(
            "param n = 0  process W[i in 0..n-1] {{ states a }}  {other}
            property invariant forall i in 0..n-1: W[i] at a  property ltl exists i in 1..n: eventually W[i] at a"
        )),
        [
            "W the family `W` has no members",
            "0..n-1 this range is empty, so the `forall` is true",
            "1..n this range is empty, so the `exists` is false",
        ]
    );
    // A range that is empty for one member only, or that is never looked at, is nothing to remark on.
    let fine = "param n = 0  var x[2] : bool
        process P[i in 0..1] { states a  a -> a when forall j in 0..i-1: !x[j] do x[i] := true }
        property invariant n == 0 || (exists i in 1..n: x[i])";
    assert_eq!(warnings(fine), [""; 0]);
}

#[test]
fn steps_are_those_of_the_text() {
    let text = "param n = 1  channel c : rendezvous of (0..3)  action go  var x : 0..3
        process P[i in 0..n] { states a, b  a -> b : give when x < 2 do c!x, x := 1  b -> a sync go }
        process Q { states a  a -> a do c?_ }";
    let steps = native::steps(text, &[]).expect("a model");
    let labels: Vec<Option<&str>> = steps.iter().map(|s| s.label.as_deref()).collect();
    let of_p = [Some("give"), Some("sync go")];
    assert_eq!(labels, [&of_p[..], &of_p, &[None]].concat());
    assert_eq!((steps[0].guard.len(), steps[0].command.len()), (1, 2));
    let numbers: Vec<usize> = steps.iter().map(|s| s.process.index()).collect();
    assert_eq!(numbers, [0, 0, 1, 1, 2]);
    assert!(native::steps("process P { states a  a -> b }", &[]).is_err());
}

#[test]
fn steps_that_never_find_a_partner_may_be_asked_for() {
    let text = "channel c : rendezvous of (0..1)\naction go\n\
                process P { states a\n  a -> a : hello do c!1\n  a -> a : join sync go\n  a -> a : idle }\n\
                process Q { states a\n  uses go\n  a -> a : speak do c!0 }\n\
                property p: ltl always !taken(P.hello) expect holds\n\
                property q: ltl eventually taken(P.join) expect violated\n";
    let loaded = load("m.imp", text, &[]).expect("a model");
    let said: Vec<String> =
        loaded.warnings.iter().map(|w| format!("{}: {}", &text[w.span.range()], w.message)).collect();
    let wanted = [
        "P.hello: this step never happens: nobody else receives on `c`",
        "P.join: this step never happens: not everybody who knows the action `go` has a step with it",
    ];
    assert_eq!(said, wanted);
    assert!(load("m.imp", &text.replace("P.hello", "P.helo"), &[]).is_err(), "that is no name of a step");
}
