//! The `trace` or `notrace` assertion: an automaton that goes along with the sends and receives that it names.
//!
//! Where it is, is a variable of the system. A step that sends to, or receives from, one of its channels moves it: to
//! where the event leads, or, if the event is none of those that it waits for, to where a `trace` is broken for good and a
//! `notrace` has nothing to wait for any more. An assertion that has two ways to go is a mistake in itself, as it is to
//! SPIN.

use std::sync::Arc;

use model::{Command, Domain, Enumeration, Expr as Code, Kind, ObjectId, Value};

use super::channels::Case;
use super::scope::Scope;
use super::term::Term;
use super::world::World;
use super::{Checked, refuse};
use crate::promela::ir::{Action, Argument, Binary, Edge, Event, Graph, Node, Trace};

/// The name of a place where two ways lead on.
const AMBIGUOUS: &str = "two events of the assertion match at once";

/// The variable that says where the assertion is: a node, or one of two values behind them that are errors.
#[derive(Clone, Debug)]
pub(super) struct Follower<'p> {
    trace: &'p Trace,
    object: ObjectId,
}

/// The events on a channel, in one direction, that the assertion waits for anywhere.
pub(super) struct Expected<'w, 'p> {
    follower: &'w Follower<'p>,
    events: Vec<Awaited>,
}

/// One of them.
struct Awaited {
    from: i64,
    to: i64,
    /// When its channel is the one that is meant.
    when: Term,
    /// The values of fields, where they matter.
    fields: Vec<Option<i64>>,
}

impl<'p> Follower<'p> {
    /// The variable of an assertion.
    pub(super) fn new(trace: &'p Trace, builder: &mut model::Builder) -> Self {
        let broken = if trace.negated { "all events have matched" } else { "no event of the assertion matches" };
        let mut constants = places(&trace.graph);
        constants.extend([broken, AMBIGUOUS].map(str::to_owned));
        let name = trace.name().to_owned();
        let domain = Domain::Named(Arc::new(Enumeration { name: name.clone(), constants }));
        let object = builder.object_with(name, Kind::Variable(domain), Value::Int(0), Some(trace.span));
        Self { trace, object }
    }

    fn nodes(&self) -> i64 {
        self.trace.graph.nodes.len() as i64
    }

    /// Where it is.
    fn place(&self) -> Term {
        Term { expr: Code::read(self.object), bounds: (0, self.errors()[1]), safe: true }
    }

    /// What it is instead of a node if all is not well: the event was wrong, or it was not clear where it leads.
    fn errors(&self) -> [i64; 2] {
        [self.nodes(), self.nodes() + 1]
    }

    /// Whether all is well.
    pub(super) fn holds(&self) -> Term {
        let [broken, ambiguous] = self.errors().map(|e| Term::binary(Binary::Ne, self.place(), Term::constant(e)));
        broken.and(ambiguous)
    }

    /// Whether it is at a node of a kind.
    pub(super) fn labelled(&self, kind: impl Fn(&Node) -> bool) -> Term {
        let nodes = self.trace.graph.nodes.iter().zip(0..).filter(|(node, _)| kind(node));
        nodes.fold(Term::constant(0), |any, (_, at)| any.or(self.is_at(at)))
    }

    fn is_at(&self, node: i64) -> Term {
        Term::binary(Binary::Eq, self.place(), Term::constant(node))
    }
}

impl World<'_> {
    /// When processes may stop for good as far as the assertion is concerned: where it may stop, or is broken anyway.
    /// Nobody asks it where no process is left, nor does SPIN.
    pub(super) fn completed(&self) -> Option<Term> {
        let follower = self.follower.as_ref()?;
        let none = Term::binary(Binary::Eq, self.count(), Term::constant(0));
        let [broken, ambiguous] = follower.errors().map(|error| follower.is_at(error));
        Some(follower.labelled(|node| node.end).or(none).or(broken).or(ambiguous))
    }
}

impl<'w, 'p> Scope<'w, 'p> {
    /// What the assertion waits for on a channel; nothing if it does not look at it in this direction.
    pub(super) fn expected(&self, number: u32, sends: bool) -> Checked<Option<Expected<'w, 'p>>> {
        let Some(follower) = &self.world.follower else { return Ok(None) };
        let mut events = Vec::new();
        for edge in &follower.trace.graph.edges {
            let Action::Event(event) = &edge.action else { unreachable!("resolution leaves nothing but events") };
            if event.sends == sends {
                events.extend(self.awaited(edge, event, number)?);
            }
        }
        Ok((!events.is_empty()).then_some(Expected { follower, events }))
    }

