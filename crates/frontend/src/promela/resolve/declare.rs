//! Declarations of variables: sizes, columns, first values.

use super::fold::fold;
use super::mtypes::Receiver;
use super::reports::{Checked, Reports, all};
use super::scope::{Declared, Place, ScopeId};
use super::tables::{Locals, Tables};
use super::types::{Leaf, Shape, Types};
use super::view::{Role, View, is_special};
use crate::Diagnostic;
use crate::native::nearest::suggestion;
use crate::promela::ast::{self, Init, Name, Type, VarDecl, Visibility};
use crate::promela::ir::{Column, Expr, Initial, Scalar, Slot, Variable};

/// The most elements of an array, and numbers of a variable.
const MOST_CELLS: u64 = 1 << 20;
/// The most messages in a channel, as in SPIN: it counts them with sixteen bits.
const MOST_MESSAGES: u32 = u16::MAX as u32;

/// Which first value a variable gets when its process is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// The declared one.
    AtOnce,
    /// Zero: the declaration stands behind statements, where the declared value is assigned.
    Late,
    /// What the creator passes.
    Parameter,
}

/// Declares variables into the locals of a body, or into the global ones.
pub(super) struct Declarer<'d> {
    pub(super) tables: &'d Tables,
    /// Nothing: global.
    pub(super) locals: Option<&'d Locals>,
    pub(super) reports: &'d mut Reports,
    pub(super) place: Place,
}

/// A variable with its columns, not yet entered.
pub(super) struct New {
    pub(super) shape: Shape,
    pub(super) size: Option<u32>,
    pub(super) columns: Vec<Variable>,
}

