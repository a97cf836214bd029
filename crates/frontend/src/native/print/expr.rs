//! Expressions with types: the model has integers only, the language tells truth values and enumerations apart.

use model::{Binary, Expr, Kind, Target, Unary};

use super::Printer;
pub(super) use crate::native::elaborate::Type;

/// How tightly the outermost operator of a text binds; the levels are those of the parser.
pub(super) mod level {
    pub(in super::super) const ANY: u8 = 0;
    pub(in super::super) const IMPLIES: u8 = 1;
    pub(in super::super) const OR: u8 = 2;
    pub(in super::super) const AND: u8 = 3;
    pub(in super::super) const TEMPORAL: u8 = 4;
    pub(in super::super) const COMPARISON: u8 = 5;
    pub(in super::super) const SUM: u8 = 6;
    pub(in super::super) const PRODUCT: u8 = 7;
    pub(in super::super) const PREFIX: u8 = 8;
    pub(in super::super) const ATOM: u8 = 9;
}

/// The text, in parentheses if what surrounds it binds tighter.
pub(super) fn within(outer: u8, (text, own): (String, u8)) -> String {
    if own < outer { format!("({text})") } else { text }
}

impl Printer<'_> {
    /// The condition as text, to stand where operators of the level `outer` are around it.
    pub(super) fn condition(&self, e: &Expr, outer: u8) -> String {
        self.expr(e, &Type::Bool, outer)
    }

    /// The expression as text of this type.
    pub(super) fn expr(&self, e: &Expr, wanted: &Type, outer: u8) -> String {
        if let Expr::Const(value) = e {
            let level = if *value < 0 { level::PREFIX } else { level::ATOM };
            return within(outer, (self.constant(*value, wanted), level));
        }
        let own = self.type_of(e).unwrap_or(Type::Int);
        if own == *wanted {
            return within(outer, self.plain(e, &own));
        }
        let text = within(level::SUM, self.plain(e, &own));
        format!("({})", self.converted(text, &own, wanted))
    }

    /// A constant of a type.
    pub(super) fn constant(&self, value: i64, ty: &Type) -> String {
        match ty {
            Type::Bool => (value != 0).to_string(),
            Type::Int if value == i64::MIN => format!("({} - 1)", value + 1),
            Type::Int => value.to_string(),
            Type::Named(e) => {
                let constants = self.names.constants(e);
                let index = usize::try_from(value).unwrap_or(0).min(constants.len() - 1);
                constants[index].clone()
            }
        }
    }

    /// A text of one type as one of another, by way of the numbers behind both.
    fn converted(&self, text: String, from: &Type, to: &Type) -> String {
        let number = match from {
            Type::Int => text,
            Type::Bool => format!("({text}) ? 1 : 0"),
            Type::Named(e) => {
                let constants = self.names.constants(e).iter().enumerate();
                let cases: String = constants.map(|(i, c)| format!("{text} == {c} ? {i} : ")).collect();
                cases + "0"
            }
        };
        match to {
            Type::Int => number,
            Type::Bool => format!("({number}) != 0"),
            Type::Named(e) => {
                let constants = self.names.constants(e);
                let cases = constants.iter().enumerate().map(|(i, c)| format!("({number}) == {i} ? {c} : "));
                cases.collect::<String>() + &constants[0]
            }
        }
    }

    fn type_of(&self, e: &Expr) -> Option<Type> {
        match e {
            Expr::Const(_) => None,
            Expr::Read(t) => match &self.system.object(t.first).kind {
                Kind::Variable(domain) => Some(Type::of(domain)),
                _ => Some(Type::Int),
            },
            Expr::Len(_) | Expr::Unary(Unary::Neg | Unary::BitNot | Unary::Wrap(_), _) => Some(Type::Int),
            Expr::Free(_)
            | Expr::Empty(_)
            | Expr::Full(_)
            | Expr::Offers(..)
            | Expr::At(..)
            | Expr::Unary(Unary::Not, _) => Some(Type::Bool),
            Expr::If(_, a, b) => self.type_of(a).or_else(|| self.type_of(b)),
            Expr::Binary(op, ..) => match op {
                Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => Some(Type::Bool),
                Binary::And | Binary::Or | Binary::Implies => Some(Type::Bool),
                _ => Some(Type::Int),
            },
        }
    }

    /// The expression as text of its own type, and its level.
    fn plain(&self, e: &Expr, own: &Type) -> (String, u8) {
        let atom = |text: String| (text, level::ATOM);
        match e {
            Expr::Const(value) => atom(self.constant(*value, own)),
            Expr::Read(t) => atom(self.target(t)),
            Expr::Free(t) if self.names.block(t.first).as_holder => {
                (format!("{} == 0", self.target(t)), level::COMPARISON)
            }
            Expr::Free(t) => atom(format!("free({})", self.target(t))),
            Expr::Len(t) => atom(format!("len({})", self.target(t))),
            Expr::Empty(t) => atom(format!("empty({})", self.target(t))),
            Expr::Full(t) => atom(format!("full({})", self.target(t))),
            Expr::At(p, l) => atom(format!("{} at {}", self.names.process(*p), self.names.state(*p, *l))),
            Expr::Unary(Unary::Not, a) => (format!("!{}", self.condition(a, level::PREFIX)), level::PREFIX),
            Expr::Unary(Unary::Neg, a) => (format!("-{}", self.expr(a, &Type::Int, level::PREFIX)), level::PREFIX),
            Expr::Unary(Unary::BitNot, a) => (format!("-1 - {}", self.expr(a, &Type::Int, level::PRODUCT)), level::SUM),
            Expr::Unary(Unary::Wrap(_), _) | Expr::Offers(..) => atom(self.system.show_expr(e)),
            Expr::If(c, a, b) => {
                let (a, b) = (self.expr(a, own, level::ANY), self.expr(b, own, level::ANY));
                (format!("{} ? {a} : {b}", self.condition(c, level::IMPLIES)), level::ANY)
            }
            Expr::Binary(op @ (Binary::Min | Binary::Max), a, b) => {
                let word = if *op == Binary::Min { "min" } else { "max" };
                let (a, b) = (self.expr(a, &Type::Int, level::ANY), self.expr(b, &Type::Int, level::ANY));
                atom(format!("{word}({a}, {b})"))
            }
            Expr::Binary(op @ (Binary::And | Binary::Or | Binary::Add), ..) => self.chain(*op, e),
            Expr::Binary(op, a, b) => {
                let ty = self.operands(*op, a, b);
                let (sign, own, left, right) = operator(*op);
                (format!("{} {sign} {}", self.expr(a, &ty, left), self.expr(b, &ty, right)), own)
            }
        }
    }

    /// The type in which the operands of an operator meet.
    fn operands(&self, op: Binary, a: &Expr, b: &Expr) -> Type {
        match op {
            Binary::Implies => Type::Bool,
            Binary::Eq | Binary::Ne => match (self.type_of(a), self.type_of(b)) {
                (Some(x), Some(y)) if x != y => Type::Int,
                (x, y) => self.fitting(x.or(y).unwrap_or(Type::Int), a, b),
            },
            _ => Type::Int,
        }
    }

    /// The type, if constants among the operands are values of it.
    fn fitting(&self, ty: Type, a: &Expr, b: &Expr) -> Type {
        let values = match &ty {
            Type::Int => return ty,
            Type::Bool => 2,
            Type::Named(e) => e.constants.len() as i64,
        };
        let fits = |e: &Expr| !matches!(e, Expr::Const(c) if !(0..values).contains(c));
        if fits(a) && fits(b) { ty } else { Type::Int }
    }

    /// Associative operators in one chain, however deep the tree is.
    fn chain(&self, op: Binary, e: &Expr) -> (String, u8) {
        let ty = if op == Binary::Add { Type::Int } else { Type::Bool };
        let (sign, own, _, inner) = operator(op);
        let mut operands = Vec::new();
        let mut open = vec![e];
        while let Some(e) = open.pop() {
            match e {
                Expr::Binary(o, a, b) if *o == op => open.extend([&**b, &**a]),
                e => operands.push(self.expr(e, &ty, inner)),
            }
        }
        (operands.join(&format!(" {sign} ")), own)
    }

    /// An object, or the cell of an array.
    pub(super) fn target(&self, target: &Target) -> String {
        let block = self.names.block(target.first);
        let offset = target.first.index() - block.first;
        match &target.index {
            None if block.is_array => format!("{}[{offset}]", block.name),
            None => block.name.clone(),
            Some(index) => {
                if offset == 0 && target.len as usize == block.len {
                    return format!("{}[{}]", block.name, self.expr(index, &Type::Int, level::ANY));
                }
                let index = self.expr(index, &Type::Int, level::PRODUCT);
                // The array that is printed is larger than the one that the index is meant for.
                let len = target.len;
                format!("{}[0 <= {index} && {index} < {len} ? {index} + {offset} : -1]", block.name)
            }
        }
    }
}

