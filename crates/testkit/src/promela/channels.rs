//! Sending, receiving, and running processes: whatever hands values on.

use super::Stmt;
use super::generate::Generator;
use super::scope::{Channel, Field};
use super::values::Kind;

impl Generator {
    /// One of the channels.
    pub(super) fn channel(&mut self, wanted: impl Fn(&Channel) -> bool) -> Option<Channel> {
        let fitting: Vec<&Channel> = self.scope.channels.iter().filter(|c| wanted(c)).collect();
        if fitting.is_empty() { None } else { Some((*self.rng.pick(&fitting)).clone()) }
    }

    /// Sends something.
    pub(super) fn send(&mut self) -> Option<Stmt> {
        let channel = self.channel(|_| true)?;
        let protocol = self.scope.protocols[channel.protocol].clone();
        let send = if protocol.buffered && self.rng.chance(20) { "!!" } else { "!" };
        let mut values = self.values(&protocol.fields)?;
        if send == "!!" {
            // SPIN finds the place of a message before it cuts values down to their fields.
            values = protocol.fields.iter().zip(values).map(|(field, value)| field.small(value)).collect();
        }
        Some(Stmt::line(match values.split_first() {
            Some((first, rest)) if !rest.is_empty() && self.rng.chance(30) => {
                format!("{}{send}{first}({})", channel.name, rest.join(", "))
            }
            _ => format!("{}{send}{}", channel.name, values.join(", ")),
        }))
    }

    /// Values for the fields of a message or for parameters.
    pub(super) fn values(&mut self, fields: &[Field]) -> Option<Vec<String>> {
        let value = |g: &mut Self, field: &Field| match *field {
            Field::Channel(protocol) => g.channel(|c| c.protocol == protocol).map(|c| c.name),
            Field::Number(kind) if g.rng.chance(60) => Some(kind.constant(&mut g.rng)),
            Field::Number(kind) => Some(match g.place_for(kind) {
                Some(place) if kind == Kind::Mtype || g.rng.chance(70) => place,
                _ if kind == Kind::Mtype => "red".to_owned(),
                _ => format!("({} & 3)", g.number(1)),
            }),
        };
        fields.iter().map(|field| value(self, field)).collect()
    }

    /// Receives something.
    pub(super) fn receive(&mut self) -> Option<Stmt> {
        let channel = self.channel(|_| true)?;
        let protocol = self.scope.protocols[channel.protocol].clone();
        let receive = if protocol.buffered && self.rng.chance(25) { "??" } else { "?" };
        let mut arguments: Vec<String> = protocol.fields.iter().map(|field| self.argument(*field)).collect();
        // SPIN wants no variable twice, and no index that changes meanwhile.
        let name = |argument: &str| argument.split(['[', '.']).next().unwrap_or_default().to_owned();
        let shared = |a: &str, b: &str| b.contains(&name(a)) || a.contains(&name(b));
        if arguments.len() == 2 && shared(&arguments[0], &arguments[1]) {
            arguments[1] = "_".to_owned();
        }
        // SPIN would put the message back into another channel.
        for argument in arguments.iter_mut().filter(|a| channel.name.contains(&format!("({a} &"))) {
            *argument = "_".to_owned();
        }
        let arguments = arguments.join(", ");
        let keep = protocol.buffered && self.rng.chance(15);
        Some(Stmt::line(match keep {
            true => format!("{}{receive}<{arguments}>", channel.name),
            false => format!("{}{receive}{arguments}", channel.name),
        }))
    }

    fn argument(&mut self, field: Field) -> String {
        match field {
            Field::Channel(protocol) => match self.channel(|c| c.variable && c.protocol == protocol) {
                Some(variable) => variable.name,
                None => "_".to_owned(),
            },
            Field::Number(kind) => match self.rng.below(10) {
                0 => "_".to_owned(),
                1..=3 => kind.constant(&mut self.rng),
                4 if kind != Kind::Mtype => {
                    self.place().map_or_else(|| "eval(_pid)".to_owned(), |(place, _)| format!("eval({place})"))
                }
                _ => self.place_to_receive(kind).unwrap_or_else(|| "_".to_owned()),
            },
        }
    }

    /// Makes a variable hold another channel.
    pub(super) fn redirect(&mut self) -> Option<Stmt> {
        let variable = self.channel(|c| c.variable)?;
        let other = self.channel(|c| c.protocol == variable.protocol)?;
        Some(Stmt::line(format!("{} = {}", variable.name, other.name)))
    }

    /// Runs a process, if there are not yet too many.
    pub(super) fn run(&mut self) -> Option<Stmt> {
        if self.scope.runnables.is_empty() {
            return None;
        }
        let process = self.rng.pick(&self.scope.runnables).clone();
        let arguments = self.values(&process.parameters)?.join(", ");
        let run = match self.place() {
            Some((place, _)) if self.rng.chance(20) => format!("{place} = run {}({arguments})", process.name),
            _ => format!("run {}({arguments})", process.name),
        };
        let room = Stmt::line(format!("(_nr_pr < {})", self.rng.between(2..=4)));
        Some(Stmt::block("atomic {", vec![room, Stmt::line(run)]))
    }
}
