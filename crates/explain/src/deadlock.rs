//! Why nothing can happen any more, or some processes are stuck for good: for each of them what it waits for, and the cycle
//! of waiting if there is one.

use check::Walk;
use model::ProcessId;
use serde::Serialize;

use crate::crowd::Crowd;
use crate::cycle::{Edge, Link, Strength, shortest};
use crate::help::{Hope, Scene};
use crate::needs::{Analyst, BlockedStep};
use crate::prospect::Prospect;
use crate::reasons::Reasons;
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
    /// How those who go on are going to be stuck as well, if that closes a cycle of waiting that there is not yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prospect: Option<Prospect>,
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
    /// Whether its steps were not looked at for want of time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub left_out: bool,
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Blocker {
    /// What it is.
    pub text: String,
    /// What there is to say about those who could change it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// The processes that could change it, or the first of them.
    pub helpers: Vec<String>,
    /// How many more could.
    #[serde(skip_serializing_if = "crate::is_zero")]
    pub more_helpers: usize,
    /// The processes that would have to change it, and never will; only drawings make use of them.
    #[serde(skip)]
    pub in_vain: Vec<String>,
}

impl Deadlock {
    /// Whether nobody who may not stop has a step to wait for.
    pub(crate) fn is_plain_end(&self) -> bool {
        self.processes.iter().all(|p| p.may_stop || (p.waits.is_empty() && !p.left_out))
    }

    /// How many processes there was no time for.
    pub(crate) fn left_out(&self) -> usize {
        self.processes.iter().filter(|p| p.left_out).count()
    }

    /// Whether every process may stop there, but not the system as a whole.
    pub fn is_invalid_end(&self) -> bool {
        !self.processes.is_empty() && self.processes.iter().all(|p| p.may_stop)
    }
}

/// A process with its steps.
pub(crate) struct Case {
    pub(crate) process: ProcessId,
    pub(crate) at_end: bool,
    pub(crate) steps: Vec<BlockedStep>,
    /// Whether there was time to look at it.
    pub(crate) told: bool,
}

impl Case {
    /// The steps that are worth waiting for: those with the best prospects, if there are any.
    fn promising(&self) -> impl Iterator<Item = &BlockedStep> {
        let best = self.steps.iter().map(BlockedStep::hope).min().filter(|h| *h != Hope::Gone);
        self.steps.iter().filter(move |s| Some(s.hope()) == best)
    }

    fn edges(&self) -> Vec<Edge> {
        let kept = self.promising().any(|s| s.hope() == Hope::Kept);
        let mut needed: Vec<ProcessId> = self.promising().flat_map(BlockedStep::soles).collect();
        needed.sort_unstable();
        needed.dedup();
        needed.retain(|p| self.requires(*p));
        let mut edges = Vec::new();
        for call in self.promising().flat_map(BlockedStep::calls) {
            let edge = |to: Crowd, strength| Edge { from: self.process, to, strength, words: call.words.clone() };
            let strength = match call.definite {
                _ if kept => Strength::Vain,
                _ if self.requires_all(&call.to, call.each) => Strength::Necessary,
                true => Strength::Definite,
                false => Strength::Possible,
            };
            if strength < Strength::Necessary && !kept {
                let among = needed.iter().filter(|p| call.to.contains(**p));
                edges.extend(among.map(|p| edge(Crowd::new(vec![*p]), Strength::Necessary)));
            }
            edges.push(edge(call.to.clone(), strength));
        }
        edges
    }

    /// Whether no step is possible before this process does something.
    fn requires(&self, process: ProcessId) -> bool {
        self.promising().all(|s| s.requires(process))
    }

