//! What is declared outside of proctypes.

use super::declare::{Declarer, When, enter, leaves_of_field};
use super::reports::Reports;
use super::scope::{Place, ScopeId};
use super::tables::{Signature, Tables};
use super::types::{Field, Struct};
use crate::Diagnostic;
use crate::name::Text;
use crate::promela::ast::{Mtype, Name, Proctype, Program, Type, Typedef, Unit, VarDecl};

/// The types, global variables and proctypes of a program.
pub(super) fn tables(program: &Program, reports: &mut Reports) -> Tables {
    let mut tables = Tables::default();
    tables.types.mtype(None);
    // An `mtype` may be the type of what stands before it; its constants may not.
    for unit in &program.units {
        match unit {
            Unit::Mtype(mtype) => _ = tables.types.mtype(mtype.subtype.as_ref().map(|n| &n.text)),
            Unit::Typedef(typedef) => _ = tables.types.announced.insert(typedef.name.text.clone()),
            _ => {}
        }
    }
    for unit in &program.units {
        match unit {
            Unit::Mtype(mtype) => add_mtype(&mut tables, mtype, reports),
            Unit::Typedef(typedef) => add_typedef(&mut tables, typedef, reports),
            Unit::Vars(declarations) => declarations.iter().for_each(|d| add_variable(&mut tables, d, reports)),
            _ => {}
        }
    }
    for unit in &program.units {
        if let Unit::Proctype(proctype) = unit {
            add_proctype(&mut tables, proctype, reports);
        }
    }
    tables
}

/// Later constants have greater numbers, those of one declaration smaller ones.
fn add_mtype(tables: &mut Tables, mtype: &Mtype, reports: &mut Reports) {
    let number = tables.types.mtype(mtype.subtype.as_ref().map(|n| &n.text));
    let mut new: Vec<Text> = Vec::new();
    for name in &mtype.constants {
        if tables.types.constants.contains_key(&name.text) || new.contains(&name.text) {
            twice(name, reports);
            continue;
        }
        new.push(name.text.clone());
    }
    new.reverse();
    for name in new {
        let constants = &mut tables.types.mtypes[number as usize].constants;
        constants.push(name.clone());
        let value = constants.len() as i64;
        tables.types.constants.insert(name, (number, value));
    }
}

fn add_typedef(tables: &mut Tables, typedef: &Typedef, reports: &mut Reports) {
    if tables.types.named(&typedef.name.text).is_some() {
        twice(&typedef.name, reports);
        return;
    }
    let mut structure = Struct { name: typedef.name.text.clone(), fields: Vec::new(), leaves: Vec::new() };
    for decl in &typedef.fields {
        if let Type::Named(name) = &decl.ty
            && name.text == typedef.name.text
        {
            let what = format!("`{}` contains itself, and would never end", name.text);
            let help = "keep all of them in an array, and in the field the number of another one";
            reports.push(Diagnostic::error(name.span, what).help(help));
            continue;
        }
        let place = Place::default();
        let new = Declarer { tables, locals: None, reports, place }.declare(decl, When::AtOnce);
        let Ok(new) = new else { continue };
        if structure.fields.iter().any(|f| f.name == decl.name.text) {
            twice(&decl.name, reports);
            continue;
        }
        let leaf = structure.leaves.len() as u32;
        structure.leaves.extend(leaves_of_field(&tables.types, decl, &new));
        structure.fields.push(Field { name: decl.name.text.clone(), shape: new.shape, size: new.size, leaf });
    }
    tables.types.add(structure);
}

fn add_variable(tables: &mut Tables, decl: &VarDecl, reports: &mut Reports) {
    let place = tables.globals.scopes.place(ScopeId::default());
    if let Ok(new) = (Declarer { tables, locals: None, reports, place }.declare(decl, When::AtOnce)) {
        enter(&mut tables.globals, ScopeId::default(), decl, new, reports);
    }
}

fn add_proctype(tables: &mut Tables, proctype: &Proctype, reports: &mut Reports) {
    let text = proctype.name.text.clone();
    if tables.proctype(&text).is_some() {
        twice(&proctype.name, reports);
    }
    let mut parameters = Vec::new();
    for decl in &proctype.parameters {
        // A mistake is reported when the body is read.
        let mut silent = Reports::default();
        let mut declarer = Declarer { tables, locals: None, reports: &mut silent, place: Place::default() };
        if let Ok(shape) = declarer.shape(decl) {
            parameters.push((decl.name.text.clone(), shape));
        }
    }
    tables.proctypes.push(Signature { name: text, parameters });
}

fn twice(name: &Name, reports: &mut Reports) {
    let what = format!("`{}` is declared twice", name.text);
    reports.push(Diagnostic::error(name.span, what).label("declared before"));
}
