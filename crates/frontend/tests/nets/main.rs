//! The formats of Petri nets, from outside.

mod choose;
mod colour;
mod colour_data;
mod colour_errors;
mod colour_random;
mod colour_text;
mod contest;
mod data;
mod fuzz;
mod ll_net;
mod lola;
mod mcc;
mod pnml;
mod pnml_errors;
mod round_trip;
mod support;
mod tina;
mod units;
