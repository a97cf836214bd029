//! Dead code: steps that no run takes and locations that no run reaches, as they are written in the model.
//!
//! A step of the text becomes many transitions: one for each member of a family, for each partner, for each value of a
//! loop. It is dead if none of them is ever taken, and is told once; one that is a model error is taken. A location is
//! reached if a process starts there or a transition that is taken, and no error, leads there; those of all members of a family are one.

use std::collections::{BTreeSet, HashMap};

use evidence::{Firing, Outcome, Verdict};
use explain::{Place, SourceText};
use model::{Edge, Location, LocationId, ProcessId, Span, System};
use serde::Serialize;

use crate::answer::Inquiry;

/// What no run does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum DeadCode {
    /// All of it.
    Known {
        /// The steps that no run takes.
        steps: Vec<Unused>,
        /// The locations that no run reaches.
        locations: Vec<Unused>,
    },
    /// The search does not tell.
    Unknown {
        /// Why.
        unknown: String,
    },
}

/// A step or a location that is of no use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unused {
    /// Its name within its process.
    pub name: String,
    /// The processes that have it; none for a transition without a process.
    pub processes: Vec<String>,
    /// Where it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Place>,
}

impl DeadCode {
    /// What the outcomes of one search tell.
    pub(crate) fn new(inquiry: &Inquiry<'_>, outcomes: &[Outcome]) -> Self {
        match outcomes.iter().find_map(|o| o.fired.as_deref()) {
            Some(fired) => Self::Known {
                steps: steps(inquiry.system, fired).unused(inquiry.system, inquiry.source),
                locations: locations(inquiry.system, fired).unused(inquiry.system, inquiry.source),
            },
            None => Self::Unknown { unknown: unknown(outcomes) },
        }
    }
}

fn unknown(outcomes: &[Outcome]) -> String {
    let reason = outcomes.iter().find_map(|o| match &o.verdict {
        Verdict::Unknown(reason) => Some(reason.to_string()),
        Verdict::Holds(_) | Verdict::Violated(_) => None,
    });
    let ended = outcomes.iter().any(|o| o.statistics.reduced == Some(true));
    reason.unwrap_or_else(|| match ended {
        true => "the reduced search may leave out steps for good: it needs a proviso".to_owned(),
        false => "the search did not visit everything".to_owned(),
    })
}

fn steps(system: &System, fired: &[Firing]) -> Tallies {
    let mut tallies = Tallies::default();
    let edge = |e: &Edge| {
        let mut tally = Tally::step(system, e.span, e.label.as_deref().unwrap_or_default(), [e.process].into());
        if let Some(span) = system.process(e.process).locations[e.from.index()].span {
            // What a macro or an inlined text gives stands at one place and means another step wherever it is used.
            tally.site.1 = format!("{}{}", tally.site.1, span.start);
        }
        tally
    };
    // Steps that need others and never find any are no part of a transition.
    system.joint_edges().iter().for_each(|e| tallies.add(edge(e), false));
    for t in system.transition_ids() {
        let (transition, fired) = (system.transition(t), fired[t.index()] != Firing::Never);
        system.parts(t).for_each(|e| tallies.add(edge(e), fired));
        // What leads to where a process is not there is no code.
        let is_code = transition.moves.iter().all(|m| system.process(m.process).is_code(m.to));
        if is_code && system.parts(t).next().is_none() {
            let name = if transition.moves.is_empty() { &*transition.name } else { &*transition.label };
            let processes = transition.moves.iter().map(|m| m.process).collect();
            tallies.add(Tally::step(system, transition.spans.first().copied(), name, processes), fired);
        }
    }
    tallies
}

fn locations(system: &System, fired: &[Firing]) -> Tallies {
    let processes = system.processes();
    let mut reached: Vec<Vec<bool>> = processes.iter().map(|p| vec![false; p.locations.len()]).collect();
    let taken = system.transitions().iter().zip(fired).filter(|(_, fired)| **fired == Firing::Taken);
    let entered = taken.flat_map(|(t, _)| &t.moves).map(|m| (m.process, m.to));
    for (p, l) in system.process_ids().map(|p| (p, system.process(p).initial)).chain(entered) {
        reached[p.index()][l.index()] = true;
    }
    let mut tallies = Tallies::default();
    for p in system.process_ids() {
        let process = system.process(p);
        for (l, reached) in reached[p.index()].iter().enumerate().filter(|(l, _)| process.is_code(LocationId::new(*l)))
        {
            tallies.add(Tally::location(system, p, &process.locations[l]), *reached);
        }
    }
    tallies
}

/// Something that is written once in the text, or has one name if there is no text.
struct Tally {
    site: Site,
    name: String,
    processes: BTreeSet<ProcessId>,
    span: Option<Span>,
    used: bool,
}

/// What tells two things of the text apart.
type Site = (Option<Span>, String);

