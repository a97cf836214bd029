//! Reports on small systems, and what becomes of an engine that is wrong.

use driver::{Choice, Inquiry, Listing, Violation, answer, check};
use engines::{Engine, Problem};
use evidence::{Budget, Evidence, Exhausted, Outcome, Progress, Silent, Statistics, Trace, TraceFile, Verdict};
use explain::SourceText;
use model::{
    Binary, Builder, Command, Domain, Edge, Expectation, Expr, Kind, Ltl, NamedProperty, ObjectId, Property, System,
    Temporal, TransitionId,
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
    f(&Inquiry { set: &["n=1".to_owned()], ..Inquiry::new(&system, properties, &source) })
}

/// A formula of more atoms than the engine takes.
fn many_atoms() -> Ltl {
    let atoms = (0..70).map(|i| Ltl::state(Expr::read(ObjectId(0)).op(Binary::Ne, i)));
    atoms.reduce(|a, b| Ltl::Or(Box::new(a), Box::new(b))).expect("there are some")
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
        named("live", Property::Temporal(Temporal::formula(Ltl::state(Expr::TRUE)))),
        named("large", Property::Temporal(Temporal::formula(many_atoms()))),
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
            ("holds", None, false),
            ("unknown", None, false),
        ]
    );
    let reason = report.results[7].reason.as_deref().expect("an unknown verdict has a reason");
    assert!(reason.contains("cannot decide `ltl`") && reason.contains("atoms"), "{reason}");
    assert!(report.results.iter().all(|r| (r.trace.is_some()) == (r.explanation.is_some())));
}

/// A switch, and then silent steps for ever.
fn beacon() -> System {
    let mut b = Builder::new("beacon");
    let p = b.process("P");
    let (off, on, more) = (b.location(p, "off"), b.location(p, "on"), b.location(p, "more"));
    b.edge(Edge::new(p, off, on).label("switch"));
    b.edge(Edge::new(p, on, more).label("tau"));
    b.edge(Edge::new(p, more, on).label("tau"));
    b.build().expect("a model")
}

#[test]
fn a_system_that_goes_on_in_silence() {
    let (system, source) = (beacon(), SourceText::new("beacon", ""));
    let properties = [
        named("silent", Property::DivergenceFree("tau".into())),
        named("stuck", Property::DeadlockFree),
        named("other", Property::DivergenceFree("i".into())),
        named("sure", Property::Invariant(Expr::TRUE)),
    ];
    let inquiry = Inquiry {
        list: Listing { deadlocks: true, dead_code: true, certificates: false, hints: false },
        ..Inquiry::new(&system, &properties, &source)
    };
    for choice in ["auto", "explore", "explore:order=depth,finish=0"] {
        let choice: Choice = choice.parse().expect("a choice");
        let report = check(&inquiry, &choice, &Budget::unlimited(), &Silent).expect("engine and checker agree");
        let got: Vec<_> = report.results.iter().map(|r| (r.kind, r.verdict, r.violation)).collect();
        assert_eq!(
            got,
            [
                ("divergence-free", "violated", Some(Violation::Liveness)),
                ("deadlock-free", "holds", None),
                ("divergence-free", "holds", None),
                ("invariant", "holds", None),
            ]
        );
        let file = report.results[0].trace.as_ref().expect("a run");
        assert_eq!((file.stem.len(), file.cycle.len()), (1, 2));
        let saved = TraceFile::from_json(&file.to_json()).expect("it can be read");
        let again = saved.trace(&system).expect("it is of this system");
        let checked = check::replay(&system, &properties[0].property, &again).expect("it goes round");
        assert_eq!(checked.finding(), check::Finding::Divergence);
        let json = serde_json::to_value(&report).expect("a report is JSON");
        let conclusion = &json["results"][0]["explanation"]["conclusion"];
        assert_eq!(conclusion, &serde_json::json!({ "kind": "divergence", "silent": "tau", "first": 2, "last": 3 }));
    }
    let reduced: Choice = "explore:order=depth,persistent=stubborn".parse().expect("a choice");
    let report = check(&inquiry, &reduced, &Budget::unlimited(), &Silent).expect("engine and checker agree");
    assert_eq!(report.results.iter().map(|r| r.verdict).collect::<Vec<_>>(), ["unknown", "holds", "unknown", "holds"]);
}

