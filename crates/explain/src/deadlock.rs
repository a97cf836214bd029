//! Why nothing can happen any more, or some processes are stuck for good: for each of them what it waits for, and the cycle
//! of waiting if there is one.

use check::Walk;
use model::ProcessId;
use serde::Serialize;

use crate::cycle::{Edge, Link, Strength, shortest};
use crate::help::{Hope, Scene};
use crate::needs::{Analyst, BlockedStep, Call};
use crate::obstacle::is_false;
use crate::phrase;
use crate::siphon::{Siphon, empty_siphon};
use crate::source::{Place, SourceText};
use crate::standstill::{Elided, Standstill};
use crate::values::Reading;

/// A state in which nothing is enabled, explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Deadlock {
    /// Every process.
    pub processes: Vec<Stuck>,
    /// Of a system without processes, such as a plain Petri net: the objects that are not empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marking: Vec<Reading>,
    /// The transitions that belong to no process, those first that lack the least.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Wait>,
    /// How many there are beyond those of the two lists.
    #[serde(skip_serializing_if = "Elided::is_nothing")]
    pub elided: Elided,
    /// Of a net: places that are empty and stay so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub siphon: Option<Siphon>,
    /// A cycle of processes, each waiting for the next; empty if there is none.
    pub cycle: Vec<Link>,
    /// Why there is no cycle: what was waited for that nobody will do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub no_cycle: Vec<String>,
    /// What to write if this is no mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// A state from which on some processes never move, explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartialDeadlock {
    /// Those who are stuck for good, and what they wait for.
    #[serde(flatten)]
    pub deadlock: Deadlock,
    /// The processes that can still take steps.
    pub going_on: Vec<String>,
    /// The processes that have stopped where they may.
    pub stopped: Vec<String>,
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
    /// The processes that would have to change it, and never will; only drawings make use of them.
    #[serde(skip)]
    pub in_vain: Vec<String>,
}

impl Deadlock {
    /// Whether nobody who may not stop has a step to wait for.
    pub(crate) fn is_plain_end(&self) -> bool {
        self.processes.iter().all(|p| p.may_stop || p.waits.is_empty())
    }

    /// Whether every process may stop there, but not the system as a whole.
    pub fn is_invalid_end(&self) -> bool {
        !self.processes.is_empty() && self.processes.iter().all(|p| p.may_stop)
    }
}

/// A process with its steps.
struct Case {
    process: ProcessId,
    at_end: bool,
    steps: Vec<BlockedStep>,
}

impl Case {
    /// The steps that are worth waiting for: those with the best prospects, if there are any.
    fn promising(&self) -> impl Iterator<Item = &BlockedStep> {
        let best = self.steps.iter().map(BlockedStep::hope).min().filter(|h| *h != Hope::Gone);
        self.steps.iter().filter(move |s| Some(s.hope()) == best)
    }

    fn edges(&self) -> Vec<Edge> {
        let calls = self.promising().flat_map(BlockedStep::calls);
        let kept = self.promising().any(|s| s.hope() == Hope::Kept);
        let edge = |call: &Call| {
            let strength = match call.definite {
                _ if kept => Strength::Vain,
                _ if self.promising().all(|s| s.requires(call.to)) => Strength::Necessary,
                true => Strength::Definite,
                false => Strength::Possible,
            };
            Edge { from: self.process, to: call.to, strength, text: call.text.clone() }
        };
        calls.map(edge).collect()
    }

    /// The steps in words; those that read the same are one.
    fn waits(&self) -> Vec<Wait> {
        let mut waits = Vec::new();
        for step in &self.steps {
            let wait = Wait { step: step.label.clone(), source: step.source.clone(), blockers: blockers(step) };
            if !waits.contains(&wait) {
                waits.push(wait);
            }
        }
        waits
    }
}

fn blockers(step: &BlockedStep) -> Vec<Blocker> {
    let mut blockers: Vec<Blocker> = Vec::new();
    for lack in step.needs.iter().flat_map(|n| &n.lacks) {
        if !blockers.contains(&lack.blocker) {
            blockers.push(lack.blocker.clone());
        }
    }
    blockers
}

/// Who waits for whom in the last state of a walk. Of a state in which something can happen only the processes are told, and
/// of those that can move themselves only where they are.
pub fn waiting(walk: &Walk<'_>, source: &SourceText) -> Deadlock {
    let (system, state) = (walk.system(), walk.last());
    let mut can_move = vec![false; system.processes().len()];
    let mut some = false;
    for enabled in system.enabled(state) {
        let (Ok(t) | Err((t, _))) = enabled;
        some = true;
        system.transition(t).moves.iter().for_each(|m| can_move[m.process.index()] = true);
    }
    let scene = Scene::new(walk);
    if !some {
        return deadlock(&scene, source);
    }
    let cases = cases(&scene, source, |p| !can_move[p.index()]);
    let edges = edges(&scene, &cases);
    let cycle = shortest(cases.len(), &edges).unwrap_or_default();
    Deadlock {
        processes: cases.iter().filter(|c| scene.is_there(c.process)).map(|c| stuck(&scene, source, c)).collect(),
        marking: Vec::new(),
        others: Vec::new(),
        elided: Elided::default(),
        siphon: None,
        cycle: cycle.into_iter().map(|e| link(&scene, e)).collect(),
        no_cycle: Vec::new(),
        advice: None,
    }
}

