//! What is listed besides the answers, on every model of the corpus: every search finds the deadlocks of the oracle, and
//! its dead code.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use check::replay;
use driver::{Choice, DeadCode, Inquiry, Listing, Report, Unused};
use engines::Problem;
use evidence::{Budget, Silent, Trace};
use explain::SourceText;
use model::{Property, Span, TransitionId};
use testkit::corpus::Case;
use testkit::naive::{Naive, Semantics, State, explore};
use testkit::packed::unpack;

use common::{ORACLE_LIMIT, corpus};

/// Searches for every deadlock.
const ALL: &[&str] = &[
    "explore:all",
    "explore:order=depth,all",
    "explore:all,persistent=conflict",
    "explore:all,persistent=overman",
    "explore:all,persistent=stubborn",
    "explore:all,persistent=conditional",
    "explore:all,persistent=stubborn,relation=can-be-dependent",
    "explore:order=depth,all,sleep",
    "explore:order=depth,all,persistent=stubborn,proviso=component",
    "explore:order=depth,all,persistent=conflict,sleep",
    "explore:order=depth,all,persistent=overman,sleep",
    "explore:order=depth,all,persistent=stubborn",
    "explore:order=depth,all,persistent=stubborn,sleep",
    "explore:order=depth,all,persistent=stubborn,proviso=stack",
    "explore:order=depth,all,persistent=stubborn,sleep,proviso=stack",
    "explore:order=depth,all,persistent=conditional",
    "explore:order=depth,all,persistent=conditional,sleep",
    "explore:order=depth,all,persistent=conditional,proviso=stack",
    "explore:order=depth,all,persistent=stubborn,sleep,cache=1000",
];

/// Searches that know the dead code of every model that they accept.
const EVERY_STEP: &[&str] = &[
    "auto",
    "explore",
    "explore:order=depth",
    "explore:order=depth,persistent=conflict,proviso=stack",
    "explore:order=depth,persistent=stubborn,proviso=stack",
    "explore:order=depth,persistent=stubborn,sleep,proviso=stack",
    "explore:order=depth,persistent=conditional,proviso=stack",
    "explore:order=depth,persistent=stubborn,proviso=component",
    "explore:order=depth,sleep",
];

/// What the oracle knows of a model.
struct Truth {
    /// The deadlocks, with their distance from the initial state.
    deadlocks: BTreeMap<State, usize>,
    fired: BTreeSet<TransitionId>,
    states: Vec<State>,
}

fn truth(case: &Case) -> Option<Truth> {
    let naive = Naive::new(&case.system);
    let graph = explore(&naive, ORACLE_LIMIT)?;
    let stuck = |i: &usize| graph.edges[*i].is_empty() && !naive.at_end(&graph.states[*i]);
    let deadlocks = (0..graph.states.len()).filter(stuck).map(|i| (graph.states[i].clone(), graph.distances[i]));
    // A step that is a model error is taken, too.
    let fired = graph.edges.iter().flatten().map(|(t, _)| *t);
    Some(Truth { deadlocks: deadlocks.collect(), fired: fired.collect(), states: graph.states.clone() })
}

/// The models of the corpus that the oracle can treat.
fn models() -> Vec<(Case, Truth)> {
    let small = |c: &Case| c.size.states.is_some_and(|n| n <= ORACLE_LIMIT as u64);
    let known = corpus().into_iter().filter(small).filter_map(|case| truth(&case).map(|truth| (case, truth)));
    let models: Vec<_> = known.collect();
    assert!(models.len() >= 40, "only {} models", models.len());
    models
}

/// What is wrong with runs that are to lead to every deadlock.
fn compare(case: &Case, truth: &Truth, runs: &[Trace], shortest: bool) -> Result<(), String> {
    let mut ends = BTreeSet::new();
    for run in runs {
        let checked = replay(&case.system, &Property::DeadlockFree, run).map_err(|e| e.to_string())?;
        let end = unpack(&case.system, checked.last());
        if shortest && truth.deadlocks.get(&end) != Some(&run.stem.len()) {
            return Err(format!("a run of {} steps is not a shortest one", run.stem.len()));
        }
        if !ends.insert(end) {
            return Err("two runs to one deadlock".to_owned());
        }
    }
    if !ends.iter().eq(truth.deadlocks.keys()) {
        return Err(format!("{} deadlocks instead of {}", ends.len(), truth.deadlocks.len()));
    }
    let ordered = runs.is_sorted_by_key(|r| r.stem.len());
    if shortest && !ordered { Err("not in the order of length".to_owned()) } else { Ok(()) }
}

#[test]
fn every_search_lists_exactly_the_deadlocks_of_the_oracle() {
    let (mut runs, mut several) = (0, 0);
    for (case, truth) in models() {
        for text in ALL {
            let choice: Choice = text.parse().expect("it is spelled right");
            let problem = Problem { system: &case.system, property: &Property::DeadlockFree };
            if choice.engine().supports(&problem).is_err() {
                assert!(text.contains("persistent") && !text.contains("depth"), "{}: {text} is declined", case.name);
                continue;
            }
            let outcome = choice.engine().run(&problem, &Budget::unlimited(), &Silent);
            let compared = compare(&case, &truth, &outcome.deadlocks, !text.contains("depth"));
            assert_eq!(compared, Ok(()), "{}, {text}", case.name);
            assert_eq!(outcome.statistics.deadlocks, Some(truth.deadlocks.len() as u64), "{}, {text}", case.name);
            runs += 1;
        }
        several += usize::from(truth.deadlocks.len() > 1);
    }
    assert!(runs >= 40 * ALL.len() / 2, "only {runs} searches");
    assert!(several >= 5, "only {several} models have several deadlocks");
}

