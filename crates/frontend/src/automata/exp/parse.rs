//! The grammar of `.exp`.
//!
//! ```text
//! behaviour ::= operand (operator operand)*            operators are read from the right, as in LOTOS
//! operator  ::= "|||" | "||" | "|[" gates "]|"         no "||" between the parts of "par", which it separates
//! operand   ::= file | "stop" | "exit" | "(" behaviour ")"
//!             | "par" [gates "in"] branch ("||" branch)* "end" "par"           branch ::= [gates "->"] behaviour
//!             | ["label" | "gate"] "par" "using" vectors "in" behaviour ("||" behaviour)* "end" "par"
//!             | [matching] ("hide" | "cut") ["all" "but"] labels "in" behaviour ["end" ("hide" | "cut")]
//!             | [matching] "rename" label "->" label ("," ...)* "in" behaviour ["end" "rename"]
//! ```

use model::Span;

use super::ast::{
    Behaviour, Branch, Change, Form, Gate, Matcher, Matching, Offer, Operator, Relabel, Selection, Vector,
};
use super::token::{Kind, Token};
use crate::Diagnostic;
use crate::automata::labels::unescape;

/// The deepest nesting of behaviours: reading and flattening recurse.
const MAX_NESTING: usize = 100;

/// The words that name no file and no gate.
const KEYWORDS: &[&str] = &[
    "par",
    "in",
    "end",
    "hide",
    "rename",
    "cut",
    "prio",
    "using",
    "total",
    "partial",
    "gate",
    "label",
    "single",
    "multiple",
    "all",
    "but",
    "stop",
    "exit",
    "behaviour",
    "behavior",
];

type Parsed<T> = Result<T, Diagnostic>;

/// Reads a whole expression.
pub(super) fn parse(tokens: &[Token<'_>], warnings: &mut Vec<Diagnostic>) -> Parsed<Behaviour> {
    let mut parser = Parser { tokens, at: 0, depth: 0, warnings };
    let _ = parser.accept("behaviour") || parser.accept("behavior");
    let behaviour = parser.behaviour(true)?;
    if parser.peek().kind != Kind::End {
        return Err(parser.unexpected("an operator or the end of the file"));
    }
    Ok(behaviour)
}

struct Parser<'a, 't> {
    tokens: &'t [Token<'a>],
    at: usize,
    depth: usize,
    warnings: &'t mut Vec<Diagnostic>,
}

