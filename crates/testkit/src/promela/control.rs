//! Statements and how they are put together.

use super::Stmt;
use super::favour::Favour;
use super::generate::Generator;
use super::values::Kind;

/// Where a statement stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// How deep statements may still nest.
    pub(super) depth: u32,
    /// Whether a `break` has a loop around it.
    pub(super) in_loop: bool,
    /// Whether nobody else goes on meanwhile: a loop might never end.
    pub(super) alone: bool,
}

impl Position {
    fn deeper(self) -> Self {
        Self { depth: self.depth - 1, ..self }
    }
}

impl Generator {
    /// Statements in a row, as long as the budget lasts; at least one.
    pub(super) fn sequence(&mut self, most: usize, at: Position) -> Vec<Stmt> {
        let length = 1 + self.rng.below(most);
        let mut statements = Vec::new();
        for i in 0..length {
            if i > 0 && self.budget == 0 {
                break;
            }
            statements.push(self.statement(at));
        }
        statements
    }

    /// Any statement.
    pub(super) fn statement(&mut self, at: Position) -> Stmt {
        self.budget = self.budget.saturating_sub(1);
        let made = if at.depth == 0 || self.budget == 0 { None } else { self.compound(at) };
        made.unwrap_or_else(|| self.simple(at))
    }

    fn compound(&mut self, at: Position) -> Option<Stmt> {
        let inner = at.deeper();
        let roll = self.rng.below(100);
        let favoured = self.rng.chance(30);
        let roll = match self.favour {
            Favour::Control if favoured => 25 + self.rng.below(19),
            Favour::Births if favoured => 49,
            Favour::Escapes if favoured => 39 + self.rng.below(5),
            Favour::Messages if favoured => self.rng.below(33),
            _ => roll,
        };
        match roll {
            0..=11 => Some(self.choice("if", inner)),
            12..=24 if !at.alone => Some(self.choice("do", inner)),
            12..=18 => self.rounds(inner),
            25..=32 => Some(Stmt::block("atomic {", self.sequence(4, Position { alone: true, ..inner }))),
            33..=38 => Some(self.step()),
            39..=43 if at.depth < 3 || self.budget > 2 => Some(self.unless(inner)),
            44..=46 => self.counted_loop(inner),
            47..=48 => Some(self.scoped(inner)),
            49..=52 => self.run(),
            _ => None,
        }
    }

    fn simple(&mut self, at: Position) -> Stmt {
        let roll = self.rng.below(100);
        let favoured = matches!(self.favour, Favour::Messages | Favour::Escapes) && self.rng.chance(40);
        let made = match if favoured { 30 + self.rng.below(31) } else { roll } {
            0..=29 | 66..=69 => self.assignment(),
            30..=45 => self.send(),
            46..=60 => self.receive(),
            61..=65 => Some(Stmt::line(self.guard())),
            70..=72 if at.in_loop => Some(Stmt::line("break")),
            73..=77 if !self.scope.labels.is_empty() => {
                Some(Stmt::line(format!("goto {}", self.rng.pick(&self.scope.labels))))
            }
            78..=82 => Some(Stmt::line(format!("assert({})", self.claim()))),
            83 => Some(Stmt::line("printf(\"at %d\\n\", _pid)")),
            84 => Some(Stmt::line("timeout")),
            85 => self.redirect(),
            86..=88 => self.select(),
            89..=91 => self.call(),
            _ => Some(Stmt::line("skip")),
        };
        made.unwrap_or_else(|| Stmt::line("skip"))
    }

    /// A condition that is true most of the time.
    fn claim(&mut self) -> String {
        let condition = self.condition(1);
        if self.rng.chance(50) { format!("({condition}) || 1") } else { condition }
    }

    pub(super) fn assignment(&mut self) -> Option<Stmt> {
        let (place, kind) = self.place()?;
        let text = match self.rng.below(10) {
            0..=3 => kind.step(&place, &mut self.rng).unwrap_or_else(|| format!("{place} = red")),
            4..=6 => format!("{place} = {}", kind.constant(&mut self.rng)),
            7 => match self.place() {
                Some((other, _)) => format!("{place} = {other}"),
                None => format!("{place} = 0"),
            },
            8 if kind != Kind::Mtype => format!("{place} = ({}) % 3", self.number(2)),
            _ => format!("{place} = ({} -> 1 : 0)", self.condition(1)),
        };
        Some(Stmt::line(text))
    }

