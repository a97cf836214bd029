//! Classes of unknowns that are multiples of each other, or zero.

use std::collections::BTreeMap;

use super::ratio::Ratio;

/// How often short equations are merged before the rest is left to elimination.
const PASSES: usize = 32;

/// A sum of unknowns.
pub(super) type Sum = Vec<(u32, i64)>;

/// The classes.
#[derive(Debug)]
pub(super) struct Ties {
    /// By unknown: another one, and what multiple of it this one is; a root has itself.
    towards: Vec<(u32, Ratio)>,
    size: Vec<u32>,
    /// By root, whether its class is zero.
    zero: Vec<bool>,
}

impl Ties {
    pub(super) fn new(unknowns: usize) -> Self {
        let towards = (0..unknowns as u32).map(|v| (v, Ratio::ONE)).collect();
        Self { towards, size: vec![1; unknowns], zero: vec![false; unknowns] }
    }

    /// The number of unknowns.
    pub(super) fn len(&self) -> usize {
        self.towards.len()
    }

    /// The root of a class and what multiple of it an unknown is; inner `None` if that is zero, outer if too large.
    pub(super) fn root(&self, v: u32) -> Option<Option<(u32, Ratio)>> {
        let (mut at, mut factor) = (v, Ratio::ONE);
        while self.towards[at as usize].0 != at {
            let (next, f) = self.towards[at as usize];
            factor = factor.times(f)?;
            at = next;
        }
        Some((!self.zero[at as usize]).then_some((at, factor)))
    }

    pub(super) fn in_roots(&self, sum: &[(u32, i64)]) -> Option<Vec<(u32, Ratio)>> {
        let mut terms: BTreeMap<u32, Ratio> = BTreeMap::new();
        for &(v, factor) in sum {
            if let Some((root, multiple)) = self.root(v)? {
                let term = terms.entry(root).or_insert(Ratio::ZERO);
                *term = term.add(multiple.times(Ratio::whole(factor))?)?;
            }
        }
        Some(terms.into_iter().filter(|t| !t.1.is_zero()).collect())
    }

    /// Merges by short equations; what is left, in terms of roots. `None` if numbers get too large.
    pub(super) fn merge(&mut self, mut equations: Vec<Sum>, stop: &dyn Fn() -> bool) -> Option<Vec<Vec<(u32, Ratio)>>> {
        for _ in 0..PASSES {
            let before = equations.len();
            let mut rest = Vec::new();
            for equation in equations {
                match self.in_roots(&equation)?[..] {
                    [] => {}
                    [(v, _)] => self.zero[v as usize] = true,
                    [(v, a), (w, b)] => self.tie(v, w, b.over(a)?.negated()?)?,
                    _ => rest.push(equation),
                }
            }
            equations = rest;
            if stop() {
                return None;
            }
            if equations.len() == before {
                break;
            }
        }
        equations.iter().map(|e| self.in_roots(e)).collect()
    }

    /// The root `v` is a multiple of the root `w`.
    fn tie(&mut self, v: u32, w: u32, factor: Ratio) -> Option<()> {
        let (below, above, factor) = if self.size[v as usize] <= self.size[w as usize] {
            (v, w, factor)
        } else {
            (w, v, Ratio::ONE.over(factor)?)
        };
        self.towards[below as usize] = (above, factor);
        self.size[above as usize] += self.size[below as usize];
        Some(())
    }
}

/// The sum of two sums.
pub(super) fn plus(a: &[(u32, i64)], b: &[(u32, i64)]) -> Sum {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut k) = (0, 0);
    while i < a.len() || k < b.len() {
        let (left, right) = (a.get(i).map_or(u32::MAX, |t| t.0), b.get(k).map_or(u32::MAX, |t| t.0));
        let at = left.min(right);
        let mut factor = 0;
        if left == at {
            factor += a[i].1;
            i += 1;
        }
        if right == at {
            factor += b[k].1;
            k += 1;
        }
        if factor != 0 {
            out.push((at, factor));
        }
    }
    out
}
