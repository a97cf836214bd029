//! The interactions that the expression of a connector defines.
//!
//! A part with a quote is a *trigger*. An expression without triggers needs all of its parts; with triggers it needs
//! one of them, and any others may join.

use std::collections::BTreeSet;

use super::{Checked, limits};
use crate::Diagnostic;
use crate::bip::ast::{ConnectorType, Operand, OperandKind};

/// The ports of an interaction, by their numbers in the connector, in increasing order.
pub(super) type Ports = Vec<u16>;

/// All interactions of a connector type, in a fixed order.
pub(super) fn interactions(ty: &ConnectorType) -> Checked<Vec<Ports>> {
    if ty.ports.len() > usize::from(u16::MAX) {
        return Err(Diagnostic::error(ty.name.span, "the connector has too many ports"));
    }
    Ok(group(ty, &ty.define)?.into_iter().collect())
}

fn operand(ty: &ConnectorType, operand: &Operand) -> Checked<BTreeSet<Ports>> {
    match &operand.kind {
        OperandKind::Port(name) => {
            let at = ty.ports.iter().position(|p| p.name.text == name.text);
            Ok(BTreeSet::from([vec![at.expect("the parser resolved the ports of connectors") as u16]]))
        }
        OperandKind::Group(parts) => group(ty, parts),
    }
}

fn group(ty: &ConnectorType, parts: &[Operand]) -> Checked<BTreeSet<Ports>> {
    let triggered = parts.iter().any(|p| p.trigger);
    // Those so far, and whether a trigger is among their parts.
    let mut partial: BTreeSet<(Ports, bool)> = BTreeSet::from([(Vec::new(), !triggered)]);
    for part in parts {
        let own = operand(ty, part)?;
        let mut next: BTreeSet<(Ports, bool)> = if triggered { partial.clone() } else { BTreeSet::new() };
        for (ports, fired) in &partial {
            for more in &own {
                let mut joined = [&ports[..], more].concat();
                joined.sort_unstable();
                joined.dedup();
                next.insert((joined, *fired || part.trigger));
            }
            if next.len() > 4 * limits::INTERACTIONS {
                return Err(too_many(ty));
            }
        }
        partial = next;
    }
    let complete: BTreeSet<Ports> = partial.into_iter().filter_map(|(ports, fired)| fired.then_some(ports)).collect();
    if complete.len() > limits::INTERACTIONS { Err(too_many(ty)) } else { Ok(complete) }
}

fn too_many(ty: &ConnectorType) -> Diagnostic {
    let message = format!("`{}` has more than {} interactions", ty.name.text, limits::INTERACTIONS);
    let span = ty.define.first().map_or(ty.name.span, |d| d.span);
    Diagnostic::error(span, message).label("too many combinations").help("use several smaller connectors")
}

/// Whether the first is a part of the second.
pub(super) fn within(small: &[u16], large: &[u16]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|port| rest.any(|other| other == port))
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn inclusion_of_ports() {
        assert!(within(&[], &[1]) && within(&[1, 3], &[0, 1, 2, 3]) && within(&[2], &[2]));
        assert!(!within(&[1, 4], &[0, 1, 2, 3]) && !within(&[0], &[]));
    }
}
