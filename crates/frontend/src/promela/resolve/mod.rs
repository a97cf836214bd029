//! From the tree to a program in which every name has its meaning and every body is a graph.
//!
//! First come types and global variables (`types`, `declare`), then the control structure of all bodies (`flow`), which
//! gives every label its node, and last the meaning of statements (`view`, `expr`, `action`), which may look at labels
//! and variables of other processes (`remote`).

mod action;
mod claims;
mod declare;
mod deterministic;
mod expr;
mod flow;
mod fold;
mod globals;
mod graph;
mod labels;
mod mtypes;
mod remote;
mod reports;
mod scope;
mod tables;
mod text;
mod types;
mod view;
mod watched;

#[cfg(test)]
mod tests;

use super::ast::{self, Unit};
use super::ir;
use crate::Diagnostic;
use claims::Watchers;
use declare::Declarer;
use flow::Builder;
use graph::{Body, Context};
use reports::Reports;
use scope::{Place, ScopeId};
use tables::{Locals, Others, Tables};
use view::{Role, View};
use watched::Watched;

/// The program that a tree means, with remarks, or what is wrong with it.
pub fn resolve(program: &ast::Program) -> Result<(ir::Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut reports = Reports::default();
    let tables = globals::tables(program, &mut reports);
    let watched = Watched::new(program);
    let proctypes: Vec<&ast::Proctype> = proctypes(program).collect();
    let (bodies, locals) = bodies(&proctypes, &tables, &watched, &mut reports);
    let others = Others { labels: bodies.iter().map(Body::labels).collect(), locals };
    let resolved = proctypes.iter().zip(&bodies).zip(&others.locals);
    let resolved = resolved.map(|((p, body), locals)| {
        let context = Context { tables: &tables, locals, others: &others, role: Role::Process };
        proctype(p, body, &context, &mut reports)
    });
    let mut result = ir::Program { proctypes: resolved.collect(), ..Default::default() };
    Watchers { tables: &tables, others: &others, reports: &mut reports }.add(program, &mut result);
    result.globals = tables.globals.variables;
    result.mtypes = tables.types.mtypes;
    reports.conclude(result)
}

/// The control structure of proctypes, with their variables.
fn bodies<'a>(
    proctypes: &[&'a ast::Proctype],
    tables: &Tables,
    watched: &Watched,
    reports: &mut Reports,
) -> (Vec<Body<'a>>, Vec<Locals>) {
    let body = |p: &&'a ast::Proctype| {
        let (flow, locals) = Builder::new(tables, watched.of(&p.name.text), reports).proctype(p);
        (Body::new(flow, reports), locals)
    };
    proctypes.iter().map(body).unzip()
}

/// The proctypes of a program, in order.
fn proctypes(program: &ast::Program) -> impl Iterator<Item = &ast::Proctype> {
    program.units.iter().filter_map(|u| match u {
        Unit::Proctype(proctype) => Some(proctype),
        _ => None,
    })
}

fn proctype(p: &ast::Proctype, body: &Body<'_>, context: &Context<'_>, reports: &mut Reports) -> ir::Proctype {
    let Context { tables, locals, others, role } = *context;
    let place = Place { names: p.parameters.len() as u32, ..Place::default() };
    let mut view = View { tables, locals: Some(locals), role, place, others: Some(others), reports };
    let provided = p.provided.as_ref().and_then(|e| view.number(e).ok());
    // What is wrong is among the reports.
    let _ = view.check_priority(p.priority.as_ref());
    let active = p.active.as_ref().map_or(0, |count| active(count, tables, reports));
    let signature = tables.proctype(&p.name.text).map(|id| tables.signature(id));
    let mut graph = context.graph(body, reports);
    if p.deterministic {
        deterministic::demand(&mut graph);
    }
    let cells = |shape| tables.types.cells(shape).len() as u32;
    ir::Proctype {
        name: p.name.text.clone(),
        active,
        locals: locals.variables.clone(),
        parameters: signature.map_or(0, |s| s.parameters.iter().map(|(_, shape)| cells(*shape)).sum()),
        provided,
        graph,
        unreached: body.unreached(),
        span: p.name.span,
    }
}

/// How many processes run from the start.
fn active(count: &ast::Expr, tables: &Tables, reports: &mut Reports) -> u32 {
    let place = tables.globals.scopes.place(ScopeId::default());
    let mut declarer = Declarer { tables, locals: None, reports, place };
    let Ok(value) = declarer.count(count) else { return 0 };
    u32::try_from(value).ok().filter(|c| *c <= 255).unwrap_or_else(|| {
        let what = format!("{value} processes cannot run at once");
        reports.push(Diagnostic::error(count.span, what).label("0 to 255"));
        0
    })
}
