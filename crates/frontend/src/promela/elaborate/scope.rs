//! What an expression of a process, of a claim or of a formula means in the system.

use model::{Binary as Op, Expr as Code, ObjectId, Span, Target};

use super::ground::Ground;
use super::term::Term;
use super::translate::{Leaves, flat_index, term};
use super::world::World;
use super::{Checked, refuse};
use crate::Diagnostic;
use crate::promela::ir::{Binary, Expr, Look, Node, NodeId, ProctypeId, Slot, Unary};

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Scope<'w, 'p> {
    pub(super) world: &'w World<'p>,
    /// The process that evaluates it; nothing for claims and formulas, which may look at locations themselves.
    pub(super) seat: Option<usize>,
    /// What `timeout` is: to claims and formulas, see `idle`.
    pub(super) timeout: bool,
    /// What to say where something is wrong.
    pub(super) span: Span,
}

impl<'w, 'p> Scope<'w, 'p> {
    pub(super) fn ground(&self) -> &'w Ground<'p> {
        &self.world.ground
    }

    /// The term for an expression.
    pub(super) fn term(&self, e: &Expr) -> Checked<Term> {
        term(e, self)
    }

    /// The same for a condition: 0 or 1.
    pub(super) fn condition(&self, e: &Expr) -> Checked<Term> {
        Ok(term(e, self)?.into_truth())
    }

    /// The index of a cell among all cells of its variable; nothing for a plain variable.
    pub(super) fn index(&self, slot: &Slot) -> Checked<Option<Term>> {
        let variable = self.ground().variable(self.seat, slot.column);
        flat_index(&variable.sizes, &slot.indices, self)
    }

    /// The value of a variable of some process; its indices are evaluated here.
    fn read(&self, owner: Option<usize>, slot: &Slot) -> Checked<Term> {
        let variable = self.ground().variable(owner, slot.column);
        let index = flat_index(&variable.sizes, &slot.indices, self)?;
        let known = self.ground().about(owner, slot.column);
        let store = self.world.stored(owner, slot.column);
        let inside = index.as_ref().is_none_or(|i| i.bounds.0 >= 0 && i.bounds.1 < i64::from(known.cells));
        let safe = inside && index.as_ref().is_none_or(|i| i.safe);
        if let Some(values) = known.values() {
            match index.as_ref().map_or(Some(0), Term::value).map(usize::try_from) {
                Some(Ok(at)) if at < values.len() => return Ok(Term::constant(values[at])),
                _ if store.first.is_none() => {
                    let index = index.expect("a plain variable has one value");
                    return Ok(self.table(values, index, store.miss));
                }
                _ => {}
            }
        }
        let Some(first) = store.first else { return Ok(Term::constant(0)) };
        let target = cell(first, known.cells, index);
        Ok(Term { expr: Code::Read(target), bounds: store.bounds, safe })
    }

    /// The constant that an index selects.
    fn table(&self, values: &[i64], index: Term, miss: Option<ObjectId>) -> Term {
        let chosen = select(values, 0, &index);
        match self.inside(&index, values.len(), miss) {
            None => chosen,
            // The test is always true where it is not a fault.
            Some(check) => {
                let expr = Code::If(Box::new(check), Box::new(chosen.expr), Box::new(Code::Const(0)));
                Term { expr, bounds: chosen.bounds, safe: false }
            }
        }
    }

    /// A condition that is always true, and a fault where an index is outside; nothing if it never is.
    pub(super) fn inside(&self, index: &Term, len: usize, miss: Option<ObjectId>) -> Option<Code> {
        if index.bounds.0 >= 0 && index.bounds.1 < len as i64 {
            return None;
        }
        let miss = miss.expect("variables without cells that have indices have something to blame");
        let low = Term::binary(Binary::Ge, index.clone(), Term::constant(0));
        let ok = low.and(Term::binary(Binary::Lt, index.clone(), Term::constant(len as i64)));
        let at = Term::choice(ok, Term::constant(0), index.clone());
        let read = Code::Read(Target { first: miss, len: 1, index: Some(Box::new(at.expr)) });
        Some(read.op(Op::Eq, 0))
    }

