//! What channels and constructors carry, and how dotted values are completed.
//!
//! A *unit* is one complete value within a dotted one: a constructor with all that it carries, or any other atom.

use std::rc::Rc;

use model::Span;

use super::{ELEMENTS, Evaluator, Frame, wrong};
use crate::csp::code::{Code, HeadId};
use crate::csp::process::Checked;
use crate::csp::resolve::error;
use crate::csp::value::{Set, Value};

/// What a channel or a constructor carries.
#[derive(Debug)]
pub(super) struct Shape {
    /// The sets of its fields as they are declared.
    pub(super) fields: Vec<Set>,
    /// How many units each field has: a field may be a set of dotted values.
    widths: Vec<usize>,
}

impl<'p> Evaluator<'p> {
    /// What a channel or a constructor carries; nothing while that is being computed.
    pub(super) fn shape(&mut self, head: HeadId) -> Checked<Option<Rc<Shape>>> {
        if let Some(known) = self.shapes.get(&head) {
            return Ok(known.clone());
        }
        self.shapes.insert(head, None);
        let shape = self.compute_shape(head);
        match shape {
            Ok(shape) => {
                let shape = Some(Rc::new(shape));
                self.shapes.insert(head, shape.clone());
                Ok(shape)
            }
            Err(error) => {
                self.shapes.remove(&head);
                Err(error)
            }
        }
    }

    fn compute_shape(&mut self, head: HeadId) -> Checked<Shape> {
        let fields = match self.program.head(head).data {
            None => vec![],
            Some(block) => {
                let value = self.value_of(block)?;
                self.fields(&value, self.program.block(block).span)?
            }
        };
        let widths = fields.iter().map(|set| self.field_width(set)).collect::<Checked<_>>()?;
        Ok(Shape { fields, widths })
    }

    /// The sets of `A.B.C`.
    pub(super) fn fields(&mut self, value: &Value, span: Span) -> Checked<Vec<Set>> {
        value.atoms().iter().map(|atom| self.as_type(atom, span)).collect()
    }

    pub(super) fn field_width(&mut self, set: &Set) -> Checked<usize> {
        match set {
            Set::Finite(values) => match values.first() {
                Some(value) => self.units(value.atoms()),
                None => Ok(1),
            },
            Set::Dots(sets) => {
                let mut sum = 0;
                for set in sets.iter() {
                    sum += self.field_width(set)?;
                }
                Ok(sum)
            }
            _ => Ok(1),
        }
    }

    fn units(&mut self, atoms: &[Value]) -> Checked<usize> {
        let (mut count, mut at) = (0, 0);
        while at < atoms.len() {
            at += self.unit(&atoms[at..])?.0;
            count += 1;
        }
        Ok(count)
    }

    /// How many atoms the first unit has, and whether it is complete.
    pub(super) fn unit(&mut self, atoms: &[Value]) -> Checked<(usize, bool)> {
        let Value::Head(head) = atoms[0] else { return Ok((1, true)) };
        let Some(shape) = self.shape(head)? else { return Ok((1, true)) };
        let mut at = 1;
        for _ in 0..shape.widths.iter().sum() {
            if at >= atoms.len() {
                return Ok((at, false));
            }
            let (taken, complete) = self.unit(&atoms[at..])?;
            at += taken;
            if !complete {
                return Ok((at, false));
            }
        }
        Ok((at, true))
    }

    /// The first field that is not complete, and where it begins.
    fn progress(&mut self, shape: &Shape, atoms: &[Value]) -> Checked<(usize, usize)> {
        let mut at = 1;
        for (field, width) in shape.widths.iter().enumerate() {
            let start = at;
            for _ in 0..*width {
                if at >= atoms.len() {
                    return Ok((field, start));
                }
                let (taken, complete) = self.unit(&atoms[at..])?;
                at += taken;
                if !complete {
                    return Ok((field, start));
                }
            }
        }
        Ok((shape.fields.len(), at))
    }

    /// What can follow in the field that is not complete yet: the first unit of it.
    pub(super) fn next_units(&mut self, atoms: &[Value], span: Span) -> Checked<Vec<Value>> {
        let shape = self.head_shape(atoms, span)?;
        let (field, start) = self.progress(&shape, atoms)?;
        if field == shape.fields.len() {
            return Err(self.too_long(atoms, span));
        }
        let mut next = vec![];
        for tail in self.tails(&shape.fields[field], &atoms[start..], span)? {
            let (taken, _) = self.unit(&tail)?;
            next.push(Value::dotted(&tail[..taken]));
        }
        next.sort_unstable();
        next.dedup();
        Ok(next)
    }

