//! Finds the bindings of one transition that one token makes possible.
//!
//! This is a join, as in the evaluation of Datalog: the needs of a transition are matched with the colours that can be
//! marked. A condition is tested as soon as its variables have values, a need whose variables have values is looked
//! up, an equation gives its last variable a value; only then is there a choice, and the smallest one is taken. So that
//! no binding is found twice, the token that starts the search must be the newest one, and the first need that the
//! newest one meets.

use super::facts::Facts;
use super::guard::{Guard, Mask, Relation};
use super::net::{ColouredNet, ColouredTransition, Need};
use super::term::{Component, shifted};

/// There are no more steps left.
pub(super) struct Exhausted;

/// A search for bindings.
pub(super) struct Join<'n> {
    net: &'n ColouredNet,
    transition: &'n ColouredTransition,
    facts: &'n Facts,
    /// The moment of the newest token, and the need that it meets.
    trigger: Option<(u32, usize)>,
    values: Vec<u32>,
    bound: Mask,
    /// The bindings found, one after the other.
    pub(super) found: Vec<u32>,
    pub(super) count: usize,
    steps: &'n mut u64,
}

/// Needs that are still to be met, as a set.
type Open = u64;

impl<'n> Join<'n> {
    pub(super) fn new(net: &'n ColouredNet, transition: usize, facts: &'n Facts, steps: &'n mut u64) -> Self {
        let transition = &net.transitions[transition];
        let values = vec![0; transition.variables.len()];
        Self { net, transition, facts, trigger: None, values, bound: 0, found: Vec::new(), count: 0, steps }
    }

    /// The bindings of a transition that needs nothing.
    pub(super) fn all(&mut self) -> Result<(), Exhausted> {
        if self.admits(Mask::MAX) { self.step(0) } else { Ok(()) }
    }

    /// The bindings for which a colour is the newest one.
    pub(super) fn with(&mut self, need: usize, colour: u64, moment: u32) -> Result<(), Exhausted> {
        self.trigger = Some((moment, need));
        // Conditions without variables belong to no variable: here they are tested.
        if !self.transition.guard.iter().all(|c| c.mask != 0 || c.guard.holds(&self.values)) {
            return Ok(());
        }
        let open = (0..self.transition.needs.len()).filter(|n| *n != need).fold(0, |open, n| open | 1 << n);
        self.meet(need, colour, open)
    }

    /// Goes on with a need met by a colour, if it fits.
    fn meet(&mut self, need: usize, colour: u64, open: Open) -> Result<(), Exhausted> {
        let before = self.bound;
        let transition = self.transition;
        let result = if self.unify(&transition.needs[need], colour) && self.admits(self.bound & !before) {
            self.step(open)
        } else {
            Ok(())
        };
        self.bound = before;
        result
    }

    fn unify(&mut self, need: &Need, colour: u64) -> bool {
        let mut fits = true;
        let (values, bound) = (&mut self.values, &mut self.bound);
        self.net.places[need.place].digits(colour, |position, digit| match &need.token[position] {
            Component::Constant(value) => fits &= *value == digit,
            Component::Variable { number, shift, size } => {
                let value = shifted(digit, size - shift, *size);
                if *bound & (1 << number) == 0 {
                    values[*number] = value;
                    *bound |= 1 << number;
                } else {
                    fits &= values[*number] == value;
                }
            }
            Component::Each(_) => unreachable!("needs are single tokens"),
        });
        fits
    }

    /// Whether the conditions hold that variables just bound decide.
    fn admits(&mut self, new: Mask) -> bool {
        let decided = |mask: Mask| mask & !self.bound == 0 && (mask & new != 0 || mask == 0);
        self.transition.guard.iter().filter(|c| decided(c.mask)).all(|c| {
            *self.steps = self.steps.saturating_sub(c.cost);
            c.guard.holds(&self.values)
        })
    }

