//! Which values variables and messages can have: intervals over all that is ever written, whatever the order.
//!
//! A variable that is only written small numbers takes few bits of a state, whatever its type. Variables that keep
//! growing (`x = x + 1`) are given up after some rounds: they can have all values of their type.

use std::collections::BTreeSet;

use super::Checked;
use super::ground::{Ground, Known};
use super::points::Points;
use super::term::{INT, Term};
use super::translate::{Leaves, term};
use crate::promela::ir::{Action, Argument, Column, Expr, Initial, Look, Query, Scalar, Slot, Variable};

/// The rounds before a growing interval is given up.
const ROUNDS: usize = 3;

/// The least and the greatest value.
pub(super) type Bounds = (i64, i64);

/// The values of global variables, of local ones by proctype, and of the fields of messages by channel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ranges {
    pub(super) globals: Vec<Bounds>,
    pub(super) locals: Vec<Vec<Bounds>>,
    pub(super) fields: Vec<Vec<Bounds>>,
}

impl Ranges {
    pub(super) fn new(ground: &Ground<'_>, points: &Points) -> Checked<Self> {
        let channels = channels(ground, points);
        let mut ranges = Self::start(ground)?;
        for round in 0.. {
            let mut next = ranges.clone();
            for (p, channels) in channels.iter().enumerate() {
                next.pass(ground, p, channels, &ranges)?;
            }
            if next == ranges {
                break;
            }
            if round >= ROUNDS {
                next.give_up(&ranges, ground);
            }
            ranges = next;
        }
        Ok(ranges)
    }

    fn start(ground: &Ground<'_>) -> Checked<Self> {
        let global = |known: &Known| join_all((i64::MAX, i64::MIN), known.initial.as_deref().unwrap_or(&[0]));
        let locals = ground.program.proctypes.iter().map(|p| vec![(0, 0); p.locals.len()]);
        let fields = ground.channels.iter().map(|c| vec![(0, 0); c.fields.len()]);
        let globals = ground.globals.iter().map(global).collect();
        let mut ranges = Ranges { globals, locals: locals.collect(), fields: fields.collect() };
        for (seat, known) in ground.locals.iter().enumerate() {
            let locals = &mut ranges.locals[ground.seats[seat].proctype.0 as usize];
            for (bounds, known) in locals.iter_mut().zip(known) {
                *bounds = join_all(*bounds, known.initial.as_deref().unwrap_or(&[]));
            }
        }
        Ok(ranges)
    }

    /// What has grown again can have all values of its type.
    fn give_up(&mut self, before: &Ranges, ground: &Ground<'_>) {
        let widen = |new: &mut Bounds, old: &Bounds, scalar: Scalar| {
            if new != old {
                *new = join(*new, all(scalar, ground));
            }
        };
        let declared = |variables: &[Variable], new: &mut [Bounds], old: &[Bounds]| {
            for ((variable, new), old) in variables.iter().zip(new).zip(old) {
                widen(new, old, variable.scalar);
            }
        };
        declared(&ground.program.globals, &mut self.globals, &before.globals);
        for (p, proctype) in ground.program.proctypes.iter().enumerate() {
            declared(&proctype.locals, &mut self.locals[p], &before.locals[p]);
        }
        for (c, channel) in ground.channels.iter().enumerate() {
            for (k, scalar) in channel.fields.iter().enumerate() {
                widen(&mut self.fields[c][k], &before.fields[c][k], *scalar);
            }
        }
    }

    /// All that the statements of a proctype write.
    fn pass(&mut self, ground: &Ground<'_>, p: usize, channels: &[Vec<u32>], old: &Ranges) -> Checked<()> {
        let view = View { ground, ranges: old, proctype: p };
        let proctype = &ground.program.proctypes[p];
        for (l, variable) in proctype.locals.iter().enumerate().skip(proctype.parameters as usize) {
            let list = match &variable.initial {
                Initial::Each(e) => std::slice::from_ref(e),
                Initial::List(list) => list,
                Initial::Channels { .. } => &[],
            };
            for e in list {
                self.write(ground, p, Column::Local(l as u32), term(e, &view)?);
            }
        }
        for (edge, channels) in proctype.graph.edges.iter().zip(channels) {
            match &edge.action {
                Action::Assign(slot, e) => self.write(ground, p, slot.column, term(e, &view)?),
                Action::Run(started, arguments, slot) => {
                    for (l, e) in arguments.iter().enumerate() {
                        let column = Column::Local(l as u32);
                        self.write(ground, started.0 as usize, column, term(e, &view)?);
                    }
                    let numbers = view.opaque((0, i64::from(ground.plan.slots())));
                    slot.iter().for_each(|s| self.write(ground, p, s.column, numbers.clone()));
                }
                Action::Send(send) => {
                    for (k, e) in send.values.iter().enumerate() {
                        let value = term(e, &view)?;
                        for c in channels.iter().map(|c| *c as usize - 1) {
                            if let Some(scalar) = ground.channels[c].fields.get(k) {
                                let wrapped = value.clone().wrapped(scalar.wrap()).bounds;
                                self.fields[c][k] = join(self.fields[c][k], wrapped);
                            }
                        }
                    }
                }
                Action::Receive(receive) => {
                    for (k, argument) in receive.arguments.iter().enumerate() {
                        let Argument::Bind(slot) = argument else { continue };
                        for c in channels.iter().map(|c| *c as usize - 1) {
                            let bounds = old.fields[c].get(k).copied().unwrap_or((0, 0));
                            self.write(ground, p, slot.column, view.opaque(bounds));
                        }
                    }
                }
                Action::Skip | Action::Test(_) | Action::Assert(_) | Action::Event(_) => {}
            }
        }
        Ok(())
    }