fn report(case: &Case, choice: &str, list: Listing) -> Report {
    let text = std::fs::read_to_string(&case.name).expect("the model");
    let source = SourceText::new("m", &text);
    let inquiry = Inquiry { list, ..Inquiry::new(&case.system, &case.properties, &source) };
    let choice = choice.parse().expect("it is spelled right");
    driver::check(&inquiry, &choice, &Budget::unlimited(), &Silent).expect("engine and checker agree")
}

#[test]
fn a_report_has_every_deadlock() {
    for (case, truth) in models() {
        let report = report(&case, "auto", Listing { deadlocks: true, ..Listing::default() });
        for result in report.results {
            let expected = if result.kind == "deadlock-free" { truth.deadlocks.len() } else { 0 };
            assert_eq!(result.deadlocks.len(), expected, "{}, {}", case.name, result.property);
        }
    }
}

/// A line of the text and a name.
type Entry = (Option<usize>, String);

/// The lines of the steps and the lines and names of the locations that the oracle never saw.
fn dead(case: &Case, truth: &Truth) -> (Vec<Option<usize>>, Vec<Entry>) {
    let text = std::fs::read_to_string(&case.name).expect("the model");
    let source = SourceText::new("m", &text);
    let system = &case.system;
    let line = |s: &Span| Some(source.place(*s).line);
    let written: BTreeSet<Span> = system.transitions().iter().flat_map(|t| t.spans.clone()).collect();
    let alone = system.joint_edges().iter().filter_map(|e| e.span);
    let taken: BTreeSet<Span> = truth.fired.iter().flat_map(|t| system.transition(*t).spans.clone()).collect();
    let steps = written.into_iter().chain(alone).collect::<BTreeSet<Span>>();
    let mut seen = BTreeSet::new();
    for (p, process) in system.processes().iter().enumerate() {
        let met: BTreeSet<_> = truth.states.iter().map(|s| s.locations[p]).collect();
        seen.extend(met.iter().map(|l| &process.locations[l.index()]).map(|l| (l.span, l.name.clone())));
    }
    let declared = system.processes().iter().flat_map(|p| &p.locations).map(|l| (l.span, l.name.clone()));
    let locations: BTreeSet<_> = declared.filter(|l| !seen.contains(l)).collect();
    let entries = locations.into_iter().map(|(span, name)| (span.as_ref().and_then(line), name));
    (steps.difference(&taken).map(line).collect(), sorted(entries.collect()))
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list
}

fn entries(unused: &[Unused]) -> Vec<Entry> {
    sorted(unused.iter().map(|u| (u.source.as_ref().map(|p| p.line), u.name.clone())).collect())
}

#[test]
fn dead_code_is_that_of_the_oracle() {
    let list = Listing { dead_code: true, ..Listing::default() };
    let (mut models_with_some, mut compared, mut unknown) = (BTreeSet::new(), 0, 0);
    for (case, truth) in models() {
        let (steps, locations) = dead(&case, &truth);
        let mut compare = |choice: &str| {
            let place = format!("{}, {choice}", case.name);
            match report(&case, choice, list).dead_code.expect("it was asked for") {
                DeadCode::Known { steps: s, locations: l } => {
                    assert_eq!(entries(&s).into_iter().map(|(line, _)| line).collect::<Vec<_>>(), steps, "{place}");
                    assert_eq!(entries(&l), locations, "{place}");
                    compared += 1;
                    None
                }
                DeadCode::Unknown { unknown } => Some(format!("{place}: {unknown}")),
            }
        };
        for choice in EVERY_STEP {
            assert_eq!(compare(choice), None);
        }
        // Without a proviso, which deadlocks do not need, a step may be put off for ever: nothing is said.
        unknown += usize::from(compare("explore:persistent=stubborn").is_some());
        if steps.len() + locations.len() > 0 {
            models_with_some.insert(case.name);
        }
    }
    assert!(compared >= 40 * EVERY_STEP.len() && unknown > 10, "only {compared} comparisons, {unknown} unknown");
    assert!(models_with_some.len() >= 2, "dead code is only in {models_with_some:?}");
}

#[test]
fn a_deadlock_that_is_missing_or_doubled_is_noticed() {
    let (case, truth) = models().into_iter().find(|(_, t)| t.deadlocks.len() > 1).expect("such a model");
    let choice: Choice = ALL[0].parse().expect("a choice");
    let problem = Problem { system: &case.system, property: &Property::DeadlockFree };
    let runs = choice.engine().run(&problem, &Budget::unlimited(), &Silent).deadlocks;
    assert_eq!(compare(&case, &truth, &runs, true), Ok(()));
    assert!(compare(&case, &truth, &runs[1..], true).is_err());
    assert!(compare(&case, &truth, &[&runs[..1], &runs[..]].concat(), true).is_err());
    let mut less = Truth { fired: truth.fired.iter().skip(1).copied().collect(), ..truth };
    less.states.truncate(1);
    assert!(dead(&case, &less).1.len() + dead(&case, &less).0.len() > 0);
}
