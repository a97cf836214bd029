//! Scripts of machine-readable CSP as models: one for each process that something is asserted about.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use explain::SourceText;
use frontend::csp::{Assertion, AssertionKind, Limits, ProcessRef, Script, Specification};
use frontend::native::Setting;
use frontend::{Diagnostic, ExpectedSize, Loaded};
use model::{
    Expectation, Expr, LocationId, NamedProperty, Observer, ObserverEdge, ObserverLocation, Property, System,
    TransitionId,
};

use super::{Input, Model, Models, Patience, Refused};
use crate::exit::Failure;
use crate::{diagnostics, question};

/// The label of steps that nobody sees.
const SILENT: &str = "tau";

/// What something that cannot be decided is called.
const ASSERTION: &str = "assertion";

/// The most entries of the table by which a refinement is observed: states of the specification times steps.
const OBSERVED: usize = 1 << 27;

/// Whether a file is a script, by its name.
pub(super) fn is_script(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    matches!(extension.as_str(), "csp" | "cspm" | "fdr2" | "fdr3")
}

/// Makes the models of a script: that of `process`, or those of its assertions.
pub(super) fn load(
    path: &Path,
    settings: &[Setting],
    process: Option<&str>,
    patience: Patience,
) -> Result<Models, Failure> {
    let input = super::read(path)?;
    if let Some((parameter, _)) = settings.first() {
        let message = format!("{} is a script and has no parameters: `{parameter}` cannot be set", input.name);
        return Err(Failure::usage(message));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let include = |name: &str| super::beside(&folder.join(name));
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let failure = |ds: Vec<Diagnostic>| diagnostics::failure(&input.name, &input.text, &ds);
    let script = Script::read(&stem, &input.text, &include).map_err(failure)?;
    let reader = Reader { script: &script, input: &input, patience };
    match process {
        Some(text) => {
            let process = script.process(text).map_err(failure)?;
            let asked = vec![question::deadlock_free()];
            let limits = reader.limits(1);
            let model = reader.model(&process, &limits, |_| Ok(asked)).map_err(failure)?;
            Ok(Models { models: vec![model], refused: Vec::new() })
        }
        None => reader.asserted().map_err(failure),
    }
}

struct Reader<'a> {
    script: &'a Script,
    input: &'a Input,
    patience: Patience,
}

/// Bytes that a state of a component takes while it is compiled, and a move: roughly.
const STATE_BYTES: u64 = 1024;
const MOVE_BYTES: u64 = 128;

impl Reader<'_> {
    /// What may be spent on one of so many processes that still come.
    fn limits(&self, open: usize) -> Limits {
        let share = |left: Duration| Instant::now() + left / u32::try_from(open.max(1)).unwrap_or(u32::MAX);
        let most = |default: usize, size: u64| {
            let fits = self.patience.memory.map(|bytes| usize::try_from(bytes / size).unwrap_or(usize::MAX));
            fits.map_or(default, |fits| fits.min(default))
        };
        let all = Limits::default();
        Limits {
            states: most(all.states, STATE_BYTES),
            moves: most(all.moves, MOVE_BYTES),
            deadline: self.patience.left().map(share),
            ..all
        }
    }

    /// One model for each process that assertions are about, in the order of the first ones.
    fn asserted(&self) -> Result<Models, Vec<Diagnostic>> {
        if self.script.assertions().is_empty() {
            let message = "the script asserts nothing";
            let help = "add `assert P :[deadlock free]`, or name a process: --process P";
            return Err(vec![Diagnostic::error(model::Span::new(0, 0), message).help(help)]);
        }
        let mut late = false;
        let (mut groups, mut refused): (Vec<(&ProcessRef, Vec<&Assertion>)>, Vec<Refused>) = (Vec::new(), Vec::new());
        for assertion in self.script.assertions() {
            let Some(process) = subject(&assertion.kind) else {
                let (name, span) = (claim(assertion), assertion.span);
                refused.push(Refused { name, kind: ASSERTION, span, why: why_not(&assertion.kind) });
                continue;
            };
            match groups.iter_mut().find(|(known, _)| known.name() == process.name()) {
                Some((_, list)) => list.push(assertion),
                None => groups.push((process, vec![assertion])),
            }
        }
        let (mut models, mut mistakes) = (Vec::new(), Vec::new());
        let open = (1..=groups.len()).rev();
        for ((process, list), open) in groups.into_iter().zip(open) {
            let limits = self.limits(open);
            let properties = |system: &System| list.iter().map(|a| self.property(system, a, &limits)).collect();
            match self.model(process, &limits, properties) {
                Ok(model) => {
                    let denied = list.iter().filter(|a| a.negated).map(|a| claim(a)).collect();
                    models.push(Model { denied, ..model });
                }
                Err(found) => {
                    late |= limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
                    let why = found.iter().map(|d| d.message.as_str()).collect::<Vec<_>>().join("; ");
                    refused.extend(list.iter().map(|a| Refused {
                        name: claim(a),
                        kind: ASSERTION,
                        span: a.span,
                        why: why.clone(),
                    }));
                    mistakes.extend(found);
                }
            }
        }
        // One process that has no meaning does not keep the others from being looked at; one that takes too long is no
        // mistake.
        if models.is_empty() && !mistakes.is_empty() && !late { Err(mistakes) } else { Ok(Models { models, refused }) }
    }

    fn model(
        &self,
        process: &ProcessRef,
        limits: &Limits,
        properties: impl FnOnce(&System) -> Result<Vec<NamedProperty>, Vec<Diagnostic>>,
    ) -> Result<Model, Vec<Diagnostic>> {
        let network = self.script.network(process, limits)?;
        let system = network.to_system().map_err(|e| {
            let message = format!("the process `{}` is too large: {e}", process.name());
            vec![Diagnostic::error(model::Span::new(0, 0), message)]
        })?;
        let properties = properties(&system)?;
        let loaded = Loaded { system, properties, size: ExpectedSize::default(), warnings: Vec::new() };
        let input = Input { name: self.input.name.clone(), text: self.input.text.clone() };
        let source = SourceText::new(&input.name, &input.text);
        let network = Some(Arc::new(network));
        Ok(Model { network, silent: Some(SILENT), ..Model::plain(input, loaded, source) })
    }

    fn property(
        &self,
        system: &System,
        assertion: &Assertion,
        limits: &Limits,
    ) -> Result<NamedProperty, Vec<Diagnostic>> {
        let property = match &assertion.kind {
            AssertionKind::DeadlockFree(_) => Property::DeadlockFree,
            AssertionKind::DivergenceFree(_) => Property::DivergenceFree(SILENT.into()),
            AssertionKind::TraceRefines { specification, .. } => {
                let specification = self.script.specification(specification, limits)?;
                let entries = specification.states.len().saturating_mul(system.transitions().len());
                if entries > OBSERVED {
                    let message = "the specification and the implementation are too large for each other";
                    return Err(vec![Diagnostic::error(assertion.span, message)]);
                }
                Property::Safety(observer(system, &specification))
            }
            AssertionKind::Unsupported(_) => unreachable!("such assertions are about no process"),
        };
        let span = Some(assertion.span);
        let expect = Some(expectation(assertion));
        Ok(NamedProperty { name: claim(assertion), property, expect, span })
    }
}

