//! Nets as systems, so that a net read from a file runs on every engine.

use super::{Net, NetTransitionId, PlaceId, ViewError};
use crate::objects::{Kind, Value};
use crate::system::Joining;
use crate::{Binary, Builder, Command, Expr, ObjectId, System, Transition};

impl Net {
    /// The system with a counter for each place and a transition without processes for each transition, in the same
    /// order and with the same numbers. A place that would exceed its maximum is a model error of the system: its runs
    /// are those of the net as long as no place has more tokens. Transitions marked `fault` become failing assertions.
    pub fn to_system(&self, max: impl Fn(PlaceId) -> u32) -> Result<System, ViewError> {
        let mut builder = Builder::new(self.name());
        for (id, place) in self.place_ids().zip(self.places()) {
            let max = max(id);
            if place.initial > max {
                let (name, initial) = (&place.name, place.initial);
                return Err(ViewError::new(format!("place `{name}` starts with {initial} tokens, more than {max}")));
            }
            let initial = Value::Int(i64::from(place.initial));
            builder.object_with(place.name.as_str(), Kind::Counter { max }, initial, None);
        }
        for t in self.transition_ids() {
            builder.transition(self.to_transition(t));
        }
        builder.build().map_err(|errors| {
            let messages: Vec<String> = errors.into_iter().map(|e| e.message).collect();
            ViewError::new(messages.join("; "))
        })
    }

    /// Tokens that are taken and given back are a guard: a test leaves more steps independent than two changes do.
    fn to_transition(&self, t: NetTransitionId) -> Transition {
        let (mut guard, mut takes, mut gains) = (Vec::new(), Vec::new(), Vec::new());
        let weight = |arcs: &[(PlaceId, u32)], p| arcs.binary_search_by_key(&p, |(q, _)| *q).map_or(0, |i| arcs[i].1);
        for &(p, taken) in self.pre(t) {
            let (counter, back) = (ObjectId(p.0), weight(self.post(t), p));
            if back > 0 {
                guard.push(Expr::read(counter).op(Binary::Ge, i64::from(taken)));
            }
            if taken > back {
                takes.push(Command::Take(counter.into(), taken - back));
            }
        }
        for &(p, given) in self.post(t) {
            let taken = weight(self.pre(t), p);
            if given > taken {
                gains.push(Command::Gain(ObjectId(p.0).into(), given - taken));
            }
        }
        if self.transition(t).fault {
            gains.push(Command::Assert(Expr::Const(0)));
        }
        let name = &self.transition(t).name;
        let command = takes.into_iter().chain(gains).collect();
        let (moves, joining, spans) = (Vec::new(), Joining::Plain, Vec::new());
        Transition {
            name: name.to_string(),
            label: name.clone(),
            moves,
            guard,
            command,
            joining,
            last_resort: false,
            spans,
        }
    }
}
