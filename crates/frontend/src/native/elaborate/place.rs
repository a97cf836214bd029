//! Places: what `x`, `grid[i][j]` and `Phil[0].x` name. Indices of processes, states and actions are constant; those
//! of objects may change from state to state.

use model::{ActionId, Binary, Expr, Kind, LocationId, Target};

use super::Elaborator;
use super::scope::{Array, Entity, Home, Scope, States, indexed, position};
use super::types::{Type, Typed};
use crate::Diagnostic;
use crate::native::ast;
use crate::native::nearest::suggestion;
use crate::native::report::{Checked, Reported};

/// What a place names.
pub(super) enum Meaning {
    /// A constant, and the word for it.
    Value(&'static str, Typed),
    Object {
        target: Target,
        kind: Kind,
        /// The height of an expression that reads it.
        depth: u32,
    },
    Process(Home),
    /// Something that is neither; the word for it.
    Other(&'static str),
}

impl Elaborator<'_> {
    /// What a place names.
    pub(super) fn meaning<'a>(&mut self, place: &ast::Place<'a>, scope: &Scope<'a>) -> Checked<Meaning> {
        let (head, name) = (&place.head, place.head.name);
        if let Some(member) = &place.member {
            if let Some(Entity::Process(home)) = self.dotted(place) {
                return Ok(Meaning::Process(home));
            }
            let home = self.owner(head, scope)?;
            return self.member(home, member, scope);
        }
        if let Some(value) = scope.vars.get(name.text) {
            self.no_indices(head, "an index variable")?;
            return Ok(Meaning::Value("index variable", Typed::constant(value, Type::Int, head.span)));
        }
        let local = scope.home.and_then(|h| self.families[h.family].members[h.member].locals.get(name.text));
        if let Some(array) = local.cloned() {
            return self.cell(&array, head, scope);
        }
        match self.global(name.text).map(|d| d.entity.clone()) {
            None => Err(self.unknown(&name, scope)),
            Some(Entity::Constant(noun, ty, value)) => {
                self.no_indices(head, &format!("a {noun}"))?;
                Ok(Meaning::Value(noun, Typed::constant(value, ty, head.span)))
            }
            Some(Entity::Objects(array)) => self.cell(&array, head, scope),
            Some(Entity::Family(family)) => Ok(Meaning::Process(self.process_of(family, head, scope)?)),
            Some(Entity::Process(home)) => {
                self.no_indices(head, "a process")?;
                Ok(Meaning::Process(home))
            }
            Some(entity) => Ok(Meaning::Other(entity.noun())),
        }
    }

