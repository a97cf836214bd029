//! What firing a transition does to a packed state.

use super::Compiler;
use super::queue::{Bind, Message, insert, receive, retrieve, send, store};
use crate::bounds::bounds_knowing;
use crate::code::{Code, Offer, Place};
use crate::known::{Known, learn, remember};
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
    /// Writes a value that can neither be a fault nor out of range, where the guard holds.
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
    Send(Box<Message>),
    Receive(Box<(Place, Vec<Bind>)>),
    Insert(Box<Message>),
    /// Finds a message, which stays if the flag says so.
    Retrieve(Box<(Offer, Vec<Bind>, bool)>),
    Assert(Code),
    Unforeseen(u32),
}

impl Step {
    /// Changes the state. What nearly all commands consist of is done on the spot.
    #[inline(always)]
    pub(super) fn run(&self, state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
        match self {
            Step::Set { word, keep, bits } => {
                let word = &mut state[*word as usize];
                *word = *word & keep | bits;
                Ok(())
            }
            Step::Store(field, code) => {
                let value = code.value(state, layout);
                field.set(state, value);
                Ok(())
            }
            _ => self.run_in(state, layout),
        }
    }

    fn run_in(&self, state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
        match self {
            Step::Set { .. } | Step::Store(..) => self.run(state, layout)?,
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
            Step::Send(message) => send(message, state, layout)?,
            Step::Receive(parts) => receive(&parts.0, &parts.1, state, layout)?,
            Step::Insert(message) => insert(message, state, layout)?,
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

impl Compiler<'_> {
    pub(super) fn steps(&self, transition: &Transition) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        let locations = transition.moves.iter().filter(|m| m.from != m.to);
        let moves = locations.map(|m| set(self.layout.locations[m.process.index()], i64::from(m.to.0)));
        // Locations come first, sorted by word, so that constant writes can join them.
        let mut moves: Vec<Step> = moves.collect();
        moves.sort_by_key(|s| if let Step::Set { word, .. } = s { *word } else { 0 });
        let mut known = Known::new();
        transition.guard.iter().for_each(|conjunct| learn(conjunct, self.objects, &mut known));
        let commands = transition.command.iter().map(|command| {
            let step = self.step(command, &known);
            remember(command, self.objects, &mut known);
            step
        });
        for step in moves.into_iter().chain(commands) {
            if !step.merge_into(steps.last_mut()) {
                steps.push(step);
            }
        }
        steps
    }

    fn step(&self, command: &Command, known: &Known) -> Step {
        let coder = self.coder();
        match command {
            Command::Assign(t, value) => self.assign(t, value, known),
            Command::Acquire(t, p) => self.set_scalar(t, i64::from(p.0) + 1),
            Command::Release(t, p) => Step::Release(Box::new((coder.place(t), i64::from(p.0) + 1))),
            Command::Gain(t, amount) => self.add(t, i64::from(*amount)),
            Command::Take(t, amount) => self.add(t, -i64::from(*amount)),
            Command::Send(t, values) => Step::Send(Box::new(self.message(t, values))),
            Command::Insert(t, values) => Step::Insert(Box::new(self.message(t, values))),
            Command::Receive(t, patterns) => Step::Receive(Box::new((coder.place(t), self.binds(patterns)))),
            Command::Retrieve(t, patterns, how) => {
                Step::Retrieve(Box::new((coder.offer(t, patterns, how.anywhere), self.binds(patterns), how.keep)))
            }
            Command::Unforeseen(number) => Step::Unforeseen(*number),
            Command::Assert(e) => Step::Assert(coder.code(e)),
        }
    }

    fn message(&self, channel: &Target, values: &[Expr]) -> Message {
        let (coder, domains) = (self.coder(), self.channel_fields(channel));
        let fields = values.iter().zip(domains).map(|(e, d)| (coder.code(e), d.clone())).collect();
        Message { channel: coder.place(channel), fields }
    }

    fn binds(&self, patterns: &[Pattern]) -> Vec<Bind> {
        let bound = patterns.iter().enumerate().filter_map(|(i, p)| Some((i, p.bound()?)));
        bound.map(|(i, b)| (i, self.coder().place(b), self.domain(b).clone())).collect()
    }

    fn assign(&self, target: &Target, value: &Expr, known: &Known) -> Step {
        let (coder, domain) = (self.coder(), self.domain(target));
        let code = coder.code(value);
        let bounds = bounds_knowing(value, self.objects, known);
        let fits = bounds.is_some_and(|(lo, hi)| domain.contains(lo) && domain.contains(hi));
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
