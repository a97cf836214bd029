//! Atoms: places, internal transitions, priorities among ports, invariants.

use model::Property;
use testkit::naive::{Naive, decide, explore};

use crate::support::{load, mistake, size, system};

fn package(atom: &str) -> String {
    format!(
        "package model\n port type Port()\n connector type Alone(Port p) define p end\n {atom}\n compound type Root()\n \
         component A a()\n end\nend\n"
    )
}

#[test]
fn ports_that_are_not_exported_step_alone_and_others_wait_for_connectors() {
    let atom = "atom type A() port Port p() export port Port q() place S, T, U initial to S on p from S to T on q from T to U end";
    assert_eq!(size(&package(atom)), (2, 1, 1, 0));
}

#[test]
fn internal_transitions_come_first() {
    let atom = "atom type A()
      data int n = 0
      port Port p()
      place S, T
      initial to S
      on p from S to S provided (n < 4) do { n = n + 1; }
      internal from S to T provided (n == 3)
    end";
    // n = 0..3 at S; with n = 3 only the internal transition is possible, and there it ends.
    assert_eq!(size(&package(atom)), (5, 4, 1, 0));
}

#[test]
fn while_an_atom_has_an_internal_transition_to_take_no_one_goes_ahead_of_it() {
    // `low` waits for `high`. After `go`, `b` passes through M by an internal transition and then offers `high`.
    let text = "package model
      port type Port()
      connector type Alone(Port p) define p end
      atom type A() export port Port low() place S, T initial to S on low from S to T end
      atom type B() export port Port high(), go() place S, M, T, U
        initial to S
        on go from S to M
        internal from M to T
        on high from T to U
      end
      compound type Root()
        component A a()
        component B b()
        connector Alone low(a.low), high(b.high), go(b.go)
        priority one low:* < high:*
        priority two low:* < go:*
      end
    end";
    // go, internal, high, low: one after the other.
    assert_eq!(size(text), (5, 4, 1, 0));
}

const PRIORITIES: &str = "atom type A()
  data int n = 0
  port Port p(), q(), r()
  place S
  initial to S
  on p from S to S provided (n < 3) do { n = n + 1; }
  on r from S to S provided (n == 1) do { n = 5; }
  RULES
end";

#[test]
fn a_port_waits_for_those_above_it_in_its_atom() {
    let with = |rules: &str| size(&package(&PRIORITIES.replace("RULES", rules)));
    // n = 0, 1, 2, 3 and 5.
    assert_eq!(with(""), (5, 4, 2, 0));
    // At 1 only `r` is left: 0, 1, 5. The chain leads over `q`, which is never enabled.
    assert_eq!(with("priority a p < q priority b q < r"), (3, 2, 1, 0));
    assert_eq!(with("priority a p < *"), (3, 2, 1, 0));
    // The guard does not hold at 1.
    assert_eq!(with("priority a p < r provided (n == 2)"), (5, 4, 2, 0));
    assert_eq!(with("priority a r < p"), (4, 3, 1, 0));
}

#[test]
fn cyclic_priorities_are_refused_or_become_a_question() {
    let always = PRIORITIES.replace("RULES", "priority a p < q priority b q < p");
    assert_eq!(mistake(&package(&always)), "the priorities are cyclic: the port `p` of `a` waits for itself");
    let sometimes = "priority a p < r provided (n <= 1) priority b r < p provided (n >= 1)";
    let loaded = load(&package(&PRIORITIES.replace("RULES", sometimes))).expect("it is read");
    let names: Vec<&str> = loaded.properties.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["deadlock-free", "priorities without cycle 1 (the port `p` of `a`)"]);
    let naive = Naive::new(&loaded.system);
    let graph = explore(&naive, 100).expect("a few states");
    assert!(!decide(&naive, &graph, &loaded.properties[1].property).holds(&loaded.properties[1].property));
    // Guards that exclude each other need no question.
    let never = "priority a p < r provided (n < 1) priority b r < p provided (n >= 1)";
    assert_eq!(load(&package(&PRIORITIES.replace("RULES", never))).expect("it is read").properties.len(), 1);
}