    fn step(&mut self, open: Open) -> Result<(), Exhausted> {
        *self.steps = self.steps.checked_sub(1).ok_or(Exhausted)?;
        if let Some((number, value)) = self.forced() {
            return self.bind(number, value, open);
        }
        let needs = || (0..self.transition.needs.len()).filter(|n| open & (1 << n) != 0);
        if let Some(n) = needs().find(|n| self.transition.needs[*n].mask & !self.bound == 0) {
            return if self.is_met(n) { self.step(open & !(1 << n)) } else { Ok(()) };
        }
        match needs().min_by_key(|n| self.choices(*n).min(self.marked(*n))) {
            Some(n) if self.marked(n) <= self.choices(n) => self.match_need(n, open & !(1 << n)),
            Some(n) => self.guess(self.transition.needs[n].mask & !self.bound, open),
            None => match self.unbound() {
                0 => self.complete(),
                unbound => self.guess(unbound, open),
            },
        }
    }

    fn unbound(&self) -> Mask {
        let variables = self.values.len() as u32;
        let all = if variables == 0 { 0 } else { Mask::MAX >> (Mask::BITS - variables) };
        all & !self.bound
    }

    fn complete(&mut self) -> Result<(), Exhausted> {
        self.found.extend_from_slice(&self.values);
        self.count += 1;
        Ok(())
    }

    /// A variable whose value follows from an equation.
    fn forced(&self) -> Option<(usize, u32)> {
        self.transition.guard.iter().filter(|c| (c.mask & !self.bound).count_ones() == 1).find_map(|c| match &c.guard {
            Guard::Compare(Relation::Equal, left, right) => self.solve(left, right).or_else(|| self.solve(right, left)),
            _ => None,
        })
    }

    fn solve(&self, open: &Component, known: &Component) -> Option<(usize, u32)> {
        let Component::Variable { number, shift, size } = open else { return None };
        let is_open = |number: usize| self.bound & (1 << number) == 0;
        let known_is_open = matches!(known, Component::Variable { number, .. } if is_open(*number));
        if !is_open(*number) || known_is_open {
            return None;
        }
        Some((*number, shifted(known.value(&self.values)?, size - shift, *size)))
    }

    fn bind(&mut self, number: usize, value: u32, open: Open) -> Result<(), Exhausted> {
        self.values[number] = value;
        self.bound |= 1 << number;
        let result = if self.admits(1 << number) { self.step(open) } else { Ok(()) };
        self.bound &= !(1 << number);
        result
    }

    /// Before which moment a token for a need must have been found.
    fn deadline(&self, need: usize) -> u32 {
        match self.trigger {
            Some((moment, first)) if need < first => moment,
            Some((moment, _)) => moment + 1,
            None => u32::MAX,
        }
    }

    fn is_met(&self, n: usize) -> bool {
        let need = &self.transition.needs[n];
        let colour = self.net.places[need.place].colour(&need.token, &self.values);
        self.facts.places[need.place].moment(colour).is_some_and(|moment| moment < self.deadline(n))
    }

    /// How many values the open variables of a need have.
    fn choices(&self, n: usize) -> u64 {
        let open = self.transition.needs[n].mask & !self.bound;
        let sizes = self.transition.variables.iter().enumerate().filter(|(v, _)| open & (1 << v) != 0);
        sizes.fold(1_u64, |product, (_, variable)| product.saturating_mul(u64::from(variable.size)))
    }

    fn marked(&self, n: usize) -> u64 {
        self.facts.places[self.transition.needs[n].place].marked() as u64
    }

    fn match_need(&mut self, n: usize, open: Open) -> Result<(), Exhausted> {
        let facts = self.facts;
        for colour in facts.places[self.transition.needs[n].place].before(self.deadline(n)) {
            *self.steps = self.steps.checked_sub(1).ok_or(Exhausted)?;
            self.meet(n, colour, open)?;
        }
        Ok(())
    }

    /// Tries all values of the variable with the fewest.
    fn guess(&mut self, candidates: Mask, open: Open) -> Result<(), Exhausted> {
        let variables = &self.transition.variables;
        let candidates = (0..variables.len()).filter(|v| candidates & (1 << v) != 0);
        let number = candidates.min_by_key(|v| variables[*v].size).expect("a variable is open");
        for value in 0..variables[number].size {
            *self.steps = self.steps.checked_sub(1).ok_or(Exhausted)?;
            self.bind(number, value, open)?;
        }
        Ok(())
    }
}
