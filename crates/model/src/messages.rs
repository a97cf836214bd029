//! The range checks of messages that are in no channel: those handed over in a rendezvous, and those that are lost.
//!
//! An ordinary send checks the fields of its message itself. Where the send is gone from the joined transition, an
//! assertion stands in for the check; when it fails, the fault is told as the message's, not as one that an author wrote.

use crate::objects::Kind;
use crate::system::Joining;
use crate::{Binary, Command, Domain, Expr, Fault, ObjectId, State, System, Target, Transition, TransitionId};

/// The assertion that a field of a message is in its domain.
pub(crate) fn check(value: &Expr, domain: &Domain) -> Command {
    let above = value.clone().op(Binary::Ge, domain.lo());
    let below = value.clone().op(Binary::Le, domain.hi());
    Command::Assert(above.op(Binary::And, below))
}

/// The value that such an assertion checks, if it is one for a field of the channel.
fn checked<'e>(system: &System, channel: ObjectId, command: &'e Command) -> Option<&'e Expr> {
    let Command::Assert(Expr::Binary(Binary::And, above, _)) = command else { return None };
    let Expr::Binary(Binary::Ge, value, _) = &**above else { return None };
    let Kind::Channel(c) = &system.object(channel).kind else { return None };
    c.fields.iter().any(|domain| check(value, domain) == *command).then_some(value)
}

impl System {
    /// The fault of a step from `state`, as it is to be told: a failed assertion that stands in for the check of a
    /// message is the fault of that message.
    pub fn told(&self, t: TransitionId, state: &State, fault: Fault) -> Fault {
        let mut reached = state.to_vec();
        if fault == Fault::Assertion && self.fire(t, state, &mut reached) == Err(fault) {
            return self.message_fault(self.transition(t), &reached).unwrap_or(fault);
        }
        fault
    }

    /// Whether an operation of a transition stands in for the check of a message: no author wrote it.
    pub fn is_message_check(&self, t: &Transition, command: &Command) -> bool {
        match t.joining {
            Joining::Rendezvous { channel, .. } | Joining::Lost(channel) => checked(self, channel, command).is_some(),
            Joining::Plain | Joining::Action | Joining::Run { .. } => false,
        }
    }

    /// `reached` is where the command stopped.
    fn message_fault(&self, t: &Transition, reached: &State) -> Option<Fault> {
        let (Joining::Rendezvous { channel, .. } | Joining::Lost(channel)) = t.joining else { return None };
        let fails = |c: &Command| matches!(c, Command::Assert(e) if self.evaluate(e, reached) == Some(0));
        let first = t.command.iter().position(fails)?;
        let value = checked(self, channel, &t.command[first])?;
        // It may have held when it was evaluated, and a later one failed after what it reads was written.
        let later = &t.command[first + 1..];
        if later.iter().any(fails) && later.iter().any(|c| writes(c, value)) {
            return None;
        }
        Some(Fault::Message { channel, value: self.evaluate(value, reached)? })
    }

    fn evaluate(&self, e: &Expr, state: &[u64]) -> Option<i64> {
        let coder = crate::code::Coder { layout: &self.layout, objects: &self.objects };
        coder.code(e).eval(state, &self.layout).ok()
    }
}

/// Whether an operation may write what an expression reads.
fn writes(command: &Command, e: &Expr) -> bool {
    let mut read = Vec::new();
    e.walk(&mut |e| read.extend(e.target().into_iter().flat_map(Target::objects)));
    command.written().flat_map(Target::objects).any(|o| read.contains(&o))
}
