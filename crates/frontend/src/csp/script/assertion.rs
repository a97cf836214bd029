//! What a script asserts.

use std::sync::Arc;

use model::Span;

use super::ProcessRef;
use crate::Diagnostic;
use crate::csp::ast::{self, CheckOption, Claim, Decl, DeclKind, Expr, Property, Semantics};
use crate::csp::resolve::{Resolved, resolve};
use crate::sources::Sources;

/// An assertion of a script.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// As it is written.
    pub text: String,
    /// Where.
    pub span: Span,
    /// Whether the author denies it: `assert not ...`.
    pub negated: bool,
    /// What is asserted.
    pub kind: AssertionKind,
    /// The note on the line before, `-- expect: holds` or `-- expect: violated`: whether it says `holds`.
    pub expected: Option<bool>,
}

/// What is asserted.
#[derive(Clone, Debug)]
pub enum AssertionKind {
    /// `P :[deadlock free]`.
    DeadlockFree(ProcessRef),
    /// `P :[divergence free]`.
    DivergenceFree(ProcessRef),
    /// `Spec [T= Impl`.
    TraceRefines {
        /// What is allowed.
        specification: ProcessRef,
        /// What is there.
        implementation: ProcessRef,
    },
    /// Something else, by name.
    Unsupported(String),
}

/// The assertions of a script, all of whose names are resolved with them.
pub(super) fn assertions(decls: &[Decl], sources: &Arc<Sources>) -> Result<Vec<Assertion>, Vec<Diagnostic>> {
    let written: Vec<(&Decl, &ast::Assertion)> = decls
        .iter()
        .filter_map(|decl| if let DeclKind::Assert(assertion) = &decl.kind { Some((decl, assertion)) } else { None })
        .collect();
    let expressions: Vec<&Expr> = written.iter().flat_map(|(_, assertion)| processes(&assertion.claim)).collect();
    let Resolved { program, extra } = resolve(decls, &expressions)?;
    let program = Arc::new(program);
    let mut processes = expressions.iter().zip(extra).map(|(expr, block)| ProcessRef {
        program: program.clone(),
        sources: sources.clone(),
        block,
        name: sources.text()[expr.span.range()].to_owned(),
        origin: None,
    });
    let mut next = || processes.next().expect("every process of an assertion was resolved");
    let assertion = |(decl, written): &(&Decl, &ast::Assertion)| {
        let own: Vec<ProcessRef> = super::assertion::processes(&written.claim).iter().map(|_| next()).collect();
        Assertion {
            text: sources.text()[written.span.range()].to_owned(),
            span: sources.placed(Diagnostic::error(written.span, "")).span,
            negated: written.negated,
            kind: kind(written, own),
            expected: expectation(sources.text(), decl.span),
        }
    };
    Ok(written.iter().map(assertion).collect())
}

fn processes(claim: &Claim) -> Vec<&Expr> {
    match claim {
        Claim::Refines { specification, implementation, .. } => vec![specification, implementation],
        Claim::Has { process, .. } => vec![process],
    }
}

fn kind(written: &ast::Assertion, own: Vec<ProcessRef>) -> AssertionKind {
    if written.options.iter().any(|option| matches!(option, CheckOption::TauPriority(_))) {
        return AssertionKind::Unsupported("priority of internal steps".to_owned());
    }
    let [first, second] = [own.first(), own.last()].map(|p| p.expect("an assertion is about a process").clone());
    match &written.claim {
        Claim::Refines { semantics: Semantics::Traces, .. } => {
            AssertionKind::TraceRefines { specification: first, implementation: second }
        }
        Claim::Refines { semantics, .. } => {
            AssertionKind::Unsupported(format!("{} refinement", model_name(*semantics)))
        }
        Claim::Has { property, semantics, .. } => has(property, *semantics, first),
    }
}

fn has(property: &Property, semantics: Option<Semantics>, process: ProcessRef) -> AssertionKind {
    match (property, semantics) {
        (Property::DeadlockFree, None | Some(Semantics::Failures)) => AssertionKind::DeadlockFree(process),
        (Property::DeadlockFree, Some(other)) => {
            AssertionKind::Unsupported(format!("deadlock freedom in the model [{}]", other.letters()))
        }
        (Property::DivergenceFree, _) => AssertionKind::DivergenceFree(process),
        (Property::Deterministic, _) => AssertionKind::Unsupported("determinism".to_owned()),
        (Property::HasTrace(_), _) => AssertionKind::Unsupported("having a trace".to_owned()),
    }
}

fn model_name(semantics: Semantics) -> &'static str {
    match semantics {
        Semantics::Traces => "trace",
        Semantics::Failures => "failures",
        Semantics::FailuresDivergences => "failures-divergences",
        Semantics::Revivals => "revivals",
        Semantics::RevivalsDivergences => "revivals-divergences",
        Semantics::Refusals => "refusals",
        Semantics::RefusalsDivergences => "refusals-divergences",
    }
}

/// The note on the line before.
fn expectation(text: &str, span: Span) -> Option<bool> {
    let before = &text[..span.start as usize];
    let line = before.lines().rev().nth(usize::from(!before.ends_with('\n')))?;
    match line.trim().strip_prefix("--")?.trim().strip_prefix("expect:")?.trim() {
        "holds" => Some(true),
        "violated" => Some(false),
        _ => None,
    }
}