    fn select(&mut self) -> Option<Stmt> {
        let counter = self.scope.counter.clone()?;
        let from = self.rng.below(2);
        Some(Stmt::line(format!("select ({counter} : {from} .. {})", from + self.rng.below(3))))
    }

    fn counted_loop(&mut self, at: Position) -> Option<Stmt> {
        let counter = self.scope.counter.clone()?;
        let arrays = self.scope.places.iter().filter(|p| p.size.is_some() && p.suffix.is_empty());
        let arrays: Vec<String> = arrays.map(|p| p.prefix.clone()).filter(|name| !name.contains(['.', '['])).collect();
        let head = match arrays.first() {
            Some(array) if self.rng.chance(50) => format!("for ({counter} in {array}) {{"),
            _ => format!("for ({counter} : 0 .. {}) {{", self.rng.below(2) + 1),
        };
        let body = self.sequence(2, Position { in_loop: true, ..at });
        Some(Stmt::block(head, body))
    }

    /// A block with a variable of its own.
    fn scoped(&mut self, at: Position) -> Stmt {
        // SPIN takes some blocks side by side for one: names differ.
        self.blocks += 1;
        let declaration = self.variable(&format!("y{}", self.blocks), true);
        let mut body = vec![Stmt::line(declaration)];
        body.extend(self.sequence(3, at));
        self.scope.places.pop();
        Stmt::block("{", body)
    }

    fn call(&mut self) -> Option<Stmt> {
        if self.scope.inlines.is_empty() {
            return None;
        }
        let inline = self.rng.pick(&self.scope.inlines).clone();
        let (place, _) = self.place()?;
        Some(Stmt::line(format!("{inline}({place}, {})", self.rng.below(3))))
    }

    fn choice(&mut self, head: &str, at: Position) -> Stmt {
        let inner = if head == "do" { Position { in_loop: true, ..at } } else { at };
        let mut options: Vec<Vec<Stmt>> = (0..=self.rng.below(3)).map(|_| self.option(inner)).collect();
        let begins = |with: fn(&Stmt) -> bool| options.iter().any(|option| option.first().is_some_and(with));
        // Of two `else` it is compared that they are refused.
        let often = if begins(Stmt::begins_with_else) { 20 } else { 45 };
        if !begins(Stmt::begins_with_message) && self.rng.chance(often) {
            let rest = if head == "do" && self.rng.chance(60) { vec![Stmt::line("break")] } else { self.option(inner) };
            let mut last = vec![Stmt::line("else")];
            last.extend(rest);
            options.push(last);
        } else if self.rng.chance(8) {
            options.push(vec![Stmt::line("timeout"), Stmt::line("skip")]);
        }
        Stmt::choice(head, options, if head == "do" { "od" } else { "fi" })
    }

    /// A loop that nobody else interrupts: it begins with messages, so that it is blocked sooner or later.
    fn rounds(&mut self, at: Position) -> Option<Stmt> {
        let mut options = Vec::new();
        for _ in 0..=self.rng.below(2) {
            let message = if self.rng.chance(70) { self.receive() } else { self.send() };
            let mut option = vec![message?];
            option.extend(self.sequence(2, Position { in_loop: true, ..at }));
            options.push(option);
        }
        Some(Stmt::choice("do", options, "od"))
    }

    /// A guard, most of the time, and what follows.
    fn option(&mut self, at: Position) -> Vec<Stmt> {
        let guard = match self.rng.below(10) {
            0 if at.depth > 0 && self.rng.chance(50) => Some(self.choice("if", at.deeper())),
            0..=4 => Some(Stmt::line(self.guard())),
            5..=6 => self.receive(),
            7 => self.send(),
            _ => None,
        };
        let mut statements: Vec<Stmt> = guard.into_iter().collect();
        if statements.is_empty() || self.rng.chance(70) {
            statements.extend(self.sequence(2, at));
        }
        if matches!(statements.first(), Some(Stmt::Group { head, .. }) if head.is_empty()) {
            // SPIN wants no `unless` in the place of a guard.
            statements.insert(0, Stmt::line("skip"));
        }
        if let [Stmt::Line(text)] = &*statements
            && (text == "skip" || text.starts_with("printf"))
        {
            // A loop that does nothing is refused.
            statements.extend(self.assignment());
        }
        statements
    }