    /// The object that a place names.
    pub(super) fn object<'a>(&mut self, place: &ast::Place<'a>, scope: &Scope<'a>) -> Checked<(Target, Kind, u32)> {
        let noun = match self.meaning(place, scope)? {
            Meaning::Object { target, kind, depth } => return Ok((target, kind, depth)),
            Meaning::Value(noun, _) | Meaning::Other(noun) => noun,
            Meaning::Process(_) => "process",
        };
        let article = if noun.starts_with(['a', 'e', 'i']) { "an" } else { "a" };
        let message = format!("`{}` is {article} {noun}, not an object", self.shown(place));
        let what = Diagnostic::error(place.span, message).label(format!("{article} {noun}"));
        let help = "steps work on objects: var, lock, semaphore, counter, channel";
        Err(self.error(what.help(help)))
    }

    /// The place as it is written.
    pub(super) fn shown(&self, place: &ast::Place<'_>) -> String {
        match &place.member {
            Some(member) => format!("{}.{}", place.head.name.text, member.name.text),
            None => place.head.name.text.to_owned(),
        }
    }

    fn no_indices(&mut self, part: &ast::Part<'_>, what: &str) -> Checked<()> {
        match part.indices.first() {
            None => Ok(()),
            Some(index) => {
                let message = format!("`{}` is {what}, not an array", part.name.text);
                Err(self.error(Diagnostic::error(index.span, message).label("no index here")))
            }
        }
    }

    /// What a name with a dot in it stands for, as another language may have; here only members are written so.
    pub(super) fn dotted(&self, place: &ast::Place<'_>) -> Option<Entity> {
        let member = place.member.as_ref().filter(|m| m.indices.is_empty() && place.head.indices.is_empty())?;
        let (head, member) = (place.head.name.text, member.name.text);
        self.global(head).is_none().then(|| self.global(&format!("{head}.{member}")))?.map(|d| d.entity.clone())
    }

    fn unknown(&mut self, name: &ast::Name<'_>, scope: &Scope<'_>) -> Reported {
        let locals = scope.home.map(|h| &self.families[h.family].members[h.member].locals);
        let mut known: Vec<&str> = scope.vars.names().chain(self.global_names()).collect();
        known.extend(locals.into_iter().flat_map(|l| l.keys().copied()));
        let states = scope.home.map(|h| &self.families[h.family].members[h.member].states);
        let what = Diagnostic::error(name.span, format!("there is no `{}`", name.text)).label("unknown name");
        let help = match (name.text, states) {
            ("and", _) => Some("write `&&`".to_owned()),
            ("or", _) => Some("write `||`".to_owned()),
            ("not", _) => Some("write `!`".to_owned()),
            (_, Some(s)) if s.groups.contains_key(name.text) => {
                Some("it is a state: steps test objects only".to_owned())
            }
            _ => self.member_of_another(name.text).or_else(|| suggestion(name.text, known)),
        };
        self.unknown_name(name.text, what.maybe_help(help))
    }

    /// The help for a name that some other process has for an object of its own.
    fn member_of_another(&self, name: &str) -> Option<String> {
        let owner = self.families.iter().flat_map(|f| &f.members).find(|m| m.locals.contains_key(name))?;
        Some(format!("did you mean `{}.{name}`?", owner.name))
    }

    /// All that there are, in words, if there are some, and not too many.
    pub(super) fn all_of((one, many): (&str, &str), mut known: Vec<&str>) -> Option<String> {
        known.sort_unstable();
        let all = format!("{} {}", if known.len() == 1 { one } else { many }, known.join(", "));
        (!known.is_empty() && all.len() < 120).then_some(all)
    }

    /// The process before the dot of `Phil[0].x`.
    pub(super) fn owner<'a>(&mut self, head: &ast::Part<'a>, scope: &Scope<'a>) -> Checked<Home> {
        match self.global(head.name.text).map(|d| d.entity.clone()) {
            Some(Entity::Family(family)) => self.process_of(family, head, scope),
            Some(Entity::Process(home)) => Ok(home),
            Some(entity) => {
                let message = format!("`{}` is not a process but a {}", head.name.text, entity.noun());
                Err(self.error(Diagnostic::error(head.span, message).label("only processes have members")))
            }
            None => {
                let message = format!("there is no process `{}`", head.name.text);
                let what = Diagnostic::error(head.name.span, message).label("unknown process");
                let what = what.maybe_help(self.nearest_process(head.name.text));
                Err(self.unknown_name(head.name.text, what))
            }
        }
    }

    /// The process that a name was probably meant to be, or all of them.
    fn nearest_process(&self, name: &str) -> Option<String> {
        let names: Vec<&str> = self.families.iter().map(|f| f.name.text).collect();
        suggestion(name, names.iter().copied())
            .or_else(|| Self::all_of(("the only process is", "the processes are"), names))
    }

    /// What stands before `at`.
    pub(super) fn located<'a>(&mut self, place: &ast::Place<'a>, scope: &Scope<'a>) -> Checked<Meaning> {
        let name = place.head.name;
        let known = scope.vars.get(name.text).is_some() || self.global(name.text).is_some();
        if known || place.member.is_some() {
            return self.meaning(place, scope);
        }
        let what = Diagnostic::error(name.span, format!("there is no `{}`", name.text)).label("unknown name");
        let what = what.maybe_help(self.nearest_process(name.text));
        Err(self.unknown_name(name.text, what))
    }

    fn member<'a>(&mut self, home: Home, member: &ast::Part<'a>, scope: &Scope<'a>) -> Checked<Meaning> {
        let owner = &self.families[home.family].members[home.member];
        if let Some(array) = owner.locals.get(member.name.text).cloned() {
            return self.cell(&array, member, scope);
        }
        let message = format!("the process `{}` has no object `{}`", owner.name, member.name.text);
        let help = match owner.states.groups.contains_key(member.name.text) {
            true => Some(format!("it is a state: write `{} at {}`", owner.name, member.name.text)),
            false => {
                let known: Vec<&str> = owner.locals.keys().copied().collect();
                let all = Self::all_of(("its only object is", "its objects are"), known.clone());
                suggestion(member.name.text, known).or(all)
            }
        };
        let what = Diagnostic::error(member.name.span, message).label("unknown name").maybe_help(help);
        Err(self.unknown_name(member.name.text, what))
    }

    /// The member of a family that constant indices select.
    fn process_of<'a>(&mut self, family: usize, part: &ast::Part<'a>, scope: &Scope<'a>) -> Checked<Home> {
        if self.families[family].broken {
            return Err(Reported);
        }
        let indices = self.constant_indices(part, scope, "the index of a process")?;
        let ranges = &self.families[family].ranges;
        match select("process", part, ranges, &indices) {
            Ok(member) => Ok(Home { family, member }),
            // In a part that is never evaluated any member will do, if there is one.
            Err(_) if self.dead > 0 && !self.families[family].members.is_empty() => Ok(Home { family, member: 0 }),
            Err(diagnostic) => Err(self.error(diagnostic)),
        }
    }

    pub(super) fn constant_indices<'a>(
        &mut self,
        part: &ast::Part<'a>,
        scope: &Scope<'a>,
        what: &str,
    ) -> Checked<Vec<i64>> {
        part.indices.iter().map(|e| self.constant_int(e, scope, what)).collect()
    }

    /// An action, as `sync` and `uses` name it; none if it is not there in a part that is never evaluated.
    pub(super) fn action<'a>(&mut self, part: &ast::Part<'a>, scope: &Scope<'a>) -> Checked<Option<ActionId>> {
        let name = part.name;
        match self.global(name.text).map(|d| d.entity.clone()) {
            Some(Entity::Actions(first, dims)) => {
                let indices = self.constant_indices(part, scope, "the index of an action")?;
                let ranges: Vec<(i64, i64)> = dims.iter().map(|&d| (0, i64::from(d) - 1)).collect();
                match select("action", part, &ranges, &indices) {
                    Ok(offset) => Ok(Some(ActionId::new(first.index() + offset))),
                    Err(_) if self.dead > 0 => Ok(None),
                    Err(diagnostic) => Err(self.error(diagnostic)),
                }
            }
            Some(entity) => {
                let message = format!("`{}` is not an action but a {}", name.text, entity.noun());
                let help = "steps synchronise on actions: `action go`";
                Err(self.error(Diagnostic::error(name.span, message).label("expected an action").help(help)))
            }
            None => {
                let actions = self.names_where(|e| matches!(e, Entity::Actions(..)));
                let help = suggestion(name.text, actions.iter().copied());
                let what = Diagnostic::error(name.span, format!("there is no action `{}`", name.text));
                let declare = format!("declare it: `action {}`", name.text);
                Err(self.unknown_name(name.text, what.label("unknown action").help(declare).maybe_help(help)))
            }
        }
    }

    /// A state of a process.
    pub(super) fn state<'a>(&mut self, home: Home, part: &ast::Part<'a>, scope: &Scope<'a>) -> Checked<LocationId> {
        let indices = self.constant_indices(part, scope, "the index of a state")?;
        let member = &self.families[home.family].members[home.member];
        let found = find_state(&member.states, &format!("the process `{}`", member.name), part, &indices);
        self.found_state(found)
    }

    /// Reports a state that is not there. In a part that is never evaluated an index may be wrong, a name may not.
    pub(super) fn found_state(&mut self, found: Result<LocationId, NoState>) -> Checked<LocationId> {
        match found {
            Ok(location) => Ok(location),
            Err(NoState::Index(_)) if self.dead > 0 => Ok(LocationId(0)),
            Err(NoState::Index(diagnostic)) => Err(self.error(diagnostic)),
            Err(NoState::Broken) => Err(Reported),
            Err(NoState::Name(name, diagnostic)) => Err(self.unknown_name(&name, diagnostic)),
        }
    }

    /// The cell of an array, or the object itself.
    fn cell<'a>(&mut self, array: &Array, part: &ast::Part<'a>, scope: &Scope<'a>) -> Checked<Meaning> {
        if array.broken {
            return Err(Reported);
        }
        let kind = array.kind.clone();
        if part.indices.len() != array.dims.len() {
            return Err(self.wrong_indices(array, part));
        }
        if array.dims.is_empty() {
            return Ok(Meaning::Object { target: Target::fixed(array.first), kind, depth: 1 });
        }
        let mut index: Option<Typed> = None;
        let mut in_range: Vec<Typed> = Vec::new();
        for (k, (e, &dim)) in part.indices.iter().zip(&array.dims).enumerate() {
            let typed = self.int(e, scope)?;
            let typed = self.checked_index(typed, dim, part)?;
            if k > 0 && typed.value().is_none() && !self.surely_below(&typed.expr, dim) {
                in_range.push(self.within(&typed, dim)?);
            }
            index = Some(match index {
                None => typed,
                Some(outer) => {
                    let size = Typed::constant(i64::from(dim), Type::Int, typed.span);
                    let row = self.apply(Binary::Mul, outer, size)?;
                    self.apply(Binary::Add, row, typed)?
                }
            });
        }
        let index = index.expect("an array has a dimension");
        let guarded = self.guarded(index, in_range)?;
        let cells = array.dims.iter().product();
        let depth = guarded.depth + 1;
        Ok(Meaning::Object { target: Target::cell(array.first, cells, guarded.expr), kind, depth })
    }

    fn wrong_indices(&mut self, array: &Array, part: &ast::Part<'_>) -> Reported {
        let name = part.name.text;
        let message = match (array.dims.len(), part.indices.len()) {
            (0, _) => format!("`{name}` is a single {}, not an array", array.kind.noun()),
            (1, 0) => format!("`{name}` is an array and needs an index"),
            (d, 0) => format!("`{name}` is an array and needs {d} indices"),
            (d, n) => format!("`{name}` has {d} dimensions, but {n} indices are given"),
        };
        let help = (part.indices.is_empty()).then(|| {
            let dims: String = array.dims.iter().map(|_| "[i]").collect();
            format!("write `{name}{dims}`")
        });
        self.error(Diagnostic::error(part.span, message).label("wrong number of indices").maybe_help(help))
    }

    /// A constant index must select a cell.
    fn checked_index(&mut self, index: Typed, dim: u32, part: &ast::Part<'_>) -> Checked<Typed> {
        match index.value() {
            Some(i) if !(0..i64::from(dim)).contains(&i) => {
                let message = format!("the index {i} is outside the array `{}`", part.name.text);
                let what = Diagnostic::error(index.span, message).label(format!("expected 0..{}", dim - 1));
                self.cannot_happen(what, Type::Int)
            }
            _ => Ok(index),
        }
    }

    /// Whether an index is a variable that can only select a cell.
    fn surely_below(&self, index: &Expr, dim: u32) -> bool {
        match index {
            Expr::Read(target) => match self.kinds.get(target.first.index()) {
                Some(Kind::Variable(domain)) => domain.lo() >= 0 && domain.hi() < i64::from(dim),
                _ => false,
            },
            _ => false,
        }
    }

    /// `0 <= index && index < dim`.
    fn within(&mut self, index: &Typed, dim: u32) -> Checked<Typed> {
        let bound = |value: i64| Typed::constant(value, Type::Int, index.span);
        let above = self.apply(Binary::Le, bound(0), index.clone())?;
        let below = self.apply(Binary::Lt, index.clone(), bound(i64::from(dim)))?;
        self.apply(Binary::And, above, below)
    }

    /// The index if all inner indices are in range, else one that selects no cell: an inner index that is too large
    /// must not reach into the next row.
    fn guarded(&mut self, index: Typed, in_range: Vec<Typed>) -> Checked<Typed> {
        if in_range.is_empty() {
            return Ok(index);
        }
        let span = index.span;
        let condition = self.junction(Binary::And, in_range, span)?;
        let depth = self.deeper(condition.depth.max(index.depth), span)?;
        let expr = Expr::If(Box::new(condition.expr), Box::new(index.expr), Box::new(Expr::Const(-1)));
        Ok(Typed { expr, ty: Type::Int, depth, span })
    }
}

