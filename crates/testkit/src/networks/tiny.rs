//! All networks of two tiny worlds.
//!
//! The first has two components of two states, each with at most three moves of two events, and all sets of at most two
//! rules out of a list; the second three components of two states with one or two moves and one event, and all sets of rules.

use model::views::Network;

use super::{Sketch, SketchedRule, network};

/// All of them, in a fixed order; about a hundred and fifty thousand.
pub fn tiny() -> impl Iterator<Item = Network> {
    two().chain(three())
}

fn two() -> impl Iterator<Item = Network> {
    let components = sketches(2, 3);
    let rules: Vec<SketchedRule> = [&[(0, 0)][..], &[(1, 1)], &[(0, 0), (1, 0)], &[(0, 0), (1, 1)], &[(0, 1), (1, 1)]]
        .map(SketchedRule::from)
        .to_vec();
    let rules: Vec<Vec<SketchedRule>> = subsets(&rules).filter(|set| (1..=2).contains(&set.len())).collect();
    let n = components.len();
    (0..n * n).flat_map(move |k| {
        let parts = [k % n, k / n].map(|i| components[i].clone());
        rules.clone().into_iter().map(move |set| network(&parts, &set))
    })
}

fn three() -> impl Iterator<Item = Network> {
    let components: Vec<Sketch> = sketches(1, 2).into_iter().filter(|c| !c.moves.is_empty()).collect();
    let rules: Vec<SketchedRule> =
        [&[(0, 0)][..], &[(0, 0), (1, 0)], &[(1, 0), (2, 0)], &[(0, 0), (2, 0)], &[(0, 0), (1, 0), (2, 0)]]
            .map(SketchedRule::from)
            .to_vec();
    let rules: Vec<Vec<SketchedRule>> = subsets(&rules).collect();
    let n = components.len();
    (0..n * n * n).flat_map(move |k| {
        let parts = [k % n, k / n % n, k / n / n].map(|i| components[i].clone());
        rules.clone().into_iter().map(move |set| network(&parts, &set))
    })
}

/// All components of two states with so many events and at most so many moves; the second state is an end state of
/// those with an odd number of moves.
fn sketches(events: usize, most: usize) -> Vec<Sketch> {
    let moves: Vec<(usize, usize, usize)> = (0..4 * events).map(|i| (i & 1, i / 4, i >> 1 & 1)).collect();
    let sets = subsets(&moves).filter(|set| set.len() <= most);
    sets.map(|moves| Sketch { states: 2, end: vec![1; moves.len() % 2], moves }).collect()
}

/// All subsets of a short list.
fn subsets<T: Clone>(items: &[T]) -> impl Iterator<Item = Vec<T>> {
    let items = items.to_vec();
    (0..1_usize << items.len()).map(move |chosen| {
        let inside = items.iter().enumerate().filter(|&(i, _)| chosen >> i & 1 == 1);
        inside.map(|(_, item)| item.clone()).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::Oracle;

    #[test]
    fn the_world_is_complete_and_has_both_kinds() {
        let (mut all, mut sound) = (0, 0);
        for network in tiny() {
            all += 1;
            sound += usize::from(Oracle::new(&network, 8).expect("at most eight states").is_sound());
        }
        // 93 sets of at most three of eight moves, 10 sets of at most two of four.
        assert_eq!(all, 93 * 93 * 15 + 10 * 10 * 10 * 32);
        assert!(sound > all / 10 && sound < all / 2, "{sound} of {all}");
    }
}
