//! Systems that were made of nets: what `auto` says with the net at hand meets the naive oracle.

use std::sync::Arc;
use std::time::Duration;

use driver::{Choice, Inquiry, Listing, NetSource, Report};
use evidence::{Budget, Silent};
use explain::SourceText;
use model::nets::{Goal, Linear, Predicate};
use model::views::{ArcSet, Net, Place, PlaceId};
use model::{Binary, Builder, Command, Domain, Edge, Expr, Kind, NamedProperty, ObjectId, Property};
use testkit::nets::{self, Oracle};

fn named(property: Property) -> NamedProperty {
    NamedProperty { name: String::new(), property, expect: None, span: None }
}

fn report(net: &Arc<Net>, properties: &[NamedProperty], seconds: u64) -> Report {
    report_of(net, properties, seconds, "auto")
}

fn report_of(net: &Arc<Net>, properties: &[NamedProperty], seconds: u64, choice: &str) -> Report {
    let system = net.to_system(|_| u32::MAX).expect("a system");
    let source = SourceText::new("net", "");
    let net = Some(NetSource { net, threads: 1 });
    let inquiry = Inquiry { net, ..Inquiry::new(&system, properties, &source) };
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(seconds));
    let choice: Choice = choice.parse().expect("a choice");
    driver::check(&inquiry, &choice, &budget, &Silent).expect("no contradiction")
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

#[test]
fn structural_proofs_come_with_checked_certificates() {
    let (mut certified, mut proved) = (0, 0);
    for seed in 0..40 {
        let net = Arc::new(nets::random(seed));
        let properties: Vec<NamedProperty> = questions(&net).into_iter().map(|(_, _, p)| p).collect();
        let results = report_of(&net, &properties, 5, "net:structural").results;
        for evidence in results.iter().filter_map(|r| r.evidence.as_ref()) {
            assert_eq!(evidence.checked, evidence.kind != "structure", "{evidence:?}");
            proved += usize::from(evidence.kind != "run");
            certified += usize::from(evidence.kind == "certificate");
        }
        assert!(results.iter().all(|r| r.engine == "net:structural"));
    }
    assert!(certified * 10 > proved * 8 && proved > 50, "{certified} of {proved}");
}

#[test]
fn the_engines_for_nets_need_something_like_a_net() {
    let mut b = Builder::new("large");
    let (x, p) = (b.object("x", Kind::Variable(Domain::Range { lo: 0, hi: i32::MAX })), b.process("P"));
    let only = b.location(p, "only");
    let more = Command::Assign(x.into(), Expr::read(x).op(Binary::Add, 1));
    b.edge(Edge { command: vec![more], ..Edge::new(p, only, only) });
    let system = b.build().expect("a system");
    let (source, properties) = (SourceText::new("net", ""), [named(Property::DeadlockFree)]);
    let inquiry = Inquiry::new(&system, &properties, &source);
    let choice = "net:walk".parse().expect("a choice");
    let report = driver::check(&inquiry, &choice, &Budget::unlimited(), &Silent).expect("no contradiction");
    let reason = report.results[0].reason.as_deref().unwrap_or_default();
    assert!(reason.contains("cannot be seen as a net"), "{reason}");
}

/// What `--all` says about the deadlocks of a net.
fn every_deadlock(net: &Arc<Net>) -> driver::ReportResult {
    let system = net.to_system(|_| u32::MAX).expect("a system");
    let (source, list) = (SourceText::new("net", ""), Listing { deadlocks: true, ..Listing::default() });
    let (properties, net) = ([named(Property::DeadlockFree)], Some(NetSource { net, threads: 1 }));
    let inquiry = Inquiry { list, net, ..Inquiry::new(&system, &properties, &source) };
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    let report = driver::check(&inquiry, &Choice::Auto, &budget, &Silent).expect("no contradiction");
    report.results.into_iter().next().expect("one question has one answer")
}

#[test]
fn all_deadlocks_of_a_net_are_listed_or_proved_absent() {
    let [a, b, c] = [0, 1, 2].map(PlaceId::new);
    let places = || ["a", "b", "c"].map(|name| Place::new(name, u32::from(name == "a"))).to_vec();
    let choice =
        vec![ArcSet::new("left", vec![(a, 1)], vec![(b, 1)]), ArcSet::new("right", vec![(a, 1)], vec![(c, 1)])];
    let two = every_deadlock(&Arc::new(Net::new("choice", places(), choice).expect("a net")));
    assert_eq!((two.verdict, two.deadlocks.len()), ("violated", 2));
    // No search of this one ends.
    let grows = vec![ArcSet::new("more", vec![(a, 1)], vec![(a, 1), (b, 1)])];
    let none = every_deadlock(&Arc::new(Net::new("grows", places(), grows).expect("a net")));
    assert_eq!((none.verdict, none.deadlocks.len()), ("holds", 0));
}

/// One process counts, the other waits for a value that comes.
const COUNTING: &str = "var x : 0..20
var y : 0..1
process P { states a, b
 a -> b when x < 12 do x += 1
 b -> a do y := 1 - y }
process Q { states c, d
 c -> d when x == 11 && y == 1
 d -> c when x == 13 }
property odd: invariant !(x == 12 && y == 1 && P at a)
property d: invariant !(Q at d)
";

fn counting(choice: &str, budget: &Budget) -> Vec<&'static str> {
    let loaded = frontend::native::load("counting.imp", COUNTING, &[]).expect("a model");
    let source = SourceText::new("counting.imp", COUNTING);
    let inquiry = Inquiry::new(&loaded.system, &loaded.properties, &source);
    let report = driver::check(&inquiry, &choice.parse().expect("a choice"), budget, &Silent);
    report.expect("no contradiction").results.iter().map(|result| result.verdict).collect()
}

#[test]
fn induction_alone_has_all_the_time() {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(120));
    assert_eq!(counting("ic3", &budget), ["holds", "violated"]);
}

#[test]
fn want_of_memory_has_an_end_and_no_wrong_answer() {
    for choice in ["auto", "net", "net:structural"] {
        let said = counting(choice, &Budget::unlimited().with_memory(1));
        let right = |(said, right): (&&str, &str)| [right, "unknown"].contains(said);
        assert!(said.iter().zip(["holds", "violated"]).all(right), "{choice}: {said:?}");
    }
}
