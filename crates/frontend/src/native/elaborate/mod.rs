//! From the syntax tree to the model: constants first, then objects, processes with their states and objects, their
//! steps, and at last the properties. Every pass goes on after a mistake.

mod constants;
mod expr;
mod fairness;
mod fold;
mod foreign;
mod joint;
mod ltl;
mod named;
mod objects;
mod observers;
mod operations;
mod place;
mod processes;
mod properties;
mod scope;
mod steps;
mod types;
mod warnings;

pub use foreign::Language;
pub(super) use foreign::Names;
pub(super) use types::Type;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use model::{BuildError, Builder, Edge, Kind, Ltl, ProcessId, Span, System, Temporal};

use super::Setting;
use super::ast::{self, Item};
use super::limits;
use super::report::{Checked, Reported, Reports};
use crate::{Diagnostic, Loaded};
use named::Steps;
use properties::asks_for_steps;
use scope::{Declared, Entity, Family, Scope};

/// A formula, and the fairness that it asks for.
type Asked<'a> = (ast::Expr<'a>, Vec<ast::Fair<'a>>);

/// A text and its syntax tree.
#[derive(Clone, Copy)]
pub(super) struct Source<'a, 't> {
    pub(super) text: &'a str,
    pub(super) items: &'a [Item<'t>],
    /// Whether the steps of the processes are wanted as such, and not only the transitions that they become.
    pub(super) keep_steps: bool,
}

/// A model that is being made of a syntax tree.
pub(super) struct Elaborator<'t> {
    reports: Reports,
    /// Where the lines of the text begin.
    lines: Vec<u32>,
    builder: Builder,
    /// What is declared for all, by name, and the names in the order of the text.
    globals: HashMap<&'t str, Declared>,
    order: Vec<&'t str>,
    families: Vec<Family<'t>>,
    /// The kinds of all objects: the builder keeps its own to itself.
    kinds: Vec<Kind>,
    /// For each action its name and its place, and how many steps each process has with it.
    actions: Vec<(String, Span)>,
    parties: Vec<BTreeMap<ProcessId, u64>>,
    /// The names of states that some step leads to, or where some process starts.
    reached: HashSet<Span>,
    /// The ranges of quantifiers, each with its quantifier and whether it ever had a value.
    ranges: BTreeMap<Span, (&'static str, bool)>,
    /// Where properties ask for steps that never happen, and why they do not.
    lonely: BTreeMap<Span, String>,
    locations: usize,
    steps: usize,
    kept: Option<Vec<Edge>>,
    messages: usize,
    /// Above zero while a part is read that is never evaluated.
    dead: u32,
    /// Above zero while a condition is read that is counted.
    counting: u32,
    work: u64,
    /// The steps that formulas and observers name; nothing as long as the model is not built, or if it has mistakes.
    named: Option<Rc<Steps>>,
}

impl<'t> Elaborator<'t> {
    fn empty(name: &str, reports: Reports) -> Self {
        Self {
            reports,
            lines: Vec::new(),
            builder: Builder::new(name),
            globals: HashMap::new(),
            order: Vec::new(),
            families: Vec::new(),
            kinds: Vec::new(),
            actions: Vec::new(),
            parties: Vec::new(),
            reached: HashSet::new(),
            ranges: BTreeMap::new(),
            lonely: BTreeMap::new(),
            locations: 0,
            steps: 0,
            kept: None,
            messages: 0,
            dead: 0,
            counting: 0,
            work: 0,
            named: None,
        }
    }

    /// Reads everything but the properties.
    pub(super) fn new(name: &str, source: Source<'_, 't>, settings: &[Setting], reports: Reports) -> Self {
        let items = source.items;
        let mut this = Self::empty(name, reports);
        this.lines = line_starts(source.text);
        this.kept = source.keep_steps.then(Vec::new);
        this.constants(items, settings);
        this.declarations(items);
        let processes: Vec<&ast::Process<'t>> = items.iter().filter_map(process).collect();
        this.processes(&processes);
        this.all_steps(&processes);
        this.joint_sizes();
        if this.reports.is_empty() && this.families.iter().all(|f| f.members.is_empty()) {
            let what = Diagnostic::error(Span::new(0, 0), "the model has no processes").label("nothing can happen");
            this.error(what.help("declare one: `process P { states a, b  a -> b }`"));
        }
        this
    }

    /// The whole model.
    pub(super) fn finish(mut self, source: Source<'_, 't>) -> Result<Loaded, Vec<Diagnostic>> {
        let items = source.items;
        let system = if self.reports.is_empty() { self.build().ok() } else { None };
        self.named = system.as_ref().filter(|_| asks_for_steps(items)).map(|system| Rc::new(Steps::new(system)));
        let properties = self.properties(items);
        let size = self.sizes(items);
        match system {
            Some(system) if self.reports.is_empty() => {
                Ok(Loaded { system, properties, size, warnings: self.warnings(source) })
            }
            _ => Err(self.reports.sorted()),
        }
    }

    /// The steps of the processes, if they were kept, each called as it is written: by its label and its action.
    pub(super) fn steps(self) -> Result<Vec<Edge>, Vec<Diagnostic>> {
        if !self.reports.is_empty() {
            return Err(self.reports.sorted());
        }
        let named = |mut edge: Edge| {
            let action = edge.sync.map(|a| format!("sync {}", self.actions[a.index()].0));
            let parts: Vec<String> = edge.label.take().into_iter().chain(action).collect();
            edge.label = (!parts.is_empty()).then(|| parts.join(" "));
            edge
        };
        Ok(self.kept.into_iter().flatten().map(named).collect())
    }