impl Declarer<'_> {
    fn view(&mut self) -> View<'_> {
        let role = if self.locals.is_some() { Role::Process } else { Role::Nobody };
        View { tables: self.tables, locals: self.locals, role, place: self.place, others: None, reports: self.reports }
    }

    /// The shape, size and columns of a declaration.
    pub(super) fn declare(&mut self, decl: &VarDecl, when: When) -> Checked<New> {
        self.check_name(&decl.name)?;
        let shape = self.shape(decl);
        let given = decl.size.as_ref().map(|s| self.size(s)).transpose();
        let shape = shape?;
        // Where the size is wrong the array is there all the same: its uses are no mistakes.
        let size = given.unwrap_or(Some(match &decl.init {
            Some(Init::List(values)) => values.len().max(1) as u32,
            _ => 1,
        }));
        if let (When::Parameter, Some(size)) = (when, &decl.size) {
            let what = format!("the parameter `{}` is an array", decl.name.text);
            return Err(self.reports.push(Diagnostic::error(size.span, what).label("parameters are single values")));
        }
        let leaves = match shape {
            Shape::Struct(id) => self.tables.types.structure(id).leaves.clone(),
            Shape::Scalar(scalar) => {
                // Where the value is wrong the variable is there all the same: its uses are no mistakes.
                let initial = self.initial(decl, scalar, size, when).unwrap_or(Initial::Each(Expr::Const(0)));
                let scalar = if size.is_some() { scalar.in_byte() } else { scalar };
                vec![Leaf { path: String::new(), scalar, sizes: Vec::new(), initial }]
            }
        };
        self.ignore_structure_value(decl, shape);
        let size = if given.is_ok() { self.fitting(decl, &leaves, size) } else { size };
        let columns = leaves.into_iter().map(|leaf| column(decl, leaf, size)).collect::<Vec<_>>();
        Ok(New { shape, size, columns })
    }

    fn check_name(&mut self, name: &Name) -> Checked<()> {
        if is_special(&name.text) {
            let what = format!("`{}` has a meaning of its own", name.text);
            return Err(self.reports.push(Diagnostic::error(name.span, what).label("choose another name")));
        }
        if self.tables.types.constants.contains_key(&name.text) {
            let what = format!("`{}` is a constant of an `mtype` already", name.text);
            return Err(self.reports.push(Diagnostic::error(name.span, what).label("choose another name")));
        }
        Ok(())
    }

    /// The size, or the smallest one if there would be too many numbers.
    fn fitting(&mut self, decl: &VarDecl, leaves: &[Leaf], size: Option<u32>) -> Option<u32> {
        let cells = |sizes: &[u32]| sizes.iter().fold(1_u64, |n, s| n.saturating_mul(u64::from(*s)));
        let one = leaves.iter().map(|leaf| cells(&leaf.sizes)).sum::<u64>();
        if one.saturating_mul(size.map_or(1, u64::from)) <= MOST_CELLS {
            return size;
        }
        let what = format!("`{}` has more than {MOST_CELLS} numbers", decl.name.text);
        self.reports.push(Diagnostic::error(decl.name.span, what));
        size.map(|_| 1)
    }

    fn ignore_structure_value(&mut self, decl: &VarDecl, shape: Shape) {
        if let (Shape::Struct(_), Some(_)) = (shape, &decl.init) {
            let what = format!("`{}` is a structure: what it is given as a whole is ignored", decl.name.text);
            let help = "give its fields their values in the typedef, or by assignments";
            self.reports.push(Diagnostic::warning(decl.name.span, what).help(help));
        }
    }

    /// What a type is.
    pub(super) fn shape(&mut self, decl: &VarDecl) -> Checked<Shape> {
        if let (Some(width), false) = (&decl.width, decl.ty == Type::Unsigned) {
            let what = "only `unsigned` variables have a width";
            return Err(self.reports.push(Diagnostic::error(width.span, what)));
        }
        if decl.ty != Type::Unsigned {
            return self.named_shape(&decl.ty);
        }
        let Some(width) = &decl.width else {
            let what = format!("`{}` is unsigned but has no width", decl.name.text);
            let help = format!("write `unsigned {} : 8` for eight bits", decl.name.text);
            return Err(self.reports.push(Diagnostic::error(decl.name.span, what).help(help)));
        };
        match self.constant(width)? {
            bits @ 1..=32 => Ok(Shape::Scalar(Scalar::Unsigned(bits as u8))),
            bits => {
                let what = format!("an unsigned number cannot have {bits} bits");
                Err(self.reports.push(Diagnostic::error(width.span, what).label("1 to 32")))
            }
        }
    }

    fn named_shape(&mut self, ty: &Type) -> Checked<Shape> {
        Ok(Shape::Scalar(match ty {
            Type::Bit => Scalar::Bit,
            Type::Bool => Scalar::Bool,
            Type::Byte => Scalar::Byte,
            Type::Pid => Scalar::Pid,
            Type::Short => Scalar::Short,
            Type::Int => Scalar::Int,
            // The fields of a message have no widths.
            Type::Unsigned => Scalar::Unsigned(32),
            Type::Chan => Scalar::Chan,
            Type::Mtype(subtype) => match self.tables.types.find_mtype(subtype.as_ref().map(|n| &n.text)) {
                Some(number) => Scalar::Mtype(number),
                None => {
                    let name = subtype.as_ref().expect("the plain `mtype` is always there");
                    let known = self.tables.types.mtypes.iter().filter_map(|m| m.name.as_deref());
                    let (what, help) = (format!("unknown mtype `{}`", name.text), suggestion(&name.text, known));
                    return Err(self.reports.push(Diagnostic::error(name.span, what).maybe_help(help)));
                }
            },
            Type::Named(name) => {
                return self.tables.types.named(&name.text).map(Shape::Struct).ok_or_else(|| {
                    let later = self.tables.types.announced.contains(&name.text);
                    let below = || format!("`{}` is declared further below: put its `typedef` in front", name.text);
                    let help = later.then(below).or_else(|| suggestion(&name.text, self.tables.types.names()));
                    let what = format!("unknown type `{}`", name.text);
                    self.reports.push(Diagnostic::error(name.span, what).maybe_help(help))
                });
            }
        }))
    }

    /// The value of an expression that must be constant.
    pub(super) fn constant(&mut self, expr: &ast::Expr) -> Checked<i64> {
        let resolved = self.view().number(expr)?;
        fold(&resolved).ok_or_else(|| {
            let what = "this must be a constant";
            self.reports.push(Diagnostic::error(expr.span, what).label("its value is not known before a run"))
        })
    }

    /// The value of an expression that must be constant, or the first value of the variable that it is, as SPIN has it.
    pub(super) fn count(&mut self, expr: &ast::Expr) -> Checked<i64> {
        let resolved = self.view().number(expr)?;
        let Some(first) = self.first_of(&resolved) else { return self.constant(expr) };
        let what = format!("a size does not change in a run: it is {first}, the first value of this variable");
        let help = format!("write `#define` for constants, as in `#define N {first}`");
        self.reports.push(Diagnostic::warning(expr.span, what).help(help));
        Ok(first)
    }

    /// The first value of a variable, if an expression is one and the value is constant.
    fn first_of(&self, expr: &Expr) -> Option<i64> {
        let Expr::Read(Slot { column, indices }) = expr else { return None };
        let variable = match column {
            Column::Global(at) => &self.tables.globals.variables[*at as usize],
            Column::Local(at) => &self.locals?.variables[*at as usize],
        };
        match &variable.initial {
            Initial::Each(first) if indices.is_empty() => fold(first).filter(|n| *n > 0),
            _ => None,
        }
    }

    fn size(&mut self, expr: &ast::Expr) -> Checked<u32> {
        match self.count(expr)? {
            size if (1..=MOST_CELLS as i64).contains(&size) => Ok(size as u32),
            size => {
                let what = format!("an array cannot have {size} elements");
                Err(self.reports.push(Diagnostic::error(expr.span, what).label(format!("1 to {MOST_CELLS}"))))
            }
        }
    }

    fn initial(&mut self, decl: &VarDecl, scalar: Scalar, size: Option<u32>, when: When) -> Checked<Initial> {
        match &decl.init {
            None => Ok(Initial::Each(Expr::Const(0))),
            Some(Init::Value(expr) | Init::Channel(expr, _)) if when == When::Parameter => {
                let what = "a parameter gets its value from `run`";
                Err(self.reports.push(Diagnostic::error(expr.span, what)))
            }
            Some(Init::Value(_)) if when == When::Late => Ok(Initial::Each(Expr::Const(0))),
            Some(Init::Value(expr)) => self.first_value(&decl.name, expr, scalar).map(Initial::Each),
            Some(Init::List(values)) => self.list(decl, values, size, when),
            Some(Init::Channel(capacity, types)) => self.channels(decl, capacity, types, when),
        }
    }

    fn first_value(&mut self, name: &Name, expr: &ast::Expr, scalar: Scalar) -> Checked<Expr> {
        let value = self.view().value(expr)?;
        if value.is_channel != (scalar == Scalar::Chan) && !matches!(value.expr, Expr::Const(0)) {
            let what = if value.is_channel { "a channel cannot be kept in a number" } else { "this is not a channel" };
            return Err(self.reports.push(Diagnostic::error(expr.span, what)));
        }
        let receiver = Receiver { name: &name.text, scalar };
        match receiver.refuse_constant(&value, expr.span, &self.tables.types) {
            Some(wrong) => Err(self.reports.push(wrong)),
            None => Ok(value.expr),
        }
    }

    /// A list; its last value is repeated to the end of the array.
    fn list(&mut self, decl: &VarDecl, values: &[ast::Expr], size: Option<u32>, when: When) -> Checked<Initial> {
        let name = &decl.name;
        let Some(size) = size.filter(|_| when == When::AtOnce) else {
            let what = format!("`{}` cannot be given a list of values here", name.text);
            let help = "lists are for arrays declared before the first statement";
            return Err(self.reports.push(Diagnostic::error(name.span, what).help(help)));
        };
        if values.len() > size as usize {
            let what = format!("{} values for the {size} elements of `{}`", values.len(), name.text);
            return Err(self.reports.push(Diagnostic::error(values[size as usize].span, what).label("one too many")));
        }
        let mut list = all(values.iter().map(|v| self.view().value(v).map(|v| v.expr)))?;
        let last = list.last().cloned().unwrap_or(Expr::Const(0));
        list.resize(size as usize, last);
        Ok(Initial::List(list))
    }

    fn channels(&mut self, decl: &VarDecl, capacity: &ast::Expr, types: &[Type], when: When) -> Checked<Initial> {
        let name = &decl.name;
        if decl.ty != Type::Chan {
            let what = format!("`{}` is given a channel but is not declared as `chan`", name.text);
            return Err(self.reports.push(Diagnostic::error(name.span, what)));
        }
        if when == When::Late {
            let what = format!("the channel `{}` must be declared before the first statement", name.text);
            return Err(self.reports.push(Diagnostic::error(name.span, what)));
        }
        let shapes = all(types.iter().map(|t| self.named_shape(t)));
        let most = self.constant(capacity)?;
        let mut fields: Vec<Scalar> =
            shapes?.into_iter().flat_map(|s| self.tables.types.cells(s)).map(|c| c.scalar).collect();
        if let [only] = &mut fields[..] {
            *only = only.in_byte();
        }
        match u32::try_from(most).ok().filter(|c| *c <= MOST_MESSAGES) {
            Some(capacity) => Ok(Initial::Channels { capacity, fields }),
            None => {
                let what = format!("a channel cannot hold {most} messages");
                Err(self.reports.push(Diagnostic::error(capacity.span, what).label(format!("0 to {MOST_MESSAGES}"))))
            }
        }
    }
}

