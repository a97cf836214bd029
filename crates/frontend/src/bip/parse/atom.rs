//! Atom types.

use model::Span;

use super::cursor::{Parsed, Parser};
use crate::Diagnostic;
use crate::bip::ast::{
    AtomPriority, AtomType, Clock, Data, Expr, ExternalPort, Initial, Invariant, Name, Parameter, Port, PortExport,
    PortPattern, Resume, Transition, Trigger, Urgency,
};
use crate::bip::token::Kind;

/// The words that a declaration of an atom type begins with.
const WORDS: [&str; 11] =
    ["data", "clock", "export", "extern", "port", "place", "initial", "on", "internal", "priority", "invariant"];

impl Parser<'_, '_> {
    /// `atom type A(int n) ... end`; nothing if a mistake that was reported prevents it.
    pub(super) fn atom_type(&mut self) -> Parsed<Option<AtomType>> {
        let (start, mistakes) = (self.span(), self.mistakes());
        let head = self.head(&WORDS, Self::parameters);
        let mut draft = Draft::default();
        self.body(&WORDS, |p| p.atom_item(&mut draft))?;
        let span = self.since(start);
        // What could not be read is not missing.
        let Some((name, parameters)) = head.filter(|_| self.mistakes() == mistakes) else { return Ok(None) };
        draft.finish(name, parameters, span).map(Some)
    }

    fn atom_item(&mut self, atom: &mut Draft) -> Parsed<()> {
        match self.kind(0) {
            Kind::Export if self.kind(1) == Kind::Data => {
                self.bump();
                atom.data.extend(self.data(true)?);
            }
            Kind::Data => atom.data.extend(self.data(false)?),
            Kind::Export | Kind::Extern | Kind::Port => self.ports(atom)?,
            Kind::Place => {
                self.bump();
                atom.places.extend(self.names("the name of a place")?);
            }
            Kind::Initial => {
                self.once(atom.initial.is_some(), "`initial`")?;
                atom.initial = Some(self.initial()?);
            }
            Kind::On | Kind::Internal => {
                let transition = self.transition()?;
                atom.transitions.push(transition);
            }
            Kind::Priority => atom.priorities.push(self.atom_priority()?),
            Kind::Word if self.at_word("clock") => atom.clocks.extend(self.clocks()?),
            Kind::Word if self.at_word("invariant") => atom.invariants.push(self.invariant()?),
            _ => return Err(self.unexpected_word("a declaration of an atom type or `end`", &WORDS)),
        }
        Ok(())
    }

    /// `export port T p(x), q(y) as r`, `extern port T p(x) as "backend name" policy`.
    fn ports(&mut self, atom: &mut Draft) -> Parsed<()> {
        let exported = self.eat(Kind::Export);
        let external = !exported && self.eat(Kind::Extern);
        self.expect(Kind::Port, "`port`")?;
        let mut ports = self.port_list()?;
        if external {
            self.backend()?;
            let policy =
                if self.at(Kind::Word) && !WORDS.contains(&self.text(0)) { Some(self.name("")?) } else { None };
            for port in &mut ports {
                port.external = Some(ExternalPort { policy: policy.clone() });
            }
        } else if exported {
            let names = ports.iter().map(|port| port.name.clone());
            if self.eat(Kind::As) {
                let name = self.name("the name that others use")?;
                atom.exports.push(PortExport { name, ports: names.collect() });
            } else {
                atom.exports.extend(names.map(|name| PortExport { ports: vec![name.clone()], name }));
            }
        }
        atom.ports.extend(ports);
        Ok(())
    }

    /// `as "backend name"`, if it is there.
    fn backend(&mut self) -> Parsed<()> {
        if self.eat(Kind::As) {
            self.expect(Kind::String, "the name that it has outside, between quotes")?;
        }
        Ok(())
    }

    /// `T p(x), q(y)`.
    pub(super) fn port_list(&mut self) -> Parsed<Vec<Port>> {
        let port_type = self.path("the type of the port")?;
        self.list(|p| {
            let start = p.span();
            let name = p.name("the name of the port")?;
            let data = p.parenthesised(|p| p.name("the name of a data item"))?;
            Ok(Port { port_type: port_type.clone(), name, data, external: None, span: p.since(start) })
        })
    }

    /// `clock x, y unit second`.
    fn clocks(&mut self) -> Parsed<Vec<Clock>> {
        self.bump();
        let names = self.names("the name of the clock")?;
        let unit = if self.eat_word("unit") { Some(self.name("a unit of time")?) } else { None };
        Ok(names.into_iter().map(|name| Clock { name, unit: unit.clone() }).collect())
    }

