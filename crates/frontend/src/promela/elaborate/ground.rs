//! What is known of processes and variables before anything moves: which processes there can be, which channels they
//! have, what variables hold when they come into being, and which of them never change.

use model::Span;

use super::facts::Facts;
use super::plan::{Plan, Seat};
use super::term::Term;
use super::translate::{Leaves, flat_index, term};
use super::{Checked, refuse};
use crate::promela::ir::{Column, Expr, Initial, NodeId, Program, Scalar, Slot, Variable};

/// The most cells of all variables together.
const MAX_CELLS: usize = 1 << 20;
/// The most channels.
const MAX_CHANNELS: usize = 1 << 16;

/// What is known of a variable.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// What its cells hold when it comes into being, if that is always the same.
    pub(super) initial: Option<Vec<i64>>,
    /// Whether they never change afterwards.
    pub(super) fixed: bool,
    /// The number of cells.
    pub(super) cells: u32,
}

impl Known {
    /// What the cells hold, if they always hold it.
    pub(super) fn values(&self) -> Option<&[i64]> {
        self.initial.as_deref().filter(|_| self.fixed)
    }
}

/// A channel of its own. Its number in chan variables is its position plus one.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) name: String,
    pub(super) capacity: u32,
    pub(super) fields: Vec<Scalar>,
    /// The process that it lives and dies with.
    pub(super) owner: Option<usize>,
    pub(super) span: Span,
}

impl Default for Channel {
    fn default() -> Self {
        let (name, fields, span) = (String::new(), Vec::new(), Span::new(0, 0));
        Self { name, capacity: 0, fields, owner: None, span }
    }
}

/// Everything that is known beforehand.
pub(super) struct Ground<'p> {
    pub(super) program: &'p Program,
    pub(super) plan: &'p Plan,
    pub(super) facts: Facts,
    /// The processes, in the order of their numbers.
    pub(super) seats: Vec<Seat>,
    pub(super) globals: Vec<Known>,
    /// Of each process.
    pub(super) locals: Vec<Vec<Known>>,
    pub(super) channels: Vec<Channel>,
    cells: usize,
    next_channel: u32,
}

impl<'p> Ground<'p> {
    pub(super) fn new(program: &'p Program, plan: &'p Plan) -> Checked<Self> {
        let seats: Vec<Seat> = plan.seats.keys().copied().collect();
        let (globals, locals) = (Vec::new(), Vec::new());
        if plan.channel_count as usize > MAX_CHANNELS {
            return refuse(Span::new(0, 0), format!("there are more than {MAX_CHANNELS} channels"));
        }
        let channels = vec![Channel::default(); plan.channel_count as usize];
        let facts = Facts::new(program);
        let mut ground = Ground { program, plan, facts, seats, globals, locals, channels, cells: 0, next_channel: 1 };
        for (g, variable) in program.globals.iter().enumerate() {
            let written = ground.facts.is_written(crate::promela::ir::ProctypeId(0), Column::Global(g as u32));
            let initial = ground.initial(variable, None)?;
            let known = ground.known(variable, initial, written)?;
            ground.globals.push(known);
        }
        for seat in 0..ground.seats.len() {
            ground.next_channel = plan.channels[&ground.seats[seat]];
            ground.seat(seat)?;
        }
        Ok(ground)
    }

    /// Whether a process is there from the start.
    pub(super) fn is_active(&self, seat: usize) -> bool {
        let Seat { slot, proctype } = self.seats[seat];
        let before: u32 = self.program.proctypes[..proctype.0 as usize].iter().map(|p| p.active).sum();
        let own = self.program.proctypes[proctype.0 as usize].active;
        (before..before + own).contains(&slot)
    }

