//! Processes and their steps. The parts of a joint transition are divided among its processes such that the operations
//! keep their order: they run in the order of the processes.

use model::{Command, Expr, Kind, Pattern, ProcessId, Target, Transition, TransitionId};

use super::Printer;
use super::expr::{Type, level};

impl Printer<'_> {
    /// All processes, and a helper for transitions that have none.
    pub(super) fn processes(&mut self) {
        let mut steps: Vec<Vec<String>> = vec![Vec::new(); self.system.processes().len()];
        let mut helper = Vec::new();
        for t in self.system.transition_ids() {
            let transition = self.system.transition(t);
            if transition.moves.is_empty() {
                let label = self.label(t);
                helper.push(format!("run -> run{label}{}", self.clauses(&transition.guard, &transition.command)));
            }
            for (process, step) in self.parts(t, transition) {
                steps[process.index()].push(step);
            }
        }
        for (p, steps) in self.system.process_ids().zip(steps) {
            self.process(p, &steps);
        }
        if !helper.is_empty() || self.system.processes().is_empty() {
            // Beside others the helper may always stop; alone it is the net, which is stuck when it stands still.
            let end = if self.system.processes().is_empty() { "" } else { "end run\n" };
            let lines = format!("process {} {{\nstates run\n{end}{}\n}}", self.names.helper, helper.join("\n"));
            self.line(lines);
        }
    }

    fn process(&mut self, p: ProcessId, steps: &[String]) {
        let process = self.system.process(p);
        let states = || (0..process.locations.len()).map(|l| self.names.state(p, model::LocationId::new(l)));
        let ends: Vec<&str> = states().zip(&process.locations).filter(|(_, l)| l.end).map(|(name, _)| name).collect();
        let mut body = vec![format!("states {}", states().collect::<Vec<_>>().join(", "))];
        if process.initial.index() != 0 {
            body.push(format!("init {}", self.names.state(p, process.initial)));
        }
        if !ends.is_empty() {
            body.push(format!("end {}", ends.join(", ")));
        }
        body.extend(steps.iter().cloned());
        let lines = format!("process {} {{\n{}\n}}", self.names.process(p), body.join("\n"));
        self.line(lines);
    }

    fn label(&self, t: TransitionId) -> String {
        match self.names.step(t) {
            "" => String::new(),
            name => format!(" : {name}"),
        }
    }

    /// The steps of the processes that take part in a transition.
    fn parts(&self, t: TransitionId, transition: &Transition) -> Vec<(ProcessId, String)> {
        let joint = transition.moves.len() > 1;
        let name = if joint { format!(" sync {}", self.names.step(t)) } else { self.label(t) };
        let mut commands: Vec<Vec<Command>> = vec![Vec::new(); transition.moves.len()];
        let mut active = 0;
        for c in &transition.command {
            if let Some(holder) = self.holder(c) {
                let own = transition.moves.iter().position(|m| m.process == holder);
                active = own.expect("locks of others are written as variables");
            }
            if let Some(list) = commands.get_mut(active) {
                list.push(c.clone());
            }
        }
        let mut out = Vec::new();
        for (i, (m, command)) in transition.moves.iter().zip(&commands).enumerate() {
            let guard = if i == 0 { &transition.guard[..] } else { &[] };
            let (from, to) = (self.names.state(m.process, m.from), self.names.state(m.process, m.to));
            out.push((m.process, format!("{from} -> {to}{name}{}", self.clauses(guard, command))));
        }
        out
    }

    /// The process whose step must contain the operation.
    fn holder(&self, command: &Command) -> Option<ProcessId> {
        match command {
            Command::Acquire(t, p) | Command::Release(t, p) if !self.names.block(t.first).as_holder => Some(*p),
            _ => None,
        }
    }

    /// ` when ... do ...`.
    fn clauses(&self, guard: &[Expr], command: &[Command]) -> String {
        let mut conditions: Vec<String> = guard.iter().map(|e| self.condition(e, level::TEMPORAL)).collect();
        let mut operations = Vec::new();
        for c in command {
            match c {
                Command::Acquire(t, p) if self.names.block(t.first).as_holder => {
                    conditions.push(format!("{} == 0", self.target(t)));
                    operations.push(format!("{} := {}", self.target(t), p.index() + 1));
                }
                Command::Release(t, p) if self.names.block(t.first).as_holder => {
                    operations.push(format!("assert {} == {}", self.target(t), p.index() + 1));
                    operations.push(format!("{} := 0", self.target(t)));
                }
                c => operations.push(self.command(c)),
            }
        }
        let mut out = String::new();
        if !conditions.is_empty() {
            out += &format!(" when {}", conditions.join(" && "));
        }
        if !operations.is_empty() {
            out += &format!(" do {}", operations.join(", "));
        }
        out
    }

    fn command(&self, command: &Command) -> String {
        match command {
            Command::Assign(t, e) => {
                let ty = match &self.system.object(t.first).kind {
                    Kind::Variable(domain) => Type::of(domain),
                    _ => Type::Int,
                };
                format!("{} := {}", self.target(t), self.expr(e, &ty, level::ANY))
            }
            Command::Acquire(t, _) => format!("acquire {}", self.target(t)),
            Command::Release(t, _) => format!("release {}", self.target(t)),
            Command::Gain(t, n) => self.tokens(t, *n, "signal", "+="),
            Command::Take(t, n) => self.tokens(t, *n, "wait", "-="),
            Command::Send(t, values) => {
                let fields = values.iter().enumerate().map(|(i, e)| self.expr(e, &self.field(t, i), level::ANY));
                format!("{}!({})", self.target(t), fields.collect::<Vec<_>>().join(", "))
            }
            Command::Receive(t, patterns) => {
                let fields = patterns.iter().enumerate().map(|(i, p)| match p {
                    Pattern::Ignore => "_".to_owned(),
                    Pattern::Bind(b) => self.target(b),
                    Pattern::Match(e) => format!("={}", self.expr(e, &self.field(t, i), level::ANY)),
                });
                format!("{}?({})", self.target(t), fields.collect::<Vec<_>>().join(", "))
            }
            Command::Assert(e) => format!("assert {}", self.condition(e, level::ANY)),
            Command::Unforeseen(_) => "assert false".to_owned(),
            Command::Insert(..) | Command::Retrieve(..) => self.system.show_command(command),
        }
    }

    fn tokens(&self, target: &Target, amount: u32, word: &str, sign: &str) -> String {
        let semaphore = matches!(self.system.object(target.first).kind, Kind::Semaphore { .. });
        match semaphore && !self.names.block(target.first).as_counter {
            true => format!("{word} {}", self.target(target)),
            false => format!("{} {sign} {amount}", self.target(target)),
        }
    }

    fn field(&self, channel: &Target, index: usize) -> Type {
        match &self.system.object(channel.first).kind {
            Kind::Channel(c) => c.fields.get(index).map_or(Type::Int, Type::of),
            _ => Type::Int,
        }
    }
}
