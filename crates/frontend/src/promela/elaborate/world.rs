//! The objects of the system: variables and channels of the program and of all its processes.

use std::cell::RefCell;
use std::sync::Arc;

use model::{Builder, ChannelType, Domain, Enumeration, Expr, Kind, LocationId, ObjectId, ProcessId, Target, Value};

use super::Checked;
use super::control::Control;
use super::ground::{Ground, Known, cell_names};
use super::points::Points;
use super::ranges::{Bounds, Ranges};
use super::term::Term;
use super::trace::Follower;
use crate::Diagnostic;
use crate::promela::Options;
use crate::promela::ir::{Column, Initial, Scalar, Variable};

/// The largest table of constants that becomes an expression instead of a part of the state.
const TABLE: u32 = 1 << 10;

/// The name of the location where a process is not there.
const ABSENT: &str = "-not there-";
/// The name of the location where a process drops messages.
const DRAIN: &str = "-dying-";

/// Where a variable lives.
#[derive(Clone, Debug)]
pub(super) struct Store {
    /// Its first cell; nothing if it needs no place in the state.
    pub(super) first: Option<ObjectId>,
    /// Which values it has.
    pub(super) bounds: Bounds,
    /// An object that takes no room in a state, to say what is wrong with an index of a variable without cells, or with
    /// a variable that should hold a channel and does not.
    pub(super) miss: Option<ObjectId>,
}

/// A program with all its objects and processes.
pub(super) struct World<'p> {
    pub(super) ground: Ground<'p>,
    pub(super) points: Points,
    pub(super) ranges: Ranges,
    pub(super) builder: RefCell<Builder>,
    pub(super) globals: Vec<Store>,
    pub(super) locals: Vec<Vec<Store>>,
    /// The channels, by number minus one.
    pub(super) channels: Vec<ObjectId>,
    /// How many processes there are, where that changes.
    pub(super) count: Option<ObjectId>,
    /// Who took the last step, where that is asked.
    pub(super) last: Option<ObjectId>,
    /// An object that takes no room in a state, to say that a process asks whether it is enabled itself.
    pub(super) itself: Option<ObjectId>,
    /// Where the `trace` or `notrace` assertion is.
    pub(super) follower: Option<Follower<'p>>,
    /// Where a process is, where statements ask for it.
    pub(super) shadows: Vec<Option<ObjectId>>,
    /// What the graphs of all proctypes look like.
    pub(super) control: Vec<Control>,
    /// Variables that hold something during a step only.
    spares: RefCell<Vec<(usize, usize, Scalar, ObjectId)>>,
    /// Remarks about what statements, claims and formulas look at.
    pub(super) remarks: RefCell<Vec<Diagnostic>>,
    /// What `enabled` became: the number that was asked about, and the condition.
    pub(super) asked: RefCell<Vec<(Expr, Expr)>>,
}

impl<'p> World<'p> {
    pub(super) fn new(name: &str, ground: Ground<'p>, points: Points, control: Vec<Control>) -> Checked<Self> {
        let ranges = Ranges::new(&ground, &points)?;
        let (globals, locals, channels, shadows) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (builder, spares, remarks) = (RefCell::new(Builder::new(name)), RefCell::default(), RefCell::default());
        let (count, last, itself, follower) = (None, None, None, None);
        let mut world = World {
            ground,
            points,
            ranges,
            builder,
            globals,
            locals,
            channels,
            count,
            last,
            itself,
            follower,
            shadows,
            control,
            spares,
            remarks,
            asked: RefCell::default(),
        };
        world.processes();
        world.counters();
        world.variables();
        Ok(world)
    }

    /// The process of a seat.
    pub(super) fn process(&self, seat: usize) -> ProcessId {
        ProcessId::new(seat)
    }

    /// The control flow of a seat.
    pub(super) fn flow(&self, seat: usize) -> &Control {
        &self.control[self.ground.seats[seat].proctype.0 as usize]
    }

    /// The location where a process is not there: before it is created and after it died.
    pub(super) fn absent(&self, seat: usize) -> LocationId {
        LocationId::new(self.flow(seat).nodes.len())
    }

    /// The location where a process that dies drops the messages in its own channels.
    pub(super) fn drain(&self, seat: usize) -> Option<LocationId> {
        let own = self.ground.channels.iter().any(|c| c.owner == Some(seat) && c.capacity > 0);
        (own && self.flow(seat).ends).then(|| LocationId::new(self.flow(seat).nodes.len() + 1))
    }

