//! A run as a sequence chart: a lane for each process and each channel that is used, time going down.

use std::collections::{HashMap, HashSet};

use model::System;

use crate::Explanation;
use crate::cycle::Link;
use crate::deadlock::Deadlock;
use crate::exchange::ExchangeKind;
use crate::step::Step;
use crate::text::{Limits, heading, shown};

/// A chart, for whoever writes it down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The lanes, from left to right: processes, then channels.
    pub lanes: Vec<Lane>,
    /// What happens, from top to bottom.
    pub rows: Vec<Row>,
}

/// A lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Whose it is.
    pub name: String,
    /// Whether it is a channel's.
    pub is_channel: bool,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// Something between two lanes.
    Arrow {
        /// The number of the lane where it begins.
        from: usize,
        /// The number of the lane where it ends.
        to: usize,
        /// What it is.
        kind: ExchangeKind,
        /// What it is about.
        text: String,
    },
    /// Something that a process does alone.
    Note {
        /// The number of its lane.
        lane: usize,
        /// What it does.
        text: String,
    },
    /// Something about the whole run.
    Remark(String),
    /// What follows is repeated for ever.
    ForEver,
    /// How it is with a process at the end.
    Fate {
        /// The number of its lane.
        lane: usize,
        /// What it waits for.
        text: String,
    },
}

impl Chart {
    /// The chart of a run; none if no process takes part in it.
    pub fn new(system: &System, explanation: &Explanation, limits: Limits) -> Option<Self> {
        let (head, tail) = shown(explanation, limits);
        let steps = &explanation.steps;
        let told = || steps[..head].iter().chain(&steps[steps.len() - tail..]);
        let conclusion = &explanation.conclusion;
        let fates = conclusion.deadlock().map(|d| fates(d, conclusion.cycle())).unwrap_or_default();
        let lanes = lanes(system, &fates, told().collect());
        if !lanes.iter().any(|lane| !lane.is_channel) {
            return None;
        }
        let mut drawing = Drawing::new(&lanes);
        let (all, first) = (steps.len() + explanation.elided, explanation.conclusion.repeats_from());
        for (i, step) in told().enumerate() {
            if i == head && head + tail < all {
                let remark = format!("steps {} to {} are left out", head + 1, all - tail);
                drawing.rows.push(Row::Remark(remark));
            }
            if first == Some(step.number) {
                drawing.rows.push(Row::ForEver);
            }
            drawing.step(step);
        }
        drawing.fates(fates);
        let title = format!("{}: {}", system.name(), heading(&explanation.conclusion, all));
        Some(Self { title, lanes, rows: drawing.rows })
    }

    /// The chart of the last steps of a run that need not come to anything; none if no process takes part in them.
    pub fn of_steps(system: &System, steps: &[Step], deadlock: Option<&Deadlock>) -> Option<Self> {
        let fates = deadlock.map(|d| fates(d, &d.cycle)).unwrap_or_default();
        let lanes = lanes(system, &fates, steps.iter().collect());
        if !lanes.iter().any(|lane| !lane.is_channel) {
            return None;
        }
        let mut drawing = Drawing::new(&lanes);
        if let Some(before) = steps.first().map(|s| s.number - 1).filter(|before| *before > 0) {
            drawing.rows.push(Row::Remark(format!("steps 1 to {before} are left out")));
        }
        steps.iter().for_each(|step| drawing.step(step));
        drawing.fates(fates);
        Some(Self { title: system.name().to_owned(), lanes, rows: drawing.rows })
    }
}

/// How it is with a process at the end, in words.
type Fate<'e> = (&'e str, String);

