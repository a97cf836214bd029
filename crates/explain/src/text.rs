//! Explanations as paragraphs of plain text.

use std::fmt::Write as _;

use crate::Explanation;
use crate::conclusion::{Conclusion, Conjunct};
use crate::cycle::Link;
use crate::deadlock::{Deadlock, PartialDeadlock, Stuck, Wait};
use crate::fault::FaultReport;
use crate::prospect::Prospect;
use crate::runs::BrokenClaim;
use crate::siphon::Siphon;
use crate::source::Place;
use crate::step::Step;
use crate::values::Reading;

/// How much is shown before the rest is left out, which is always said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps of a run: of a longer one the first and the last are shown.
    pub steps: usize,
    /// Processes, transitions or values of one list.
    pub items: usize,
    /// What the reader can ask for to see the rest.
    pub rest: &'static str,
}

impl Limits {
    /// What fits a reader's patience.
    pub const SHORT: Limits = Limits { steps: 60, items: 24, rest: "--all-steps" };
    /// Everything.
    pub const NONE: Limits = Limits { steps: usize::MAX, items: usize::MAX, ..Self::SHORT };
}

/// The whole explanation: the run, then what it comes to.
pub fn explanation(e: &Explanation, limits: Limits) -> String {
    let mut out = String::new();
    run(&mut out, e, limits);
    out.push('\n');
    conclusion(&mut out, &e.conclusion, limits);
    out
}

fn run(out: &mut String, e: &Explanation, limits: Limits) {
    let all = e.steps.len() + e.elided;
    head(out, &e.conclusion, all);
    let (head, tail) = shown(e, limits);
    steps(out, e, &e.steps[..head]);
    if head + tail < all {
        let how = match (e.elided, head + tail < e.steps.len()) {
            (0, _) => format!("{} shows them", limits.rest),
            (_, true) => format!("{} shows more, a saved trace has them all", limits.rest),
            (_, false) => "a saved trace has them all".to_owned(),
        };
        line(out, 1, &format!("... steps {} to {} are left out ({how})", head + 1, all - tail));
    }
    steps(out, e, &e.steps[e.steps.len() - tail..]);
}

fn head(out: &mut String, conclusion: &Conclusion, all: usize) {
    let end = if all == 0 && conclusion.repeats_from().is_none() { "." } else { ":" };
    line(out, 0, &format!("{}{end}", heading(conclusion, all)));
}

/// Where so many steps lead.
pub(crate) fn heading(conclusion: &Conclusion, all: usize) -> String {
    let end = match conclusion {
        Conclusion::Deadlock(d) if d.is_invalid_end() => "to an end that is not valid",
        Conclusion::Deadlock(_) => "to a deadlock",
        Conclusion::PartialDeadlock(_) => "to a partial deadlock",
        Conclusion::InvariantBroken { .. } => "to a state that breaks the invariant",
        Conclusion::Reached { .. } => "to a state that was asked for",
        Conclusion::ObserverError { .. } => "to an error of the observer",
        Conclusion::ModelError(_) => "to a model error",
        Conclusion::BrokenClaim(b) if b.ended => &format!("the claim to {}", end_of(b)),
        Conclusion::BrokenClaim(BrokenClaim { first: None, .. }) => "to the end of a run that breaks the property",
        Conclusion::BrokenClaim(BrokenClaim { first: Some(first), .. }) => {
            return format!("{} a run that breaks the property can go on for ever", after(first - 1));
        }
        Conclusion::Divergence { first, .. } => {
            return format!("{} the system can go on for ever without a visible step", after(first - 1));
        }
    };
    match all {
        0 => at_once(conclusion),
        1 => format!("One step leads {end}"),
        n => format!("{n} steps lead {end}"),
    }
}

/// What the initial state is already.
fn at_once(conclusion: &Conclusion) -> String {
    match conclusion {
        Conclusion::Deadlock(d) if d.is_invalid_end() => "The initial state is an end that is not valid".to_owned(),
        Conclusion::Deadlock(_) => "The initial state is a deadlock".to_owned(),
        Conclusion::PartialDeadlock(_) => "The initial state is a partial deadlock".to_owned(),
        Conclusion::InvariantBroken { .. } => "The invariant is false in the initial state".to_owned(),
        Conclusion::Reached { .. } => "The initial state is one that was asked for".to_owned(),
        Conclusion::ObserverError { .. } => "The observer begins in an error state".to_owned(),
        Conclusion::ModelError(_) => "There is a model error in the initial state".to_owned(),
        Conclusion::BrokenClaim(b) if b.ended => format!("The claim begins in {}", end_of(b)),
        Conclusion::BrokenClaim(_) | Conclusion::Divergence { .. } => {
            "The initial state is the end of a run that breaks the property".to_owned()
        }
    }
}