    fn processes(&mut self) {
        for seat in 0..self.ground.seats.len() {
            let proctype = self.ground.proctype(seat);
            let process = self.builder.get_mut().process(self.ground.name(seat));
            self.builder.get_mut().process_mut(process).span = Some(proctype.span);
            let names = self.flow(seat).names.clone();
            let nodes = self.flow(seat).nodes.clone();
            for (name, node) in names.into_iter().zip(nodes) {
                let location = self.builder.get_mut().location(process, name);
                let node = &proctype.graph.nodes[node.0 as usize];
                let made = &mut self.builder.get_mut().process_mut(process).locations[location.index()];
                (made.end, made.hold, made.span) = (node.end, super::control::hold(node.hold), Some(node.span));
            }
            if self.ground.is_active(seat) && !self.flow(seat).ends {
                continue;
            }
            let absent = self.builder.get_mut().location(process, ABSENT);
            self.builder.get_mut().end(process, absent);
            if !self.ground.is_active(seat) {
                self.builder.get_mut().process_mut(process).initial = absent;
            }
            if self.drain(seat).is_some() {
                let drain = self.builder.get_mut().location(process, DRAIN);
                self.builder.get_mut().hold(process, drain, model::Hold::Atomic);
            }
        }
    }

    fn counters(&mut self) {
        let changes = (0..self.ground.seats.len()).any(|s| !self.ground.is_active(s) || self.flow(s).ends)
            || self.control.iter().any(|c| c.runs);
        let (active, slots) = (i64::from(self.ground.plan.active), self.ground.plan.slots() as i32);
        if changes {
            let kind = Kind::Variable(Domain::Range { lo: 0, hi: slots });
            self.count = Some(self.builder.get_mut().object_with("_nr_pr", kind, Value::Int(active), None));
        }
        if self.ground.facts.asks_last {
            let kind = Kind::Variable(Domain::Range { lo: 0, hi: slots });
            self.last = Some(self.builder.get_mut().object_with("_last", kind, Value::Int(0), None));
        }
        if self.ground.facts.asks_enabled {
            let kind = Kind::Variable(Domain::Range { lo: 0, hi: 0 });
            self.itself = Some(self.builder.get_mut().object("enabled (a process asks about itself)", kind));
        }
        let trace = self.ground.program.trace.as_ref();
        self.follower = trace.map(|trace| Follower::new(trace, self.builder.get_mut()));
        for seat in 0..self.ground.seats.len() {
            let watched = self.ground.facts.watched[self.ground.seats[seat].proctype.0 as usize];
            let shadow = watched.then(|| self.shadow(seat));
            self.shadows.push(shadow);
        }
    }

    /// A variable that follows a process.
    fn shadow(&mut self, seat: usize) -> ObjectId {
        let process = &*self.builder.get_mut().process_mut(ProcessId::new(seat));
        let name = format!("{}@", process.name);
        let constants = process.locations.iter().map(|l| l.name.clone()).collect();
        let initial = Value::Int(i64::from(process.initial.0));
        let domain = Domain::Named(Arc::new(Enumeration { name: name.clone(), constants }));
        self.builder.get_mut().object_with(name, Kind::Variable(domain), initial, None)
    }

    fn variables(&mut self) {
        let program = self.ground.program;
        for (g, variable) in program.globals.iter().enumerate() {
            let known = self.ground.globals[g].clone();
            let needed = !variable.hidden || self.ground.facts.is_read(g);
            let store = self.store(variable, None, &known, self.ranges.globals[g], needed);
            self.globals.push(store);
        }
        for seat in 0..self.ground.seats.len() {
            let proctype = self.ground.seats[seat].proctype.0 as usize;
            let mut stores = Vec::new();
            for (l, variable) in self.ground.proctype(seat).locals.iter().enumerate() {
                let known = self.ground.locals[seat][l].clone();
                let bounds = self.ranges.locals[proctype][l];
                stores.push(self.store(variable, Some(seat), &known, bounds, true));
            }
            self.locals.push(stores);
        }
        for at in 0..self.ground.channels.len() {
            let channel = self.ground.channels[at].clone();
            let fields = channel.fields.iter().zip(&self.ranges.fields[at]);
            let fields = fields.map(|(s, b)| s.domain(*b, program)).collect();
            let kind = Kind::Channel(ChannelType { capacity: channel.capacity, lossy: false, fields });
            self.channels.push(self.builder.get_mut().object_with(
                channel.name,
                kind,
                Value::Queue(Vec::new()),
                Some(channel.span),
            ));
        }
    }

