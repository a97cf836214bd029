//! Finds the instances of transitions that are not obviously dead.
//!
//! The least set of colours is computed that holds the initial marking and the products of every instance whose needs
//! it holds. It contains whatever is marked in any reachable marking, so that the other instances are never enabled and
//! the other colours never marked: leaving them out changes no reachable marking.

use super::facts::Facts;
use super::join::{Exhausted, Join};
use super::limits::UnfoldLimits;
use super::net::{ColouredNet, ColouredPlace, Inscription};
use crate::Diagnostic;

use model::Span;

/// So many steps of the search are allowed for each arc that is.
const STEPS_AN_ARC: u64 = 50;

/// The instances of a transition: the values of its variables, one instance after the other.
#[derive(Default)]
pub(super) struct Instances {
    pub(super) values: Vec<u32>,
    pub(super) count: usize,
}

/// What a coloured net is unfolded to.
pub(super) struct Ground {
    pub(super) facts: Facts,
    /// By transition.
    pub(super) instances: Vec<Instances>,
}

/// The set while it grows.
struct Growth<'n> {
    net: &'n ColouredNet,
    limits: UnfoldLimits,
    ground: Ground,
    transitions: usize,
    arcs: usize,
    steps: u64,
}

/// Finds all instances, if there are not too many.
pub(super) fn ground(net: &ColouredNet, limits: UnfoldLimits) -> Result<Ground, Diagnostic> {
    let instances = net.transitions.iter().map(|_| Instances::default()).collect();
    let sizes = net.places.iter().map(|p| u64::try_from(product(&p.sizes)).unwrap_or(u64::MAX));
    let ground = Ground { facts: Facts::new(sizes), instances };
    let steps = STEPS_AN_ARC.saturating_mul(limits.arcs as u64);
    let mut growth = Growth { net, limits, ground, transitions: 0, arcs: 0, steps };
    growth.grow()?;
    Ok(growth.ground)
}

impl Growth<'_> {
    fn grow(&mut self) -> Result<(), Diagnostic> {
        for (p, place) in self.net.places.iter().enumerate() {
            place.initial.iter().for_each(|(colour, _)| self.ground.facts.mark(p, *colour));
        }
        self.check()?;
        let mut users: Vec<Vec<(usize, usize)>> = self.net.places.iter().map(|_| Vec::new()).collect();
        for (t, transition) in self.net.transitions.iter().enumerate() {
            transition.needs.iter().enumerate().for_each(|(n, need)| users[need.place].push((t, n)));
            if transition.needs.is_empty() {
                self.search(t, |join| join.all())?;
            }
        }
        let mut moment = 0;
        while let Some(&(place, number)) = self.ground.facts.found.get(moment) {
            let colour = self.ground.facts.places[place as usize].colours[number as usize];
            for &(t, need) in &users[place as usize] {
                self.search(t, |join| join.with(need, colour, moment as u32))?;
            }
            moment += 1;
        }
        Ok(())
    }

    fn search(&mut self, t: usize, run: impl FnOnce(&mut Join<'_>) -> Result<(), Exhausted>) -> Result<(), Diagnostic> {
        let mut join = Join::new(self.net, t, &self.ground.facts, &mut self.steps);
        let result = run(&mut join);
        let (found, count) = (std::mem::take(&mut join.found), join.count);
        if result.is_err() {
            return Err(self.too_large("too many bindings of variables were tried"));
        }
        let width = self.net.transitions[t].variables.len();
        for n in 0..count {
            self.add(t, &found[n * width..(n + 1) * width])?;
        }
        Ok(())
    }

    fn add(&mut self, t: usize, values: &[u32]) -> Result<(), Diagnostic> {
        let transition = &self.net.transitions[t];
        for input in &transition.inputs {
            for (colour, _) in self.tokens(input, values)? {
                self.ground.facts.meet(input.place, colour);
            }
        }
        for output in &transition.outputs {
            for (colour, _) in self.tokens(output, values)? {
                self.ground.facts.mark(output.place, colour);
            }
        }
        let instances = &mut self.ground.instances[t];
        instances.values.extend_from_slice(values);
        instances.count += 1;
        self.transitions += 1;
        self.check()
    }

    fn tokens(&mut self, inscription: &Inscription, values: &[u32]) -> Result<Vec<(u64, u32)>, Diagnostic> {
        let place = &self.net.places[inscription.place];
        let limit = self.limits.arcs.saturating_sub(self.arcs);
        let Some(tokens) = place.tokens(&inscription.summands, values, limit) else {
            return Err(self.too_large(&format!("it has more than {} arcs", self.limits.arcs)));
        };
        self.arcs += tokens.len();
        weights(tokens, place, inscription.span)
    }

    fn check(&self) -> Result<(), Diagnostic> {
        if self.ground.facts.count > self.limits.places {
            return Err(self.too_large(&format!("it has more than {} places", self.limits.places)));
        }
        if self.transitions > self.limits.transitions {
            return Err(self.too_large(&format!("it has more than {} transitions", self.limits.transitions)));
        }
        Ok(())
    }

    fn too_large(&self, reason: &str) -> Diagnostic {
        let places = self.net.places.iter().map(|p| product(&p.sizes));
        let variables = |t: &super::net::ColouredTransition| t.variables.iter().map(|v| v.size).collect::<Vec<_>>();
        let transitions = self.net.transitions.iter().map(|t| product(&variables(t)));
        let (places, transitions) = (places.fold(0, u128::saturating_add), transitions.fold(0, u128::saturating_add));
        let message = format!("the coloured net is too large to be unfolded: {reason}");
        Diagnostic::error(Span::new(0, 0), message)
            .help(format!("with all colours, and without conditions, {places} places and {transitions} transitions"))
    }
}

fn product(sizes: &[u32]) -> u128 {
    sizes.iter().fold(1, |product: u128, size| product.saturating_mul(u128::from(*size)))
}

/// Numbers of tokens that an arc can have.
pub(super) fn weights(
    tokens: Vec<(u64, i64)>,
    place: &ColouredPlace,
    span: Span,
) -> Result<Vec<(u64, u32)>, Diagnostic> {
    let weight = |(colour, count): (u64, i64)| {
        let bad = |_| {
            let problem = if count < 0 { "is negative" } else { "is more than 4294967295" };
            let name = &place.name;
            Diagnostic::error(span, format!("for some colours, a number of tokens of place `{name}` {problem}"))
        };
        Ok((colour, u32::try_from(count).map_err(bad)?))
    };
    tokens.into_iter().map(weight).collect()
}