    /// A predicate over the model.
    pub(super) fn predicate(mut self, e: &ast::Expr<'_>) -> Result<model::Expr, Vec<Diagnostic>> {
        let scope = Scope { may_ask_where: true, ..Scope::default() };
        match self.bool(e, &scope) {
            Ok(typed) => Ok(typed.expr),
            Err(Reported) => Err(self.reports.sorted()),
        }
    }

    /// A formula over the model.
    pub(super) fn formula(mut self, (e, _): &Asked<'_>) -> Result<Ltl, Vec<Diagnostic>> {
        self.name_steps();
        let scope = Scope { may_ask_where: true, ..Scope::default() };
        self.temporal(e, &scope).map_err(|Reported| self.reports.sorted())
    }

    /// A formula over the model, of all runs or of the fair ones.
    pub(super) fn claim(mut self, (e, fairness): &Asked<'_>) -> Result<Temporal, Vec<Diagnostic>> {
        self.name_steps();
        self.temporal_claim(e, fairness).map_err(|Reported| self.reports.sorted())
    }

    /// Builds the model, so that its steps can be asked for.
    fn name_steps(&mut self) {
        if self.named.is_none()
            && let Ok(system) = self.build()
        {
            self.named = Some(Rc::new(Steps::new(&system)));
        }
    }

    pub(super) fn is_sound(&self) -> bool {
        self.reports.is_empty()
    }

    fn build(&mut self) -> Checked<System> {
        let builder = std::mem::take(&mut self.builder);
        builder.build().map_err(|errors| {
            for BuildError { message, span } in errors {
                let what = Diagnostic::error(span.unwrap_or(Span::new(0, 0)), message);
                self.error(what.label(if span.is_some() { "this one" } else { "the whole model" }));
            }
            Reported
        })
    }

    fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        self.reports.push(diagnostic)
    }

    /// Reports a name that means nothing; if it occurs where the text could not be parsed, that was said already.
    fn unknown_name(&mut self, name: &str, diagnostic: Diagnostic) -> Reported {
        if self.reports.is_unread(name) { Reported } else { self.error(diagnostic) }
    }

    /// Whether to stop: there are enough messages, or the model is too large to go on.
    fn halted(&self) -> bool {
        self.reports.full() || self.work > limits::WORK
    }

    /// Stops all further reading.
    fn give_up(&mut self) {
        self.work = limits::WORK + 1;
    }

    /// Counts work; a model whose expansion takes too much of it is refused.
    fn work(&mut self, amount: u64, span: Span) -> Checked<()> {
        if self.work > limits::WORK {
            return Err(Reported);
        }
        self.work += amount;
        if self.work <= limits::WORK {
            return Ok(());
        }
        let what = Diagnostic::error(span, "the model is too large: expanding its families takes too long");
        Err(self.error(what.label("given up here").help("choose smaller parameters or ranges")))
    }

    /// Notes whether the range of a quantifier has a value this time.
    fn ranged(&mut self, quantifier: &'static str, range: Span, some: bool) {
        if self.dead == 0 {
            self.ranges.entry(range).or_insert((quantifier, false)).1 |= some;
        }
    }

    fn global(&self, name: &str) -> Option<&Declared> {
        self.globals.get(name)
    }

    fn global_names(&self) -> impl Iterator<Item = &'t str> {
        self.order.iter().copied()
    }

    fn names_where(&self, wanted: impl Fn(&Entity) -> bool) -> Vec<&'t str> {
        self.global_names().filter(|n| self.globals.get(n).is_some_and(|d| wanted(&d.entity))).collect()
    }

    /// Declares a name for all; a second declaration is reported.
    fn declare(&mut self, name: &ast::Name<'t>, entity: Entity) {
        if let Some(first) = self.globals.get(name.text) {
            let (noun, at) = (first.entity.noun(), first.span);
            self.duplicate(name, noun, at);
            return;
        }
        self.order.push(name.text);
        self.globals.insert(name.text, Declared { entity, span: name.span });
    }

    /// Reports a name that was declared before, at `first`.
    fn duplicate(&mut self, name: &ast::Name<'_>, noun: &str, first: Span) -> Reported {
        let what = Diagnostic::error(name.span, format!("`{}` is declared twice", name.text));
        let help = match first == name.span {
            true => "it stands in a repetition: each time it is declared again".to_owned(),
            false => format!("the first one, a {noun}, is {}", self.line(first)),
        };
        self.error(what.label("second declaration").help(help))
    }

    fn line(&self, span: Span) -> String {
        format!("in line {}", self.lines.partition_point(|&start| start <= span.start))
    }

    /// Reports every name that is repeated in a list.
    fn distinct(&mut self, names: impl Iterator<Item = ast::Name<'t>>, noun: &str) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for name in names {
            match seen.get(name.text) {
                Some(&first) => {
                    self.duplicate(&name, noun, first);
                }
                None => {
                    seen.insert(name.text, name.span);
                }
            }
        }
    }
}

fn process<'a, 't>(item: &'a Item<'t>) -> Option<&'a ast::Process<'t>> {
    match item {
        Item::Process(process) => Some(process),
        _ => None,
    }
}

fn line_starts(text: &str) -> Vec<u32> {
    let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
    std::iter::once(0).chain(breaks.map(|(i, _)| i as u32 + 1)).collect()
}
