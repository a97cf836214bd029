//! Turns a behaviour into components and rules.

use std::collections::BTreeMap;
use std::rc::Rc;

use model::Span;
use model::views::EventId;

use super::ast::{Behaviour, Branch, Form, Gate, Offer, Operator, Vector};
use super::parallel::{self, Meeting};
use super::rules::{MAX_RULES, Rules, TooMany};
use super::{read, relabel, vectors};
use crate::Diagnostic;
use crate::automata::files::{Found, Library, inside, stem};
use crate::automata::labels::{GateId, Labels, is_silent};
use crate::automata::lts::Lts;
use crate::automata::network::{Draft, MAX_COMPONENTS};
use crate::automata::{Files, LoadedNetwork};
use crate::loaded_net::MAX_MISTAKES;
use crate::notes::Notes;

/// The deepest inclusion of expressions in each other.
const MAX_INCLUSION: usize = 16;

type Flat<T> = Result<T, Diagnostic>;

/// Reads an expression with all its components.
pub(in crate::automata) fn load(name: &str, text: &str, files: Files<'_>) -> Flat<LoadedNetwork> {
    let mut warnings = Vec::new();
    let (behaviour, notes) = read(text, &mut warnings)?;
    let library = Library::new(files);
    let (open, draft) = (vec![name.to_owned()], Draft::default());
    let mut flattener = Flattener { library, draft, labels: Labels::new(), open, warnings };
    let rules = flattener.behaviour(&behaviour)?;
    finish(flattener, rules, stem(name), notes)
}

fn finish(flattener: Flattener<'_>, rules: Rules, name: &str, notes: Notes) -> Flat<LoadedNetwork> {
    let Flattener { draft, labels, mut warnings, .. } = flattener;
    warnings.truncate(MAX_MISTAKES);
    let network = draft.finish(name, &labels, rules.into_list())?;
    Ok(LoadedNetwork { network, properties: notes.properties()?, size: notes.size, warnings })
}

struct Flattener<'a> {
    library: Library<'a>,
    draft: Draft,
    labels: Labels,
    /// The expressions that are being read, each included by the one before.
    open: Vec<String>,
    warnings: Vec<Diagnostic>,
}

