//! All nets of two tiny worlds, up to the order of their transitions.

use model::views::Net;

use super::{Arcs, net};

/// Two places with weights up to 2 and at most two transitions; three places with weights 1 and at most three
/// transitions. In a fixed order, about two hundred thousand.
pub fn tiny() -> impl Iterator<Item = Net> {
    let weighted = world(2, 2, 2, (0..9).map(|m| vec![m % 3, m / 3]).collect());
    // Places are alike, so that only the number of marked ones matters.
    let plain = world(3, 1, 3, vec![vec![0, 0, 0], vec![1, 0, 0], vec![1, 1, 0], vec![1, 1, 1]]);
    weighted.chain(plain)
}

fn world(places: usize, weight: u32, most: usize, initial: Vec<Vec<u32>>) -> impl Iterator<Item = Net> {
    let sides: Vec<Arcs> = sides(places, weight);
    let kinds = sides.len() * sides.len();
    let sets = (1..=most).flat_map(move |n| multisets(kinds, n));
    sets.flat_map(move |set| {
        let kind = |&k: &usize| (sides[k / sides.len()].clone(), sides[k % sides.len()].clone());
        let transitions: Vec<(Arcs, Arcs)> = set.iter().map(kind).collect();
        initial.clone().into_iter().map(move |tokens| net(&tokens, &transitions))
    })
}

/// All ways to give each place a weight, 0 being no arc.
fn sides(places: usize, weight: u32) -> Vec<Arcs> {
    let mut out: Vec<Arcs> = vec![Vec::new()];
    for p in 0..places {
        let with = |arcs: &Arcs, w: u32| arcs.iter().copied().chain((w > 0).then_some((p, w))).collect::<Arcs>();
        out = out.iter().flat_map(|arcs| (0..=weight).map(move |w| with(arcs, w))).collect();
    }
    out
}

/// All choices of `n` out of `kinds`, with repetition, in increasing order.
fn multisets(kinds: usize, n: usize) -> impl Iterator<Item = Vec<usize>> {
    let mut next = Some(vec![0; n]);
    std::iter::from_fn(move || {
        let now = next.take()?;
        if let Some(i) = now.iter().rposition(|&k| k + 1 < kinds) {
            let mut after = now.clone();
            let k = now[i] + 1;
            after[i..].fill(k);
            next = Some(after);
        }
        Some(now)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_world_is_complete() {
        assert_eq!(sides(2, 2).len(), 9);
        assert_eq!(multisets(64, 3).count(), 64 * 65 * 66 / 6);
        let nets = 9 * (81 + 81 * 82 / 2) + 4 * (64 + 64 * 65 / 2 + 64 * 65 * 66 / 6);
        assert_eq!(tiny().count(), nets);
    }
}
