//! A program being read: its system so far, and the way to a wider one.

use super::discover::too_many;
use super::plan::MAX_PROCESSES;
use super::{Model, Options, Plan, elaborate, foresee};
use crate::promela::ir::Program;
use crate::{Diagnostic, Loaded};

/// How often the search for processes is begun anew before the plan is taken as it is: what it misses is found later.
const MAX_ROUNDS: usize = 64;

/// A program with the system that was made of it.
#[derive(Clone, Debug)]
pub struct Reading {
    name: String,
    program: Program,
    options: Options,
    plan: Plan,
    model: Model,
}

impl Reading {
    /// Makes a system of a program, having found out which processes it creates.
    pub fn new(name: &str, program: Program, options: Options) -> Result<Self, Vec<Diagnostic>> {
        let plan = foresee::plan(&program);
        Self::with(name.to_owned(), program, options, plan)
    }

    fn with(name: String, program: Program, options: Options, mut plan: Plan) -> Result<Self, Vec<Diagnostic>> {
        let mut model = elaborate(&name, &program, &options, &plan)?;
        for _ in 0..MAX_ROUNDS {
            if !model.discover(&mut plan).map_err(|d| vec![d])? {
                break;
            }
            model = elaborate(&name, &program, &options, &plan)?;
        }
        Ok(Self { name, program, options, plan, model })
    }

    /// The system and what is asked of it.
    pub fn loaded(&self) -> &Loaded {
        &self.model.loaded
    }

    /// The same, for good.
    pub fn into_loaded(self) -> Loaded {
        self.model.loaded
    }

    /// The same program with a system that foresees more: what a search met as the unforeseen step of this number.
    pub fn widen(&self, number: u32) -> Result<Reading, Vec<Diagnostic>> {
        let mut plan = self.plan.clone();
        if let Some(what) = self.model.unforeseen.get(number as usize) {
            let parameters = self.program.proctypes[what.proctype.0 as usize].parameters as usize;
            plan.foresee_any(what.runner, what.proctype, parameters);
            if plan == self.plan && plan.slots() >= MAX_PROCESSES {
                return Err(vec![too_many(what)]);
            }
        }
        Self::with(self.name.clone(), self.program.clone(), self.options, plan)
    }
}
