//! What can be said about declarations before there are instances: nothing is declared twice, every name of a type, a
//! port, a place or an instance means something, and numbers of arguments fit.

mod atom;
mod calls;
mod compound;
mod connector;
mod cycles;
mod types;

use std::collections::{HashMap, HashSet};

use model::Span;

use super::ast::{Model, Name, Package, PackageId, Parameter};
use super::limits;
use crate::Diagnostic;
use crate::native::nearest::suggestion;

/// The mistakes of a model.
pub(super) fn check(model: &Model) -> Vec<Diagnostic> {
    let mut reports = Vec::new();
    for id in 0..model.packages.len() {
        let package = PackageId(id as u32);
        let mut checker = Checker { model, package, reports };
        checker.package();
        reports = checker.reports;
    }
    if reports.is_empty() {
        reports.extend(cycles::of_compounds(model));
    }
    reports
}

/// The mistakes so far, and what they are looked for in.
struct Checker<'m> {
    model: &'m Model,
    package: PackageId,
    reports: Vec<Diagnostic>,
}

/// Names and what they mean.
type Known<'m, T> = HashMap<&'m str, T>;

impl<'m> Checker<'m> {
    fn package(&mut self) {
        let package = self.model.package(self.package);
        self.declared_once(package);
        for path in package.extern_types.iter().flat_map(|t| &t.refines) {
            self.extern_type(path);
        }
        self.prototypes(package);
        for constant in &package.constants {
            self.data_type(&constant.data_type);
            self.calls(&constant.value);
        }
        for port_type in &package.port_types {
            self.parameters(&port_type.data);
        }
        for atom in &package.atoms {
            self.atom(atom);
        }
        for connector in &package.connectors {
            self.connector(connector);
        }
        for compound in &package.compounds {
            self.compound(compound);
        }
    }

    fn declared_once(&mut self, package: &'m Package) {
        self.unique("constant", package.constants.iter().map(|c| &c.name));
        self.unique("data type", package.extern_types.iter().map(|t| &t.name));
        self.unique("port type", package.port_types.iter().map(|t| &t.name));
        self.unique("connector type", package.connectors.iter().map(|t| &t.name));
        let components = package.atoms.iter().map(|t| &t.name).chain(package.compounds.iter().map(|t| &t.name));
        self.unique("component type", components);
    }

    fn prototypes(&mut self, package: &'m Package) {
        for function in &package.functions {
            let types = function.result.iter().chain(function.parameters.iter().map(|p| &p.data_type));
            types.for_each(|data_type| self.data_type(data_type));
        }
        for operator in &package.operators {
            self.data_type(&operator.result);
            operator.parameters.iter().for_each(|p| self.data_type(&p.data_type));
        }
    }

    fn report(&mut self, mistake: Diagnostic) {
        if self.reports.len() < limits::DIAGNOSTICS {
            self.reports.push(mistake);
        }
    }

    /// Reports names that are declared more than once.
    fn unique<'n>(&mut self, noun: &str, names: impl Iterator<Item = &'n Name>) {
        let mut seen = HashSet::new();
        for name in names {
            if !seen.insert(&*name.text) {
                let message = format!("there are two declarations of the {noun} `{}`", name.text);
                self.report(Diagnostic::error(name.span, message).label("declared before"));
            }
        }
    }

    /// Reports names that a list has more than once.
    fn distinct<'n>(&mut self, noun: &str, names: impl Iterator<Item = &'n Name>) {
        let mut seen = HashSet::new();
        for name in names {
            if !seen.insert(&*name.text) {
                let message = format!("the {noun} `{}` stands here twice", name.text);
                self.report(Diagnostic::error(name.span, message).label("for the second time"));
            }
        }
    }

    /// What a name means, or a report that it means nothing.
    fn known<T: Copy>(&mut self, name: &Name, noun: &str, known: &Known<'_, T>) -> Option<T> {
        let found = known.get(&*name.text).copied();
        if found.is_none() {
            self.unknown(name, noun, known.keys().copied());
        }
        found
    }

    fn unknown<'n>(&mut self, name: &Name, noun: &str, candidates: impl Iterator<Item = &'n str>) {
        let error = Diagnostic::error(name.span, format!("there is no {noun} `{}`", name.text));
        let help = suggestion(&name.text, candidates);
        self.report(error.label(format!("unknown {noun}")).maybe_help(help));
    }

    fn parameters(&mut self, parameters: &'m [Parameter]) {
        self.unique("parameter", parameters.iter().map(|p| &p.name));
        parameters.iter().for_each(|p| self.data_type(&p.data_type));
    }

    /// Reports a list that is too long or too short.
    fn count(&mut self, span: Span, what: &str, expected: usize, found: usize) {
        if expected != found {
            let plural = if expected == 1 { "" } else { "s" };
            let error = Diagnostic::error(span, format!("{what} has {expected} parameter{plural}, not {found}"));
            self.report(error.label(if found < expected { "too few" } else { "too many" }));
        }
    }
}

/// Names with themselves as meaning.
fn known<'m>(names: impl Iterator<Item = &'m Name>) -> Known<'m, &'m Name> {
    names.map(|name| (&*name.text, name)).collect()
}