impl Flattener<'_> {
    fn behaviour(&mut self, behaviour: &Behaviour) -> Flat<Rules> {
        let span = behaviour.span;
        match &behaviour.form {
            Form::Stop => self.component("stop", Rc::new(Lts::stop()), span),
            Form::Exit => self.component("exit", Rc::new(Lts::exit()), span),
            Form::File(name) => self.file(name, span),
            Form::Chain { first, rest } => self.chain(first, rest, span),
            Form::Par { gates, branches } => self.par(gates, branches, span),
            Form::Vectors { vectors, branches } => self.vectors(vectors, branches, span),
            Form::Relabel(relabel) => {
                let compiled = relabel::compile(&relabel.change)?;
                let rules = self.behaviour(&relabel.behaviour)?;
                compiled.apply(&mut self.labels, rules).map_err(|e| too_many(e, span))
            }
        }
    }

    fn file(&mut self, reference: &str, span: Span) -> Flat<Rules> {
        let from = self.open.last().expect("the main file stays open").clone();
        match self.library.find(&from, reference, span, &mut self.warnings)? {
            Found::Automaton(lts) => self.component(stem(reference), lts, span),
            Found::Expression(name, text) => self.include(name, &text, span),
        }
    }

    fn include(&mut self, name: String, text: &str, span: Span) -> Flat<Rules> {
        if self.open.contains(&name) {
            return Err(Diagnostic::error(span, format!("`{name}` includes itself")));
        }
        if self.open.len() > MAX_INCLUSION {
            let message = format!("expressions include each other deeper than {MAX_INCLUSION} levels");
            return Err(Diagnostic::error(span, message));
        }
        // Remarks about the included text have places there; they are shown where it is mentioned.
        let known = self.warnings.len();
        self.open.push(name.clone());
        let mut remarks = Vec::new();
        let behaviour = read(text, &mut remarks).map(|(behaviour, _)| behaviour);
        self.warnings.append(&mut remarks);
        let rules = behaviour.and_then(|behaviour| self.behaviour(&behaviour));
        self.open.pop();
        for warning in &mut self.warnings[known..] {
            *warning = inside(&name, text.as_bytes(), warning, span);
        }
        rules.map_err(|d| inside(&name, text.as_bytes(), &d, span))
    }

    fn component(&mut self, name: &str, lts: Rc<Lts>, span: Span) -> Flat<Rules> {
        let labels: Vec<_> = lts.labels.iter().map(|text| self.labels.label(text)).collect();
        let Some(id) = self.draft.add(name, lts) else {
            let message = format!("there are more than {MAX_COMPONENTS} components, or they are too large together");
            return Err(Diagnostic::error(span, message));
        };
        let mut rules = Rules::default();
        for (event, label) in labels.into_iter().enumerate() {
            let parts = vec![(id, EventId::new(event))];
            rules.add(&self.labels, label, parts).map_err(|e| too_many(e, span))?;
        }
        Ok(rules)
    }

    fn chain(&mut self, first: &Behaviour, rest: &[(Operator, Behaviour)], span: Span) -> Flat<Rules> {
        let mut operands = vec![self.behaviour(first)?];
        for (_, behaviour) in rest {
            let rules = self.behaviour(behaviour)?;
            operands.push(rules);
        }
        let mut right = operands.pop().expect("a chain has operands");
        for ((operator, _), left) in rest.iter().zip(operands).rev() {
            let composed = match operator {
                Operator::Interleaving => parallel::on_gates(left, right, &[]),
                Operator::Full => parallel::on_everything(left, right),
                Operator::Gates(gates) => {
                    let ids = self.gates(gates, &[&left, &right])?;
                    parallel::on_gates(left, right, &ids)
                }
            };
            right = composed.map_err(|e| too_many(e, span))?;
        }
        Ok(right)
    }

    fn par(&mut self, gates: &[Gate], branches: &[Branch], span: Span) -> Flat<Rules> {
        let mut rules = Vec::new();
        for branch in branches {
            let flat = self.behaviour(&branch.behaviour)?;
            rules.push(flat);
        }
        let mut meetings: BTreeMap<GateId, Meeting> = BTreeMap::new();
        for (b, branch) in branches.iter().enumerate() {
            for gate in self.gates(&branch.gates, &[&rules[b]])? {
                let meeting = meetings.entry(gate).or_insert_with(|| Meeting { branches: Vec::new(), degree: 0 });
                if meeting.branches.last() != Some(&b) {
                    meeting.branches.push(b);
                }
            }
        }
        meetings.values_mut().for_each(|m| m.degree = m.branches.len());
        let everybody: Vec<&Rules> = rules.iter().collect();
        let ids = self.gates(gates, &everybody)?;
        for (gate, id) in gates.iter().zip(ids) {
            // A gate that branches list is theirs; else all meet on it.
            let all = || Meeting { branches: (0..branches.len()).collect(), degree: branches.len() };
            let meeting = meetings.entry(id).or_insert_with(all);
            meeting.degree = gate.degree.unwrap_or(meeting.branches.len());
        }
        parallel::par(rules, &meetings).map_err(|e| too_many(e, span))
    }

    fn vectors(&mut self, given: &[Vector], branches: &[Behaviour], span: Span) -> Flat<Rules> {
        let mut rules = Vec::new();
        for branch in branches {
            let flat = self.behaviour(branch)?;
            rules.push(flat);
        }
        let silent = |o: &Offer| matches!(o, Offer::Label(t) | Offer::Gate(t) if is_silent(t));
        let mut kept = Vec::new();
        for vector in given {
            if !vector.parts.iter().any(|(_, offer)| silent(offer)) {
                kept.push(normal(vector, silent(&vector.result)));
            } else if vector.parts.len() > 1 || !silent(&vector.result) {
                let error = Diagnostic::error(vector.span, "silent moves cannot be synchronised or renamed");
                return Err(error.help("they happen without a vector"));
            }
        }
        vectors::combine(&mut self.labels, rules, &kept).map_err(|e| too_many(e, span))
    }

    /// The numbers of gates; a gate that no operand has is probably a slip.
    fn gates(&mut self, gates: &[Gate], operands: &[&Rules]) -> Flat<Vec<GateId>> {
        let mut ids = Vec::new();
        for gate in gates {
            let id = self.labels.gate(&gate.name);
            if [Labels::HIDDEN, Labels::EXIT].contains(&id) {
                let message = format!("`{}` is no gate: it cannot be listed", gate.name);
                return Err(Diagnostic::error(gate.span, message));
            }
            if operands.iter().all(|rules| rules.gate(id).is_none()) {
                let alike = self.labels.alike(id).map(|other| format!("there is a gate `{other}`"));
                let message = format!("nothing here has the gate `{}`", gate.name);
                self.warnings.push(Diagnostic::warning(gate.span, message).maybe_help(alike));
            }
            ids.push(id);
        }
        Ok(ids)
    }
}

/// A vector whose result is silent has the one silent label.
fn normal(vector: &Vector, silent: bool) -> Vector {
    let result = if silent { Offer::Label("i".to_owned()) } else { vector.result.clone() };
    Vector { result, ..vector.clone() }
}

fn too_many(_: TooMany, span: Span) -> Diagnostic {
    let message = format!("this behaviour has more than {MAX_RULES} synchronisations");
    Diagnostic::error(span, message)
}
