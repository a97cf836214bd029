//! Whether a rendezvous can happen: whether somebody would take the message now.
//!
//! SPIN finds out by sending: it lets the sender move, looks for another process that receives the message, and goes back
//! if there is none. As a condition that is: some other process may move (`provided`), stands at a receive from that
//! channel, and the fields are what it waits for. Which receive takes the message where a process has several
//! (`unless`) does not matter, as the one that comes first takes it as well.
//!
//! The condition is asked before the sender moves, and SPIN asks afterwards: where that makes a difference the program is
//! refused.

use super::scope::Scope;
use super::term::Term;
use super::walk::walk;
use super::{Checked, refuse};
use crate::promela::ir::{Action, Argument, Binary, Expr, Look, Receive, Send};

impl Scope<'_, '_> {
    /// Whether somebody would take what this process sends to a channel without room.
    pub(super) fn taken(&self, send: &Send, number: u32) -> Checked<Term> {
        let values = self.message(send, number)?;
        let mut any = Vec::new();
        for other in (0..self.ground().seats.len()).filter(|s| self.seat != Some(*s)) {
            let (flow, proctype) = (self.world.flow(other), self.ground().proctype(other));
            for chain in &flow.chains {
                let edge = &proctype.graph.edges[chain.edges[0].0 as usize];
                let Action::Receive(receive) = &edge.action else { continue };
                let own = Scope { seat: Some(other), span: edge.span, ..*self };
                let mut takes = own.takes(receive, number, &values)?;
                if let Some(provided) = proctype.provided.as_ref().filter(|_| takes.value() != Some(0)) {
                    self.check_asked(provided)?;
                    takes = own.condition(provided)?.and(takes);
                }
                any.push(self.at(other, edge.from).and(takes));
            }
        }
        Ok(Term::any(any))
    }

    /// The fields of a message, as a channel keeps them.
    pub(super) fn message(&self, send: &Send, number: u32) -> Checked<Vec<Term>> {
        let field = |(k, scalar): (usize, &crate::promela::ir::Scalar)| {
            let value = send.values.get(k).map_or(Ok(Term::constant(0)), |e| self.term(e))?;
            Ok(value.wrapped(scalar.wrap()))
        };
        self.channel(number).fields.iter().enumerate().map(field).collect()
    }

    /// Whether a receive takes this message of this channel.
    fn takes(&self, receive: &Receive, number: u32, values: &[Term]) -> Checked<Term> {
        let cases = self.reference(&receive.channel)?.cases.into_iter().filter(|c| c.channel == number);
        let mut takes = cases.map(|c| c.when).fold(Term::constant(0), Term::or);
        if takes.value() == Some(0) {
            return Ok(takes);
        }
        receive.channel.indices.iter().try_for_each(|e| self.check_asked(e))?;
        for (argument, value) in receive.arguments.iter().zip(values) {
            if let Argument::Match(e) = argument {
                self.check_asked(e)?;
                takes = takes.and(Term::binary(Binary::Eq, value.clone(), self.term(e)?));
            }
        }
        Ok(takes)
    }

    /// Refuses what may have another value once the sender has moved.
    fn check_asked(&self, e: &Expr) -> Checked<()> {
        let mut moves = false;
        walk(e, &mut |e| {
            moves |= match e {
                Expr::Timeout | Expr::Last | Expr::PcValue(_) | Expr::Enabled(_) => true,
                Expr::Remote(_, _, look) => matches!(**look, Look::At(_)),
                _ => false,
            }
        });
        match moves {
            false => Ok(()),
            true => refuse(self.span, MOVES.to_owned()),
        }
    }
}

/// Why some programs have no meaning here.
const MOVES: &str = "whether this rendezvous can happen is asked beforehand, by an `unless`, an `else` or `enabled`, and depends on \
                     where processes are by then, on who moves or on a timeout";
