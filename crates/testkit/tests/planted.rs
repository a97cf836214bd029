//! The comparisons notice every planted bug, on the tiny world and on random systems, and nothing but bugs.

use std::sync::OnceLock;

use model::{Property, System};
use testkit::compare::{Demand, Oracle, elaboration, same_graph};
use testkit::naive::{Naive, explore};
use testkit::planted::{Bug, Planted, Slip};
use testkit::random::{Profile, SILENT, sample, silenced};
use testkit::{Blueprint, Rng, search, tiny};

const LIMIT: usize = 150;
const STRICT: Demand = Demand { shortest: true, complete: true };

/// Systems with their questions: one tiny system in a hundred, and random ones of every profile.
fn questions() -> &'static [(System, Vec<Property>)] {
    static QUESTIONS: OnceLock<Vec<(System, Vec<Property>)>> = OnceLock::new();
    QUESTIONS.get_or_init(|| {
        let tiny = tiny::all(tiny::EDGES).step_by(97).map(|s| (tiny::properties(&s), s)).map(|(p, s)| (s, p));
        let mut profiles = Profile::all();
        profiles.extend([Profile::control(), Profile::meeting()].map(|p| (String::new(), p)));
        let random = profiles.iter().flat_map(|(_, profile)| (0..30).map(|seed| sample(seed, profile)));
        tiny.chain(random.map(|s| (s.system, s.properties))).chain(silent()).collect()
    })
}

/// Systems with silent steps, which are asked whether they diverge.
fn silent() -> Vec<(System, Vec<Property>)> {
    let profiles = [Profile::default(), Profile::lawful(), Profile::wild(), Profile::nets()];
    let systems = profiles.iter().flat_map(|profile| (0..50).map(|seed| silenced(seed, profile)));
    systems.map(|system| (system, vec![Property::DivergenceFree(SILENT.into())])).collect()
}

/// How often a wrong engine is noticed; it must not be called wrong where it answers like the right one.
fn noticed(engine: impl Fn(&System, &Property) -> Option<evidence::Outcome>) -> usize {
    let mut noticed = 0;
    for (system, properties) in questions() {
        for property in properties {
            let Some(oracle) = Oracle::new(system, property, LIMIT) else { continue };
            noticed += usize::from(engine(system, property).is_none_or(|o| oracle.check(&o, STRICT).is_err()));
        }
    }
    noticed
}

#[test]
fn a_right_engine_is_never_called_wrong() {
    assert_eq!(noticed(|system, property| search(&Naive::of(system, property), property, LIMIT)), 0);
}

#[test]
fn every_wrong_semantics_is_noticed_in_the_answers() {
    for bug in Bug::ALL {
        let wrong = |system: &System, property: &Property| {
            search(&Planted::new(Naive::of(system, property), bug), property, LIMIT)
        };
        assert!(noticed(wrong) > 0, "nobody noticed {bug:?}");
    }
}

#[test]
fn every_wrong_report_is_noticed() {
    for slip in Slip::ALL {
        let wrong = |system: &System, property: &Property| {
            search(&Naive::of(system, property), property, LIMIT).map(|o| slip.make(o))
        };
        assert!(noticed(wrong) > 0, "nobody noticed {slip:?}");
    }
}

/// The questions about silent steps notice by themselves what concerns them.
#[test]
fn wrong_answers_about_divergence_are_noticed() {
    let noticed = |wrong: &dyn Fn(&System, &Property) -> Option<evidence::Outcome>| {
        let asked = silent();
        let differs = |(system, properties): &&(System, Vec<Property>)| {
            let Some(oracle) = Oracle::new(system, &properties[0], LIMIT) else { return false };
            wrong(system, &properties[0]).is_none_or(|o| oracle.check(&o, STRICT).is_err())
        };
        asked.iter().filter(differs).count()
    };
    for slip in [Slip::DropsFirstStep, Slip::LeavesCycleOpen, Slip::ForgetsCycle, Slip::FlipsVerdict] {
        let wrong = |s: &System, p: &Property| search(&Naive::of(s, p), p, LIMIT).map(|o| slip.make(o));
        assert!(noticed(&wrong) > 10, "hardly anybody noticed {slip:?}");
    }
    for bug in [Bug::ForgetsLastTransition, Bug::MergesStates, Bug::SkipsLastConjunct, Bug::FaultIsDisabled] {
        let wrong = |s: &System, p: &Property| search(&Planted::new(Naive::of(s, p), bug), p, LIMIT);
        assert!(noticed(&wrong) > 10, "hardly anybody noticed {bug:?}");
    }
}

#[test]
fn every_wrong_semantics_is_noticed_in_the_graph() {
    // Whether a standstill counts as a deadlock does not show in the graph.
    for bug in Bug::ALL.into_iter().filter(|b| *b != Bug::IgnoresEnds) {
        let differs = |(system, properties): &(System, Vec<Property>)| {
            let Some(property) = properties.get(3) else { return false };
            let right = Naive::of(system, property);
            let Some(graph) = explore(&right, LIMIT) else { return false };
            explore(&Planted::new(right, bug), LIMIT).is_none_or(|g| same_graph(&graph, &g, Clone::clone).is_err())
        };
        assert!(questions().iter().any(differs), "nobody noticed {bug:?}");
    }
}

#[test]
fn wrongly_joined_edges_are_noticed() {
    let mut rng = Rng::new(1);
    let mistakes: [fn(&mut Blueprint, usize); 3] =
        [|b, edge| drop(b.edges.remove(edge)), |b, edge| b.edges[edge].sync = None, |b, _| b.alphabets.clear()];
    for (i, mistake) in mistakes.into_iter().enumerate() {
        let noticed = (0..300).any(|seed| {
            let right = sample(seed, &Profile::default()).blueprint;
            let mut wrong = right.clone();
            mistake(&mut wrong, rng.below(right.edges.len()));
            let Ok(system) = wrong.build() else { return false };
            explore(&Naive::new(&system), LIMIT).is_some_and(|g| elaboration(&right, &system, &g).is_err())
        });
        assert!(noticed, "nobody noticed mistake {i}");
    }
}