/// Somebody who waits for a lock that nobody gives back, and so many who go round.
fn forsaken(others: usize) -> System {
    let mut b = Builder::new("forsaken");
    let lock = b.object("m", Kind::Lock);
    for name in ["P", "Q"] {
        let p = b.process(name);
        let (out, inside) = (b.location(p, "out"), b.location(p, "inside"));
        b.edge(Edge::new(p, out, inside).run(Command::Acquire(lock.into(), p)));
        b.end(p, inside);
    }
    for i in 0..others {
        let p = b.process(format!("R{i}"));
        let (a, z) = (b.location(p, "a"), b.location(p, "z"));
        b.edge(Edge::new(p, a, z));
        b.edge(Edge::new(p, z, a));
    }
    b.build().expect("a model")
}

/// What is said of a run that is told to show that somebody is stuck.
fn told_stuck(system: &System, run: &[u32], budget: &Budget) -> Result<(&'static str, Option<String>), String> {
    let source = SourceText::new("forsaken", "");
    let property = named("stuck", Property::PartialDeadlockFree);
    let inquiry = Inquiry::new(system, &[], &source);
    let trace = Trace::finite(run.iter().map(|t| TransitionId(*t)).collect());
    let engine = Planted(Verdict::Violated(Evidence::Run(trace)));
    let told = answer(&inquiry, &property, &engine, budget, &Silent);
    told.map(|r| (r.verdict, r.reason)).map_err(|c| c.checker)
}

#[test]
fn nobody_is_stuck_on_an_engines_word() {
    let (system, budget) = (forsaken(2), Budget::unlimited());
    assert_eq!(told_stuck(&system, &[0], &budget), Ok(("violated", None)));
    // Before anybody has the lock, either may get it.
    assert!(told_stuck(&system, &[], &budget).is_err_and(|e| e.contains("does not show")));
    // What cannot be seen to the end is not claimed, nor is it a contradiction.
    let (large, small) = (forsaken(30), Budget::unlimited().with_memory(1 << 20));
    let (verdict, reason) = told_stuck(&large, &[0], &small).expect("no contradiction");
    assert_eq!(verdict, "unknown");
    assert!(reason.is_some_and(|r| r.contains("seems to be stuck") && r.contains("memory")));
}

#[test]
fn a_cycle_that_is_none_is_caught() {
    let (system, source) = (beacon(), SourceText::new("beacon", ""));
    let property = named("silent", Property::DivergenceFree("tau".into()));
    let inquiry = Inquiry::new(&system, &[], &source);
    let told = |cycle: &[u32]| {
        let ids = cycle.iter().map(|t| TransitionId(*t)).collect();
        let run = Evidence::Run(Trace { stem: vec![TransitionId(0)], cycle: ids });
        let engine = Planted(Verdict::Violated(run));
        answer(&inquiry, &property, &engine, &Budget::unlimited(), &Silent).map(|r| r.verdict).map_err(|c| c.checker)
    };
    assert_eq!(told(&[1, 2]), Ok("violated"));
    assert!(told(&[1]).is_err_and(|e| e.contains("do not lead back")));
    assert!(told(&[]).is_err());
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

/// One process goes to `a` or to `b`, each a dead end, or once round.
fn fork() -> System {
    let mut b = Builder::new("fork");
    let p = b.process("P");
    let [l, m, a, z] = ["l", "m", "a", "b"].map(|name| b.location(p, name));
    for (from, to) in [(l, a), (l, z), (l, m), (m, l)] {
        b.edge(Edge::new(p, from, to));
    }
    b.build().expect("a model")
}

/// Says that there are so many deadlocks, with these runs.
struct Lister(Verdict, u64, Vec<Trace>);

impl Engine for Lister {
    fn name(&self) -> &'static str {
        "lister"
    }

    fn supports(&self, _: &Problem<'_>) -> Result<(), String> {
        Ok(())
    }

    fn run(&self, _: &Problem<'_>, _: &Budget, _: &dyn Progress) -> Outcome {
        let statistics = Statistics { deadlocks: Some(self.1), complete: Some(true), ..Statistics::default() };
        let warnings = vec!["it was made up".to_owned()];
        Outcome { deadlocks: self.2.clone(), warnings, ..Outcome::new(self.0.clone(), statistics) }
    }
}