/// What each process waits for that is stuck or waited for in the cycle: its part of the cycle, or where it is stuck.
fn fates<'e>(deadlock: &'e Deadlock, cycle: &'e [Link]) -> Vec<Fate<'e>> {
    let waits = |process: &str| {
        let link = cycle.iter().find(|l| l.process == process)?;
        Some(link.text.strip_prefix(&format!("{process} ")).unwrap_or(&link.text).to_owned())
    };
    let stuck = deadlock.processes.iter().filter_map(|s| {
        let here = || (!s.may_stop).then(|| format!("is stuck at {}", s.at));
        Some((s.process.as_str(), waits(&s.process).or_else(here)?))
    });
    let others = cycle.iter().filter(|l| !deadlock.processes.iter().any(|s| s.process == l.process));
    stuck.chain(others.filter_map(|l| Some((l.process.as_str(), waits(&l.process)?)))).collect()
}

/// Those who take part in the steps or wait at the end, in the order of the model.
fn lanes(system: &System, fates: &[Fate<'_>], steps: Vec<&Step>) -> Vec<Lane> {
    let mut processes: HashSet<&str> = steps.iter().flat_map(|s| &s.processes).map(String::as_str).collect();
    processes.extend(fates.iter().map(|(process, _)| *process));
    let exchanges = steps.iter().flat_map(|s| &s.exchanges);
    let channel = |e: &'_ crate::Exchange| match e.kind {
        ExchangeKind::Send | ExchangeKind::Lost => Some(e.to.clone()),
        ExchangeKind::Receive => Some(e.from.clone()),
        ExchangeKind::Rendezvous | ExchangeKind::Joint => None,
    };
    let channels: HashSet<String> = exchanges.filter_map(channel).collect();
    let processes = system.processes().iter().filter(|p| processes.contains(p.name.as_str()));
    let processes = processes.map(|p| Lane { name: p.name.clone(), is_channel: false });
    let channels = system.objects().iter().filter(|o| channels.contains(&o.name));
    processes.chain(channels.map(|o| Lane { name: o.name.clone(), is_channel: true })).collect()
}

struct Drawing {
    /// The lanes by their names: a channel may be called like a process.
    numbers: HashMap<(bool, String), usize>,
    rows: Vec<Row>,
}

impl Drawing {
    fn new(lanes: &[Lane]) -> Self {
        let number = |(i, lane): (usize, &Lane)| ((lane.is_channel, lane.name.clone()), i);
        Self { numbers: lanes.iter().enumerate().map(number).collect(), rows: Vec::new() }
    }

    fn lane(&self, is_channel: bool, name: &str) -> usize {
        self.numbers.get(&(is_channel, name.to_owned())).copied().unwrap_or(0)
    }

    fn step(&mut self, step: &Step) {
        for (i, e) in step.exchanges.iter().enumerate() {
            let to_channel = matches!(e.kind, ExchangeKind::Send | ExchangeKind::Lost);
            let (from, to) = (self.lane(e.kind == ExchangeKind::Receive, &e.from), self.lane(to_channel, &e.to));
            // Of a step that several take together, the number is said once.
            let text = if i == 0 { format!("{}. {}", step.number, e.text) } else { e.text.clone() };
            self.rows.push(Row::Arrow { from, to, kind: e.kind, text });
        }
        if !step.exchanges.is_empty() {
            return;
        }
        let text = format!("{}. {}", step.number, alone(step));
        let row = match step.processes.first() {
            Some(process) => Row::Note { lane: self.lane(false, process), text },
            None => Row::Remark(text),
        };
        self.rows.push(row);
    }

    fn fates(&mut self, fates: Vec<Fate<'_>>) {
        for (process, text) in fates {
            let lane = self.lane(false, process);
            self.rows.push(Row::Fate { lane, text });
        }
    }
}

/// What a process does, without its own name, which its lane has.
fn alone(step: &Step) -> String {
    let own = step.processes.first().map_or_else(String::new, |p| format!("{p}."));
    let name = step.transition.strip_prefix(&own).unwrap_or(&step.transition);
    if step.operations.is_empty() { name.to_owned() } else { format!("{name}: {}", step.operations.join(", ")) }
}
