//! Names as they are seen from one place of the program: variables with their fields and indices, channels, constants.

use super::fold::fold;
use super::reports::{Checked, Reports};
use super::scope::{Place, Symbol};
use super::tables::{Locals, Others, Tables};
use super::types::{Cell, Shape, StructId};
use crate::Diagnostic;
use crate::native::nearest::suggestion;
use crate::promela::ast::{Name, VarRef};
use crate::promela::ir::{Column, Expr, Initial, Scalar, Slot};

/// A place of the program, with what is known there.
#[derive(Debug)]
pub(super) struct View<'t> {
    pub(super) tables: &'t Tables,
    /// The variables of the body around it.
    pub(super) locals: Option<&'t Locals>,
    /// Whose body that is.
    pub(super) role: Role,
    /// Where in that body it is.
    pub(super) place: Place,
    /// The other processes, where one may look at them.
    pub(super) others: Option<&'t Others>,
    pub(super) reports: &'t mut Reports,
}

/// Whose body a place is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Nobody's: a declaration outside of proctypes, or a formula.
    Nobody,
    /// A proctype's.
    Process,
    /// A `never` claim's.
    Claim,
    /// A `trace`'s.
    Trace,
}

/// What a name with its indices and fields means.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// A number.
    Cell(Slot, Scalar),
    /// A whole structure.
    Whole(Whole),
}

/// A whole structure.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    /// Its first column.
    pub(super) column: Column,
    pub(super) structure: StructId,
    /// The indices that lead to it.
    pub(super) indices: Vec<Expr>,
}

impl Whole {
    /// One number of it.
    pub(super) fn cell(&self, cell: &Cell) -> Slot {
        let inner = cell.indices.iter().map(|i| Expr::Const(i64::from(*i)));
        Slot { column: shifted(self.column, cell.leaf), indices: self.indices.iter().cloned().chain(inner).collect() }
    }
}

/// A column some places behind another one.
fn shifted(column: Column, by: u32) -> Column {
    match column {
        Column::Global(at) => Column::Global(at + by),
        Column::Local(at) => Column::Local(at + by),
    }
}

/// How far a name with indices and fields was followed.
struct Walk {
    column: Column,
    shape: Shape,
    size: Option<u32>,
    indices: Vec<Expr>,
}

