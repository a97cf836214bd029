//! Which channels a variable can hold: a flow-insensitive analysis through assignments, parameters and messages.
//!
//! Numbers of channels may pass through variables of any type. Zero, no channel at all, is not kept: a variable that
//! changes may hold it at some time.

use std::collections::BTreeSet;

use super::ground::Ground;
use super::patience::{NoSystem, Patience};
use super::plan::Runner;
use crate::promela::ir::{Action, Argument, Column, Edge, EdgeId, Expr, Initial, Look, Scalar, Slot};

/// Numbers of channels.
type Set = BTreeSet<u32>;

/// A variable of a process, or a field of the messages of a channel.
#[derive(Clone, Copy)]
enum Node {
    Global(usize),
    Local(usize, usize),
    Field(u32, usize),
}

/// The channels that every variable and every field of a message can hold.
pub(super) struct Points {
    globals: Vec<Set>,
    locals: Vec<Vec<Set>>,
    fields: Vec<Vec<Set>>,
    changed: bool,
}

impl Points {
    pub(super) fn new(ground: &Ground<'_>, patience: &Patience) -> Result<Self, NoSystem> {
        let mut points = Points {
            globals: vec![Set::new(); ground.globals.len()],
            locals: ground.locals.iter().map(|l| vec![Set::new(); l.len()]).collect(),
            fields: ground.channels.iter().map(|c| vec![Set::new(); c.fields.len()]).collect(),
            changed: true,
        };
        points.start(ground);
        while std::mem::take(&mut points.changed) {
            patience.check(ground.seats.len())?;
            for seat in 0..ground.seats.len() {
                for (e, edge) in ground.proctype(seat).graph.edges.iter().enumerate() {
                    points.pass(ground, seat, EdgeId(e as u32), edge);
                }
            }
        }
        Ok(points)
    }

    /// The channels that a variable of a process can hold.
    pub(super) fn of(&self, ground: &Ground<'_>, seat: Option<usize>, slot: &Slot) -> Vec<u32> {
        let known = ground.about(seat, slot.column);
        match known.values() {
            Some(values) => values.iter().filter(|v| **v > 0).map(|v| *v as u32).collect(),
            None => self.get(node(seat, slot.column)).iter().copied().collect(),
        }
    }

    fn get(&self, node: Node) -> &Set {
        match node {
            Node::Global(g) => &self.globals[g],
            Node::Local(seat, l) => &self.locals[seat][l],
            Node::Field(channel, k) => &self.fields[channel as usize - 1][k],
        }
    }

    fn add(&mut self, node: Node, channels: &Set) {
        let set = match node {
            Node::Global(g) => &mut self.globals[g],
            Node::Local(seat, l) => &mut self.locals[seat][l],
            Node::Field(channel, k) => match self.fields[channel as usize - 1].get_mut(k) {
                Some(set) => set,
                None => return,
            },
        };
        let before = set.len();
        set.extend(channels);
        self.changed |= set.len() > before;
    }

    fn start(&mut self, ground: &Ground<'_>) {
        for (g, variable) in ground.program.globals.iter().enumerate() {
            self.first(ground, None, Column::Global(g as u32), &variable.initial, variable.scalar);
        }
        for seat in 0..ground.seats.len() {
            for (l, variable) in ground.proctype(seat).locals.iter().enumerate() {
                self.first(ground, Some(seat), Column::Local(l as u32), &variable.initial, variable.scalar);
            }
        }
    }

    fn first(&mut self, ground: &Ground<'_>, seat: Option<usize>, column: Column, initial: &Initial, scalar: Scalar) {
        let known = ground.about(seat, column);
        if let (Scalar::Chan, Some(values)) = (scalar, &known.initial) {
            let count = ground.channels.len() as i64;
            let channels = values.iter().filter(|v| (1..=count).contains(v)).map(|v| *v as u32).collect();
            self.add(node(seat, column), &channels);
        }
        if let (Some(seat), Initial::Each(e)) = (seat, initial) {
            let channels = self.sources(ground, seat, e);
            self.add(node(Some(seat), column), &channels);
        }
    }

    /// The channels that the value of an expression can be.
    fn sources(&self, ground: &Ground<'_>, seat: usize, e: &Expr) -> Set {
        match e {
            Expr::Read(slot) => self.of(ground, Some(seat), slot).into_iter().collect(),
            Expr::Cond(_, a, b) => &self.sources(ground, seat, a) | &self.sources(ground, seat, b),
            Expr::Remote(proctype, _, look) => {
                let Look::Variable(slot) = &**look else { return Set::new() };
                let seats = (0..ground.seats.len()).filter(|s| ground.seats[*s].proctype == *proctype);
                seats.flat_map(|s| self.of(ground, Some(s), slot)).collect()
            }
            _ => Set::new(),
        }
    }

    fn pass(&mut self, ground: &Ground<'_>, seat: usize, id: EdgeId, edge: &Edge) {
        match &edge.action {
            Action::Assign(slot, e) => {
                let channels = self.sources(ground, seat, e);
                self.add(node(Some(seat), slot.column), &channels);
            }
            Action::Send(send) => {
                for (k, value) in send.values.iter().enumerate() {
                    let channels = self.sources(ground, seat, value);
                    if !channels.is_empty() {
                        for to in self.of(ground, Some(seat), &send.channel) {
                            self.add(Node::Field(to, k), &channels);
                        }
                    }
                }
            }
            Action::Receive(receive) => {
                for (k, argument) in receive.arguments.iter().enumerate() {
                    let Argument::Bind(slot) = argument else { continue };
                    for from in self.of(ground, Some(seat), &receive.channel) {
                        let channels = self.fields[from as usize - 1].get(k).cloned().unwrap_or_default();
                        self.add(node(Some(seat), slot.column), &channels);
                    }
                }
            }
            Action::Run(_, arguments, _) => {
                let runner = Runner { seat: ground.seats[seat], edge: id };
                for started in ground.plan.runs.get(&runner).into_iter().flatten() {
                    let started = ground.seats.binary_search(started).expect("whoever is created has a seat");
                    for (l, argument) in arguments.iter().enumerate() {
                        let channels = self.sources(ground, seat, argument);
                        self.add(Node::Local(started, l), &channels);
                    }
                }
            }
            Action::Skip | Action::Test(_) | Action::Assert(_) | Action::Event(_) => {}
        }
    }
}

fn node(seat: Option<usize>, column: Column) -> Node {
    match (column, seat) {
        (Column::Global(g), _) => Node::Global(g as usize),
        (Column::Local(l), Some(seat)) => Node::Local(seat, l as usize),
        (Column::Local(_), None) => unreachable!("resolution gives local variables to processes only"),
    }
}
