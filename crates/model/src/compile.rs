//! Guards and commands as straight-line code over packed states, made once, before any search.
//!
//! Most guards compare a field with a constant and most commands write constants; several such tests, or writes, to the
//! same word become one masked comparison, or one masked store. Tests may only move forward past tests that cannot be
//! faults, because a fault counts only if all earlier conjuncts hold.

use crate::bounds::bounds;
use crate::code::{Code, Coder, Place};
use crate::layout::{Field, Layout};
use crate::objects::{Kind, Object};
use crate::{Binary, Command, Domain, Expr, Fault, LocationId, ObjectId, Observer, Pattern, System, Target};
use crate::{Transition, TransitionId, Unary};

/// The compiled system.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    tests: Vec<Test>,
    steps: Vec<Step>,
    /// For each transition, and one past the last, where its tests and its steps begin.
    starts: Vec<(u32, u32)>,
    /// For each location of each process, its transitions, as ranges of `candidates`.
    pub(crate) candidates: Vec<TransitionId>,
    pub(crate) ranges: Vec<(u32, u32)>,
    /// The first entry of each process in `ranges`; one past the last process are the transitions without process.
    pub(crate) bases: Vec<u32>,
    /// Of each transition: its group (a process, or the number of processes) and its position in `candidates`.
    pub(crate) slots: Vec<(u32, u32)>,
    observer: Option<ObserverProgram>,
}

#[derive(Clone, Debug)]
pub(crate) enum Test {
    /// The masked word equals these bits.
    Bits {
        word: u32,
        mask: u64,
        bits: u64,
    },
    /// The masked word differs from these bits.
    NotBits {
        word: u32,
        mask: u64,
        bits: u64,
    },
    AtMost(Field, i64),
    AtLeast(Field, i64),
    /// A condition that may be a fault.
    Code(Code),
    /// A condition that cannot be one.
    Pure(Code),
    /// The scalar of the cell is zero: a free lock.
    CellIsZero(Place),
    CellAtLeast(Place, i64),
    NotFull(Place),
    Receivable(Box<(Place, Vec<(usize, Code)>)>),
}

#[derive(Clone, Debug)]
enum Step {
    /// `word = word & keep | bits`.
    Set {
        word: u32,
        keep: u64,
        bits: u64,
    },
    /// Writes a value that can neither be a fault nor out of range.
    Store(Field, Code),
    /// Writes a value after a check of its range.
    Check(Box<(Place, Domain, Code)>),
    /// Adds to a field that cannot leave its range unnoticed.
    Bump {
        field: Field,
        delta: i64,
        top: i64,
        object: ObjectId,
    },
    SetCell(Box<(Place, i64)>),
    Release(Box<(Place, i64)>),
    AddCell(Box<(Place, i64, i64)>),
    Send(Box<(Place, Vec<(Code, Domain)>)>),
    Receive(Box<(Place, Vec<Bind>)>),
    Assert(Code),
}

/// A field of a message and the variable that takes it.
type Bind = (usize, Place, Domain);

#[derive(Clone, Debug)]
struct ObserverProgram {
    field: Field,
    edges: Vec<Vec<ObserverStep>>,
}

/// An edge of the observer: the transitions followed (`None`: all), the predicate, the location entered.
type ObserverStep = (Option<Vec<bool>>, Code, i64);

impl Program {
    pub(crate) fn new(system: &System) -> Self {
        let compiler = Compiler { layout: &system.layout, objects: &system.objects };
        let mut program = Program::default();
        for transition in &system.transitions {
            program.starts.push((program.tests.len() as u32, program.steps.len() as u32));
            program.tests.extend(compiler.tests(transition));
            program.steps.extend(compiler.steps(transition));
        }
        program.starts.push((program.tests.len() as u32, program.steps.len() as u32));
        program.index(system);
        program.observer = system.observer.as_ref().map(|o| compiler.observer(o, system.transitions.len()));
        program
    }

    fn index(&mut self, system: &System) {
        let mut groups: Vec<Vec<TransitionId>> = Vec::new();
        for process in &system.processes {
            self.bases.push(groups.len() as u32);
            groups.resize(groups.len() + process.locations.len(), Vec::new());
        }
        self.bases.push(groups.len() as u32);
        groups.push(Vec::new());
        self.slots = vec![(0, 0); system.transitions.len()];
        for (i, transition) in system.transitions.iter().enumerate() {
            let (process, location) = match transition.moves.first() {
                Some(m) => (m.process.index(), m.from.index()),
                None => (system.processes.len(), 0),
            };
            groups[self.bases[process] as usize + location].push(TransitionId::new(i));
            self.slots[i].0 = process as u32;
        }
        for group in groups {
            let start = self.candidates.len() as u32;
            for (k, &t) in group.iter().enumerate() {
                self.slots[t.index()].1 = start + k as u32;
            }
            self.candidates.extend(group);
            self.ranges.push((start, self.candidates.len() as u32));
        }
    }

