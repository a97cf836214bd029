//! Reductions that were believed to be right and are not, on the smallest systems that show it: the engine with one of its
//! conditions taken out gives the wrong answer, as the textbook's search of a product with ample sets does (Siegel, CAV
//! 2019), and weak stubborn sets with visibility (Neele, Valmari and Willemse, FoSSaCS 2020).

use std::time::Duration;

use automata::automaton::{Cube, Edge, Label, Marks, State};
use automata::{Automaton, Blind, Options};
use evidence::{Budget, Silent, Verdict};
use model::{
    Acceptor, Claim, Expr, Fairness, LocationId, Property, Proposition, Strength, System, Temporal, TransitionId,
};
use testkit::Rng;
use testkit::naive::{Naive, explore};
use testkit::random::{Profile, RunProfile, sample, temporal};

use super::conditions::Condition;
use super::letters::Letters;
use super::{CycleProviso, Emptiness, Liveness};
use crate::explore::Persistent;
use crate::persistent::{Algorithm, Dense, Interference};
use crate::{Engine, Problem};

/// A model of the corpus, and the first formula that it has.
fn corpus(file: &str) -> (System, Temporal) {
    let path = format!("{}/../../corpus/classics/{file}.imp", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the model is in the corpus");
    let model = frontend::native::load(file, &text, &[]).expect("the corpus is right");
    let claim = model.properties.into_iter().find_map(|p| match p.property {
        Property::Temporal(temporal) => Some(temporal),
        _ => None,
    });
    (model.system, claim.expect("it has a formula"))
}

fn verdict(engine: Liveness, system: &System, claim: &Temporal) -> Verdict {
    let property = Property::Temporal(claim.clone());
    engine.run(&Problem { system, property: &property }, &Budget::unlimited(), &Silent).verdict
}

/// The claim is broken, and the engine says so whatever its switches.
fn is_broken(system: &System, claim: &Temporal) {
    let sets = [
        (Algorithm::Conflict, Interference::CanBeDependent),
        (Algorithm::Stubborn, Interference::DoNotAccord),
        (Algorithm::Stubborn, Interference::First),
    ];
    let persistent = sets.map(|(algorithm, interference)| Some(Persistent { algorithm, interference }));
    for persistent in persistent.into_iter().chain([None]) {
        for proviso in [CycleProviso::Peled, CycleProviso::Valmari] {
            for (emptiness, threads) in SEARCHES {
                let engine = Liveness { persistent, proviso, emptiness, threads, ..Liveness::default() };
                let verdict = verdict(engine, system, claim);
                assert!(matches!(verdict, Verdict::Violated(_)), "{engine:?}: {verdict:?}");
                assert!(verdict.trace().is_some(), "{engine:?}");
            }
        }
    }
}

/// The same, unless it lacks the condition.
fn only_with(condition: Condition, (system, claim): (&System, &Temporal)) {
    is_broken(system, claim);
    // The static proviso hides what guesses do on these models.
    let searches = if condition == Condition::Blind { &SEARCHES[..1] } else { &SEARCHES[..] };
    for &(emptiness, threads) in searches {
        let engine = Liveness { without: Some(condition), emptiness, threads, ..Liveness::default() };
        let wrong = verdict(engine, system, claim);
        assert!(matches!(wrong, Verdict::Holds(_)), "{condition:?} should be needed here, {engine:?}: {wrong:?}");
    }
}

/// The ways to search, with numbers of threads.
const SEARCHES: [(Emptiness, usize); 3] = [(Emptiness::Components, 1), (Emptiness::Nested, 1), (Emptiness::Nested, 3)];

#[test]
fn choices_must_not_depend_on_guesses() {
    let (system, claim) = corpus("never-done");
    let worker = system.find_process("Worker").expect("it is there");
    let acceptor = guessing(Proposition::State(Expr::At(worker, LocationId(1))));
    let never = Temporal { claim: Claim::Never(acceptor), ..claim };
    only_with(Condition::Blind, (&system, &never));
}

/// Also where the automaton has components of several states.
#[test]
fn cycles_must_be_minded_in_components() {
    let (system, claim) = corpus("never-done");
    let worker = system.find_process("Worker").expect("it is there");
    let acceptor = every_other(Proposition::State(Expr::At(worker, LocationId(1))));
    let blind = Blind::of_automaton(&acceptor.automaton, &Options::default());
    assert!(blind.is_ok_and(|b| b.is_some_and(|b| b.automaton().size() == 2)));
    only_with(Condition::Proviso, (&system, &Temporal { claim: Claim::Never(acceptor), ..claim }));
}

/// Accepts what has the atom true again and again, but looks away whenever it has seen it.
fn every_other(atom: Proposition) -> Acceptor {
    let edge = |label: Label, marks, target| Edge { label, marks: Marks(marks), target: State(target) };
    let cube = |positive, negative| Label([Cube { positive, negative }].into());
    let edges = vec![vec![edge(cube(0, 1), 0, 0), edge(cube(1, 0), 1, 1)], vec![edge(Label::always(), 0, 0)]];
    Acceptor {
        atoms: vec![atom],
        automaton: Automaton { atoms: 1, sets: 1, initial: State(0), edges },
        places: Vec::new(),
    }
}

#[test]
fn steps_that_change_nothing_can_be_seen_all_the_same() {
    let (system, claim) = corpus("inconsistent-labels");
    only_with(Condition::Labels, (&system, &claim));
}

#[test]
fn cycles_must_be_minded() {
    let (system, claim) = corpus("never-done");
    only_with(Condition::Proviso, (&system, &claim));
}

/// Random systems and claims notice it, too. (Of guesses two in three thousand do, too few for a test.)
#[test]
fn random_systems_notice_that_cycles_are_not_minded() {
    let mut noticed = [0, 0];
    for seed in 0..600 {
        let system = sample(seed, &Profile::lawful()).system;
        if explore(&Naive::new(&system), 60).is_none() {
            continue;
        }
        let claim = temporal(&mut Rng::new(seed), &system, &RunProfile::default());
        let right = verdict(Liveness::default(), &system, &claim).word();
        let is_noticed = |emptiness| {
            let flawed = Liveness { without: Some(Condition::Proviso), emptiness, ..Liveness::default() };
            let word = verdict(flawed, &system, &claim).word();
            word != "unknown" && word != right
        };
        noticed[0] += usize::from(is_noticed(Emptiness::Components));
        noticed[1] += usize::from(is_noticed(Emptiness::Nested));
    }
    assert!(noticed.iter().all(|n| *n > 2), "{noticed:?}");
}

/// B and A may go in any order, and the count of marks is full only between their steps if B goes first. Who looks for cycles
/// where A goes first does not come back there.
#[test]
fn choices_must_be_alike() {
    let text = "action both
        process B { states one, two  one -> two  two -> one sync both }
        process A { states one, two  one -> two  two -> one sync both }
        process C { states idle, done  idle -> done }";
    let system = frontend::native::load("alike", text, &[]).expect("the model is right").system;
    let claim = frontend::native::formula(text, &[], "eventually C at done").expect("the formula is right");
    let alone = |name: &str| {
        let p = system.find_process(name).expect("it is there");
        let moves = |t: &TransitionId| system.transition(*t).moves.iter().map(|m| m.process).eq([p]);
        system.transition_ids().find(moves).expect("it has a step of its own")
    };
    let fairness = Fairness { name: "B or C".into(), strength: Strength::Weak, to: [alone("B"), alone("C")].into() };
    let claim = Temporal { fairness: vec![fairness], ..Temporal::formula(claim) };
    is_broken(&system, &claim);
    // It also meets nodes that accept and that the first search never comes to, and waits for them.
    let flawed = Liveness { without: Some(Condition::Alike), emptiness: Emptiness::Nested, ..Liveness::default() };
    let (property, soon) = (Property::Temporal(claim), Budget::unlimited().with_timeout(Duration::from_millis(300)));
    let wrong = flawed.run(&Problem { system: &system, property: &property }, &soon, &Silent).verdict;
    assert!(!matches!(wrong, Verdict::Violated(_)), "{wrong:?}");
}

/// Accepts what has the first atom false at first and true some time later: one part the words where that is at an odd
/// position, the other those where it is at an even one. Which, is guessed at the second position.
fn guessing(atom: Proposition) -> Acceptor {
    const NOT: Cube = Cube { positive: 0, negative: 1 };
    const YES: Cube = Cube { positive: 1, negative: 0 };
    let edge = |cube: Cube, target| Edge { label: Label([cube].into()), marks: Marks(0), target: State(target) };
    let edges = vec![
        vec![edge(NOT, 1)],
        vec![edge(YES, 7), edge(NOT, 2), edge(NOT, 4)],
        // Even positions count.
        vec![edge(YES, 7), edge(NOT, 3)],
        vec![edge(NOT, 2)],
        // Odd positions count.
        vec![edge(NOT, 5)],
        vec![edge(YES, 7), edge(NOT, 6)],
        vec![edge(NOT, 5)],
        vec![Edge { label: Label::always(), marks: Marks(1), target: State(7) }],
    ];
    let automaton = Automaton { atoms: 1, sets: 1, initial: State(0), edges };
    Acceptor { atoms: vec![atom], automaton, places: Vec::new() }
}

/// The transitions that change an atom in some reachable state.
pub(super) fn seen_to_change(system: &System, proposition: &Proposition) -> Dense {
    let letters = Letters::new(system, &[proposition]);
    let mut dense = Dense::new(system.transitions().len());
    let (mut states, mut at) = (vec![system.initial_state()], 0);
    while let Some(state) = states.get(at).cloned() {
        at += 1;
        for (t, next) in steps(system, &state) {
            if letters.read(&state, None) != letters.read(&next, None) {
                dense.insert(t);
            }
            if !states.contains(&next) {
                states.push(next);
            }
        }
    }
    dense
}

fn steps(system: &System, state: &[u64]) -> Vec<(TransitionId, Vec<u64>)> {
    let fired = |t: Result<TransitionId, _>| {
        let (t, mut next) = (t.expect("no guard is a fault"), state.to_vec());
        system.fire(t, state, &mut next).expect("no step is a fault");
        (t, next)
    };
    system.enabled(state).map(fired).collect()
}

fn fire(system: &System, state: &[u64], t: TransitionId) -> Option<Vec<u64>> {
    steps(system, state).into_iter().find(|(u, _)| *u == t).map(|(_, next)| next)
}

/// A weak stubborn set by definition, of some of the enabled transitions that suit, if not all are needed. No run may go on
/// for ever.
pub(super) fn weakly_stubborn(
    system: &System,
    state: &[u64],
    enabled: &[TransitionId],
    suits: impl Fn(TransitionId) -> bool,
) -> Option<Vec<TransitionId>> {
    let suitable: Vec<TransitionId> = enabled.iter().copied().filter(|t| suits(*t)).collect();
    let some = |bits: u32| (0..suitable.len()).filter(|i| bits >> i & 1 == 1).map(|i| suitable[i]).collect::<Vec<_>>();
    let sets = (1..1 << suitable.len()).map(some).filter(|set| set.len() < enabled.len());
    sets.into_iter().find(|set| is_weakly_stubborn(system, state, set))
}

/// Whatever others do, one of the set stays enabled, and each that can come after them can come before them instead.
fn is_weakly_stubborn(system: &System, state: &[u64], set: &[TransitionId]) -> bool {
    let ways = ways(system, state, set);
    let stays = |t: &TransitionId| ways.iter().all(|(_, end)| fire(system, end, *t).is_some());
    let moves_to_front = |t: TransitionId, others: &[TransitionId], end: &[u64]| {
        let after = fire(system, end, t);
        let before = || others.iter().try_fold(fire(system, state, t)?, |s, u| fire(system, &s, *u));
        after.is_none() || before() == after
    };
    set.iter().any(stays) && set.iter().all(|t| ways.iter().all(|(others, end)| moves_to_front(*t, others, end)))
}

/// The ways that others can go from a state: their steps, and where they lead.
fn ways(system: &System, from: &[u64], set: &[TransitionId]) -> Vec<(Vec<TransitionId>, Vec<u64>)> {
    let (mut ways, mut at) = (vec![(Vec::new(), from.to_vec())], 0);
    while let Some((others, state)) = ways.get(at).cloned() {
        at += 1;
        for (t, next) in steps(system, &state).into_iter().filter(|(t, _)| !set.contains(t)) {
            ways.push(([&others[..], &[t]].concat(), next));
        }
    }
    ways
}
