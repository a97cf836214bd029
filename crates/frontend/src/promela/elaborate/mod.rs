//! From a resolved program to a system.

mod acceptor;
mod assemble;
mod births;
mod channels;
mod claims;
mod control;
mod deaths;
mod discover;
mod enabled;
mod facts;
mod foresee;
mod formulas;
mod ground;
mod idle;
mod patience;
mod places;
mod plan;
mod points;
mod properties;
mod ranges;
mod reading;
mod receive;
mod rendezvous;
mod scalar;
mod scope;
mod steps;
mod term;
mod trace;
mod translate;
mod walk;
mod world;

use model::{BuildError, Span};

use crate::{Diagnostic, ExpectedSize, Loaded};
use assemble::Assembly;
use births::Unforeseen;
use control::Control;
use ground::Ground;
pub use patience::{NoSystem, Patience};
pub use plan::{Plan, Runner, Seat};
use points::Points;
use properties::Asked;
pub use properties::Unasked;
pub(in crate::promela) use reading::Source;
pub use reading::{Query, Reading};
use world::World;

/// A result, or what is wrong with the model.
type Checked<T> = Result<T, Diagnostic>;

/// Refuses a model.
fn refuse<T>(span: Span, message: String) -> Checked<T> {
    Err(Diagnostic::error(span, message))
}

/// A system made of a program for a plan.
#[derive(Clone, Debug)]
pub struct Model {
    /// The system and what is asked of it.
    pub loaded: Loaded,
    /// What its author asks in vain.
    unasked: Vec<Unasked>,
    /// What the numbers of unforeseen steps stand for.
    unforeseen: Vec<Unforeseen>,
    /// For each location of each process, whether it may still create others.
    running: Vec<Vec<bool>>,
}

/// Makes a system of a program, with the processes that a plan foresees.
fn elaborate(source: &Source, plan: &Plan) -> Result<Model, NoSystem> {
    let Source { name, program, options, patience, .. } = source;
    let control = program.proctypes.iter().map(|p| Control::new(p, options.merge)).collect();
    let ground = Ground::new(program, plan)?;
    let processes = ground.seats.len();
    let points = Points::new(&ground, patience)?;
    let world = World::new(name, ground, points, control)?;
    places::check(&world)?;
    let mut assembly = Assembly { world: &world, options, unforeseen: Vec::new() };
    for seat in 0..processes {
        patience.check(processes)?;
        assembly.process(seat)?;
    }
    let unforeseen = assembly.unforeseen;
    let mut builder = world.builder.take();
    world.stop_conditions(options).into_iter().for_each(|e| builder.stop_only_if(e));
    patience.check(processes)?;
    let mut system = builder.build().map_err(|errors| errors.into_iter().map(placed).collect::<Vec<_>>())?;
    patience.check(processes)?;
    let (properties, unasked) = Asked { world: &world, system: &system, options }.all();
    let asked = world.asked.take().into_iter();
    let words = asked.map(|(pid, condition)| (condition, format!("enabled({})", system.show_expr(&pid))));
    system.say(words.collect::<Vec<_>>());
    let warnings = world.remarks.take();
    let loaded = Loaded { system, properties, size: ExpectedSize::default(), warnings };
    let running = (0..world.ground.seats.len()).map(|seat| running(&world, seat)).collect();
    Ok(Model { loaded, unasked, unforeseen, running })
}

/// For each location of a process, whether it may still create others.
fn running(world: &World<'_>, seat: usize) -> Vec<bool> {
    let flow = world.flow(seat);
    let own = flow.nodes.iter().map(|n| flow.running.contains(n));
    // It is not there, or dying.
    own.chain([false, false]).collect()
}

fn placed(error: BuildError) -> Diagnostic {
    Diagnostic::error(error.span.unwrap_or(Span::new(0, 0)), error.message)
}
