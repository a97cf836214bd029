//! Each operator against automata written by hand.

use super::super::{Limits, Sync, Term, TermId, explore};
use super::support::{Graph, Table, subject};

/// The term behaves as written, explored as one automaton and as a network.
fn behaves(table: &mut Table, term: TermId, expected: &str) {
    let written = Graph::written(expected);
    let explored = table.graph(term);
    assert!(explored.equivalent(&written), "explored: {explored:?}, expected {expected}");
    let network = Graph::of(&table.network(term));
    assert!(network.equivalent(&written), "network: {network:?}, expected {expected}");
}

#[test]
fn stop_skip_div() {
    let t = &mut Table::new();
    let stop = t.stop();
    behaves(t, stop, "");
    let skip = t.skip();
    behaves(t, skip, "0 tick 1!");
    let div = t.term(Term::Div);
    behaves(t, div, "0 tau 0");
}

#[test]
fn run_and_chaos() {
    let t = &mut Table::new();
    let set = t.set(&["a", "b"]);
    let run = t.term(Term::Run(set));
    behaves(t, run, "0 a 0, 0 b 0");
    let chaos = t.term(Term::Chaos(set));
    behaves(t, chaos, "0 a 0, 0 b 0, 0 tau 1");
}

#[test]
fn prefix_and_recursion() {
    let t = &mut Table::new();
    let p = t.recursive(|t, p| t.prefixes(&["a", "b"], p));
    behaves(t, p, "0 a 1, 1 b 0");
    assert_eq!(t.explored(p).states.len(), 2, "the recursion comes back to the same term");
}

#[test]
fn external_choice_is_not_resolved_by_internal_steps() {
    let t = &mut Table::new();
    let stop = t.stop();
    let (a, b, c) = (t.prefix("a", stop), t.prefix("b", stop), t.prefix("c", stop));
    let inner = t.store.internal(vec![a, b]);
    let choice = t.store.external([inner, c]);
    behaves(t, choice, "0 tau 1, 0 tau 2, 0 c 3, 1 a 3, 1 c 3, 2 b 3, 2 c 3");
}

#[test]
fn external_choice_of_skip() {
    let t = &mut Table::new();
    let (stop, skip) = (t.stop(), t.skip());
    let a = t.prefix("a", stop);
    let choice = t.store.external([a, skip]);
    behaves(t, choice, "0 a 1, 0 tick 2!");
}

#[test]
fn sliding_choice() {
    let t = &mut Table::new();
    let stop = t.stop();
    let (a, b) = (t.prefix("a", stop), t.prefix("b", stop));
    let sliding = t.term(Term::Sliding(a, b));
    behaves(t, sliding, "0 a 1, 0 tau 2, 2 b 1");
}

#[test]
fn sequential_composition_hides_the_first_termination() {
    let t = &mut Table::new();
    let skip = t.skip();
    let (a, b) = (t.prefix("a", skip), t.prefix("b", skip));
    let sequence = t.term(Term::Sequential(a, b));
    behaves(t, sequence, "0 a 1, 1 tau 2, 2 b 3, 3 tick 4!");
    let looped = t.term(Term::Loop(a));
    behaves(t, looped, "0 a 1, 1 tau 0");
}

#[test]
fn interrupt() {
    let t = &mut Table::new();
    let (stop, skip) = (t.stop(), t.skip());
    let (ab, c) = (t.prefixes(&["a", "b"], skip), t.prefix("c", stop));
    let interrupt = t.term(Term::Interrupt(ab, c));
    behaves(t, interrupt, "0 a 1, 1 b 2, 2 tick 3!, 0 c 4, 1 c 4, 2 c 4");
}

#[test]
fn exception() {
    let t = &mut Table::new();
    let (stop, skip) = (t.stop(), t.skip());
    let ab = t.prefixes(&["a", "b"], stop);
    let set = t.set(&["b"]);
    let exception = t.term(Term::Exception(ab, set, skip));
    behaves(t, exception, "0 a 1, 1 b 2, 2 tick 3!");
}

#[test]
fn synchronising_choice_and_interrupt() {
    let t = &mut Table::new();
    let stop = t.stop();
    let (left, right) = (t.prefixes(&["a", "b"], stop), t.prefixes(&["a", "c"], stop));
    let set = t.set(&["a"]);
    let choice = t.term(Term::SynchronisingExternal(left, set, right));
    behaves(t, choice, "0 a 1, 1 b 2, 1 c 2");
    let interrupt = t.term(Term::SynchronisingInterrupt(left, set, right));
    behaves(t, interrupt, "0 a 1, 1 b 2, 1 c 3, 2 c 3");
}

#[test]
fn interleaving_and_distributed_termination() {
    let t = &mut Table::new();
    let skip = t.skip();
    let (a, b) = (t.prefix("a", skip), t.prefix("b", skip));
    let both = t.parallel(&[a, b], &[]);
    let expected =
        "0 a 1, 0 b 2, 1 b 3, 2 a 3, 1 tau 4, 4 b 5, 2 tau 6, 6 a 7, 3 tau 5, 3 tau 7, 5 tau 8!, 7 tau 8!, 8! tick 9!";
    behaves(t, both, expected);
}

