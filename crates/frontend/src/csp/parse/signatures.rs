//! Type annotations belong to something that is declared beside them, and to each name but one.

use std::collections::{HashMap, HashSet};

use crate::Diagnostic;
use crate::csp::ast::{Datatype, Decl, DeclKind, Name, Pattern, PatternKind};

/// What is wrong with the annotations of one list of declarations.
pub(super) fn check(decls: &[Decl]) -> Vec<Diagnostic> {
    let mut annotated: HashMap<&str, &Name> = HashMap::new();
    let mut mistakes = Vec::new();
    for name in decls.iter().flat_map(signature) {
        if annotated.insert(&name.text, name).is_some() {
            let message = format!("the type of `{}` is given twice", name.text);
            mistakes.push(Diagnostic::error(name.span, message).label("again"));
        }
    }
    if annotated.is_empty() {
        return mistakes;
    }
    let mut declared = HashSet::new();
    for decl in decls {
        names(decl, &mut declared);
    }
    let mut missing: Vec<&Name> = annotated.into_values().filter(|name| !declared.contains(&*name.text)).collect();
    missing.sort_by_key(|name| name.span);
    mistakes.extend(missing.into_iter().map(|name| {
        let message = format!("`{}` has a type, but nothing declares it here", name.text);
        Diagnostic::error(name.span, message).label("not declared")
    }));
    mistakes
}

fn signature(decl: &Decl) -> &[Name] {
    if let DeclKind::Signature(names) = &decl.kind { names } else { &[] }
}

fn names<'d>(decl: &'d Decl, out: &mut HashSet<&'d str>) {
    match &decl.kind {
        DeclKind::Function(function) => out.extend([&*function.name.text]),
        DeclKind::Bind { pattern, .. } => variables(pattern, out),
        DeclKind::Channel { names, .. } | DeclKind::Transparent(names) | DeclKind::External(names) => {
            out.extend(names.iter().map(|name| &*name.text));
        }
        DeclKind::Datatype(Datatype { name, constructors }) | DeclKind::Subtype(Datatype { name, constructors }) => {
            out.insert(&name.text);
            out.extend(constructors.iter().map(|constructor| &*constructor.name.text));
        }
        DeclKind::Nametype { name, .. } => out.extend([&*name.text]),
        DeclKind::Timed { decls, .. } => decls.iter().for_each(|decl| names(decl, out)),
        DeclKind::Assert(_) | DeclKind::Print(_) | DeclKind::Signature(_) => {}
        DeclKind::Module(_) | DeclKind::Instance { .. } => {}
    }
}

fn variables<'d>(pattern: &'d Pattern, out: &mut HashSet<&'d str>) {
    match &pattern.kind {
        PatternKind::Name(text) => out.extend([&**text]),
        PatternKind::Tuple(parts) | PatternKind::Sequence(parts) | PatternKind::Set(parts) => {
            parts.iter().for_each(|part| variables(part, out));
        }
        PatternKind::Dot(parts) | PatternKind::Concat(parts) => parts.iter().for_each(|part| variables(part, out)),
        PatternKind::Both(both) => {
            variables(&both.0, out);
            variables(&both.1, out);
        }
        _ => {}
    }
}
