//! Systems that were made of nets: what `auto` says with the net at hand meets the naive oracle.

use std::sync::Arc;
use std::time::Duration;

use driver::{Choice, Inquiry, Listing, NetSource, Report};
use evidence::{Budget, Silent};
use explain::SourceText;
use model::nets::{Goal, Linear, Predicate};
use model::views::{ArcSet, Net, Place, PlaceId};
use model::{Binary, Expr, NamedProperty, ObjectId, Property};
use testkit::nets::{self, Oracle};

fn named(property: Property) -> NamedProperty {
    NamedProperty { name: String::new(), property, expect: None, span: None }
}

fn report(net: &Arc<Net>, properties: &[NamedProperty], seconds: u64) -> Report {
    let system = net.to_system(|_| u32::MAX).expect("a system");
    let (source, list) = (SourceText::new("net", ""), Listing::default());
    let net = Some(NetSource { net, threads: 1 });
    let inquiry = Inquiry { system: &system, properties, source: &source, set: &[], list, net };
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(seconds));
    driver::check(&inquiry, &Choice::Auto, &budget, &Silent).expect("no contradiction")
}

/// Deadlock freedom, and for each of some sums of tokens whether it reaches, and whether it stays below, a number.
fn questions(net: &Net) -> Vec<(Goal, bool, NamedProperty)> {
    let mut out = vec![(Goal::Dead, false, named(Property::DeadlockFree))];
    for i in 0..net.places().len() {
        let j = (i + 1) % net.places().len();
        let sum = Expr::read(ObjectId::new(i)).op(Binary::Add, Expr::read(ObjectId::new(j)));
        let terms = vec![(PlaceId::new(i), -1), (PlaceId::new(j), -1)];
        let goal = Goal::Satisfies(Predicate::linear(Linear::new(terms, 3).expect("small")));
        let reachable = Property::Reachable(sum.clone().op(Binary::Ge, 3));
        out.push((goal.clone(), true, named(reachable)));
        out.push((goal, false, named(Property::Invariant(sum.op(Binary::Lt, 3)))));
    }
    out
}

#[test]
fn random_nets_are_answered_as_the_oracle_does() {
    let mut decided = [0, 0];
    for seed in 0..60 {
        let net = Arc::new(nets::random(seed));
        let Some(oracle) = Oracle::new(&net, 2000) else { continue };
        let questions = questions(&net);
        let properties: Vec<NamedProperty> = questions.iter().map(|(_, _, p)| p.clone()).collect();
        for ((goal, wanted, _), result) in questions.iter().zip(report(&net, &properties, 30).results) {
            assert_eq!(result.engine, "net");
            let reached = oracle.reaches(goal);
            let expected = if reached == *wanted { "holds" } else { "violated" };
            assert_eq!(result.verdict, expected, "seed {seed}: {goal:?}");
            assert_eq!(result.trace.is_some(), reached, "seed {seed}: what is reached is shown");
            decided[usize::from(reached)] += 1;
        }
    }
    assert!(decided.iter().all(|n| *n > 50), "{decided:?}: both answers must occur");
}

#[test]
fn tokens_beyond_what_a_system_counts_are_unknown_and_no_error() {
    let [a, b] = [0, 1].map(PlaceId::new);
    let places = vec![Place::new("a", 3), Place::new("b", 0)];
    let net =
        Arc::new(Net::new("n", places, vec![ArcSet::new("t", vec![(a, 1)], vec![(b, u32::MAX)])]).expect("a net"));
    let result = report(&net, &[named(Property::DeadlockFree)], 5).results.remove(0);
    assert_eq!((result.verdict, result.violation), ("unknown", None));
    assert!(result.reason.is_some_and(|why| why.contains("tokens on `b`")));
    let odd = Expr::read(ObjectId::new(0)).op(Binary::Rem, 5).is(4);
    let result = report(&net, &[named(Property::Reachable(odd))], 5).results.remove(0);
    assert_eq!((result.verdict, result.violation, &*result.engine), ("unknown", None, "explore"));
    assert!(result.reason.is_some_and(|why| why.contains("`b` gets more tokens")));
}
