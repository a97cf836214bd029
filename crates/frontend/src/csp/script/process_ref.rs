//! A process of a script, not evaluated yet.

use std::sync::Arc;

use super::stack::with_stack;
use super::{beyond, placed};
use crate::Diagnostic;
use crate::csp::code::{BlockId, Program};
use crate::csp::eval::Evaluator;
use crate::csp::process::{Checked, Limits, Subject};
use crate::sources::Sources;

/// A process of a script.
#[derive(Clone, Debug)]
pub struct ProcessRef {
    pub(super) program: Arc<Program>,
    pub(super) sources: Arc<Sources>,
    pub(super) block: BlockId,
    pub(super) name: String,
    /// Where the script ends and the expression begins, if the script does not have it, and the expression.
    pub(super) origin: Option<(usize, String)>,
}

impl ProcessRef {
    /// The expression as it was written.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Evaluates something of it within the limits.
    pub(super) fn run<T: Send>(
        &self,
        limits: &Limits,
        work: impl FnOnce(&mut Evaluator<'_>, &Subject) -> Checked<T> + Send,
    ) -> Result<T, Vec<Diagnostic>> {
        let subject = Subject { name: self.name.clone(), span: self.program.block(self.block).span };
        let result = with_stack(|| work(&mut Evaluator::new(&self.program, *limits), &subject))?;
        result.map_err(|error| {
            let errors = placed(&self.sources, vec![*error]);
            match &self.origin {
                Some((end, text)) => beyond(errors, *end, text),
                None => errors,
            }
        })
    }
}