/// What is asserted or denied.
fn claim(assertion: &Assertion) -> String {
    let text = assertion.text.trim();
    let text = text.strip_prefix("assert").unwrap_or(text).trim_start();
    let text = if assertion.negated { text.strip_prefix("not").unwrap_or(text) } else { text };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the author expects of the claim: what is asserted, unless the note on the line before says that the assertion, as
/// it is written, is violated.
fn expectation(assertion: &Assertion) -> Expectation {
    let right = assertion.expected.unwrap_or(true);
    if right != assertion.negated { Expectation::Holds } else { Expectation::Violated }
}

fn subject(kind: &AssertionKind) -> Option<&ProcessRef> {
    match kind {
        AssertionKind::DeadlockFree(process) | AssertionKind::DivergenceFree(process) => Some(process),
        AssertionKind::TraceRefines { implementation, .. } => Some(implementation),
        AssertionKind::Unsupported(_) => None,
    }
}

fn why_not(kind: &AssertionKind) -> String {
    let what = if let AssertionKind::Unsupported(what) = kind { what.as_str() } else { "this" };
    format!("{what} is not decided: deadlock freedom, divergence freedom and trace refinement are")
}

/// Follows the traces of a specification; a visible step that it does not allow is an error.
fn observer(system: &System, specification: &Specification) -> Observer {
    let mut steps: HashMap<&str, Vec<TransitionId>> = HashMap::new();
    let mut visible = Vec::new();
    for t in system.transition_ids() {
        let label = &*system.transition(t).label;
        if label != SILENT {
            steps.entry(label).or_default().push(t);
            visible.push(t);
        }
    }
    let error = LocationId::new(specification.states.len());
    let edge = |from: usize, to: LocationId, on: Vec<TransitionId>| {
        let (from, on, when) = (LocationId::new(from), Some(on), Expr::Const(1));
        ObserverEdge { from, to, on, when, span: None }
    };
    let mut edges = Vec::new();
    for (from, moves) in specification.states.iter().enumerate() {
        for (label, to) in moves {
            if let Some(steps) = steps.get(&*specification.labels[*label]) {
                edges.push(edge(from, LocationId::new(*to), steps.clone()));
            }
        }
        edges.push(edge(from, error, visible.clone()));
    }
    let allowed = (0..specification.states.len()).map(|n| ObserverLocation { name: format!("s{n}"), error: false });
    let refused = ObserverLocation { name: "not allowed by the specification".to_owned(), error: true };
    Observer { locations: allowed.chain([refused]).collect(), initial: LocationId::new(0), edges }
}
