//! A program being read: its system so far, and the way to a wider one.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::control::Control;
use super::{Model, NoSystem, Patience, Plan, Unasked, elaborate, foresee};
use crate::name::Name;
use crate::promela::ast::{Formula, Ltl, Unit};
use crate::promela::ir::{Proctype, Program};
use crate::promela::{Options, Parsed, resolve};
use crate::{Diagnostic, Loaded, Severity};
use model::{Property, Span, TransitionId};

/// How often the search for processes is begun anew before the plan is taken as it is: what it misses is found later.
const MAX_ROUNDS: usize = 300;
/// How many states such a search looks at, at first and at most: more each time that something was missed.
const STATES: usize = 2000;
const MOST_STATES: usize = 64 * STATES;
/// After how many of them it is assumed that processes go on creating others.
const PATIENCE: usize = 3;

/// A question that is not in the text of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query<'q> {
    /// An expression: the property is that it is always true.
    Predicate(&'q str),
    /// A formula.
    Formula(&'q str),
}

impl Query<'_> {
    /// The name of the property that the question becomes.
    pub fn name(&self) -> String {
        match self {
            Query::Predicate(text) => format!("[] ({text})"),
            Query::Formula(text) => format!("ltl {text}"),
        }
    }
}

/// A run to a model error, if one is known.
type Error = Option<Vec<TransitionId>>;

/// A program with the system that was made of it.
#[derive(Clone, Debug)]
pub struct Reading {
    source: Arc<Source>,
    plan: Plan,
    model: Model,
    /// How many states were looked at for processes.
    states: usize,
    /// A run of the system to a model error that was met on the way.
    error: Error,
}

/// What a system is made of.
#[derive(Clone, Debug)]
pub(in crate::promela) struct Source {
    /// What the system is called.
    pub(in crate::promela) name: String,
    /// The program as it was written.
    pub(in crate::promela) parsed: Parsed,
    /// What it means.
    pub(in crate::promela) program: Program,
    /// Remarks about it.
    pub(in crate::promela) remarks: Vec<Diagnostic>,
    /// What was chosen.
    pub(in crate::promela) options: Options,
    /// Who waits for systems of it.
    pub(in crate::promela) patience: Patience,
}

impl Source {
    /// Adds what was expected and remarked.
    fn finish(&self, model: &mut Model) -> Result<(), Diagnostic> {
        let Model { loaded: Loaded { system, properties, size, warnings }, unasked, .. } = model;
        let fair = self.parsed.fair_questions(properties, system);
        properties.extend(fair);
        *size = self.parsed.expectations(properties, &self.options.left_out())?;
        let own = std::mem::take(warnings).into_iter().chain(unasked.iter().map(|u| u.why.clone()));
        let all = self.remarks.iter().cloned().chain(own).map(|d| self.parsed.sources.placed(d));
        *warnings = self.parsed.warnings.iter().cloned().chain(all).collect();
        Ok(())
    }
}

impl Reading {
    /// Makes a system of a program, having found out which processes it creates.
    pub(in crate::promela) fn new(source: Source) -> Result<Self, NoSystem> {
        let plan = foresee::plan(&source.program);
        Self::with(Arc::new(source), plan, STATES)
    }

    fn with(source: Arc<Source>, mut plan: Plan, states: usize) -> Result<Self, NoSystem> {
        let found = Self::discover(&source, &mut plan, states);
        let (mut model, error) = found.map_err(|none| none.placed(|d| source.parsed.sources.placed(d)))?;
        source.finish(&mut model)?;
        Ok(Self { source, plan, model, states, error })
    }

    /// The system for a plan that is widened by what it misses, or until a run to a model error is found in it. If nobody
    /// waits for a wider one, the last one must do.
    fn discover(source: &Source, plan: &mut Plan, states: usize) -> Result<(Model, Error), NoSystem> {
        let mut model = elaborate(source, plan)?;
        for round in 0..MAX_ROUNDS {
            let mut wider = plan.clone();
            let found = model.discover(&mut wider, states, &source.patience);
            if !found.new || found.error.is_some() {
                return Ok((model, found.error));
            }
            if round >= PATIENCE && wider.slots() > plan.slots() {
                wider.extrapolate();
            }
            match elaborate(source, &wider) {
                Ok(better) => (model, *plan) = (better, wider),
                Err(NoSystem::GivenUp { .. }) => break,
                Err(mistakes) => return Err(mistakes),
            }
        }
        Ok((model, None))
    }

