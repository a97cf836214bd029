//! Interactions: triggers and synchrons, maximal progress, data through hierarchies, exports.

use testkit::naive::Naive;

use crate::support::{count, mistake, size, system};

/// Atoms that can do `p` once.
const ONCE: &str = "
  port type Port()
  atom type Once()
    export port Port p()
    place READY, DONE
    initial to READY
    on p from READY to DONE
  end
";

fn package(types: &str, root: &str) -> String {
    format!("package model\n{ONCE}\n{types}\ncompound type Root()\n{root}\nend\nend\n")
}

fn broadcast(define: &str) -> String {
    let ty = format!("connector type C(Port p, Port q, Port r)\n define {define}\n end");
    package(&ty, "component Once a(), b(), c()\n connector C c1(a.p, b.p, c.p)")
}

#[test]
fn a_rendezvous_needs_all() {
    assert_eq!(size(&broadcast("p q r")), (2, 1, 1, 0));
}

#[test]
fn a_broadcast_takes_all_that_are_ready() {
    // Only {p, q, r} is maximal at first; then the sender is done.
    assert_eq!(size(&broadcast("p' q r")), (2, 1, 1, 0));
}

#[test]
fn parts_of_an_expression_can_be_groups() {
    // {p} and {p, q, r}.
    assert_eq!(system(&broadcast("p' (q r)")).transitions().len(), 2);
    // {p, q}, {p, r}, {p, q, r}: the trigger group brings one of its own triggers, or both.
    assert_eq!(system(&broadcast("p (q' r')")).transitions().len(), 3);
    // {p, q}, {p, q, r}, {r}.
    assert_eq!(system(&broadcast("(p q)' r'")).transitions().len(), 3);
}

#[test]
fn without_the_guards_of_maximal_progress_more_would_happen() {
    // The planted bug: all conditions dropped. Then {p}, {p, q}, {p, r} and {p, q, r} lead to four states.
    let system = system(&broadcast("p' q r"));
    let mut naive = Naive::new(&system);
    assert_eq!(count(&naive), (2, 1, 1, 0));
    naive.transitions.to_mut().iter_mut().for_each(|t| t.guard.clear());
    assert_eq!(count(&naive).0, 5);
}

#[test]
fn a_guard_can_forbid_the_largest_interaction() {
    let ty = "connector type C(Port p, Port q, Port r)
      define p' q r
      on p q r provided (false)
    end";
    // {p, q} or {p, r}, neither within the other.
    let text = package(ty, "component Once a(), b(), c()\n connector C c1(a.p, b.p, c.p)");
    assert_eq!(size(&text), (3, 2, 2, 0));
}

const VALUES: &str = "
  port type Value(int v)
  atom type Cell(int first, int most)
    data int x
    export port Value p(x)
    place ON
    initial to ON do { x = first; }
    on p from ON to ON provided (x < most) do { x = x + 1; }
  end
  connector type Sum(Value a, Value b)
    data int s
    export port Value out(s)
    define a b
    on a b up { s = a.v + b.v; } down { a.v = s; b.v = s - 1; }
  end
  connector type Limit(Value a)
    define a
    on a provided (a.v < 20) down { a.v = a.v + 1; }
  end
";

#[test]
fn data_goes_up_and_down_through_a_hierarchy() {
    // (1, 2): s = 3, 4 after `down` of the upper one; x = 4, 3, and each adds one: (5, 4). Then s = 9, 10: (11, 10).
    // Then s = 21 is not below 20.
    let root = "component Cell c1(1, 100), c2(2, 100)\n connector Sum sum(c1.p, c2.p)\n connector Limit top(sum.out)";
    let system = system(&package(VALUES, root));
    assert_eq!(count(&Naive::new(&system)), (3, 2, 1, 0));
    assert_eq!(system.transitions()[0].name, "top: c1.p c2.p");
    let graph = testkit::naive::explore(&Naive::new(&system), 10).expect("three states");
    let values: Vec<String> = system.object_ids().map(|o| system.show_value(o, graph.states[2].value(o))).collect();
    assert_eq!(values[..2], ["11", "10"]);
}

