//! What the tests share: sample models, a tiny search, a random generator.

use std::collections::HashSet;
use std::path::Path;

use model::System;

/// A sample and its name.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The samples of this crate, and the corpus if it is there.
pub(crate) fn samples() -> Vec<Sample> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut out = Vec::new();
    collect(&root.join("tests/models"), &mut out);
    assert!(out.len() >= 3, "the samples are there");
    collect(&root.join("../../corpus"), &mut out);
    out
}

fn collect(folder: &Path, out: &mut Vec<Sample>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.map(|e| e.expect("a readable folder").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "imp") {
            let text = std::fs::read_to_string(&path).expect("a readable file");
            out.push(Sample { name: path.display().to_string(), text });
        }
    }
}

/// How many states are first reached after 0, 1, ... steps, how many transitions leave them, and how many are faults;
/// until all, or `limit` states, were seen. None of it depends on the order of anything.
pub(crate) fn layers(system: &System, limit: usize) -> Vec<(usize, usize, usize)> {
    let mut layer = vec![system.initial_state()];
    let mut seen: HashSet<Vec<u64>> = layer.iter().cloned().collect();
    let mut out = Vec::new();
    while !layer.is_empty() && seen.len() < limit {
        let (mut next, mut fired, mut faults) = (Vec::new(), 0, 0);
        for state in &layer {
            for t in system.enabled(state) {
                let mut successor = state.clone();
                if !matches!(t.map(|t| system.fire(t, state, &mut successor)), Ok(Ok(()))) {
                    faults += 1;
                    continue;
                }
                fired += 1;
                if seen.insert(successor.clone()) {
                    next.push(successor);
                }
            }
        }
        out.push((layer.len(), fired, faults));
        layer = next;
    }
    out
}

/// All states, and the transitions between them.
pub(crate) fn size(system: &System) -> (usize, usize) {
    layers(system, 1_000_000).iter().fold((0, 0), |(s, t), layer| (s + layer.0, t + layer.1))
}

/// Marsaglia's xorshift.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `bound`, which is above 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}
