//! Forgetting values that nobody reads: the naive oracle walks the system and the forgetful one side by side.

use std::collections::HashSet;

use model::{Builder, Command, Domain, Edge, Expr, Kind, Property, System};
use testkit::naive::{Graph, Naive, Semantics, State, explore};
use testkit::random::{Profile, chains, held, questions, sample};
use testkit::{describe, tiny};

const LIMIT: usize = 1500;

/// The predicate that a property is about.
fn asked(property: &Property) -> Option<&Expr> {
    match property {
        Property::Invariant(e) | Property::Reachable(e) => Some(e),
        _ => None,
    }
}

/// What a state shows of itself: whether the system may end there, and the value of the predicate.
fn shown(naive: &Naive<'_>, predicate: Option<&Expr>, state: &State) -> String {
    format!("{:?} {:?}", naive.at_end(state), predicate.map(|e| naive.holds(e, state)))
}

/// Whether the graphs are bisimilar, step by step, from their initial states; how not, otherwise.
fn bisimilar(
    (left, ours): (&Naive<'_>, &Graph<State>),
    (right, theirs): (&Naive<'_>, &Graph<State>),
    predicate: Option<&Expr>,
) -> Result<(), String> {
    let (mut seen, mut open) = (HashSet::from([(0, 0)]), vec![(0, 0)]);
    while let Some((i, k)) = open.pop() {
        let (a, b) = (&ours.states[i], &theirs.states[k]);
        let (here, there) = (shown(left, predicate, a), shown(right, predicate, b));
        if here != there {
            return Err(format!("{a:?} shows {here}, {b:?} {there}"));
        }
        if ours.edges[i].len() != theirs.edges[k].len() {
            return Err(format!("{a:?} and {b:?} have different steps"));
        }
        for ((t, to), (u, onto)) in ours.edges[i].iter().zip(&theirs.edges[k]) {
            match (to, onto) {
                _ if t != u => return Err(format!("{a:?} takes {t:?}, {b:?} {u:?}")),
                (Ok(to), Ok(onto)) if seen.insert((*to, *onto)) => open.push((*to, *onto)),
                (Ok(_), Ok(_)) => {}
                (Err(a), Err(b)) if a == b => {}
                _ => return Err(format!("{t:?} is an error in one of {a:?} and {b:?}")),
            }
        }
    }
    Ok(())
}

/// The systems of the test, with their questions.
fn questions_about(each: &mut dyn FnMut(&System, &Property)) {
    for seed in 0..150 {
        for system in [chains(seed), held(seed)] {
            questions(&system, seed).iter().for_each(|property| each(&system, property));
        }
    }
    let control = [("control".to_owned(), Profile::control()), ("meeting".to_owned(), Profile::meeting())];
    for (_, profile) in Profile::all().into_iter().chain(control) {
        for seed in 0..15 {
            let sample = sample(seed, &profile);
            sample.properties.iter().for_each(|property| each(&sample.system, property));
        }
    }
    for system in tiny::all(tiny::EDGES).step_by(97) {
        tiny::properties(&system).iter().for_each(|property| each(&system, property));
    }
}

#[test]
fn the_forgetful_system_is_bisimilar() {
    let (mut changed, mut saved, mut misled) = (0, 0, 0);
    questions_about(&mut |system, property| {
        let predicate = asked(property);
        let naive = Naive::new(system);
        let Some(graph) = explore(&naive, LIMIT) else { return };
        let compare = |forgetful: &System| {
            let other = Naive::new(forgetful);
            let smaller = explore(&other, LIMIT).ok_or("it has more states")?;
            bisimilar((&naive, &graph), (&other, &smaller), predicate).map(|()| smaller.states.len())
        };
        if let Some(forgetful) = system.with_live_values(predicate) {
            let states = compare(&forgetful).unwrap_or_else(|e| panic!("{e}\n{property:?}\n{}", describe(system)));
            changed += 1;
            saved += graph.states.len() - states;
        }
        // Planted: nobody says what the question looks at.
        let careless = system.with_live_values(None);
        misled += usize::from(careless.is_some_and(|forgetful| compare(&forgetful).is_err()));
    });
    assert!(changed > 200 && saved > 1000 && misled > 5, "{changed} changed, {saved} saved, {misled} misled");
}

/// A process that writes what nobody reads, unless it may stop only then.
#[test]
fn what_decides_where_processes_may_stop_is_not_forgotten() {
    let system = |depends: bool| {
        let mut b = Builder::new("writer");
        let x = b.object("x", Kind::Variable(Domain::Bool));
        let p = b.process("P");
        let (start, stop) = (b.location(p, "start"), b.location(p, "stop"));
        b.end(p, stop);
        b.edge(Edge { command: vec![Command::Assign(x.into(), Expr::TRUE)], ..Edge::new(p, start, stop) });
        if depends {
            b.stop_only_if(Expr::read(x));
        }
        b.build().expect("the system is right")
    };
    assert!(system(false).with_live_values(None).is_some());
    assert!(system(true).with_live_values(None).is_none());
}