#[test]
fn an_exchange_of_values_reads_both_first() {
    let types = format!(
        "{VALUES}
        connector type Swap(Value a, Value b)
          data int t
          define a b
          on a b down {{ t = a.v; a.v = b.v; b.v = t; }}
        end"
    );
    // (0, 5), (6, 1), (2, 7), (8, 3), ...: the difference stays 5; one of them reaches 9 and stops all.
    let root = "component Cell c1(0, 9), c2(5, 9)\n connector Swap swap(c1.p, c2.p)";
    assert_eq!(size(&package(&types, root)), (5, 4, 1, 0));
}

#[test]
fn a_connector_that_exports_does_nothing_by_itself() {
    let root = "component Cell c1(1, 100), c2(2, 100)\n connector Sum sum(c1.p, c2.p)";
    assert_eq!(size(&package(VALUES, root)), (1, 0, 1, 0));
}

const PAIR: &str = "
  connector type Pair(Port p, Port q)
    export port Port out()
    define p' q'
  end
  connector type Alone(Port p)
    define p
  end
  connector type Few(Port p, Port q)
    define p q
  end
  compound type Two()
    component Once a(), b()
    connector Pair pair(a.p, b.p)
    export port pair.out as p
  end
";

#[test]
fn a_compound_exports_only_what_is_maximal() {
    // Inside, {a}, {b} and {a, b}; outside only {a, b} while both are ready.
    let wrapped = package(PAIR, "component Two t()\n connector Alone go(t.p)");
    assert_eq!(size(&wrapped), (2, 1, 1, 0));
    // In the same compound the upper connector sees all three, and maximal progress looks through it.
    let flat = "component Once a(), b()\n connector Pair pair(a.p, b.p)\n connector Alone go(pair.out)";
    assert_eq!(size(&package(PAIR, flat)), (2, 1, 1, 0));
    // An atom that does not take part may be offered {a} alone only if the larger interaction is not possible.
    let with_guard = PAIR.replace("define p' q'", "define p' q'\n on p q provided (false)");
    assert_eq!(size(&package(&with_guard, "component Two t()\n connector Alone go(t.p)")), (4, 4, 1, 0));
}

#[test]
fn several_ports_can_be_exported_as_one() {
    let types = format!("{PAIR} compound type Both() component Once a(), b() export port a.p, b.p as p end");
    // The one or the other meets `c`, which is done then.
    let root = "component Both t()\n component Once c()\n connector Few go(t.p, c.p)";
    assert_eq!(size(&package(&types, root)), (3, 2, 2, 0));
}

#[test]
fn mistakes_are_told() {
    let twice = package(PAIR, "component Once a()\n connector Few x(a.p, a.p)");
    assert_eq!(mistake(&twice), "`a` would take part twice in one interaction of `x`");
    let types = package(&format!("{PAIR}{VALUES}"), "component Cell c(1, 2)\n connector Alone x(c.p)");
    assert_eq!(mistake(&types), "`x` wants a port of type `Port`");
    let ports: Vec<String> = (0..20).map(|n| format!("Port p{n}")).collect();
    let define: Vec<String> = (0..20).map(|n| format!("p{n}'")).collect();
    let bound: Vec<String> = (0..20).map(|n| format!("a{n}.p")).collect();
    let atoms: Vec<String> = (0..20).map(|n| format!("component Once a{n}()")).collect();
    let ty = format!("connector type Big({}) define {} end", ports.join(", "), define.join(" "));
    let bomb = package(&ty, &format!("{}\nconnector Big x({})", atoms.join("\n"), bound.join(", ")));
    assert_eq!(mistake(&bomb), "`Big` has more than 8192 interactions");
}
