//! Splits a transition by the values that its indices depend on.
//!
//! `a[i] := 1` uses `i` and one cell, not all cells at once. With `i` fixed to a value the target is a fixed object, so
//! there is one *case* for each value of `i`, and in each case the other cells are left out. An index that reads
//! something else than plain values, or what the same step modified before, is not split: all cells are then used
//! jointly, which is larger but the same.

use std::collections::HashSet;

use super::values::Values;
use crate::code::Coder;
use crate::objects::Value;
use crate::{Command, Expr, ObjectId, Pattern, System, Target, Transition};

/// A transition in the states where some objects have certain values.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) guard: Vec<Expr>,
    pub(super) command: Vec<Command>,
    /// The objects that were fixed, with the numbers of their values.
    pub(super) fixed: Vec<(ObjectId, usize)>,
}

/// All cases of a transition, or nothing if there are more than `limit`.
pub(super) fn cases(system: &System, t: &Transition, values: &Values<'_>, limit: usize) -> Option<Vec<Case>> {
    let mut open = vec![Case::of(system, t)];
    let mut closed = Vec::new();
    while let Some(case) = open.pop() {
        match case.pivot() {
            None => closed.push(case),
            Some(object) => {
                // Fixing another object may show that one fixed before is read in further places.
                let before = case.fixed.iter().find(|(o, _)| *o == object).map(|(_, n)| *n);
                let numbers = before.map_or(0..values.len(object), |n| n..n + 1);
                open.extend(numbers.rev().map(|n| case.fix(system, values, object, n)));
            }
        }
        if open.len() + closed.len() > limit {
            return None;
        }
    }
    Some(closed)
}

impl Case {
    /// A transition with nothing fixed. Constant indices are decided, so that those that are left select no cell.
    pub(super) fn of(system: &System, t: &Transition) -> Case {
        let fixing = Fixing { system, fixed: None };
        let guard = t.guard.iter().map(|e| fixing.expr(e)).collect();
        let command = t.command.iter().map(|c| fixing.command(c)).collect();
        Case { guard, command, fixed: Vec::new() }
    }

    /// An object that an index reads where it still has its old value.
    pub(super) fn pivot(&self) -> Option<ObjectId> {
        let mut pivot = None;
        for e in &self.guard {
            e.walk(&mut |e| look(e.target(), &HashSet::new(), &mut pivot));
        }
        let mut modified = HashSet::new();
        for c in &self.command {
            let own = binds(c);
            let later: HashSet<ObjectId> = modified.union(&own).copied().collect();
            look(c.target(), &modified, &mut pivot);
            for e in values_of(c) {
                e.walk(&mut |e| look(e.target(), &modified, &mut pivot));
            }
            c.binds().for_each(|t| look(Some(t), &later, &mut pivot));
            modified = later;
            modified.extend(c.target().into_iter().flat_map(Target::objects));
        }
        pivot
    }

    /// The case in which an object has the value with this number.
    pub(super) fn fix(&self, system: &System, values: &Values<'_>, object: ObjectId, number: usize) -> Case {
        let Value::Int(constant) = *values.get(object, number) else {
            unreachable!("only objects with plain values are read by value")
        };
        let fixing = Fixing { system, fixed: Some((object, constant)) };
        let guard = self.guard.iter().map(|e| fixing.expr(e)).collect();
        let mut fresh = true;
        let mut command = Vec::new();
        for c in &self.command {
            command.push(if fresh { fixing.command(c) } else { c.clone() });
            fresh &= !binds(c).contains(&object) && !c.target().is_some_and(|t| may_mean(t, object));
        }
        let mut fixed = self.fixed.clone();
        if !fixed.contains(&(object, number)) {
            fixed.push((object, number));
        }
        Case { guard, command, fixed }
    }
}

/// Finds the first object that the index of `target` reads by value and that is not in `modified`.
fn look(target: Option<&Target>, modified: &HashSet<ObjectId>, pivot: &mut Option<ObjectId>) {
    let Some(index) = target.and_then(|t| t.index.as_deref()) else { return };
    index.walk(&mut |e| {
        if let Expr::Read(Target { first, index: None, .. }) = e
            && pivot.is_none()
            && !modified.contains(first)
        {
            *pivot = Some(*first);
        }
    });
}

