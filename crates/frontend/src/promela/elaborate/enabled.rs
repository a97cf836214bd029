//! What `enabled` says: whether the process with a number could take a step by itself, whatever its `provided` clause
//! says. Who receives in a rendezvous goes along with the sender, and takes no step by itself.
//!
//! A statement may ask, too, but not about a process that asks itself: SPIN's answer would go round in circles.

use model::{Binary as Op, Expr as Code, Target};

use super::scope::Scope;
use super::term::Term;
use super::walk::{edge_expressions, walk};
use super::{Checked, refuse};
use crate::promela::ir::{Binary, Edge, Expr};

impl Scope<'_, '_> {
    /// Whether the process with a number could take a step by itself.
    pub(super) fn can_step(&self, pid: &Expr) -> Checked<Term> {
        let pid = self.term(pid)?;
        let mut any = Vec::new();
        for seat in 0..self.ground().seats.len() {
            let slot = Term::constant(i64::from(self.ground().seats[seat].slot));
            let meant = Term::binary(Binary::Eq, pid.clone(), slot.clone());
            if meant.value() == Some(0) || self.seat == Some(seat) {
                continue;
            }
            for chain in &self.world.flow(seat).chains {
                let edge = &self.ground().proctype(seat).graph.edges[chain.edges[0].0 as usize];
                self.check_circle(edge)?;
                let own = Scope { seat: Some(seat), ..*self };
                let here = meant.clone().and(self.at(seat, edge.from));
                any.push(here.and(own.executable(edge)?));
            }
            // The last process may die at its end.
            let last = Term::binary(Binary::Eq, self.world.count(), Term::binary(Binary::Add, slot, Term::constant(1)));
            any.push(meant.and(self.at(seat, self.ground().end(seat))).and(last));
        }
        let answer = self.of_another(&pid, Term::any(any));
        // Shorter conditions may mean other things elsewhere, and are short enough.
        if matches!(answer.expr, Code::Binary(Op::Or, ..) | Code::If(..)) {
            self.world.asked.borrow_mut().push((pid.expr, answer.expr.clone()));
        }
        Ok(answer)
    }

    /// The same, but a fault where a process asks about itself, as it is to SPIN.
    fn of_another(&self, pid: &Term, answer: Term) -> Term {
        let Some(seat) = self.seat else { return answer };
        let own = Term::constant(i64::from(self.ground().seats[seat].slot));
        let itself = Term::binary(Binary::Eq, pid.clone(), own);
        if itself.value() == Some(0) {
            return answer;
        }
        let miss = self.world.itself.expect("it is there if a statement asks");
        let index = Term::choice(itself, Term::constant(-1), Term::constant(0));
        let read = Code::Read(Target { first: miss, len: 1, index: Some(Box::new(index.expr)) });
        let check = read.op(Op::Eq, 0);
        let expr = Code::If(Box::new(check), Box::new(answer.expr), Box::new(Code::Const(0)));
        Term { expr, bounds: answer.bounds, safe: false }
    }

    /// Refuses to ask a statement that asks itself.
    fn check_circle(&self, edge: &Edge) -> Checked<()> {
        let mut asks = false;
        for e in edge_expressions(edge) {
            walk(e, &mut |e| asks |= matches!(e, Expr::Enabled(_)));
        }
        match asks {
            false => Ok(()),
            true => refuse(self.span, CIRCLE.to_owned()),
        }
    }
}

/// Why some programs have no meaning here.
const CIRCLE: &str = "`enabled` asks about a statement that asks for `enabled` itself, which has no meaning";
