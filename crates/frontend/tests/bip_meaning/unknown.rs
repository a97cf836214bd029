//! What is defined outside of the language.

use testkit::naive::Naive;

use crate::support::{count, load, load_strictly, size, system};

fn package(atom: &str) -> String {
    format!(
        "package model
          extern data type Picture
          extern function printf(string, int)
          extern function int sensor()
          extern function bool ready(const int)
          extern function change(int)
          port type Port()
          {atom}
          compound type Root() component A a() end
        end"
    )
}

#[test]
fn printing_is_left_out_without_a_word() {
    let text = package(
        "atom type A() data int n = 0 port Port p() place S, T initial to S
        on p from S to T do { printf(\"%d\", n); n = 1; } end",
    );
    assert_eq!(size(&text), (2, 1, 1, 0));
    assert!(load_strictly(&text).is_ok_and(|loaded| loaded.warnings.is_empty()));
}

const GUESS: &str = "atom type A()
    data int n = 0
    port Port p(), q()
    place S, T
    initial to S
    on p from S to T provided (ready(n)) do { n = n + 1; }
    on q from S to S provided (!ready(n) && n < 1) do { n = n + 1; }
end";

#[test]
fn an_unknown_guard_holds_or_not_and_keeps_to_it() {
    // Start; at S with n = 0 ready or not; p leads to T with n = 1; q to S with n = 1, ready or not; p again to n = 2.
    // Not ready with n = 1 is a deadlock, as are both ends.
    let text = package(GUESS);
    assert_eq!(size(&text), (7, 6, 3, 0));
    let warnings = load(&text).expect("it is read").warnings;
    assert!(warnings.iter().any(|w| w.message.starts_with("whether `ready(n)` holds is unknown")), "{warnings:#?}");
    let refused = load_strictly(&text).expect_err("it depends on an external function");
    assert_eq!(refused[0].message, "the value of the external function `ready` is unknown");
}

#[test]
fn without_the_choice_a_deadlock_would_be_missed() {
    // The planted bug: the condition is chosen true only. Then the standstill at S is not found.
    let system = system(&package(GUESS));
    let mut naive = Naive::new(&system);
    assert_eq!(count(&naive).2, 3);
    let hidden = system.find_object("a.(ready(n))").expect("a hidden condition");
    let chooses =
        |t: &model::Transition| t.command.contains(&model::Command::Assign(hidden.into(), model::Expr::from(false)));
    naive.transitions.to_mut().iter_mut().for_each(|t| {
        if chooses(t) && t.moves[0].to == model::LocationId(0) {
            t.guard = vec![model::Expr::from(false)];
        }
    });
    assert_eq!(count(&naive).2, 1);
}

#[test]
fn what_receives_an_unknown_value_is_not_followed() {
    let text = package(
        "atom type A() data int n = 0, m = 0 data bool b = false data Picture pic port Port p() place S
        initial to S
        on p from S to S provided (m < 3) do { n = sensor(); if (n > 3) then b = true; fi change(m); m = m + 1; } end",
    );
    let loaded = load(&text).expect("it is read");
    // n by the function, b by the test of n, m by the call; the guard on m becomes a hidden condition.
    let objects: Vec<&str> = loaded.system.objects().iter().map(|o| o.name.as_str()).collect();
    assert_eq!(objects, ["a.(m < 3)"]);
    let told: Vec<&str> = loaded.warnings.iter().map(|w| w.message.as_str()).collect();
    for expected in [
        "`n` may hold unknown values, so it is not part of the state",
        "`b` may hold unknown values, so it is not part of the state",
        "`pic` is of type Picture: its values are unknown",
        "the external function `change` may change `m`",
    ] {
        assert!(told.contains(&expected), "{expected}: {told:#?}");
    }
}

#[test]
fn unknown_values_travel_through_connectors() {
    let text = "package model
      extern function int sensor()
      port type Value(int v)
      connector type Send(Value src, Value dst)
        define src dst
        on src dst provided (src.v > 0) down { dst.v = src.v; }
      end
      atom type Source() data int x = 1 export port Value p(x) place S initial to S on p from S to S do { x = sensor(); } end
      atom type Sink() data int y = 0 data int n = 0 export port Value p(y) place S initial to S
        on p from S to S provided (n < 2) do { n = n + 1; } end
      compound type Root()
        component Source a()
        component Sink b()
        connector Send send(a.p, b.p)
      end
    end";
    let system = system(text);
    let objects: Vec<&str> = system.objects().iter().map(|o| o.name.as_str()).collect();
    assert_eq!(objects, ["b.n", "send[a.p b.p].(src.v > 0)"]);
    // Start, then n = 0, 1, 2, each with the condition true or false: the step needs it, and stops at 2.
    assert_eq!(count(&Naive::new(&system)), (7, 6, 4, 0));
}

#[test]
fn data_that_is_unknown_at_times_can_be_set() {
    let text = package(
        "atom type A() data int n = 0 port Port p(), q() place S initial to S
        on p from S to S do { n = sensor(); } on q from S to S do { n = 0; } end",
    );
    assert_eq!(size(&text), (1, 2, 0, 0));
}

#[test]
fn conditions_that_differ_between_quotation_marks_differ() {
    let text = "package model
          extern function bool named(string)
          port type Port()
          atom type A() port Port p(), q() place S initial to S
            on p from S to S provided (named(\"a  b\"))
            on q from S to S provided (!named(\"a b\")) end
          compound type Root() component A a() end
        end";
    // Start, and all four combinations; one of them is a deadlock.
    let (states, _, deadlocks, _) = size(text);
    assert_eq!((states, deadlocks), (5, 1));
}

#[test]
fn what_only_a_property_asks_for_is_unknown_too() {
    let text = package(
        "atom type A() data int n = 0 port Port p(), q() place S, T initial to S
        on p from S to T on q from T to S
        priority r1 p < q provided (ready(n))
        priority r2 q < p provided (ready(n + 1)) end",
    );
    let loaded = load(&text).expect("it is read");
    let cycle = loaded.properties.iter().find(|p| p.name.starts_with("priorities without cycle"));
    let property = &cycle.expect("priorities may be cyclic").property;
    let oracle = testkit::compare::Oracle::new(&loaded.system, property, 1000).expect("it is small");
    assert!(oracle.answer().shown.is_some(), "both conditions can hold");
}