/// The column of one leaf of a variable.
fn column(decl: &VarDecl, leaf: Leaf, size: Option<u32>) -> Variable {
    let name =
        if leaf.path.is_empty() { decl.name.text.to_string() } else { format!("{}.{}", decl.name.text, leaf.path) };
    Variable {
        name: name.into(),
        scalar: leaf.scalar,
        sizes: size.into_iter().chain(leaf.sizes.iter().copied()).collect(),
        initial: repeated(leaf.initial, &leaf.sizes, size),
        hidden: decl.visibility == Visibility::Hidden,
        span: decl.name.span,
    }
}

/// The first value of a field in an array of structures: a list is written once for each element.
pub(super) fn repeated(initial: Initial, inner: &[u32], size: Option<u32>) -> Initial {
    match (initial, size) {
        (Initial::List(list), Some(size)) if !inner.is_empty() => {
            let times = list.len() * size as usize;
            Initial::List(list.into_iter().cycle().take(times).collect())
        }
        (initial, _) => initial,
    }
}

/// Enters a variable: its name, and its columns.
pub(super) fn enter(locals: &mut Locals, scope: ScopeId, decl: &VarDecl, new: New, reports: &mut Reports) {
    let column = locals.variables.len() as u32;
    let declared = Declared { column, shape: new.shape, size: new.size, span: decl.name.span };
    if locals.scopes.declare(scope, &decl.name.text, declared).is_err() {
        let what = format!("`{}` is declared twice", decl.name.text);
        reports.push(Diagnostic::error(decl.name.span, what).label("declared before in the same block"));
        return;
    }
    let taken = |name: &str, variables: &[Variable]| variables.iter().any(|v| &*v.name == name);
    for mut variable in new.columns {
        let plain = variable.name.clone();
        let mut mark = 1;
        while taken(&variable.name, &locals.variables) {
            mark += 1;
            variable.name = format!("{plain}'{mark}").into();
        }
        locals.variables.push(variable);
    }
}

/// The leaves of a field, as leaves of the structure around it.
pub(super) fn leaves_of_field(types: &Types, decl: &VarDecl, new: &New) -> Vec<Leaf> {
    let inner: Vec<Leaf> = match new.shape {
        Shape::Struct(id) => types.structure(id).leaves.clone(),
        Shape::Scalar(scalar) => {
            let initial = new.columns[0].initial.clone();
            let scalar = if new.size.is_some() { scalar.in_byte() } else { scalar };
            vec![Leaf { path: String::new(), scalar, sizes: Vec::new(), initial }]
        }
    };
    let field = &decl.name.text;
    let outer = |leaf: Leaf| Leaf {
        path: if leaf.path.is_empty() { field.to_string() } else { format!("{field}.{}", leaf.path) },
        sizes: new.size.into_iter().chain(leaf.sizes.iter().copied()).collect(),
        initial: repeated(leaf.initial, &leaf.sizes, new.size),
        scalar: leaf.scalar,
    };
    inner.into_iter().map(outer).collect()
}