#[test]
fn places_can_hold_several_tokens() {
    let atom = "atom type A()
      port Port p(), q(), r()
      place A1, A2, B1, B2, END
      initial to A1, B1
      on p from A1 to A2
      on q from B1 to B2
      on r from A2, B2 to END
      invariant both at A2, B2 provided (false)
      invariant one at END provided (true)
    end";
    let system = system(&package(atom));
    let names: Vec<&str> = system.processes()[0].locations.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["A1+B1", "A2+B1", "A1+B2", "A2+B2", "END"]);
    assert_eq!(size(&package(atom)), (5, 5, 1, 0));
    let loaded = load(&package(atom)).expect("it is read");
    let naive = Naive::new(&loaded.system);
    let graph = explore(&naive, 100).expect("a few states");
    let holds: Vec<(&str, bool)> = loaded
        .properties
        .iter()
        .filter(|p| matches!(p.property, Property::Invariant(_)))
        .map(|p| (p.name.as_str(), decide(&naive, &graph, &p.property).holds(&p.property)))
        .collect();
    assert_eq!(holds, [("a.both", false), ("a.one", true)]);
}

#[test]
fn many_markings_make_the_places_parts_of_the_state() {
    // Eleven tokens that move once each: 2^11 markings.
    let names = |prefix: &str| (0..11).map(|n| format!("{prefix}{n}")).collect::<Vec<_>>().join(", ");
    let ports = (0..11).map(|n| format!("p{n}()")).collect::<Vec<_>>().join(", ");
    let steps = (0..11).map(|n| format!("on p{n} from A{n} to B{n}")).collect::<Vec<_>>().join("\n");
    let invariant = format!("invariant never at {} provided (false)", names("B"));
    let atom = format!(
        "atom type A() port Port {ports} place {}, {} initial to {} {steps} {invariant} end",
        names("A"),
        names("B"),
        names("A")
    );
    let loaded = load(&package(&atom)).expect("it is read");
    assert_eq!((loaded.system.objects().len(), loaded.system.transitions().len()), (22, 11));
    assert_eq!(size(&package(&atom)), (2048, 11 * 1024, 1, 0));
    let naive = Naive::new(&loaded.system);
    let graph = explore(&naive, 10_000).expect("2048 states");
    assert!(!decide(&naive, &graph, &loaded.properties[1].property).holds(&loaded.properties[1].property));
}

#[test]
fn a_second_token_and_a_second_enabled_transition_are_model_errors() {
    let unsafe_net = "atom type A() port Port p() place S, T, U initial to S, T on p from S to T end";
    assert_eq!(size(&package(unsafe_net)), (1, 0, 0, 1));
    let two = "atom type A() data int n = 0 port Port p() place S, T initial to S
      on p from S to S provided (n < 2) do { n = n + 1; }
      on p from S to T provided (n >= 1) end";
    // 0 -> 1, where both are enabled.
    assert_eq!(size(&package(two)), (2, 1, 0, 2));
}

#[test]
fn types_and_names_are_checked() {
    let with = |body: &str| {
        mistake(&package(&format!(
            "atom type A() data int n data bool b port Port p() place S initial to S {body} end"
        )))
    };
    assert_eq!(with("on p from S to S provided (n)"), "this is a number, and a truth value is expected");
    assert_eq!(with("on p from S to S do { b = n; }"), "this is a number, and a truth value is expected");
    assert_eq!(with("on p from S to S do { n = b; }"), "this is a truth value, and a number is expected");
    assert_eq!(with("on p from S to S do { m = 1; }"), "`m` means nothing here");
    assert_eq!(with("on p from S to S provided (b + 1 == 2)"), "this is a truth value, and a number is expected");
}
