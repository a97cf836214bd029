//! `impasse completions` and `impasse man`: both made from the arguments.

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

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

/// Prints the manual page: the program, then a section for each command.
pub(crate) fn man() -> Done {
    let page = page().map_err(|e| Failure::internal(format!("the manual page cannot be made: {e}")))?;
    output::emit(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Holds)
}

fn page() -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let mut cli = Cli::command();
    cli.build();
    let whole = Man::new(cli.clone());
    whole.render_title(&mut page)?;
    whole.render_name_section(&mut page)?;
    whole.render_synopsis_section(&mut page)?;
    whole.render_options_section(&mut page)?;
    for command in cli.get_subcommands().filter(|c| c.get_name() != "help") {
        page.extend(section(command)?);
    }
    whole.render_extra_section(&mut page)?;
    Ok(page)
}

/// A command as a section: what would be sections of a page of its own are its subsections.
fn section(command: &clap::Command) -> std::io::Result<Vec<u8>> {
    let mut parts = Vec::new();
    let man = Man::new(command.clone());
    man.render_description_section(&mut parts)?;
    man.render_synopsis_section(&mut parts)?;
    man.render_options_section(&mut parts)?;
    let parts = String::from_utf8_lossy(&parts).replace(".SH ", ".SS ");
    Ok(format!(".SH \"IMPASSE {}\"\n{parts}", command.get_name().to_uppercase()).into_bytes())
}