impl View<'_> {
    /// The variable that a name means here.
    pub(super) fn symbol(&self, name: &str) -> Option<(Column, &Symbol)> {
        let local = self.locals.and_then(|l| l.scopes.find(self.place, name));
        if let Some(symbol) = local {
            return Some((Column::Local(symbol.column), symbol));
        }
        let globals = &self.tables.globals.scopes;
        // The initial value of a global variable sees only what is declared before it.
        let place = if self.locals.is_some() { globals.place(Default::default()) } else { self.place };
        globals.find(place, name).map(|s| (Column::Global(s.column), s))
    }

    /// What a name with its indices and fields means.
    pub(super) fn variable(&mut self, reference: &VarRef) -> Checked<Found> {
        let Some((column, symbol)) = self.symbol(&reference.name.text) else {
            return Err(self.unknown(&reference.name));
        };
        let walk = Walk { column, shape: symbol.shape, size: symbol.size, indices: Vec::new() };
        self.follow(reference, walk)
    }

    /// Follows a reference from a variable of this or of another process.
    pub(super) fn variable_at(&mut self, reference: &VarRef, column: Column, symbol: &Symbol) -> Checked<Found> {
        self.follow(reference, Walk { column, shape: symbol.shape, size: symbol.size, indices: Vec::new() })
    }

    fn follow(&mut self, reference: &VarRef, mut walk: Walk) -> Checked<Found> {
        let name = &reference.name;
        match (walk.size, &reference.index) {
            (None, None) => {}
            (Some(size), Some(index)) => {
                let expr = self.number(index)?;
                if let Some(at) = fold(&expr).filter(|at| !(0..i64::from(size)).contains(at)) {
                    let what = format!("`{}` has no element {at}", name.text);
                    let label = format!("its elements are 0 to {}", size - 1);
                    self.reports.push(Diagnostic::warning(index.span, what).label(label));
                }
                walk.indices.push(expr);
            }
            (Some(size), None) => {
                let what = format!("`{}` is an array without an index: its first element is taken", name.text);
                let help = format!("write `{}[i]` with i from 0 to {}", name.text, size - 1);
                self.reports.push(Diagnostic::warning(name.span, what).help(help));
                walk.indices.push(Expr::Const(0));
            }
            (None, Some(index)) => {
                let what = format!("`{}` is not an array", name.text);
                return Err(self.reports.push(Diagnostic::error(index.span, what).label("no index expected")));
            }
        }
        self.take_field(reference, walk)
    }

    fn take_field(&mut self, reference: &VarRef, walk: Walk) -> Checked<Found> {
        let Walk { column, shape, indices, .. } = walk;
        match (shape, &reference.field) {
            (Shape::Scalar(scalar), None) => Ok(Found::Cell(Slot { column, indices }, scalar)),
            (Shape::Struct(structure), None) => Ok(Found::Whole(Whole { column, structure, indices })),
            (Shape::Scalar(_), Some(field)) => {
                let what = format!("`{}` has no fields: it is not a structure", reference.name.text);
                Err(self.reports.push(Diagnostic::error(field.name.span, what)))
            }
            (Shape::Struct(id), Some(field)) => {
                let structure = self.tables.types.structure(id);
                let Some(found) = structure.fields.iter().find(|f| f.name == field.name.text) else {
                    let what = format!("`{}` has no field `{}`", structure.name, field.name.text);
                    let help = suggestion(&field.name.text, structure.fields.iter().map(|f| &*f.name));
                    return Err(self.reports.push(Diagnostic::error(field.name.span, what).maybe_help(help)));
                };
                let column = shifted(column, found.leaf);
                self.follow(field, Walk { column, shape: found.shape, size: found.size, indices })
            }
        }
    }

    /// A number; a whole structure is none.
    pub(super) fn cell(&mut self, reference: &VarRef) -> Checked<(Slot, Scalar)> {
        match self.variable(reference)? {
            Found::Cell(slot, scalar) => Ok((slot, scalar)),
            Found::Whole(whole) => Err(self.whole_misused(&reference.name, whole.structure)),
        }
    }

    /// What holds a channel.
    pub(super) fn channel(&mut self, reference: &VarRef) -> Checked<Slot> {
        let name = &reference.name;
        if is_special(&name.text) || self.tables.types.constants.contains_key(&name.text) {
            return Err(self.reports.push(Diagnostic::error(name.span, format!("`{}` is not a channel", name.text))));
        }
        match self.cell(reference)? {
            (slot, Scalar::Chan) => Ok(slot),
            (..) => {
                let what = format!("`{}` is not a channel", name.text);
                Err(self.reports.push(Diagnostic::error(name.span, what).label("declared as a number")))
            }
        }
    }

    /// The fields of the channel that a variable is declared with.
    pub(super) fn fields(&self, slot: &Slot) -> Option<&[Scalar]> {
        let variable = match slot.column {
            Column::Global(at) => &self.tables.globals.variables[at as usize],
            Column::Local(at) => &self.locals?.variables[at as usize],
        };
        match &variable.initial {
            Initial::Channels { fields, .. } => Some(fields),
            _ => None,
        }
    }

    pub(super) fn whole_misused(&mut self, name: &Name, structure: StructId) -> super::reports::Reported {
        let structure = self.tables.types.structure(structure);
        let what = format!("`{}` is a whole structure; here one of its fields is needed", name.text);
        let help = structure.fields.first().map(|f| format!("write `{}.{}`, for instance", name.text, f.name));
        self.reports.push(Diagnostic::error(name.span, what).maybe_help(help))
    }

    fn unknown(&mut self, name: &Name) -> super::reports::Reported {
        if &*name.text == "STDIN" {
            let what = "reading from the keyboard is not supported: `STDIN` is refused";
            return self.reports.push(Diagnostic::error(name.span, what).help("choose values with `select`"));
        }
        let mut known: Vec<&str> = self.locals.map_or(Vec::new(), |l| l.scopes.visible(self.place));
        known.extend(self.tables.globals.scopes.all_names());
        known.extend(self.tables.types.constants.keys().map(|n| &**n));
        known.sort_unstable();
        if self.tables.proctype(&name.text).is_some() {
            let what = format!("`{}` is a proctype, not a variable", name.text);
            let help = format!("`run {}(...)` starts a process", name.text);
            return self.reports.push(Diagnostic::error(name.span, what).label("not a variable").help(help));
        }
        let what = format!("unknown variable `{}`", name.text);
        let help = constant(&name.text).or_else(|| suggestion(&name.text, known)).unwrap_or_else(|| {
            format!("declare it before: `byte {0}`, `mtype = {{ {0} }}` or `#define {0} 1`", name.text)
        });
        self.reports.push(Diagnostic::error(name.span, what).label("not declared here").help(help))
    }
}

/// What is meant by a constant of other languages.
fn constant(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    matches!(&*lower, "true" | "false").then(|| format!("write `{lower}`, in small letters"))
}

/// Whether a name is one of those that every program has.
pub(super) fn is_special(name: &str) -> bool {
    matches!(name, "_" | "_pid" | "_nr_pr" | "_last" | "_priority")
}
