//! The program as its users meet it: arguments in, text and exit codes out.

mod action;
mod bad_input;
mod book;
mod charts;
mod client;
mod cluster;
mod common;
mod disk;
mod files;
mod formats;
mod json;
mod large;
mod limits;
mod lsp;
mod mcc;
mod mcp;
mod model_errors;
mod nets;
mod networks;
mod page;
mod paper;
mod pictures;
mod promela;
mod schema;
mod transcripts;
mod verify;
