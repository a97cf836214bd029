//! Statements.

use super::cursor::{Parser, Part};
use crate::promela::ast::{Assignment, Expr, ExprKind, Range, Sequence, StmtKind, VarRef};
use crate::promela::token::Kind;

impl Parser {
    /// A statement behind its labels.
    pub(super) fn statement_kind(&mut self) -> Part<StmtKind> {
        match self.kind(0) {
            Kind::OpenBrace => self.body().map(StmtKind::Block),
            Kind::Atomic => self.block().map(StmtKind::Atomic),
            Kind::DStep => self.block().map(StmtKind::DStep),
            Kind::If => self.options(Kind::Fi, "`::` or `fi`").map(StmtKind::If),
            Kind::Do => self.options(Kind::Od, "`::` or `od`").map(StmtKind::Do),
            Kind::For => self.for_loop(),
            Kind::Select => self.select(),
            Kind::Printf => self.printf(),
            Kind::Printm => self.printm(),
            Kind::SetPriority => self.set_priority(),
            Kind::Return => self.return_value(),
            Kind::Goto => {
                self.bump();
                self.name("the name of a label").map(StmtKind::Goto)
            }
            Kind::Break => {
                self.bump();
                Ok(StmtKind::Break)
            }
            Kind::Else => {
                self.bump();
                Ok(StmtKind::Else)
            }
            Kind::Assert => {
                self.bump();
                self.full_expr().map(StmtKind::Assert)
            }
            Kind::Word if self.calls_inline() => self.call(None),
            Kind::Word => self.named(),
            _ if self.begins_operand() => self.full_expr().map(StmtKind::Expr),
            _ => Err(self.unexpected("a statement")),
        }
    }

    /// A word and a block.
    fn block(&mut self) -> Part<Sequence> {
        self.bump();
        self.body()
    }

    /// `:: ... :: ... fi`.
    fn options(&mut self, end: Kind, what: &str) -> Part<Vec<Sequence>> {
        let open = self.bump();
        if !self.at(Kind::Option) {
            let mistake = self.unexpected("`::`");
            self.skip_choice(&mistake, end);
            return Err(mistake);
        }
        let mut options = Vec::new();
        while self.eat(Kind::Option) {
            options.push(self.nested(Self::sequence)?);
        }
        self.close(open, end, what)?;
        Ok(options)
    }

    /// `for (variable : from .. to) { ... }` or `for (variable in array) { ... }`.
    fn for_loop(&mut self) -> Part<StmtKind> {
        self.bump();
        let (variable, range) = self.parenthesised(|p| {
            if p.begins_declaration() {
                let error = p.unexpected("the name of a variable");
                return Err(Box::new(error.help("declare it before the loop: `int i; for (i : 0 .. 3) { ... }`")));
            }
            let variable = p.variable_ref()?;
            if p.at_word("in") {
                p.bump();
                return Ok((variable, Range::In(p.variable_ref()?)));
            }
            let (from, to) = p.range("`:` and a range, or `in`")?;
            Ok((variable, Range::Between(from, to)))
        })?;
        Ok(StmtKind::For(variable, range, self.body()?))
    }

    /// `: from .. to`.
    fn range(&mut self, what: &str) -> Part<(Expr, Expr)> {
        self.expect(Kind::Colon, what)?;
        let from = self.expr()?;
        self.expect(Kind::DotDot, "`..`")?;
        Ok((from, self.expr()?))
    }

    /// `select (variable : from .. to)`.
    fn select(&mut self) -> Part<StmtKind> {
        self.bump();
        self.parenthesised(|p| {
            let variable = p.variable_ref()?;
            let (from, to) = p.range("`:` and a range")?;
            Ok(StmtKind::Select(variable, from, to))
        })
    }

    /// `printf("text", values)`.
    fn printf(&mut self) -> Part<StmtKind> {
        self.bump();
        self.parenthesised(|p| {
            if !p.at(Kind::String) {
                return Err(p.unexpected("a text in quotes"));
            }
            let quoted = p.text().to_owned();
            p.bump();
            let text = p.intern(&quoted[1..quoted.len() - 1]);
            let values = if p.eat(Kind::Comma) { p.list(Self::expr)? } else { Vec::new() };
            Ok(StmtKind::Printf(text, values))
        })
    }

    /// `printm(variable)`.
    fn printm(&mut self) -> Part<StmtKind> {
        self.bump();
        self.parenthesised(Self::operand_expr).map(StmtKind::Printm)
    }

    /// `set_priority(pid, priority)`.
    fn set_priority(&mut self) -> Part<StmtKind> {
        self.bump();
        self.parenthesised(|p| {
            let pid = p.expr()?;
            p.expect(Kind::Comma, "`,`")?;
            Ok(StmtKind::SetPriority(pid, p.expr()?))
        })
    }

    /// `return value`: in an inline that was called for one.
    fn return_value(&mut self) -> Part<StmtKind> {
        let error = self.here("nobody takes the value of this `return`".to_owned(), "not called for a value");
        self.bump();
        let value = self.full_expr()?;
        match self.calls.last().and_then(|call| call.target.clone()) {
            Some(target) => Ok(StmtKind::Assign(target, Assignment::Value(value))),
            None => Err(Box::new(error.help("`return` stands in an inline that is called like this: `x = f(y)`"))),
        }
    }

    /// A statement that begins with a name: a channel, a variable, or an expression.
    fn named(&mut self) -> Part<StmtKind> {
        let first = self.nested(Self::operand)?;
        let variable = match &first.expr {
            Some(Expr { kind: ExprKind::Ref(variable), .. }) => variable.clone(),
            Some(Expr { kind: ExprKind::Remote(remote), .. }) if remote.what.is_err() && self.writes() => {
                let error = self.here("a variable of another process cannot be written".to_owned(), "it can be read");
                let help = "only the process itself writes it: make it global, or send the value to the process";
                return Err(Box::new(error.help(help)));
            }
            _ => return self.full_expr_from(first).map(StmtKind::Expr),
        };
        match self.kind(0) {
            Kind::Is => {
                self.bump();
                self.assigned(variable)
            }
            Kind::Increment => {
                self.bump();
                Ok(StmtKind::Assign(variable, Assignment::Increment))
            }
            Kind::Decrement => {
                self.bump();
                Ok(StmtKind::Assign(variable, Assignment::Decrement))
            }
            Kind::Bang | Kind::BangBang => self.send(variable).map(StmtKind::Send),
            Kind::Question | Kind::QuestionQuestion => self.receive(variable).map(StmtKind::Receive),
            _ => self.full_expr_from(first).map(StmtKind::Expr),
        }
    }

    /// Whether the variable in front is written.
    fn writes(&self) -> bool {
        matches!(self.kind(0), Kind::Is | Kind::Increment | Kind::Decrement)
    }

    /// What stands behind `=`.
    fn assigned(&mut self, variable: VarRef) -> Part<StmtKind> {
        if self.calls_inline() {
            return self.call(Some(variable));
        }
        let value = self.full_expr()?;
        Ok(StmtKind::Assign(variable, Assignment::Value(value)))
    }
}