    fn unless(&mut self, at: Position) -> Stmt {
        let main = self.sequence(3, at);
        let favoured = self.favour == Favour::Escapes && self.rng.chance(60);
        let guard = match self.rng.below(10) {
            _ if favoured => self.send(),
            0..=5 => Some(Stmt::line(self.guard())),
            6..=7 => self.receive(),
            8 => self.send(),
            _ => Some(Stmt::line("timeout")),
        };
        let mut escape: Vec<Stmt> = guard.into_iter().collect();
        if escape.is_empty() || self.rng.chance(60) {
            escape.extend(self.sequence(2, at));
        }
        Stmt::Group { head: String::new(), parts: vec![("{", main), ("} unless {", escape)], tail: "}" }
    }

    /// A `d_step`: a guard perhaps, then what never waits, with one exception in a while.
    fn step(&mut self) -> Stmt {
        let mut body = Vec::new();
        match self.rng.below(10) {
            0..=4 => body.push(Stmt::line(self.condition(1))),
            5 => body.extend(self.receive()),
            6 => body.extend(self.send()),
            _ => {}
        }
        for _ in 0..=self.rng.below(3) {
            body.extend(match self.rng.below(10) {
                0..=5 => self.assignment(),
                6..=7 => Some(self.decided()),
                8 if self.rng.chance(50) => self.buffered(),
                8 => self.call(),
                _ => Some(Stmt::line("skip")),
            });
        }
        if self.rng.chance(25) {
            body.push(self.bounded());
        }
        if body.is_empty() {
            body.push(Stmt::line("skip"));
        }
        Stmt::block("d_step {", body)
    }

    /// What is sent or received where that is possible, and skipped otherwise.
    fn buffered(&mut self) -> Option<Stmt> {
        let channel = self.channel(|_| true)?;
        if !self.scope.protocols[channel.protocol].buffered {
            return None;
        }
        let all = std::mem::replace(&mut self.scope.channels, vec![channel.clone()]);
        let (message, guard) = if self.rng.chance(50) { (self.send(), "nfull") } else { (self.receive(), "nempty") };
        self.scope.channels = all;
        let guard = vec![Stmt::line(format!("{guard}({})", channel.name)), message?];
        Some(Stmt::choice("if", vec![guard, vec![Stmt::line("else")]], "fi"))
    }

    /// A loop with an end, inside of a `d_step`, perhaps by a jump.
    fn bounded(&mut self) -> Stmt {
        self.blocks += 1;
        let (counter, label) = (format!("k{}", self.blocks), format!("D{}", self.blocks));
        let start = Stmt::line(format!("byte {counter} = 0"));
        let mut round = vec![Stmt::line(format!("{counter} < 2")), Stmt::line(format!("{counter}++"))];
        round.extend(self.assignment());
        if self.rng.chance(50) {
            let leave = vec![Stmt::line("else"), Stmt::line("break")];
            // Its end must not be the end of the `d_step`, or leaving it would be a jump out of that.
            return Stmt::block("{", vec![start, Stmt::choice("do", vec![round, leave], "od"), Stmt::line("skip")]);
        }
        round.push(Stmt::line(format!("goto {label}")));
        let mut choice = Stmt::choice("if", vec![round, vec![Stmt::line("else")]], "fi");
        choice.label(&label);
        Stmt::block("{", vec![start, choice])
    }

    fn decided(&mut self) -> Stmt {
        let mut options: Vec<Vec<Stmt>> = Vec::new();
        for _ in 0..=self.rng.below(2) {
            let mut option = vec![Stmt::line(self.condition(1))];
            option.extend(self.assignment());
            options.push(option);
        }
        if self.rng.chance(93) {
            options.push(vec![Stmt::line("else")]);
        }
        Stmt::choice("if", options, "fi")
    }
}
