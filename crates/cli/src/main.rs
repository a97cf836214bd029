//! `impasse`: arguments, files, progress, rendering and exit codes. The only crate that prints or exits.
#![forbid(unsafe_code)]

mod args;
mod budget;
mod commands;
mod diagnostics;
mod exit;
mod input;
mod output;
mod progress;
mod quantity;
mod render;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Check(args) => commands::check::run(&args),
        Command::Test(args) => commands::test::run(&args),
        Command::Simulate(args) => commands::simulate::run(&args),
        Command::Info(args) => commands::info::run(&args),
        Command::Convert(args) => commands::convert::run(&args),
        Command::Fmt(args) => commands::fmt::run(&args),
        Command::Completions { shell } => commands::generate::completions(shell),
        Command::Man => commands::generate::man(),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::complain(&failure.message);
            failure.exit.into()
        }
    }
}
