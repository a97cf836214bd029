//! What receives become.
//!
//! A receive in a rendezvous that others have precedence over (`unless`) takes the messages that these leave. Transitions
//! do not know the message beforehand, so there is one for each value of a field that those others look at.

use model::{Command, Expr as Code, Pattern, Retrieve, Target};

use super::channels::Case;
use super::scope::Scope;
use super::steps::Step;
use super::term::Term;
use super::walk::walk;
use super::{Checked, refuse};
use crate::promela::ir::{Action, Argument, Binary, Column, Edge, Expr, Receive, Slot, Unary};

/// The most values of a field that are told apart.
const MAX_VALUES: i64 = 256;

/// Some of the messages that may be received.
#[derive(Clone)]
struct Share {
    /// When there are such messages.
    when: Term,
    /// The value of each field, where it must have a certain one.
    fields: Vec<Option<i64>>,
}

impl Scope<'_, '_> {
    /// The steps of a receive.
    pub(super) fn receive(&self, edge: &Edge, receive: &Receive, step: &Step) -> Checked<Vec<Step>> {
        self.cases(&receive.channel, step, |mut step, number| {
            let channel = self.channel(number);
            let mut shares = vec![Share { when: Term::constant(1), fields: vec![None; channel.fields.len()] }];
            match &edge.guard {
                Some(guard) if channel.capacity > 0 => _ = step.when(self.condition(guard)?),
                // In the middle of a rendezvous nothing can come first but what receives the same message.
                Some(guard) => shares = self.left_by(guard, number, receive, shares)?,
                None => {}
            }
            let mut steps = Vec::new();
            for share in shares {
                let mut own = step.clone();
                if own.when(share.when.clone()) {
                    self.take(&mut own, number, receive, &share)?;
                    steps.push(own);
                }
            }
            Ok(steps)
        })
    }

    /// Takes a message.
    fn take(&self, step: &mut Step, number: u32, receive: &Receive, share: &Share) -> Checked<()> {
        let mut patterns = Vec::new();
        let mut after = Vec::new();
        for (k, value) in share.fields.iter().enumerate() {
            patterns.push(match (receive.arguments.get(k), value) {
                (Some(Argument::Match(e)), _) => Pattern::Match(self.term(e)?.expr),
                (Some(Argument::Bind(slot)), Some(value)) => {
                    after.extend(self.assign(slot, Term::constant(*value))?);
                    Pattern::Match(Code::Const(*value))
                }
                (Some(Argument::Bind(slot)), None) => self.bind(receive, (number, k), slot, &mut after)?,
                (Some(Argument::Ignore) | None, Some(value)) => Pattern::Match(Code::Const(*value)),
                (Some(Argument::Ignore) | None, None) => Pattern::Ignore,
            });
        }
        let target = Target::fixed(self.object(number));
        let how = Retrieve { anywhere: receive.anywhere, keep: receive.keep };
        step.command.push(match self.channel(number).capacity > 0 && (how.anywhere || how.keep) {
            true => Command::Retrieve(target, patterns, how),
            false => Command::Receive(target, patterns),
        });
        step.command.extend(after);
        Ok(())
    }

    /// What is left of shares by the receives that a guard gives precedence to.
    fn left_by(&self, guard: &Expr, number: u32, receive: &Receive, mut shares: Vec<Share>) -> Checked<Vec<Share>> {
        let seat = self.seat.expect("only processes receive");
        let graph = &self.ground().proctype(seat).graph;
        let mut others: Vec<&Receive> = Vec::new();
        walk(guard, &mut |e| {
            if let Expr::Executable(edges) = e {
                let actions = edges.iter().map(|e| &graph.edges[e.0 as usize].action);
                others.extend(actions.filter_map(|a| if let Action::Receive(r) = a { Some(r) } else { None }));
            }
        });
        for other in others {
            for Case { when, .. } in self.reference(&other.channel)?.cases.into_iter().filter(|c| c.channel == number) {
                let mut left = Vec::new();
                for share in &shares {
                    left.extend(share.only(Term::unary(Unary::Not, when.clone())));
                    for (k, argument) in other.arguments.iter().enumerate() {
                        if let Argument::Match(e) = argument {
                            left.extend(self.without((number, k), receive, share, &self.term(e)?)?);
                        }
                    }
                }
                shares = left;
            }
        }
        Ok(shares)
    }

    /// The messages of a share whose field has not this value.
    fn without(&self, (number, k): (u32, usize), receive: &Receive, share: &Share, e: &Term) -> Checked<Vec<Share>> {
        let differs = |value: Term| Term::binary(Binary::Ne, value, e.clone());
        if let Some(Argument::Match(own)) = receive.arguments.get(k) {
            return Ok(share.only(differs(self.term(own)?)).into_iter().collect());
        }
        if let Some(value) = share.fields[k] {
            return Ok(share.only(differs(Term::constant(value))).into_iter().collect());
        }
        let (lo, hi) = self.world.ranges.fields[number as usize - 1][k];
        if hi - lo >= MAX_VALUES {
            let message = "both this receive and one that has precedence may take the message of a rendezvous";
            return refuse(self.span, format!("{message}, which has a field of too many values"));
        }
        let with = |value: i64| {
            let mut own = share.only(differs(Term::constant(value)))?;
            own.fields[k] = Some(value);
            Some(own)
        };
        Ok((lo..=hi).filter_map(with).collect())
    }

    /// How a variable takes a field: at once if it can hold all values of the field, and if nothing that the sender in a
    /// rendezvous still has to evaluate is overwritten; through a spare variable otherwise.
    fn bind(
        &self,
        receive: &Receive,
        (number, field): (u32, usize),
        slot: &Slot,
        after: &mut Vec<Command>,
    ) -> Checked<Pattern> {
        let Some(target) = self.target(slot)? else { return Ok(Pattern::Ignore) };
        let (channel, values) = (self.channel(number), self.world.ranges.fields[number as usize - 1][field]);
        let holds = self.world.stored(self.seat, slot.column).bounds;
        let last = receive.arguments.iter().rposition(|a| matches!(a, Argument::Bind(_))) == Some(field);
        let shared = matches!(slot.column, Column::Global(_));
        if holds.0 <= values.0 && values.1 <= holds.1 && (channel.capacity > 0 || last || !shared) {
            return Ok(Pattern::Bind(target));
        }
        let seat = self.seat.expect("only processes receive");
        let spare = self.world.spare(seat, field, channel.fields[field]);
        let value = Term { expr: Code::read(spare), bounds: values, safe: true };
        after.extend(self.assign(slot, value)?);
        after.push(Command::Assign(spare.into(), Code::Const(0)));
        Ok(Pattern::Bind(spare.into()))
    }
}

impl Share {
    /// The share under one more condition, unless that is never true.
    fn only(&self, condition: Term) -> Option<Share> {
        let when = self.when.clone().and(condition);
        (when.value() != Some(0)).then(|| Share { when, fields: self.fields.clone() })
    }
}
