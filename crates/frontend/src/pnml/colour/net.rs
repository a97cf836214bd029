//! A coloured net whose labels are understood.

use model::Span;

use super::guard::{Conjunct, Mask, component_mask};
use super::sorts::{BasicId, Basics};
use super::term::{Component, Local, Summand};

/// A place of a coloured net. A colour of it is one number: the components as digits, the first as the highest.
pub(super) struct ColouredPlace {
    pub(super) name: String,
    pub(super) sort: Vec<BasicId>,
    /// The sizes of the components.
    pub(super) sizes: Vec<u32>,
    pub(super) initial: Vec<(u64, i64)>,
}

/// A transition of a coloured net.
pub(super) struct ColouredTransition {
    pub(super) name: String,
    pub(super) variables: Vec<Local>,
    pub(super) guard: Vec<Conjunct>,
    pub(super) inputs: Vec<Inscription>,
    pub(super) outputs: Vec<Inscription>,
    /// The tokens that an instance certainly takes: what an instance is found by.
    pub(super) needs: Vec<Need>,
}

/// The label of an arc.
pub(super) struct Inscription {
    /// The place, as a position in [`ColouredNet::places`].
    pub(super) place: usize,
    pub(super) summands: Vec<Summand>,
    pub(super) span: Span,
}

/// A token that a transition takes in every instance.
pub(super) struct Need {
    pub(super) place: usize,
    pub(super) token: Vec<Component>,
    pub(super) mask: Mask,
}

/// A coloured net.
pub(super) struct ColouredNet {
    pub(super) basics: Basics,
    pub(super) places: Vec<ColouredPlace>,
    pub(super) transitions: Vec<ColouredTransition>,
}

/// A token search looks at so many needs; others are not needed to be right, only to be fast.
const MAX_NEEDS: usize = 64;

impl ColouredTransition {
    /// Finds what every instance takes: all of an inscription that takes nothing away and has no sets of colours.
    pub(super) fn find_needs(&mut self) {
        let plain = |s: &Summand| s.coefficient > 0 && !s.token.iter().any(|c| matches!(c, Component::Each(_)));
        for input in self.inputs.iter().filter(|input| input.summands.iter().all(|s| s.coefficient >= 0)) {
            for summand in input.summands.iter().filter(|s| plain(s)) {
                let mask = summand.token.iter().fold(0, |mask, c| mask | component_mask(c));
                self.needs.push(Need { place: input.place, token: summand.token.clone(), mask });
            }
        }
        self.needs.truncate(MAX_NEEDS);
    }
}

impl ColouredPlace {
    /// The components of a colour.
    pub(super) fn digits(&self, mut colour: u64, mut each: impl FnMut(usize, u32)) {
        for (position, size) in self.sizes.iter().enumerate().rev() {
            each(position, (colour % u64::from(*size)) as u32);
            colour /= u64::from(*size);
        }
    }

    /// The colour of a token without sets.
    pub(super) fn colour(&self, token: &[Component], values: &[u32]) -> u64 {
        let value = |c: &Component| u64::from(c.value(values).expect("a single colour"));
        token.iter().zip(&self.sizes).fold(0, |colour, (c, size)| colour * u64::from(*size) + value(c))
    }

    /// The tokens of a sum, by colour; `None` if there are more than `limit` of different colours before they are
    /// added up. Coefficients may be negative in the end.
    pub(super) fn tokens(&self, summands: &[Summand], values: &[u32], limit: usize) -> Option<Vec<(u64, i64)>> {
        let mut out = Vec::new();
        for summand in summands {
            let many = summand.token.iter().map(|c| if let Component::Each(set) = c { set.len() } else { 1 });
            let many = many.fold(1_usize, |product, n| product.saturating_mul(n));
            if out.len().saturating_add(many) > limit {
                return None;
            }
            self.expand(summand, values, &mut out);
        }
        Some(add_up(out))
    }

    fn expand(&self, summand: &Summand, values: &[u32], out: &mut Vec<(u64, i64)>) {
        let mut colours = vec![0_u64];
        for (component, size) in summand.token.iter().zip(&self.sizes) {
            let size = u64::from(*size);
            match component {
                Component::Each(set) => {
                    let each = |c: &u64| set.iter().map(|v| c * size + u64::from(*v)).collect::<Vec<_>>();
                    colours = colours.iter().flat_map(each).collect();
                }
                single => {
                    let value = u64::from(single.value(values).expect("a single colour"));
                    colours.iter_mut().for_each(|c| *c = *c * size + value);
                }
            }
        }
        out.extend(colours.into_iter().map(|c| (c, summand.coefficient)));
    }
}

/// Each colour once, with the sum of its coefficients, without zeros.
fn add_up(mut tokens: Vec<(u64, i64)>) -> Vec<(u64, i64)> {
    if tokens.len() > 1 {
        tokens.sort_unstable_by_key(|(colour, _)| *colour);
        tokens.dedup_by(|next, sum| {
            let same = next.0 == sum.0;
            if same {
                sum.1 = sum.1.saturating_add(next.1);
            }
            same
        });
    }
    tokens.retain(|(_, count)| *count != 0);
    tokens
}