/// Whether an object is among those of a target, without a look at each: arrays can be long, and cases many.
fn may_mean(target: &Target, object: ObjectId) -> bool {
    (target.first.0..target.first.0 + target.len).contains(&object.0)
}

/// The variables that a receive writes.
fn binds(command: &Command) -> HashSet<ObjectId> {
    command.binds().flat_map(Target::objects).collect()
}

/// The expressions that an operation evaluates, without the indices of its targets.
fn values_of(command: &Command) -> Vec<&Expr> {
    match command {
        Command::Assign(_, e) | Command::Assert(e) => vec![e],
        Command::Send(_, fields) | Command::Insert(_, fields) => fields.iter().collect(),
        command => command.patterns().iter().filter_map(Pattern::matched).collect(),
    }
}

/// Replaces the value of an object by a constant, and decides constant indices.
struct Fixing<'a> {
    system: &'a System,
    fixed: Option<(ObjectId, i64)>,
}

impl Fixing<'_> {
    fn expr(&self, e: &Expr) -> Expr {
        if let (Expr::Read(t), Some((object, constant))) = (e, self.fixed)
            && t.index.is_none()
            && t.first == object
        {
            return Expr::Const(constant);
        }
        e.rebuilt(|t| self.target(t), |e| self.expr(e))
    }

    /// A constant index that selects a cell gives that cell; one that does not stays, to be a fault when evaluated.
    fn target(&self, t: &Target) -> Target {
        let Some(index) = &t.index else { return t.clone() };
        let index = self.expr(index);
        if reads_nothing(&index) {
            let coder = Coder { layout: &self.system.layout, objects: &self.system.objects };
            if let Ok(constant) = coder.code(&index).eval(&[], &self.system.layout) {
                return Target::cell(t.first, t.len, Expr::Const(constant));
            }
        }
        Target { first: t.first, len: t.len, index: Some(Box::new(index)) }
    }

    fn command(&self, c: &Command) -> Command {
        match c {
            Command::Assign(t, e) => Command::Assign(self.target(t), self.expr(e)),
            Command::Acquire(t, p) => Command::Acquire(self.target(t), *p),
            Command::Release(t, p) => Command::Release(self.target(t), *p),
            Command::Gain(t, k) => Command::Gain(self.target(t), *k),
            Command::Take(t, k) => Command::Take(self.target(t), *k),
            Command::Send(t, fields) => Command::Send(self.target(t), self.exprs(fields)),
            Command::Insert(t, fields) => Command::Insert(self.target(t), self.exprs(fields)),
            Command::Receive(t, _) => Command::Receive(self.target(t), self.patterns(c)),
            Command::Retrieve(t, _, how) => Command::Retrieve(self.target(t), self.patterns(c), *how),
            Command::Unforeseen(_) => c.clone(),
            Command::Assert(e) => Command::Assert(self.expr(e)),
        }
    }

    fn exprs(&self, all: &[Expr]) -> Vec<Expr> {
        all.iter().map(|e| self.expr(e)).collect()
    }

    fn patterns(&self, c: &Command) -> Vec<Pattern> {
        let bound = self.fixed.is_some_and(|(object, _)| binds(c).contains(&object));
        let pattern = |p: &Pattern| match p {
            Pattern::Match(e) => Pattern::Match(self.expr(e)),
            // Where the receive itself writes the object, a later bind would read the new value.
            Pattern::Bind(b) if !bound => Pattern::Bind(self.target(b)),
            p => p.clone(),
        };
        c.patterns().iter().map(pattern).collect()
    }
}

/// Whether an expression has the same value in all states.
pub(super) fn reads_nothing(expr: &Expr) -> bool {
    let mut nothing = true;
    expr.walk(&mut |e| nothing &= e.target().is_none() && !matches!(e, Expr::At(..)));
    nothing
}