    /// The cell that a statement writes; nothing if nobody ever reads it.
    pub(super) fn target(&self, slot: &Slot) -> Checked<Option<Target>> {
        let known = self.ground().about(self.seat, slot.column);
        let Some(first) = self.world.stored(self.seat, slot.column).first else { return Ok(None) };
        Ok(Some(cell(first, known.cells, self.index(slot)?)))
    }

    /// The processes of a proctype that a remote reference can mean.
    fn remote(&self, proctype: ProctypeId, pid: Option<&Expr>) -> Checked<(Vec<usize>, Option<Term>)> {
        let seats = &self.ground().seats;
        let mut found: Vec<usize> = (0..seats.len()).filter(|s| seats[*s].proctype == proctype).collect();
        let is_written = matches!(pid, Some(Expr::Const(_)));
        let pid = pid.map(|e| self.term(e)).transpose()?;
        if let Some(value) = pid.as_ref().and_then(Term::value) {
            let numbers: Vec<u32> = found.iter().map(|s| seats[*s].slot).collect();
            found.retain(|s| i64::from(seats[*s].slot) == value);
            if found.is_empty() && is_written {
                self.remark_nobody(proctype, value, &numbers);
            }
            return Ok((found, None));
        }
        Ok((found, pid))
    }

    /// Warns of a look into a process that is nowhere created, as far as that is foreseen.
    fn remark_nobody(&self, proctype: ProctypeId, number: i64, numbers: &[u32]) {
        let name = &self.ground().program.proctypes[proctype.0 as usize].name;
        let what = format!("`{name}[{number}]` is looked at, but no process `{name}` has the number {number}");
        let known: Vec<String> = numbers.iter().map(|n| format!("`{name}[{n}]`")).collect();
        let help = (!known.is_empty()).then(|| format!("there may be {}", known.join(", ")));
        let remark = Diagnostic::warning(self.span, what).label("0 is seen").maybe_help(help);
        let mut remarks = self.world.remarks.borrow_mut();
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }

    /// A look into another process: into the one with the number, or into the only one that is there.
    fn look(&self, proctype: ProctypeId, pid: Option<&Expr>, look: &Look) -> Checked<Term> {
        let (seats, pid) = self.remote(proctype, pid)?;
        let mut result: Option<Term> = None;
        for &seat in seats.iter().rev() {
            let seen = match look {
                Look::At(node) => self.at(seat, *node),
                Look::Variable(slot) => self.read(Some(seat), slot)?,
            };
            let chosen = match &pid {
                Some(pid) => {
                    let slot = Term::constant(i64::from(self.ground().seats[seat].slot));
                    Term::binary(Binary::Eq, pid.clone(), slot)
                }
                None => self.is_there(seat),
            };
            result = Some(match result {
                None if pid.is_none() => seen,
                None => Term::choice(chosen, seen, Term::constant(0)),
                Some(others) => Term::choice(chosen, seen, others),
            });
        }
        Ok(result.unwrap_or_else(|| Term::constant(0)))
    }

    /// Whether a process is at a node.
    pub(super) fn at(&self, seat: usize, node: NodeId) -> Term {
        match self.world.flow(seat).location(node) {
            Some(location) => self.is_at(seat, location),
            None => Term::constant(0),
        }
    }

    fn is_at(&self, seat: usize, location: model::LocationId) -> Term {
        let code = match (self.seat, self.world.shadows[seat]) {
            (Some(_), Some(shadow)) => Code::read(shadow).is(i64::from(location.0)),
            _ => Code::At(self.world.process(seat), location),
        };
        Term::truth(code, true)
    }

