//! Compounds: priorities among interactions, hierarchies, constants.

use testkit::naive::Naive;

use crate::support::{count, load, mistake, size, system};

/// Three counters up to two, each stepped by a connector of its own.
fn counters(rules: &str) -> String {
    format!(
        "package model
          const data int MOST = 1 + 1
          port type Port()
          connector type Alone(Port p) define p end
          connector type Any(Port p, Port q) define p' q' end
          atom type Counter(int most)
            export data int n = 0
            export port Port p()
            place S
            initial to S
            on p from S to S provided (n < most) do {{ n = n + 1; }}
          end
          compound type Inner(int most)
            component Counter c(most)
            export port c.p as p
            export data c.n as n
          end
          compound type Root()
            component Inner a(MOST), b(MOST)
            connector Alone pa(a.p), pb(b.p)
            {rules}
          end
        end"
    )
}

#[test]
fn interactions_without_priorities_interleave() {
    assert_eq!(size(&counters("")), (9, 12, 1, 0));
}

#[test]
fn an_interaction_waits_for_those_above_it() {
    // b first, then a: a line of five states.
    assert_eq!(size(&counters("priority one pa:* < pb:*")), (5, 4, 1, 0));
    assert_eq!(size(&counters("priority one pa:a.p < *:*")), (5, 4, 1, 0));
    assert_eq!(size(&counters("priority one *:* < pb:b.p")), (5, 4, 1, 0));
    // The chain leads over an interaction that is never possible.
    assert_eq!(
        size(&counters(
            "component Inner c(0) connector Alone pc(c.p)
        priority one pa:* < pc:* priority two pc:* < pb:*"
        )),
        (5, 4, 1, 0)
    );
}

#[test]
fn guards_of_priorities_read_exported_data() {
    // a waits for b while b.n == 0: (0,0) -> (0,1), and from there on freely: 3 * 2 + 1 states, 2 * 2 + 3 + 1 steps less one.
    assert_eq!(size(&counters("priority one pa:* < pb:* provided (b.n == 0)")), (7, 8, 1, 0));
}

#[test]
fn without_the_guards_of_priorities_more_would_happen() {
    let system = system(&counters("priority one pa:* < pb:*"));
    let mut naive = Naive::new(&system);
    assert_eq!(count(&naive).0, 5);
    // The planted bug: of each guard only the first conjunct, which is the atom's own.
    naive.transitions.to_mut().iter_mut().for_each(|t| t.guard.truncate(1));
    assert_eq!(count(&naive).0, 9);
}

#[test]
fn maximal_progress_and_priorities_are_one_order() {
    // {a} of `any` is within {a, b}, which waits for `pb`; so while b can step, only `pb` happens. Then {a} and `pa`.
    let rules = "connector Any any(a.p, b.p) priority one any:a.p,b.p < pb:*";
    let system = system(&counters(rules));
    let mut names: Vec<&str> = system.transitions().iter().map(|t| t.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["any: a.c.p", "pa: a.c.p", "pb: b.c.p"]);
    assert_eq!(count(&Naive::new(&system)), (9, 14, 1, 0));
}

#[test]
fn mistakes_are_told() {
    let cyclic = counters("priority one pa:* < pb:* priority two pb:* < pa:*");
    assert_eq!(mistake(&cyclic), "the priorities are cyclic: an interaction of `pa` waits for itself");
    let below = counters("connector Up low(a.p) connector Alone top(low.p) priority one low:* < pb:*");
    let below = below
        .replace("atom type Counter", "connector type Up(Port q) export port Port p() define q end atom type Counter");
    assert_eq!(mistake(&below), "`low` has no such interaction, or another connector is bound to it");
    let guard = counters("priority one pa:* < pb:* provided (a.m == 0)");
    assert_eq!(mistake(&guard), "`a.m` means nothing here");
    let root = "package model compound type Root(int n) end end";
    assert_eq!(mistake(root), "the package has no compound type without parameters");
}

#[test]
fn places_in_the_text_are_kept() {
    let text = counters("");
    let loaded = load(&text).expect("it is read");
    let span = loaded.system.transitions()[0].spans[0];
    assert!(text[span.range()].starts_with("on p from S to S provided (n < most)"));
    assert_eq!(loaded.system.processes()[0].name, "a.c");
    assert_eq!(loaded.system.objects()[0].name, "a.c.n");
}