    /// `initial to A, B do { ... } resume (x <= 2)`.
    fn initial(&mut self) -> Parsed<Initial> {
        let start = self.bump();
        self.expect(Kind::To, "`to`")?;
        let to = self.names("the name of a place")?;
        let actions = if self.eat(Kind::Do) { self.actions()? } else { Vec::new() };
        let resume = self.resume()?;
        Ok(Initial { to, actions, resume, span: self.since(start) })
    }

    /// `on p from A, B to C provided (g) eager do { ... } resume (x <= 2)`.
    fn transition(&mut self) -> Parsed<Transition> {
        let start = self.span();
        let trigger = if self.eat(Kind::On) {
            Trigger::Port(self.name("the name of a port")?)
        } else {
            self.bump();
            Trigger::Internal
        };
        self.expect(Kind::From, "`from` and a place")?;
        let from = self.names("the name of a place")?;
        self.expect(Kind::To, "`to` and a place")?;
        let to = self.names("the name of a place")?;
        let guard = if self.eat(Kind::Provided) { Some(self.condition()?) } else { None };
        let urgency = self.urgency();
        let actions = if self.eat(Kind::Do) { self.actions()? } else { Vec::new() };
        let resume = self.resume()?;
        Ok(Transition { trigger, from, to, guard, urgency, actions, resume, span: self.since(start) })
    }

    fn urgency(&mut self) -> Option<(Urgency, Span)> {
        let urgency = match self.text(0) {
            "eager" => Urgency::Eager,
            "lazy" => Urgency::Lazy,
            "delayable" => Urgency::Delayable,
            _ => return None,
        };
        Some((urgency, self.bump()))
    }

    fn resume(&mut self) -> Parsed<Option<Resume>> {
        let start = self.span();
        if !self.eat_word("resume") {
            return Ok(None);
        }
        let condition = if self.at(Kind::Open) { Some(self.condition()?) } else { None };
        Ok(Some(Resume { condition, span: self.since(start) }))
    }

    /// `priority name p < * provided (g)`.
    fn atom_priority(&mut self) -> Parsed<AtomPriority> {
        let start = self.bump();
        let name = self.name("the name of the priority")?;
        let early = self.priority_guard()?;
        let low = self.port_pattern()?;
        self.expect(Kind::Less, "`<`")?;
        let high = self.port_pattern()?;
        let guard = if early.is_some() { early } else { self.priority_guard()? };
        Ok(AtomPriority { name, low, high, guard, span: self.since(start) })
    }

    /// `provided (g)`, which may stand before or behind the rule.
    pub(super) fn priority_guard(&mut self) -> Parsed<Option<Expr>> {
        if self.eat(Kind::Provided) { Ok(Some(self.condition()?)) } else { Ok(None) }
    }

    fn port_pattern(&mut self) -> Parsed<PortPattern> {
        if self.at(Kind::Star) {
            return Ok(PortPattern::Any(self.bump()));
        }
        Ok(PortPattern::Port(self.name("a port or `*`")?))
    }

    /// `invariant name at A, B provided (c)`.
    fn invariant(&mut self) -> Parsed<Invariant> {
        let start = self.bump();
        let name = self.name("the name of the invariant")?;
        let placed = self.eat(Kind::From) || self.eat_word("at");
        let places = if placed { self.names("the name of a place")? } else { Vec::new() };
        self.expect(Kind::Provided, "`provided` and a condition")?;
        let condition = self.condition()?;
        Ok(Invariant { name, places, condition, span: self.since(start) })
    }
}

/// An atom type while its body is read.
#[derive(Default)]
struct Draft {
    data: Vec<Data>,
    clocks: Vec<Clock>,
    ports: Vec<Port>,
    exports: Vec<PortExport>,
    places: Vec<Name>,
    initial: Option<Initial>,
    transitions: Vec<Transition>,
    priorities: Vec<AtomPriority>,
    invariants: Vec<Invariant>,
}

impl Draft {
    fn finish(self, name: Name, parameters: Vec<Parameter>, span: Span) -> Parsed<AtomType> {
        let Some(initial) = self.initial else {
            let message = format!("the atom type `{}` has no initial transition", name.text);
            let error = Diagnostic::error(name.span, message).label("it cannot begin");
            return Err(Box::new(error.help("write `initial to` and a place")));
        };
        let Draft { data, clocks, ports, exports, places, transitions, priorities, invariants, .. } = self;
        Ok(AtomType {
            name,
            parameters,
            data,
            clocks,
            ports,
            exports,
            places,
            initial,
            transitions,
            priorities,
            invariants,
            span,
        })
    }
}
