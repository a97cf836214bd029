//! Calls of functions.

use std::rc::Rc;

use model::Span;

use super::call::Call;
use super::{Evaluator, Frame, wrong};
use crate::csp::code::{Body, Clause, Code};
use crate::csp::process::Checked;
use crate::csp::resolve::error;
use crate::csp::value::{Function, Value};

impl<'p> Evaluator<'p> {
    /// The value of a function for a group of arguments.
    pub(super) fn apply(&mut self, function: &Value, arguments: Vec<Value>, span: Span) -> Checked<Value> {
        match function {
            Value::Builtin(builtin) => self.builtin(*builtin, &arguments, span),
            Value::Function(function) => self.apply_defined(function, arguments, span),
            Value::Image(pairs) => match &arguments[..] {
                [x] => Ok(Value::set(pairs.iter().filter(|p| p.0 == *x).map(|p| p.1.clone()).collect())),
                _ => Err(error(span, "a relation takes one argument")),
            },
            Value::Set(_) | Value::Head(_) | Value::Dot(_) | Value::Process(_) => {
                Err(error(span, format!("this is {}, and takes no arguments", function.kind())))
            }
            other => Err(wrong(span, "a function", other)),
        }
    }

    fn apply_defined(&mut self, function: &Rc<Function>, arguments: Vec<Value>, span: Span) -> Checked<Value> {
        let block = self.program.block(function.target.block());
        let Body::Function(arities, _) = &block.body else { unreachable!("only functions are applied") };
        let expected = arities[function.arguments.len()];
        if arguments.len() != expected {
            let name = block.name.as_deref().unwrap_or("the function");
            let message = format!("`{name}` takes {expected} arguments, and here are {}", arguments.len());
            return Err(error(span, message));
        }
        let mut groups = function.arguments.clone();
        groups.push(arguments);
        let complete = groups.len() == arities.len();
        let applied = Rc::new(Function::new(function.target.clone(), groups));
        if !complete {
            return Ok(Value::Function(applied));
        }
        if block.is_process {
            return Ok(Value::Process(self.call(Call::Apply(applied))));
        }
        let (code, mut frame) = self.selected(&applied)?;
        self.eval(code, &mut frame)
    }

    /// The body of the clause that matches the arguments, and its variables.
    pub(super) fn selected(&mut self, function: &Rc<Function>) -> Checked<(&'p Code, Frame)> {
        let block = self.program.block(function.target.block());
        let Body::Function(_, clauses) = &block.body else { unreachable!("only functions are applied") };
        let mut frame = self.target_frame(&function.target);
        for clause in clauses {
            if self.clause_matches(clause, &function.arguments, &mut frame)? {
                return Ok((&clause.body, frame));
            }
        }
        let call = self.show(&Value::Function(function.clone()));
        Err(error(block.span, format!("no clause matches the call {call}")))
    }

    fn clause_matches(&mut self, clause: &'p Clause, groups: &[Vec<Value>], frame: &mut Frame) -> Checked<bool> {
        for (pat, value) in clause.parameters.iter().flatten().zip(groups.iter().flatten()) {
            if !self.matches(pat, value, frame)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
