//! Concurrent systems: their one executable semantics and its views.
//!
//! [`System`] defines what is enabled and what firing does; [`Builder`] makes one; [`Property`] is what can be asked
//! of it. This crate does no input or output and knows nothing of engines.

mod arrays;
mod bits;
mod bounds;
mod builder;
mod code;
mod compile;
mod control;
mod dependency;
mod domain;
mod elaborate;
mod expr;
mod fault;
mod holders;
mod ids;
mod joints;
mod known;
mod lawful;
mod layout;
mod live;
mod messages;
mod nearness;
pub mod nets;
pub mod objects;
mod observer;
mod property;
mod show;
mod source;
mod state;
mod system;
mod temporal;
mod testers;
mod uncontrolled;
mod validate;
pub mod views;
mod watch;

pub use builder::{BuildError, Builder, Edge, MAX_STATE_BITS, MAX_TRANSITIONS};
pub use compile::Predicate;
pub use dependency::{Dependency, Reasons, Relation, Role, Use};
pub use domain::{Domain, Enumeration};
pub use expr::{Binary, Command, Expr, Pattern, Retrieve, Target, Unary, Wrap};
pub use fault::Fault;
pub use ids::{ActionId, LocationId, ObjectId, ProcessId, TransitionId};
pub use objects::{ChannelType, Kind, Object, Value};
pub use observer::{Observer, ObserverEdge, ObserverLocation};
pub use property::{Class, Expectation, NamedProperty, Property};
pub use source::Span;
pub use state::{Enabled, State};
pub use system::{Hold, Joining, Location, Move, Process, System, Transition};
pub use temporal::{Acceptor, Claim, ClaimPlace, Fairness, Ltl, Proposition, Strength, Temporal};
pub use testers::Tested;
pub use views::{Limits, Net, Network, ViewError};
