//! `impasse fmt`: the canonical layout, in place and only where it differs.

use std::path::Path;

use frontend::native;

use crate::args::FmtArgs;
use crate::exit::{Done, Exit, Failure};
use crate::{diagnostics, input, output};

/// Formats all files; one with mistakes does not keep the others from being formatted.
pub(crate) fn run(args: &FmtArgs) -> Done {
    let mut exit = Exit::Holds;
    for file in &args.files {
        match format(file, args.check) {
            Ok(clean) => exit = exit.worst(if clean { Exit::Holds } else { Exit::BadInput }),
            Err(failure) => {
                output::complain(&failure.message);
                exit = exit.worst(failure.exit);
            }
        }
    }
    Ok(exit)
}

/// Whether the file is, or now is, formatted.
fn format(file: &Path, check: bool) -> Result<bool, Failure> {
    if !input::is_native(file) {
        let message = format!("{} is not in the native language, and nothing else is formatted", file.display());
        return Err(Failure::input(message));
    }
    let input = input::read(file)?;
    let formatted = native::format(&input.text).map_err(|ds| diagnostics::failure(&input.name, &input.text, &ds))?;
    let same = formatted == input.text;
    match (check, file == Path::new("-")) {
        (true, _) if !same => output::emit(&format!("{} is not formatted\n", file.display()))?,
        (true, _) => {}
        (false, true) => output::emit(&formatted)?,
        (false, false) if !same => output::write_file(file, &formatted)?,
        (false, false) => {}
    }
    Ok(same || !check)
}
