//! Forward reachability: rules are applied in turn, each to all that is known so far, until nothing is new.
//!
//! Applying a rule to what earlier ones of the same pass just found (*chaining*) takes far fewer passes than
//! breadth-first levels. The way back needs no levels either: what each rule was applied to is kept, so that for any
//! state the last rule that made it, and a state that it was made of, can be found.

use model::views::{RuleId, StateId};
use solve::bdd::Bdd;

use super::{Space, Stop};
use crate::question::Run;

/// What is reachable, so far.
#[derive(Debug)]
pub struct Forward<'s, 'a> {
    space: &'s Space<'a>,
    rules: Vec<RuleId>,
    known: Bdd,
    /// Each rule that found something, with what was known before.
    steps: Vec<(RuleId, Bdd)>,
    passes: usize,
}

impl<'s, 'a> Forward<'s, 'a> {
    /// The initial states.
    pub fn new(space: &'s Space<'a>) -> Result<Self, Stop> {
        // Those with late variables first: what they find stays below the variables of the others.
        let rules = space.rules_upwards().into_iter().filter(|&r| !space.network().rule(r).fault).collect();
        Ok(Self { space, rules, known: space.initial()?, steps: Vec::new(), passes: 0 })
    }

    /// The states that are known.
    pub fn known(&self) -> &Bdd {
        &self.known
    }

    /// How many times all rules were applied.
    pub fn passes(&self) -> usize {
        self.passes
    }

    /// Applies every rule once; the states that were not known before.
    pub fn pass(&mut self) -> Result<Bdd, Stop> {
        let before = self.known.clone();
        for &rule in &self.rules {
            let after = self.space.after(rule, &self.known)?;
            let known = self.known.or(&after)?;
            if known != self.known {
                self.steps.push((rule, std::mem::replace(&mut self.known, known)));
            }
        }
        self.passes += 1;
        Ok(self.known.minus(&before)?)
    }

    /// A run to a state that is known, from the initial state that it starts in.
    pub fn run(&self, to: &[StateId]) -> Result<(Vec<StateId>, Run), Stop> {
        let mut run = Run::new();
        let mut state = to.to_vec();
        for (rule, before) in self.steps.iter().rev() {
            let set = self.space.state(&state)?;
            if set.within(before)? {
                continue;
            }
            let from = self.space.before(*rule, &set)?.and(before)?;
            let from = self.space.pick(&from).expect("the rule made the state of what was known");
            run.push((*rule, std::mem::replace(&mut state, from)));
        }
        run.reverse();
        Ok((state, run))
    }
}
