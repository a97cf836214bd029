//! Expressions and commands in the model's own names.

use crate::arrays::{indices, split_cell};
use crate::objects::Kind;
use crate::{Binary, Command, Domain, Expr, ObjectId, Pattern, System, Target, Unary};

impl System {
    /// A target: the object's name, with the index expression for a cell of an array.
    pub fn show_target(&self, target: &Target) -> String {
        let name = &self.object(target.first).name;
        let Some(index) = &target.index else { return name.clone() };
        let (array, _) = split_cell(name);
        let last = &self.object(ObjectId(target.first.0 + target.len - 1)).name;
        let dims: Vec<i64> = split_cell(last).1.iter().map(|&k| i64::from(k) + 1).collect();
        let show = |i: &Expr| format!("[{}]", self.show_expr(i));
        let shown = match indices(index, &dims) {
            Some(all) => all.iter().map(show).collect(),
            None => show(index),
        };
        format!("{array}{shown}")
    }

    /// An expression as the user would write it.
    pub fn show_expr(&self, expr: &Expr) -> String {
        self.show_at(expr, 0)
    }

    /// From now on, shows these conditions by the words of the model's text that they were made of, wherever they occur.
    pub fn say(&mut self, conditions: impl IntoIterator<Item = (Expr, String)>) {
        for (condition, words) in conditions {
            if !self.sayings.iter().any(|(known, _)| *known == condition) {
                self.sayings.push((condition, words));
            }
        }
    }

    fn show_at(&self, expr: &Expr, outer: u8) -> String {
        if let Some((_, words)) = self.sayings.iter().find(|(condition, _)| condition == expr) {
            return words.clone();
        }
        let (text, level) = match expr {
            Expr::Const(c) => (c.to_string(), 9),
            Expr::Read(t) => (self.show_target(t), 9),
            Expr::Free(t) => (format!("free({})", self.show_target(t)), 9),
            Expr::Len(t) => (format!("len({})", self.show_target(t)), 9),
            Expr::Empty(t) => (format!("empty({})", self.show_target(t)), 9),
            Expr::Full(t) => (format!("full({})", self.show_target(t)), 9),
            Expr::Offers(t, patterns, anywhere) => {
                let sign = if *anywhere { "??" } else { "?" };
                (format!("{}{sign}[{}]", self.show_target(t), self.show_patterns(t, patterns).join(", ")), 9)
            }
            Expr::At(p, l) => {
                let process = self.process(*p);
                (format!("{} at {}", process.name, process.locations[l.index()].name), 4)
            }
            // In languages with machine integers it is the types that wrap: nobody writes it.
            Expr::Unary(Unary::Wrap(_), a) => return self.show_at(a, outer),
            Expr::Unary(op, a) => {
                let sign = match op {
                    Unary::Not => "!",
                    Unary::BitNot => "~",
                    Unary::Neg | Unary::Wrap(_) => "-",
                };
                (format!("{sign}{}", self.show_at(a, 8)), 8)
            }
            Expr::Binary(op @ (Binary::Min | Binary::Max), a, b) => {
                let name = if *op == Binary::Min { "min" } else { "max" };
                (format!("{name}({}, {})", self.show_at(a, 0), self.show_at(b, 0)), 9)
            }
            Expr::Binary(Binary::Add, a, b) if negated(b).is_some() => {
                let b = negated(b).expect("just seen");
                (format!("{} - {}", self.show_at(a, 6), self.show_at(&b, 7)), 6)
            }
            Expr::Binary(op, a, b) => {
                let (sign, level) = operator(*op);
                // How tightly bit operators bind differs between languages: their operands are put in parentheses.
                let (left, right) = if level == BITS { (8, 8) } else { (level, level + 1) };
                (format!("{} {sign} {}", self.show_side(a, b, left), self.show_side(b, a, right)), level)
            }
            Expr::If(c, a, b) => {
                (format!("{} ? {} : {}", self.show_at(c, 1), self.show_at(a, 1), self.show_at(b, 0)), 0)
            }
        };
        if level < outer { format!("({text})") } else { text }
    }

    /// One side of an operator: a constant that is compared with a named value is shown by its name.
    fn show_side(&self, side: &Expr, other: &Expr, level: u8) -> String {
        match (side, self.domain_of(other)) {
            (Expr::Const(c), Some(d)) => d.show(*c),
            _ => self.show_at(side, level),
        }
    }

    fn domain_of(&self, expr: &Expr) -> Option<&Domain> {
        match expr {
            Expr::Read(t) => match &self.object(t.first).kind {
                Kind::Variable(d) => Some(d),
                _ => None,
            },
            _ => None,
        }
    }

