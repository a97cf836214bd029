//! `impasse`: arguments, files, progress, rendering and exit codes. The only crate that prints or exits.
#![forbid(unsafe_code)]

mod args;
mod budget;
mod cluster;
mod commands;
mod deliver;
mod diagnostics;
mod exit;
mod files;
mod input;
mod output;
mod panics;
mod picture;
mod plain;
mod progress;
mod quantity;
mod question;
mod render;
mod rpc;
mod saved;
mod telling;
mod worker;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use exit::{Done, Exit};

fn main() -> ExitCode {
    panics::install();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => return refuse(&e).into(),
    };
    match run(cli.command) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::complain(&failure.message);
            failure.exit.into()
        }
    }
}

/// Prints what the argument parser has to say: a mistake, or the help that was asked for.
fn refuse(e: &clap::Error) -> Exit {
    // A closed standard output or standard error is no reason to fail.
    let _ = e.print();
    if e.use_stderr() { Exit::Usage } else { Exit::Holds }
}

fn run(command: Command) -> Done {
    match command {
        Command::Check(args) => commands::check::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Test(args) => commands::test::run(&args),
        Command::Simulate(args) => commands::simulate::run(&args),
        Command::Info(args) => commands::info::run(&args),
        Command::Convert(args) => commands::convert::run(&args),
        Command::Paper(args) => commands::paper::run(&args),
        Command::Mcc(args) => commands::mcc::run(&args),
        Command::Fmt(args) => commands::fmt::run(&args),
        Command::Lsp => commands::lsp::run(),
        Command::Mcp(args) => commands::mcp::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        Command::Worker => worker::run(),
        Command::Completions { shell } => commands::generate::completions(shell),
        Command::Man => commands::generate::man(),
    }
}