impl<'a> Parser<'a, '_> {
    fn peek(&self) -> Token<'a> {
        self.tokens[self.at]
    }

    fn ahead(&self, n: usize) -> Token<'a> {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn accept(&mut self, text: &str) -> bool {
        let fits = self.peek().is(text);
        if fits {
            self.next();
        }
        fits
    }

    fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.accept(text) { Ok(()) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let token = self.peek();
        if let Some(what) = foreign(token.text).filter(|_| token.kind != Kind::Quoted) {
            return refused(token.span, what);
        }
        Diagnostic::error(token.span, format!("expected {expected}, found {}", token.shown()))
    }

    /// Operands and operators; `||` only where it separates nothing.
    fn behaviour(&mut self, full: bool) -> Parsed<Behaviour> {
        let start = self.peek().span;
        self.depth += 1;
        if self.depth > MAX_NESTING {
            let message = format!("the behaviour is nested deeper than {MAX_NESTING} levels");
            return Err(Diagnostic::error(start, message));
        }
        let first = self.operand(full)?;
        let mut rest: Vec<(Operator, Behaviour)> = Vec::new();
        while let Some(operator) = self.operator(full)? {
            if rest.first().is_some_and(|(other, _)| *other != operator) {
                self.mixed(start);
            }
            let operand = self.operand(full)?;
            rest.push((operator, operand));
        }
        self.depth -= 1;
        if rest.is_empty() {
            return Ok(first);
        }
        let span = start.to(self.tokens[self.at.saturating_sub(1)].span);
        Ok(Behaviour { form: Form::Chain { first: Box::new(first), rest }, span })
    }

    fn mixed(&mut self, start: Span) {
        let message = "different operators without parentheses are read from the right, as in LOTOS";
        let known = self.warnings.last().is_some_and(|w| w.message == message && w.span.start == start.start);
        if !known {
            let span = start.to(self.tokens[self.at.saturating_sub(1)].span);
            self.warnings.push(Diagnostic::warning(span, message).help("say with parentheses what is meant"));
        }
    }

    fn operator(&mut self, full: bool) -> Parsed<Option<Operator>> {
        if self.accept("|||") {
            return Ok(Some(Operator::Interleaving));
        }
        if full && self.accept("||") {
            return Ok(Some(Operator::Full));
        }
        if !self.accept("|[") {
            return Ok(None);
        }
        let gates = if self.peek().is("]|") { Vec::new() } else { self.gates()? };
        self.expect("]|")?;
        Ok(Some(Operator::Gates(gates)))
    }

    fn operand(&mut self, full: bool) -> Parsed<Behaviour> {
        let token = self.peek();
        let form = match (token.kind, token.text) {
            (Kind::Sign, "(") => {
                self.next();
                let inner = self.behaviour(true)?;
                self.expect(")")?;
                return Ok(inner);
            }
            (Kind::Word, "stop") => self.plain(Form::Stop),
            (Kind::Word, "exit") => self.plain(Form::Exit),
            (
                Kind::Word,
                "par" | "hide" | "cut" | "rename" | "prio" | "total" | "partial" | "gate" | "label" | "single"
                | "multiple",
            ) => self.operation(full)?,
            (Kind::Quoted, name) => self.plain(Form::File(unescape(name))),
            (Kind::Word, name) if !KEYWORDS.contains(&name) => self.plain(Form::File(name.to_owned())),
            _ => return Err(self.unexpected("a file, `(`, `par`, `hide`, `rename` or `cut`")),
        };
        Ok(Behaviour { form, span: token.span.to(self.tokens[self.at.saturating_sub(1)].span) })
    }

    fn plain(&mut self, form: Form) -> Form {
        self.next();
        form
    }

    /// `par`, `hide`, `cut`, `rename`, perhaps after a word that says how labels are compared.
    fn operation(&mut self, full: bool) -> Parsed<Form> {
        let how = match self.peek().text {
            "total" | "partial" | "gate" | "label" | "single" | "multiple" => Some(self.next()),
            _ => None,
        };
        let operation = self.next();
        match operation.text {
            "par" => self.par(how),
            "hide" => {
                let selection = self.selection(matching(how)?)?;
                self.relabel("hide", Change::Hide(selection), full)
            }
            "cut" => {
                let selection = self.selection(matching(how)?)?;
                self.relabel("cut", Change::Cut(selection), full)
            }
            "rename" => {
                let renamings = self.renamings(matching(how)?)?;
                self.relabel("rename", Change::Rename(renamings), full)
            }
            "prio" => Err(refused(operation.span, "the priority operator `prio`")),
            _ => {
                self.at -= 1;
                Err(self.unexpected("`par`, `hide`, `rename` or `cut`"))
            }
        }
    }

    fn relabel(&mut self, word: &str, change: Change, full: bool) -> Parsed<Form> {
        self.expect("in")?;
        let behaviour = self.behaviour(full)?;
        // The end may be left out, as in LOTOS.
        if self.peek().is("end") && self.ahead(1).is(word) {
            self.next();
            self.next();
        }
        Ok(Form::Relabel(Box::new(Relabel { change, behaviour })))
    }

    fn par(&mut self, how: Option<Token<'a>>) -> Parsed<Form> {
        if self.accept("using") {
            return self.vectors(how);
        }
        if let Some(how) = how {
            let message = format!("`{}` is for `par using`: lists of gates are always compared with gates", how.text);
            return Err(Diagnostic::error(how.span, message));
        }
        let gates = if self.has_gates_before("in") { self.gates()? } else { Vec::new() };
        // `in` may be left out where there are no gates.
        if !gates.is_empty() || self.peek().is("in") {
            self.expect("in")?;
        }
        let mut branches = vec![self.branch()?];
        while self.accept("||") {
            branches.push(self.branch()?);
        }
        self.expect("end")?;
        self.expect("par")?;
        Ok(Form::Par { gates, branches })
    }

    fn branch(&mut self) -> Parsed<Branch> {
        let gates = if self.has_gates_before("->") { self.gates()? } else { Vec::new() };
        if !gates.is_empty() {
            self.expect("->")?;
        }
        Ok(Branch { gates, behaviour: self.behaviour(false)? })
    }

    /// Whether a list of gates comes that ends with this sign.
    fn has_gates_before(&self, sign: &str) -> bool {
        let mut n = 0;
        loop {
            if !is_name(&self.ahead(n)) {
                return false;
            }
            n += 1;
            if self.ahead(n).is("#") {
                n += 2;
            }
            if self.ahead(n).is(sign) {
                return true;
            }
            if !self.ahead(n).is(",") {
                return false;
            }
            n += 1;
        }
    }

    fn gates(&mut self) -> Parsed<Vec<Gate>> {
        let mut gates = vec![self.gate()?];
        while self.accept(",") {
            gates.push(self.gate()?);
        }
        Ok(gates)
    }

    fn gate(&mut self) -> Parsed<Gate> {
        let Token { span, .. } = self.peek();
        let name = self.name("a gate")?;
        let mut degree = None;
        if self.accept("#") {
            let number = self.peek();
            degree = number.text.parse().ok().filter(|n| *n > 0);
            if degree.is_none() {
                return Err(self.unexpected("the number of behaviours that meet"));
            }
            self.next();
        }
        Ok(Gate { name, degree, span })
    }

    fn name(&mut self, expected: &str) -> Parsed<String> {
        if !is_name(&self.peek()) {
            return Err(self.unexpected(expected));
        }
        let token = self.next();
        Ok(if token.kind == Kind::Quoted { unescape(token.text) } else { token.text.to_owned() })
    }

    fn vectors(&mut self, how: Option<Token<'a>>) -> Parsed<Form> {
        let gates = match how.map(|t| (t.text, t.span)) {
            None => None,
            Some(("label", _)) => Some(false),
            Some(("gate", _)) => Some(true),
            Some((word, span)) => {
                let message = format!("`{word}` cannot be said of vectors");
                return Err(Diagnostic::error(span, message).label("expected `label` or `gate`"));
            }
        };
        let mut vectors = Vec::new();
        while !self.peek().is("in") {
            vectors.push(self.vector(gates)?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect("in")?;
        let mut branches = vec![self.behaviour(false)?];
        while self.accept("||") {
            branches.push(self.behaviour(false)?);
        }
        self.expect("end")?;
        self.expect("par")?;
        check_widths(&vectors, branches.len())?;
        Ok(Form::Vectors { vectors, branches })
    }

    fn vector(&mut self, gates: Option<bool>) -> Parsed<Vector> {
        let start = self.peek().span;
        let (mut width, mut parts) = (0, Vec::new());
        loop {
            if self.peek().is("_") {
                self.next();
            } else {
                parts.push((width, self.offer(gates)?));
            }
            width += 1;
            if !self.accept("*") {
                break;
            }
        }
        self.expect("->")?;
        let result = self.offer(gates)?;
        let span = start.to(self.tokens[self.at.saturating_sub(1)].span);
        if parts.is_empty() {
            return Err(Diagnostic::error(span, "nobody takes part in this vector"));
        }
        Ok(Vector { width, parts, result, span })
    }

    /// Words are gates and texts are labels, unless all are said to be one of them.
    fn offer(&mut self, gates: Option<bool>) -> Parsed<Offer> {
        let quoted = self.peek().kind == Kind::Quoted;
        let name = self.name("a label")?;
        Ok(if gates.unwrap_or(!quoted) { Offer::Gate(name) } else { Offer::Label(name) })
    }

    fn selection(&mut self, matching: Option<Matching>) -> Parsed<Selection> {
        let inverted = self.peek().is("all") && self.ahead(1).is("but");
        if inverted {
            self.next();
            self.next();
        }
        if self.peek().is("using") {
            return Err(refused(self.peek().span, "a file of labels (`using`)"));
        }
        let mut matchers = vec![self.matcher(matching)?];
        while self.accept(",") {
            matchers.push(self.matcher(matching)?);
        }
        Ok(Selection { inverted, matchers })
    }

    fn renamings(&mut self, matching: Option<Matching>) -> Parsed<Vec<(Matcher, String)>> {
        if self.peek().is("using") {
            return Err(refused(self.peek().span, "a file of renamings (`using`)"));
        }
        let mut renamings = Vec::new();
        loop {
            let matcher = self.matcher(matching)?;
            self.expect("->")?;
            let target = self.peek();
            self.name("the new label")?;
            renamings.push((matcher, target.text.to_owned()));
            if !self.accept(",") {
                return Ok(renamings);
            }
        }
    }

    /// Words are gates and texts are patterns for whole labels, unless something else is said.
    fn matcher(&mut self, matching: Option<Matching>) -> Parsed<Matcher> {
        let token = self.peek();
        let default = if token.kind == Kind::Quoted { Matching::Total } else { Matching::Gate };
        self.name("a gate or a label")?;
        Ok(Matcher { matching: matching.unwrap_or(default), text: token.text.to_owned(), span: token.span })
    }
}

fn is_name(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Quoted => true,
        Kind::Word => !KEYWORDS.contains(&token.text) && token.text != "_",
        Kind::Sign | Kind::End => false,
    }
}

