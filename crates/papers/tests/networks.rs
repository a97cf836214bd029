//! The networks of the benchmark problems, visited state by state.

use std::collections::HashSet;

use model::views::Network;
use papers::Family;

/// States, transitions and deadlocks of a whole state space.
fn count(network: &Network) -> (usize, usize, usize) {
    let mut known = HashSet::from([network.initial_state()]);
    let mut open = vec![network.initial_state()];
    let (mut transitions, mut deadlocks) = (0, 0);
    while let Some(state) = open.pop() {
        let next: Vec<_> = network.rule_ids().flat_map(|r| network.successors(r, &state)).collect();
        transitions += next.len();
        deadlocks += usize::from(next.is_empty());
        open.extend(next.into_iter().filter(|s| known.insert(s.clone())));
    }
    (known.len(), transitions, deadlocks)
}

fn counts(family: Family, sizes: impl IntoIterator<Item = usize>) -> Vec<(usize, usize, usize)> {
    sizes.into_iter().map(|n| count(&family.network(n))).collect()
}

#[test]
fn state_spaces_are_as_known() {
    assert_eq!(counts(Family::Abp, [0, 1, 3]), [(40, 84, 0), (160, 424, 0), (640, 1872, 0)]);
    assert_eq!(counts(Family::Butler, 2..=4), [(11, 12, 0), (79, 162, 0), (511, 1544, 0)]);
    assert_eq!(counts(Family::CountingButler, 2..=4), counts(Family::Butler, 2..=4));
    assert_eq!(counts(Family::Phils, [3]), [(27, 54, 0)]);
    assert_eq!(counts(Family::Milner, 3..=6), [(36, 72, 0), (96, 240, 0), (240, 720, 0), (576, 2016, 0)]);
    assert_eq!(counts(Family::TokenRing, 2..=4), [(4, 4, 0), (6, 6, 0), (8, 8, 0)]);
}

#[test]
fn there_is_a_deadlock_only_where_there_should_be() {
    let free = [(Family::Swp, vec![1, 2]), (Family::Telephone, vec![1]), (Family::Routing, vec![2])];
    for (family, sizes) in free {
        for (n, (_, _, deadlocks)) in sizes.iter().zip(counts(family, sizes.iter().copied())) {
            assert_eq!(deadlocks, 0, "{family:?} {n}");
        }
    }
    assert!(counts(Family::PlainPhils, 2..=5).iter().all(|c| c.2 == 1));
    assert!(counts(Family::Phils, 2..=6).iter().all(|c| c.2 == 0));
}
