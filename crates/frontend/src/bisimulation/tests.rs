//! The fast refinement against the obvious one.

use std::collections::{BTreeSet, HashMap};

use testkit::Rng;

use super::{Arrow, Classes, strong};

/// Splits by signatures until nothing changes.
fn naive(kinds: &[u32], arrows: &[Arrow]) -> Classes {
    let mut classes = number(kinds.iter());
    loop {
        let mut signatures: Vec<(u32, BTreeSet<(u32, u32)>)> =
            classes.of.iter().map(|c| (*c, BTreeSet::new())).collect();
        for &(from, label, to) in arrows {
            signatures[from as usize].1.insert((label, classes.of[to as usize]));
        }
        let next = number(signatures.iter());
        if next.count == classes.count {
            return next;
        }
        classes = next;
    }
}

fn number<K: std::hash::Hash + Eq>(keys: impl Iterator<Item = K>) -> Classes {
    let mut names = HashMap::new();
    let mut of = vec![];
    for key in keys {
        let next = names.len() as u32;
        of.push(*names.entry(key).or_insert(next));
    }
    Classes { of, count: names.len() }
}

#[test]
fn random_systems() {
    let mut merged = 0;
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let n = 1 + rng.below(12);
        let kinds: Vec<u32> = (0..n).map(|_| u32::from(rng.chance(10))).collect();
        let labels = 1 + rng.below(3);
        let m = rng.below(2 * n + 1);
        let arrows: Vec<Arrow> =
            (0..m).map(|_| (rng.below(n) as u32, rng.below(labels) as u32, rng.below(n) as u32)).collect();
        let expected = naive(&kinds, &arrows);
        merged += n - expected.count;
        assert_eq!(strong(&kinds, &arrows), expected, "seed {seed}: {kinds:?} {arrows:?}");
    }
    assert!(merged > 3000, "the systems have equivalent states: {merged}");
}

#[test]
fn a_long_chain_stays_and_a_long_cycle_collapses() {
    let n = 200_000;
    let chain: Vec<Arrow> = (1..n).map(|s| (s - 1, 0, s)).collect();
    assert_eq!(strong(&vec![0; n as usize], &chain).count, n as usize);
    let mut cycle = chain;
    cycle.push((n - 1, 0, 0));
    assert_eq!(strong(&vec![0; n as usize], &cycle).count, 1);
}

#[test]
fn nothing_at_all() {
    assert_eq!(strong(&[], &[]), Classes { of: vec![], count: 0 });
}