fn matching(how: Option<Token<'_>>) -> Parsed<Option<Matching>> {
    Ok(match how.map(|t| t.text) {
        None => None,
        Some("gate") => Some(Matching::Gate),
        Some("total" | "label") => Some(Matching::Total),
        Some("multiple") => Some(Matching::Multiple),
        Some(_) => Some(Matching::Partial),
    })
}

fn check_widths(vectors: &[Vector], branches: usize) -> Parsed<()> {
    let Some(wrong) = vectors.iter().find(|v| v.width != branches) else { return Ok(()) };
    let message = format!("the vector has {} parts, and there are {branches} behaviours", wrong.width);
    Err(Diagnostic::error(wrong.span, message).help("write `_` for a behaviour that does not take part"))
}

/// Operators of other languages that the notation can mix in.
fn foreign(text: &str) -> Option<&'static str> {
    Some(match text {
        "prio" => "the priority operator `prio`",
        "|" => "the parallel operator `|` of CCS",
        "\\" => "the restriction operator `\\` of CCS and CSP",
        "[|" | "|]" => "the parallel operator `[| ... |]` of CSP",
        "[[" | "]]" => "the renaming operator `[[ ... ]]` of CSP",
        "[" | "]" => "the renaming operator `[ ... ]` of CCS and the parallel operator of CSP",
        "{" | "}" => "a set of labels in braces",
        _ => return None,
    })
}

fn refused(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(span, format!("{what} is not supported"))
        .help("write it with `|[...]|`, `par`, `par using`, `hide`, `rename` and `cut`")
}
