//! What receives become.
//!
//! A receive in a rendezvous that others have precedence over (`unless`) takes the messages that these leave. Transitions
//! do not know the message beforehand, so there is one for each value of a field that those others look at.

use model::{Command, Expr as Code, ObjectId, Pattern, Retrieve, Target};

use super::channels::Case;
use super::scope::Scope;
use super::steps::Step;
use super::term::Term;
use super::trace::Expected;
use super::walk::walk;
use super::{Checked, refuse};
use crate::promela::ir::{Action, Argument, Binary, Column, Edge, Expr, Receive, Unary};

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

/// How a field of a message is taken.
struct Taken {
    pattern: Pattern,
    /// Its value, as far as it is known once the message is taken.
    value: Option<Term>,
    /// The spare variable that holds it.
    spare: Option<ObjectId>,
}

impl<'w, 'p> Scope<'w, 'p> {
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

    /// Takes a message. Where a `trace` looks at it, nothing else is written before the trace has moved: all that it
    /// looks at, and all that is kept, goes through spare variables.
    fn take(&self, step: &mut Step, number: u32, receive: &Receive, share: &Share) -> Checked<()> {
        let watching = self.watching(number, receive)?;
        let (mut patterns, mut values, mut after) = (Vec::new(), Vec::new(), Vec::new());
        for (k, fixed) in share.fields.iter().enumerate() {
            let looked_at = watching.iter().any(|w| w.looks_at(k));
            let spare = || self.spare(number, k);
            let slot = receive.arguments.get(k).and_then(Argument::bound);
            let known = match (receive.arguments.get(k), fixed) {
                (Some(Argument::Match(e)), _) => Some(self.term(e)?),
                (_, Some(value)) => Some(Term::constant(*value)),
                _ => None,
            };
            let Taken { pattern, value, spare } = match (known, slot.map(|s| self.target(s)).transpose()?.flatten()) {
                (Some(known), _) if looked_at && known.value().is_none() => {
                    // What it is compared with may change as soon as the message is taken.
                    self.check_still(number, &known.expr)?;
                    step.command.push(Command::Assign(spare().0.into(), known.expr.clone()));
                    Taken::through(spare(), Pattern::Match(known.expr))
                }
                (Some(known), _) => {
                    Taken { pattern: Pattern::Match(known.expr.clone()), value: Some(known), spare: None }
                }
                (None, Some(target)) if watching.is_empty() && self.at_once(receive, (number, k)) => {
                    Taken { pattern: Pattern::Bind(target), value: None, spare: None }
                }
                (None, None) if !looked_at => Taken { pattern: Pattern::Ignore, value: None, spare: None },
                (None, _) => Taken::through(spare(), Pattern::Bind(spare().0.into())),
            };
            if let (Some(slot), Some(value)) = (slot, &value) {
                after.extend(self.assign(slot, value.clone())?);
            }
            after.extend(spare.map(|spare| Command::Assign(spare.into(), Code::Const(0))));
            patterns.push(pattern);
            values.push(value);
        }
        let target = Target::fixed(self.object(number));
        let how = Retrieve { anywhere: receive.anywhere, keep: receive.keep };
        step.command.push(match self.channel(number).capacity > 0 && (how.anywhere || how.keep) {
            true => Command::Retrieve(target, patterns, how),
            false => Command::Receive(target, patterns),
        });
        step.command.extend(watching.iter().map(|w| w.follow(&values)));
        step.command.extend(after);
        Ok(())
    }

    /// What a `trace` waits for where a message is taken: in a rendezvous it is sent at the same time.
    fn watching(&self, number: u32, receive: &Receive) -> Checked<Vec<Expected<'w, 'p>>> {
        let sent = if self.channel(number).capacity == 0 { self.expected(number, true)? } else { None };
        let received = if receive.keep { None } else { self.expected(number, false)? };
        Ok(sent.into_iter().chain(received).collect())
    }

    /// Refuses to compare a field of a rendezvous with what the step of the sender changes before.
    fn check_still(&self, number: u32, e: &Code) -> Checked<()> {
        let moving = |o: ObjectId| self.world.last == Some(o) || self.world.shadows.contains(&Some(o));
        let mut moves = false;
        e.walk(&mut |e| moves |= e.target().is_some_and(|t| t.objects().any(moving)));
        match moves && self.channel(number).capacity == 0 {
            false => Ok(()),
            true => {
                refuse(self.span, "a message that a trace looks at is compared with who moves, or where".to_owned())
            }
        }
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

    /// Whether a variable takes a field at once: if it can hold all values of the field, and if nothing that the sender in
    /// a rendezvous still has to evaluate is overwritten.
    fn at_once(&self, receive: &Receive, (number, field): (u32, usize)) -> bool {
        let Some(slot) = receive.arguments[field].bound() else { return false };
        let (channel, values) = (self.channel(number), self.world.ranges.fields[number as usize - 1][field]);
        let holds = self.world.stored(self.seat, slot.column).bounds;
        let last = receive.arguments.iter().rposition(|a| a.bound().is_some()) == Some(field);
        let shared = matches!(slot.column, Column::Global(_));
        holds.0 <= values.0 && values.1 <= holds.1 && (channel.capacity > 0 || last || !shared)
    }

    /// The variable that holds a field during a step, and its value.
    fn spare(&self, number: u32, field: usize) -> (ObjectId, Term) {
        let seat = self.seat.expect("only processes receive");
        let spare = self.world.spare(seat, field, self.channel(number).fields[field]);
        let bounds = self.world.ranges.fields[number as usize - 1][field];
        (spare, Term { expr: Code::read(spare), bounds, safe: true })
    }
}

impl Taken {
    /// Through a spare variable.
    fn through((spare, value): (ObjectId, Term), pattern: Pattern) -> Self {
        Self { pattern, value: Some(value), spare: Some(spare) }
    }
}

impl Share {
    /// The share under one more condition, unless that is never true.
    fn only(&self, condition: Term) -> Option<Share> {
        let when = self.when.clone().and(condition);
        (when.value() != Some(0)).then(|| Share { when, fields: self.fields.clone() })
    }
}
