//! A script: its assertions, and the networks and specifications of its processes.

mod assertion;
mod process_ref;
mod stack;

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use model::views::Network;

use super::ast::{Decl, DeclKind, Expr, PatternKind};
use super::parse;
use super::process::{self, Limits, Specification};
use super::resolve::{Resolved, resolve};
use crate::Diagnostic;
use crate::sources::{Reader, Sources};
pub use assertion::{Assertion, AssertionKind};
pub use process_ref::ProcessRef;
use stack::with_stack;

/// A script that was read: every name in it has a meaning. What it means is evaluated when it is asked for.
#[derive(Debug)]
pub struct Script {
    name: String,
    text: String,
    /// The texts of included files.
    files: HashMap<String, String>,
    assertions: Vec<Assertion>,
}

impl Script {
    /// Reads a script and, through `include`, the files that it includes.
    pub fn read(name: &str, text: &str, include: Reader<'_>) -> Result<Script, Vec<Diagnostic>> {
        let files = RefCell::new(HashMap::new());
        let reader = |file: &str| {
            let text = include(file)?;
            files.borrow_mut().insert(file.to_owned(), text.clone());
            Ok(text)
        };
        let parse::Script { decls, sources } = parse::parse(text, &reader)?;
        let sources = Arc::new(sources);
        let assertions = with_stack(|| assertion::assertions(&decls, &sources))?.map_err(|e| placed(&sources, e))?;
        let (name, text) = (name.to_owned(), text.to_owned());
        Ok(Script { name, text, files: files.into_inner(), assertions })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its assertions, in the order of the text.
    pub fn assertions(&self) -> &[Assertion] {
        &self.assertions
    }

    /// The process that an expression means, as if it were written at the end of the script.
    pub fn process(&self, text: &str) -> Result<ProcessRef, Vec<Diagnostic>> {
        let head = format!("{}\n{QUERY} = ", self.text);
        let whole = format!("{head}{text}\n");
        let reader = |file: &str| self.files.get(file).cloned().ok_or_else(|| "it was not there before".to_owned());
        let outside = |errors| beyond(errors, self.text.len(), text);
        let parse::Script { decls, sources } = parse::parse(&whole, &reader).map_err(outside)?;
        let Some(expression) = query(&decls) else {
            let message = format!("`{text}` is not one expression");
            return Err(vec![Diagnostic::error(model::Span::new(0, 0), message)]);
        };
        let Resolved { program, extra } =
            with_stack(|| resolve(&decls, &[expression]))?.map_err(|errors| outside(placed(&sources, errors)))?;
        let origin = Some((self.text.len(), text.to_owned()));
        Ok(ProcessRef {
            program: Arc::new(program),
            sources: Arc::new(sources),
            block: extra[0],
            name: text.trim().to_owned(),
            origin,
        })
    }

    /// The network of a process: its static operators become rules, what is underneath becomes components.
    pub fn network(&self, process: &ProcessRef, limits: &Limits) -> Result<Network, Vec<Diagnostic>> {
        process.run(limits, |evaluator, subject| {
            let term = evaluator.process_of(process.block)?;
            process::network(evaluator, term, subject, limits)
        })
    }

    /// The traces of a process, as a deterministic automaton.
    pub fn specification(&self, process: &ProcessRef, limits: &Limits) -> Result<Specification, Vec<Diagnostic>> {
        process.run(limits, |evaluator, subject| {
            let term = evaluator.process_of(process.block)?;
            let explored = process::explore(evaluator, term, subject, limits)?;
            process::normal(process::World::store(evaluator), &explored, subject, limits)
        })
    }

    /// The text of the value of an expression.
    pub fn evaluate(&self, text: &str) -> Result<String, Vec<Diagnostic>> {
        let expression = self.process(text)?;
        expression.run(&Limits::default(), |evaluator, _| {
            let value = evaluator.value_of(expression.block)?;
            Ok(evaluator.show(&value))
        })
    }
}

/// A name that nobody writes.
const QUERY: &str = "impasse_query''";

/// The expression that was added at the end of the script.
fn query(decls: &[Decl]) -> Option<&Expr> {
    match &decls.last()?.kind {
        DeclKind::Bind { pattern, value } => match &pattern.kind {
            PatternKind::Name(name) if **name == *QUERY => Some(value),
            _ => None,
        },
        _ => None,
    }
}

/// The messages at places of the script itself.
fn placed(sources: &Sources, errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut placed: Vec<Diagnostic> = errors.into_iter().map(|e| sources.placed(e)).collect();
    placed.sort_by_key(|e| e.span);
    placed
}

/// Messages about an expression that is not in the script say so in words.
fn beyond(errors: Vec<Diagnostic>, end: usize, text: &str) -> Vec<Diagnostic> {
    let place = |error: Diagnostic| {
        if (error.span.start as usize) < end {
            return error;
        }
        let message = format!("in `{}`: {}", text.trim(), error.message);
        Diagnostic { message, span: model::Span::new(0, 0), label: String::new(), ..error }
    };
    errors.into_iter().map(place).collect()
}
