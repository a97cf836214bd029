//! The formats of Petri nets, from outside.

mod choose;
mod data;
mod fuzz;
mod ll_net;
mod lola;
mod pnml;
mod pnml_errors;
mod round_trip;
mod support;
mod tina;
mod units;