    fn show_as(&self, expr: &Expr, domain: Option<&Domain>) -> String {
        match (expr, domain) {
            (Expr::Const(c), Some(d)) => d.show(*c),
            _ => self.show_expr(expr),
        }
    }

    /// An operation as the user would write it.
    pub fn show_command(&self, command: &Command) -> String {
        match command {
            Command::Assign(t, e) => {
                let domain = self.domain_of(&Expr::Read(t.clone()));
                format!("{} := {}", self.show_target(t), self.show_as(e, domain))
            }
            Command::Acquire(t, _) => format!("acquire {}", self.show_target(t)),
            Command::Release(t, _) => format!("release {}", self.show_target(t)),
            Command::Gain(t, k) => self.show_tokens(t, *k, "signal", "+="),
            Command::Take(t, k) => self.show_tokens(t, *k, "wait", "-="),
            Command::Send(t, values) => {
                let fields = values.iter().enumerate().map(|(i, e)| self.show_as(e, self.field(t, i)));
                format!("{}!{}", self.show_target(t), parenthesised(fields.collect()))
            }
            Command::Insert(t, values) => {
                let fields = values.iter().enumerate().map(|(i, e)| self.show_as(e, self.field(t, i)));
                format!("{}!!{}", self.show_target(t), parenthesised(fields.collect()))
            }
            Command::Receive(t, patterns) => {
                format!("{}?{}", self.show_target(t), parenthesised(self.show_patterns(t, patterns)))
            }
            Command::Retrieve(t, patterns, how) => {
                let sign = if how.anywhere { "??" } else { "?" };
                let fields = self.show_patterns(t, patterns);
                let fields = if how.keep { format!("<{}>", fields.join(", ")) } else { parenthesised(fields) };
                format!("{}{sign}{fields}", self.show_target(t))
            }
            Command::Unforeseen(number) => format!("unforeseen {number}"),
            Command::Assert(e) => format!("assert {}", self.show_expr(e)),
        }
    }

    fn show_patterns(&self, channel: &Target, patterns: &[Pattern]) -> Vec<String> {
        let fields = patterns.iter().enumerate().map(|(i, p)| match p {
            Pattern::Ignore => "_".to_owned(),
            Pattern::Bind(b) => self.show_target(b),
            Pattern::Match(e @ Expr::Const(_)) => self.show_as(e, self.field(channel, i)),
            Pattern::Match(e) => format!("={}", self.show_at(e, 9)),
        });
        fields.collect()
    }

    fn show_tokens(&self, target: &Target, amount: u32, word: &str, sign: &str) -> String {
        match &self.object(target.first).kind {
            Kind::Semaphore { .. } if amount == 1 => format!("{word} {}", self.show_target(target)),
            _ => format!("{} {sign} {amount}", self.show_target(target)),
        }
    }

    fn field(&self, channel: &Target, index: usize) -> Option<&Domain> {
        match &self.object(channel.first).kind {
            Kind::Channel(c) => c.fields.get(index),
            _ => None,
        }
    }
}

/// What is subtracted when this is added.
fn negated(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::Const(c) if *c < 0 => c.checked_neg().map(Expr::Const),
        Expr::Unary(Unary::Neg, a) => Some((**a).clone()),
        _ => None,
    }
}

fn parenthesised(fields: Vec<String>) -> String {
    match &fields[..] {
        [one] if one.chars().all(|c| c.is_alphanumeric() || c == '_') => one.clone(),
        _ => format!("({})", fields.join(", ")),
    }
}

/// How tightly bit operators bind.
const BITS: u8 = 4;

fn operator(op: Binary) -> (&'static str, u8) {
    match op {
        Binary::Implies => ("=>", 1),
        Binary::Or => ("||", 2),
        Binary::And => ("&&", 3),
        Binary::Eq => ("==", 5),
        Binary::Ne => ("!=", 5),
        Binary::Lt => ("<", 5),
        Binary::Le => ("<=", 5),
        Binary::Gt => (">", 5),
        Binary::Ge => (">=", 5),
        Binary::Add => ("+", 6),
        Binary::Sub => ("-", 6),
        Binary::Mul => ("*", 7),
        Binary::Div => ("/", 7),
        Binary::Rem => ("%", 7),
        Binary::BitAnd => ("&", BITS),
        Binary::BitOr => ("|", BITS),
        Binary::BitXor => ("^", BITS),
        Binary::ShiftLeft => ("<<", BITS),
        Binary::ShiftRight => (">>", BITS),
        Binary::Min | Binary::Max => (",", 9),
    }
}