fn listed(verdict: Verdict, counted: u64, runs: &[&[u32]]) -> Result<Vec<usize>, String> {
    let (system, source, property) = (fork(), SourceText::new("fork.imp", ""), named("p", Property::DeadlockFree));
    let list = Listing { deadlocks: true, ..Listing::default() };
    let inquiry = Inquiry { list, ..Inquiry::new(&system, &[], &source) };
    let trace = |stem: &&[u32]| Trace::finite(stem.iter().map(|t| TransitionId(*t)).collect());
    let engine = Lister(verdict, counted, runs.iter().map(trace).collect());
    let result = answer(&inquiry, &property, &engine, &Budget::unlimited(), &Silent).map_err(|c| c.to_string())?;
    assert_eq!(result.warnings, ["it was made up"]);
    for deadlock in &result.deadlocks {
        assert!(deadlock.explanation.iter().any(|e| matches!(e.conclusion, explain::Conclusion::Deadlock(_))));
    }
    Ok(result.deadlocks.iter().map(|d| d.trace.stem.len()).collect())
}

#[test]
fn every_deadlock_of_a_list_is_confirmed() {
    let violated = || Verdict::Violated(run(&[0]));
    assert_eq!(listed(violated(), 2, &[&[2, 3, 1], &[0]]), Ok(vec![1, 3]), "shortest first");
    for (counted, runs, why) in [
        (2, &[&[0][..], &[2, 3, 0]], "the deadlock of an earlier run"),
        (3, &[&[0][..], &[1]], "the last of 2 to different deadlocks, but 3 were met"),
        (2, &[&[0][..], &[2]], "does not show what it should"),
        (2, &[&[0][..], &[3]], "not enabled"),
    ] {
        let dump = listed(violated(), counted, runs).expect_err("the list is wrong");
        assert!(dump.contains("lister") && dump.contains(why), "{dump}");
    }
    assert!(listed(violated(), 2, &[]).is_err(), "every deadlock was asked for");
    let holds = Verdict::Holds(Evidence::Exhausted(Exhausted::FullStateSpace));
    assert!(listed(holds, 1, &[&[0]]).is_err(), "a deadlock and no violation");
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

/// Nine processes that choose between two ends: 512 deadlocks, each with its run, the first 200 of them in words.
#[test]
fn of_a_long_list_the_first_are_told_in_words() {
    let mut b = Builder::new("choices");
    for i in 0..9 {
        let p = b.process(format!("P{i}"));
        let start = b.location(p, "start");
        for name in ["left", "right"] {
            let end = b.location(p, name);
            b.edge(Edge::new(p, start, end));
        }
    }
    let (system, source) = (b.build().expect("a model"), SourceText::new("choices.imp", ""));
    let properties = [named("stuck", Property::DeadlockFree)];
    let list = Listing { deadlocks: true, ..Listing::default() };
    let inquiry = Inquiry { list, ..Inquiry::new(&system, &properties, &source) };
    let report = check(&inquiry, &Choice::Auto, &Budget::unlimited(), &Silent).expect("engine and checker agree");
    let deadlocks = &report.results[0].deadlocks;
    assert_eq!(deadlocks.len(), 512);
    assert!(deadlocks.iter().all(|d| d.trace.stem.len() == 9));
    assert_eq!(deadlocks.iter().take_while(|d| d.explanation.is_some()).count(), 200);
}
