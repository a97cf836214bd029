//! Goals about the reduced net: removed places are replaced by what their tokens are.

use std::collections::HashMap;

use model::nets::{Goal, Linear, Predicate};
use model::views::PlaceId;

use crate::work::{Known, Work};

/// The numbers of the places in the reduced net, and what is known of the removed ones.
#[derive(Debug)]
pub(crate) struct Translation {
    numbers: Vec<Option<PlaceId>>,
    known: HashMap<PlaceId, Affine>,
}

/// `factor · M(place) + offset`; no place: the offset alone.
#[derive(Clone, Copy, Debug)]
struct Affine {
    place: Option<(PlaceId, i128)>,
    offset: i128,
}

impl Translation {
    pub(crate) fn new(work: &Work) -> Self {
        let mut numbers = vec![None; work.numbers().0];
        for (i, p) in work.places().enumerate() {
            numbers[p.index()] = Some(PlaceId::new(i));
        }
        let mut all = Self { numbers, known: HashMap::new() };
        // What was removed later is known first: earlier ones may refer to it.
        for &(p, known) in work.known.iter().rev() {
            let affine = match known {
                Known::Constant(tokens) => Affine { place: None, offset: i128::from(tokens) },
                Known::Multiple { of, factor, offset } => all.of(of).scaled(factor, offset),
            };
            all.known.insert(p, affine);
        }
        all
    }

    /// The number of a place that is left.
    pub(crate) fn place(&self, p: PlaceId) -> PlaceId {
        self.numbers[p.index()].expect("arcs lead to places that are left")
    }

    fn of(&self, p: PlaceId) -> Affine {
        match self.numbers[p.index()] {
            Some(number) => Affine { place: Some((number, 1)), offset: 0 },
            None => self.known[&p],
        }
    }

    /// The goal in terms of the reduced net; `None` if a number becomes too large.
    pub(crate) fn goal(&self, goal: &Goal) -> Option<Goal> {
        Some(match goal {
            Goal::Dead => Goal::Dead,
            Goal::Satisfies(predicate) => Goal::Satisfies(self.predicate(predicate)?),
            Goal::Maximum(expression) => Goal::Maximum(self.linear(expression)?),
        })
    }

    fn predicate(&self, predicate: &Predicate) -> Option<Predicate> {
        let mut fits = true;
        let translated = predicate.map(&mut |expression| match self.linear(expression) {
            Some(expression) => Predicate::linear(expression),
            None => {
                fits = false;
                Predicate::Constant(false)
            }
        });
        fits.then_some(translated)
    }

    fn linear(&self, expression: &Linear) -> Option<Linear> {
        let mut constant = i128::from(expression.constant());
        let mut terms = Vec::new();
        for &(p, factor) in expression.terms() {
            let affine = self.of(p);
            constant = constant.checked_add(affine.offset.checked_mul(i128::from(factor))?)?;
            if let Some((q, times)) = affine.place {
                terms.push((q, i64::try_from(times.checked_mul(i128::from(factor))?).ok()?));
            }
        }
        Linear::new(terms, i64::try_from(constant).ok()?)
    }
}

impl Affine {
    /// Saturated numbers are so large that they never become factors of a goal.
    fn scaled(self, factor: u32, offset: i64) -> Self {
        let times = |v: i128| v.saturating_mul(i128::from(factor));
        Self {
            place: self.place.map(|(p, f)| (p, times(f))),
            offset: times(self.offset).saturating_add(i128::from(offset)),
        }
    }
}
