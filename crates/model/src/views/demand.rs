//! What a transition needs of its counters, semaphores and locks, as a choice of parts for each of them.

use std::collections::BTreeMap;

use super::cases::Case;
use super::intervals::{from, intersect, solve};
use super::net::max_tokens;
use super::probe::{Outcome, Probe, groups, objects_of};
use super::values::Values;
use super::{Limits, ViewError};
use crate::code::{Code, Coder};
use crate::holders::LockUses;
use crate::objects::{Kind, Value};
use crate::{Command, Expr, ObjectId, System, Target, Transition};

/// What a transition needs of its objects: for each of them a choice of parts.
pub(super) struct Demand {
    pub(super) choices: BTreeMap<ObjectId, Vec<Part>>,
    /// Whether it is a fault whenever it is enabled.
    pub(super) fault: bool,
}

/// One way to satisfy a transition's demand on an object.
#[derive(Clone)]
pub(super) enum Part {
    /// Between `lo` and `hi` tokens, which become `delta` more.
    Tokens { lo: u32, hi: u32, delta: i64, fault: bool },
    /// A lock changes its value.
    Lock { from: Value, to: Value, fault: bool },
}

impl Part {
    pub(super) fn is_fault(&self) -> bool {
        match self {
            Part::Tokens { fault, .. } | Part::Lock { fault, .. } => *fault,
        }
    }
}

/// The conjuncts and operations of a transition on one object.
type Uses = BTreeMap<ObjectId, Case>;

