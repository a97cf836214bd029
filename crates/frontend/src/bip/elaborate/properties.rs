//! What is asked of the system: deadlock freedom, the invariants of the atoms, and that priorities are never cyclic.

use model::{Expr, LocationId, NamedProperty, ProcessId, Property};

use super::Checked;
use super::behaviour::{Behaviour, token};
use super::control::places_of;
use super::data::AtomNames;
use super::finish::Made;
use super::frame::Frame;
use super::pass::{Cycle, Pass};
use super::sym::{Sym, all, any, negated};
use super::types::Type;
use crate::bip::Abstraction;
use crate::bip::ast::Invariant;

/// Deadlock freedom. Places have no declared ends: every standstill is a deadlock.
pub(super) fn deadlock_free() -> NamedProperty {
    let property = Property::DeadlockFree;
    NamedProperty { name: property.keyword().to_owned(), property, expect: None, span: None }
}

/// An invariant of an atom with its name, before its data is made of objects.
pub(super) struct Asked<'m> {
    name: String,
    invariant: &'m Invariant,
    atom: usize,
    locations: Option<Vec<usize>>,
    condition: Expr,
}

/// The invariants of all atoms that can be evaluated.
pub(super) fn invariants<'m>(pass: &Pass<'_, 'm>, behaviours: &[Behaviour]) -> Checked<Vec<Asked<'m>>> {
    let mut out = Vec::new();
    for (atom, (instance, behaviour)) in pass.design.atoms.iter().zip(behaviours).enumerate() {
        let names = AtomNames { design: pass.design, atom: instance };
        let frame = Frame { model: pass.design.model, notes: pass.notes, names: &names, data: pass.reads(atom) };
        for invariant in &instance.ty.invariants {
            let name = format!("{}.{}", instance.path, invariant.name.text);
            let Sym::Known(condition, _) = frame.eval_as(Type::Truth, &invariant.condition)? else {
                let message =
                    format!("the invariant `{}` is not checked: it depends on unknown values", invariant.name.text);
                pass.notes.borrow_mut().insert(Abstraction { span: invariant.span, message });
                continue;
            };
            let (places, control) = (&invariant.places, &behaviour.control);
            let somewhere = !places.is_empty() && !control.spread;
            let locations = somewhere.then(|| control.where_marked(instance.ty, places));
            let mut condition = (*condition).clone();
            if control.spread {
                let marked = places_of(instance.ty, places).into_iter().map(|p| token(instance.first_place, p).read());
                condition = any(vec![negated(all(marked.collect())), condition]);
            }
            out.push(Asked { name, invariant, atom, locations, condition });
        }
    }
    Ok(out)
}

impl Asked<'_> {
    /// The property of the system.
    pub(super) fn property(&self, made: &Made<'_>) -> NamedProperty {
        let condition = made.expr(&self.condition);
        let holds = match &self.locations {
            None => condition,
            Some(locations) => {
                let process = ProcessId::new(self.atom);
                let elsewhere = |at: &usize| negated(Expr::At(process, LocationId::new(*at)));
                any(vec![all(locations.iter().map(elsewhere).collect()), condition])
            }
        };
        let (property, span) = (Property::Invariant(holds), Some(self.invariant.span));
        NamedProperty { name: self.name.clone(), property, expect: None, span }
    }
}

/// That priorities with guards are not cyclic in any state.
pub(super) fn acyclic(cycle: &Cycle, number: usize, made: &Made<'_>) -> NamedProperty {
    let name = format!("priorities without cycle {} ({})", number + 1, cycle.what);
    let property = Property::Invariant(negated(made.expr(&cycle.when)));
    NamedProperty { name, property, expect: None, span: Some(cycle.span) }
}
