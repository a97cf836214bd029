//! Atom types.

use super::{Checker, Known, known};
use crate::bip::ast::{AtomType, Name, Port, PortPattern, Trigger};

impl<'m> Checker<'m> {
    pub(super) fn atom(&mut self, atom: &'m AtomType) {
        self.parameters(&atom.parameters);
        self.scopes(atom);
        for data in &atom.data {
            self.data_type(&data.data_type);
            data.initial.iter().for_each(|e| self.calls(e));
        }
        let data = known(atom.data.iter().map(|d| &d.name));
        atom.ports.iter().for_each(|port| self.port(port, &data));
        self.behaviour(atom);
        let ports = known(atom.ports.iter().map(|p| &p.name));
        for priority in &atom.priorities {
            for side in [&priority.low, &priority.high] {
                if let PortPattern::Port(name) = side {
                    self.known(name, "port", &ports);
                }
            }
            priority.guard.iter().for_each(|e| self.calls(e));
        }
    }

    /// What may be there once.
    fn scopes(&mut self, atom: &'m AtomType) {
        let parameters = atom.parameters.iter().map(|p| &p.name);
        let clocks = atom.clocks.iter().map(|c| &c.name);
        self.unique("data item", parameters.chain(atom.data.iter().map(|d| &d.name)).chain(clocks));
        self.unique("port", atom.ports.iter().map(|p| &p.name));
        self.unique("exported port", atom.exports.iter().map(|e| &e.name));
        self.unique("place", atom.places.iter());
        self.unique("priority", atom.priorities.iter().map(|p| &p.name));
        self.unique("invariant", atom.invariants.iter().map(|i| &i.name));
    }

    /// The type of a port and the data that it carries.
    pub(super) fn port(&mut self, port: &'m Port, data: &Known<'m, &'m Name>) {
        let Some(port_type) = self.port_type(&port.port_type) else { return };
        let what = format!("the port type `{}`", port_type.name.text);
        self.count(port.span, &what, port_type.data.len(), port.data.len());
        for name in &port.data {
            self.known(name, "data item", data);
        }
    }

    fn behaviour(&mut self, atom: &'m AtomType) {
        let (ports, places) = (known(atom.ports.iter().map(|p| &p.name)), known(atom.places.iter()));
        self.places(&atom.initial.to, &places);
        self.statement_calls(&atom.initial.actions);
        for transition in &atom.transitions {
            if let Trigger::Port(name) = &transition.trigger {
                self.known(name, "port", &ports);
            }
            self.places(&transition.from, &places);
            self.places(&transition.to, &places);
            transition.guard.iter().for_each(|e| self.calls(e));
            self.statement_calls(&transition.actions);
        }
        for invariant in &atom.invariants {
            self.places(&invariant.places, &places);
            self.calls(&invariant.condition);
        }
    }

    fn places(&mut self, names: &[Name], places: &Known<'m, &'m Name>) {
        self.distinct("place", names.iter());
        for name in names {
            self.known(name, "place", places);
        }
    }
}
