//! Expressions.

use super::generate::Generator;
use super::scope::{Field, Place};
use super::values::{Kind, MTYPES};

impl Generator {
    /// One of the places, with its type: what can be written to, and read.
    pub(super) fn place(&mut self) -> Option<(String, Kind)> {
        if self.scope.places.is_empty() {
            return None;
        }
        let Place { prefix, size, suffix, kind } = self.rng.pick(&self.scope.places).clone();
        let index = size.map(|n| self.index(n));
        Some((format!("{prefix}{}{suffix}", index.map_or(String::new(), |i| format!("[{i}]"))), kind))
    }

    /// A place whose values fit into a field: constants of the `mtype` and numbers do not mix there.
    pub(super) fn place_for(&mut self, field: Kind) -> Option<String> {
        (0..4)
            .find_map(|_| self.place().filter(|(_, kind)| (*kind == Kind::Mtype) == (field == Kind::Mtype)))
            .map(|p| p.0)
    }

    /// A place that can hold all values of a field: SPIN does not undo it properly if something was cut off.
    pub(super) fn place_to_receive(&mut self, field: Kind) -> Option<String> {
        let fits = |kind: Kind| match field {
            Kind::Mtype => kind == Kind::Mtype,
            Kind::Short => matches!(kind, Kind::Short | Kind::Int),
            _ => matches!(kind, Kind::Byte | Kind::Pid | Kind::Short | Kind::Int),
        };
        (0..4).find_map(|_| self.place().filter(|(_, kind)| fits(*kind))).map(|(place, _)| place)
    }

    /// An index that is never outside.
    fn index(&mut self, size: usize) -> String {
        if self.rng.chance(60) {
            return self.rng.below(size).to_string();
        }
        // Nothing that the statement itself may change: SPIN would undo it in another cell.
        let plain: Vec<&Place> = self.scope.places.iter().filter(|p| p.size.is_none()).collect();
        let index = match self.rng.below(3) {
            0 => "_pid".to_owned(),
            _ if plain.is_empty() => "_nr_pr".to_owned(),
            _ => self.rng.pick(&plain).prefix.clone(),
        };
        match size {
            2 => format!("({index} & 1)"),
            _ => format!("(({index} & 3) % {size})"),
        }
    }

    /// A number; `depth` bounds its nesting.
    pub(super) fn number(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.chance(30) {
            return self.leaf();
        }
        let (a, b, small) = (self.number(depth - 1), self.number(depth - 1), self.rng.below(3) + 1);
        match self.rng.below(13) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {small})"),
            3 => format!("({a} / {small})"),
            4 => format!("({a} % {small})"),
            5 => format!("({a} & {b})"),
            6 => format!("({a} | {b})"),
            7 => format!("({a} ^ {b})"),
            8 => format!("({a} << {small})"),
            9 => format!("({a} >> {small})"),
            10 => format!("(-{a})"),
            11 => format!("(~{a})"),
            _ => format!("({} -> {a} : {b})", self.condition(depth - 1)),
        }
    }

    fn leaf(&mut self) -> String {
        match self.rng.below(20) {
            0 => "_pid".to_owned(),
            1 => "_nr_pr".to_owned(),
            2 => self.channel(|_| true).map_or_else(|| "3".to_owned(), |channel| format!("len({})", channel.name)),
            3..=6 => self.rng.below(4).to_string(),
            7 => (*self.rng.pick(&["LIMIT", "'a'", "true"])).to_owned(),
            _ => self.place().map_or_else(|| "1".to_owned(), |(text, _)| text),
        }
    }

    /// A condition that can stand anywhere in an expression.
    pub(super) fn condition(&mut self, depth: u32) -> String {
        if depth > 0 && self.rng.chance(25) {
            let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
            return match self.rng.below(3) {
                0 => format!("({a} && {b})"),
                1 => format!("({a} || {b})"),
                _ => format!("!({a})"),
            };
        }
        if self.rng.chance(6)
            && let Some(poll) = self.poll()
        {
            return poll;
        }
        self.comparison(depth)
    }

    /// A condition to wait for: whether there is room may be asked only here, and not negated.
    pub(super) fn guard(&mut self) -> String {
        if !self.scope.remote.is_empty() && self.rng.chance(3) {
            return format!("({} || {})", self.rng.pick(&self.scope.remote).clone(), self.condition(0));
        }
        let condition = self.condition(1);
        match (self.rng.below(20), self.probe()) {
            (0..=1, Some(probe)) => probe,
            (2, Some(probe)) => format!("({condition} && {probe})"),
            (3, Some(probe)) => format!("({probe} || {condition})"),
            _ => condition,
        }
    }

    fn comparison(&mut self, depth: u32) -> String {
        let Some((place, kind)) = self.place() else { return "(1)".to_owned() };
        let operator = *self.rng.pick(&["==", "!=", "<", "<=", ">", ">="]);
        match kind {
            Kind::Bit | Kind::Bool if self.rng.chance(60) => place,
            Kind::Mtype if self.rng.chance(80) => {
                let (constant, equal) = (*self.rng.pick(&MTYPES), *self.rng.pick(&["==", "!="]));
                format!("({place} {equal} {constant})")
            }
            _ if self.rng.chance(50) => format!("({place} {operator} {})", self.rng.below(3)),
            _ if self.rng.chance(30) => format!("({place} {operator} {})", kind.constant(&mut self.rng)),
            _ => format!("({place} {operator} {})", self.number(depth)),
        }
    }

    /// Whether there is room or a message.
    fn probe(&mut self) -> Option<String> {
        let channel = self.channel(|_| true)?;
        Some(format!("{}({})", self.rng.pick(&["full", "empty", "nfull", "nempty"]), channel.name))
    }

    /// Whether something could be received.
    fn poll(&mut self) -> Option<String> {
        let channel = self.channel(|_| true)?;
        if !self.scope.protocols[channel.protocol].buffered {
            return None;
        }
        let arguments = self.tests(channel.protocol);
        Some(format!("{}{}[{arguments}]", channel.name, self.rng.pick(&["?", "??"])))
    }

    /// Arguments of a poll: tests, variables (which stay as they are), or anything.
    fn tests(&mut self, protocol: usize) -> String {
        let fields = self.scope.protocols[protocol].fields.clone();
        let tests = fields.iter().map(|field| match field {
            Field::Number(kind) if self.rng.chance(60) => kind.constant(&mut self.rng),
            Field::Number(kind) if self.rng.chance(50) => match self.place_for(*kind) {
                Some(place) => format!("eval({place})"),
                None => "_".to_owned(),
            },
            _ => "_".to_owned(),
        });
        tests.collect::<Vec<_>>().join(", ")
    }
}
