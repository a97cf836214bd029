//! Partners that are not ready: members of an action, and the other ends of a rendezvous.
//!
//! Whatever keeps the partner, the waiting process waits for the partner: the partner's reasons are told in passing and
//! are the partner's own needs.

use model::{ActionId, Edge, ProcessId};

use crate::attendance::Missing;
use crate::crowd::Crowd;
use crate::cycle::Words;
use crate::help::{Help, Hope, Role};
use crate::meeting::{End, Misfit};
use crate::needs::{Analyst, Call, Lack, Need};
use crate::obstacle::{Obstacle, of_part};
use crate::phrase;

/// At most so many who do something else are named.
const EXAMPLES: usize = 3;

/// How near another end is to a meeting, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    Ready,
    Unready,
    /// It is there, and does not fit until somebody changes something.
    Unfit,
    Away,
    /// It can never do its part any more.
    Past,
    /// It never accepts such a message.
    Refusing,
    /// It never means the same channel.
    Apart,
}

/// A process' own part in a joint step, as it is now.
struct Offer {
    here: bool,
    /// Whether it can still be done, now or later.
    possible: bool,
    /// What stands in its way there, in words.
    reasons: Vec<String>,
}

impl Offer {
    fn is_ready(&self) -> bool {
        self.here && self.reasons.is_empty()
    }
}

/// What may come of another end.
struct Chance {
    nearness: Nearness,
    text: String,
    calls: Vec<Call>,
    /// Whether a transition that belongs to no process could help.
    unowned: bool,
}

