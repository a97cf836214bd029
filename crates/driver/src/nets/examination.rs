//! Examinations of the Model Checking Contest: named questions, each about one goal or about very many.

use std::collections::HashSet;
use std::fmt;

use model::nets::{Goal, Linear, Predicate};
use model::views::{Net, NetTransitionId, PlaceId};

use super::{NetAnswer, NetVerdict};

/// A question with a name. Its goals stand one after another in the list that it was made with.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The name that the answer is given under.
    pub id: String,
    rule: Rule,
    goals: usize,
    reached: usize,
    never: usize,
    techniques: Vec<&'static str>,
}

/// How the answer follows from what becomes of the goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// True if the goal is reached.
    Exists,
    /// False if the goal is reached.
    Always,
    /// The maximum itself.
    Bound,
    /// True if no goal is reached.
    NoneReached,
    /// True if all goals are reached.
    AllReached,
    /// True if some goal is never reached.
    SomeNever,
}

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedValue {
    /// Yes or no.
    Truth(bool),
    /// A maximum.
    Number(i64),
}

impl fmt::Display for AskedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskedValue::Truth(true) => f.write_str("TRUE"),
            AskedValue::Truth(false) => f.write_str("FALSE"),
            AskedValue::Number(value) => write!(f, "{value}"),
        }
    }
}

impl Asked {
    fn new(id: impl Into<String>, rule: Rule, goals: usize) -> Self {
        Self { id: id.into(), rule, goals, reached: 0, never: 0, techniques: Vec::new() }
    }

    /// Whether a marking that satisfies the predicate is reachable, and its goal.
    pub fn exists(id: impl Into<String>, predicate: Predicate) -> (Self, Goal) {
        (Self::new(id, Rule::Exists, 1), Goal::Satisfies(predicate))
    }

    /// Whether a dead marking is reachable, and its goal.
    pub fn deadlock(id: impl Into<String>) -> (Self, Goal) {
        (Self::new(id, Rule::Exists, 1), Goal::Dead)
    }

    /// Whether all reachable markings satisfy a predicate, given its negation, and its goal.
    pub fn always(id: impl Into<String>, negation: Predicate) -> (Self, Goal) {
        (Self::new(id, Rule::Always, 1), Goal::Satisfies(negation))
    }

    /// The greatest value of an expression, and its goal.
    pub fn bound(id: impl Into<String>, expression: Linear) -> (Self, Goal) {
        (Self::new(id, Rule::Bound, 1), Goal::Maximum(expression))
    }

    /// Whether no place ever has two tokens, and its goals. A place of a coloured net is several of the net.
    pub fn one_safe<'a>(places: impl Iterator<Item = &'a [PlaceId]>) -> (Self, Vec<Goal>) {
        let two = |all: &[PlaceId]| Goal::Satisfies(Predicate::linear(sum(all, -1, 2)));
        Self::of_many("OneSafe", Rule::NoneReached, places.map(two))
    }

    /// Whether every transition can become enabled, and its goals. A transition of a coloured net is enabled if one of
    /// its instances is.
    pub fn quasi_liveness<'a>(
        net: &Net,
        transitions: impl Iterator<Item = &'a [NetTransitionId]>,
    ) -> (Self, Vec<Goal>) {
        let enabled =
            |all: &[NetTransitionId]| Goal::Satisfies(Predicate::any(all.iter().map(|&t| Predicate::fireable(net, t))));
        // Equal presets are one question.
        let mut asked = HashSet::new();
        let presets = |all: &[NetTransitionId]| all.iter().map(|&t| net.pre(t)).collect::<Vec<_>>();
        let goals = transitions.filter(|all| asked.insert(presets(all))).map(enabled);
        Self::of_many("QuasiLiveness", Rule::AllReached, goals)
    }

    /// Whether some place always has the tokens that it starts with, and its goals. A place of a coloured net is several
    /// of the net.
    pub fn stable_marking<'a>(net: &Net, places: impl Iterator<Item = &'a [PlaceId]>) -> (Self, Vec<Goal>) {
        let changed = |all: &[PlaceId]| {
            let initial: i64 = all.iter().map(|&p| i64::from(net.place(p).initial)).sum();
            let (less, more) = (sum(all, 1, 1 - initial), sum(all, -1, initial + 1));
            Goal::Satisfies(Predicate::any([less, more].map(Predicate::linear)))
        };
        Self::of_many("StableMarking", Rule::SomeNever, places.map(changed))
    }

    fn of_many(id: &str, rule: Rule, goals: impl Iterator<Item = Goal>) -> (Self, Vec<Goal>) {
        let goals: Vec<Goal> = goals.collect();
        (Self::new(id, rule, goals.len()), goals)
    }

    /// Takes the answer about one of its goals; the answer to the question, once that follows.
    pub fn take(&mut self, answer: &NetAnswer) -> Option<AskedValue> {
        self.techniques.extend(&answer.techniques);
        self.techniques.sort_unstable();
        self.techniques.dedup();
        match answer.verdict {
            NetVerdict::Reached(_) => self.reached += 1,
            NetVerdict::Never(_) => self.never += 1,
            NetVerdict::Maximum(value, ..) => return Some(AskedValue::Number(value)),
        }
        self.value()
    }

    /// The answer, if it follows from what is known.
    pub fn value(&self) -> Option<AskedValue> {
        let Self { goals, reached, never, .. } = *self;
        let (some, some_not, all, none) = (reached > 0, never > 0, reached == goals, never == goals);
        let truth = |yes: bool, no: bool| (yes || no).then_some(AskedValue::Truth(yes));
        match self.rule {
            Rule::Exists => truth(some, some_not),
            Rule::Always => truth(some_not, some),
            Rule::Bound => None,
            Rule::NoneReached => truth(none && !some, some),
            Rule::AllReached => truth(all && !some_not, some_not),
            Rule::SomeNever => truth(some_not, all),
        }
    }

    /// The techniques that the answer is due to.
    pub fn techniques(&self) -> &[&'static str] {
        &self.techniques
    }
}

