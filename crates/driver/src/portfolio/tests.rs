//! The race meets the naive oracle on random systems, whoever wins it, and notices who contradicts.

use std::sync::Arc;
use std::time::Duration;

use check::replay;
use engines::exchange::{Exchange, What};
use engines::local::Local;
use engines::{Engine, Problem};
use evidence::{Attempt, Budget, Evidence, Outcome, Progress, Reason, Silent, Statistics, Verdict};
use model::{Property, System};
use testkit::compare::Oracle;
use testkit::random::{Profile, RunProfile, sample, temporal};
use testkit::{Rng, describe};

use super::race::{LOOK, Race};
use super::{Portfolio, rules};
use crate::auto::Auto;
use crate::on_network::{Method, OnNetwork};

const LIMIT: usize = 300;

/// Explicit search that lets others begin.
struct Late;

impl Engine for Late {
    fn name(&self) -> &'static str {
        Auto.name()
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        Auto.supports(problem)
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        std::thread::sleep(LOOK + Duration::from_millis(5));
        Auto.run(problem, budget, progress)
    }
}

fn raced(system: &System, questions: &[&Property], threads: usize) -> Vec<Outcome> {
    let portfolio = Portfolio::new(Box::new(Late), None, threads);
    Race::new(&portfolio, system, questions.to_vec()).run(&Budget::unlimited(), &Silent)
}

/// Whether a verdict is the truth, and its run one of the system.
fn fits(system: &System, property: &Property, oracle: &Oracle<'_>, verdict: &Verdict) -> bool {
    let replayed = verdict.trace().is_none_or(|trace| replay(system, property, trace).is_ok());
    let holds = match verdict {
        Verdict::Holds(_) => true,
        Verdict::Violated(_) => false,
        Verdict::Unknown(_) => return true,
    };
    replayed && oracle.answer().holds(property) == holds
}

#[test]
fn the_winner_is_right() {
    let (mut decided, mut others) = (0, 0);
    for (name, profile) in Profile::all() {
        for seed in 0..6 {
            let sample = sample(seed, &profile);
            let system = &sample.system;
            let known = |p: &&Property| Oracle::new(system, p, LIMIT).is_some();
            let questions: Vec<&Property> = sample.properties.iter().filter(known).collect();
            for (property, outcome) in questions.iter().zip(raced(system, &questions, 1 + seed as usize % 3)) {
                let oracle = Oracle::new(system, property, LIMIT).expect("it is small");
                let right = fits(system, property, &oracle, &outcome.verdict);
                assert!(right, "{name}, seed {seed}: {property:?}\n{outcome:?}\n{}", describe(system));
                assert!(!matches!(outcome.verdict, Verdict::Unknown(_)), "{name}, seed {seed}: {outcome:?}");
                let tried = |attempts: &[Attempt]| attempts.iter().any(|a| Some(&a.engine) == outcome.engine.as_ref());
                assert!(outcome.attempts.is_empty() || tried(&outcome.attempts));
                decided += 1;
                others += usize::from(outcome.engine.as_deref() != Some("explore"));
            }
        }
    }
    assert!(decided > 200 && others > 50, "{decided} {others}");
}

/// Random claims about the runs of a system.
fn claims(system: &System, seed: u64) -> Vec<Property> {
    let mut rng = Rng::new(seed);
    (0..3).map(|_| Property::Temporal(temporal(&mut rng, system, &RunProfile::default()))).collect()
}