impl<'a> Analyst<'a, '_> {
    /// How it is with a member of an action, unless it is ready.
    pub(crate) fn missing(&self, q: ProcessId, action: ActionId) -> Option<Missing> {
        let mut offers: Vec<Offer> = self.stations.parts(action, q).iter().map(|e| self.offer(e)).collect();
        offers.sort_by_key(|o| (!o.possible, !o.here, o.reasons.len()));
        if offers.iter().any(Offer::is_ready) {
            return None;
        }
        let delay = offers.first().map(|best| self.delay(q, best)).unwrap_or_default();
        let possible = offers.first().is_some_and(|best| best.possible);
        Some(Missing { process: q, knows: !offers.is_empty(), possible, delay })
    }

    /// What `p` lacks if a member of an action that it knows is not ready.
    pub(crate) fn member(&self, p: ProcessId, action: ActionId, missing: &Missing) -> Need {
        let (name, q) = (self.system().action(action), missing.process);
        if !missing.knows {
            let reason = format!("{} knows `{name}` (uses) and has no step with it", self.name(q));
            let sentence = format!("{} cannot take part in `{name}`: {reason}", self.name(p));
            return Need::hopeless(vec![self.lack(reason, sentence, None, None)]);
        }
        let what = format!("to take part in `{name}`");
        let text = format!("waits for {} {what}; {}", self.name(q), missing.delay);
        self.partner(p, q, &what, (text, missing.possible))
    }

    /// What `p` lacks if `q` is not where it would have to be.
    pub(crate) fn absent(&self, p: ProcessId, q: ProcessId, what: &str, can_come: bool) -> Need {
        let text = format!("waits for {} {what}; {}", self.name(q), self.whereabouts(q));
        self.partner(p, q, what, (text, can_come))
    }

    fn partner(&self, p: ProcessId, q: ProcessId, what: &str, (text, possible): (String, bool)) -> Need {
        let sentence = format!("{} {text}", self.name(p));
        if !possible {
            let mut lack = self.lack(text, sentence, Some(self.never(q)), None);
            lack.blocker.in_vain.push(self.name(q).to_owned());
            return Need::hopeless(vec![lack]);
        }
        let call = self.call(p, q, what);
        let lacks = vec![self.lack(text, sentence, None, Some(&call.to))];
        Need { lacks, calls: vec![call], sole: Some(q), hope: Hope::Open }
    }

    /// That `p` waits for another to do something.
    fn call(&self, p: ProcessId, to: ProcessId, what: &str) -> Call {
        let words = Words::new(&format!("{} waits for ", self.name(p)), &format!(" {what}"));
        Call { to: Crowd::new(vec![to]), definite: true, each: false, words }
    }

    fn whereabouts(&self, q: ProcessId) -> String {
        format!("{} is at `{}`", self.name(q), phrase::location(self.system(), q, self.scene.state))
    }

    fn never(&self, q: ProcessId) -> String {
        format!("{} can never do that", self.name(q))
    }

    /// Why a process does not do its part.
    fn delay(&self, q: ProcessId, offer: &Offer) -> String {
        if offer.here {
            format!("{} is not ready: {}", self.name(q), offer.reasons.join(", and "))
        } else {
            self.whereabouts(q)
        }
    }

    /// How it is with a process' own part in a joint step.
    fn offer(&self, edge: &Edge) -> Offer {
        let (system, state, q) = (self.system(), self.scene.state, edge.process);
        let mut obstacles = of_part(system, edge, state);
        obstacles.retain(|o| o.is_final(system));
        let for_good =
            |o: &Obstacle<'_>| matches!(self.scene.help(q, o).role, Role::Nobody | Role::NoLonger | Role::Forgotten);
        Offer {
            here: self.is_at(q, edge.from),
            possible: self.scene.writers.can_reach(q, edge.from) && !obstacles.iter().any(for_good),
            reasons: obstacles.iter().map(|o| phrase::obstacle(system, o, state)).collect(),
        }
    }

    /// What one end of a rendezvous lacks if no other end is ready for it.
    pub(crate) fn meeting(&self, own: &End<'a>) -> Option<Need> {
        let ends = self.stations.partners(own);
        let there = ends.iter().filter(|e| self.scene.is_there(e.edge.process));
        let mut chances: Vec<(ProcessId, Chance)> = there.map(|e| (e.edge.process, self.chance(own, e))).collect();
        if chances.iter().any(|(_, c)| c.nearness == Nearness::Ready) {
            return None;
        }
        chances.sort_by_key(|(q, c)| (*q, c.nearness));
        let mut lacks = self.told(own, &chances, |n| n <= Nearness::Past);
        if lacks.is_empty() {
            lacks = self.told(own, &chances, |n| n == Nearness::Refusing);
        }
        if lacks.is_empty() {
            lacks.push(self.nobody(own, &ends));
        }
        Some(Need::among(lacks, chances.into_iter().map(|(_, c)| c)))
    }

    /// The nearest chance with each partner, among those that are worth telling.
    fn told(&self, own: &End<'_>, chances: &[(ProcessId, Chance)], worth: fn(Nearness) -> bool) -> Vec<Lack> {
        let mut lacks = Vec::new();
        for (i, (q, chance)) in chances.iter().enumerate() {
            let first = i == 0 || chances[i - 1].0 != *q;
            if !first || !worth(chance.nearness) {
                continue;
            }
            let helpers = Crowd::new(chance.calls.iter().flat_map(|c| c.to.iter()).collect());
            let advice = (chance.nearness == Nearness::Past).then(|| self.never(*q));
            let (text, p) = (chance.text.clone(), self.name(own.edge.process));
            let sentence = if text.starts_with("waits") { format!("{p} {text}") } else { text.clone() };
            lacks.push(self.lack(text, sentence, advice, Some(&helpers)));
        }
        lacks
    }

    fn nobody(&self, own: &End<'_>, ends: &[End<'_>]) -> Lack {
        let (system, state) = (self.system(), self.scene.state);
        let (verb, channel) = (own.other_verb(), own.channel(system, state));
        let text = format!("waits for somebody to {verb} on `{channel}`; nobody else is at a {verb} on it");
        let sentence = format!("{} {text}", self.name(own.edge.process));
        let advice = self.instead(own, ends);
        self.lack(text, sentence, Some(advice), None)
    }

    /// What those do who never meet an end: they are at other cells of the array, or gone.
    fn instead(&self, own: &End<'_>, ends: &[End<'_>]) -> String {
        let (system, state) = (self.system(), self.scene.state);
        let here = ends.iter().filter(|e| self.is_at(e.edge.process, e.edge.from));
        let mut others: Vec<String> = here
            .map(|e| format!("{} is at one on {}", self.name(e.edge.process), e.channel(system, state)))
            .take(EXAMPLES)
            .collect();
        others.dedup();
        if !others.is_empty() {
            return others.join(", ");
        }
        let ever = ends.iter().any(|e| e.may_mean(own, system, state));
        if ever { "nobody can come to one any more" } else { "no other process has one" }.to_owned()
    }

    fn chance(&self, own: &End<'_>, other: &End<'_>) -> Chance {
        let (system, state, q) = (self.system(), self.scene.state, other.edge.process);
        let p = own.edge.process;
        let what = format!("to {} on `{}`", other.verb(), own.channel(system, state));
        let by_partner = |nearness, reason: String| Chance {
            nearness,
            text: format!("waits for {} {what}; {reason}", self.name(q)),
            calls: if nearness < Nearness::Past { vec![self.call(p, q, &what)] } else { Vec::new() },
            unowned: false,
        };
        let misfits: Vec<(Misfit, Help)> = own
            .misfits(other, system, state)
            .into_iter()
            .map(|m| {
                let help = self.scene.for_condition(p, m.condition());
                (m, help)
            })
            .collect();
        let offer = self.offer(other.edge);
        let reason = self.delay(q, &offer);
        if let Some(hopeless) = self.hopeless(own, other, &misfits) {
            hopeless
        } else if !offer.possible {
            by_partner(Nearness::Past, reason)
        } else if !offer.here {
            by_partner(Nearness::Away, reason)
        } else if let Some((misfit, _)) = misfits.first() {
            let unfit = by_partner(Nearness::Unfit, phrase::misfit(system, (own, other), misfit, state));
            let calls = misfits.iter().flat_map(|(m, help)| self.fitting(p, (q, &what), m, help)).collect();
            Chance { calls, unowned: misfits.iter().any(|(_, h)| h.role == Role::Unowned), ..unfit }
        } else if offer.is_ready() {
            by_partner(Nearness::Ready, reason)
        } else {
            by_partner(Nearness::Unready, reason)
        }
    }

    /// The chance with an end that will never fit, unless the waiting process itself moves first.
    fn hopeless(&self, own: &End<'_>, other: &End<'_>, misfits: &[(Misfit, Help)]) -> Option<Chance> {
        let mut gone = misfits.iter().filter(|(_, help)| help.hope() == Hope::Gone).peekable();
        gone.peek()?;
        let apart = gone.any(|(m, _)| matches!(m, Misfit::Cell(_)));
        let nearness = if apart { Nearness::Apart } else { Nearness::Refusing };
        let on = format!(" on `{}`", own.channel(self.system(), self.scene.state));
        let text = phrase::exchange(self.system(), (own, other), &on, self.scene.state);
        Some(Chance { nearness, text, calls: Vec::new(), unowned: false })
    }

    /// Those who could make two ends fit: the partner, or somebody who changes what they read.
    fn fitting(&self, p: ProcessId, (q, what): (ProcessId, &str), misfit: &Misfit, help: &Help) -> Vec<Call> {
        let condition = self.system().show_expr(misfit.condition());
        let before = format!("{} waits for `{condition}`, which ", self.name(p));
        let third = |to: ProcessId| {
            let words = Words::new(&before, " could make true");
            Call { to: Crowd::new(vec![to]), definite: false, each: false, words }
        };
        let awaited = help.awaited().into_iter().flat_map(Crowd::iter);
        awaited.map(|to| if to == q { self.call(p, q, what) } else { third(to) }).collect()
    }
}

impl Need {
    pub(crate) fn hopeless(lacks: Vec<Lack>) -> Self {
        Need { lacks, calls: Vec::new(), sole: None, hope: Hope::Gone }
    }

    /// A need that any of these chances could meet.
    fn among(lacks: Vec<Lack>, chances: impl Iterator<Item = Chance>) -> Self {
        let (mut need, mut unowned) = (Need::hopeless(lacks), false);
        for chance in chances.filter(|c| c.nearness < Nearness::Past) {
            need.hope = Hope::Open;
            need.calls.extend(chance.calls);
            unowned |= chance.unowned;
        }
        let first = need.calls.first().and_then(|c| c.to.only());
        need.sole = first.filter(|p| !unowned && need.calls.iter().all(|c| c.to.only() == Some(*p)));
        need
    }
}
