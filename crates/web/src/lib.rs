//! A page for one person on this machine: a small server, and the texts of the page that it shows.
//!
//! Nothing here knows models or engines: whatever the page asks, a [`Service`] answers. What is here is good manners:
//! - it is bound to the loopback address, and answers only requests that were meant for it (no rebinding of names), that do
//!   not come from other pages, and that know the token of the address it told its user ([`guard`]);
//! - requests are limited in size and in the time that they may take to arrive ([`request`]), and in number ([`Server`]); who
//!   says nothing is sent away where others want to come in ([`hall`]);
//! - who closes the connection is not worked for any more ([`Link`]).
#![forbid(unsafe_code)]

mod assets;
pub mod guard;
mod hall;
mod link;
pub mod request;
mod response;
mod server;
mod token;

pub use guard::Guard;
pub use link::Link;
pub use request::{Limits, Request};
pub use server::{Address, Refusal, Server, Service};
pub use token::Token;
