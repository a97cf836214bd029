//! Steps by name: what observers follow, formulas ask for, and fairness is to.

use std::collections::{BTreeMap, BTreeSet};

use model::views::Net;
use model::{Command, Edge, Fairness, ProcessId, Strength, System, TransitionId};

use super::Elaborator;
use super::scope::{Entity, Scope, indexed};
use crate::Diagnostic;
use crate::fairness::to_parties;
use crate::native::ast::{Part, Place};
use crate::native::nearest::suggestion;
use crate::native::report::{Checked, Reported};

/// How steps are named.
const NAMES_OF_STEPS: &str = "write `P.take` for a step `a -> b : take` of P, `P` for all its steps, or an action";

/// The transitions of a system by what they may be called.
#[derive(Default)]
pub(super) struct Steps {
    actions: BTreeMap<String, Vec<TransitionId>>,
    processes: BTreeMap<ProcessId, Vec<TransitionId>>,
    labels: BTreeMap<ProcessId, BTreeMap<String, Vec<TransitionId>>>,
    /// Steps that never find whom they need, by process and name, and why.
    lonely: BTreeMap<(ProcessId, String), String>,
    /// Everybody, with weak fairness.
    everybody: Vec<Fairness>,
    /// The word for what takes place in another language, where names are those of transitions before all others.
    foreign: Option<&'static str>,
}

impl Steps {
    pub(super) fn new(system: &System) -> Self {
        let mut steps = Self { everybody: to_parties(system, Strength::Weak), ..Self::default() };
        for t in system.transition_ids() {
            let transition = system.transition(t);
            // Steps of one process are called `P.label`: only joint steps have the bare name of an action.
            let name = transition.name.strip_suffix(" (message lost)").unwrap_or(&transition.name);
            steps.actions.entry(name.to_owned()).or_default().push(t);
            for m in &transition.moves {
                steps.processes.entry(m.process).or_default().push(t);
                steps.labels.entry(m.process).or_default().entry(m.label.to_string()).or_default().push(t);
            }
        }
        for edge in system.joint_edges() {
            let label = edge.label.clone().unwrap_or_default();
            if !steps.labels.get(&edge.process).is_some_and(|labels| labels.contains_key(&label)) {
                steps.lonely.insert((edge.process, label), lack(system, edge));
            }
        }
        steps
    }

    /// The transitions of a net, which are those of its system.
    pub(super) fn of_net(net: &Net) -> Self {
        let mut steps = Self { foreign: Some("transition"), ..Self::default() };
        for (i, transition) in net.transitions().iter().enumerate() {
            let t = TransitionId::new(i);
            steps.actions.entry(transition.name.to_string()).or_default().push(t);
            let (name, strength) = (transition.name.to_string(), Strength::Weak);
            steps.everybody.push(Fairness { name, strength, to: [t].into() });
        }
        steps
    }

    /// The transitions of a system that was written in another language: by their labels, and whatever else `names` calls
    /// them.
    pub(super) fn foreign<'s>(system: &'s System, names: impl Fn(&'s str) -> Vec<&'s str>) -> Self {
        let mut steps = Self { foreign: Some("step"), ..Self::new(system) };
        for t in system.transition_ids() {
            let label = &*system.transition(t).label;
            for name in std::iter::once(label).chain(names(label)) {
                steps.actions.entry(name.to_owned()).or_default().push(t);
            }
        }
        for named in steps.actions.values_mut() {
            named.sort_unstable();
            named.dedup();
        }
        steps
    }

    /// Fairness to every process, or to every transition of a net.
    pub(super) fn everybody(&self, strength: Strength) -> Vec<Fairness> {
        self.everybody.iter().map(|fair| Fairness { strength, ..fair.clone() }).collect()
    }
}

/// Whom a step needs that nobody is.
fn lack(system: &System, edge: &Edge) -> String {
    if let Some(action) = edge.sync {
        return format!("not everybody who knows the action `{}` has a step with it", system.action(action));
    }
    let other = edge.command.iter().find_map(|c| match c {
        Command::Send(channel, _) => Some(("receives on", channel)),
        Command::Receive(channel, _) => Some(("sends on", channel)),
        _ => None,
    });
    other.map_or_else(
        || "it needs others, and nobody joins in".to_owned(),
        |(what, channel)| format!("nobody else {what} `{}`", system.show_target(channel)),
    )
}

