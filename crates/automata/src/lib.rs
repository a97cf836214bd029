//! Linear temporal logic and generalised Büchi automata over numbered atoms. This room knows nothing of systems: front
//! ends read automata into it, engines run products against it, and the checker asks it whether a lasso satisfies a
//! formula.
//!
//! - [`syntax`]: formulas as written, and their text forms;
//! - [`lasso`]: the truth of such a formula on a lasso, by definition, independent of all that follows;
//! - [`reader`]: formulas read letter by letter, as simply as possible, for checkers;
//! - [`formula`]: formulas in negation normal form, shared, classified and simplified;
//! - [`automaton`]: transition-based generalised Büchi automata, their emptiness and intersection;
//! - [`translate`]: from formulas to small automata;
//! - [`is_stutter_invariant`]: whether a formula is blind to repeated letters;
//! - [`Blind`]: automata none of whose states sees how often a letter is repeated;
//! - [`hoa`]: automata as text.
#![forbid(unsafe_code)]

pub mod automaton;
mod bdd;
mod blind;
mod degeneralise;
pub mod formula;
mod hash;
pub mod hoa;
pub mod lasso;
pub mod reader;
mod reduce;
mod stutter;
pub mod syntax;
mod translate;

pub use automaton::Automaton;
pub use bdd::Exhausted;
pub use blind::{Blind, Way};
pub use formula::{Formula, Pool};
pub use reader::Reader;
pub use stutter::is_stutter_invariant;
pub use syntax::{Atom, Ltl};
pub use translate::{Options, translate};
