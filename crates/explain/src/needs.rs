//! What the steps of a stuck process lack, and who could supply it.
//!
//! A step needs all of its needs, and each need any one of those who could supply it. In a joint step a process' own
//! conditions are its own needs; that a partner is not ready is one more, whatever the partner's reasons are.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use model::{ActionId, Edge, Move, ProcessId, System, TransitionId};

use crate::attendance::Attendance;
use crate::crowd::{Crowd, NAMED};
use crate::cycle::Words;
use crate::deadlock::Blocker;
use crate::help::{Hope, Role, Scene};
use crate::meeting::End;
use crate::obstacle::{Obstacle, of_part, of_transition};
use crate::phrase;
use crate::source::{Place, SourceText};
use crate::stations::Stations;

/// A step from where the process is, disabled for each of its needs.
#[derive(Debug)]
pub(crate) struct BlockedStep {
    pub(crate) label: String,
    pub(crate) source: Vec<Place>,
    pub(crate) needs: Vec<Need>,
}

/// One thing that a step lacks.
#[derive(Debug)]
pub(crate) struct Need {
    pub(crate) lacks: Vec<Lack>,
    pub(crate) calls: Vec<Call>,
    /// The only process that could supply it, if there is just one.
    pub(crate) sole: Option<ProcessId>,
    pub(crate) hope: Hope,
}

/// What is lacking, in words.
#[derive(Debug)]
pub(crate) struct Lack {
    pub(crate) blocker: Blocker,
    /// The same as a sentence that stands alone.
    pub(crate) sentence: String,
}

/// Processes that are waited for alike.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) to: Crowd,
    /// Whether they are to blame, rather than some who might help.
    pub(crate) definite: bool,
    /// Whether none of them can be done without.
    pub(crate) each: bool,
    pub(crate) words: Words,
}

impl BlockedStep {
    pub(crate) fn hope(&self) -> Hope {
        self.needs.iter().map(|n| n.hope).max().unwrap_or(Hope::Gone)
    }

    pub(crate) fn calls(&self) -> impl Iterator<Item = &Call> {
        self.needs.iter().flat_map(|n| &n.calls)
    }

    /// Whether the step cannot happen before this process does something.
    pub(crate) fn requires(&self, process: ProcessId) -> bool {
        self.needs.iter().any(|n| n.sole == Some(process)) || self.calls().any(|c| c.each && c.to.contains(process))
    }

    /// The processes without whom it cannot happen, apart from crowds of which each is needed.
    pub(crate) fn soles(&self) -> impl Iterator<Item = ProcessId> {
        self.needs.iter().filter_map(|n| n.sole)
    }
}

/// Looks at the steps of one process after the other.
#[derive(Debug)]
pub(crate) struct Analyst<'a, 's> {
    pub(crate) scene: &'a Scene<'s>,
    pub(crate) source: &'a SourceText,
    pub(crate) stations: Stations<'a>,
    pub(crate) attendances: RefCell<HashMap<ActionId, Rc<Attendance>>>,
}

impl<'a, 's> Analyst<'a, 's> {
    pub(crate) fn new(scene: &'a Scene<'s>, source: &'a SourceText) -> Self {
        let stations = Stations::new(scene.system, scene.state);
        Self { scene, source, stations, attendances: RefCell::default() }
    }

