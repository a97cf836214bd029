//! The arithmetic of `#if`.

use model::Span;

use crate::Diagnostic;
use crate::promela::character;
use crate::promela::limits;
use crate::promela::token::{Kind, Token};

/// The value of a condition; `at` is where it stands.
pub(super) fn value(tokens: &[Token], at: Span) -> Result<i64, Diagnostic> {
    Arithmetic { tokens, next: 0, depth: 0, at }.whole()
}

/// The value of a condition. Names that are no macros are 0.
struct Arithmetic<'t> {
    tokens: &'t [Token],
    next: usize,
    depth: u32,
    at: Span,
}

type Value = Result<i64, Diagnostic>;

impl Arithmetic<'_> {
    fn whole(&mut self) -> Value {
        let value = self.choice()?;
        match self.tokens.get(self.next) {
            Some(token) => Err(self.wrong(&format!("unexpected `{}`", token.text))),
            None => Ok(value),
        }
    }

    fn wrong(&self, what: &str) -> Diagnostic {
        Diagnostic::error(self.at, format!("this condition is not understood: {what}")).label("no condition")
    }

    fn at(&self, kind: Kind) -> bool {
        self.tokens.get(self.next).is_some_and(|token| token.kind == kind)
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.at(kind);
        self.next += usize::from(found);
        found
    }

    /// `condition ? a : b`.
    fn choice(&mut self) -> Value {
        self.depth += 1;
        if self.depth > limits::NESTING {
            return Err(self.wrong("nested too deeply"));
        }
        let mut value = self.binary(0)?;
        if self.eat(Kind::Question) {
            let yes = self.choice()?;
            if !self.eat(Kind::Colon) {
                return Err(self.wrong("expected `:`"));
            }
            let no = self.choice()?;
            value = if value != 0 { yes } else { no };
        }
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u8) -> Value {
        let mut value = self.unary()?;
        while let Some(token) = self.tokens.get(self.next) {
            let (operator, Some(level)) = (token.kind, level(token.kind)) else { break };
            if level < least {
                break;
            }
            self.next += 1;
            let right = self.binary(level + 1)?;
            value = apply(operator, value, right).ok_or_else(|| self.wrong("a division by zero"))?;
        }
        Ok(value)
    }

    fn unary(&mut self) -> Value {
        let mut operators = Vec::new();
        while let Some(token) = self.tokens.get(self.next) {
            match token.kind {
                Kind::BangBang => operators.extend([Kind::Bang; 2]),
                Kind::Bang | Kind::Minus | Kind::Plus | Kind::Complement => operators.push(token.kind),
                _ => break,
            }
            self.next += 1;
        }
        let value = self.operand()?;
        Ok(operators.into_iter().rev().fold(value, |value, operator| match operator {
            Kind::Bang => i64::from(value == 0),
            Kind::Minus => value.wrapping_neg(),
            Kind::Complement => !value,
            _ => value,
        }))
    }

    fn operand(&mut self) -> Value {
        let Some(token) = self.tokens.get(self.next) else { return Err(self.wrong("something is missing")) };
        self.next += 1;
        match token.kind {
            Kind::Open => {
                let value = self.choice()?;
                if self.eat(Kind::Close) { Ok(value) } else { Err(self.wrong("expected `)`")) }
            }
            Kind::Int => Ok(self.number(token)),
            Kind::Char => Ok(character::value(&token.text)),
            _ if token.is_word() => Ok(0),
            _ => Err(self.wrong(&format!("unexpected `{}`", token.text))),
        }
    }

    /// A number as C writes it: the lexer of Promela ends it before a letter, which belongs to it here.
    fn number(&mut self, token: &Token) -> i64 {
        let mut text = token.text.to_string();
        if let Some(rest) =
            self.tokens.get(self.next).filter(|rest| rest.is_word() && rest.span.start == token.span.end)
        {
            text.push_str(&rest.text);
            self.next += 1;
        }
        let text = text.to_ascii_lowercase();
        let digits = text.trim_end_matches(['u', 'l']);
        let value = match digits.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16),
            None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8),
            None => digits.parse(),
        };
        value.unwrap_or(i64::MAX)
    }
}

fn level(kind: Kind) -> Option<u8> {
    Some(match kind {
        Kind::Or => 0,
        Kind::And => 1,
        Kind::BitOr => 2,
        Kind::BitXor => 3,
        Kind::BitAnd => 4,
        Kind::Equal | Kind::NotEqual => 5,
        Kind::Less | Kind::AtMost | Kind::Greater | Kind::AtLeast => 6,
        Kind::ShiftLeft | Kind::ShiftRight => 7,
        Kind::Plus | Kind::Minus => 8,
        Kind::Star | Kind::Slash | Kind::Percent => 9,
        _ => return None,
    })
}

/// The value of `a operator b`; nothing for a division by zero.
fn apply(operator: Kind, a: i64, b: i64) -> Option<i64> {
    Some(match operator {
        Kind::Or => i64::from(a != 0 || b != 0),
        Kind::And => i64::from(a != 0 && b != 0),
        Kind::BitOr => a | b,
        Kind::BitXor => a ^ b,
        Kind::BitAnd => a & b,
        Kind::Equal => i64::from(a == b),
        Kind::NotEqual => i64::from(a != b),
        Kind::Less => i64::from(a < b),
        Kind::AtMost => i64::from(a <= b),
        Kind::Greater => i64::from(a > b),
        Kind::AtLeast => i64::from(a >= b),
        Kind::ShiftLeft => a.wrapping_shl(b as u32),
        Kind::ShiftRight => a.wrapping_shr(b as u32),
        Kind::Plus => a.wrapping_add(b),
        Kind::Minus => a.wrapping_sub(b),
        Kind::Star => a.wrapping_mul(b),
        Kind::Slash if b != 0 => a.wrapping_div(b),
        Kind::Percent if b != 0 => a.wrapping_rem(b),
        _ => return None,
    })
}