    fn store(
        &mut self,
        variable: &Variable,
        seat: Option<usize>,
        known: &Known,
        bounds: Bounds,
        needed: bool,
    ) -> Store {
        let name = self.ground.qualified(variable, seat);
        let values = known.values();
        let bounds =
            values.map_or(bounds, |v| (v.iter().copied().min().unwrap_or(0), v.iter().copied().max().unwrap_or(0)));
        let fault = Kind::Variable(Domain::Range { lo: 0, hi: 0 });
        let mut miss = None;
        if values.is_some() && !variable.sizes.is_empty() {
            miss = Some(self.builder.get_mut().object(name.clone(), fault));
        } else if variable.scalar == Scalar::Chan {
            miss = Some(self.builder.get_mut().object(format!("{name} (no channel)"), fault));
        }
        if !needed || (values.is_some() && known.cells <= TABLE) {
            return Store { first: None, bounds, miss };
        }
        let domain = match variable.scalar {
            Scalar::Chan => self.channel_names(),
            scalar => scalar.domain(bounds, self.ground.program),
        };
        // A channel has the name under which it was declared.
        let name =
            if matches!(variable.initial, Initial::Channels { .. }) { format!("{name} (variable)") } else { name };
        let there = seat.is_none_or(|seat| self.ground.is_active(seat)) || values.is_some();
        let initial = known.initial.as_deref().filter(|_| there).unwrap_or(&[]);
        let mut first = None;
        for (at, cell) in cell_names(&name, &variable.sizes).into_iter().enumerate() {
            let value = Value::Int(initial.get(at).copied().unwrap_or(0));
            let kind = Kind::Variable(domain.clone());
            let object = self.builder.get_mut().object_with(cell, kind, value, Some(variable.span));
            first = first.or(Some(object));
        }
        Store { first, bounds, miss }
    }

    /// The values of variables that hold channels.
    fn channel_names(&self) -> Domain {
        let names = self.ground.channels.iter().map(|c| c.name.clone());
        let constants = std::iter::once("no channel".to_owned()).chain(names).collect();
        Domain::Named(Arc::new(Enumeration { name: "chan".to_owned(), constants }))
    }

    /// Where a variable of a process lives.
    pub(super) fn stored(&self, seat: Option<usize>, column: Column) -> &Store {
        match (column, seat) {
            (Column::Global(g), _) => &self.globals[g as usize],
            (Column::Local(l), Some(seat)) => &self.locals[seat][l as usize],
            (Column::Local(_), None) => unreachable!("resolution gives local variables to processes only"),
        }
    }

    /// A variable of a process that holds a field of a message during a step, and zero otherwise.
    pub(super) fn spare(&self, seat: usize, field: usize, scalar: Scalar) -> ObjectId {
        let mut spares = self.spares.borrow_mut();
        if let Some(found) = spares.iter().find(|s| (s.0, s.1, s.2) == (seat, field, scalar)) {
            return found.3;
        }
        let (lo, hi) = super::ranges::all(scalar, &self.ground);
        let name = format!("{} (received {field}, number {})", self.ground.name(seat), spares.len());
        let kind = Kind::Variable(Domain::Range { lo: lo as i32, hi: hi as i32 });
        let object = self.builder.borrow_mut().object(name, kind);
        spares.push((seat, field, scalar, object));
        object
    }

    /// What must be true, besides, where processes stop for good.
    pub(super) fn stop_conditions(&self, options: &Options) -> Vec<Expr> {
        let buffered = self.ground.channels.iter().zip(&self.channels).filter(|(c, _)| c.capacity > 0);
        let empty = buffered.filter(|_| options.empty_channels).map(|(_, o)| Expr::Empty(Target::fixed(*o)));
        empty.chain(self.completed().map(|completed| completed.expr)).collect()
    }

    /// How many processes there are.
    pub(super) fn count(&self) -> Term {
        match self.count {
            None => Term::constant(i64::from(self.ground.plan.active)),
            Some(count) => {
                let bounds = (0, i64::from(self.ground.plan.slots()));
                Term { expr: Expr::read(Target::fixed(count)), bounds, safe: true }
            }
        }
    }
}