    /// All ways to complete a value, each as the atoms to add; none to add if it is complete.
    pub(super) fn completions(&mut self, atoms: &[Value], span: Span) -> Checked<Vec<Vec<Value>>> {
        let shape = self.head_shape(atoms, span)?;
        let (field, start) = self.progress(&shape, atoms)?;
        if field == shape.fields.len() {
            return if start == atoms.len() { Ok(vec![vec![]]) } else { Err(self.too_long(atoms, span)) };
        }
        let mut all = self.tails(&shape.fields[field], &atoms[start..], span)?;
        for set in &shape.fields[field + 1..] {
            let values = self.elements(set, span)?;
            if all.len().saturating_mul(values.len()) > ELEMENTS {
                return Err(error(span, format!("there are more than {ELEMENTS} values here")));
            }
            let extend = |tail: &Vec<Value>, value: &Value| [tail.as_slice(), value.atoms()].concat();
            all = all.iter().flat_map(|tail| values.iter().map(move |value| extend(tail, value))).collect();
        }
        Ok(all)
    }

    /// The elements of a set that begin with some atoms, without these.
    fn tails(&mut self, set: &Set, begin: &[Value], span: Span) -> Checked<Vec<Vec<Value>>> {
        let values = self.elements(set, span)?;
        let tail = |value: &Value| value.atoms().strip_prefix(begin).filter(|t| !t.is_empty()).map(<[_]>::to_vec);
        Ok(values.iter().filter_map(tail).collect())
    }

    fn head_shape(&mut self, atoms: &[Value], span: Span) -> Checked<Rc<Shape>> {
        let Value::Head(head) = atoms[0] else {
            return Err(wrong(span, "a channel or a constructor", &atoms[0]));
        };
        self.shape(head)?
            .ok_or_else(|| error(span, format!("what `{}` carries depends on itself", self.program.head(head).name)))
    }

    fn too_long(&self, atoms: &[Value], span: Span) -> Box<crate::Diagnostic> {
        let whole = self.show(&Value::dotted(atoms));
        error(span, format!("`{whole}` has more fields than were declared"))
    }

    /// `a.b.c`, with the fields that are complete checked.
    pub(super) fn dot(&mut self, items: &'p [Code], frame: &mut Frame, span: Span) -> Checked<Value> {
        let mut atoms = vec![];
        for item in items {
            atoms.extend_from_slice(self.eval(item, frame)?.atoms());
        }
        let value = Value::dotted(&atoms);
        if !self.events.contains_key(&value) {
            self.check_fields(&atoms, span)?;
        }
        Ok(value)
    }

    /// Refuses a value that was not declared.
    pub(super) fn check_fields(&mut self, atoms: &[Value], span: Span) -> Checked<()> {
        let Value::Head(head) = atoms[0] else { return Ok(()) };
        let Some(shape) = self.shape(head)? else { return Ok(()) };
        let mut at = 1;
        for (set, width) in shape.fields.iter().zip(&shape.widths) {
            let start = at;
            for _ in 0..*width {
                if at >= atoms.len() {
                    return Ok(());
                }
                let (taken, complete) = self.unit(&atoms[at..])?;
                at += taken;
                if !complete {
                    return Ok(());
                }
            }
            let value = Value::dotted(&atoms[start..at]);
            if !self.contains(set, &value, span)? {
                let (name, value) = (&self.program.head(head).name, self.show(&value));
                let set = self.show(&Value::Set(set.clone()));
                return Err(error(span, format!("`{name}` does not carry {value}: its field is from {set}")));
            }
        }
        Ok(())
    }

    /// All complete values that begin with a value.
    pub(super) fn productions(&mut self, value: &Value, span: Span) -> Checked<Rc<[Value]>> {
        if let Some(known) = self.completed.get(value) {
            return Ok(known.clone());
        }
        let atoms = value.atoms();
        let tails = self.completions(atoms, span)?;
        let mut all: Vec<Value> = tails.iter().map(|tail| Value::dotted(&[atoms, tail].concat())).collect();
        all.sort_unstable();
        all.dedup();
        let all: Rc<[Value]> = all.into();
        self.completed.insert(value.clone(), all.clone());
        Ok(all)
    }
}