    /// Whether that is so of all who are called, each of whom may be needed for one of the steps.
    fn requires_all(&self, called: &Crowd, each: bool) -> bool {
        let only_step = self.promising().count() == 1;
        (each && only_step) || ((each || called.len() == 1) && called.iter().all(|p| self.requires(p)))
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
        return deadlock(&scene, source, &|| true);
    }
    let there = there(&scene);
    let cases = cases(&scene, source, &|p| !can_move[p.index()], &|| true);
    let waits = waits(&cases, &there);
    let cycle = shortest(&waits, &there).unwrap_or_default();
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

/// For each process, whether it is there.
fn there(scene: &Scene<'_>) -> Vec<bool> {
    scene.system.process_ids().map(|p| scene.is_there(p)).collect()
}

/// All processes, with the steps of those that are asked for as long as there is time.
fn cases(
    scene: &Scene<'_>,
    source: &SourceText,
    asked: &dyn Fn(ProcessId) -> bool,
    has_time: &dyn Fn() -> bool,
) -> Vec<Case> {
    let (system, analyst) = (scene.system, Analyst::new(scene, source));
    let case = |process: ProcessId| {
        let at = system.location(process, scene.state);
        let at_end = system.process(process).locations[at.index()].end;
        let told = !asked(process) || has_time();
        let steps = if asked(process) && told { analyst.steps(process) } else { Vec::new() };
        Case { process, at_end, steps, told }
    };
    system.process_ids().map(case).collect()
}

/// For whom each process waits, among those that are there.
fn waits(cases: &[Case], there: &[bool]) -> Vec<Vec<Edge>> {
    let leads = |e: &Edge| there[e.from.index()] && e.to.iter().any(|p| there[p.index()]);
    cases.iter().map(|c| c.edges().into_iter().filter(leads).collect()).collect()
}

/// Explains the last state of a run, in which nothing is enabled, as far as there is time.
pub(crate) fn deadlock(scene: &Scene<'_>, source: &SourceText, has_time: &dyn Fn() -> bool) -> Deadlock {
    let (system, there) = (scene.system, there(scene));
    let cases = cases(scene, source, &|_| true, has_time);
    let waits = waits(&cases, &there);
    // Where all may stop, it is not their waiting that is wrong.
    let wait = !cases.iter().all(|c| c.at_end);
    let cycle = shortest(&waits, &there).filter(|_| wait).unwrap_or_default();
    let reasons = || Reasons { scene, cases: &cases, waits: &waits, there: &there, moves: &|_| false }.all();
    let no_cycle = if cycle.is_empty() { reasons() } else { Vec::new() };
    // Those who are not there say nothing, unless nobody is.
    let empty = !there.contains(&true);
    let told = |case: &Case| empty || there[case.process.index()];
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
    if !source.is_native() || unfinished.is_empty() || unfinished.iter().any(|c| !c.told || !c.steps.is_empty()) {
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

/// Explains the last state of a run, from which on only some processes can still move, as far as there is time.
pub(crate) fn partial_deadlock(
    scene: &Scene<'_>,
    movers: &[ProcessId],
    source: &SourceText,
    has_time: &dyn Fn() -> bool,
) -> PartialDeadlock {
    let (system, there) = (scene.system, there(scene));
    let mut moving = vec![false; there.len()];
    movers.iter().for_each(|p| moving[p.index()] = true);
    let moves = |p: ProcessId| moving[p.index()];
    let is_stuck = |p: ProcessId| !moves(p) && !system.may_stop(p, scene.state);
    // Those who are not stuck wait for nothing that matters.
    let mut cases = cases(scene, source, &is_stuck, has_time);
    cases.iter_mut().for_each(|c| c.at_end = system.may_stop(c.process, scene.state));
    let waits = waits(&cases, &there);
    // Somebody who only might help may be kept by others than those who wait.
    let stuck_ones: Vec<bool> = system.process_ids().map(|p| is_stuck(p) && there[p.index()]).collect();
    let definite = |e: &&Edge| e.strength >= Strength::Definite;
    let embraced: Vec<Vec<Edge>> = waits.iter().map(|w| w.iter().filter(definite).cloned().collect()).collect();
    let cycle = shortest(&embraced, &stuck_ones).unwrap_or_default();
    let reasons = Reasons { scene, cases: &cases, waits: &waits, there: &there, moves: &moves };
    let stuck_cases = || cases.iter().filter(|c| is_stuck(c.process));
    let no_cycle = if cycle.is_empty() { reasons.of_each(stuck_cases()) } else { Vec::new() };
    let prospect = || Prospect::new(scene, &moves, source, has_time);
    let prospect = if cycle.is_empty() { prospect() } else { None };
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
        going_on: named(&moves),
        stopped: named(&|p| !moves(p) && system.may_stop(p, scene.state)),
        prospect,
    }
}

fn link(scene: &Scene<'_>, (edge, to): (&Edge, ProcessId)) -> Link {
    let name = |p: ProcessId| scene.system.process(p).name.clone();
    Link { process: name(edge.from), waits_for: name(to), text: edge.words.about(scene.system, to) }
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
        left_out: !case.told,
    }
}