/// Claims about runs are raced as well, whoever wins.
#[test]
fn the_winner_is_right_about_runs() {
    let (mut decided, mut others) = (0, 0);
    for seed in 0..40 {
        let system = sample(seed, &Profile::lawful()).system;
        let claims = claims(&system, seed);
        let known = |p: &&Property| Oracle::new(&system, p, LIMIT).is_some();
        let questions: Vec<&Property> = claims.iter().filter(known).collect();
        // The search is stopped at once in every other race.
        let search: Box<dyn Engine> = if seed % 2 == 0 { Box::new(Auto) } else { Box::new(Never) };
        let portfolio = Portfolio::new(search, None, 1 + seed as usize % 3);
        let outcomes = Race::new(&portfolio, &system, questions.clone()).run(&Budget::unlimited(), &Silent);
        for (property, outcome) in questions.iter().zip(outcomes) {
            let oracle = Oracle::new(&system, property, LIMIT).expect("it is small");
            assert!(fits(&system, property, &oracle, &outcome.verdict), "seed {seed}: {property:?}\n{outcome:?}");
            decided += usize::from(!matches!(outcome.verdict, Verdict::Unknown(_)));
            others += usize::from(outcome.engine.as_deref() == Some("ltl:reduce=none,search=nested"));
        }
    }
    assert!(decided > 60 && others > 20, "{decided} {others}");
}

/// Knows of candidates, and excludes next to none.
const WEAK: Local =
    Local { sdd: false, pairs: false, linear: false, traps: false, groups: 0, confirm: false, threads: 1 };

/// Gives up at once.
struct Never;

impl Engine for Never {
    fn name(&self) -> &'static str {
        "never"
    }

    fn supports(&self, _: &Problem<'_>) -> Result<(), String> {
        Ok(())
    }

    fn run(&self, _: &Problem<'_>, _: &Budget, _: &dyn Progress) -> Outcome {
        Outcome::unknown(Reason::Unsupported("it never says anything".to_owned()))
    }
}

/// Engines that feed each other, without a search that settles it first, are right; and they do feed each other.
#[test]
fn who_is_fed_in_a_race_is_right() {
    let (mut decided, mut fed) = (0, 0);
    for (name, profile) in Profile::all() {
        for seed in 0..8 {
            let sample = sample(seed, &profile);
            let system = &sample.system;
            let known = |p: &&Property| Oracle::new(system, p, LIMIT).is_some();
            let questions: Vec<&Property> = sample.properties.iter().filter(known).collect();
            let portfolio = Portfolio::new(Box::new(Never), None, 1 + seed as usize % 3);
            let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
            let race = Race::new(&portfolio, system, questions.clone());
            // What is small is settled before anybody has something to tell: somebody has told something before.
            for (property, exchange) in questions.iter().zip(&race.exchanges) {
                let before = OnNetwork::new(None, Method::Local(WEAK)).among(exchange);
                before.run(&Problem { system, property }, &budget, &Silent);
            }
            let outcomes = race.run(&budget, &Silent);
            for (property, outcome) in questions.iter().zip(outcomes) {
                let oracle = Oracle::new(system, property, LIMIT).expect("it is small");
                let right = fits(system, property, &oracle, &outcome.verdict);
                assert!(right, "{name}, seed {seed}: {property:?}\n{outcome:?}\n{}", describe(system));
                decided += usize::from(!matches!(outcome.verdict, Verdict::Unknown(_)));
                fed += outcome.attempts.iter().map(|attempt| attempt.fed.len()).sum::<usize>();
            }
        }
    }
    assert!(decided > 200 && fed > 20, "{decided} {fed}");
}

/// Candidates that a weak local analysis leaves are looked for on the net, and those that are out of reach there become
/// lemmas of others; nobody is misled by it.
#[test]
fn the_net_takes_candidates_and_gives_lemmas() {
    let (portfolio, mut given, mut taken) = (Portfolio::new(Box::new(Never), None, 1), 0, 0);
    for seed in 0..60 {
        let sample = sample(seed, &Profile::lawful());
        let system = &sample.system;
        for property in &sample.properties {
            let Some(oracle) = Oracle::new(system, property, LIMIT) else { continue };
            let exchange = Arc::new(Exchange::default());
            let weak = OnNetwork::new(None, Method::Local(WEAK)).among(&exchange);
            let [net, invariant] = ["net", "invariant"].map(|name| portfolio.engine(name, &exchange));
            let engines: [&dyn Engine; 3] = [&weak, &*net, &*invariant];
            let problem = Problem { system, property };
            for engine in engines.into_iter().filter(|engine| engine.supports(&problem).is_ok()) {
                let budget = Budget::unlimited().with_timeout(Duration::from_secs(2));
                let outcome = engine.run(&problem, &budget, &Silent);
                let right = fits(system, property, &oracle, &outcome.verdict);
                assert!(right, "{}, seed {seed}: {property:?} {outcome:?}\n{}", engine.name(), describe(system));
            }
            for told in exchange.taken() {
                taken += usize::from((told.to, told.what) == ("net", What::Candidate));
                given += usize::from(told.from == "net");
            }
        }
    }
    assert!(taken > 5 && given > 5, "{taken} {given}");
}