fn after(steps: usize) -> String {
    match steps {
        0 => "From the initial state".to_owned(),
        1 => "After one step".to_owned(),
        n => format!("After {n} steps"),
    }
}

/// Some steps; where those begin that repeat, that is said.
fn steps(out: &mut String, e: &Explanation, some: &[Step]) {
    for s in some {
        if e.conclusion.repeats_from() == Some(s.number) && s.number > 1 {
            line(out, 1, "and then, for ever:");
        }
        step(out, s);
    }
}

/// How many steps are shown at the beginning and at the end.
pub(crate) fn shown(e: &Explanation, limits: Limits) -> (usize, usize) {
    // Where steps were left out, the numbers jump.
    let before_gap = e.steps.iter().zip(1..).take_while(|(s, number)| s.number == *number).count();
    if e.steps.len() > limits.steps {
        (limits.steps.div_ceil(2).min(before_gap), (limits.steps / 2).min(e.steps.len()))
    } else {
        (before_gap, e.steps.len() - before_gap)
    }
}

/// One step of a run.
pub fn step(out: &mut String, s: &Step) {
    let joining = s.joining.as_ref().map_or_else(String::new, |j| format!(" ({j})"));
    line(out, 1, &format!("{:>2}. {}{joining}{}", s.number, s.transition, at(&s.source)));
    let mut action = Vec::new();
    if !s.guard.is_empty() {
        action.push(format!("when {}", s.guard.join(" && ")));
    }
    if !s.operations.is_empty() {
        action.push(format!("do {}", s.operations.join(", ")));
    }
    if !action.is_empty() {
        line(out, 3, &action.join(" "));
    }
    let changes: Vec<String> =
        s.changes.iter().map(|c| format!("{}: {} -> {}", c.subject, c.before, c.after)).collect();
    if !changes.is_empty() {
        line(out, 3, &changes.join(", "));
    }
}

fn conclusion(out: &mut String, c: &Conclusion, limits: Limits) {
    match c {
        Conclusion::Deadlock(d) => deadlock(out, d, limits),
        Conclusion::PartialDeadlock(p) => partial_deadlock(out, p, limits),
        Conclusion::InvariantBroken { predicate, failing } => {
            line(out, 0, &format!("The invariant `{predicate}` is false here:"));
            failing.iter().for_each(|c| conjunct(out, c, limits));
        }
        Conclusion::Reached { predicate, values } => {
            line(out, 0, &format!("`{predicate}` is true here: {}", readings(values, limits)));
        }
        Conclusion::ObserverError { location } => {
            line(out, 0, &format!("The observer is at its error state `{location}`."));
        }
        Conclusion::Divergence { silent, first, last } => {
            let which =
                if first == last { format!("step {first} repeats") } else { format!("steps {first} to {last} repeat") };
            let called = if first == last { "It is" } else { "All of them are" };
            line(out, 0, &format!("Divergence: {which} for ever. {called} called `{silent}`."));
        }
        Conclusion::BrokenClaim(b) => broken_claim(out, b, limits),
        Conclusion::ModelError(f) => fault(out, f),
    }
}

/// Where a claim is when it has seen enough.
fn end_of(b: &BrokenClaim) -> &str {
    b.claim.last().map_or("a state in which it accepts whatever follows", |last| &last.to)
}

/// Where a claim goes.
fn claim(out: &mut String, b: &BrokenClaim, limits: Limits) {
    b.claim.iter().take(limits.items).for_each(|m| {
        let when = match m.step {
            0 => "at first".to_owned(),
            step => format!("after step {step}"),
        };
        line(out, 1, &format!("{when} it goes to {}{}", m.to, at(std::slice::from_ref(&m.source))));
    });
    left_out(out, b.claim.len(), limits, "moves");
}

fn broken_claim(out: &mut String, b: &BrokenClaim, limits: Limits) {
    let goes_on = match b.first {
        _ if b.ended => {
            line(out, 0, &format!("The claim comes to {}:", end_of(b)));
            return claim(out, b, limits);
        }
        Some(first) if first == b.last => format!("Step {first} repeats for ever."),
        Some(first) => format!("Steps {first} to {} repeat for ever.", b.last),
        None => "Nothing can happen any more.".to_owned(),
    };
    match &b.formula {
        Some(formula) => line(out, 0, &format!("{goes_on} `{formula}` is false of this run:")),
        None if b.claim.is_empty() => line(out, 0, &format!("{goes_on} The automaton accepts this run.")),
        None => line(out, 0, &format!("{goes_on} The claim accepts this run:")),
    }
    claim(out, b, limits);
    b.reasons.iter().take(limits.items).for_each(|r| line(out, 1, r));
    left_out(out, b.reasons.len(), limits, "reasons");
    if !b.fair.is_empty() {
        line(out, 0, "The run is fair:");
        b.fair.iter().take(limits.items).for_each(|f| line(out, 1, f));
        left_out(out, b.fair.len(), limits, "ways to be fair");
    }
}