    /// Of as many values as a process has locations, that of the one where it is: asked only where it is watched.
    pub(super) fn at_location(&self, seat: usize, values: &[i64]) -> Term {
        let shadow = self.world.shadows[seat].expect("a process is watched if somebody asks where it is");
        let bounds = (0, values.len() as i64 - 1);
        select(values, 0, &Term { expr: Code::read(shadow), bounds, safe: true })
    }

    /// Whether a process is there at all.
    pub(super) fn is_there(&self, seat: usize) -> Term {
        if self.ground().is_active(seat) && !self.world.flow(seat).ends {
            return Term::constant(1);
        }
        Term::unary(Unary::Not, self.is_at(seat, self.world.absent(seat)))
    }

    /// Whether no process is at a progress label.
    fn no_progress(&self) -> Term {
        Term::unary(Unary::Not, self.labelled(|n| n.progress))
    }

    /// Whether some process, or the `trace` assertion, is at a node of a kind.
    pub(super) fn labelled(&self, kind: impl Fn(&Node) -> bool) -> Term {
        let mut any: Vec<Term> = self.world.follower.iter().map(|f| f.labelled(&kind)).collect();
        for seat in 0..self.ground().seats.len() {
            for &node in &self.world.flow(seat).nodes {
                if kind(&self.ground().proctype(seat).graph.nodes[node.0 as usize]) {
                    any.push(self.at(seat, node));
                }
            }
        }
        Term::any(any)
    }
}

impl Leaves for Scope<'_, '_> {
    fn leaf(&self, expr: &Expr) -> Checked<Term> {
        match expr {
            Expr::Read(slot) => self.read(self.seat, slot),
            Expr::Query(query, slot) => self.query(*query, slot),
            Expr::Poll(slot, anywhere, arguments) => self.poll(slot, *anywhere, arguments),
            Expr::Pid => match self.seat {
                Some(seat) => Ok(Term::constant(i64::from(self.ground().seats[seat].slot))),
                None => refuse(self.span, "there is no process here that `_pid` could mean".to_owned()),
            },
            Expr::ProcessCount => Ok(self.world.count()),
            Expr::Last => {
                let last = self.world.last.expect("it is kept where it is asked for");
                let bounds = (0, i64::from(self.ground().plan.slots()));
                Ok(Term { expr: Code::read(last), bounds, safe: true })
            }
            Expr::Timeout => Ok(Term::constant(i64::from(self.timeout))),
            Expr::NonProgress => Ok(self.no_progress()),
            Expr::Enabled(pid) => self.can_step(pid),
            Expr::PcValue(pid) => self.pc_value(pid),
            Expr::Remote(proctype, pid, look) => self.look(*proctype, pid.as_deref(), look),
            Expr::Executable(edges) => {
                let seat = self.seat.expect("only statements ask for other statements");
                let graph = &self.ground().proctype(seat).graph;
                let mut any = Term::constant(0);
                for edge in edges {
                    any = any.or(self.executable(&graph.edges[edge.0 as usize])?);
                }
                Ok(any)
            }
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) => {
                unreachable!("constants and operators are no leaves")
            }
        }
    }
}

/// One cell of a variable.
fn cell(first: ObjectId, cells: u32, index: Option<Term>) -> Target {
    match index {
        None => Target::fixed(first),
        Some(index) => Target::cell(first, cells, index.expr),
    }
}

/// The constant that an index selects, which must be inside: halves are told apart by comparisons.
fn select(values: &[i64], from: i64, index: &Term) -> Term {
    if values.iter().all(|v| *v == values[0]) {
        return Term::constant(values[0]);
    }
    let (low, high) = values.split_at(values.len() / 2);
    let middle = from + low.len() as i64;
    let below = Term::truth(index.expr.clone().op(Op::Lt, middle), index.safe);
    Term::choice(below, select(low, from, index), select(high, middle, index))
}