#[test]
fn a_part_that_cannot_terminate_keeps_the_whole_from_it() {
    let t = &mut Table::new();
    let (stop, skip) = (t.stop(), t.skip());
    let both = t.parallel(&[stop, skip], &[]);
    behaves(t, both, "0 tau 1");
}

#[test]
fn generalised_parallel() {
    let t = &mut Table::new();
    let stop = t.stop();
    let (left, right) = (t.prefixes(&["a", "b"], stop), t.prefixes(&["c", "b", "b"], stop));
    let both = t.parallel(&[left, right], &["b"]);
    behaves(t, both, "0 a 1, 0 c 2, 1 c 3, 2 a 3, 3 b 4");
}

#[test]
fn an_interface_event_needs_all_parts() {
    let t = &mut Table::new();
    let stop = t.stop();
    let (x, y, z) = (t.prefix("a", stop), t.prefix("a", stop), t.prefixes(&["b", "a"], stop));
    let all = t.parallel(&[x, y, z], &["a"]);
    behaves(t, all, "0 b 1, 1 a 2");
}

#[test]
fn alphabets_restrict_and_synchronise() {
    let t = &mut Table::new();
    let stop = t.stop();
    let (left, right) = (t.prefixes(&["a", "b", "x"], stop), t.prefixes(&["b", "c"], stop));
    let sets = [t.set(&["a", "b"]), t.set(&["b", "c"])];
    let both = t.store.parallel(vec![left, right], Sync::Alphabets(sets.into()));
    behaves(t, both, "0 a 1, 1 b 2, 2 c 3");
}

#[test]
fn linked_parallel() {
    let t = &mut Table::new();
    let p = t.recursive(|t, p| t.prefixes(&["in", "mid"], p));
    let q = t.recursive(|t, q| t.prefixes(&["mid", "out"], q));
    let (mid, q2) = (t.event("mid"), t.rename(q, &[("mid", "hand")]));
    let hand = t.event("hand");
    let both = t.store.linked(p, &[(mid, hand)], q2);
    behaves(t, both, "0 in 1, 1 tau 2, 2 in 3, 2 out 0, 3 out 1");
}

#[test]
fn hiding_and_relational_renaming() {
    let t = &mut Table::new();
    let stop = t.stop();
    let ab = t.prefixes(&["a", "b"], stop);
    let hidden = t.hide(ab, &["a"]);
    behaves(t, hidden, "0 tau 1, 1 b 2");
    let renamed = t.rename(ab, &[("a", "b"), ("a", "c"), ("b", "a")]);
    behaves(t, renamed, "0 b 1, 0 c 1, 1 a 2");
}

#[test]
fn renaming_inside_a_composition() {
    let t = &mut Table::new();
    let stop = t.stop();
    let (a, b) = (t.prefix("a", stop), t.prefix("b", stop));
    let renamed = t.rename(a, &[("a", "b"), ("a", "c")]);
    let both = t.parallel(&[renamed, b], &["b"]);
    behaves(t, both, "0 b 1, 0 c 2");
}

#[test]
fn two_events_with_one_name_are_two_rules() {
    let t = &mut Table::new();
    let stop = t.stop();
    let (a, b, c) = (t.prefix("a", stop), t.prefix("b", stop), t.prefix("c", stop));
    let inner = t.parallel(&[a, b], &[]);
    let renamed = t.rename(inner, &[("a", "c"), ("b", "c")]);
    let both = t.parallel(&[renamed, c], &["c"]);
    behaves(t, both, "0 c 1");
}

#[test]
fn unguarded_recursion_is_reported() {
    let t = &mut Table::new();
    let itself = t.recursive(|_, p| p);
    let choice = t.recursive(|t, p| {
        let stop = t.stop();
        let a = t.prefix("a", stop);
        t.store.external([p, a])
    });
    let composed = t.recursive(|t, p| {
        let stop = t.stop();
        t.parallel(&[p, stop], &[])
    });
    for term in [itself, choice, composed] {
        let error = explore(t, term, &subject(), &Limits::default()).expect_err("no behaviour");
        assert!(error.message.ends_with("calls itself before it does anything"), "{error:?}");
        let error = super::super::network(t, term, &subject(), &Limits::default()).expect_err("no behaviour");
        assert!(error.message.ends_with("calls itself before it does anything"), "{error:?}");
    }
}

#[test]
fn a_process_that_is_too_large_is_named() {
    let t = &mut Table::new();
    let parts: Vec<TermId> = (0..8)
        .map(|i| {
            let stop = t.stop();
            t.prefixes(&["a", "b", "c"][..1 + i % 3], stop)
        })
        .collect();
    let inner = t.parallel(&parts, &[]);
    let stop = t.stop();
    let whole = t.term(Term::Interrupt(inner, stop));
    let limits = Limits { states: 10, ..Limits::default() };
    let error = explore(t, whole, &subject(), &limits).expect_err("too large");
    assert_eq!(error.message, "the process `TEST` has more than 10 states");
}
