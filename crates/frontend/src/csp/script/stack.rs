//! A thread with a stack for deep recursion.

use model::Span;

use crate::Diagnostic;
use crate::csp::eval::STACK;

/// Runs something on a stack that is made for deep recursion.
pub(super) fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Vec<Diagnostic>> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match thread {
            Ok(thread) => Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
            Err(why) => {
                let message = format!("there is not enough memory to evaluate the script: {why}");
                Err(vec![Diagnostic::error(Span::new(0, 0), message)])
            }
        }
    })
}
