//! Control as a variable: the same system without locations that hold, for views that have no place for control.
//!
//! One more variable says who has control: 0 for nobody, or the number of the process plus one. A transition first needs
//! that nobody has control, or that its starter has; its last operation says who has it then, as `control` does: the keeper,
//! if it is at a location that holds it and can go on there. That it can is a condition on objects, where what it starts
//! there concerns nobody else: the guards, and that there is room, a message, a free lock or tokens for the first operation.
//! So the new system has the same runs, state by state, and transitions keep their numbers.
//!
//! Refused is what would need more than such a condition: partners who must be there, guards that may be model errors, several
//! operations that may be impossible, and deterministic steps that could be blocked or that must be the first of several.

use std::borrow::Cow;

use crate::bounds::bounds;
use crate::compile::Program;
use crate::layout::Layout;
use crate::objects::{Kind, Object, Value};
use crate::system::Hold;
use crate::{Binary, Command, Domain, Expr, LocationId, ObjectId, Pattern, ProcessId, System, Target, Transition};
use crate::{State, TransitionId, ViewError};

/// A system without locations that hold.
pub(crate) struct Uncontrolled<'a> {
    pub(crate) system: Cow<'a, System>,
    /// The variable that says who has control, if there is one.
    control: Option<ObjectId>,
}

impl System {
    /// The same system without locations that hold, or why there is none.
    pub(crate) fn uncontrolled(&self) -> Result<Uncontrolled<'_>, ViewError> {
        if !self.has_holds() || self.observer.is_some() {
            return Ok(Uncontrolled { system: Cow::Borrowed(self), control: None });
        }
        let control = ObjectId::new(self.objects.len());
        let mut started: Vec<Vec<Vec<TransitionId>>> =
            self.processes.iter().map(|p| vec![Vec::new(); p.locations.len()]).collect();
        for t in self.transition_ids().filter(|&t| !self.transition(t).last_resort) {
            let starts = self.transition(t).starter().and_then(|p| self.transition(t).part(p));
            starts.into_iter().for_each(|m| started[m.process.index()][m.from.index()].push(t));
        }
        let mut system = self.clone();
        let nobody = Value::Int(0);
        let kind = Kind::Variable(Domain::Range { lo: 0, hi: self.processes.len() as i32 });
        system.objects.push(Object { name: "who has control".to_owned(), kind, initial: nobody, span: None });
        for (transition, new) in self.transitions.iter().zip(&mut system.transitions) {
            let free = Expr::read(control).is(0);
            let admitted = match transition.starter() {
                Some(p) => free.op(Binary::Or, Expr::read(control).is(number(p))),
                None => free,
            };
            new.guard.insert(0, admitted);
            let keeper = transition.keeper().map(|m| (m.process, m.to));
            let keeps = match keeper.filter(|&(p, l)| self.process(p).locations[l.index()].hold != Hold::No) {
                Some((p, l)) => match self.can_go_on(p, l, &started[p.index()][l.index()])? {
                    Expr::Const(1) => Expr::Const(number(p)),
                    condition => Expr::If(condition.into(), Expr::Const(number(p)).into(), Expr::Const(0).into()),
                },
                None => Expr::Const(0),
            };
            new.command.push(Command::Assign(control.into(), keeps));
        }
        system.processes.iter_mut().flat_map(|p| &mut p.locations).for_each(|l| l.hold = Hold::No);
        system.layout = Layout::new(&system.processes, &system.objects, &system.transitions, None);
        system.program = Program::new(&system);
        Ok(Uncontrolled { system: Cow::Owned(system), control: Some(control) })
    }

    /// The value that an object of the system without locations that hold has in a state of this one.
    pub(crate) fn uncontrolled_value(&self, object: ObjectId, state: &State) -> Value {
        match object.index() == self.objects.len() {
            true => Value::Int(self.control(state).map_or(0, number)),
            false => self.value(object, state),
        }
    }

    /// The condition under which a process can go on with one of these transitions, which it starts at a location that
    /// holds it.
    fn can_go_on(&self, p: ProcessId, l: LocationId, started: &[TransitionId]) -> Result<Expr, ViewError> {
        let location = &self.process(p).locations[l.index()];
        let refused = || {
            let name = &self.process(p).name;
            let message = format!("whether `{name}` goes on alone from `{}` is no plain condition", location.name);
            ViewError::new(message).at(location.span)
        };
        let ways = started.iter().map(|&t| self.is_possible(self.transition(t)));
        let ways: Vec<Vec<Expr>> = ways.collect::<Option<_>>().ok_or_else(refused)?;
        let always = ways.iter().any(Vec::is_empty);
        match location.hold {
            Hold::Step if ways.len() != 1 || !always => Err(refused()),
            _ if always => Ok(Expr::Const(1)),
            _ => Ok(ways.into_iter().map(|way| joined(Binary::And, way, 1)).fold(Expr::Const(0), |all, way| {
                joined(Binary::Or, [all, way].into_iter().filter(|e| *e != Expr::Const(0)).collect(), 0)
            })),
        }
    }

    /// What must be true for a transition to be possible where its process is; nothing if it is more than that.
    fn is_possible(&self, t: &Transition) -> Option<Vec<Expr>> {
        let safe = t.guard.iter().all(|e| bounds(e, &self.objects).is_some());
        if t.moves.len() != 1 || !safe || t.command.iter().skip(1).any(Command::is_partial) {
            return None;
        }
        let fixed = |target: &Target| target.index.is_none().then(|| target.clone());
        let free = |pattern: &Pattern| !matches!(pattern, Pattern::Match(_));
        let first = match t.command.first().filter(|c| c.is_partial()) {
            None => None,
            Some(Command::Send(target, _)) => Some(Expr::Full(fixed(target)?).negate()),
            Some(Command::Receive(target, patterns)) if patterns.iter().all(free) => {
                Some(Expr::Empty(fixed(target)?).negate())
            }
            Some(Command::Acquire(target, _)) => Some(Expr::Free(fixed(target)?)),
            Some(Command::Take(target, k)) => Some(Expr::read(fixed(target)?).op(Binary::Ge, i64::from(*k))),
            Some(_) => return None,
        };
        Some(t.guard.iter().cloned().chain(first).collect())
    }
}

impl Uncontrolled<'_> {
    /// What a predicate with some truth value asks where nobody has control: in between it is not asked.
    pub(crate) fn asked(&self, predicate: &Expr, value: bool) -> Expr {
        let Some(control) = self.control else { return predicate.clone() };
        let (test, op) = if value { (Binary::Eq, Binary::And) } else { (Binary::Ne, Binary::Or) };
        Expr::read(control).op(test, 0).op(op, predicate.clone())
    }
}

fn number(p: ProcessId) -> i64 {
    i64::from(p.0) + 1
}

fn joined(op: Binary, parts: Vec<Expr>, none: i64) -> Expr {
    parts.into_iter().reduce(|a, b| a.op(op, b)).unwrap_or(Expr::Const(none))
}
