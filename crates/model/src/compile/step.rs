//! What firing a transition does to a packed state.

use super::Compiler;
use crate::bounds::bounds;
use crate::code::{Code, Offer, Place};
use crate::layout::{Field, Layout};
use crate::objects::Kind;
use crate::{Command, Domain, Expr, Fault, ObjectId, Pattern, Target, Transition};

/// One effect on a packed state.
#[derive(Clone, Debug)]
pub(super) enum Step {
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
    Insert(Box<(Place, Vec<(Code, Domain)>)>),
    /// Finds a message, which stays if the flag says so.
    Retrieve(Box<(Offer, Vec<Bind>, bool)>),
    Assert(Code),
    Unforeseen(u32),
}

/// A field of a message and the variable that takes it.
type Bind = (usize, Place, Domain);

impl Step {
    pub(super) fn run(&self, state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
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
            Step::Insert(parts) => insert(&parts.0, &parts.1, state, layout)?,
            Step::Retrieve(parts) => retrieve(&parts.0, &parts.1, parts.2, state, layout)?,
            Step::Unforeseen(number) => return Err(Fault::Unforeseen(*number)),
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
    write_binds(values, binds, state, layout)
}

/// Moves greater messages up from the end until the new one has its place.
fn insert(place: &Place, fields: &[(Code, Domain)], state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
    let object = place.resolve(state, layout)?;
    let (lanes, length) = (&layout.channel(object).lanes, layout.scalars[object.index()]);
    let n = length.get(state) as u32;
    let mut message = Vec::with_capacity(fields.len());
    for (code, domain) in fields {
        let value = code.eval(state, layout)?;
        if !domain.contains(value) {
            return Err(Fault::OutOfRange { object, value });
        }
        message.push(value);
    }
    let at = |i: u32, state: &[u64]| lanes.iter().map(|l| l.get(state, i)).collect::<Vec<i64>>();
    let position = (0..n).find(|&i| at(i, state) > message).unwrap_or(n);
    for lane in lanes {
        (position..n).rev().for_each(|i| lane.set(state, i + 1, lane.get(state, i)));
    }
    lanes.iter().zip(&message).for_each(|(lane, value)| lane.set(state, position, *value));
    length.set(state, i64::from(n) + 1);
    Ok(())
}

fn retrieve(offer: &Offer, binds: &[Bind], keep: bool, state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
    let (object, found) = offer.find(state, layout)?;
    let position = found.expect("an operation runs only where it is defined");
    let (lanes, length) = (&layout.channel(object).lanes, layout.scalars[object.index()]);
    let values: Vec<i64> = binds.iter().map(|(lane, _, _)| lanes[*lane].get(state, position)).collect();
    if !keep {
        let n = length.get(state);
        lanes.iter().for_each(|lane| lane.take_out(state, position, n as u32));
        length.set(state, n - 1);
    }
    write_binds(&values, binds, state, layout)
}

/// Writes the fields of a message to variables, in order.
fn write_binds(values: &[i64], binds: &[Bind], state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
    for (&value, (_, target, domain)) in values.iter().zip(binds) {
        let object = target.resolve(state, layout)?;
        store(object, domain, value, state, layout)?;
    }
    Ok(())
}

impl Compiler<'_> {
    pub(super) fn steps(&self, transition: &Transition) -> Vec<Step> {
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
            Command::Send(t, values) => Step::Send(Box::new((coder.place(t), self.fields(t, values)))),
            Command::Insert(t, values) => Step::Insert(Box::new((coder.place(t), self.fields(t, values)))),
            Command::Receive(t, patterns) => Step::Receive(Box::new((coder.place(t), self.binds(patterns)))),
            Command::Retrieve(t, patterns, how) => {
                Step::Retrieve(Box::new((coder.offer(t, patterns, how.anywhere), self.binds(patterns), how.keep)))
            }
            Command::Unforeseen(number) => Step::Unforeseen(*number),
            Command::Assert(e) => Step::Assert(coder.code(e)),
        }
    }

    /// The fields of a message, each with its domain.
    fn fields(&self, channel: &Target, values: &[Expr]) -> Vec<(Code, Domain)> {
        let domains = self.channel_fields(channel);
        values.iter().zip(domains).map(|(e, d)| (self.coder().code(e), d.clone())).collect()
    }

    fn binds(&self, patterns: &[Pattern]) -> Vec<Bind> {
        let bound = patterns.iter().enumerate().filter_map(|(i, p)| Some((i, p.bound()?)));
        bound.map(|(i, b)| (i, self.coder().place(b), self.domain(b).clone())).collect()
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
}

fn set(field: Field, value: i64) -> Step {
    let bits = ((value - field.base) as u64) << field.shift;
    Step::Set { word: field.word, keep: !(field.mask << field.shift), bits }
}
