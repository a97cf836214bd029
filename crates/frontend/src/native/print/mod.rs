//! A system as text: families, parameters and repetitions expanded, names made valid where they were not.
//!
//! A transition of several processes becomes an action of its own, one without process a step of a helper process.
//! Reading the text gives a system with the same states and transitions.

mod expr;
mod names;
mod objects;
mod property;
mod steps;
mod unsayable;

use std::fmt::Write;

use model::{Property, System};

use names::Names;
pub(super) use unsayable::unsayable;

/// What the parts of the printer share.
struct Printer<'a> {
    system: &'a System,
    names: Names,
    out: String,
}

/// The model as text.
pub(super) fn print(system: &System, properties: &[(String, Property)]) -> String {
    let watched = properties.iter().any(|(_, p)| matches!(p, Property::Safety(_)));
    let names = Names::new(system, watched);
    let mut printer = Printer { system, names, out: String::new() };
    printer.enumerations();
    printer.objects();
    printer.actions();
    printer.processes();
    printer.properties(properties);
    super::format(&printer.out).unwrap_or(printer.out)
}

impl Printer<'_> {
    fn line(&mut self, text: impl std::fmt::Display) {
        writeln!(self.out, "{text}").expect("a string takes all text");
    }

    fn enumerations(&mut self) {
        for (e, constants) in self.names.enumerations.clone() {
            self.line(format_args!("enum {e} {{ {} }}", constants.join(", ")));
        }
    }

    fn actions(&mut self) {
        let joint = self.system.transition_ids().filter(|t| self.system.transition(*t).moves.len() > 1);
        let names: Vec<&str> = joint.map(|t| self.names.step(t)).collect();
        let lines: Vec<String> = names.chunks(8).map(|names| format!("action {}", names.join(", "))).collect();
        lines.into_iter().for_each(|line| self.line(line));
    }
}