/// Finds the demands of transitions.
pub(super) struct Reader<'a> {
    system: &'a System,
    values: Values<'a>,
    probe: Probe,
    pub(super) lock_uses: LockUses<'a>,
    /// Of each lock met so far, whether the place that says it is free is enough.
    pub(super) locks: BTreeMap<ObjectId, bool>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(system: &'a System, limits: Limits<'a>) -> Self {
        let (values, probe) = (Values::new(system, limits), Probe::new(system));
        Self { system, values, probe, lock_uses: LockUses::new(system), locks: BTreeMap::new() }
    }

    fn coder(&self) -> Coder<'a> {
        Coder { layout: &self.system.layout, objects: &self.system.objects }
    }

    /// The demand of a transition; `None` if it is never enabled.
    pub(super) fn demand(&mut self, t: &Transition) -> Result<Option<Demand>, ViewError> {
        let mut demand = Demand { choices: BTreeMap::new(), fault: false };
        let mut uses = Uses::new();
        for e in &t.guard {
            if !self.conjunct(t, e, &mut uses)? {
                return Ok(None);
            }
        }
        for c in &t.command {
            demand.fault |= self.operation(t, c, &mut uses)?;
        }
        for (object, case) in uses {
            let parts = match max_tokens(&self.system.object(object).kind) {
                Some(max) => self.token_parts(t, &case, max)?,
                None => self.lock_parts(t, object, &case)?,
            };
            demand.choices.insert(object, parts);
        }
        Ok(Some(demand))
    }

    /// Files a conjunct under its object; a constant one is decided at once.
    fn conjunct(&self, t: &Transition, e: &Expr, uses: &mut Uses) -> Result<bool, ViewError> {
        let refuse = |why: &str| {
            let message = format!("the guard `{}` of `{}` {why}", self.system.show_expr(e), t.name);
            ViewError::new(message).at(t.spans.first().copied())
        };
        if let Code::Const(c) = self.coder().code(e) {
            return Ok(c != 0);
        }
        let mut fixed = true;
        e.walk(&mut |e| fixed &= e.target().is_none_or(|t| t.index.is_none()));
        let objects = objects_of(e);
        match objects.first() {
            Some(&o) if fixed && objects.len() == 1 => match self.unsuitable(o) {
                Some(why) => Err(refuse(&why)),
                None => {
                    entry(uses, o).guard.push(e.clone());
                    Ok(true)
                }
            },
            _ if !fixed => Err(refuse("has an index that is not constant")),
            Some(_) => Err(refuse("uses several objects at once")),
            None => Err(refuse("is a model error")),
        }
    }

    /// Files an operation under its object; whether it is a fault by itself.
    fn operation(&self, t: &Transition, c: &Command, uses: &mut Uses) -> Result<bool, ViewError> {
        let refuse = |why: &str| {
            let message = format!("the operation `{}` of `{}` {why}", self.system.show_command(c), t.name);
            Err(ViewError::new(message).at(t.spans.first().copied()))
        };
        match (c, c.target()) {
            (Command::Assert(e), _) => match self.coder().code(e) {
                Code::Const(c) => Ok(c == 0),
                _ => refuse("tests objects"),
            },
            (Command::Unforeseen(_), _) => Ok(true),
            (_, Some(Target { first, index: None, .. })) => match self.unsuitable(*first) {
                Some(why) => refuse(&why),
                None => {
                    entry(uses, *first).command.push(c.clone());
                    Ok(false)
                }
            },
            _ => refuse("has an index that is not constant"),
        }
    }

    fn unsuitable(&self, object: ObjectId) -> Option<String> {
        let object = self.system.object(object);
        match object.kind {
            Kind::Counter { .. } | Kind::Semaphore { .. } | Kind::Lock => None,
            Kind::Variable(_) | Kind::Channel(_) => {
                Some(format!("uses the {} `{}`, which is no place of a net", object.kind.noun(), object.name))
            }
        }
    }

    fn token_parts(&self, t: &Transition, case: &Case, max: u32) -> Result<Vec<Part>, ViewError> {
        let amount = |c: &Command| match c {
            Command::Take(_, k) => (i64::from(*k), 0),
            Command::Gain(_, k) => (0, i64::from(*k)),
            _ => unreachable!("validation lets counters and semaphores only gain and take"),
        };
        let (taken, gained) = case.command.iter().map(amount).fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
        let mut intervals = u32::try_from(taken).map_or_else(|_| Vec::new(), |k| from(k, max));
        for e in &case.guard {
            let Some(values) = solve(e, max, self.coder()) else {
                let message = format!("the guard `{}` of `{}` is no bound", self.system.show_expr(e), t.name);
                return Err(ViewError::new(message).at(t.spans.first().copied()));
            };
            intervals = intersect(&intervals, &values);
        }
        Ok(intervals.into_iter().flat_map(|interval| split(interval, max, gained - taken)).collect())
    }

    fn lock_parts(&mut self, t: &Transition, lock: ObjectId, case: &Case) -> Result<Vec<Part>, ViewError> {
        if !self.locks.contains_key(&lock) {
            self.locks.insert(lock, self.lock_uses.free_place_suffices(lock));
            self.values.insert(lock, Value::Lock(None))?;
            for p in self.lock_uses.holders(lock) {
                self.values.insert(lock, Value::Lock(Some(p)))?;
            }
        }
        let group = groups(case).into_iter().next().expect("the case uses the lock");
        self.probe.load(&group);
        let mut parts = Vec::new();
        for n in 0..self.values.len(lock) {
            let from = self.values.get(lock, n).clone();
            match self.probe.run(&group, &[n], &self.values) {
                Outcome::Step(to) => parts.push(Part::Lock { from, to: to[0].clone(), fault: false }),
                Outcome::CommandFault => parts.push(Part::Lock { to: from.clone(), from, fault: true }),
                Outcome::Blocked(_) => {}
                Outcome::TestFault(_) => {
                    let message = format!("the guard of `{}` can be a model error", t.name);
                    return Err(ViewError::new(message).at(t.spans.first().copied()));
                }
            }
        }
        // Where locations tell the holder, a release is never a fault and needs no place.
        if self.locks[&lock] {
            parts.retain(|p| !p.is_fault());
        }
        Ok(parts)
    }
}

fn entry(uses: &mut Uses, object: ObjectId) -> &mut Case {
    uses.entry(object).or_insert_with(|| Case { guard: Vec::new(), command: Vec::new(), fixed: Vec::new() })
}

/// Cuts an interval where the result would exceed the maximum.
fn split((lo, hi): (u32, u32), max: u32, delta: i64) -> Vec<Part> {
    // The greatest value that does not overflow; negative if every value does.
    let last = i64::from(max) - delta;
    let clip = |v: i64| u32::try_from(v).unwrap_or(u32::MAX);
    let mut parts = Vec::new();
    if i64::from(lo) <= last {
        parts.push(Part::Tokens { lo, hi: hi.min(clip(last)), delta, fault: false });
    }
    if i64::from(hi) > last {
        parts.push(Part::Tokens { lo: lo.max(clip((last + 1).max(0))), hi, delta: 0, fault: true });
    }
    parts
}
