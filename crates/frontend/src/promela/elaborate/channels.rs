//! Channels as statements name them: a variable whose value is fixed names one channel, another one of several.

use model::{Binary as Op, Expr as Code, ObjectId, Pattern, Target};

use super::Checked;
use super::ground::Channel;
use super::scope::Scope;
use super::term::Term;
use crate::promela::ir::{Action, Argument, Binary, Edge, Expr, Query, Receive, Slot};

/// A channel that may be meant.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// When it is meant.
    pub(super) when: Term,
    /// Its number.
    pub(super) channel: u32,
}

/// The channels that may be meant.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    /// All of them.
    pub(super) cases: Vec<Case>,
    /// A condition that is always true, and a fault where no channel is meant at all; nothing if there always is one.
    pub(super) check: Option<Code>,
}

impl<'w> Scope<'w, '_> {
    /// A channel by its number.
    pub(super) fn channel(&self, number: u32) -> &'w Channel {
        &self.ground().channels[number as usize - 1]
    }

    /// The object of a channel.
    pub(super) fn object(&self, number: u32) -> ObjectId {
        self.world.channels[number as usize - 1]
    }

    /// The channels that a variable may mean.
    pub(super) fn reference(&self, slot: &Slot) -> Checked<Reference> {
        let known = self.ground().about(self.seat, slot.column);
        let store = self.world.stored(self.seat, slot.column);
        let Some(values) = known.values() else { return self.variable(slot) };
        let Some(index) = self.index(slot)? else {
            return Ok(self.fixed(values[0], store.miss));
        };
        if let Some(at) = index.value().and_then(|i| usize::try_from(i).ok()).filter(|i| *i < values.len()) {
            return Ok(self.fixed(values[at], store.miss));
        }
        let case = |(at, channel): (usize, &i64)| {
            let when = Term::binary(Binary::Eq, index.clone(), Term::constant(at as i64));
            Case { when, channel: *channel as u32 }
        };
        let holds = |(_, channel): &(usize, &i64)| self.is_channel(**channel);
        let mut cases: Vec<Case> = values.iter().enumerate().filter(holds).map(case).collect();
        cases.retain(|c| c.when.value() != Some(0));
        let check = self.inside(&index, values.len(), store.miss);
        Ok(Reference { cases, check })
    }

    fn is_channel(&self, number: i64) -> bool {
        (1..=self.ground().channels.len() as i64).contains(&number)
    }

    fn fixed(&self, number: i64, miss: Option<ObjectId>) -> Reference {
        if self.is_channel(number) {
            let case = Case { when: Term::constant(1), channel: number as u32 };
            return Reference { cases: vec![case], check: None };
        }
        Reference { cases: Vec::new(), check: miss.map(|m| no_channel(m, Term::constant(0))) }
    }

    fn variable(&self, slot: &Slot) -> Checked<Reference> {
        let value = self.term(&Expr::Read(slot.clone()))?;
        let numbers = self.world.points.of(self.ground(), self.seat, slot);
        let mut cases = Vec::new();
        let mut any = Term::constant(0);
        for channel in numbers {
            let when = Term::binary(Binary::Eq, value.clone(), Term::constant(i64::from(channel)));
            any = any.or(when.clone());
            cases.push(Case { when, channel });
        }
        let miss = self.world.stored(self.seat, slot.column).miss;
        let check = miss.map(|m| no_channel(m, any));
        Ok(Reference { cases, check })
    }

    /// What a question has for an answer, whichever channel is meant.
    fn ask(&self, slot: &Slot, answer: impl Fn(&Self, u32) -> Checked<Term>) -> Checked<Term> {
        let Reference { cases, check } = self.reference(slot)?;
        let mut result: Option<Term> = None;
        for case in cases.into_iter().rev() {
            let own = answer(self, case.channel)?;
            result = Some(match result {
                None => own,
                Some(others) => Term::choice(case.when, own, others),
            });
        }
        let result = result.unwrap_or_else(|| Term::constant(0));
        Ok(match check {
            None => result,
            Some(check) => {
                let expr = Code::If(Box::new(check), Box::new(result.expr), Box::new(Code::Const(0)));
                Term { expr, bounds: result.bounds, safe: false }
            }
        })
    }

    /// A question to a channel. In a rendezvous there is never a message.
    pub(super) fn query(&self, query: Query, slot: &Slot) -> Checked<Term> {
        self.ask(slot, |scope, number| {
            let capacity = scope.channel(number).capacity;
            let target = || Target::fixed(scope.object(number));
            Ok(match (query, capacity) {
                (Query::Len | Query::Nempty | Query::Full, 0) => Term::constant(0),
                (Query::Empty | Query::Nfull, 0) => Term::constant(1),
                (Query::Len, _) => Term { expr: Code::Len(target()), bounds: (0, i64::from(capacity)), safe: true },
                (Query::Empty, _) => Term::truth(Code::Empty(target()), true),
                (Query::Nempty, _) => Term::truth(Code::Empty(target()).negate(), true),
                (Query::Full, _) => Term::truth(Code::Full(target()), true),
                (Query::Nfull, _) => Term::truth(Code::Full(target()).negate(), true),
            })
        })
    }

    /// Whether a message is there that matches.
    pub(super) fn poll(&self, slot: &Slot, anywhere: bool, arguments: &[Argument]) -> Checked<Term> {
        self.ask(slot, |scope, number| {
            if scope.channel(number).capacity == 0 {
                return Ok(Term::constant(0));
            }
            let fields = scope.channel(number).fields.len();
            let pattern = |k: usize| match arguments.get(k) {
                Some(Argument::Match(e)) => Ok(Pattern::Match(scope.term(e)?.expr)),
                _ => Ok(Pattern::Ignore),
            };
            let patterns = (0..fields).map(pattern).collect::<Checked<_>>()?;
            let target = Target::fixed(scope.object(number));
            Ok(Term::truth(Code::Offers(target, patterns, anywhere), false))
        })
    }

    /// Whether a statement could be executed.
    pub(super) fn executable(&self, edge: &Edge) -> Checked<Term> {
        let own = Scope { span: edge.span, ..*self };
        let guard = match &edge.guard {
            None => Term::constant(1),
            Some(guard) => own.condition(guard)?,
        };
        Ok(guard.and(match &edge.action {
            // One process too many is an error, and nobody waits for it.
            Action::Skip | Action::Assign(..) | Action::Assert(_) | Action::Run(..) | Action::Event(_) => {
                Term::constant(1)
            }
            Action::Test(e) => own.condition(e)?,
            Action::Send(send) => own.ask(&send.channel, |scope, number| match scope.channel(number).capacity {
                // Nobody is waited for there: it is an error.
                0 if edge.in_step => Ok(Term::constant(1)),
                0 => scope.taken(send, number),
                _ => Ok(Term::truth(Code::Full(Target::fixed(scope.object(number))).negate(), true)),
            })?,
            Action::Receive(Receive { channel, anywhere, arguments, .. }) => own.poll(channel, *anywhere, arguments)?,
        }))
    }
}

/// Always true, and a fault where the condition is not.
fn no_channel(miss: ObjectId, condition: Term) -> Code {
    let index = Term::binary(Binary::Sub, condition, Term::constant(1));
    Code::Read(Target { first: miss, len: 1, index: Some(Box::new(index.expr)) }).op(Op::Eq, 0)
}