/// Every engine that a rule lists, on what it supports.
#[test]
fn every_entrant_is_right() {
    let portfolio = Portfolio::new(Box::new(Auto), None, 1);
    for rule in rules::RULES {
        for entrant in rule.entrants {
            let mut decided = 0;
            for seed in 0..40 {
                let profile = if seed % 2 == 0 { Profile::lawful() } else { Profile::default() };
                let sample = sample(seed, &profile);
                let claims = claims(&sample.system, seed);
                for property in sample.properties.iter().chain(&claims).filter(|p| p.class() == rule.class) {
                    let problem = Problem { system: &sample.system, property };
                    let Some(oracle) = Oracle::new(&sample.system, property, LIMIT) else { continue };
                    let engine = portfolio.engine(entrant.engine, &Arc::default());
                    if engine.supports(&problem).is_err() {
                        continue;
                    }
                    let budget = Budget::unlimited().with_timeout(Duration::from_secs(2));
                    let outcome = engine.run(&problem, &budget, &Silent);
                    let right = fits(&sample.system, property, &oracle, &outcome.verdict);
                    assert!(right, "{}, seed {seed}: {property:?} {outcome:?}", entrant.engine);
                    decided += usize::from(!matches!(outcome.verdict, Verdict::Unknown(_)));
                }
            }
            assert!(decided > 10, "{} decided {decided}", entrant.engine);
        }
    }
}

#[test]
#[should_panic(expected = "contradict each other")]
fn contradictions_are_noticed() {
    let (portfolio, system) = (Portfolio::new(Box::new(Auto), None, 1), sample(0, &Profile::lawful()).system);
    let said = || Evidence::Structure("because".to_owned());
    let race = Race::new(&portfolio, &system, vec![&Property::DeadlockFree]);
    for verdict in [Verdict::Holds(said()), Verdict::Violated(said())] {
        let outcome = Outcome::new(verdict, Default::default());
        race.tell(0, ("somebody", "to see"), Duration::ZERO, outcome);
    }
}

/// Who stops the race is not taken for the clock.
#[test]
fn an_interrupted_race_says_so() {
    let (portfolio, system) = (Portfolio::new(Box::new(Auto), None, 1), sample(0, &Profile::lawful()).system);
    let budget = Budget::unlimited();
    budget.cancel_flag().store(true, std::sync::atomic::Ordering::Relaxed);
    let outcomes = Race::new(&portfolio, &system, vec![&Property::DeadlockFree]).run(&budget, &Silent);
    assert_eq!(outcomes[0].verdict, Verdict::Unknown(Reason::Cancelled));
}

/// What is shown of an interrupted race is how far somebody came in it, not in the first moment.
#[test]
fn an_interrupted_race_tells_how_far_it_came() {
    let (portfolio, system) = (Portfolio::new(Box::new(Auto), None, 1), sample(0, &Profile::lawful()).system);
    let budget = Budget::unlimited();
    budget.cancel_flag().store(true, std::sync::atomic::Ordering::Relaxed);
    let came = |states| {
        let statistics = Statistics { states: Some(states), ..Statistics::default() };
        Outcome { statistics, ..Outcome::unknown(Reason::Cancelled) }
    };
    let race = Race::new(&portfolio, &system, vec![&Property::DeadlockFree]);
    for (engine, states) in [("explore", 70), ("net", 3)] {
        race.tell(0, (engine, "to see"), Duration::ZERO, came(states));
    }
    let outcome = race.run(&budget, &Silent).remove(0);
    assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Cancelled));
    assert_eq!((outcome.statistics.states, outcome.engine.as_deref()), (Some(70), Some("explore")));
}
