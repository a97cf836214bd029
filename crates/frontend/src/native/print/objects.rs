//! Declarations of objects with their initial values.

use model::{ChannelType, Domain, Kind, Value};

use super::Printer;
use super::expr::Type;
use super::names::Block;

impl Printer<'_> {
    /// All objects; the ends of a rendezvous met when the system was built, so such channels are gone.
    pub(super) fn objects(&mut self) {
        for block in self.names.blocks.clone() {
            let kind = &self.system.objects()[block.first].kind;
            if !matches!(kind, Kind::Channel(c) if c.capacity == 0) {
                let declaration = self.declaration(&block, kind);
                let initial = self.initial(&block, kind);
                self.line(declaration + &initial);
            }
        }
    }

    fn declaration(&self, block: &Block, kind: &Kind) -> String {
        let name = match block.is_array {
            true => format!("{}[{}]", block.name, block.len),
            false => block.name.clone(),
        };
        match kind {
            Kind::Variable(domain) => format!("var {name} : {}", self.names.domain(domain)),
            Kind::Lock if block.as_holder => format!("var {name} : 0..{}", self.system.processes().len()),
            Kind::Lock => format!("lock {name}"),
            Kind::Semaphore { max } if !block.as_counter => format!("semaphore {name} : 0..{max}"),
            Kind::Semaphore { max } | Kind::Counter { max } => format!("counter {name} : 0..{max}"),
            Kind::Channel(channel) => {
                // Whether a message is lost is a transition of its own by now: the channel itself loses nothing.
                let fields: Vec<String> = channel.fields.iter().map(|d| self.names.domain(d)).collect();
                let of = if fields.is_empty() { String::new() } else { format!(" of ({})", fields.join(", ")) };
                format!("channel {name} : {}{of}", channel.capacity)
            }
        }
    }

    /// ` = ...`, unless all cells have their default values.
    fn initial(&self, block: &Block, kind: &Kind) -> String {
        let cells = &self.system.objects()[block.first..block.first + block.len];
        let default = kind.default_value();
        if cells.iter().all(|o| o.initial == default) {
            return String::new();
        }
        let values: Vec<String> = cells.iter().map(|o| self.value(kind, &o.initial)).collect();
        if block.is_array { format!(" = [{}]", values.join(", ")) } else { format!(" = {}", values[0]) }
    }

    fn value(&self, kind: &Kind, value: &Value) -> String {
        match (kind, value) {
            (Kind::Variable(domain), Value::Int(v)) => self.constant(*v, &Type::of(domain)),
            (Kind::Channel(channel), Value::Queue(messages)) => {
                let messages: Vec<String> = messages.iter().map(|m| self.message(channel, m)).collect();
                format!("[{}]", messages.join(", "))
            }
            (_, Value::Int(v)) => v.to_string(),
            (_, Value::Lock(holder)) => holder.map_or(0, |p| p.index() + 1).to_string(),
            (_, Value::Queue(_)) => "[]".to_owned(),
        }
    }

    fn message(&self, channel: &ChannelType, message: &[i64]) -> String {
        let field = |(v, d): (&i64, &Domain)| self.constant(*v, &Type::of(d));
        let fields: Vec<String> = message.iter().zip(&channel.fields).map(field).collect();
        format!("({})", fields.join(", "))
    }
}
