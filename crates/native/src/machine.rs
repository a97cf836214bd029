//! Finished code, and the calls into it: the only place that is not checked by the compiler.
//!
//! Why calling it is sound:
//! - A function takes the address of a state and touches nothing but the words of this state and tables of constants. The
//!   word numbers in the code are those of the system's layout, all less than its number of words; where a word depends
//!   on the state, its number comes from a table of such numbers, and the index into the table is compared with the
//!   table's length by the code itself (`model::native`'s `choose`). So a slice of just that length, which is checked here
//!   before every call, is all that is needed; a scan never writes.
//! - Nothing traps: divisors are compared with 0 and -1 before they are used, or are other constants.
//! - Functions return on every path and do not call anything: code only jumps forward.
//! - The code and the tables live as long as the `Machine`, which hands out no address.

#![expect(unsafe_code, reason = "generated code cannot be called otherwise; the argument stands above")]

use std::sync::Mutex;

use cranelift_jit::JITModule;
use cranelift_module::FuncId;
use model::native::{Native, ScanId};
use model::{State, TransitionId};

type Scan = unsafe extern "C" fn(*const u64) -> u64;
type Command = unsafe extern "C" fn(*mut u64) -> u64;

/// What a machine is made of. The functions are finished.
pub(crate) struct Parts {
    pub(crate) words: usize,
    /// By position of the first candidate.
    pub(crate) scans: Vec<Option<FuncId>>,
    /// By transition.
    pub(crate) commands: Vec<Option<FuncId>>,
    pub(crate) tables: Vec<Box<[i64]>>,
    pub(crate) module: JITModule,
}

/// The code of one system.
pub(crate) struct Machine {
    words: usize,
    scans: Box<[Option<Scan>]>,
    commands: Box<[Option<Command>]>,
    /// Only kept: the code looks into them.
    tables: Vec<Box<[i64]>>,
    /// Only kept: it owns the code. `None` while it is dropped.
    module: Mutex<Option<JITModule>>,
}

impl Machine {
    pub(crate) fn new(parts: Parts) -> Self {
        let Parts { words, scans, commands, tables, module } = parts;
        let address = |f: FuncId| module.get_finalized_function(f);
        // SAFETY: these are the addresses of finished functions, which were compiled with the processor's own calling
        // convention for C, one pointer-sized argument and one 64-bit result.
        let scan = |f: FuncId| unsafe { std::mem::transmute::<*const u8, Scan>(address(f)) };
        // SAFETY: as above.
        let command = |f: FuncId| unsafe { std::mem::transmute::<*const u8, Command>(address(f)) };
        let scans = scans.into_iter().map(|f| f.map(scan)).collect();
        let commands = commands.into_iter().map(|f| f.map(command)).collect();
        Self { words, scans, commands, tables, module: Mutex::new(Some(module)) }
    }
}

impl Native for Machine {
    #[inline]
    fn scan(&self, scan: ScanId, state: &State) -> Option<u64> {
        let scan = (*self.scans.get(scan.0 as usize)?)?;
        assert_eq!(state.len(), self.words, "the state is one of this system");
        // SAFETY: the state has the length for which the code was made, and the code lives as long as `self`.
        Some(unsafe { scan(state.as_ptr()) })
    }

    #[inline]
    fn run(&self, t: TransitionId, state: &mut State) -> Option<bool> {
        let command = (*self.commands.get(t.index())?)?;
        assert_eq!(state.len(), self.words, "the state is one of this system");
        // SAFETY: as above; the state is borrowed for writing.
        Some(unsafe { command(state.as_mut_ptr()) } != 0)
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let module = self.module.get_mut().map(Option::take).unwrap_or_default();
        if let Some(module) = module {
            // SAFETY: nobody runs the code any more, because running borrows the machine, and no address got out.
            unsafe { module.free_memory() };
        }
    }
}

impl std::fmt::Debug for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine")
            .field("words", &self.words)
            .field("scans", &self.scans.iter().flatten().count())
            .field("commands", &self.commands.iter().flatten().count())
            .field("tables", &self.tables.len())
            .finish_non_exhaustive()
    }
}
