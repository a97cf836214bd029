//! The list of the processes of a cluster, and what becomes of a process that notices the loss of another.

use std::panic::PanicHookInfo;
use std::path::Path;

use driver::{Team, is_loss};

use crate::exit::Failure;
use crate::input;
use crate::panics::text;

/// The team that a file lists, one `host:port` on each line; empty lines and what follows a `#` do not count.
pub(crate) fn team(file: &Path, process: usize, workers: usize) -> Result<Team, Failure> {
    let input::Input { name, text } = input::read(file)?;
    let meant = |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
    let hosts: Vec<String> = text.lines().map(meant).filter(|host| !host.is_empty()).collect();
    let wrong = |what: String| Err(Failure::input(format!("{name}: {what}")));
    let has_port =
        |host: &String| host.rsplit_once(':').is_some_and(|(h, port)| !h.is_empty() && port.parse::<u16>().is_ok());
    if let Some(host) = hosts.iter().find(|host| !has_port(host)) {
        return wrong(format!("`{host}` is not of the form host:port"));
    }
    if let Some((_, host)) = hosts.iter().enumerate().find(|(i, host)| hosts[..*i].contains(host)) {
        return wrong(format!("{host} is listed twice"));
    }
    match hosts.len() {
        0 => wrong("no host is listed".to_owned()),
        n if process >= n => {
            let last = n - 1;
            Err(Failure::usage(format!("there is no process {process}: {name} lists the processes 0 to {last}")))
        }
        // The list lives as long as the program.
        _ => Ok(Team { workers, process, hosts: hosts.leak() }),
    }
}

/// Whether a panic is how the loss of another process is noticed, which is an answer and no broken program.
pub(crate) fn is_expected(panic: &PanicHookInfo<'_>) -> bool {
    text(panic).is_some_and(is_loss)
}
