//! The networks of the benchmark problems, visited state by state.

use std::collections::HashSet;

use model::views::{Network, StateId};
use papers::Family;

/// Visits every state, with the number of steps out of it.
fn visit(network: &Network, mut see: impl FnMut(&[StateId], usize)) {
    let mut known = HashSet::from([network.initial_state()]);
    let mut open = vec![network.initial_state()];
    while let Some(state) = open.pop() {
        let next: Vec<_> = network.rule_ids().flat_map(|r| network.successors(r, &state)).collect();
        see(&state, next.len());
        open.extend(next.into_iter().filter(|s| known.insert(s.clone())));
    }
}

/// States, transitions and deadlocks of a whole state space.
fn count(network: &Network) -> (usize, usize, usize) {
    let (mut states, mut transitions, mut deadlocks) = (0, 0, 0);
    visit(network, |_, steps| {
        states += 1;
        transitions += steps;
        deadlocks += usize::from(steps == 0);
    });
    (states, transitions, deadlocks)
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
    let free = [(Family::Swp, 1, 336), (Family::Swp, 2, 5792), (Family::Telephone, 1, 32), (Family::Routing, 2, 5184)];
    for (family, n, states) in free {
        let (found, _, deadlocks) = count(&family.network(n));
        assert_eq!((found, deadlocks), (states, 0), "{family:?} {n}");
    }
    assert!(counts(Family::PlainPhils, 2..=5).iter().all(|c| c.2 == 1));
    assert!(counts(Family::Phils, 2..=6).iter().all(|c| c.2 == 0));
}

/// Whatever is lost, what the receiver has is what the sender sent: the windows overlap, and agree.
#[test]
fn sliding_windows_agree() {
    let w = 2;
    let network = Family::Swp.network(w);
    let name = |component: usize, state: &[StateId]| {
        let name = &network.components()[component].states()[state[component].index()].name;
        let (base, content) = name.split_once('_').expect("a number and what is in the window");
        (base.parse::<usize>().expect("a number"), content.to_owned())
    };
    visit(&network, |state, _| {
        let ((sent, window), (expected, slots)) = (name(0, state), name(3, state));
        // The oldest message is last, after a mark.
        let window: Vec<char> = window.chars().rev().take(window.len() - 1).collect();
        let ahead = (expected + 2 * w - sent) % (2 * w);
        assert!(ahead <= window.len(), "{sent} {window:?} and {expected} {slots}");
        for (i, slot) in slots.chars().enumerate().filter(|(_, slot)| *slot != '-') {
            assert_eq!(window.get(ahead + i), Some(&slot), "{sent} {window:?} and {expected} {slots}");
        }
    });
}
