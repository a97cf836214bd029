//! Expressions.

use std::rc::Rc;

use super::call::Call;
use super::{Evaluator, Frame, wrong};
use crate::csp::ast::Operator;
use crate::csp::code::{BlockId, Body, Code, Global, GlobalId, Kind, LetId};
use crate::csp::process::Checked;
use crate::csp::resolve::error;
use crate::csp::value::{Cell, Function, Group, Sequence, Target, Value};

impl<'p> Evaluator<'p> {
    /// The value of an expression.
    pub(super) fn eval(&mut self, code: &'p Code, frame: &mut Frame) -> Checked<Value> {
        self.deeper(code.span, |e| e.kind(code, frame))
    }

    pub(super) fn eval_all(&mut self, codes: &'p [Code], frame: &mut Frame) -> Checked<Vec<Value>> {
        codes.iter().map(|code| self.eval(code, frame)).collect()
    }

    fn kind(&mut self, code: &'p Code, frame: &mut Frame) -> Checked<Value> {
        Ok(match &code.kind {
            Kind::Int(n) => Value::Int(*n),
            Kind::Bool(b) => Value::Bool(*b),
            Kind::Char(c) => Value::Char(*c),
            Kind::Text(text) => Value::text(text),
            Kind::Builtin(builtin) => self.builtin_value(*builtin, code.span)?,
            Kind::Head(head) => Value::Head(*head),
            Kind::Local(slot) => frame[slot.0 as usize].clone(),
            Kind::Global(id) => self.global(*id, code)?,
            Kind::Member(slot, index, block) => {
                let Value::Group(group) = frame[slot.0 as usize].clone() else { unreachable!("it has the group") };
                self.member(&group, *index, *block, code)?
            }
            Kind::Part(whole, index) => match self.eval(whole, frame)? {
                Value::Tuple(parts) => parts[*index as usize].clone(),
                _ => unreachable!("a match gives a tuple"),
            },
            Kind::Tuple(items) => Value::Tuple(self.eval_all(items, frame)?.into()),
            Kind::Dot(items) => self.dot(items, frame, code.span)?,
            Kind::Set(elements) => self.set_of(elements, frame, code.span)?,
            Kind::Sequence(elements) => self.sequence_of(elements, frame, code.span)?,
            Kind::Productions(elements) => self.productions_of(elements, frame, code.span)?,
            Kind::Map(pairs) => {
                let mut list = vec![];
                for (key, value) in pairs {
                    list.push((self.eval(key, frame)?, self.eval(value, frame)?));
                }
                super::relation::map_from(list)
            }
            Kind::If(parts) => {
                let branch = if self.truth(&parts[0], frame)? { &parts[1] } else { &parts[2] };
                self.eval(branch, frame)?
            }
            Kind::Let(id, slot, body) => {
                self.open_let(*id, *slot, frame);
                self.eval(body, frame)?
            }
            Kind::Lambda(block) => {
                let captured = self.captured(*block, frame);
                Value::Function(Rc::new(Function::new(Target::Lambda(*block, captured), vec![])))
            }
            Kind::Call(function, arguments) => {
                let function = self.eval(function, frame)?;
                let arguments = self.eval_all(arguments, frame)?;
                self.apply(&function, arguments, code.span)?
            }
            Kind::Not(inner) => Value::Bool(!self.truth(inner, frame)?),
            Kind::Negate(inner) => {
                let n = self.number(inner, frame)?;
                Value::Int(n.checked_neg().ok_or_else(|| too_large(code))?)
            }
            Kind::Length(inner) => {
                let value = self.eval(inner, frame)?;
                Value::Int(self.items(&value, inner.span)?.len() as i64)
            }
            Kind::Chain(first, rest) => self.chain(first, rest, frame, code)?,
            _ => Value::Process(self.process(code, frame)?),
        })
    }

    /// A condition.
    pub(super) fn truth(&mut self, code: &'p Code, frame: &mut Frame) -> Checked<bool> {
        match self.eval(code, frame)? {
            Value::Bool(b) => Ok(b),
            other => Err(wrong(code.span, "a truth value", &other)),
        }
    }

    pub(super) fn number(&mut self, code: &'p Code, frame: &mut Frame) -> Checked<i64> {
        match self.eval(code, frame)? {
            Value::Int(n) => Ok(n),
            other => Err(wrong(code.span, "a number", &other)),
        }
    }

    /// Makes the definitions of a `let`; none is evaluated yet.
    pub(super) fn open_let(&mut self, id: LetId, slot: crate::csp::code::Slot, frame: &mut Frame) {
        let group = self.program.let_code(id);
        let mut slots = vec![Value::Unset; group.slots as usize];
        for (outer, inner) in &group.captures {
            slots[inner.0 as usize] = frame[outer.0 as usize].clone();
        }
        frame[slot.0 as usize] = Value::Group(Rc::new(Group::new(id, slots, group.members.len())));
    }

