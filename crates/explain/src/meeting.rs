//! The two ends of a rendezvous: whether they can meet at all, and whether they fit each other in a state.

use model::{Binary, ChannelType, Command, Edge, Expr, Kind, ObjectId, Pattern, System, Target};

use crate::obstacle::{is_false, is_rendezvous};
use crate::values::{evaluate, resolve};

/// One end of a rendezvous.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End<'a> {
    pub(crate) edge: &'a Edge,
    channel: &'a Target,
    side: Side<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Side<'a> {
    Send(&'a [Expr]),
    Receive(&'a [Pattern]),
}

/// Why two ends do not fit: each condition is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// They mean different cells of an array of channels.
    Cell(Expr),
    /// The receiver accepts other messages only.
    Message(Expr),
}

impl Misfit {
    pub(crate) fn condition(&self) -> &Expr {
        match self {
            Misfit::Cell(e) | Misfit::Message(e) => e,
        }
    }
}

impl<'a> End<'a> {
    /// The end of a rendezvous in an edge, if it has one.
    pub(crate) fn of(system: &System, edge: &'a Edge) -> Option<Self> {
        edge.command.iter().find_map(|c| {
            let (channel, side) = match c {
                Command::Send(t, values) => (t, Side::Send(values)),
                Command::Receive(t, patterns) => (t, Side::Receive(patterns)),
                _ => return None,
            };
            is_rendezvous(system, channel).then_some(Self { edge, channel, side })
        })
    }

    pub(crate) fn sends(&self) -> bool {
        matches!(self.side, Side::Send(_))
    }

    /// The channels that it may mean.
    pub(crate) fn channels(&self) -> impl Iterator<Item = ObjectId> + 'a {
        self.channel.objects()
    }

    /// What is done at this end.
    pub(crate) fn verb(&self) -> &'static str {
        if self.sends() { "send" } else { "receive" }
    }

    /// What is done at the other end.
    pub(crate) fn other_verb(&self) -> &'static str {
        if self.sends() { "receive" } else { "send" }
    }

    /// Whether the two could ever meet.
    pub(crate) fn may_meet(&self, other: &End<'_>) -> bool {
        let range = |t: &Target| (t.first.0, t.first.0 + t.len);
        let (a, b) = (range(self.channel), range(other.channel));
        self.edge.process != other.edge.process && self.sends() != other.sends() && a.0 < b.1 && b.0 < a.1
    }

    /// Whether this end could ever mean the channel that another end means in a state.
    pub(crate) fn may_mean(&self, other: &End<'_>, system: &System, state: &[u64]) -> bool {
        resolve(system, other.channel, state).is_some_and(|cell| self.channel.objects().any(|o| o == cell))
    }

    /// The name of the channel that is meant in a state.
    pub(crate) fn channel(&self, system: &System, state: &[u64]) -> String {
        match resolve(system, self.channel, state) {
            Some(cell) => system.object(cell).name.clone(),
            None => system.show_target(self.channel),
        }
    }

    /// The number of the object that is meant.
    fn cell(&self) -> Expr {
        let first = Expr::Const(i64::from(self.channel.first.0));
        self.channel.index.as_deref().map_or(first.clone(), |i| first.op(Binary::Add, i.clone()))
    }

    /// Why this end and the other one do not fit in a state.
    pub(crate) fn misfits(&self, other: &End<'_>, system: &System, state: &[u64]) -> Vec<Misfit> {
        let mut wanted = vec![Misfit::Cell(self.cell().is(other.cell()))];
        if let (Side::Send(values), Side::Receive(patterns)) | (Side::Receive(patterns), Side::Send(values)) =
            (self.side, other.side)
        {
            let fields = values.iter().zip(patterns).filter_map(|(v, p)| match p {
                Pattern::Match(e) => Some(Misfit::Message(v.clone().is(e.clone()))),
                Pattern::Bind(_) | Pattern::Ignore => None,
            });
            wanted.extend(fields);
        }
        wanted.retain(|m| is_false(system, m.condition(), state));
        wanted
    }

    /// The message that is sent, or the messages that are accepted.
    pub(crate) fn message(&self, system: &System, state: &[u64]) -> String {
        let Some(kind) = channel_type(system, self.channel.first) else { return String::new() };
        let show = |i: usize, e: &Expr| {
            let domain = &kind.fields[i];
            let value = evaluate(system, e, (domain.lo(), domain.hi()), state);
            value.map_or_else(|| system.show_expr(e), |v| domain.show(v))
        };
        let fields: Vec<String> = match self.side {
            Side::Send(values) => values.iter().enumerate().map(|(i, e)| show(i, e)).collect(),
            Side::Receive(patterns) => {
                let field = |(i, p): (usize, &Pattern)| match p {
                    Pattern::Match(e) => show(i, e),
                    Pattern::Bind(_) | Pattern::Ignore => "_".to_owned(),
                };
                patterns.iter().enumerate().map(field).collect()
            }
        };
        if let [one] = &fields[..] { one.clone() } else { format!("({})", fields.join(", ")) }
    }
}

fn channel_type(system: &System, channel: ObjectId) -> Option<&ChannelType> {
    match &system.object(channel).kind {
        Kind::Channel(c) => Some(c),
        _ => None,
    }
}
