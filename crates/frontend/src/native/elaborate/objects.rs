//! Objects and actions: kinds, domains, dimensions, initial values.

use std::rc::Rc;

use model::{ActionId, ChannelType, Domain, Kind, ObjectId, Span, Value};

use super::Elaborator;
use super::scope::{Array, Entity, Home, Scope, indexed, positions, volume};
use crate::Diagnostic;
use crate::native::ast::{Capacity, Initial, InitialKind, Item, ObjectKind, Objects, Part, Range, Type};
use crate::native::limits;
use crate::native::nearest::suggestion;
use crate::native::report::{Checked, all};

impl<'t> Elaborator<'t> {
    /// The objects and actions that are declared for all.
    pub(super) fn declarations(&mut self, items: &[Item<'t>]) {
        let scope = Scope::default();
        for item in items {
            match item {
                Item::Objects(objects) => self.objects(objects, &scope),
                Item::Actions(parts) => parts.iter().for_each(|part| self.declare_actions(part, &scope)),
                _ => {}
            }
        }
    }

    /// Declares objects: for all, or for the process at home in `scope`.
    pub(super) fn objects(&mut self, objects: &Objects<'t>, scope: &Scope<'t>) {
        let kind = self.kind(&objects.kind, scope);
        for part in &objects.names {
            // What cannot be made is declared all the same, as something small, so that its uses are not reported.
            let kind_or = kind.clone().unwrap_or(Kind::Variable(Domain::Range { lo: 0, hi: 0 }));
            let dims = self.dimensions(part, scope);
            let broken = kind.is_err() || dims.is_err();
            let dims = dims.unwrap_or_else(|_| vec![1; part.indices.len()]);
            let cells = dims.iter().product::<u32>() as usize;
            let initial = match (&kind, &objects.initial) {
                (Ok(kind), Some(initial)) if !broken => self.initial(kind, initial, cells, scope).ok(),
                _ => None,
            };
            let array = self.add(part, kind_or, dims, initial.unwrap_or_default(), scope.home);
            self.declare_objects(part, Array { broken, ..array }, scope.home);
        }
    }

    /// Adds the cells to the model; missing initial values are the kind's own.
    fn add(&mut self, part: &Part<'t>, kind: Kind, dims: Vec<u32>, initial: Vec<Value>, home: Option<Home>) -> Array {
        let prefix = home.map(|h| format!("{}.", self.families[h.family].members[h.member].name)).unwrap_or_default();
        let first = ObjectId::new(self.kinds.len());
        let ranges: Vec<(i64, i64)> = dims.iter().map(|&d| (0, i64::from(d) - 1)).collect();
        let mut values = initial.into_iter();
        for indices in positions(&ranges) {
            let name = format!("{prefix}{}", indexed(part.name.text, &indices));
            let value = values.next().unwrap_or_else(|| kind.default_value());
            self.builder.object_with(name, kind.clone(), value, Some(part.span));
            self.kinds.push(kind.clone());
        }
        Array { first, dims, kind, span: part.name.span, broken: false }
    }

    fn declare_objects(&mut self, part: &Part<'t>, array: Array, home: Option<Home>) {
        let Some(home) = home else {
            return self.declare(&part.name, Entity::Objects(Rc::new(array)));
        };
        let locals = &mut self.families[home.family].members[home.member].locals;
        match locals.get(part.name.text).cloned() {
            Some(first) => {
                self.duplicate(&part.name, first.kind.noun(), first.span);
            }
            None => {
                locals.insert(part.name.text, Rc::new(array));
            }
        }
    }

    fn declare_actions(&mut self, part: &Part<'t>, scope: &Scope<'t>) {
        let Ok(dims) = self.dimensions(part, scope) else {
            self.reports.skip(std::iter::once(part.name.text));
            return;
        };
        let ranges: Vec<(i64, i64)> = dims.iter().map(|&d| (0, i64::from(d) - 1)).collect();
        if self.actions.len() + volume(&ranges).unwrap_or(usize::MAX) > limits::ACTIONS {
            let message = format!("the model has more than {} actions", limits::ACTIONS);
            self.error(Diagnostic::error(part.span, message).label("too many"));
            self.reports.skip(std::iter::once(part.name.text));
            return;
        }
        let first = ActionId::new(self.actions.len());
        for indices in positions(&ranges) {
            let name = indexed(part.name.text, &indices);
            self.builder.action(name.clone());
            self.actions.push((name, part.span));
            self.parties.push(Default::default());
        }
        self.declare(&part.name, Entity::Actions(first, dims));
    }

    /// The sizes of an array, each at least 1, all cells together not too many.
    fn dimensions(&mut self, part: &Part<'t>, scope: &Scope<'t>) -> Checked<Vec<u32>> {
        let mut dims = Vec::new();
        let mut cells = 1usize;
        for e in &part.indices {
            let size = self.constant_int(e, scope, "the size of an array")?;
            if size < 1 {
                let message = format!("the array `{}` would have {size} cells", part.name.text);
                let what = Diagnostic::error(e.span, message).label("expected at least 1");
                return Err(self.error(what));
            }
            let product = usize::try_from(size).ok().and_then(|s| cells.checked_mul(s));
            cells = product.filter(|&c| c + self.kinds.len() <= limits::OBJECTS).ok_or_else(|| {
                let message = format!("the model has more than {} objects", limits::OBJECTS);
                self.error(Diagnostic::error(part.span, message).label("too large"))
            })?;
            dims.push(size as u32);
        }
        if self.kinds.len() >= limits::OBJECTS {
            let message = format!("the model has more than {} objects", limits::OBJECTS);
            return Err(self.error(Diagnostic::error(part.span, message).label("too many")));
        }
        Ok(dims)
    }

    fn kind(&mut self, kind: &ObjectKind<'t>, scope: &Scope<'t>) -> Checked<Kind> {
        match kind {
            ObjectKind::Variable(ty) => Ok(Kind::Variable(self.domain(ty, scope)?)),
            ObjectKind::Lock => Ok(Kind::Lock),
            ObjectKind::Semaphore(range) => Ok(Kind::Semaphore { max: self.maximum(range, "semaphore", scope)? }),
            ObjectKind::Counter(range) => Ok(Kind::Counter { max: self.maximum(range, "counter", scope)? }),
            ObjectKind::Channel(capacity, fields) => {
                let (capacity, lossy) = match capacity {
                    Capacity::Rendezvous => (0, false),
                    Capacity::Buffered(e) => (self.capacity(e, scope)?, false),
                    Capacity::Lossy(e) => (self.capacity(e, scope)?, true),
                };
                let fields = fields.iter().map(|ty| self.domain(ty, scope)).collect::<Checked<_>>()?;
                Ok(Kind::Channel(ChannelType { capacity, lossy, fields }))
            }
        }
    }

    fn capacity(&mut self, e: &crate::native::ast::Expr<'t>, scope: &Scope<'t>) -> Checked<u32> {
        let value = self.constant_int(e, scope, "the capacity of a channel")?;
        match u32::try_from(value) {
            Ok(capacity) if capacity >= 1 && capacity as usize <= limits::MESSAGES => Ok(capacity),
            _ => {
                let message = format!("a channel cannot hold {value} messages");
                let what = Diagnostic::error(e.span, message).label(format!("expected 1..{}", limits::MESSAGES));
                let help = (value == 0).then(|| "write `rendezvous` for a channel without buffer".to_owned());
                Err(self.error(what.maybe_help(help)))
            }
        }
    }

    fn maximum(&mut self, range: &Range<'t>, noun: &str, scope: &Scope<'t>) -> Checked<u32> {
        let (lo, hi) = self.constant_range(range, scope)?;
        if lo != 0 {
            let message = format!("the range of a {noun} begins with 0");
            return Err(self.error(Diagnostic::error(range.lo.span, message).label("expected 0")));
        }
        match i32::try_from(hi) {
            Ok(max) if max >= 1 => Ok(max as u32),
            _ => {
                let message = format!("a {noun} cannot have the maximum {hi}");
                Err(self.error(Diagnostic::error(range.hi.span, message).label(format!("expected 1..{}", i32::MAX))))
            }
        }
    }

    /// The values of a type.
    fn domain(&mut self, ty: &Type<'t>, scope: &Scope<'t>) -> Checked<Domain> {
        match ty {
            Type::Bool => Ok(Domain::Bool),
            Type::Range(range) => {
                let (lo, hi) = self.constant_range(range, scope)?;
                let (Ok(lo), Ok(hi)) = (i32::try_from(lo), i32::try_from(hi)) else {
                    let message = format!("the range {lo}..{hi} is too large");
                    let what = Diagnostic::error(range.span(), message).label("does not fit into 32 bits");
                    return Err(self.error(what));
                };
                if lo > hi {
                    let message = format!("the range {lo}..{hi} is empty");
                    return Err(self.error(Diagnostic::error(range.span(), message).label("no values")));
                }
                Ok(Domain::Range { lo, hi })
            }
            Type::Named(name) => match self.global(name.text).map(|d| &d.entity) {
                Some(Entity::Enumeration(e)) => Ok(Domain::Named(e.clone())),
                _ => {
                    let known = self.names_where(|e| matches!(e, Entity::Enumeration(_)));
                    let help = suggestion(name.text, known.into_iter().chain(["bool"]));
                    let what = Diagnostic::error(name.span, format!("there is no type `{}`", name.text));
                    let types = "types are `bool`, ranges such as `0..7`, and enumerations";
                    Err(self.unknown_name(name.text, what.label("unknown type").help(types).maybe_help(help)))
                }
            },
        }
    }

    /// The initial values of all cells.
    fn initial(&mut self, kind: &Kind, initial: &Initial<'t>, cells: usize, scope: &Scope<'t>) -> Checked<Vec<Value>> {
        let domain = match kind {
            Kind::Variable(domain) => domain.clone(),
            Kind::Semaphore { max } | Kind::Counter { max } => Domain::Range { lo: 0, hi: *max as i32 },
            Kind::Lock => {
                let what = Diagnostic::error(initial.span, "a lock has no initial value: it starts free");
                return Err(self.error(what.label("leave this out")));
            }
            Kind::Channel(channel) => return self.initial_queues(channel, initial, cells, scope),
        };
        match &initial.kind {
            InitialKind::One(e) => {
                let value = self.constant_in(e, &domain, scope)?;
                Ok(vec![Value::Int(value); cells])
            }
            InitialKind::Message(_) => {
                let what = Diagnostic::error(initial.span, "only a channel holds messages").label("not a value");
                Err(self.error(what))
            }
            InitialKind::List(_) => {
                let mut values = Vec::new();
                self.flatten(initial, &domain, scope, &mut values)?;
                self.one_for_each(values, cells, initial.span)
            }
        }
    }

    /// The values of a list, and of lists within it, row by row.
    fn flatten(&mut self, i: &Initial<'t>, domain: &Domain, scope: &Scope<'t>, out: &mut Vec<Value>) -> Checked<()> {
        match &i.kind {
            InitialKind::One(e) => out.push(Value::Int(self.constant_in(e, domain, scope)?)),
            InitialKind::List(list) => {
                all(list.iter().map(|i| self.flatten(i, domain, scope, out)))?;
            }
            InitialKind::Message(_) => {
                let what = Diagnostic::error(i.span, "only a channel holds messages").label("not a value");
                return Err(self.error(what));
            }
        }
        Ok(())
    }

    fn one_for_each(&mut self, values: Vec<Value>, cells: usize, span: Span) -> Checked<Vec<Value>> {
        if values.len() == cells {
            return Ok(values);
        }
        let message = format!("{} initial values are given for {cells} cells", values.len());
        let what = Diagnostic::error(span, message).label(format!("expected {cells}"));
        Err(self.error(what.help("`= v` gives every cell the value v")))
    }

    /// `= [messages]` for every cell, or `= [[messages], [messages]]` with one list for each.
    fn initial_queues(
        &mut self,
        channel: &ChannelType,
        initial: &Initial<'t>,
        cells: usize,
        scope: &Scope<'t>,
    ) -> Checked<Vec<Value>> {
        let InitialKind::List(list) = &initial.kind else {
            let what = Diagnostic::error(initial.span, "a channel starts with a list of messages");
            return Err(self.error(what.label("expected `[...]`").help("write `= [m]` for one message `m`")));
        };
        if list.iter().any(|i| matches!(i.kind, InitialKind::List(_))) {
            let queues = all(list.iter().map(|i| self.queue(channel, i, scope)))?;
            return self.one_for_each(queues, cells, initial.span);
        }
        let queue = self.queue(channel, initial, scope)?;
        let Value::Queue(messages) = &queue else { return Ok(vec![queue; cells]) };
        self.count_messages(messages.len().saturating_mul(cells), initial.span)?;
        Ok(vec![queue; cells])
    }

    fn count_messages(&mut self, more: usize, span: Span) -> Checked<()> {
        self.messages = self.messages.saturating_add(more);
        if self.messages <= limits::MESSAGES {
            return Ok(());
        }
        let message = format!("the channels start with more than {} messages", limits::MESSAGES);
        Err(self.error(Diagnostic::error(span, message).label("too many")))
    }

    fn queue(&mut self, channel: &ChannelType, initial: &Initial<'t>, scope: &Scope<'t>) -> Checked<Value> {
        let InitialKind::List(list) = &initial.kind else {
            let what = Diagnostic::error(initial.span, "one list of messages is needed for each channel");
            return Err(self.error(what.label("expected `[...]`")));
        };
        if list.len() > channel.capacity as usize {
            let message = match channel.capacity {
                0 => "a rendezvous channel holds no messages".to_owned(),
                n => format!("{} messages do not fit into a channel of capacity {n}", list.len()),
            };
            return Err(self.error(Diagnostic::error(initial.span, message).label("too many messages")));
        }
        Ok(Value::Queue(all(list.iter().map(|m| self.message(channel, m, scope)))?))
    }

    fn message(&mut self, channel: &ChannelType, initial: &Initial<'t>, scope: &Scope<'t>) -> Checked<Vec<i64>> {
        let fields: &[crate::native::ast::Expr<'t>] = match &initial.kind {
            InitialKind::One(e) => std::slice::from_ref(e),
            InitialKind::Message(fields) => fields,
            InitialKind::List(_) => &[],
        };
        let is_list = matches!(initial.kind, InitialKind::List(_));
        if is_list || fields.len() != channel.fields.len() {
            let message = format!("a message of this channel has {} fields", channel.fields.len());
            return Err(self.error(Diagnostic::error(initial.span, message).label("wrong number of fields")));
        }
        all(fields.iter().zip(&channel.fields).map(|(e, domain)| self.constant_in(e, domain, scope)))
    }
}
