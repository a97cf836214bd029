//! Claims about whole runs: the oracle meets the translation to automata, its own runs, and small examples by hand.

use automata::{Automaton, Options, Pool, translate};
use model::{Acceptor, Claim, Property, System, Temporal};
use testkit::compare::{Demand, Oracle};
use testkit::misjudged::Misjudgement;
use testkit::naive::temporal::refutation;
use testkit::naive::{Naive, Shown, explore, witness};
use testkit::random::{Profile, RunProfile, sample, temporal};
use testkit::{Rng, describe, search};

const LIMIT: usize = 120;

/// Small random systems of many kinds, each with a claim of every kind.
fn questions(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (String, System, Temporal)> {
    let mut profiles = Profile::all();
    profiles.extend([("control", Profile::control()), ("meeting", Profile::meeting())].map(|(n, p)| (n.to_owned(), p)));
    let systems = profiles.into_iter().flat_map(move |(name, profile)| {
        seeds.clone().map(move |seed| (format!("profile {name}, seed {seed}"), seed, sample(seed, &profile).system))
    });
    systems.flat_map(|(place, seed, system)| {
        RunProfile::all().into_iter().enumerate().map(move |(i, (kind, profile))| {
            let claim = temporal(&mut Rng::new(seed * 100 + i as u64), &system, &profile);
            (format!("{place}, {kind}"), system.clone(), claim)
        })
    })
}

/// The claim that the automaton of the formula's negation accepts no run.
fn translated(claim: &Temporal) -> Option<Temporal> {
    let Claim::Always(formula) = &claim.claim else { return None };
    let (mut atoms, mut pool) = (Vec::new(), Pool::new());
    let formula = pool.add(&formula.numbered(&mut atoms));
    let negation = pool.not(formula);
    let automaton = translate(&mut pool, negation, &Options::default()).ok()?;
    let automaton = Automaton { atoms: atoms.len(), ..automaton };
    let acceptor = Acceptor { atoms: atoms.into_iter().cloned().collect(), automaton, places: Vec::new() };
    Some(Temporal { claim: Claim::Never(acceptor), ..claim.clone() })
}

#[test]
fn formulas_and_their_automata_have_the_same_answer() {
    let (mut broken, mut kept) = (0, 0);
    for (place, system, claim) in questions(0..12) {
        let Some(other) = translated(&claim).map(Property::Temporal) else { continue };
        let property = Property::Temporal(claim);
        let Some(oracle) = Oracle::new(&system, &property, LIMIT) else { continue };
        let by_automaton = Oracle::new(&system, &other, LIMIT).expect("the system is the same");
        let (right, found) = (oracle.answer().shown.is_some(), by_automaton.answer().shown.is_some());
        assert_eq!(right, found, "{place}\n{property:?}\n{}", describe(&system));
        *(if right { &mut broken } else { &mut kept }) += 1;
    }
    assert!(broken > 300 && kept > 200, "{broken} broken, {kept} kept");
}

#[test]
fn the_oracle_accepts_its_own_runs() {
    let (mut rounds, mut ends, mut faults) = (0, 0, 0);
    for (place, system, claim) in questions(20..32) {
        let property = Property::Temporal(claim);
        let Some(oracle) = Oracle::new(&system, &property, LIMIT) else { continue };
        let outcome = search(&Naive::new(&system), &property, LIMIT).expect("it is small enough for the oracle");
        let agreement = oracle.check(&outcome, Demand::default());
        assert_eq!(agreement, Ok(()), "{place}\n{property:?}\n{}", describe(&system));
        match outcome.verdict.trace().map(|t| (oracle.witness(t), t.cycle.is_empty())) {
            Some((Some(Shown::Broken), false)) => rounds += 1,
            Some((Some(Shown::Broken), true)) => ends += 1,
            Some(_) => faults += 1,
            None => {}
        }
    }
    assert!(rounds > 200 && ends > 60 && faults > 20, "{rounds} {ends} {faults}");
}

#[test]
fn every_misjudgement_of_runs_is_noticed() {
    let profiles = [Profile::lawful(), Profile::control(), Profile::nets(), Profile::wild(), Profile::default()];
    let about_steps = RunProfile { steps: 100, size: 1..=4, ..RunProfile::default() };
    let about_fairness = RunProfile { fair: 100, size: 1..=4, infinite: 100, ..RunProfile::default() };
    let all = RunProfile::all().into_iter().map(|(_, p)| p);
    let kinds: Vec<RunProfile> = all.chain([about_steps, about_fairness.clone(), about_fairness]).collect();
    let mut open = Misjudgement::ALL.to_vec();
    for seed in 0..12_000 {
        let profile = &profiles[seed as usize % profiles.len()];
        let (system, kind) = (sample(seed, profile).system, &kinds[seed as usize % kinds.len()]);
        if open.is_empty() {
            break;
        }
        let naive = Naive::new(&system);
        let Some(graph) = explore(&naive, 40) else { continue };
        let claim = temporal(&mut Rng::new(seed), &system, kind);
        let right = refutation(&naive, &graph, &claim).is_some();
        open.retain(|mistake| mistake.is_broken(&naive, &graph, &claim) == right);
    }
    assert_eq!(open, [], "nobody noticed these");
}

/// Where the oracle finds no run that breaks the claim, no run to a state and round a cycle does.
#[test]
fn no_cycle_contradicts_the_oracle() {
    let mut tried = 0;
    for (place, system, claim) in questions(40..44) {
        let (naive, property) = (Naive::new(&system), Property::Temporal(claim));
        let Some(graph) = explore(&naive, LIMIT) else { continue };
        let oracle = Oracle::new(&system, &property, LIMIT).expect("it is small enough");
        if oracle.answer().shown.is_some() {
            continue;
        }
        let mut rng = Rng::new(1);
        for _ in 0..10 {
            let Some(run) = wander(&mut rng, &graph) else { continue };
            let shown = witness(&naive, &property, &run);
            assert_ne!(shown, Some(Shown::Broken), "{place}: {run:?}\n{property:?}\n{}", describe(&system));
            tried += 1;
        }
    }
    assert!(tried > 1_000, "only {tried}");
}

/// A random walk that ends where it has been before, or where nothing is enabled.
fn wander<S>(rng: &mut Rng, graph: &testkit::naive::Graph<S>) -> Option<evidence::Trace> {
    let (mut visited, mut steps) = (vec![0], Vec::new());
    for _ in 0..200 {
        let at = visited[visited.len() - 1];
        let edges: Vec<_> = graph.edges[at].iter().filter_map(|(t, to)| Some((*t, to.ok()?))).collect();
        if edges.is_empty() {
            return graph.edges[at].is_empty().then(|| evidence::Trace::finite(steps));
        }
        let (t, to) = *rng.pick(&edges);
        steps.push(t);
        if let Some(start) = visited.iter().position(|s| *s == to)
            && rng.chance(30)
        {
            let cycle = steps.split_off(start);
            return Some(evidence::Trace { stem: steps, cycle });
        }
        visited.push(to);
    }
    None
}
