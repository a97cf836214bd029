//! Random nets with many read arcs: processes that look at each other's places and at shared flags.

use model::views::Net;

use super::{Arcs, net};
use crate::Rng;

/// A random net with read arcs. Most are safe; some have a transition that makes them unsafe or unbounded.
pub fn reading(seed: u64) -> Net {
    let mut rng = Rng::new(seed);
    let flags = rng.size(&(0..=2));
    // Each flag is a pair of places, one of them marked.
    let mut initial: Vec<u32> = (0..flags).flat_map(|_| if rng.chance(50) { [1, 0] } else { [0, 1] }).collect();
    let processes: Vec<(usize, usize)> = (0..rng.size(&(1..=4))).map(|_| process(&mut rng, &mut initial)).collect();
    let mut transitions: Vec<(Arcs, Arcs)> = Vec::new();
    for &(first, size) in &processes {
        for from in 0..size {
            let ways = *rng.pick(&[0, 1, 1, 2, 2]);
            transitions.extend((0..ways).map(|_| step(&mut rng, (first, size), from, (flags, &initial))));
        }
    }
    if rng.chance(15) {
        let read = reads(&mut rng, &[], &initial, 2);
        transitions.push((read.clone(), read));
    }
    if rng.chance(10) || transitions.is_empty() {
        let (from, to) = (rng.below(initial.len()), rng.below(initial.len()));
        transitions.push((vec![(from, 1)], vec![(to, 1)]));
    }
    net(&initial, &transitions)
}

/// The first place and the number of places of a new process.
fn process(rng: &mut Rng, initial: &mut Vec<u32>) -> (usize, usize) {
    let (first, size) = (initial.len(), rng.size(&(2..=4)));
    initial.extend((0..size).map(|i| u32::from(i == 0)));
    (first, size)
}

/// A step of a process that may change a flag, and reads a few other places.
fn step(rng: &mut Rng, (first, size): (usize, usize), from: usize, (flags, initial): (usize, &[u32])) -> (Arcs, Arcs) {
    let to = if rng.chance(85) { (from + 1) % size } else { rng.below(size) };
    let (mut pre, mut post) = (vec![(first + from, 1)], vec![(first + to, 1)]);
    if flags > 0 && rng.chance(30) {
        let (flag, value) = (rng.below(flags), rng.below(2));
        pre.push((2 * flag + value, 1));
        post.push((2 * flag + 1 - value, 1));
    }
    let used: Vec<usize> = pre.iter().chain(&post).map(|&(p, _)| p).collect();
    let most = *rng.pick(&[0, 1, 1, 2, 3]);
    let read = reads(rng, &used, initial, most);
    pre.extend(&read);
    post.extend(&read);
    (pre, post)
}

/// Some places to read, none of them used otherwise; mostly those that have a token in the beginning.
fn reads(rng: &mut Rng, used: &[usize], initial: &[u32], most: usize) -> Arcs {
    let any = rng.chance(30);
    let is_free = |p: &usize| !used.contains(p) && (any || initial[*p] > 0);
    let mut free: Vec<usize> = (0..initial.len()).filter(is_free).collect();
    rng.shuffle(&mut free);
    free.into_iter().take(most).map(|p| (p, 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::Oracle;

    #[test]
    fn most_nets_are_safe_and_many_reads_are_enabled() {
        let (mut safe, mut enabled) = (0, 0);
        for seed in 0..300 {
            let net = reading(seed);
            let Some(oracle) = Oracle::new(&net, 2000) else { continue };
            safe += usize::from(oracle.markings().iter().all(|m| m.iter().all(|&tokens| tokens < 2)));
            let reads = |t: &_| net.pre(*t).iter().any(|arc| net.post(*t).contains(arc));
            let can_occur = |t: &_| oracle.markings().iter().any(|m| net.is_enabled(*t, m));
            enabled += net.transition_ids().filter(reads).filter(can_occur).count();
        }
        assert!(safe > 200 && safe < 300 && enabled > 600, "{safe} {enabled}");
    }
}
