//! Both ways to find runs meet the oracle on random nets and formulas, and each condition of the reduction is needed.

use automata::syntax::Unary;
use automata::{Atom, Ltl, Pool};
use check::refutes;
use evidence::Budget;
use model::nets::Predicate;
use model::views::{ArcSet, Net};
use testkit::nets::{RunClaim, random, reading, run_claim};

use super::reduction::Forget;
use super::search::search_but;
use super::{RunTask, Searched, Whole, always_ends, search, walk};
use crate::refuter::Refuter;

const LIMIT: usize = 120;

fn net(seed: u64) -> Net {
    if seed.is_multiple_of(2) { random(seed / 2) } else { reading(seed / 2) }
}

/// Formulas of which half have steps.
fn claim(net: &Net, seed: u64) -> RunClaim {
    run_claim(net, seed, if seed.is_multiple_of(3) { 30 } else { 0 })
}

fn refuter(claim: &RunClaim) -> Refuter {
    let mut pool = Pool::new();
    let formula = pool.add(&claim.formula);
    Refuter::new(&mut pool, formula).expect("the formula is small")
}

/// Whether all runs satisfy the formula; a run that is given for the contrary must refute it.
fn found(net: &Net, claim: &RunClaim, refuter: &Refuter, forget: Forget) -> Result<bool, String> {
    let budget = Budget::unlimited();
    let task = RunTask { net, refuter, atoms: &claim.atoms, runs: Whole::Maximal, budget: &budget };
    match search_but(&task, 0, forget).map_err(|e| e.to_string())? {
        Searched::None => Ok(true),
        Searched::Untold => Ok(false),
        Searched::Run(run) => {
            let shown = refutes(net, &claim.formula, &claim.atoms, (&run.stem, &run.cycle));
            shown.map_err(|e| format!("{run:?}: {e}")).map(|()| false)
        }
    }
}

/// How many formulas hold and do not, and the first that the search judges differently.
fn compare(seeds: std::ops::Range<u64>, forget: Forget) -> (usize, usize, Option<String>) {
    let (mut holds, mut fails) = (0, 0);
    for seed in seeds {
        let net = net(seed);
        for i in 0..6 {
            let claim = claim(&net, 6 * seed + i);
            let Some(expected) = claim.holds(&net, LIMIT) else { break };
            *(if expected { &mut holds } else { &mut fails }) += 1;
            let wrong = match found(&net, &claim, &refuter(&claim), forget) {
                Ok(found) if found == expected => continue,
                Ok(found) => format!("found {found}"),
                Err(e) => e,
            };
            return (holds, fails, Some(format!("seed {seed}, formula {i}: {wrong}\n{claim:?}\n{net:?}")));
        }
    }
    (holds, fails, None)
}

#[test]
fn the_search_agrees_with_the_oracle() {
    let (holds, fails, wrong) = compare(0..600, Forget::Nothing);
    assert_eq!(wrong, None);
    assert!(holds > 500 && fails > 1000, "{holds} {fails}");
}

#[test]
#[ignore = "the same on many more: takes minutes"]
fn the_search_agrees_with_the_oracle_on_many() {
    assert_eq!(compare(10_000..30_000, Forget::Nothing).2, None);
}

#[test]
fn no_condition_of_the_reduction_can_be_left_out() {
    for forget in [Forget::Visible, Forget::Cycles] {
        assert!(compare(0..3000, forget).2.is_some(), "{forget:?} makes no difference");
    }
}

/// A walk finds what is there, and nothing else.
#[test]
fn walks_find_runs_that_refute() {
    let (mut found, mut missed) = (0, 0);
    for seed in 0..200 {
        let net = net(seed);
        let claim = claim(&net, seed);
        let Some(expected) = claim.holds(&net, LIMIT) else { continue };
        let budget = Budget::unlimited().with_timeout(std::time::Duration::from_millis(20));
        let task = RunTask {
            net: &net,
            refuter: &refuter(&claim),
            atoms: &claim.atoms,
            runs: Whole::Maximal,
            budget: &budget,
        };
        match walk(&task, seed) {
            Err(_) => missed += usize::from(!expected),
            Ok(run) => {
                found += 1;
                let shown = refutes(&net, &claim.formula, &claim.atoms, (&run.stem, &run.cycle));
                assert!(shown.is_ok() && !expected, "seed {seed}: {run:?} {shown:?}\n{claim:?}\n{net:?}");
            }
        }
    }
    assert!(found > 50 && missed < 10, "{found} {missed}");
}

/// The net with a transition that does nothing, always.
fn with_pause(net: &Net) -> Net {
    let arcs =
        |t| ArcSet { transition: net.transition(t).clone(), pre: net.pre(t).to_vec(), post: net.post(t).to_vec() };
    let pause = ArcSet::new("pause", Vec::new(), Vec::new());
    Net::new(net.name(), net.places().to_vec(), net.transition_ids().map(arcs).chain([pause]).collect()).expect("a net")
}

/// Runs that may end anywhere are those of a net that can pause.
#[test]
fn runs_that_may_end_anywhere() {
    let (mut same, mut different) = (0, 0);
    for seed in 0..1500 {
        let net = net(seed);
        let claim = run_claim(&net, seed, 0);
        let Some(maximal) = claim.holds(&net, LIMIT) else { continue };
        let expected = claim.holds(&with_pause(&net), LIMIT).expect("it has the same markings");
        let budget = Budget::unlimited();
        let refuter = refuter(&claim);
        let task = RunTask { net: &net, refuter: &refuter, atoms: &claim.atoms, runs: Whole::Any, budget: &budget };
        let found = search(&task, 0).expect("it is small");
        assert_eq!(found == Searched::None, expected, "seed {seed}: {found:?}\n{claim:?}\n{net:?}");
        *(if maximal == expected { &mut same } else { &mut different }) += 1;
    }
    assert!(same > 500 && different > 20, "{same} {different}");
}

/// Where every run is said to end, nothing is enabled sooner or later, whatever happens.
#[test]
fn runs_end_where_they_are_said_to() {
    let (mut end, mut others) = (0, 0);
    for seed in 0..600 {
        let net = net(seed);
        let enabled = Predicate::any(net.transition_ids().map(|t| Predicate::fireable(&net, t)));
        let formula = Ltl::Atom(Atom(0)).under(Unary::Not).under(Unary::Eventually);
        let claim = RunClaim { formula, atoms: vec![enabled] };
        match (always_ends(&net), claim.holds(&net, LIMIT)) {
            (true, holds) => {
                assert_eq!(holds, Some(true), "seed {seed}: {net:?}");
                end += 1;
            }
            (false, Some(false)) => others += 1,
            _ => {}
        }
    }
    assert!(end > 20 && others > 100, "{end} {others}");
}