    fn global(&mut self, id: GlobalId, code: &'p Code) -> Checked<Value> {
        let block = match self.program.global(id) {
            Global::Type(id) => return Ok(Value::Set(self.type_set(id)?)),
            Global::Block(block) | Global::Nametype(block) => block,
        };
        if let Body::Function(..) = self.program.block(block).body {
            return Ok(Value::Function(Rc::new(Function::new(Target::Global(id, block), vec![]))));
        }
        if self.program.block(block).is_process {
            return Ok(Value::Process(self.call(Call::Global(id, block))));
        }
        let place = id.0 as usize;
        match &self.globals[place] {
            Cell::Known(value) => return Ok(value.clone()),
            Cell::Computing => return Err(self.circular(block, code)),
            Cell::Unknown => {}
        }
        self.globals[place] = Cell::Computing;
        let frame = self.frame(block, |_| unreachable!("globals use no variables of others"));
        let result = self.block_value(block, frame).and_then(|value| match self.program.global(id) {
            Global::Nametype(_) => Ok(Value::Set(self.as_type(&value, self.program.block(block).span)?)),
            _ => Ok(value),
        });
        self.globals[place] = match &result {
            Ok(value) => Cell::Known(value.clone()),
            Err(_) => Cell::Unknown,
        };
        result
    }

    fn member(&mut self, group: &Rc<Group>, index: u32, block: BlockId, code: &'p Code) -> Checked<Value> {
        if let Body::Function(..) = self.program.block(block).body {
            let target = Target::Member(group.clone(), index, block);
            return Ok(Value::Function(Rc::new(Function::new(target, vec![]))));
        }
        if self.program.block(block).is_process {
            return Ok(Value::Process(self.call(Call::Member(group.clone(), index, block))));
        }
        let place = index as usize;
        match &group.cells.borrow()[place] {
            Cell::Known(value) => return Ok(value.clone()),
            Cell::Computing => return Err(self.circular(block, code)),
            Cell::Unknown => {}
        }
        group.cells.borrow_mut()[place] = Cell::Computing;
        let frame = self.frame(block, |i| self.member_variable(group, block, i));
        let result = self.block_value(block, frame);
        group.cells.borrow_mut()[place] = match &result {
            Ok(value) => Cell::Known(value.clone()),
            Err(_) => Cell::Unknown,
        };
        result
    }

    fn circular(&self, block: BlockId, code: &Code) -> Box<crate::Diagnostic> {
        let name = self.program.block(block).name.as_deref().unwrap_or("this value");
        error(code.span, format!("the value of `{name}` depends on itself"))
    }

    /// The value of a block that is no function, with its variables.
    fn block_value(&mut self, block: BlockId, mut frame: Frame) -> Checked<Value> {
        match &self.program.block(block).body {
            Body::Value(code) => self.eval(code, &mut frame),
            Body::Match(parts, bound) => {
                let (code, pat) = &**parts;
                let value = self.eval(code, &mut frame)?;
                if !self.matches(pat, &value, &mut frame)? {
                    return Err(error(code.span, format!("{} does not match the pattern", self.show(&value))));
                }
                Ok(Value::Tuple(bound.iter().map(|slot| frame[slot.0 as usize].clone()).collect()))
            }
            Body::Function(..) => unreachable!("functions are not evaluated but applied"),
        }
    }

    fn chain(
        &mut self,
        first: &'p Code,
        rest: &'p [(Operator, Code)],
        frame: &mut Frame,
        whole: &'p Code,
    ) -> Checked<Value> {
        let mut value = self.eval(first, frame)?;
        for (operator, code) in rest {
            value = match (operator, &value) {
                (Operator::And, Value::Bool(false)) | (Operator::Or, Value::Bool(true)) => continue,
                (Operator::And | Operator::Or, Value::Bool(_)) => Value::Bool(self.truth(code, frame)?),
                (Operator::And | Operator::Or, other) => return Err(wrong(first.span, "a truth value", other)),
                _ => {
                    let right = self.eval(code, frame)?;
                    self.operate(*operator, &value, &right, whole)?
                }
            };
        }
        Ok(value)
    }

    fn operate(&mut self, operator: Operator, left: &Value, right: &Value, code: &'p Code) -> Checked<Value> {
        match operator {
            Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Modulo => {
                let (Value::Int(a), Value::Int(b)) = (left, right) else {
                    let other = if matches!(left, Value::Int(_)) { right } else { left };
                    return Err(wrong(code.span, "a number", other));
                };
                arithmetic(operator, *a, *b, code).map(Value::Int)
            }
            Operator::Concat => {
                let mut items = self.items(left, code.span)?.to_vec();
                items.extend_from_slice(&self.items(right, code.span)?);
                Ok(Value::Sequence(Sequence::new(items)))
            }
            Operator::Equal => Ok(Value::Bool(self.equal(left, right, code.span)?)),
            Operator::NotEqual => Ok(Value::Bool(!self.equal(left, right, code.span)?)),
            _ => Ok(Value::Bool(self.ordered(operator, left, right, code.span)?)),
        }
    }
}

/// Division rounds down, as in FDR.
fn arithmetic(operator: Operator, a: i64, b: i64, code: &Code) -> Checked<i64> {
    if b == 0 && matches!(operator, Operator::Divide | Operator::Modulo) {
        return Err(error(code.span, "division by zero"));
    }
    let result = match operator {
        Operator::Add => a.checked_add(b),
        Operator::Subtract => a.checked_sub(b),
        Operator::Multiply => a.checked_mul(b),
        Operator::Divide => a.checked_div(b).map(|q| if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q }),
        _ => a.checked_rem(b).map(|r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r }),
    };
    result.ok_or_else(|| too_large(code))
}

fn too_large(code: &Code) -> Box<crate::Diagnostic> {
    error(code.span, "a number here is larger than 64 bits")
}
