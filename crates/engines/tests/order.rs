//! Orders of components for decision diagrams: permutations, short where the structure is, and quick.

use std::time::{Duration, Instant};

use engines::diagrams::order::{Heuristic, best, order, span};
use model::views::{Automaton, ComponentId, EventId, LocalState, Network, Origin, Rule, StateId};
use testkit::{Rng, networks};

/// Components of two states, and a rule for each group.
fn network(components: usize, groups: &[Vec<usize>]) -> Network {
    sized(&vec![2; components], groups)
}

/// Components of so many states each.
fn sized(states: &[usize], groups: &[Vec<usize>]) -> Network {
    let automaton = |(c, &states): (usize, &usize)| Automaton {
        name: format!("C{c}"),
        origin: Origin::Given,
        states: (0..states).map(|s| LocalState { name: s.to_string(), end: false }).collect(),
        initial: StateId(0),
        events: vec!["e".to_owned()],
        moves: (0..states).map(|s| (StateId::new(s), EventId(0), StateId::new((s + 1) % states))).collect(),
    };
    let rule = |group: &Vec<usize>| Rule::new("r", group.iter().map(|&c| (ComponentId::new(c), EventId(0))).collect());
    Network::new("test", states.iter().enumerate().map(automaton).collect(), groups.iter().map(rule).collect())
        .expect("groups name components once")
}

/// A ring of `n` philosophers and forks in turn whose places are shuffled.
fn shuffled_ring(n: usize, seed: u64) -> Network {
    let mut names: Vec<usize> = (0..2 * n).collect();
    Rng::new(seed).shuffle(&mut names);
    let at = |k: usize| names[k % (2 * n)];
    let rules = (0..n).flat_map(|i| {
        let (fork, phil, next) = (at(2 * i), at(2 * i + 1), at(2 * i + 2));
        [vec![fork, phil], vec![phil, next], vec![fork, phil, next]]
    });
    network(2 * n, &rules.collect::<Vec<_>>())
}

/// An operator, pumps, and customers of each pump.
fn star(pumps: usize, customers: usize) -> Network {
    let mut groups = Vec::new();
    for pump in 1..=pumps {
        for j in 0..customers {
            let customer = pumps + 1 + j * pumps + pump - 1;
            groups.extend([vec![0, pump, customer], vec![pump, customer], vec![0, customer]]);
        }
    }
    network(1 + pumps + pumps * customers, &groups)
}

fn assert_permutation(network: &Network, order: &[ComponentId], what: Heuristic) {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(network.component_ids()), "{what:?} of {} components", network.components().len());
}

#[test]
fn every_component_comes_once() {
    let mut all: Vec<Network> = (0..300).map(networks::random).collect();
    all.extend([network(0, &[]), network(1, &[]), network(5, &[]), network(4, &[vec![], vec![2], vec![1, 3]])]);
    all.extend([shuffled_ring(7, 3), star(3, 4), networks::scheduler(6)]);
    for network in &all {
        for heuristic in Heuristic::ALL {
            let found = order(network, heuristic);
            assert_permutation(network, &found, heuristic);
            assert_eq!(found, order(network, heuristic), "{heuristic:?} is deterministic");
        }
        let (heuristic, found) = best(network);
        assert_permutation(network, &found, heuristic);
        assert_eq!(found, order(network, heuristic), "the best order is that of its heuristic");
        let least = Heuristic::ALL.map(|h| span(network, &order(network, h))).into_iter().min().expect("heuristics");
        let found = span(network, &found);
        assert!(found - found / 16 <= least, "{heuristic:?} has {found}, another {least}");
    }
}

#[test]
fn spans_count_bits_between_first_participants_and_last() {
    let network = sized(&[1, 2, 3, 5], &[vec![0, 3], vec![1, 2], vec![1, 2], vec![2], vec![]]);
    let ids = |order: [usize; 4]| order.map(ComponentId::new);
    // The components take 0, 1, 2 and 3 bits.
    assert_eq!(span(&network, &ids([0, 1, 2, 3])), 3 + 1 + 1);
    assert_eq!(span(&network, &ids([3, 0, 2, 1])), 3 + 2 + 2);
    assert_eq!(span(&network, &ids([1, 3, 0, 2])), 3 + 4 + 4);
}

#[test]
fn no_components_no_span() {
    let empty = network(0, &[vec![]]);
    assert_eq!(best(&empty), (Heuristic::Declared, Vec::new()));
    assert_eq!(span(&empty, &[]), 0);
}

#[test]
fn rings_have_linear_spans_whatever_their_places() {
    for n in [3, 10, 100, 1000] {
        let network = shuffled_ring(n, n as u64);
        let declared = span(&network, &order(&network, Heuristic::Declared));
        assert!(n < 100 || declared > (n * n) as u64, "shuffled: {declared} for {n}");
        for heuristic in [Heuristic::Search, Heuristic::CuthillMcKee, Heuristic::Sloan, Heuristic::Force] {
            let found = span(&network, &order(&network, heuristic));
            assert!(found <= 9 * n as u64, "{heuristic:?}: {found} for {n}");
        }
    }
}

#[test]
fn customers_stay_at_their_pumps() {
    let (pumps, customers) = (40, 5);
    let network = star(pumps, customers);
    let (heuristic, found) = best(&network);
    let at = |c: usize| found.iter().position(|&id| id == ComponentId::new(c)).expect("everybody has a place");
    let far = (1..=pumps).filter(|pump| {
        let crew = (0..customers).map(|j| at(pumps + 1 + j * pumps + pump - 1)).chain([at(*pump)]);
        crew.clone().max().expect("a pump") - crew.min().expect("a pump") > 2 * customers
    });
    assert!(far.count() <= 2, "{heuristic:?}");
}

#[test]
fn parts_that_have_nothing_to_do_with_each_other_are_not_mixed() {
    let chain = |first: usize| (0..9).map(move |k| vec![first + 2 * k, first + 2 * k + 2]);
    let network = network(20, &chain(0).chain(chain(1)).collect::<Vec<_>>());
    for heuristic in [Heuristic::Search, Heuristic::CuthillMcKee, Heuristic::Sloan, Heuristic::Force] {
        assert_eq!(span(&network, &order(&network, heuristic)), 18, "{heuristic:?}");
    }
}

/// The bound is far above what it takes, and far below what anything quadratic would.
#[test]
fn large_networks_take_no_time() {
    let everybody: Vec<usize> = (0..20_000).collect();
    let isolated = network(20_000, &[]);
    let barriers = network(20_000, &vec![everybody; 10]);
    let random = {
        let mut rng = Rng::new(1);
        let mut group = || vec![rng.below(10_000), 10_000 + rng.below(5_000), 15_000 + rng.below(5_000)];
        network(20_000, &(0..30_000).map(|_| group()).collect::<Vec<_>>())
    };
    for network in [isolated, barriers, random, shuffled_ring(10_000, 5), star(100, 199)] {
        let start = Instant::now();
        let (heuristic, found) = best(&network);
        assert_permutation(&network, &found, heuristic);
        assert!(start.elapsed() < Duration::from_secs(10), "{heuristic:?} took {:?}", start.elapsed());
    }
}
