//! Who has to do with whom in a step: meetings of processes, and messages to and from channels.

use model::{Command, Edge, Joining, ObjectId, ProcessId, System, Transition, TransitionId, Value};
use serde::Serialize;

use crate::meeting::End;
use crate::writers::written;

/// Something between two processes, or between a process and a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exchange {
    /// What it is.
    pub kind: ExchangeKind,
    /// Who begins: a process, or the channel of a message that is received.
    pub from: String,
    /// The other one: a process, or the channel that a message is sent to.
    pub to: String,
    /// The message, or what the processes do together.
    pub text: String,
}

/// What two have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExchangeKind {
    /// A process gives another one a message.
    Rendezvous,
    /// Two processes do something together.
    Joint,
    /// A process puts a message into a channel.
    Send,
    /// A process takes a message out of a channel.
    Receive,
    /// A message to a channel is lost.
    Lost,
}

/// What those who take a step have to do with each other, and with channels.
pub(crate) fn exchanges(system: &System, id: TransitionId, (before, after): (&[u64], &[u64])) -> Vec<Exchange> {
    let t = system.transition(id);
    let parts: Vec<&Edge> = system.parts(id).collect();
    let mut all = meetings(system, t, &parts, before);
    let mut channels: Vec<ObjectId> = t.command.iter().flat_map(written).collect();
    channels.sort_unstable();
    channels.dedup();
    for channel in channels {
        if let (Value::Queue(old), Value::Queue(new)) = (system.value(channel, before), system.value(channel, after)) {
            all.extend(messages(system, t, &parts, (channel, &old, &new)));
        }
    }
    all
}

fn meetings(system: &System, t: &Transition, parts: &[&Edge], before: &[u64]) -> Vec<Exchange> {
    let name = |p: ProcessId| system.process(p).name.clone();
    let label = t.label.to_string();
    match t.joining {
        Joining::Rendezvous { sender, .. } => {
            let end = parts.iter().find(|e| e.process == sender).and_then(|e| End::of(system, e));
            let text = end.map_or(label, |end| match end.message(system, before) {
                empty if empty == "()" => end.channel(system, before),
                message => format!("{}: {message}", end.channel(system, before)),
            });
            let receivers = t.moves.iter().map(|m| m.process).filter(|p| *p != sender);
            let meeting =
                |p| Exchange { kind: ExchangeKind::Rendezvous, from: name(sender), to: name(p), text: text.clone() };
            receivers.map(meeting).collect()
        }
        // In networks and packages, steps of several are not called actions.
        Joining::Action | Joining::Plain => {
            let pairs = t.moves.windows(2);
            let meeting = |pair: &[model::Move]| Exchange {
                kind: ExchangeKind::Joint,
                from: name(pair[0].process),
                to: name(pair[1].process),
                text: label.clone(),
            };
            pairs.map(meeting).collect()
        }
        Joining::Lost(channel) => {
            let lost = |m: &model::Move| Exchange {
                kind: ExchangeKind::Lost,
                from: name(m.process),
                to: system.object(channel).name.clone(),
                text: "the message is lost".to_owned(),
            };
            t.moves.first().map(lost).into_iter().collect()
        }
        Joining::Run { .. } => Vec::new(),
    }
}

/// What came into a channel and what left it.
fn messages(
    system: &System,
    t: &Transition,
    parts: &[&Edge],
    (channel, old, new): (ObjectId, &[Vec<i64>], &[Vec<i64>]),
) -> Vec<Exchange> {
    let who = |sends: bool| {
        let does = |c: &Command| {
            let fits = match c {
                Command::Send(..) | Command::Insert(..) => sends,
                Command::Receive(..) | Command::Retrieve(..) => !sends,
                _ => false,
            };
            fits && written(c).contains(&channel)
        };
        let part = parts.iter().find(|e| e.command.iter().any(does)).map(|e| e.process);
        let process = part.or_else(|| t.moves.first().map(|m| m.process))?;
        Some(system.process(process).name.clone())
    };
    let queue = system.object(channel).name.clone();
    let show = |message: &Vec<i64>| {
        let shown = system.show_value(channel, &Value::Queue(vec![message.clone()]));
        shown.trim_start_matches('[').trim_end_matches(']').to_owned()
    };
    let received = beyond(old, new).into_iter().filter_map(|m| {
        Some(Exchange { kind: ExchangeKind::Receive, from: queue.clone(), to: who(false)?, text: show(m) })
    });
    let sent = beyond(new, old).into_iter().filter_map(|m| {
        Some(Exchange { kind: ExchangeKind::Send, from: who(true)?, to: queue.clone(), text: show(m) })
    });
    received.chain(sent).collect()
}

/// The messages of one queue that another one has not, each as often.
fn beyond<'m>(queue: &'m [Vec<i64>], other: &[Vec<i64>]) -> Vec<&'m Vec<i64>> {
    let mut rest: Vec<&Vec<i64>> = other.iter().collect();
    let mut more = Vec::new();
    for message in queue {
        match rest.iter().position(|m| *m == message) {
            Some(i) => drop(rest.swap_remove(i)),
            None => more.push(message),
        }
    }
    more
}
