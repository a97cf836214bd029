//! Broken invariants, reached states, observers and model errors, explained.

use check::replay;
use evidence::Trace;
use explain::text::{self, Limits};
use explain::{Conclusion, Explanation, SourceText, explain};
use model::{
    Binary, Builder, Command, Domain, Edge, Expr, Kind, LocationId, Observer, ObserverEdge, ObserverLocation, Property,
    Span, System, Target, TransitionId,
};

/// One process that counts x up from 0, over the text `x\n`*4, with its step on line 2.
fn counter() -> System {
    let mut b = Builder::new("counter");
    let x = b.object("x", Kind::Variable(Domain::Range { lo: 0, hi: 3 }));
    let p = b.process("P");
    let (idle, busy) = (b.location(p, "idle"), b.location(p, "busy"));
    let next = Expr::read(x).op(Binary::Add, 1);
    let mut edge = Edge::new(p, idle, busy).label("up").run(Command::Assign(x.into(), next));
    edge.span = Some(Span::new(2, 3));
    b.edge(edge);
    b.edge(Edge::new(p, busy, idle));
    b.build().expect("a model")
}

fn explained(system: &System, property: &Property, stem: &[u32]) -> Explanation {
    let trace = Trace::finite(stem.iter().map(|t| TransitionId(*t)).collect());
    let checked = replay(system, property, &trace).expect("the trace is right");
    explain(&checked, property, &SourceText::new("c.imp", "x\nx\nx\nx\n"))
}

fn x() -> Expr {
    Expr::read(model::ObjectId(0))
}

#[test]
fn what_is_so_from_the_start_takes_no_step() {
    let system = counter();
    for (property, said) in [
        (Property::Invariant(x().is(1)), "The invariant is false in the initial state.\n"),
        (Property::Reachable(x().is(0)), "The initial state is one that was asked for.\n"),
    ] {
        let text = text::explanation(&explained(&system, &property, &[]), Limits::SHORT);
        assert!(text.starts_with(said), "{text}");
    }
}

#[test]
fn of_an_invariant_only_the_false_conjuncts_are_shown() {
    let system = counter();
    let at_idle = Expr::At(model::ProcessId(0), LocationId(0));
    let property = Property::Invariant(x().op(Binary::Ge, 0).op(Binary::And, x().is(0).op(Binary::Or, at_idle)));
    let e = explained(&system, &property, &[0]);
    let Conclusion::InvariantBroken { failing, .. } = &e.conclusion else { panic!("{e:?}") };
    assert_eq!(failing.len(), 1);
    assert_eq!(failing[0].condition, "x == 0 || P at idle");
    let text = text::explanation(&e, Limits::SHORT);
    assert!(text.contains("is false: P is at busy, x is 1"), "{text}");
    assert!(text.contains(" 1. P.up  [c.imp:2]\n      do x := x + 1\n      P: idle -> busy, x: 0 -> 1\n"), "{text}");
}

#[test]
fn a_state_that_was_asked_for() {
    let e = explained(&counter(), &Property::Reachable(x().is(1)), &[0]);
    let text = text::explanation(&e, Limits::SHORT);
    assert!(text.ends_with("`x == 1` is true here: x is 1\n"), "{text}");
}

#[test]
fn a_value_out_of_range_names_the_operation_and_its_line() {
    let e = explained(&counter(), &Property::DeadlockFree, &[0, 1, 0, 1, 0, 1, 0]);
    let Conclusion::ModelError(f) = &e.conclusion else { panic!("{e:?}") };
    assert_eq!(f.message, "the value 4 is outside the range of `x`");
    assert_eq!((f.step, &f.operations[..]), (Some(7), &["x := x + 1".to_owned()][..]));
    assert!(e.steps[6].changes.is_empty(), "the last step leads nowhere");
    let text = text::explanation(&e, Limits::SHORT);
    assert!(text.contains("Model error in step 7: the value 4 is outside the range of `x`  [c.imp:2]"), "{text}");
}

#[test]
fn an_error_in_the_predicate_is_not_blamed_on_a_step() {
    let property = Property::Invariant(Expr::Const(1).op(Binary::Div, x()).op(Binary::Ge, 0));
    let e = explained(&counter(), &property, &[]);
    let Conclusion::ModelError(f) = &e.conclusion else { panic!("{e:?}") };
    assert_eq!((f.step, f.message.as_str()), (None, "division by zero"));
}

