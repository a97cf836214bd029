//! `impasse completions` and `impasse man`: both made from the arguments.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::exit::{Done, Exit, Failure};
use crate::output;

/// Prints the completion script of a shell.
pub(crate) fn completions(shell: Shell) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "impasse", &mut script);
    output::emit(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Holds)
}

/// Prints the manual page: the program, then one section for each command.
pub(crate) fn man() -> Done {
    let mut page = Vec::new();
    let mut cli = Cli::command();
    cli.build();
    let failed = |e: std::io::Error| Failure::internal(format!("the manual page cannot be made: {e}"));
    clap_mangen::Man::new(cli.clone()).render(&mut page).map_err(failed)?;
    for command in cli.get_subcommands().filter(|c| c.get_name() != "help") {
        clap_mangen::Man::new(command.clone()).render_description_section(&mut page).map_err(failed)?;
        clap_mangen::Man::new(command.clone()).render_options_section(&mut page).map_err(failed)?;
    }
    output::emit(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Holds)
}
