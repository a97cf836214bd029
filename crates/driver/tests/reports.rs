//! Reports on small systems, and what becomes of an engine that is wrong.

use driver::{Choice, Inquiry, Listing, Violation, answer, check};
use engines::{Engine, Problem};
use evidence::{Budget, Evidence, Exhausted, Outcome, Progress, Silent, Statistics, Trace, Verdict};
use explain::SourceText;
use model::{
    Binary, Builder, Command, Domain, Edge, Expectation, Expr, Kind, Ltl, NamedProperty, ObjectId, Property, System,
    TransitionId,
};

/// One process counts x from 0 to 2 and stops.
fn counter() -> System {
    let mut b = Builder::new("counter");
    let x = b.object("x", Kind::Variable(Domain::Range { lo: 0, hi: 2 }));
    let p = b.process("P");
    let l = b.location(p, "l");
    let up = Command::Assign(x.into(), Expr::read(x).op(Binary::Add, 1));
    b.edge(Edge::new(p, l, l).when(Expr::read(x).op(Binary::Lt, 2)).run(up));
    b.build().expect("a model")
}

fn named(name: &str, property: Property) -> NamedProperty {
    NamedProperty { name: name.to_owned(), property, expect: Some(Expectation::Holds), span: None }
}

fn x_is(value: i64) -> Expr {
    Expr::read(ObjectId(0)).is(value)
}

fn with_inquiry<R>(properties: &[NamedProperty], f: impl FnOnce(&Inquiry<'_>) -> R) -> R {
    let (system, source) = (counter(), SourceText::new("counter.imp", ""));
    f(&Inquiry { system: &system, properties, source: &source, set: &["n=1".to_owned()], list: Listing::default() })
}

#[test]
fn every_kind_of_answer() {
    let properties = [
        named("stuck", Property::DeadlockFree),
        named("small", Property::Invariant(Expr::read(ObjectId(0)).op(Binary::Le, 2))),
        named("not two", Property::Invariant(x_is(2).negate())),
        named("two", Property::Reachable(x_is(2))),
        named("three", Property::Reachable(x_is(3))),
        named("bad", Property::Invariant(Expr::Const(1).op(Binary::Div, 0))),
        named("live", Property::Ltl(Ltl::Atom(Expr::TRUE))),
    ];
    let report = with_inquiry(&properties, |i| check(i, &Choice::Auto, &Budget::unlimited(), &Silent));
    let report = report.expect("engine and checker agree");
    let got: Vec<_> = report.results.iter().map(|r| (r.verdict, r.violation, r.trace.is_some())).collect();
    assert_eq!(
        got,
        [
            ("violated", Some(Violation::Deadlock), true),
            ("holds", None, false),
            ("violated", Some(Violation::Safety), true),
            ("holds", None, true),
            ("violated", Some(Violation::Safety), false),
            ("violated", Some(Violation::ModelError), true),
            ("unknown", None, false),
        ]
    );
    let reason = report.results[6].reason.as_deref().expect("an unknown verdict has a reason");
    assert!(reason.contains("cannot decide `ltl`"), "{reason}");
    assert!(report.results.iter().all(|r| (r.trace.is_some()) == (r.explanation.is_some())));
}

#[test]
fn the_json_has_the_documented_keys() {
    let properties = [named("stuck", Property::DeadlockFree)];
    let report = with_inquiry(&properties, |i| check(i, &Choice::Auto, &Budget::unlimited(), &Silent)).expect("agreed");
    let json = serde_json::to_value(&report).expect("a report is JSON");
    assert_eq!(json["schema"], "impasse-report-1");
    assert_eq!(json["tool"]["name"], "impasse");
    assert_eq!(json["model"]["set"][0], "n=1");
    let result = &json["results"][0];
    assert_eq!((&result["verdict"], &result["violation"]), (&"violated".into(), &"deadlock".into()));
    assert_eq!(result["statistics"]["states"], 3);
    assert_eq!(result["trace"]["stem"].as_array().map(Vec::len), Some(2));
    assert_eq!(result["explanation"]["conclusion"]["kind"], "deadlock");
    assert_eq!(result["evidence"]["checked"], true);
}

#[test]
fn the_options_of_the_engine_are_reported() {
    let choice: Choice = "explore:order=depth,finish=0".parse().expect("a choice");
    let properties = [named("stuck", Property::DeadlockFree)];
    let report = with_inquiry(&properties, |i| check(i, &choice, &Budget::unlimited(), &Silent)).expect("agreed");
    assert_eq!(report.results[0].engine, "explore:order=depth,finish=0");
}

/// An engine that says whatever it was told to say.
struct Planted(Verdict);

impl Engine for Planted {
    fn name(&self) -> &'static str {
        "planted"
    }

    fn supports(&self, _: &Problem<'_>) -> Result<(), String> {
        Ok(())
    }

    fn run(&self, _: &Problem<'_>, _: &Budget, _: &dyn Progress) -> Outcome {
        Outcome::new(self.0.clone(), Statistics::default())
    }
}

fn planted(property: Property, verdict: Verdict) -> Result<&'static str, String> {
    let property = named("p", property);
    with_inquiry(&[], |i| answer(i, &property, &Planted(verdict), &Budget::unlimited(), &Silent))
        .map(|r| r.verdict)
        .map_err(|c| c.to_string())
}

fn run(stem: &[u32]) -> Evidence {
    Evidence::Run(Trace::finite(stem.iter().map(|t| TransitionId(*t)).collect()))
}

#[test]
fn an_engine_that_lies_is_caught() {
    let deadlock = |stem| planted(Property::DeadlockFree, Verdict::Violated(run(stem)));
    assert_eq!(deadlock(&[0, 0]), Ok("violated"));
    for wrong in [&[0][..], &[0, 0, 0], &[7], &[]] {
        let dump = deadlock(wrong).expect_err("the run shows no deadlock");
        assert!(dump.contains("planted") && dump.contains("impasse-trace-1"), "{dump}");
    }
    // Runs that show the opposite of what they are given for.
    assert!(planted(Property::Reachable(x_is(1)), Verdict::Violated(run(&[0]))).is_err());
    assert!(planted(Property::Invariant(x_is(0)), Verdict::Holds(run(&[0]))).is_err());
    // A search that claims to be exhausted cannot be checked, and is named as such.
    let exhausted = Verdict::Holds(Evidence::Exhausted(Exhausted::FullStateSpace));
    assert_eq!(planted(Property::DeadlockFree, exhausted), Ok("holds"));
}

#[test]
fn an_exhausted_budget_is_unknown() {
    let budget = Budget::unlimited();
    budget.cancel_flag().store(true, std::sync::atomic::Ordering::Relaxed);
    let properties = [named("stuck", Property::Invariant(Expr::TRUE))];
    let report = with_inquiry(&properties, |i| check(i, &Choice::Auto, &budget, &Silent)).expect("agreed");
    assert_eq!(report.results[0].verdict, "unknown");
    assert_eq!(report.results[0].reason.as_deref(), Some("the search was interrupted"));
}