impl Elaborator<'_> {
    /// The transitions that any of the patterns means.
    pub(super) fn followed<'a>(&mut self, patterns: &[Place<'a>], scope: &Scope<'a>) -> Checked<Vec<TransitionId>> {
        let mut all = BTreeSet::new();
        for pattern in patterns {
            let found = self.named_steps(pattern, scope)?;
            self.work(found.len() as u64, pattern.span)?;
            all.extend(found);
        }
        Ok(all.into_iter().collect())
    }

    /// The transitions that a pattern means: all of a process, those of a name of its, or those of an action.
    pub(super) fn named_steps<'a>(&mut self, pattern: &Place<'a>, scope: &Scope<'a>) -> Checked<Vec<TransitionId>> {
        let steps = self.named.clone();
        if let Some((steps, noun)) = steps.as_deref().and_then(|steps| Some((steps, steps.foreign?))) {
            let name = self.as_written(pattern, scope);
            if let Some(found) = steps.actions.get(&name) {
                return Ok(found.clone());
            }
            if self.dotted(pattern).is_none() && self.global(pattern.head.name.text).is_none() {
                return Err(self.no_transition(pattern, (noun, &name), steps));
            }
        }
        let is_action = matches!(self.global(pattern.head.name.text).map(|d| &d.entity), Some(Entity::Actions(..)));
        if is_action && pattern.member.is_none() {
            let action = self.action(&pattern.head, scope)?;
            let name = action.map(|a| self.actions[a.index()].0.clone()).unwrap_or_default();
            // An action that never happens may be watched: that it never happens is a thing to ask.
            return Ok(steps.and_then(|s| s.actions.get(&name).cloned()).unwrap_or_default());
        }
        let (home, part) = match self.dotted(pattern) {
            Some(Entity::Process(home)) => (home, None),
            _ => {
                self.process_or_action(&pattern.head)?;
                (self.owner(&pattern.head, scope)?, pattern.member.as_ref())
            }
        };
        let member = &self.families[home.family].members[home.member];
        let (process, owner) = (member.id, member.name.clone());
        let label = match part {
            Some(part) => {
                Some(indexed(part.name.text, &self.constant_indices(part, scope, "the index of a step's name")?))
            }
            None => None,
        };
        let Some(steps) = steps else { return Ok(Vec::new()) };
        let found = match &label {
            Some(label) => steps.labels.get(&process).and_then(|labels| labels.get(label.as_str())),
            None => steps.processes.get(&process),
        };
        if let Some(found) = found {
            return Ok(found.clone());
        }
        if let Some(why) = label.as_ref().and_then(|label| steps.lonely.get(&(process, label.clone()))) {
            // That it never happens is a thing to ask, as it is of an action.
            self.lonely.insert(pattern.span, why.clone());
            return Ok(Vec::new());
        }
        let Some(label) = label else {
            let what = Diagnostic::error(pattern.span, format!("the process `{owner}` never takes a step"));
            return Err(self.error(what.label("this follows nothing").help(NAMES_OF_STEPS)));
        };
        let taken = steps.labels.get(&process).into_iter().flat_map(BTreeMap::keys);
        let lonely = steps.lonely.keys().filter(|(p, _)| *p == process).map(|(_, label)| label);
        // A step without a name goes by where it leads, which cannot be asked for.
        let known: BTreeSet<&str> =
            taken.chain(lonely).map(String::as_str).filter(|l| !l.is_empty() && !l.contains("->")).collect();
        let nearest = suggestion(&label, known.iter().copied());
        let all = Self::all_of(("its only step is", "its steps are"), known.into_iter().collect());
        let what = Diagnostic::error(pattern.span, format!("the process `{owner}` has no step named `{label}`"));
        let help = nearest.into_iter().chain(all).collect::<Vec<_>>().join(" ");
        let help = if help.is_empty() { NAMES_OF_STEPS.to_owned() } else { help };
        Err(self.error(what.label("unknown step").help(help)))
    }

    fn no_transition(&mut self, pattern: &Place<'_>, (noun, name): (&str, &str), steps: &Steps) -> Reported {
        let help = suggestion(name, steps.actions.keys().map(String::as_str));
        let what = Diagnostic::error(pattern.span, format!("there is no {noun} `{name}`"));
        self.error(what.label("unknown name").maybe_help(help))
    }

    /// The name before the dot must mean something that takes steps.
    fn process_or_action(&mut self, head: &Part<'_>) -> Checked<()> {
        if self.global(head.name.text).is_some() {
            return Ok(());
        }
        let known = self.names_where(|e| matches!(e, Entity::Actions(..) | Entity::Family(_)));
        let message = format!("there is no process or action `{}`", head.name.text);
        let help = suggestion(head.name.text, known);
        let what = Diagnostic::error(head.name.span, message).label("unknown name").maybe_help(help);
        Err(self.unknown_name(head.name.text, what))
    }
}