impl Tally {
    /// A step is told apart by where it is written: its name may have an index.
    fn step(system: &System, span: Option<Span>, name: &str, processes: BTreeSet<ProcessId>) -> Self {
        let first = processes.first().map_or("", |p| &*system.process(*p).name);
        let site = (span, span.map_or_else(|| format!("{first}.{name}"), |_| String::new()));
        Self { site, name: name.to_owned(), processes, span, used: false }
    }

    /// A location is told apart by its name too: a family of locations is written once.
    fn location(system: &System, p: ProcessId, location: &Location) -> Self {
        let (process, name) = (system.process(p), &location.name);
        let written = location.span.map_or_else(|| format!("{}.{name}", process.name), |_| name.clone());
        let span = location.span.or(process.span);
        Self { site: (location.span, written), name: name.clone(), processes: [p].into(), span, used: false }
    }
}

/// All tallies, in the order in which they were first seen.
#[derive(Default)]
struct Tallies {
    positions: HashMap<Site, usize>,
    all: Vec<Tally>,
}

impl Tallies {
    /// Takes note of one more thing that is written there.
    fn add(&mut self, tally: Tally, used: bool) {
        let position = *self.positions.entry(tally.site.clone()).or_insert(self.all.len());
        if position == self.all.len() {
            self.all.push(tally);
        } else {
            self.all[position].processes.extend(tally.processes);
        }
        self.all[position].used |= used;
    }

    /// What is never used, in the order of the text.
    fn unused(self, system: &System, source: &SourceText) -> Vec<Unused> {
        let mut unused: Vec<Tally> = self.all.into_iter().filter(|t| !t.used).collect();
        unused.sort_by_key(|t| t.span);
        let report = |t: Tally| Unused {
            name: t.name,
            processes: t.processes.iter().map(|p| system.process(*p).name.clone()).collect(),
            source: t.span.map(|s| source.place(s)),
        };
        unused.into_iter().map(report).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Builder;

    const TEXT: &str = "P[i]: states a, b, c\n a->b\n b->c sync go\n a->c sync never\n";

    /// The span of a word of the text.
    fn at(word: &str) -> Option<Span> {
        TEXT.find(word).map(|start| Span::new(start, start + word.len()))
    }

    /// Two processes of one family that meet in `go`; `never` would need a third one, which has no step with it.
    fn family() -> System {
        let mut b = Builder::new("family");
        let (go, never) = (b.action("go"), b.action("never"));
        for name in ["P[0]", "P[1]"] {
            let p = b.process(name);
            let [a, m, c] = ["a", "b", "c"].map(|name| b.location(p, name));
            for (location, word) in b.process_mut(p).locations.iter_mut().zip(["a,", "b,", "c\n"]) {
                location.span = at(word);
            }
            b.edge(Edge { span: at("a->b"), ..Edge::new(p, a, m) });
            b.edge(Edge { span: at("b->c"), sync: Some(go), ..Edge::new(p, m, c) });
            b.edge(Edge { span: at("a->c"), sync: Some(never), ..Edge::new(p, a, c) });
        }
        let q = b.process("Q");
        b.location(q, "only");
        b.alphabet(q, never);
        b.build().expect("a model")
    }

    fn names(unused: &[Unused]) -> Vec<(&str, usize, Option<usize>)> {
        unused.iter().map(|u| (&*u.name, u.processes.len(), u.source.as_ref().map(|p| p.line))).collect()
    }

    fn dead(fired: impl Fn(&model::Transition) -> bool) -> (Vec<Unused>, Vec<Unused>) {
        let (system, source) = (family(), SourceText::new("family", TEXT));
        let firing = |t| if fired(t) { Firing::Taken } else { Firing::Never };
        let fired: Vec<Firing> = system.transitions().iter().map(firing).collect();
        let all = [steps(&system, &fired), locations(&system, &fired)].map(|t| t.unused(&system, &source));
        all.into()
    }

    #[test]
    fn a_step_is_dead_if_none_of_its_transitions_is_taken() {
        let (steps, locations) = dead(|t| t.moves[0].to == LocationId(1) && t.name.starts_with("P[1]"));
        assert_eq!(names(&steps), [("go", 2, Some(3)), ("never", 2, Some(4))]);
        assert_eq!(names(&locations), [("c", 2, Some(1))]);
        assert_eq!(steps[0].processes, ["P[0]", "P[1]"]);
    }

    #[test]
    fn a_step_without_a_partner_is_dead() {
        let (steps, locations) = dead(|_| true);
        assert_eq!(names(&steps), [("never", 2, Some(4))]);
        assert_eq!(names(&locations), []);
    }

    #[test]
    fn nothing_is_said_without_knowledge() {
        let list = crate::Listing { dead_code: true, ..Default::default() };
        let (system, source) = (family(), SourceText::new("family", TEXT));
        let inquiry = Inquiry { list, ..Inquiry::new(&system, &[], &source) };
        let said = DeadCode::new(&inquiry, &[Outcome::unknown(evidence::Reason::Timeout)]);
        assert_eq!(said, DeadCode::Unknown { unknown: "the time limit was reached".to_owned() });
    }
}
