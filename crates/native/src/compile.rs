//! From a system to its code.

use std::sync::Arc;

use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use model::native::{Native, NotAssembled, ScanId};
use model::{System, TransitionId};

use crate::machine::{Machine, Parts};
use crate::translate::Translator;

/// A piece of code that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// The test of some candidates.
    Scan(ScanId),
    /// The command of a transition.
    Command(TransitionId),
}

/// Machine code for all guards and commands of a system that have any; `None` where no code can be made at all.
pub fn compile(system: &System) -> Option<Arc<dyn Native>> {
    compile_with(system, |piece, translator| match piece {
        Piece::Scan(scan) => system.assemble_scan(scan, translator),
        Piece::Command(t) => system.assemble_command(t, translator),
    })
}

/// The same, with a say in what each piece of code does.
pub(crate) fn compile_with(
    system: &System,
    say: impl Fn(Piece, &mut Translator<'_>) -> Result<(), NotAssembled>,
) -> Option<Arc<dyn Native>> {
    let mut maker = Maker::new()?;
    let mut scans = Vec::new();
    for scan in system.scans() {
        if let Some(function) = maker.function(|t| say(Piece::Scan(scan), t)) {
            scans.resize(scans.len().max(scan.0 as usize + 1), None);
            scans[scan.0 as usize] = Some(function);
        }
    }
    let commands: Vec<Option<FuncId>> =
        system.transition_ids().map(|t| maker.function(|tr| say(Piece::Command(t), tr))).collect();
    maker.module.finalize_definitions().ok()?;
    let parts = Parts { words: system.words(), scans, commands, tables: maker.tables, module: maker.module };
    Some(Arc::new(Machine::new(parts)))
}

/// Makes functions.
struct Maker {
    module: JITModule,
    context: Context,
    scratch: FunctionBuilderContext,
    tables: Vec<Box<[i64]>>,
}

impl Maker {
    fn new() -> Option<Self> {
        let mut flags = settings::builder();
        for (name, value) in [("opt_level", "speed"), ("is_pic", "false"), ("enable_verifier", "false")] {
            flags.set(name, value).ok()?;
        }
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let (context, scratch) = (module.make_context(), FunctionBuilderContext::new());
        Some(Self { module, context, scratch, tables: Vec::new() })
    }

    /// A function from the address of a state to a number; `None` if there is none.
    fn function(&mut self, say: impl FnOnce(&mut Translator<'_>) -> Result<(), NotAssembled>) -> Option<FuncId> {
        self.module.clear_context(&mut self.context);
        let signature = &mut self.context.func.signature;
        signature.params.push(AbiParam::new(types::I64));
        signature.returns.push(AbiParam::new(types::I64));
        let builder = FunctionBuilder::new(&mut self.context.func, &mut self.scratch);
        let mut translator = Translator::new(builder, &mut self.tables);
        if say(&mut translator).is_err() {
            // What was begun is of no use any more.
            self.scratch = FunctionBuilderContext::new();
            return None;
        }
        translator.finish(self.module.target_config());
        let function = self.module.declare_anonymous_function(&self.context.func.signature).ok()?;
        self.module.define_function(function, &mut self.context).ok()?;
        Some(function)
    }
}
