//! Questions about random systems: what is decided is right, and what is proved has a certificate.

use engines::local::Local;
use engines::question::Question;
use engines::{Engine, Problem};
use evidence::{Budget, Certificate, Evidence, Reason, Silent, Verdict};
use testkit::compare::{Demand, Oracle};
use testkit::random::{Profile, chains, questions, sample};
use testkit::tiny;

use model::{Property, System};

/// How many questions were decided each way.
#[derive(Debug, Default)]
struct Score {
    excluded: usize,
    reached: usize,
    open: usize,
}

impl Score {
    fn add(&mut self, system: &System, property: &Property, name: &str) {
        let (engine, problem) = (Local::default(), Problem { system, property });
        if engine.supports(&problem).is_err() {
            return;
        }
        let Some(oracle) = Oracle::new(system, property, 2000) else { return };
        let outcome = engine.run(&problem, &Budget::unlimited(), &Silent);
        match &outcome.verdict {
            Verdict::Unknown(Reason::Candidates(shown)) => {
                assert!(!shown.is_empty(), "{name}");
                self.open += 1;
                return;
            }
            Verdict::Holds(Evidence::Certificate(Certificate::Local(proof)))
            | Verdict::Violated(Evidence::Certificate(Certificate::Local(proof))) => {
                let question = Question::new(&problem).expect("it was supported");
                check::check_local_goals(&question.network, &question.goals, proof).expect(name);
                self.excluded += 1;
            }
            _ => self.reached += 1,
        }
        oracle.check(&outcome, Demand::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn random_systems_are_answered_soundly() {
    let mut score = Score::default();
    for (name, profile) in Profile::all() {
        for seed in 0..15 {
            let sample = sample(seed, &profile);
            for property in &sample.properties {
                score.add(&sample.system, property, &format!("{name}, seed {seed}"));
            }
        }
    }
    for seed in 0..60 {
        let system = chains(seed);
        for property in questions(&system, seed) {
            score.add(&system, &property, &format!("chains, seed {seed}"));
        }
    }
    eprintln!("{score:?}");
    assert!(score.excluded > 200, "{score:?}");
}

#[test]
fn the_tiny_world_of_systems_is_answered_soundly() {
    let mut score = Score::default();
    for (i, system) in tiny::all(2).enumerate().step_by(29) {
        for property in tiny::properties(&system) {
            score.add(&system, &property, &format!("system {i}"));
        }
    }
    eprintln!("{score:?}");
    assert!(score.excluded > 200, "{score:?}");
}