    /// The system and what is asked of it.
    pub fn loaded(&self) -> &Loaded {
        &self.model.loaded
    }

    /// The same, for good.
    pub fn into_loaded(self) -> Loaded {
        self.model.loaded
    }

    /// A run of the system to a model error, if one was met while processes were sought: it answers what a search leaves
    /// open that meets something unforeseen.
    pub fn error(&self) -> Option<&[TransitionId]> {
        self.error.as_deref()
    }

    /// The statements that are not in the system, as nothing ever does them: those of proctypes of which there is never a
    /// process, and those that no way leads to. The proctype, the statement, and where it stands.
    pub fn never_done(&self) -> Vec<(String, String, Span)> {
        let Source { program, options, .. } = &*self.source;
        let runs = |p: usize| self.plan.seats.keys().any(|s| s.proctype.0 as usize == p);
        let statements = |(at, p): (usize, &Proctype)| {
            let steps = if runs(at) { Vec::new() } else { Control::new(p, options.merge).statements(p) };
            let unreached = p.unreached.iter().map(|(text, span)| (text.to_string(), *span));
            let all: BTreeSet<(Span, String)> =
                steps.into_iter().chain(unreached).map(|(text, at)| (at, text)).collect();
            all.into_iter().map(|(span, text)| (p.name.to_string(), text, span)).collect::<Vec<_>>()
        };
        program.proctypes.iter().enumerate().flat_map(statements).collect()
    }

    /// What its author asks in vain.
    pub fn unasked(&self) -> &[Unasked] {
        &self.model.unasked
    }

    /// The same program with a question besides, which becomes a property called [`Query::name`]. The places of messages
    /// refer to the question.
    pub fn asking(&self, question: Query<'_>) -> Result<Reading, NoSystem> {
        let mut parsed = self.source.parsed.clone();
        let (formula, span) = match question {
            Query::Predicate(text) => {
                let expr = parsed.expression(text)?;
                let span = expr.span;
                (Formula::Always(Box::new(Formula::Atom(expr))), span)
            }
            Query::Formula(text) => (parsed.formula(text)?, Span::new(0, text.len())),
        };
        let name = Name { text: question.name().into(), span };
        if parsed.program.units.iter().any(|u| matches!(u, Unit::Ltl(l) if l.name.as_ref() == Some(&name))) {
            return Ok(self.clone());
        }
        parsed.program.units.push(Unit::Ltl(Ltl { name: Some(name), formula, span }));
        // The rest of the program was in order, so what is wrong now is the question.
        let (program, _) = resolve(&parsed.program)?;
        let source = Source { parsed, program, ..(*self.source).clone() };
        let mut reading = Self::with(Arc::new(source), self.plan.clone(), self.states)?;
        if let Some(unasked) = reading.model.unasked.iter().find(|u| u.name == question.name()) {
            return Err(Diagnostic { severity: Severity::Error, ..unasked.why.clone() }.into());
        }
        let asked = reading.model.loaded.properties.iter_mut().find(|p| p.name == question.name());
        let asked = asked.expect("a question has a meaning, or a reason why not");
        if matches!(question, Query::Predicate(_)) && !matches!(asked.property, Property::Invariant(_)) {
            let what = "whether nothing can go on (`timeout`) cannot be asked of a state";
            return Err(Diagnostic::error(span, what).help("ask for it in a formula: `--ltl '[] ...'`").into());
        }
        asked.span = None;
        Ok(reading)
    }

    /// The same program with a system that foresees more: what a longer search for processes meets, or, if that is
    /// nothing, all that the unforeseen step of this number could be, which some search met.
    pub fn widen(&self, number: u32) -> Result<Reading, NoSystem> {
        let mut plan = self.plan.clone();
        let patience = &self.source.patience;
        let longer = self.states < MOST_STATES;
        let states = (8 * self.states).min(MOST_STATES);
        let found = longer && self.model.discover(&mut plan, states, patience).new;
        patience.check(plan.seats.len())?;
        if let Some(what) = self.model.unforeseen.get(number as usize).filter(|_| !found) {
            plan.foresee_any(what.runner, what.proctype);
            plan.extrapolate();
            assert_ne!(plan, self.plan, "what was not foreseen is foreseen now, or an error of the model");
        }
        Self::with(self.source.clone(), plan, states)
    }
}
