//! Why nothing can happen any more: for every process what it waits for, and the cycle of waiting if there is one.

use model::{Joining, LocationId, Move, ProcessId, System, Transition};
use serde::Serialize;

use crate::cycle::{Edge, Link, shortest};
use crate::help::{Help, Role, Scene};
use crate::obstacle::{Obstacle, obstacles};
use crate::phrase;
use crate::source::{Place, SourceText};

/// A state in which nothing is enabled, explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Deadlock {
    /// Every process.
    pub processes: Vec<Stuck>,
    /// The transitions that belong to no process.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Wait>,
    /// A cycle of processes, each waiting for the next; empty if there is none.
    pub cycle: Vec<Link>,
    /// Why there is no cycle: what was waited for that nobody will do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub no_cycle: Vec<String>,
}

/// A process that cannot move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stuck {
    /// The process.
    pub process: String,
    /// Its location.
    pub at: String,
    /// Whether it may stop there for good.
    pub may_stop: bool,
    /// Where the location is declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Place>,
    /// Its steps from there, all of them disabled.
    pub waits: Vec<Wait>,
}

/// A step that cannot happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wait {
    /// The name of the step.
    pub step: String,
    /// Where it is written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<Place>,
    /// What keeps it from happening.
    pub blockers: Vec<Blocker>,
}

/// One thing that keeps a step from happening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Blocker {
    /// What it is.
    pub text: String,
    /// What there is to say about those who could change it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// The processes that could change it.
    pub helpers: Vec<String>,
}

/// An alternative of a step with what stands in its way.
struct Blocked<'a> {
    transition: &'a Transition,
    obstacles: Vec<Obstacle<'a>>,
}

/// Explains the last state of a run, in which nothing is enabled.
pub(crate) fn deadlock(scene: &Scene<'_>, source: &SourceText) -> Deadlock {
    let mut report = Reporter { scene, source, edges: Vec::new(), dead_ends: Vec::new() };
    let processes = scene.system.process_ids().map(|p| report.stuck(p)).collect();
    let others = report.others();
    let cycle: Vec<Link> = shortest(scene.system.processes().len(), &report.edges)
        .unwrap_or_default()
        .into_iter()
        .map(|e| report.link(e))
        .collect();
    let no_cycle = if cycle.is_empty() { report.dead_ends } else { Vec::new() };
    Deadlock { processes, others, cycle, no_cycle }
}

struct Reporter<'a> {
    scene: &'a Scene<'a>,
    source: &'a SourceText,
    edges: Vec<Edge>,
    dead_ends: Vec<String>,
}