    /// The proctype of a process.
    pub(super) fn proctype(&self, seat: usize) -> &'p crate::promela::ir::Proctype {
        &self.program.proctypes[self.seats[seat].proctype.0 as usize]
    }

    /// The end of the body of a process.
    pub(super) fn end(&self, seat: usize) -> NodeId {
        NodeId(self.proctype(seat).graph.nodes.len().saturating_sub(1) as u32)
    }

    /// What a process is called.
    pub(super) fn name(&self, seat: usize) -> String {
        format!("{}:{}", self.proctype(seat).name, self.seats[seat].slot)
    }

    /// The declaration of a variable that a process uses.
    pub(super) fn variable(&self, seat: Option<usize>, column: Column) -> &'p Variable {
        match (column, seat) {
            (Column::Global(g), _) => &self.program.globals[g as usize],
            (Column::Local(l), Some(seat)) => &self.proctype(seat).locals[l as usize],
            (Column::Local(_), None) => unreachable!("resolution gives local variables to processes only"),
        }
    }

    /// What is known of a variable that a process uses.
    pub(super) fn about(&self, seat: Option<usize>, column: Column) -> &Known {
        match (column, seat) {
            (Column::Global(g), _) => &self.globals[g as usize],
            (Column::Local(l), Some(seat)) => &self.locals[seat][l as usize],
            (Column::Local(_), None) => unreachable!("resolution gives local variables to processes only"),
        }
    }

    fn seat(&mut self, seat: usize) -> Checked<()> {
        let (proctype, id) = (self.proctype(seat), self.seats[seat]);
        let parameters = &self.plan.seats[&id];
        self.locals.push(Vec::new());
        for (l, variable) in proctype.locals.iter().enumerate() {
            let written = self.facts.is_written(id.proctype, Column::Local(l as u32));
            let initial = match parameters.get(l) {
                Some(value) => value.map(|v| vec![v]),
                None => self.initial(variable, Some(seat))?,
            };
            let known = self.known(variable, initial, written)?;
            self.locals[seat].push(known);
        }
        Ok(())
    }

    fn known(&mut self, variable: &Variable, initial: Option<Vec<i64>>, written: bool) -> Checked<Known> {
        let cells = cells(variable);
        self.cells += cells as usize;
        if self.cells > MAX_CELLS {
            return refuse(variable.span, format!("all variables together have more than {MAX_CELLS} cells"));
        }
        Ok(Known { fixed: !written && initial.is_some(), initial, cells })
    }

    /// What a variable holds when it comes into being, if that is always the same.
    fn initial(&mut self, variable: &Variable, seat: Option<usize>) -> Checked<Option<Vec<i64>>> {
        let count = cells(variable) as usize;
        if count > MAX_CELLS {
            return refuse(variable.span, format!("all variables together have more than {MAX_CELLS} cells"));
        }
        let wrap = variable.scalar.wrap();
        let before = Before { ground: self, seat, span: variable.span };
        let value = |e: &Expr| Ok(term(e, &before)?.wrapped(wrap).value());
        Ok(match &variable.initial {
            Initial::Each(e) => value(e)?.map(|v| vec![v; count]),
            Initial::List(list) => {
                let values: Option<Vec<i64>> = list.iter().take(count).map(value).collect::<Checked<_>>()?;
                values.map(|mut values| {
                    values.resize(count, 0);
                    values
                })
            }
            Initial::Channels { capacity, fields } => {
                let first = self.next_channel;
                let names = cell_names(&self.qualified(variable, seat), &variable.sizes);
                for name in names {
                    let (capacity, fields) = (*capacity, fields.clone());
                    let channel = Channel { name, capacity, fields, owner: seat, span: variable.span };
                    self.channels[self.next_channel as usize - 1] = channel;
                    self.next_channel += 1;
                }
                Some((first..self.next_channel).map(i64::from).collect())
            }
        })
    }

    /// The name of a variable in the system.
    pub(super) fn qualified(&self, variable: &Variable, seat: Option<usize>) -> String {
        match seat {
            None => variable.name.to_string(),
            Some(seat) => format!("{}.{}", self.name(seat), variable.name),
        }
    }
}

/// The number of cells of a variable; more than there may be if they cannot be counted.
fn cells(variable: &Variable) -> u32 {
    let count = variable.sizes.iter().fold(1_u64, |n, s| n.saturating_mul(u64::from(*s)));
    count.min(u64::from(u32::MAX)) as u32
}

/// The names of all cells of a variable, in order.
pub(super) fn cell_names(name: &str, sizes: &[u32]) -> Vec<String> {
    let mut names = vec![name.to_owned()];
    for size in sizes {
        names = names.iter().flat_map(|n| (0..*size).map(move |i| format!("{n}[{i}]"))).collect();
    }
    names
}

/// The world in which first values are computed: in the initial state for processes that are there from the start, in
/// some later state otherwise.
struct Before<'g, 'p> {
    ground: &'g Ground<'p>,
    seat: Option<usize>,
    span: Span,
}

impl Before<'_, '_> {
    fn known(&self, column: Column) -> Option<&Known> {
        match (column, self.seat) {
            (Column::Global(g), _) => self.ground.globals.get(g as usize),
            (Column::Local(l), Some(seat)) => self.ground.locals[seat].get(l as usize),
            (Column::Local(_), None) => None,
        }
    }

    fn read(&self, slot: &Slot) -> Checked<Option<i64>> {
        let Some(known) = self.known(slot.column) else { return Ok(None) };
        let at_start = self.seat.is_none_or(|seat| self.ground.is_active(seat));
        let local = matches!(slot.column, Column::Local(_));
        let values = known.initial.as_deref().filter(|_| known.fixed || at_start || local);
        let sizes = &self.ground.variable(self.seat, slot.column).sizes;
        let index = flat_index(sizes, &slot.indices, self)?.map_or(Some(0), |index| index.value());
        let (Some(values), Some(index)) = (values, index) else { return Ok(None) };
        Ok(usize::try_from(index).ok().and_then(|i| values.get(i)).copied())
    }
}

impl Leaves for Before<'_, '_> {
    fn leaf(&self, expr: &Expr) -> Checked<Term> {
        let known = match expr {
            Expr::Read(slot) => self.read(slot)?,
            Expr::Pid => self.seat.map(|seat| i64::from(self.ground.seats[seat].slot)),
            _ => None,
        };
        let any = Term {
            expr: model::Expr::At(model::ProcessId(0), model::LocationId(0)),
            bounds: super::term::INT.range(),
            safe: false,
        };
        match (known, self.seat) {
            (Some(value), _) => Ok(Term::constant(value)),
            (None, None) => refuse(self.span, "the first value of a global variable must be constant".to_owned()),
            (None, Some(_)) => Ok(any),
        }
    }
}