/// The position that constant indices select.
fn select(noun: &str, part: &ast::Part<'_>, ranges: &[(i64, i64)], indices: &[i64]) -> Result<usize, Diagnostic> {
    let name = part.name.text;
    if ranges.len() != indices.len() {
        let message = match (ranges.len(), indices.len()) {
            (0, _) => format!("`{name}` is a single {noun} and takes no index"),
            (1, 0) => format!("`{name}` is a family and needs an index"),
            (d, n) => format!("`{name}` takes {d} indices, but {n} are given"),
        };
        return Err(Diagnostic::error(part.span, message).label("wrong number of indices"));
    }
    position(ranges, indices).map_err(|k| {
        let message = format!("there is no {noun} `{}`", indexed(name, indices));
        let (lo, hi) = ranges[k];
        let label = if lo > hi { "the family is empty".to_owned() } else { format!("expected {lo}..{hi}") };
        Diagnostic::error(part.indices[k].span, message).label(label)
    })
}

/// Why a part names no state.
pub(super) enum NoState {
    Name(String, Diagnostic),
    Index(Diagnostic),
    /// Its declaration was rejected.
    Broken,
}

/// The state that a part names, or what is wrong with it.
pub(super) fn find_state(
    states: &States<'_>,
    owner: &str,
    part: &ast::Part<'_>,
    indices: &[i64],
) -> Result<LocationId, NoState> {
    let name = part.name.text;
    let Some(group) = states.groups.get(name) else {
        let what = Diagnostic::error(part.name.span, format!("{owner} has no state `{name}`")).label("unknown state");
        let mut known: Vec<&str> = states.groups.keys().copied().collect();
        known.sort_unstable();
        let all = format!("its states are {}", known.join(", "));
        let all = (!known.is_empty() && all.len() < 120).then_some(all);
        return Err(NoState::Name(name.to_owned(), what.maybe_help(all).maybe_help(suggestion(name, known))));
    };
    if group.broken {
        return Err(NoState::Broken);
    }
    let offset = select("state", part, &group.ranges, indices).map_err(NoState::Index)?;
    Ok(LocationId::new(group.first.index() + offset))
}
