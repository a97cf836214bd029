//! Why nothing will come, where there is no cycle of waiting.

use std::collections::HashSet;

use model::ProcessId;

use crate::crowd::NAMED;
use crate::cycle::Edge;
use crate::deadlock::Case;
use crate::help::Scene;
use crate::needs::BlockedStep;
use crate::obstacle::is_false;
use crate::phrase;

/// Who waits for whom, and what became of them.
pub(crate) struct Reasons<'a, 's> {
    pub(crate) scene: &'a Scene<'s>,
    pub(crate) cases: &'a [Case],
    /// For whom each process waits.
    pub(crate) waits: &'a [Vec<Edge>],
    /// Those who are there.
    pub(crate) there: &'a [bool],
    /// Whether a process can still move.
    pub(crate) moves: &'a dyn Fn(ProcessId) -> bool,
}

impl Reasons<'_, '_> {
    /// What every process waits for that may not stop, and those that others wait for in vain.
    pub(crate) fn all(&self) -> Vec<String> {
        if self.cases.iter().all(|c| c.at_end) {
            return self.unfinished();
        }
        let awaited = self.awaited();
        let told = |c: &&Case| !c.at_end || (self.waits(c.process) && awaited[c.process.index()]);
        self.of_each(self.cases.iter().filter(told))
    }

    /// What these wait for, each reason once.
    pub(crate) fn of_each<'c>(&self, cases: impl Iterator<Item = &'c Case>) -> Vec<String> {
        let mut known = HashSet::new();
        let mut reasons: Vec<String> = cases.filter(|c| c.told).flat_map(|c| self.of(c)).collect();
        reasons.retain(|reason| known.insert(reason.clone()));
        let untold = self.cases.iter().filter(|c| !c.told).count();
        if untold > 0 {
            reasons.push(format!("what {untold} more processes wait for was not looked at for want of time"));
        }
        reasons
    }

    /// For each process, whether somebody waits for it.
    fn awaited(&self) -> Vec<bool> {
        let mut awaited = vec![false; self.cases.len()];
        let mut known = HashSet::new();
        for edge in self.waits.iter().flatten().filter(|e| known.insert(e.to.shared().as_ptr())) {
            // Whoever is left out of a crowd waits for the others in it, who wait for him unless they are alone.
            edge.to.iter().for_each(|p| awaited[p.index()] = true);
        }
        awaited
    }

    /// What keeps those from stopping who are where they may stop.
    fn unfinished(&self) -> Vec<String> {
        let system = self.scene.system;
        let wrong = system.stop_conditions().iter().filter(|e| is_false(system, e, self.scene.state));
        wrong.map(|e| format!("all processes may stop here, but only if `{}`", system.show_expr(e))).collect()
    }

    fn waits(&self, p: ProcessId) -> bool {
        !self.waits[p.index()].is_empty()
    }

    fn of(&self, case: &Case) -> Vec<String> {
        if case.steps.is_empty() {
            return vec![format!("{} has {}", self.name(case.process), self.no_step(case.process))];
        }
        let waits: Vec<String> = self.waits[case.process.index()].iter().flat_map(|e| self.of_edge(e)).collect();
        if !waits.is_empty() {
            return waits;
        }
        let worst = |s: &BlockedStep| s.hope();
        let needs = case.steps.iter().flat_map(|s| s.needs.iter().filter(move |n| n.hope == worst(s)));
        needs.flat_map(|n| &n.lacks).map(|l| l.sentence.clone()).collect()
    }

    /// For whom somebody waits, and what became of them.
    fn of_edge(&self, edge: &Edge) -> Vec<String> {
        let there = || edge.to.iter().filter(|p| self.there[p.index()]);
        let named = there().take(NAMED);
        let mut told: Vec<String> =
            named.map(|to| format!("{}{}", edge.words.about(self.scene.system, to), self.fate(to))).collect();
        let more = there().skip(NAMED).count();
        if more > 0 {
            told.push(format!("{} waits in the same way for {more} more", self.name(edge.from)));
        }
        told
    }

    /// What became of a process that is waited for, unless it waits itself.
    fn fate(&self, p: ProcessId) -> String {
        let case = &self.cases[p.index()];
        if (self.moves)(p) {
            return format!("; {} goes on, but never does that", self.name(p));
        }
        match (self.waits(p) || !case.told, case.at_end, case.steps.is_empty()) {
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
