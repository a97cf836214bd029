//! Random bodies against SPIN: many proctypes in each model, so that few runs of the compiler compare many of them.

use std::fmt::Write;

use super::mutants::next;
use super::programs::difference;
use super::spin;

/// Writes random bodies that SPIN takes.
struct Writer {
    seed: u64,
    labels: usize,
    marks: usize,
    variables: usize,
}

/// What is allowed where a statement stands.
#[derive(Clone, Copy)]
struct Around {
    depth: usize,
    in_loop: bool,
    in_step: bool,
}

impl Writer {
    fn pick(&mut self, below: usize) -> usize {
        next(&mut self.seed, below)
    }

    /// Statements; the first one carries no label and is no declaration, as SPIN wants it of blocks.
    fn sequence(&mut self, around: Around) -> String {
        let mut text = self.guard();
        for _ in 0..self.pick(4) {
            if self.pick(5) == 0 && !around.in_step {
                let guard = self.guard();
                write!(text, "; L{}: {guard}", self.labels).expect("strings grow");
                self.labels += 1;
            }
            write!(text, "; {}", self.statement(around)).expect("strings grow");
        }
        text
    }

    fn guard(&mut self) -> String {
        let value = self.pick(9);
        if self.pick(2) == 0 { format!("x == {value}") } else { format!("x = {value}") }
    }

    fn options(&mut self, around: Around) -> String {
        let mut text = String::new();
        for _ in 0..=self.pick(3) {
            let body = match self.pick(6) {
                0 if around.in_loop && !around.in_step => "break".to_owned(),
                1 if around.depth > 0 => {
                    let statement = self.statement(Around { depth: around.depth - 1, ..around });
                    // One `else` for all choices that are one.
                    if text.contains("else") && statement.contains("else") { self.guard() } else { statement }
                }
                _ => self.sequence(around),
            };
            write!(text, " :: {}{body}", self.mark(&body)).expect("strings grow");
        }
        if !text.contains("else") && self.pick(3) == 0 {
            write!(text, " :: else -> {}", self.sequence(around)).expect("strings grow");
        }
        text
    }

    /// A label that means something, or none: declarations have none.
    fn mark(&mut self, body: &str) -> String {
        match self.pick(9) {
            kind @ 0..3 if !body.starts_with("byte") => {
                self.marks += 1;
                format!("{}{}: ", ["end", "accept", "progress"][kind], self.marks)
            }
            _ => String::new(),
        }
    }

    fn statement(&mut self, around: Around) -> String {
        let Some(depth) = around.depth.checked_sub(1) else { return self.guard() };
        let inner = Around { depth, ..around };
        let looped = Around { in_loop: true, ..inner };
        match self.pick(if around.in_step { 5 } else { 14 }) {
            0 | 1 => self.guard(),
            2 => format!("if{} fi", self.options(Around { in_loop: inner.in_loop && !inner.in_step, ..inner })),
            3 if !around.in_step => format!("do{} od", self.options(looped)),
            3 | 4 => format!("{{ {} }}", self.sequence(inner)),
            5 => format!("atomic {{ {} }}", self.sequence(inner)),
            // SPIN does not want jumps to lead to a `d_step`.
            6 => {
                let step = Around { in_step: true, in_loop: false, ..inner };
                format!("x = 7; d_step {{ {} }}; x = 8", self.sequence(step))
            }
            7 => format!("{{ {} }} unless {{ {} }}", self.sequence(inner), self.sequence(inner)),
            8 if around.in_loop => "break".to_owned(),
            9 if self.labels > 0 => format!("goto L{}", self.pick(self.labels)),
            10 => format!("for (y : 1 .. 3) {{ {} }}", self.sequence(looped)),
            // A longer one would count, and SPIN throws a coin for the order of its options.
            11 => "select (y : 0 .. 2)".to_owned(),
            12 => {
                self.variables += 1;
                format!("byte v{} = x", self.variables)
            }
            _ => self.guard(),
        }
    }
}

fn model(seed: u64, proctypes: usize) -> String {
    let mut writer = Writer { seed, labels: 0, marks: 0, variables: 0 };
    let mut text = "byte x, y;\n".to_owned();
    for number in 0..proctypes {
        (writer.labels, writer.variables) = (0, 0);
        let body = writer.sequence(Around { depth: 4, in_loop: false, in_step: false });
        writeln!(text, "proctype P{number}() {{ {body}; x = 1 }}").expect("strings grow");
    }
    text + "init { skip }\n"
}

#[test]
fn random_bodies_have_spins_automata() {
    if spin::is_there() {
        for seed in 0..2 {
            let text = model(seed, 60);
            assert_eq!(difference(&text), None, "seed {seed}\n{text}");
        }
    }
}