#[test]
fn an_index_out_of_range_names_the_array() {
    let mut b = Builder::new("array");
    let a = b.object("a[0]", Kind::Variable(Domain::Bool));
    b.object("a[1]", Kind::Variable(Domain::Bool));
    let i = b.object("i", Kind::Variable(Domain::Range { lo: 2, hi: 3 }));
    let p = b.process("P");
    let l = b.location(p, "l");
    let cell = Target::cell(a, 2, Expr::read(i));
    b.edge(Edge::new(p, l, l).run(Command::Assign(i.into(), Expr::Const(3))).run(Command::Assign(cell, Expr::TRUE)));
    let e = explained(&b.build().expect("a model"), &Property::DeadlockFree, &[0]);
    let Conclusion::ModelError(f) = &e.conclusion else { panic!("{e:?}") };
    assert_eq!(f.message, "the index 3 is outside the array `a`");
    assert_eq!(f.operations, ["a[i] := true"]);
}

#[test]
fn an_observer_moves_visibly() {
    let location = |name: &str, error| ObserverLocation { name: name.to_owned(), error };
    let edge = ObserverEdge {
        from: LocationId(0),
        to: LocationId(1),
        on: Some(vec![TransitionId(0)]),
        when: x().is(2),
        span: None,
    };
    let observer = Observer {
        locations: vec![location("fine", false), location("two", true)],
        initial: LocationId(0),
        edges: vec![edge],
    };
    let e = explained(&counter(), &Property::Safety(observer), &[0, 1, 0]);
    assert_eq!(e.conclusion, Conclusion::ObserverError { location: "two".to_owned() });
    let last = e.steps[2].changes.last().expect("something changed");
    assert_eq!((last.subject.as_str(), last.before.as_str(), last.after.as_str()), ("observer", "fine", "two"));
}

/// A switch that is visible, then silent steps round for ever; one process.
fn beacon() -> System {
    let mut b = Builder::new("beacon");
    let p = b.process("P");
    let (off, on, more) = (b.location(p, "off"), b.location(p, "on"), b.location(p, "more"));
    b.edge(Edge::new(p, off, on).label("switch"));
    b.edge(Edge::new(p, on, more).label("tau"));
    b.edge(Edge::new(p, more, on).label("tau"));
    b.edge(Edge::new(p, more, more).label("tau"));
    b.build().expect("a model")
}

fn going_round(stem: &[u32], cycle: &[u32], limits: Limits) -> (Explanation, String) {
    let (system, property) = (beacon(), Property::DivergenceFree("tau".into()));
    let ids = |numbers: &[u32]| numbers.iter().map(|t| TransitionId(*t)).collect();
    let trace = Trace { stem: ids(stem), cycle: ids(cycle) };
    let checked = replay(&system, &property, &trace).expect("it goes round");
    let e = explain(&checked, &property, &SourceText::new("b", ""));
    let text = text::explanation(&e, limits);
    (e, text)
}

#[test]
fn what_repeats_for_ever_is_said() {
    let (e, text) = going_round(&[0], &[1, 2], Limits::SHORT);
    assert_eq!(e.conclusion, Conclusion::Divergence { silent: "tau".to_owned(), first: 2, last: 3 });
    assert_eq!(e.steps.len(), 3);
    assert!(text.starts_with("After one step the system can go on for ever without a visible step:\n"), "{text}");
    assert!(text.contains("P: off -> on\n  and then, for ever:\n   2. P.tau\n"), "{text}");
    assert!(text.contains(" 3. P.tau\n      P: more -> on\n"), "{text}");
    assert!(text.ends_with("Divergence: steps 2 to 3 repeat for ever. All of them are called `tau`.\n"), "{text}");
    let (_, text) = going_round(&[0, 1], &[3], Limits::SHORT);
    assert!(text.starts_with("After 2 steps "), "{text}");
    assert!(text.ends_with("Divergence: step 3 repeats for ever. It is called `tau`.\n"), "{text}");
}

/// What repeats is said at the end even if its beginning is not shown.
#[test]
fn long_silent_cycles_lose_their_middle() {
    let cycle = [1, 2].repeat(1500);
    let (e, text) = going_round(&[0], &cycle, Limits { steps: 10, items: 9, ..Limits::SHORT });
    assert_eq!((e.steps.len(), e.elided), (2000, 1001));
    assert!(text.contains("... steps 6 to 2996 are left out"), "{text}");
    assert!(text.ends_with("Divergence: steps 2 to 3001 repeat for ever. All of them are called `tau`.\n"), "{text}");
}

#[test]
fn long_runs_lose_their_middle_and_say_so() {
    let stem: Vec<u32> = [0, 1, 0, 1, 0, 1, 0].into();
    let e = explained(&counter(), &Property::DeadlockFree, &stem);
    let text = text::explanation(&e, Limits { steps: 4, items: 9, ..Limits::SHORT });
    assert!(text.contains("... steps 3 to 5 are left out"), "{text}");
    assert_eq!(text.matches("P.").count(), 4, "{text}");
    assert_eq!(text::explanation(&e, Limits::NONE).matches("P.").count(), 7);
}