/// All processes, with the steps of those that are asked for.
fn cases(scene: &Scene<'_>, source: &SourceText, asked: impl Fn(ProcessId) -> bool) -> Vec<Case> {
    let (system, analyst) = (scene.system, Analyst { scene, source });
    let case = |process: ProcessId| {
        let at = system.location(process, scene.state);
        let at_end = system.process(process).locations[at.index()].end;
        Case { process, at_end, steps: if asked(process) { analyst.steps(process) } else { Vec::new() } }
    };
    system.process_ids().map(case).collect()
}

/// Who waits for whom, among those that are there.
fn edges(scene: &Scene<'_>, cases: &[Case]) -> Vec<Edge> {
    cases.iter().flat_map(Case::edges).filter(|e| scene.is_there(e.from) && scene.is_there(e.to)).collect()
}

/// Explains the last state of a run, in which nothing is enabled.
pub(crate) fn deadlock(scene: &Scene<'_>, source: &SourceText) -> Deadlock {
    let system = scene.system;
    let cases = cases(scene, source, |_| true);
    let edges = edges(scene, &cases);
    // Where all may stop, it is not their waiting that is wrong.
    let wait = !cases.iter().all(|c| c.at_end);
    let cycle = shortest(cases.len(), &edges).filter(|_| wait).unwrap_or_default();
    let reasons = || Reasons { scene, cases: &cases, edges: &edges, movers: &[] }.all();
    let no_cycle = if cycle.is_empty() { reasons() } else { Vec::new() };
    // Those who are not there say nothing, unless nobody is.
    let empty = !system.process_ids().any(|p| scene.is_there(p));
    let told = |case: &Case| empty || scene.is_there(case.process);
    let Standstill { marking, others, elided } = Standstill::new(scene, source);
    Deadlock {
        processes: cases.iter().filter(|c| told(c)).map(|c| stuck(scene, source, c)).collect(),
        marking,
        others,
        elided,
        siphon: empty_siphon(system, scene.state),
        cycle: cycle.into_iter().map(|e| link(scene, e)).collect(),
        no_cycle,
        advice: advice(scene, source, &cases),
    }
}

/// Of a text in the native language: that places have to be marked where processes may stop, if all who are not at such a
/// place are where nothing leads any further.
fn advice(scene: &Scene<'_>, source: &SourceText, cases: &[Case]) -> Option<String> {
    let unfinished: Vec<&Case> = cases.iter().filter(|c| !c.at_end && scene.is_there(c.process)).collect();
    if !source.is_native() || unfinished.is_empty() || unfinished.iter().any(|c| !c.steps.is_empty()) {
        return None;
    }
    let mut ends: Vec<String> = Vec::new();
    for case in &unfinished {
        let at = scene.system.location(case.process, scene.state);
        let end = format!("`end {}`", scene.system.process(case.process).locations[at.index()].name);
        if !ends.contains(&end) {
            ends.push(end);
        }
    }
    let (who, here) = if unfinished.len() == 1 { ("it", "here") } else { ("they", "there") };
    Some(format!("If {who} may stop {here}, say so: {}.", ends.join(", ")))
}