fn conjunct(out: &mut String, c: &Conjunct, limits: Limits) {
    line(out, 1, &format!("`{}` is false: {}", c.condition, readings(&c.values, limits)));
}

fn readings(values: &[Reading], limits: Limits) -> String {
    let mut shown: Vec<String> =
        values.iter().take(limits.items).map(|r| format!("{} is {}", r.subject, r.value)).collect();
    if values.len() > limits.items {
        shown.push(format!("... and {} more", values.len() - limits.items));
    }
    if shown.is_empty() { "always".to_owned() } else { shown.join(", ") }
}

fn fault(out: &mut String, f: &FaultReport) {
    let whose = match f.step {
        Some(step) => format!("step {step}"),
        None => "the property's own predicate".to_owned(),
    };
    line(out, 0, &format!("Model error in {whose}: {}{}", f.message, at(&f.source)));
    if let [one] = &f.operations[..] {
        line(out, 1, &format!("in `{one}`"));
    } else if !f.operations.is_empty() {
        line(out, 1, &format!("in one of `{}`", f.operations.join("`, `")));
    }
}

fn deadlock(out: &mut String, d: &Deadlock, limits: Limits) {
    if d.is_invalid_end() {
        line(out, 0, "Nothing can happen any more:");
        d.no_cycle.iter().for_each(|r| line(out, 1, r));
        return;
    }
    line(out, 0, "Deadlock: nothing can happen any more.");
    d.processes.iter().take(limits.items).for_each(|s| stuck(out, s, limits));
    left_out(out, d.processes.len(), limits, "processes");
    marking(out, d, limits);
    d.others.iter().take(limits.items).for_each(|w| wait(out, 1, w));
    left_out_of(out, (d.others.len(), d.elided.others), limits, "transitions");
    d.siphon.iter().for_each(|s| siphon(out, s, limits));
    if !d.processes.is_empty() {
        waiting(out, d, limits);
    }
}

fn partial_deadlock(out: &mut String, p: &PartialDeadlock, limits: Limits) {
    let d = &p.deadlock;
    let stuck_ones: Vec<String> = d.processes.iter().map(|s| s.process.clone()).collect();
    let are = if stuck_ones.len() == 1 { "is" } else { "are" };
    line(out, 0, &format!("Partial deadlock: {} {are} stuck for good, whatever happens.", names(&stuck_ones, limits)));
    d.processes.iter().take(limits.items).for_each(|s| stuck(out, s, limits));
    left_out(out, d.processes.len(), limits, "processes");
    if !p.going_on.is_empty() {
        line(out, 0, &format!("{} can still take steps.", names(&p.going_on, limits)));
    }
    if !p.stopped.is_empty() {
        let have = if p.stopped.len() == 1 { "has stopped where it" } else { "have stopped where they" };
        line(out, 0, &format!("{} {have} may.", names(&p.stopped, limits)));
    }
    match &p.prospect {
        Some(prospect) => closing(out, p, prospect, limits),
        None => waiting(out, d, limits),
    }
}

/// The cycle of waiting that is going to be.
fn closing(out: &mut String, p: &PartialDeadlock, prospect: &Prospect, limits: Limits) {
    out.push('\n');
    let (end, they) = if p.going_on.len() == 1 { ("ends", "it takes") } else { ("end", "they take") };
    let steps = if prospect.steps == 1 { "one more step".to_owned() } else { format!("{} more steps", prospect.steps) };
    let who = names(&p.going_on, limits);
    line(out, 0, &format!("{who} {end} stuck as well, whatever happens. Wait-for cycle when {they} {steps}:"));
    circle(out, &prospect.cycle, limits);
}

/// `A, B and C`; of many only the first.
fn names(all: &[String], limits: Limits) -> String {
    match all {
        _ if all.len() > limits.items => {
            format!("{} and {} more", all[..limits.items].join(", "), all.len() - limits.items)
        }
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => all.concat(),
    }
}