impl<'a> Reporter<'a> {
    fn system(&self) -> &'a System {
        self.scene.system
    }

    fn stuck(&mut self, p: ProcessId) -> Stuck {
        let process = self.system().process(p);
        let at = self.system().location(p, self.scene.state);
        let location = &process.locations[at.index()];
        let steps = self.steps(p, at);
        if steps.is_empty() && !location.end {
            self.dead_ends.push(format!("{} has no step that leaves `{}`", process.name, location.name));
        }
        Stuck {
            process: process.name.clone(),
            at: location.name.clone(),
            may_stop: location.end,
            source: location.span.or(process.span).map(|s| self.source.place(s)),
            waits: self.waits(p, &steps),
        }
    }

    /// The steps of a process from a location: alternatives that differ in their partners only are one step.
    fn steps(&self, p: ProcessId, at: LocationId) -> Vec<Vec<&'a Transition>> {
        let mut groups: Vec<(&Move, Joining, Vec<&Transition>)> = Vec::new();
        for t in self.system().transitions() {
            // The twin of a lossy send that loses the message is disabled for no other reason than the send.
            let Some(part) = t.part(p).filter(|m| m.from == at && !matches!(t.joining, Joining::Lost(_))) else {
                continue;
            };
            let same = |g: &&mut (&Move, Joining, _)| t.joining != Joining::Plain && (g.0, g.1) == (part, t.joining);
            match groups.iter_mut().find(same) {
                Some(group) => group.2.push(t),
                None => groups.push((part, t.joining, vec![t])),
            }
        }
        groups.into_iter().map(|g| g.2).collect()
    }

    /// The steps in words; those that read the same are one.
    fn waits(&mut self, p: ProcessId, steps: &[Vec<&'a Transition>]) -> Vec<Wait> {
        let mut waits = Vec::new();
        for step in steps {
            let wait = self.wait(p, step);
            if !waits.contains(&wait) {
                waits.push(wait);
            }
        }
        waits
    }

    /// One step: the alternatives that lack the fewest partners are worth telling.
    fn wait(&mut self, p: ProcessId, step: &[&'a Transition]) -> Wait {
        let blocked = step.iter().map(|&transition| Blocked {
            transition,
            obstacles: obstacles(self.system(), transition, self.scene.state),
        });
        let mut blocked: Vec<Blocked<'_>> = blocked.collect();
        let nearest = blocked.iter().map(Blocked::absent).min().unwrap_or_default();
        blocked.retain(|b| b.absent() == nearest);
        let mut blockers: Vec<Blocker> = Vec::new();
        for (b, o) in blocked.iter().flat_map(|b| b.obstacles.iter().map(move |o| (b, o))) {
            let blocker = self.blocker(p, b.transition, o);
            if !blockers.contains(&blocker) {
                blockers.push(blocker);
            }
        }
        let first = step[0];
        let label = first.part(p).map_or(&*first.name, |m| &m.label);
        Wait { step: label.to_owned(), source: self.places(p, first), blockers }
    }

    /// Where the step of a process is written; a step with several processes has one place for each.
    fn places(&self, p: ProcessId, t: &Transition) -> Vec<Place> {
        let position = t.moves.iter().position(|m| m.process == p).filter(|_| t.spans.len() == t.moves.len());
        let own = match (t.joining, position) {
            (Joining::Action, Some(i)) => Some(i),
            (Joining::Rendezvous(_), Some(i)) if phrase::is_sender(self.system(), t, &t.moves[i]) => Some(0),
            (Joining::Rendezvous(_), Some(_)) => Some(1),
            _ => None,
        };
        own.map_or_else(|| self.source.places(&t.spans), |i| vec![self.source.place(t.spans[i])])
    }

    fn blocker(&mut self, p: ProcessId, t: &Transition, o: &Obstacle<'_>) -> Blocker {
        let (system, state) = (self.system(), self.scene.state);
        let help = self.scene.help(p, o);
        self.remember(p, t, o, &help);
        Blocker {
            text: phrase::obstacle(system, t, o, state),
            advice: phrase::advice(system, o, &help),
            helpers: help.processes.iter().map(|h| system.process(*h).name.clone()).collect(),
        }
    }

    fn remember(&mut self, p: ProcessId, t: &Transition, o: &Obstacle<'_>, help: &Help) {
        let system = self.system();
        let name = &system.process(p).name;
        for &to in &help.processes {
            let text = format!("{name} waits for {}", phrase::awaited(system, t, o, help, to));
            self.edges.push(Edge { from: p, to, definite: help.is_definite(), text });
        }
        if matches!(help.role, Role::Nobody | Role::NoLonger) {
            let text = phrase::obstacle(system, t, o, self.scene.state);
            let advice = phrase::advice(system, o, help).unwrap_or_default();
            let colon = if text.starts_with("waits") { "" } else { ":" };
            self.dead_ends.push(format!("{name}{colon} {text}; {advice}"));
        }
    }

    fn link(&self, edge: &Edge) -> Link {
        let name = |p: ProcessId| self.system().process(p).name.clone();
        Link { process: name(edge.from), waits_for: name(edge.to), text: edge.text.clone() }
    }

    /// Transitions without a process, as in a plain Petri net.
    fn others(&self) -> Vec<Wait> {
        let (system, state) = (self.system(), self.scene.state);
        let free = system.transitions().iter().filter(|t| t.moves.is_empty());
        free.map(|t| {
            let blocker = |o: &Obstacle<'_>| Blocker {
                text: phrase::obstacle(system, t, o, state),
                advice: None,
                helpers: Vec::new(),
            };
            let blockers = obstacles(system, t, state).iter().map(blocker).collect();
            Wait { step: t.name.clone(), source: self.source.places(&t.spans), blockers }
        })
        .collect()
    }
}

impl Blocked<'_> {
    fn absent(&self) -> usize {
        self.obstacles.iter().filter(|o| matches!(o, Obstacle::Elsewhere(_))).count()
    }
}
