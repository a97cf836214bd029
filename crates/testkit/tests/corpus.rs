//! The corpus runner passes right engines and names whatever is wrong: an engine, an expected verdict, an expected size.

use std::fs;
use std::path::Path;

use evidence::{Outcome, Reason};
use model::{Builder, Command, Edge, Expectation, Expr, Kind, NamedProperty, Property, System};
use testkit::compare::Demand;
use testkit::corpus::{Case, Contestant, Size, cases, run};
use testkit::naive::Naive;
use testkit::planted::{Bug, Planted};
use testkit::search;

const STRICT: Demand = Demand { shortest: true, complete: true };

/// The two dining philosophers of section 2.3 of Godefroid's thesis.
fn philosophers() -> Case {
    let mut b = Builder::new("philosophers");
    let forks = [b.object("fork[0]", Kind::Lock), b.object("fork[1]", Kind::Lock)];
    for i in 0..2 {
        let p = b.process(format!("Phil[{i}]"));
        let at: Vec<_> = ["thinking", "hungry", "eating", "done"].map(|l| b.location(p, l)).into();
        let (left, right) = (forks[i], forks[1 - i]);
        b.edge(Edge::new(p, at[0], at[1]).run(Command::Acquire(left.into(), p)));
        b.edge(Edge::new(p, at[1], at[2]).run(Command::Acquire(right.into(), p)));
        b.edge(Edge::new(p, at[2], at[3]).run(Command::Release(left.into(), p)));
        b.edge(Edge::new(p, at[3], at[0]).run(Command::Release(right.into(), p)));
    }
    let named = |name: &str, property, expect| NamedProperty { name: name.to_owned(), property, expect, span: None };
    let some_fork = Expr::Free(forks[0].into()).op(model::Binary::Or, Expr::Free(forks[1].into()));
    let properties = vec![
        named("deadlock-free", Property::DeadlockFree, Some(Expectation::Violated)),
        named("some fork", Property::Reachable(some_fork), Some(Expectation::Holds)),
    ];
    let size = Size { states: Some(8), transitions: Some(10), deadlocks: Some(1) };
    Case { name: "philosophers".to_owned(), system: b.build().expect("the model is right"), properties, size }
}

fn right(system: &System, property: &Property) -> Outcome {
    search(&Naive::of(system, property), property, 1000).expect("the model is small")
}

fn failures(case: Case, engine: &dyn Fn(&System, &Property) -> Outcome) -> Vec<String> {
    run(&[case], &[Contestant { name: "engine".to_owned(), demand: STRICT, run: engine }], 1000).failures
}

#[test]
fn a_right_engine_passes() {
    let contestant = |run| Contestant { name: "right".to_owned(), demand: STRICT, run };
    let report = run(&[philosophers(), philosophers()], &[contestant(&right), contestant(&right)], 1000);
    report.assert_clean();
    assert_eq!((report.runs, report.compared), (8, 8));
}

#[test]
fn a_wrong_engine_is_named_even_without_the_oracle() {
    let wrong = |system: &System, property: &Property| {
        let planted = Planted::new(Naive::of(system, property), Bug::ForgetsLastTransition);
        search(&planted, property, 1000).expect("the model is small")
    };
    assert!(!failures(philosophers(), &wrong).is_empty());
    let blind = run(&[philosophers()], &[Contestant { name: "wrong".to_owned(), demand: STRICT, run: &wrong }], 1);
    assert_eq!(blind.compared, 0);
    assert!(blind.failures.iter().all(|f| f.starts_with("philosophers, ")));
    assert!(!blind.failures.is_empty());
}

#[test]
fn wrong_expectations_are_named() {
    let mut verdict = philosophers();
    verdict.properties[0].expect = Some(Expectation::Holds);
    assert_eq!(failures(verdict, &right).len(), 2, "the author and the engine differ");
    let mut size = philosophers();
    size.size.deadlocks = Some(2);
    assert_eq!(failures(size, &right).len(), 2, "both questions are answered by a complete search");
}

#[test]
fn declining_is_no_failure_but_is_noted() {
    let declines = |_: &System, _: &Property| Outcome::unknown(Reason::Unsupported("not mine".to_owned()));
    let report = run(&[philosophers()], &[Contestant { name: "shy".to_owned(), demand: STRICT, run: &declines }], 1000);
    report.assert_clean();
    assert_eq!(report.declined.len(), 2);
    let gives_up = |_: &System, _: &Property| Outcome::unknown(Reason::Timeout);
    assert!(!failures(philosophers(), &gives_up).is_empty());
}

#[test]
fn models_are_read_in_order_from_all_folders() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus-runner");
    fs::create_dir_all(folder.join("b")).expect("the target folder can be written");
    for file in ["c.imp", "b/a.imp", "a.imp", "notes.txt"] {
        fs::write(folder.join(file), "").expect("the target folder can be written");
    }
    let load = |path: &Path| Ok(Case { name: path.display().to_string(), ..philosophers() });
    let found = cases(&folder, "imp", load).expect("all models can be read");
    let names: Vec<&str> = found.iter().filter_map(|c| Path::new(&c.name).file_name()?.to_str()).collect();
    assert_eq!(names, ["a.imp", "a.imp", "c.imp"]);
    let refuse = |_: &Path| Err("unreadable".to_owned());
    assert!(cases(&folder, "imp", refuse).is_err_and(|e| e.contains("a.imp: unreadable")));
}