    fn write(&mut self, ground: &Ground<'_>, p: usize, column: Column, value: Term) {
        let (variable, bounds) = match column {
            Column::Global(g) => (&ground.program.globals[g as usize], &mut self.globals[g as usize]),
            Column::Local(l) => (&ground.program.proctypes[p].locals[l as usize], &mut self.locals[p][l as usize]),
        };
        let written = match variable.scalar {
            Scalar::Chan => all(Scalar::Chan, ground),
            scalar => value.wrapped(scalar.wrap()).bounds,
        };
        *bounds = join(*bounds, written);
    }
}

/// The channels that each statement of each proctype can send to or receive from, in whichever process.
fn channels(ground: &Ground<'_>, points: &Points) -> Vec<Vec<Vec<u32>>> {
    let edges = ground.program.proctypes.iter().map(|p| vec![BTreeSet::new(); p.graph.edges.len()]);
    let mut sets: Vec<Vec<BTreeSet<u32>>> = edges.collect();
    for (seat, id) in ground.seats.iter().enumerate() {
        for (edge, set) in ground.proctype(seat).graph.edges.iter().zip(&mut sets[id.proctype.0 as usize]) {
            match &edge.action {
                Action::Send(send) => set.extend(points.of(ground, Some(seat), &send.channel)),
                Action::Receive(receive) => set.extend(points.of(ground, Some(seat), &receive.channel)),
                _ => {}
            }
        }
    }
    sets.into_iter().map(|p| p.into_iter().map(|s| s.into_iter().collect()).collect()).collect()
}

/// All values of a type.
pub(super) fn all(scalar: Scalar, ground: &Ground<'_>) -> Bounds {
    match scalar {
        Scalar::Chan => (0, ground.channels.len() as i64),
        scalar => scalar.wrap().range(),
    }
}

fn join(a: Bounds, b: Bounds) -> Bounds {
    (a.0.min(b.0), a.1.max(b.1))
}

fn join_all(bounds: Bounds, values: &[i64]) -> Bounds {
    values.iter().fold(bounds, |b, v| join(b, (*v, *v)))
}

/// What a statement of a proctype sees, as far as it is known.
struct View<'v, 'p> {
    ground: &'v Ground<'p>,
    ranges: &'v Ranges,
    proctype: usize,
}

impl View<'_, '_> {
    /// Some value within bounds.
    fn opaque(&self, bounds: Bounds) -> Term {
        let expr = model::Expr::At(model::ProcessId(0), model::LocationId(0));
        if bounds.0 == bounds.1 { Term::constant(bounds.0) } else { Term { expr, bounds, safe: true } }
    }

    fn read(&self, proctype: usize, slot: &Slot) -> Bounds {
        match slot.column {
            Column::Global(g) => self.ranges.globals[g as usize],
            Column::Local(l) => self.ranges.locals[proctype][l as usize],
        }
    }
}

impl Leaves for View<'_, '_> {
    fn leaf(&self, expr: &Expr) -> Checked<Term> {
        let slots = i64::from(self.ground.plan.slots());
        Ok(self.opaque(match expr {
            Expr::Read(slot) => self.read(self.proctype, slot),
            Expr::Query(Query::Len, _) => {
                (0, self.ground.channels.iter().map(|c| i64::from(c.capacity)).max().unwrap_or(0))
            }
            Expr::Pid | Expr::ProcessCount | Expr::Last => (0, slots),
            Expr::Remote(p, _, look) => match &**look {
                Look::At(_) => (0, 1),
                Look::Variable(slot) => join((0, 0), self.read(p.0 as usize, slot)),
            },
            Expr::PcValue(_) => INT.range(),
            _ => (0, 1),
        }))
    }
}