/// The sign of an operator, its level, and the levels that its operands need.
fn operator(op: Binary) -> (&'static str, u8, u8, u8) {
    let comparison = |sign| (sign, level::COMPARISON, level::SUM, level::SUM);
    let product = |sign| (sign, level::PRODUCT, level::PRODUCT, level::PREFIX);
    match op {
        Binary::Implies => ("=>", level::IMPLIES, level::OR, level::IMPLIES),
        Binary::Or => ("||", level::OR, level::OR, level::AND),
        Binary::And => ("&&", level::AND, level::AND, level::TEMPORAL),
        Binary::Eq => comparison("=="),
        Binary::Ne => comparison("!="),
        Binary::Lt => comparison("<"),
        Binary::Le => comparison("<="),
        Binary::Gt => comparison(">"),
        Binary::Ge => comparison(">="),
        Binary::Add => ("+", level::SUM, level::SUM, level::PRODUCT),
        Binary::Sub => ("-", level::SUM, level::SUM, level::PRODUCT),
        Binary::Mul => product("*"),
        Binary::Div => product("/"),
        Binary::Rem => product("%"),
        Binary::Min | Binary::Max => (",", level::ATOM, level::ANY, level::ANY),
        Binary::BitAnd => product("&"),
        Binary::BitOr => product("|"),
        Binary::BitXor => product("^"),
        Binary::ShiftLeft => product("<<"),
        Binary::ShiftRight => product(">>"),
    }
}
