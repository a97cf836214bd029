//! Which definitions are processes, as far as it can be seen without evaluating anything.
//!
//! A call of one need not be evaluated where it stands: recursion through data structures and arguments works, and states
//! are known by the calls that lead to them.

use crate::csp::code::{BlockId, Body, Code, Global, Kind, Program};

/// Marks the blocks whose values are processes.
pub(super) fn infer(program: &mut Program) {
    loop {
        let found: Vec<usize> = (0..program.blocks.len())
            .filter(|i| !program.blocks[*i].is_process && is_process_block(program, BlockId(*i as u32)))
            .collect();
        if found.is_empty() {
            return;
        }
        for i in found {
            program.blocks[i].is_process = true;
        }
    }
}

fn is_process_block(program: &Program, block: BlockId) -> bool {
    match &program.block(block).body {
        Body::Value(code) => is_process(program, code),
        Body::Function(_, clauses) => clauses.iter().any(|clause| is_process(program, &clause.body)),
        Body::Match(..) => false,
    }
}

fn is_process(program: &Program, code: &Code) -> bool {
    match &code.kind {
        Kind::Prefix(_) | Kind::Guard(_) | Kind::Combined(..) | Kind::Hide(_) | Kind::Project(_) => true,
        Kind::Rename(..) | Kind::Replicated(_) => true,
        Kind::Builtin(builtin) => builtin.parameters().is_none() && builtin.is_process(),
        Kind::If(parts) => is_process(program, &parts[1]) || is_process(program, &parts[2]),
        Kind::Let(_, _, body) => is_process(program, body),
        Kind::Global(_) | Kind::Member(..) => callee(program, code, 0),
        Kind::Call(function, _) => match &function.kind {
            Kind::Builtin(builtin) => builtin.is_process(),
            _ => callee(program, function, 1),
        },
        _ => false,
    }
}

/// Whether a definition, given this many groups of arguments, is a process.
fn callee(program: &Program, code: &Code, groups: usize) -> bool {
    let block = match &code.kind {
        Kind::Call(function, _) => return callee(program, function, groups + 1),
        Kind::Global(id) => match program.global(*id) {
            Global::Block(block) => block,
            _ => return false,
        },
        Kind::Member(_, _, block) => *block,
        _ => return false,
    };
    let block = program.block(block);
    let needed = match &block.body {
        Body::Function(arities, _) => arities.len(),
        _ => 0,
    };
    block.is_process && needed == groups
}