    fn awaited(&self, edge: &Edge, event: &Event, number: u32) -> Checked<Vec<Awaited>> {
        let own = Scope { seat: None, span: edge.span, ..*self };
        let constant = |argument: &Argument| match argument {
            Argument::Match(e) => match own.term(e)?.value() {
                Some(value) => Ok(Some(value)),
                None => refuse(edge.span, "a trace compares messages with constants only".to_owned()),
            },
            Argument::Bind(_) | Argument::Ignore => Ok(None),
        };
        let fields = event.arguments.iter().map(constant).collect::<Checked<Vec<_>>>()?;
        let (from, to) = (i64::from(edge.from.0), i64::from(edge.to.0));
        let meant = own.reference(&event.channel)?.cases.into_iter().filter(|c| c.channel == number);
        Ok(meant.map(|Case { when, .. }| Awaited { from, to, when, fields: fields.clone() }).collect())
    }
}

impl Expected<'_, '_> {
    /// Whether the value of a field matters.
    pub(super) fn looks_at(&self, field: usize) -> bool {
        self.events.iter().any(|e| e.fields.get(field).is_some_and(Option::is_some))
    }

    /// Moves the assertion along with a message: the values of its fields, at least of those that matter.
    pub(super) fn follow(&self, values: &[Option<Term>]) -> Command {
        let follower = self.follower;
        let (end, [broken, ambiguous]) = (follower.nodes() - 1, follower.errors());
        // The end of a `notrace` is where it goes if it can no longer match; there it stays.
        let (missed, done) = if follower.trace.negated { (end, broken) } else { (broken, end) };
        let mut next = Term::constant(missed);
        for node in (0..follower.nodes()).rev() {
            let events: Vec<&Awaited> = self.events.iter().filter(|e| e.from == node).collect();
            let mut here = Term::constant(missed);
            for event in events.iter().rev() {
                let to = Term::constant(if event.to == end { done } else { event.to });
                here = Term::choice(event.matches(values), to, here);
            }
            for (i, a) in events.iter().enumerate() {
                for b in events[..i].iter().filter(|b| a.overlaps(b)) {
                    let both = a.matches(values).and(b.matches(values));
                    here = Term::choice(both, Term::constant(ambiguous), here);
                }
            }
            if here.value() != Some(missed) {
                next = Term::choice(follower.is_at(node), here, next);
            }
        }
        let mut moves = self.events.iter().fold(Term::constant(0), |any, e| any.or(e.when.clone()));
        if follower.trace.negated {
            // An error stays one.
            moves = moves.and(follower.holds());
        }
        next = Term::choice(moves, next, follower.place());
        Command::Assign(follower.object.into(), next.expr)
    }
}

impl Awaited {
    fn matches(&self, values: &[Option<Term>]) -> Term {
        let mut all = self.when.clone();
        for (wanted, value) in self.fields.iter().zip(values) {
            if let Some(wanted) = wanted {
                let value = value.clone().expect("what matters is given");
                all = all.and(Term::binary(Binary::Eq, value, Term::constant(*wanted)));
            }
        }
        all
    }

    /// Whether one message might match both.
    fn overlaps(&self, other: &Awaited) -> bool {
        let differ = |(a, b): (&Option<i64>, &Option<i64>)| a.is_some() && b.is_some() && a != b;
        !self.fields.iter().zip(&other.fields).any(differ)
    }
}

/// What the nodes are called: by what they wait for, no two the same.
fn places(graph: &Graph) -> Vec<String> {
    let mut places: Vec<String> = Vec::new();
    for node in 0..graph.nodes.len() {
        let leaving = graph.edges.iter().filter(|e| e.from.0 as usize == node);
        let texts: Vec<&str> = leaving.map(|e| &*e.text).collect();
        let name = if texts.is_empty() { "-end-".to_owned() } else { format!("before {}", texts.join(" or ")) };
        let taken = places.contains(&name);
        places.push(if taken { format!("{name} ({node})") } else { name });
    }
    places
}
