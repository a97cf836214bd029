//! Runs that break claims about whole runs, explained.

use check::replay;
use explain::text::{self, Limits};
use explain::{Conclusion, SourceText, explain};
use model::{Builder, Edge, Hold, Ltl, Property, Proposition, Strength, System, Temporal, TransitionId};
use testkit::Rng;
use testkit::brief::{always, at, eventually, fair, or, trace};
use testkit::naive::temporal::refutation;
use testkit::naive::{Naive, explore};
use testkit::random::{Profile, RunProfile, sample, temporal};

/// A client that asks (0), is served (1) or gives up (2), and a clock that ticks (3) and rests (4).
fn service() -> System {
    let mut b = Builder::new("service");
    let (client, clock) = (b.process("Client"), b.process("Clock"));
    let [idle, asking, gone] = ["idle", "asking", "gone"].map(|name| b.location(client, name));
    let [tick, tock] = ["tick", "tock"].map(|name| b.location(clock, name));
    b.edge(Edge::new(client, idle, asking).label("ask"));
    b.edge(Edge::new(client, asking, idle).label("serve"));
    b.edge(Edge::new(client, asking, gone).label("leave"));
    b.edge(Edge::new(clock, tick, tock).label("tick"));
    b.edge(Edge::new(clock, tock, tick).label("rest"));
    b.build().expect("a model")
}

fn told(temporal: Temporal, stem: &[u32], cycle: &[u32]) -> String {
    let (system, property) = (service(), Property::Temporal(temporal));
    let checked = replay(&system, &property, &trace(stem, cycle)).expect("the trace is right");
    text::explanation(&explain(&checked, &property, &SourceText::new("s.imp", "")), Limits::SHORT)
}

#[test]
fn a_request_that_is_never_answered() {
    let served = always(or(at(0, 1).negate(), eventually(at(0, 0))));
    let text = told(Temporal::formula(served), &[0], &[3, 4]);
    assert!(text.starts_with("After one step a run that breaks the property can go on for ever:\n"), "{text}");
    assert!(text.contains("  and then, for ever:\n   2. Clock.tick\n"), "{text}");
    let end = "Steps 2 to 3 repeat for ever. `always ((Client at asking) => eventually (Client at idle))` is false of \
               this run:\n  after step 1 `Client at asking` is true\n  from step 1 on `Client at idle` is never true\n";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn what_stays_what_fails_and_what_was_done() {
    let taken = |t| Ltl::Atom(Proposition::Taken([TransitionId(t)].into()));
    let cases: Vec<(Ltl, &[u32], &[u32], &str)> = vec![
        (always(at(0, 0)), &[3], &[4, 0, 1, 3], "  after step 3 `Client at idle` is false\n"),
        (always(eventually(at(1, 1))), &[], &[0, 1], "  from the beginning on `Clock at tock` is never true\n"),
        (eventually(at(0, 1)).negate(), &[], &[0, 1], "  after step 1 `Client at asking` is true\n"),
        (always(at(1, 0)).negate(), &[], &[0, 1], "  from the beginning on `Clock at tick` is always true\n"),
        (Ltl::Next(Box::new(taken(1))), &[], &[0, 1], "  after step 1 `taken(Client.serve)` is false\n"),
        (
            Ltl::Until(Box::new(at(1, 0)), Box::new(at(0, 1))),
            &[3],
            &[0, 1],
            "  after step 1 `Clock at tick` is false\n",
        ),
        (
            Ltl::Until(Box::new(at(1, 0)), Box::new(at(1, 1))),
            &[],
            &[0, 1],
            "  from the beginning on `Clock at tock` is never true\n",
        ),
        (
            Ltl::Release(Box::new(at(1, 1)), Box::new(at(1, 0))).negate(),
            &[],
            &[0, 1],
            "  from the beginning on `Clock at tick` is always true\n",
        ),
        (
            Ltl::Release(Box::new(at(1, 1)), Box::new(at(0, 0))),
            &[],
            &[0, 1],
            "  after step 1 `Client at idle` is false\n",
        ),
    ];
    for (formula, stem, cycle, end) in cases {
        let text = told(Temporal::formula(formula), stem, cycle);
        assert!(text.ends_with(end), "{text}");
    }
}

#[test]
fn why_a_run_is_fair() {
    let ways = vec![
        fair(Strength::Strong, "Clock", &[3, 4]),
        fair(Strength::Weak, "rest", &[4]),
        fair(Strength::Strong, "Client", &[0, 1, 2]),
    ];
    let text = told(Temporal { fairness: ways, ..Temporal::formula(always(at(0, 2).negate())) }, &[0, 2], &[3, 4]);
    let end = "The run is fair:\n  Clock: step 3 is one of its steps\n  rest: step 4 is one of its steps\n  \
               Client: none of its steps is enabled in any state that repeats\n";
    assert!(text.ends_with(end), "{text}");
    let weak = vec![fair(Strength::Weak, "rest", &[4])];
    let text = told(Temporal { fairness: weak, ..Temporal::formula(eventually(at(1, 1))) }, &[], &[0, 1]);
    assert!(text.ends_with("  rest: again and again, as at first, none of its steps is enabled\n"), "{text}");
}

#[test]
fn who_keeps_control_is_named() {
    let mut b = Builder::new("kept");
    let p = b.process("P");
    let [start, free, held] = ["start", "free", "held"].map(|name| b.location(p, name));
    b.hold(p, held, Hold::Atomic);
    b.edge(Edge::new(p, start, free));
    b.edge(Edge::new(p, free, held));
    b.edge(Edge::new(p, held, held));
    let (system, property) = (b.build().expect("a model"), Property::Temporal(Temporal::formula(eventually(at(0, 2)))));
    let checked = replay(&system, &property, &trace(&[0, 1], &[2])).expect("the trace is right");
    let text = text::explanation(&explain(&checked, &property, &SourceText::new("s.imp", "")), Limits::SHORT);
    let end = "  after step 2 P keeps control for ever: what was true before counts as true from then on\n  \
               from the beginning on `P at held` is never true\n";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn every_broken_claim_has_its_reasons() {
    let mut told = 0;
    for seed in 0..120 {
        let system = sample(seed, &Profile::lawful()).system;
        let naive = Naive::new(&system);
        let Some(graph) = explore(&naive, 60) else { continue };
        for (kind, profile) in RunProfile::all() {
            let claim = temporal(&mut Rng::new(seed), &system, &profile);
            let Some(run) = refutation(&naive, &graph, &claim) else { continue };
            let (ways, property) = (claim.fairness.len(), Property::Temporal(claim));
            let checked = replay(&system, &property, &run).expect("the oracle is right");
            let explained = explain(&checked, &property, &SourceText::new("s.imp", ""));
            let Conclusion::BrokenClaim(broken) = explained.conclusion else { panic!("{explained:?}") };
            assert_eq!(broken.formula.is_some(), !broken.reasons.is_empty(), "seed {seed}, {kind}: {property:?}");
            assert_eq!(broken.fair.len(), if run.cycle.is_empty() { 0 } else { ways });
            told += broken.reasons.len();
        }
    }
    assert!(told > 100, "only {told}");
}