    /// Whether the transition is enabled.
    pub(crate) fn enabled(&self, t: TransitionId, state: &[u64], layout: &Layout) -> Result<bool, Fault> {
        let (from, to) = (self.starts[t.index()].0, self.starts[t.index() + 1].0);
        for test in &self.tests[from as usize..to as usize] {
            if !test.holds(state, layout)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs an enabled transition's command on `state`, in place.
    pub(crate) fn run(&self, t: TransitionId, state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
        let (from, to) = (self.starts[t.index()].1, self.starts[t.index() + 1].1);
        for step in &self.steps[from as usize..to as usize] {
            step.run(state, layout)?;
        }
        match &self.observer {
            None => Ok(()),
            Some(observer) => observer.step(t, state, layout),
        }
    }
}

impl Test {
    pub(crate) fn holds(&self, state: &[u64], layout: &Layout) -> Result<bool, Fault> {
        let scalar = |p: &Place| Ok(layout.scalars[p.resolve(state, layout)?.index()].get(state));
        match self {
            Test::Bits { word, mask, bits } => Ok(state[*word as usize] & mask == *bits),
            Test::NotBits { word, mask, bits } => Ok(state[*word as usize] & mask != *bits),
            Test::AtMost(field, k) => Ok(field.get(state) <= *k),
            Test::AtLeast(field, k) => Ok(field.get(state) >= *k),
            Test::Code(code) => Ok(code.eval(state, layout)? != 0),
            Test::Pure(code) => Ok(code.value(state, layout) != 0),
            Test::CellIsZero(place) => Ok(scalar(place)? == 0),
            Test::CellAtLeast(place, k) => Ok(scalar(place)? >= *k),
            Test::NotFull(place) => {
                let object = place.resolve(state, layout)?;
                let capacity = i64::from(layout.channel(object).capacity);
                Ok(layout.scalars[object.index()].get(state) < capacity)
            }
            Test::Receivable(parts) => {
                let object = parts.0.resolve(state, layout)?;
                if layout.scalars[object.index()].get(state) == 0 {
                    return Ok(false);
                }
                let lanes = &layout.channel(object).lanes;
                for (lane, code) in &parts.1 {
                    if lanes[*lane].get(state, 0) != code.eval(state, layout)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// Joins this test with an earlier one of the same word, if both compare bits.
    fn merge_into(&self, earlier: &mut [Test]) -> bool {
        let Test::Bits { word, mask, bits } = self else { return false };
        for test in earlier {
            if let Test::Bits { word: w, mask: m, bits: b } = test
                && w == word
                && *m & mask == 0
            {
                *m |= mask;
                *b |= bits;
                return true;
            }
        }
        false
    }
}

impl Step {
    fn run(&self, state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
        match self {
            Step::Set { word, keep, bits } => {
                let word = &mut state[*word as usize];
                *word = *word & keep | bits;
            }
            Step::Store(field, code) => {
                let value = code.value(state, layout);
                field.set(state, value);
            }
            Step::Check(parts) => {
                let (place, domain, code) = &**parts;
                let object = place.resolve(state, layout)?;
                let value = code.eval(state, layout)?;
                store(object, domain, value, state, layout)?;
            }
            Step::Bump { field, delta, top, object } => {
                let value = field.get(state) + delta;
                if value > *top {
                    return Err(Fault::Overflow { object: *object });
                }
                field.set(state, value);
            }
            Step::SetCell(parts) => {
                let object = parts.0.resolve(state, layout)?;
                layout.scalars[object.index()].set(state, parts.1);
            }
            Step::Release(parts) => {
                let object = parts.0.resolve(state, layout)?;
                let field = layout.scalars[object.index()];
                if field.get(state) != parts.1 {
                    return Err(Fault::NotHeld { object });
                }
                field.set(state, 0);
            }
            Step::AddCell(parts) => {
                let (place, delta, top) = &**parts;
                let object = place.resolve(state, layout)?;
                let field = layout.scalars[object.index()];
                let value = field.get(state) + delta;
                if value > *top {
                    return Err(Fault::Overflow { object });
                }
                field.set(state, value);
            }
            Step::Send(parts) => send(&parts.0, &parts.1, state, layout)?,
            Step::Receive(parts) => receive(&parts.0, &parts.1, state, layout)?,
            Step::Assert(code) => {
                if code.eval(state, layout)? == 0 {
                    return Err(Fault::Assertion);
                }
            }
        }
        Ok(())
    }

    fn merge_into(&self, last: Option<&mut Step>) -> bool {
        if let Step::Set { word, keep, bits } = self
            && let Some(Step::Set { word: w, keep: k, bits: b }) = last
            && w == word
        {
            *k &= keep;
            *b = *b & keep | bits;
            return true;
        }
        false
    }
}

fn store(object: ObjectId, domain: &Domain, value: i64, state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
    if !domain.contains(value) {
        return Err(Fault::OutOfRange { object, value });
    }
    layout.scalars[object.index()].set(state, value);
    Ok(())
}

fn send(place: &Place, fields: &[(Code, Domain)], state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
    let object = place.resolve(state, layout)?;
    let (channel, length) = (layout.channel(object), layout.scalars[object.index()]);
    let n = length.get(state);
    for ((code, domain), lane) in fields.iter().zip(&channel.lanes) {
        let value = code.eval(state, layout)?;
        if !domain.contains(value) {
            return Err(Fault::OutOfRange { object, value });
        }
        lane.set(state, n as u32, value);
    }
    length.set(state, n + 1);
    Ok(())
}

fn receive(place: &Place, binds: &[Bind], state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
    let object = place.resolve(state, layout)?;
    let (channel, length) = (layout.channel(object), layout.scalars[object.index()]);
    // The message leaves the channel before its fields are written, in order.
    let mut values = [0; 8];
    let mut many = Vec::new();
    let values = if binds.len() <= values.len() {
        &mut values[..binds.len()]
    } else {
        many.resize(binds.len(), 0);
        &mut many[..]
    };
    for (value, (lane, _, _)) in values.iter_mut().zip(binds) {
        *value = channel.lanes[*lane].get(state, 0);
    }
    for lane in &channel.lanes {
        lane.shift_out(state);
    }
    let n = length.get(state);
    length.set(state, n - 1);
    for (&value, (_, target, domain)) in values.iter().zip(binds) {
        let object = target.resolve(state, layout)?;
        store(object, domain, value, state, layout)?;
    }
    Ok(())
}

impl ObserverProgram {
    fn step(&self, t: TransitionId, state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
        let location = self.field.get(state);
        for (on, when, to) in &self.edges[location as usize] {
            if on.as_ref().is_none_or(|on| on[t.index()]) && when.eval(state, layout)? != 0 {
                self.field.set(state, *to);
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Compiles the parts of one system.
pub(crate) struct Compiler<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) objects: &'a [Object],
}

impl Compiler<'_> {
    fn coder(&self) -> Coder<'_> {
        Coder { layout: self.layout, objects: self.objects }
    }

    fn tests(&self, transition: &Transition) -> Vec<Test> {
        let mut tests: Vec<Test> = Vec::new();
        // Tests before this one may be joined with later ones; from it on, a fault stands between them.
        let mut safe = true;
        let mut add = |test: Test, faultless: bool| {
            if !(safe && test.merge_into(&mut tests)) {
                tests.push(test);
            }
            safe &= faultless;
        };
        for m in &transition.moves {
            add(bits(self.layout.locations[m.process.index()], i64::from(m.from.0)), true);
        }
        for conjunct in &transition.guard {
            let faultless = bounds(conjunct, self.objects).is_some();
            match self.test(conjunct) {
                Test::Code(code) if faultless => add(Test::Pure(code), true),
                test => add(test, faultless),
            }
        }
        for command in &transition.command {
            if let Some(test) = self.definedness(command) {
                let faultless = command.expressions().is_empty();
                add(test, faultless);
            }
        }
        tests
    }

    pub(crate) fn test(&self, conjunct: &Expr) -> Test {
        let code = self.coder().code(conjunct);
        match &code {
            Code::Field(f) => compare(Binary::Ne, *f, 0).unwrap_or(Test::Code(code)),
            Code::Unary(Unary::Not, a) => match **a {
                Code::Field(f) => compare(Binary::Eq, f, 0).unwrap_or(Test::Code(code)),
                Code::Binary(op, ref ab) => match (complement(op), &**ab) {
                    (Some(op), (Code::Field(f), Code::Const(c))) => compare(op, *f, *c).unwrap_or(Test::Code(code)),
                    _ => Test::Code(code),
                },
                _ => Test::Code(code),
            },
            Code::Binary(op, ab) => match &**ab {
                (Code::Field(f), Code::Const(c)) => compare(*op, *f, *c).unwrap_or(Test::Code(code)),
                (Code::Const(c), Code::Field(f)) => {
                    mirror(*op).and_then(|op| compare(op, *f, *c)).unwrap_or(Test::Code(code))
                }
                _ => Test::Code(code),
            },
            _ => Test::Code(code),
        }
    }

    /// The condition under which a partial operation is defined.
    pub(crate) fn definedness(&self, command: &Command) -> Option<Test> {
        let coder = self.coder();
        let scalar = |object: ObjectId| self.layout.scalars[object.index()];
        Some(match command {
            Command::Acquire(t, _) => match coder.place(t) {
                Place::Fixed(o) => bits(scalar(o), 0),
                place => Test::CellIsZero(place),
            },
            Command::Take(t, amount) => match coder.place(t) {
                Place::Fixed(o) => Test::AtLeast(scalar(o), i64::from(*amount)),
                place => Test::CellAtLeast(place, i64::from(*amount)),
            },
            Command::Send(t, _) => match coder.place(t) {
                Place::Fixed(o) => Test::AtMost(scalar(o), i64::from(self.layout.channel(o).capacity) - 1),
                place => Test::NotFull(place),
            },
            Command::Receive(t, patterns) => {
                let matches: Vec<(usize, Code)> = patterns
                    .iter()
                    .enumerate()
                    .filter_map(|(i, p)| match p {
                        Pattern::Match(e) => Some((i, coder.code(e))),
                        Pattern::Bind(_) | Pattern::Ignore => None,
                    })
                    .collect();
                match coder.place(t) {
                    Place::Fixed(o) if matches.is_empty() => Test::AtLeast(scalar(o), 1),
                    place => Test::Receivable(Box::new((place, matches))),
                }
            }
            Command::Assign(..) | Command::Release(..) | Command::Gain(..) | Command::Assert(_) => return None,
        })
    }

    fn steps(&self, transition: &Transition) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        let locations = transition.moves.iter().filter(|m| m.from != m.to);
        let moves = locations.map(|m| set(self.layout.locations[m.process.index()], i64::from(m.to.0)));
        // Locations come first, sorted by word, so that constant writes can join them.
        let mut moves: Vec<Step> = moves.collect();
        moves.sort_by_key(|s| if let Step::Set { word, .. } = s { *word } else { 0 });
        for step in moves.into_iter().chain(transition.command.iter().map(|c| self.step(c))) {
            if !step.merge_into(steps.last_mut()) {
                steps.push(step);
            }
        }
        steps
    }

    fn step(&self, command: &Command) -> Step {
        let coder = self.coder();
        match command {
            Command::Assign(t, value) => self.assign(t, value),
            Command::Acquire(t, p) => self.set_scalar(t, i64::from(p.0) + 1),
            Command::Release(t, p) => Step::Release(Box::new((coder.place(t), i64::from(p.0) + 1))),
            Command::Gain(t, amount) => self.add(t, i64::from(*amount)),
            Command::Take(t, amount) => self.add(t, -i64::from(*amount)),
            Command::Send(t, values) => {
                let domains = self.channel_fields(t);
                let fields = values.iter().zip(domains).map(|(e, d)| (coder.code(e), d.clone()));
                Step::Send(Box::new((coder.place(t), fields.collect())))
            }
            Command::Receive(t, patterns) => {
                let binds = patterns.iter().enumerate().filter_map(|(i, p)| match p {
                    Pattern::Bind(b) => Some((i, coder.place(b), self.domain(b).clone())),
                    Pattern::Match(_) | Pattern::Ignore => None,
                });
                Step::Receive(Box::new((coder.place(t), binds.collect())))
            }
            Command::Assert(e) => Step::Assert(coder.code(e)),
        }
    }

    fn assign(&self, target: &Target, value: &Expr) -> Step {
        let (coder, domain) = (self.coder(), self.domain(target));
        let code = coder.code(value);
        let fits = bounds(value, self.objects).is_some_and(|(lo, hi)| domain.contains(lo) && domain.contains(hi));
        match (coder.place(target), &code) {
            (Place::Fixed(o), Code::Const(c)) if fits => set(self.layout.scalars[o.index()], *c),
            (Place::Fixed(o), _) if fits => Step::Store(self.layout.scalars[o.index()], code),
            (place, _) => Step::Check(Box::new((place, domain.clone(), code))),
        }
    }

    fn set_scalar(&self, target: &Target, value: i64) -> Step {
        match self.coder().place(target) {
            Place::Fixed(o) => set(self.layout.scalars[o.index()], value),
            place => Step::SetCell(Box::new((place, value))),
        }
    }

    fn add(&self, target: &Target, delta: i64) -> Step {
        let top = match &self.objects[target.first.index()].kind {
            Kind::Semaphore { max } | Kind::Counter { max } => i64::from(*max),
            _ => unreachable!("validation lets only counters and semaphores gain and take"),
        };
        match self.coder().place(target) {
            Place::Fixed(object) => Step::Bump { field: self.layout.scalars[object.index()], delta, top, object },
            place => Step::AddCell(Box::new((place, delta, top))),
        }
    }

    fn domain(&self, target: &Target) -> &Domain {
        match &self.objects[target.first.index()].kind {
            Kind::Variable(d) => d,
            _ => unreachable!("validation lets only variables be written"),
        }
    }

    fn channel_fields(&self, target: &Target) -> &[Domain] {
        match &self.objects[target.first.index()].kind {
            Kind::Channel(c) => &c.fields,
            _ => unreachable!("validation lets only channels be sent to"),
        }
    }

    fn observer(&self, observer: &Observer, transitions: usize) -> ObserverProgram {
        let mut edges = vec![Vec::new(); observer.locations.len()];
        for edge in &observer.edges {
            let on = edge.on.as_ref().map(|on| {
                let mut set = vec![false; transitions];
                on.iter().for_each(|t| set[t.index()] = true);
                set
            });
            edges[edge.from.index()].push((on, self.coder().code(&edge.when), i64::from(edge.to.0)));
        }
        ObserverProgram { field: self.layout.observer.unwrap_or_default(), edges }
    }
}

/// A predicate on the states of one system, compiled.
#[derive(Clone, Debug)]
pub struct Predicate(Code);

impl Predicate {
    /// Whether the predicate is true in a state of the system that it was compiled for.
    pub fn holds(&self, system: &System, state: &[u64]) -> Result<bool, Fault> {
        Ok(self.0.eval(state, &system.layout)? != 0)
    }
}

impl System {
    /// Compiles an expression for this system's states.
    pub fn predicate(&self, expr: &Expr) -> Predicate {
        Predicate(Coder { layout: &self.layout, objects: &self.objects }.code(expr))
    }

    /// The location of the observer, in a system that has one.
    pub fn observer_location(&self, state: &[u64]) -> Option<LocationId> {
        self.layout.observer.map(|f| LocationId(f.get(state) as u32))
    }
}

fn bits(field: Field, value: i64) -> Test {
    let (mask, bits) = (field.mask << field.shift, ((value - field.base) as u64) << field.shift);
    Test::Bits { word: field.word, mask, bits }
}

fn set(field: Field, value: i64) -> Step {
    let bits = ((value - field.base) as u64) << field.shift;
    Step::Set { word: field.word, keep: !(field.mask << field.shift), bits }
}

/// A comparison of a field with a constant, constants outside the field's range included.
fn compare(op: Binary, field: Field, value: i64) -> Option<Test> {
    let representable = (field.base..=field.base.saturating_add_unsigned(field.mask)).contains(&value);
    Some(match op {
        Binary::Eq if representable => bits(field, value),
        Binary::Ne if representable => match bits(field, value) {
            Test::Bits { word, mask, bits } => Test::NotBits { word, mask, bits },
            test => test,
        },
        Binary::Eq => Test::Code(Code::Const(0)),
        Binary::Ne => Test::Code(Code::Const(1)),
        Binary::Le => Test::AtMost(field, value),
        Binary::Lt => Test::AtMost(field, value.checked_sub(1)?),
        Binary::Ge => Test::AtLeast(field, value),
        Binary::Gt => Test::AtLeast(field, value.checked_add(1)?),
        _ => return None,
    })
}

fn complement(op: Binary) -> Option<Binary> {
    Some(match op {
        Binary::Eq => Binary::Ne,
        Binary::Ne => Binary::Eq,
        Binary::Lt => Binary::Ge,
        Binary::Le => Binary::Gt,
        Binary::Gt => Binary::Le,
        Binary::Ge => Binary::Lt,
        _ => return None,
    })
}

fn mirror(op: Binary) -> Option<Binary> {
    Some(match op {
        Binary::Eq | Binary::Ne => op,
        Binary::Lt => Binary::Gt,
        Binary::Le => Binary::Ge,
        Binary::Gt => Binary::Lt,
        Binary::Ge => Binary::Le,
        _ => return None,
    })
}
