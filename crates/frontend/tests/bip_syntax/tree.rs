//! What the tree of the sample says.

use frontend::bip::ast::{
    DataTypeKind, InteractionPattern, Model, OperandKind, PortPattern, StatementKind, Target, Trigger, Urgency,
};
use frontend::bip::{ComponentType, parse};

use crate::support::{SAMPLE, shown, valid};

#[test]
fn packages_list_their_declarations() {
    let model = valid(SAMPLE);
    let package = model.package(Model::MAIN);
    assert_eq!(package.name.text(), "some.sample");
    assert_eq!((package.constants.len(), package.extern_types.len(), package.port_types.len()), (3, 2, 2));
    assert_eq!((package.functions.len(), package.operators.len()), (3, 2));
    assert_eq!((package.atoms.len(), package.connectors.len(), package.compounds.len()), (1, 2, 2));
    assert_eq!(shown(&package.constants[1].value), "((2 * N) - 1)");
    assert_eq!(package.extern_types[1].refines[0].text(), "List");
    let parameters = &package.functions[0].parameters;
    assert_eq!(parameters.iter().map(|p| p.constant).collect::<Vec<_>>(), [false, true]);
    assert_eq!(parameters[0].data_type.kind, DataTypeKind::String);
}

#[test]
fn atoms_keep_their_parts_apart() {
    let model = valid(SAMPLE);
    let atom = &model.package(Model::MAIN).atoms[0];
    assert_eq!((atom.data.len(), atom.clocks.len(), atom.ports.len(), atom.places.len()), (6, 2, 6, 4));
    let exports: Vec<(&str, usize)> = atom.exports.iter().map(|e| (&*e.name.text, e.ports.len())).collect();
    assert_eq!(exports, [("pq", 2), ("start", 1), ("stop", 1)]);
    assert!(atom.data.iter().filter(|d| d.export).map(|d| &*d.name.text).eq(["busy"]));
    let alarm = atom.ports.last().and_then(|port| port.external.as_ref()).expect("an external port");
    assert_eq!(alarm.policy.as_ref().map(|p| &*p.text), Some("remember"));
    assert!(atom.initial.resume.as_ref().is_some_and(|resume| resume.condition.is_some()));
    assert!(matches!(&atom.initial.actions[2].kind, StatementKind::Assign(Target::Speed(t), _) if &*t.text == "t"));
    let places: Vec<usize> = atom.invariants.iter().map(|i| i.places.len()).collect();
    assert_eq!(places, [0, 2, 1]);
    assert!(matches!(atom.priorities[1].low, PortPattern::Any(_)));
    assert!(atom.priorities[0].guard.is_some() && atom.priorities[2].guard.is_some());
}

#[test]
fn transitions_have_guards_urgencies_and_actions() {
    let model = valid(SAMPLE);
    let transitions = &model.package(Model::MAIN).atoms[0].transitions;
    let urgencies: Vec<Option<Urgency>> = transitions.iter().map(|t| t.urgency.map(|(u, _)| u)).collect();
    let expected = [Some(Urgency::Eager), Some(Urgency::Lazy), Some(Urgency::Delayable)];
    assert_eq!(urgencies[..3], expected);
    assert!(urgencies[3..].iter().all(Option::is_none));
    assert_eq!(transitions[0].guard.as_ref().map(shown).as_deref(), Some("((count < limit) && !busy)"));
    assert!(transitions[0].resume.as_ref().is_some_and(|resume| resume.condition.is_none()));
    assert!(matches!(transitions[2].trigger, Trigger::Internal));
    let StatementKind::If { yes, no, .. } = &transitions[0].actions[1].kind else { panic!("an `if`") };
    assert_eq!((yes.len(), no.len()), (2, 1));
    assert!(matches!(&no[0].kind, StatementKind::If { no, .. } if no.is_empty()));
    assert_eq!(&model.sources.text()[transitions[3].span.range()], "on stop from IDLE to DONE");
}

#[test]
fn connectors_group_and_trigger() {
    let model = valid(SAMPLE);
    let connector = &model.package(Model::MAIN).connectors[0];
    let [group, single] = &connector.define[..] else { panic!("two operands") };
    assert!(group.trigger && matches!(&group.kind, OperandKind::Group(inner) if inner.len() == 2));
    assert!(!single.trigger && matches!(&single.kind, OperandKind::Port(p) if &*p.text == "c"));
    let counts: Vec<_> = connector.interactions.iter().map(|i| (i.ports.len(), i.up.len(), i.down.len())).collect();
    assert_eq!(counts, [(3, 2, 3), (2, 1, 0), (3, 0, 1)]);
    assert_eq!(connector.export.as_ref().map(|port| port.data.len()), Some(2));
}

#[test]
fn compounds_have_parts_exports_and_priorities() {
    let model = valid(SAMPLE);
    let team = &model.package(Model::MAIN).compounds[0];
    assert_eq!((team.components.len(), team.connectors.len(), team.priorities.len()), (3, 3, 3));
    let exports: Vec<usize> = team.port_exports.iter().map(|e| e.members.len()).collect();
    assert_eq!((exports, team.data_exports.len()), (vec![1, 3], 1));
    assert!(matches!(&team.priorities[0].low, InteractionPattern::One { ports, .. } if ports.len() == 1));
    assert!(matches!(&team.priorities[1].low, InteractionPattern::All(name) if &*name.text == "sa"));
    assert!(matches!(&team.priorities[1].high, InteractionPattern::Any(_)));
}

#[test]
fn types_are_found_where_they_are_declared() {
    let main = "package main use lib.ports port type P()
        compound type Top() component lib.ports.A a() component main.C c() end
        compound type C() component lib.ports.A a() connector lib.ports.One one(a.p) end end";
    let lib = "package lib.ports port type P() connector type One(P p) define p end
        atom type A() export port P p() place S initial to S on p from S to S end end";
    let reader = |file: &str| if file == "lib/ports.bip" { Ok(lib.to_owned()) } else { Err("it is missing".into()) };
    let model = parse(main, &reader).expect("valid packages");
    let top = &model.package(Model::MAIN).compounds[0];
    let found: Vec<(u32, bool)> = top
        .components
        .iter()
        .filter_map(|c| model.component_type(Model::MAIN, &c.component_type))
        .map(|(home, found)| (home.0, matches!(found, ComponentType::Atom(_))))
        .collect();
    assert_eq!(found, [(1, true), (0, false)]);
}