/// The cycle of waiting, or why there is none.
fn waiting(out: &mut String, d: &Deadlock, limits: Limits) {
    out.push('\n');
    if !d.cycle.is_empty() {
        line(out, 0, "Wait-for cycle:");
        circle(out, &d.cycle, limits);
    } else {
        let why = match d.left_out() {
            0 if d.is_plain_end() => "There is no wait-for cycle: no step is left.",
            0 => "There is no wait-for cycle: what is waited for will never come.",
            _ => "No wait-for cycle was found in the time there was:",
        };
        line(out, 0, why);
        d.no_cycle.iter().take(limits.items).for_each(|r| line(out, 1, r));
        left_out(out, d.no_cycle.len(), limits, "reasons");
        d.advice.iter().for_each(|advice| line(out, 0, advice));
    }
}

/// The sentences of the cycle; of a very long one those where it begins and where it closes.
fn circle(out: &mut String, cycle: &[Link], limits: Limits) {
    let all = cycle.len();
    let (first, last) = if all > limits.items { (limits.items.div_ceil(2), limits.items / 2) } else { (all, 0) };
    cycle[..first].iter().for_each(|l| line(out, 1, &l.text));
    if first + last < all {
        line(out, 1, &format!("... and so on, {} more ({} shows them)", all - first - last, limits.rest));
    }
    cycle[all - last..].iter().for_each(|l| line(out, 1, &l.text));
}

/// Where the tokens are, if that is what there is to tell.
fn marking(out: &mut String, d: &Deadlock, limits: Limits) {
    if d.processes.is_empty() {
        let where_to = if d.marking.is_empty() { "There is no token anywhere." } else { "Tokens are left here:" };
        line(out, 0, where_to);
        d.marking.iter().take(limits.items).for_each(|r| line(out, 1, &format!("{}: {}", r.subject, r.value)));
        left_out_of(out, (d.marking.len(), d.elided.marking), limits, "places");
        if !d.others.is_empty() {
            line(out, 0, "What transitions lack:");
        }
    }
}

/// Why tokens do not come back.
fn siphon(out: &mut String, s: &Siphon, limits: Limits) {
    let how = if s.emptied { "Emptied siphon" } else { "Siphon that is empty from the start" };
    let why = if s.feeders.is_empty() { "nothing puts a token into" } else { "no token comes back to" };
    let more = s.places.len().saturating_sub(limits.items);
    let places = s.places[..s.places.len() - more].join(", ");
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    line(out, 0, &format!("{how}: {why} {places}{rest}."));
    for f in s.feeders.iter().take(limits.items) {
        line(out, 1, &format!("{} would put one into {}, but needs one of {}", f.transition, f.fills, f.needs));
    }
    left_out(out, s.feeders.len(), limits, "transitions");
}

fn left_out(out: &mut String, all: usize, limits: Limits, what: &str) {
    left_out_of(out, (all, 0), limits, what);
}

/// Says how many are not shown, of those that are known and of those that were not kept.
fn left_out_of(out: &mut String, (known, elided): (usize, usize), limits: Limits, what: &str) {
    let more = known.saturating_sub(limits.items) + elided;
    if more > 0 {
        let how = if elided == 0 { format!(" ({} shows them)", limits.rest) } else { String::new() };
        line(out, 1, &format!("... and {more} more {what}{how}"));
    }
}

fn stuck(out: &mut String, s: &Stuck, limits: Limits) {
    let stop = if s.may_stop { ", where it may stop" } else { "" };
    let place = s.source.iter().cloned().collect::<Vec<_>>();
    line(out, 1, &format!("{} is at `{}`{stop}{}", s.process, s.at, at(&place)));
    if s.left_out {
        line(out, 2, "what it waits for was not looked at for want of time");
    } else if s.waits.is_empty() && !s.may_stop {
        line(out, 2, "no step leaves this state");
    }
    s.waits.iter().take(limits.items).for_each(|w| wait(out, 2, w));
    left_out(out, s.waits.len(), limits, "steps");
}

fn wait(out: &mut String, indent: usize, w: &Wait) {
    let head = format!("{}{}", w.step, at(&w.source));
    let reasons: Vec<String> = w
        .blockers
        .iter()
        .map(|b| b.advice.as_ref().map_or_else(|| b.text.clone(), |advice| format!("{} ({advice})", b.text)))
        .collect();
    match &reasons[..] {
        [one] => line(out, indent, &format!("{head}: {one}")),
        many => {
            line(out, indent, &format!("{head}:"));
            many.iter().for_each(|r| line(out, indent + 1, r));
        }
    }
}

fn at(places: &[Place]) -> String {
    if places.is_empty() {
        return String::new();
    }
    // All places are in the same text: its name is said once.
    let others = places[1..].iter().map(|p| format!(", :{}", p.line)).collect::<String>();
    format!("  [{}{others}]", places[0])
}

fn line(out: &mut String, indent: usize, text: &str) {
    writeln!(out, "{:width$}{text}", "", width = 2 * indent).expect("writing to a string cannot fail");
}
