//! Expressions: names resolved, types checked, quantifiers expanded, constants folded.
//!
//! What a constant condition rules out is checked for names and types, but not for values: `i > 0 && x[i-1]` is fine
//! where `i` is 0. The counter `dead` says that such a part is being read.

use model::{Binary, Expr, Kind, LocationId, Span};

use super::Elaborator;
use super::fold::is_harmless;
use super::place::Meaning;
use super::scope::{Member, Scope};
use super::types::{Type, Typed};
use crate::Diagnostic;
use crate::native::ast::{self, ExprKind, Quantifier, Range, Test};
use crate::native::report::{Checked, Reported, all};

impl Elaborator<'_> {
    /// Any expression.
    pub(super) fn expr<'a>(&mut self, e: &ast::Expr<'a>, scope: &Scope<'a>) -> Checked<Typed> {
        self.work(1, e.span)?;
        let typed = match &e.kind {
            ExprKind::Number(n) => Typed::constant(*n, Type::Int, e.span),
            ExprKind::Bool(b) => Typed::truth(*b, e.span),
            ExprKind::Place(place) => self.value(place, scope)?,
            ExprKind::At(parts) => self.at(&parts.0, &parts.1, scope)?,
            ExprKind::Test(test, place) => self.test(*test, place, scope)?,
            ExprKind::Extreme(op, pair) => {
                let (a, b) = (self.int(&pair.0, scope), self.int(&pair.1, scope));
                self.apply(*op, a?, b?)?
            }
            ExprKind::Not(a) => {
                let a = self.bool(a, scope)?;
                self.not(a)?
            }
            ExprKind::Neg(a) => {
                let a = self.int(a, scope)?;
                self.negative(a)?
            }
            ExprKind::Chain(first, rest) => self.chain(first, rest, scope)?,
            ExprKind::Implies(pair) => self.implies(&pair.0, &pair.1, scope)?,
            ExprKind::Choice(parts) => self.choice(&parts.0, &parts.1, &parts.2, scope)?,
            ExprKind::Quantified(q, name, parts) => self.quantified(*q, name.text, parts, e.span, scope)?,
            ExprKind::Prefix(..) | ExprKind::Infix(..) | ExprKind::Occurrence(..) => {
                let what = Diagnostic::error(e.span, "a temporal operator gives no value to calculate with");
                let what = what.label("only formulas may contain it");
                return Err(self.error(what.help("join formulas by `&&`, `||`, `!` and `=>`")));
            }
        };
        Ok(Typed { span: e.span, ..typed })
    }

    /// A condition.
    pub(super) fn bool<'a>(&mut self, e: &ast::Expr<'a>, scope: &Scope<'a>) -> Checked<Typed> {
        let typed = self.expr(e, scope)?;
        let help = match typed.ty {
            Type::Int => "compare it: `x > 0`",
            _ => "compare it with one of its values",
        };
        self.of_type(typed, &Type::Bool, Some(help))
    }

    /// A number.
    pub(super) fn int<'a>(&mut self, e: &ast::Expr<'a>, scope: &Scope<'a>) -> Checked<Typed> {
        let typed = self.expr(e, scope)?;
        let help = (typed.ty == Type::Bool).then_some("write `c ? 1 : 0` to count a truth value");
        self.of_type(typed, &Type::Int, help)
    }

    /// The expression, if it is of this type.
    pub(super) fn of_type(&mut self, typed: Typed, ty: &Type, help: Option<&str>) -> Checked<Typed> {
        if typed.ty == *ty {
            return Ok(typed);
        }
        let message = format!("expected {}, found {}", ty.noun(), typed.ty.noun());
        let what = Diagnostic::error(typed.span, message).label(format!("this is {}", typed.ty.noun()));
        Err(self.error(what.maybe_help(help.map(str::to_owned))))
    }

    /// A number that is the same in every state; `what` says for what it is needed.
    pub(super) fn constant_int<'a>(&mut self, e: &ast::Expr<'a>, scope: &Scope<'a>, what: &str) -> Checked<i64> {
        let typed = self.int(e, scope)?;
        self.constant(typed, what)
    }

    pub(super) fn constant(&mut self, typed: Typed, what: &str) -> Checked<i64> {
        let not_constant = Diagnostic::error(typed.span, format!("{what} must be constant"));
        let help = "it may use numbers, parameters, constants and index variables";
        typed.value().ok_or_else(|| self.error(not_constant.label("this changes from state to state").help(help)))
    }

    pub(super) fn constant_range<'a>(&mut self, range: &Range<'a>, scope: &Scope<'a>) -> Checked<(i64, i64)> {
        let lo = self.constant_int(&range.lo, scope, "the bound of a range")?;
        Ok((lo, self.constant_int(&range.hi, scope, "the bound of a range")?))
    }

    /// Reads something that is never evaluated if `dead` holds.
    pub(super) fn unless<T>(&mut self, dead: bool, f: impl FnOnce(&mut Self) -> T) -> T {
        self.dead += u32::from(dead);
        let result = f(self);
        self.dead -= u32::from(dead);
        result
    }

    fn chain<'a>(
        &mut self,
        first: &ast::Expr<'a>,
        rest: &[(Binary, ast::Expr<'a>)],
        scope: &Scope<'a>,
    ) -> Checked<Typed> {
        let operands = || std::iter::once(first).chain(rest.iter().map(|(_, e)| e));
        let span = first.span.to(rest.last().map_or(first.span, |(_, e)| e.span));
        match rest[0].0 {
            op @ (Binary::And | Binary::Or) => {
                let mut decided = false;
                let mut typed = all(operands().map(|e| {
                    let operand = self.unless(decided, |s| s.bool(e, scope))?;
                    decided |= operand.value() == Some(i64::from(op == Binary::Or));
                    Ok(operand)
                }))?;
                // Whatever comes after the operand that decides is not evaluated, whatever its value.
                let end = typed.iter().position(|t| t.value() == Some(i64::from(op == Binary::Or)));
                typed.truncate(end.map_or(typed.len(), |i| i + 1));
                self.junction(op, typed, span)
            }
            Binary::Add | Binary::Sub if rest.len() > crate::native::limits::PLAIN_CHAIN => {
                let minus = std::iter::once(false).chain(rest.iter().map(|(op, _)| *op == Binary::Sub));
                let terms: Checked<Vec<_>> = minus.zip(operands()).map(|(m, e)| Ok((m, self.int(e, scope)?))).collect();
                self.total(terms?, span)
            }
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem => {
                let mut left = self.int(first, scope)?;
                for (op, e) in rest {
                    let right = self.int(e, scope)?;
                    left = self.apply(*op, left, right)?;
                }
                Ok(left)
            }
            op => self.comparison(op, first, &rest[0].1, scope),
        }
    }

    fn comparison<'a>(
        &mut self,
        op: Binary,
        a: &ast::Expr<'a>,
        b: &ast::Expr<'a>,
        scope: &Scope<'a>,
    ) -> Checked<Typed> {
        let (a, b) = (self.expr(a, scope), self.expr(b, scope));
        let (a, b) = (a?, b?);
        if a.ty != b.ty {
            let message = format!("{} cannot be compared with {}", a.ty.noun(), b.ty.noun());
            let what = Diagnostic::error(a.span.to(b.span), message).label("different types");
            let counted = self.counting > 0 && a.ty == Type::Bool && b.ty == Type::Int;
            let help =
                "all that follows the colon is counted: put `count ...` between parentheses to compare the number";
            return Err(self.error(what.maybe_help(counted.then(|| help.to_owned()))));
        }
        if a.ty == Type::Bool && !matches!(op, Binary::Eq | Binary::Ne) {
            let what = Diagnostic::error(a.span.to(b.span), "truth values have no order").label("not numbers");
            return Err(self.error(what.help("use `==`, `!=` or `=>`")));
        }
        self.apply(op, a, b)
    }

    fn implies<'a>(&mut self, a: &ast::Expr<'a>, b: &ast::Expr<'a>, scope: &Scope<'a>) -> Checked<Typed> {
        let a = self.bool(a, scope)?;
        let b = self.unless(a.value() == Some(0), |s| s.bool(b, scope))?;
        match (a.value(), b.value()) {
            (Some(0), _) => Ok(Typed::truth(true, a.span)),
            (_, Some(1)) if is_harmless(&a.expr) => Ok(Typed::truth(true, a.span)),
            (Some(_), _) => Ok(b),
            (None, Some(0)) => self.not(a),
            (None, _) => self.apply(Binary::Implies, a, b),
        }
    }

    fn choice<'a>(
        &mut self,
        condition: &ast::Expr<'a>,
        yes: &ast::Expr<'a>,
        no: &ast::Expr<'a>,
        scope: &Scope<'a>,
    ) -> Checked<Typed> {
        let c = self.bool(condition, scope)?;
        let a = self.unless(c.value() == Some(0), |s| s.expr(yes, scope))?;
        let b = self.unless(c.value() == Some(1), |s| s.expr(no, scope))?;
        if a.ty != b.ty {
            let message = format!("the two values of `? :` differ: {} and {}", a.ty.noun(), b.ty.noun());
            return Err(self.error(Diagnostic::error(a.span.to(b.span), message).label("different types")));
        }
        match c.value() {
            Some(0) => Ok(b),
            Some(_) => Ok(a),
            None => {
                let depth = self.deeper(c.depth.max(a.depth).max(b.depth), c.span)?;
                let expr = Expr::If(Box::new(c.expr), Box::new(a.expr), Box::new(b.expr));
                Ok(Typed { expr, ty: a.ty, depth, span: c.span })
            }
        }
    }

    fn quantified<'a>(
        &mut self,
        quantifier: Quantifier,
        name: &'a str,
        parts: &(Range<'a>, ast::Expr<'a>),
        span: Span,
        scope: &Scope<'a>,
    ) -> Checked<Typed> {
        let (lo, hi) = self.constant_range(&parts.0, scope)?;
        self.ranged(quantifier.word(), parts.0.span(), lo <= hi);
        let mut operands = Vec::new();
        for value in lo..=hi {
            self.work(1, span)?;
            let inner = scope.with(name, value);
            let operand = match quantifier {
                Quantifier::Sum => self.int(&parts.1, &inner),
                Quantifier::Count => self.counted(&parts.1, &inner),
                _ => self.bool(&parts.1, &inner),
            }?;
            let decided = match quantifier {
                Quantifier::Forall => operand.value() == Some(0),
                Quantifier::Exists => operand.value() == Some(1),
                Quantifier::Count | Quantifier::Sum => false,
            };
            operands.push(operand);
            if decided {
                break;
            }
        }
        match quantifier {
            Quantifier::Forall => self.junction(Binary::And, operands, span),
            Quantifier::Exists => self.junction(Binary::Or, operands, span),
            // A condition is 0 or 1, so adding conditions counts them.
            Quantifier::Count | Quantifier::Sum => {
                let terms = operands.into_iter().map(|t| (false, Typed { ty: Type::Int, ..t })).collect();
                self.total(terms, span)
            }
        }
    }

    /// A condition that is counted.
    fn counted<'a>(&mut self, condition: &ast::Expr<'a>, scope: &Scope<'a>) -> Checked<Typed> {
        self.counting += 1;
        let typed = self.bool(condition, scope);
        self.counting -= 1;
        typed
    }

    /// A name that is used as a value.
    fn value<'a>(&mut self, place: &ast::Place<'a>, scope: &Scope<'a>) -> Checked<Typed> {
        let (target, kind, depth) = match self.meaning(place, scope)? {
            Meaning::Value(_, typed) => return Ok(typed),
            Meaning::Object { target, kind, depth } => (target, kind, depth),
            Meaning::Process(..) => {
                let what =
                    Diagnostic::error(place.span, format!("`{}` is a process, not a value", place.head.name.text));
                return Err(self.error(what.label("a process").help("write `P at s` to test where a process is")));
            }
            Meaning::Other(noun) => return Err(self.no_value(place, noun)),
        };
        let ty = match &kind {
            Kind::Variable(domain) => Type::of(domain),
            Kind::Semaphore { .. } | Kind::Counter { .. } => Type::Int,
            Kind::Lock => {
                let what = Diagnostic::error(place.span, "a lock has no value").label("a lock");
                return Err(self.error(what.help("write `free(m)` to test whether a lock is free")));
            }
            Kind::Channel(_) => {
                let what = Diagnostic::error(place.span, "a channel has no value").label("a channel");
                return Err(self.error(what.help("write `len(q)`, `empty(q)` or `full(q)` to test a channel")));
            }
        };
        Ok(Typed { expr: Expr::Read(target), ty, depth, span: place.span })
    }

    fn no_value(&mut self, place: &ast::Place<'_>, noun: &str) -> Reported {
        let name = place.head.name.text;
        let message = format!("`{name}` is an {noun}, not a value");
        self.error(Diagnostic::error(place.span, message).label(format!("an {noun}")))
    }

    /// `free(m)`, `len(q)`, `empty(q)`, `full(q)`.
    fn test<'a>(&mut self, test: Test, place: &ast::Place<'a>, scope: &Scope<'a>) -> Checked<Typed> {
        let (word, wanted) = match test {
            Test::Free => ("free", "lock"),
            Test::Len => ("len", "channel"),
            Test::Empty => ("empty", "channel"),
            Test::Full => ("full", "channel"),
        };
        let (target, kind, depth) = self.object(place, scope)?;
        if kind.noun() != wanted {
            let message = format!("`{word}` tests a {wanted}, and `{}` is a {}", self.shown(place), kind.noun());
            return Err(self.error(Diagnostic::error(place.span, message).label(format!("a {}", kind.noun()))));
        }
        if matches!(&kind, Kind::Channel(c) if c.capacity == 0) {
            let what = Diagnostic::error(place.span, "a rendezvous channel never holds a message");
            return Err(self.error(what.label(format!("`{word}` makes no sense here"))));
        }
        let (expr, ty) = match test {
            Test::Free => (Expr::Free(target), Type::Bool),
            Test::Len => (Expr::Len(target), Type::Int),
            Test::Empty => (Expr::Empty(target), Type::Bool),
            Test::Full => (Expr::Full(target), Type::Bool),
        };
        Ok(Typed { expr, ty, depth, span: place.span })
    }

    /// `P at s`.
    fn at<'a>(&mut self, place: &ast::Place<'a>, state: &ast::Part<'a>, scope: &Scope<'a>) -> Checked<Typed> {
        if !scope.may_ask_where {
            let what = Diagnostic::error(place.span.to(state.span), "only properties may ask where a process is");
            return Err(self.error(what.label("not in a step").help("let the process write a variable, and test that")));
        }
        let Meaning::Process(home) = self.located(place, scope)? else {
            let message = format!("`{}` is not a process", self.shown(place));
            return Err(self.error(Diagnostic::error(place.span, message).label("expected a process before `at`")));
        };
        let span = place.span;
        let Member { id, states, .. } = &self.families[home.family].members[home.member];
        let there = |location: LocationId| Typed::leaf(Expr::At(*id, location), Type::Bool, span);
        if let Some(shared) = states.shared.get(state.name.text) {
            let anywhere = shared.iter().map(|l| there(*l)).collect();
            return self.junction(Binary::Or, anywhere, span);
        }
        let id = *id;
        let location = self.state(home, state, scope)?;
        Ok(Typed::leaf(Expr::At(id, location), Type::Bool, span))
    }
}
