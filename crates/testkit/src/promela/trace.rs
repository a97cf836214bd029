//! `trace` and `notrace` assertions about the global channels of a program.

use super::generate::Generator;
use super::scope::{Channel, Field};
use super::{Process, Program, Stmt};

impl Generator {
    /// An assertion, if there is a channel to watch: a few events in a row, and perhaps a loop at the end.
    pub(super) fn trace_body(&mut self) -> Option<String> {
        let keyword = if self.rng.chance(30) { "notrace" } else { "trace" };
        let mut items: Vec<String> = Vec::new();
        for _ in 0..self.rng.below(3) {
            items.push(self.trace_item()?);
        }
        if items.is_empty() || self.rng.chance(60) {
            let options = 1 + self.rng.below(4);
            let events = (0..options).map(|_| Some(format!(":: {}", self.event()?))).collect::<Option<Vec<_>>>()?;
            items.push(format!("do {} od", events.join(" ")));
        }
        for item in items.iter_mut().skip(1) {
            if self.rng.chance(25) {
                *item = format!("end{}: {item}", self.blocks);
                self.blocks += 1;
            }
        }
        Some(format!("{keyword} {{ {} }}", items.join("; ")))
    }

    fn trace_item(&mut self) -> Option<String> {
        Some(match self.rng.below(4) {
            0 => format!("if :: {} :: {} fi", self.event()?, self.event()?),
            1 => format!("do :: {} :: {} -> break od", self.event()?, self.event()?),
            _ => self.event()?,
        })
    }

    /// A send or a receive. To SPIN, a rendezvous that nobody takes part in is sent all the same: only what is received
    /// means the same to both.
    fn event(&mut self) -> Option<String> {
        let Channel { name, protocol, .. } = self.channel(|c| !c.name.contains('('))?;
        let protocol = self.scope.protocols[protocol].clone();
        let sign = if protocol.buffered && self.rng.chance(60) { "!" } else { "?" };
        let mut field = |field: &Field| match field {
            Field::Number(kind) if self.rng.chance(35) => kind.constant(&mut self.rng),
            _ => "_".to_owned(),
        };
        let mut fields: Vec<String> = protocol.fields.iter().map(&mut field).collect();
        // To SPIN, a number with a sign is any number where something is sent.
        fields.iter_mut().filter(|f| f.starts_with('-')).for_each(|f| *f = "_".to_owned());
        Some(format!("{name}{sign}{}", fields.join(",")))
    }
}

/// The program without sorted sends and random receives: SPIN tells the assertion of other messages than theirs.
pub(super) fn in_order(program: Program) -> Program {
    let ordered = |p: Process| Process { body: p.body.into_iter().map(ordered).collect(), ..p };
    Program { processes: program.processes.into_iter().map(ordered).collect(), ..program }
}

fn ordered(statement: Stmt) -> Stmt {
    match statement {
        Stmt::Line(text) => Stmt::Line(text.replace("!!", "!").replace("??", "?")),
        Stmt::Group { head, parts, tail } => {
            let parts = parts.into_iter().map(|(before, part)| (before, part.into_iter().map(ordered).collect()));
            Stmt::Group { head, parts: parts.collect(), tail }
        }
    }
}