/// Explains the last state of a run, from which on only some processes can still move.
pub(crate) fn partial_deadlock(scene: &Scene<'_>, movers: &[ProcessId], source: &SourceText) -> PartialDeadlock {
    let system = scene.system;
    let analyst = Analyst { scene, source };
    let is_stuck = |p: ProcessId| !movers.contains(&p) && !system.may_stop(p, scene.state);
    let case = |process: ProcessId| {
        // Those who are not stuck wait for nothing that matters.
        let steps = if is_stuck(process) { analyst.steps(process) } else { Vec::new() };
        Case { process, at_end: system.may_stop(process, scene.state), steps }
    };
    let cases: Vec<Case> = system.process_ids().map(case).collect();
    let edges: Vec<Edge> = cases.iter().flat_map(Case::edges).filter(|e| scene.is_there(e.to)).collect();
    // Somebody who only might help may be kept by others than those who wait.
    let among = |e: &&Edge| is_stuck(e.to) && e.strength >= Strength::Definite;
    let embraced: Vec<Edge> = edges.iter().filter(among).cloned().collect();
    let cycle = shortest(cases.len(), &embraced).unwrap_or_default();
    let reasons = Reasons { scene, cases: &cases, edges: &edges, movers };
    let stuck_cases = || cases.iter().filter(|c| is_stuck(c.process));
    let mut no_cycle = Vec::new();
    for reason in stuck_cases().flat_map(|c| reasons.of(c)).filter(|_| cycle.is_empty()) {
        if !no_cycle.contains(&reason) {
            no_cycle.push(reason);
        }
    }
    let named = |test: &dyn Fn(ProcessId) -> bool| {
        let there = system.process_ids().filter(|p| scene.is_there(*p) && test(*p));
        there.map(|p| system.process(p).name.clone()).collect()
    };
    PartialDeadlock {
        deadlock: Deadlock {
            processes: stuck_cases().map(|c| stuck(scene, source, c)).collect(),
            marking: Vec::new(),
            others: Vec::new(),
            elided: Elided::default(),
            siphon: None,
            cycle: cycle.into_iter().map(|e| link(scene, e)).collect(),
            no_cycle,
            advice: None,
        },
        going_on: named(&|p| movers.contains(&p)),
        stopped: named(&|p| !movers.contains(&p) && system.may_stop(p, scene.state)),
    }
}

fn link(scene: &Scene<'_>, edge: &Edge) -> Link {
    let name = |p: ProcessId| scene.system.process(p).name.clone();
    Link { process: name(edge.from), waits_for: name(edge.to), text: edge.text.clone() }
}

fn stuck(scene: &Scene<'_>, source: &SourceText, case: &Case) -> Stuck {
    let process = scene.system.process(case.process);
    let location = &process.locations[scene.system.location(case.process, scene.state).index()];
    Stuck {
        process: process.name.clone(),
        at: location.name.clone(),
        may_stop: location.end,
        source: location.span.or(process.span).map(|s| source.place(s)),
        waits: case.waits(),
    }
}

/// Why nothing will come, where there is no cycle.
struct Reasons<'a> {
    scene: &'a Scene<'a>,
    cases: &'a [Case],
    edges: &'a [Edge],
    /// Those who can still move.
    movers: &'a [ProcessId],
}

impl Reasons<'_> {
    /// What every process waits for that may not stop, and those that others wait for in vain.
    fn all(&self) -> Vec<String> {
        if self.cases.iter().all(|c| c.at_end) {
            return self.unfinished();
        }
        let told = |c: &&Case| {
            let waits = self.edges.iter().any(|e| e.from == c.process);
            !c.at_end || (waits && self.edges.iter().any(|e| e.to == c.process))
        };
        let mut reasons = Vec::new();
        for reason in self.cases.iter().filter(told).flat_map(|c| self.of(c)) {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        reasons
    }

    /// What keeps those from stopping who are where they may stop.
    fn unfinished(&self) -> Vec<String> {
        let system = self.scene.system;
        let wrong = system.stop_conditions().iter().filter(|e| is_false(system, e, self.scene.state));
        wrong.map(|e| format!("all processes may stop here, but only if `{}`", system.show_expr(e))).collect()
    }

    fn of(&self, case: &Case) -> Vec<String> {
        if case.steps.is_empty() {
            return vec![format!("{} has {}", self.name(case.process), self.no_step(case.process))];
        }
        let edges = self.edges.iter().filter(|e| e.from == case.process);
        let waits: Vec<String> = edges.map(|e| format!("{}{}", e.text, self.fate(e.to))).collect();
        if !waits.is_empty() {
            return waits;
        }
        let worst = |s: &BlockedStep| s.hope();
        let needs = case.steps.iter().flat_map(|s| s.needs.iter().filter(move |n| n.hope == worst(s)));
        needs.flat_map(|n| &n.lacks).map(|l| l.sentence.clone()).collect()
    }

    /// What became of a process that is waited for, unless it waits itself.
    fn fate(&self, p: ProcessId) -> String {
        let case = &self.cases[p.index()];
        let waits = self.edges.iter().any(|e| e.from == p);
        if self.movers.contains(&p) {
            return format!("; {} goes on, but never does that", self.name(p));
        }
        match (waits, case.at_end, case.steps.is_empty()) {
            (true, ..) | (false, false, false) => String::new(),
            (false, true, _) => format!(", which has stopped at `{}`", self.location(p)),
            (false, false, true) => format!(", which has {}", self.no_step(p)),
        }
    }

    fn no_step(&self, p: ProcessId) -> String {
        format!("no step that leaves `{}`", self.location(p))
    }

    fn location(&self, p: ProcessId) -> String {
        phrase::location(self.scene.system, p, self.scene.state)
    }

    fn name(&self, p: ProcessId) -> &str {
        &self.scene.system.process(p).name
    }
}