    pub(crate) fn system(&self) -> &'a System {
        self.scene.system
    }

    pub(crate) fn name(&self, p: ProcessId) -> &'a str {
        &self.system().process(p).name
    }

    pub(crate) fn is_at(&self, p: ProcessId, location: model::LocationId) -> bool {
        self.system().location(p, self.scene.state) == location
    }

    /// The steps of a process from where it is; those that differ in their partners only are one.
    pub(crate) fn steps(&self, p: ProcessId) -> Vec<BlockedStep> {
        let mut steps = Vec::new();
        let mut seen: Vec<&Edge> = Vec::new();
        let known = |seen: &[&Edge], edge: &Edge| seen.iter().any(|e| std::ptr::eq(*e, edge));
        for id in self.stations.transitions(p) {
            match self.system().parts(id).find(|e| e.process == p) {
                None => steps.push(self.whole(p, id)),
                Some(edge) if known(&seen, edge) => {}
                Some(edge) => {
                    seen.push(edge);
                    steps.push(self.joint(edge));
                }
            }
        }
        let here = self.stations.edges(p);
        steps.extend(here.filter(|e| !known(&seen, e)).map(|e| self.joint(e)));
        steps
    }

    /// A step that was not joined from edges.
    fn whole(&self, p: ProcessId, id: TransitionId) -> BlockedStep {
        let t = self.system().transition(id);
        let elsewhere = t.moves.iter().filter(|m| !self.is_at(m.process, m.from)).map(|m| self.elsewhere(p, m));
        let own = of_transition(self.system(), t, self.scene.state);
        let needs = elsewhere.chain(self.own(p, &own)).collect();
        let label = t.part(p).map_or(&*t.name, |m| &m.label).to_owned();
        BlockedStep { label, source: self.source.places(&t.spans), needs }
    }

    fn joint(&self, edge: &'a Edge) -> BlockedStep {
        let (p, system) = (edge.process, self.system());
        let mut needs: Vec<Need> = self.own(p, &of_part(system, edge, self.scene.state)).collect();
        if let Some(action) = edge.sync {
            needs.extend(self.members(p, action));
        }
        needs.extend(End::of(system, edge).and_then(|end| self.meeting(&end)));
        let source = edge.span.into_iter().map(|s| self.source.place(s)).collect();
        BlockedStep { label: edge.label.clone().unwrap_or_default(), source, needs }
    }

    /// What stands in the way of a process on its own account.
    fn own(&self, p: ProcessId, obstacles: &[Obstacle<'_>]) -> impl Iterator<Item = Need> {
        obstacles.iter().filter(|o| o.is_final(self.system())).map(move |o| self.obstacle(p, o))
    }

    fn obstacle(&self, p: ProcessId, o: &Obstacle<'_>) -> Need {
        let (system, help) = (self.system(), self.scene.help(p, o));
        let call = |to: &Crowd| Call {
            to: to.clone(),
            definite: help.is_definite(),
            each: false,
            words: phrase::awaited(system, p, o, &help),
        };
        let text = phrase::obstacle(system, o, self.scene.state);
        let advice = phrase::advice(system, p, o, &help);
        let sentence = format!("{}: {text}", self.name(p));
        let mut lack = self.lack(text, sentence, advice, help.awaited());
        if help.role == Role::NoLonger && !help.processes.is_empty() {
            let ends: Vec<String> = help.processes.iter().take(NAMED).map(|q| self.end_of(q)).collect();
            let more = help.processes.len() - ends.len();
            let rest = if more > 0 { format!(" and so on, {more} more") } else { String::new() };
            lack.sentence = format!("{}: {}{rest}", lack.sentence, ends.join(", "));
        }
        Need {
            lacks: vec![lack],
            calls: help.awaited().map(call).into_iter().collect(),
            sole: help.sole.filter(|_| help.hope() != Hope::Gone),
            hope: help.hope(),
        }
    }

    /// Why a process that once could help cannot any more.
    fn end_of(&self, q: ProcessId) -> String {
        let at = self.system().location(q, self.scene.state);
        let location = &self.system().process(q).locations[at.index()];
        let what = if location.end { "has stopped at" } else { "can never do so again from" };
        format!("{} {what} `{}`", self.name(q), location.name)
    }

    fn elsewhere(&self, p: ProcessId, m: &Move) -> Need {
        let from = &self.system().process(m.process).locations[m.from.index()].name;
        let what = format!("to come to `{from}`");
        self.absent(p, m.process, &what, self.scene.writers.can_reach(m.process, m.from))
    }

    pub(crate) fn lack(&self, text: String, sentence: String, advice: Option<String>, helpers: Option<&Crowd>) -> Lack {
        let sentence = advice.as_ref().map_or_else(|| sentence.clone(), |a| format!("{sentence}; {a}"));
        let (helpers, more_helpers) = helpers.map(|who| who.names(self.system())).unwrap_or_default();
        Lack { blocker: Blocker { text, advice, helpers, more_helpers, in_vain: Vec::new() }, sentence }
    }
}
