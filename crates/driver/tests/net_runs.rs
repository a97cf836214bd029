//! Formulas about the runs of nets: whatever is answered is what the oracle says, with all means and with each alone.

use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use driver::{NetEngines, RunInquiry, RunQuestion, answer_runs};
use evidence::Budget;
use model::nets::Predicate;
use model::views::{Net, PlaceId};
use testkit::nets::{RunClaim, random, reading, run_claim};

const LIMIT: usize = 120;

/// By question, its answer, if there is one.
fn answers(net: &Net, claims: &[RunClaim], engines: NetEngines, threads: usize) -> Vec<Option<bool>> {
    let question = |c: &RunClaim| RunQuestion { formula: c.formula.clone(), atoms: c.atoms.clone() };
    let inquiry = RunInquiry {
        net: Arc::new(net.clone()),
        questions: claims.iter().map(question).collect(),
        claims: Vec::new(),
        threads,
        engines,
    };
    let told = Mutex::new(vec![None; claims.len()]);
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(3));
    let hear = |i: usize, holds: bool, _: &[&'static str]| {
        let before = told.lock().expect("nobody panics")[i].replace(holds);
        assert_eq!(before, None, "question {i} is answered twice");
    };
    answer_runs(&inquiry, &budget, &hear).unwrap_or_else(|e| panic!("{e}\n{claims:?}\n{net:?}"));
    told.into_inner().expect("nobody panics")
}

#[test]
fn what_is_answered_is_right() {
    let (right, open) = compare(0..300);
    assert!(right[0] > 200 && right[1] > 120 && open < 10, "{right:?} {open}");
}

#[test]
#[ignore = "the same on many more: takes minutes"]
fn what_is_answered_is_right_on_many() {
    compare(1_000..9_000);
}

/// How many formulas are found to be false and to be true, and how many are left open. What is wrong is a panic.
fn compare(seeds: Range<u64>) -> ([usize; 2], usize) {
    let engines = ["reduce,walk,structural,bmc,ic3,search", "search", "reduce,structural,search"];
    let (mut right, mut open) = ([0, 0], 0);
    for seed in seeds {
        let net = if seed.is_multiple_of(2) { random(seed) } else { reading(seed) };
        let claim = |i: u64| run_claim(&net, 8 * seed + i, if i < 3 { 0 } else { 30 });
        let claims: Vec<RunClaim> = (0..4).map(claim).collect();
        let Some(expected) = claims.iter().map(|c| c.holds(&net, LIMIT)).collect::<Option<Vec<_>>>() else { continue };
        let used = engines[seed as usize / 2 % 3].parse().expect("engines");
        for (i, answer) in answers(&net, &claims, used, 1 + seed as usize % 2).into_iter().enumerate() {
            match answer {
                None => open += 1,
                Some(answer) => {
                    assert_eq!(answer, expected[i], "seed {seed}, {used}: {:?}\n{net:?}", claims[i]);
                    right[usize::from(answer)] += 1;
                }
            }
        }
    }
    (right, open)
}

/// A formula with more atoms than a letter has room for, in few conditions.
#[test]
fn large_conditions_are_one_atom() {
    let atoms: Vec<Predicate> = (0..100).map(|n| Predicate::at_least(PlaceId::new(0), n + 1)).collect();
    let any = (0..100).map(|n| automata::Ltl::Atom(automata::Atom(n)));
    let any = any.reduce(|a, b| a.with(automata::syntax::Binary::Or, b)).expect("there are some");
    let unary = [automata::syntax::Unary::Eventually, automata::syntax::Unary::Always];
    let formula = unary.into_iter().fold(any, automata::Ltl::under);
    let claim = RunClaim { formula, atoms };
    let small = |seed| Some((random(seed), claim.holds(&random(seed), LIMIT)?));
    let (net, expected) = (0..).find_map(small).expect("some nets are small");
    assert_eq!(answers(&net, &[claim], NetEngines::default(), 1), [Some(expected)]);
}