/// The tokens of some places together, times a factor, and a constant.
fn sum(places: &[PlaceId], factor: i64, constant: i64) -> Linear {
    let terms = places.iter().map(|&p| (p, factor)).collect();
    Linear::new(terms, constant).expect("each place has a small factor")
}

#[cfg(test)]
mod tests {
    use super::*;
    use check::replay_net;
    use engines::net::Proof;
    use model::views::{ArcSet, Place};

    fn net() -> Net {
        let [a, b, c] = [0, 1, 2].map(PlaceId::new);
        let places = vec![Place::new("a", 1), Place::new("b", 0), Place::new("c", 0)];
        let arcs = vec![
            ArcSet::new("t", vec![(a, 1)], vec![(b, 1)]),
            ArcSet::new("u", vec![(c, 1)], vec![(b, 2)]),
            ArcSet::new("v", vec![(c, 1)], vec![]),
        ];
        Net::new("n", places, arcs).expect("a net")
    }

    fn reached() -> NetAnswer {
        let run = replay_net(&net(), &Goal::Satisfies(Predicate::Constant(true)), vec![]).expect("the empty run");
        NetAnswer { verdict: NetVerdict::Reached(run), techniques: vec!["WALK"] }
    }

    fn never() -> NetAnswer {
        NetAnswer { verdict: NetVerdict::Never(Proof::Structure(String::new())), techniques: vec!["STRUCTURE"] }
    }

    fn fed(mut asked: Asked, answers: &[NetAnswer]) -> Option<bool> {
        for answer in answers {
            asked.take(answer);
        }
        asked.value().map(|v| v == AskedValue::Truth(true))
    }

    #[test]
    fn each_question_follows_from_its_goals() {
        let (r, n) = (reached, never);
        let yes = Predicate::Constant(true);
        assert_eq!(fed(Asked::exists("e", yes.clone()).0, &[r()]), Some(true));
        assert_eq!(fed(Asked::exists("e", yes.clone()).0, &[n()]), Some(false));
        assert_eq!(fed(Asked::always("a", yes.clone()).0, &[r()]), Some(false));
        assert_eq!(fed(Asked::always("a", yes).0, &[n()]), Some(true));
        let (places, transitions): (Vec<_>, Vec<_>) = (net().place_ids().collect(), net().transition_ids().collect());
        let (safe, goals) = Asked::one_safe(places.chunks(1));
        assert_eq!(goals.len(), 3);
        assert_eq!(fed(safe.clone(), &[n(), n()]), None);
        assert_eq!(fed(safe.clone(), &[n(), n(), n()]), Some(true));
        assert_eq!(fed(safe, &[n(), r()]), Some(false));
        let (live, goals) = Asked::quasi_liveness(&net(), transitions.chunks(1));
        assert_eq!(goals.len(), 2, "u and v need the same");
        assert_eq!(fed(live.clone(), &[r()]), None);
        assert_eq!(fed(live.clone(), &[r(), r()]), Some(true));
        assert_eq!(fed(live, &[n()]), Some(false));
        let (stable, goals) = Asked::stable_marking(&net(), places.chunks(1));
        let Goal::Satisfies(changed) = &goals[0] else { panic!("a predicate") };
        assert!(changed.holds(&[0, 0, 0]) && changed.holds(&[2, 0, 0]) && !changed.holds(&[1, 0, 0]));
        let Goal::Satisfies(together) = &Asked::stable_marking(&net(), places.chunks(2)).1[0] else { panic!("one") };
        assert!(!together.holds(&[0, 1, 0]) && together.holds(&[1, 1, 0]) && together.holds(&[0, 0, 1]));
        assert_eq!(fed(stable.clone(), &[r(), r(), n()]), Some(true));
        assert_eq!(fed(stable, &[r(), r(), r()]), Some(false));
    }
}
