//! Connector types.

use super::{Checker, known};
use crate::bip::ast::{ConnectorType, Name, Operand, OperandKind};

impl<'m> Checker<'m> {
    pub(super) fn connector(&mut self, connector: &'m ConnectorType) {
        for port in &connector.ports {
            self.port_type(&port.port_type);
        }
        let (ports, data) = (|| connector.ports.iter().map(|p| &p.name), || connector.data.iter().map(|d| &d.name));
        self.unique("name", ports().chain(data()));
        for item in &connector.data {
            self.data_type(&item.data_type);
            item.initial.iter().for_each(|e| self.calls(e));
        }
        if let Some(export) = &connector.export {
            self.port(export, &known(data()));
        }
        let ports = known(ports());
        let mut defined = Vec::new();
        operands(&connector.define, &mut defined);
        for port in &defined {
            self.known(port, "port", &ports);
        }
        self.distinct("port", defined.into_iter());
        for interaction in &connector.interactions {
            for port in &interaction.ports {
                self.known(port, "port", &ports);
            }
            self.distinct("port", interaction.ports.iter());
            interaction.guard.iter().for_each(|e| self.calls(e));
            self.statement_calls(&interaction.up);
            self.statement_calls(&interaction.down);
        }
    }
}

/// The ports of `define`.
fn operands<'m>(define: &'m [Operand], ports: &mut Vec<&'m Name>) {
    for operand in define {
        match &operand.kind {
            OperandKind::Group(inner) => operands(inner, ports),
            OperandKind::Port(name) => ports.push(name),
        }
    }
}
