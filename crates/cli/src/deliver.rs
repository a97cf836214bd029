//! Results to where they were asked for: one format on standard output, others in files.

use formats::html::{self, Document};
use formats::{Case, Outcome, Times, github, junit, sarif};

use crate::args::{Format, OutputArgs};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::render::failure;

/// What a command has to say, in every way in which it can be asked to.
pub(crate) struct Results<'a> {
    /// For people.
    pub(crate) text: &'a dyn Fn() -> String,
    /// For programs.
    pub(crate) json: &'a dyn Fn() -> String,
    /// The text beside annotations: what people read in a log.
    pub(crate) log: &'a dyn Fn() -> String,
    /// For pipelines.
    pub(crate) cases: &'a [Case],
    /// What a page has besides: its title, charts and texts.
    pub(crate) page: &'a dyn Fn() -> Document<'a>,
    /// How the command ends.
    pub(crate) exit: Exit,
}

/// Fails now if a report could not be saved later.
pub(crate) fn can_deliver(args: &OutputArgs) -> Result<(), Failure> {
    args.report.iter().try_for_each(|(_, path)| output::can_write(path))
}

/// Shows and saves results. What is shown comes first: whatever becomes of the files, it is not lost.
pub(crate) fn deliver(args: &OutputArgs, results: &Results<'_>) -> Result<(), Failure> {
    output::emit(&written(args.format, args, results))?;
    args.report.iter().try_for_each(|(format, path)| output::write_file(path, &written(*format, args, results)))
}

fn written(format: Format, args: &OutputArgs, results: &Results<'_>) -> String {
    match format {
        Format::Text => (results.text)(),
        Format::Json => (results.json)(),
        Format::Sarif => {
            let wanted = |c: &Case| !args.only_problems || !matches!(c.outcome, Outcome::Passed | Outcome::Noted);
            let cases: Vec<Case> = results.cases.iter().filter(|c| wanted(c)).cloned().collect();
            sarif::render(&cases, (results.exit as u8, results.exit.meaning()))
        }
        Format::Junit => junit::render(results.cases, args.times()),
        Format::Html => html::render(&Document {
            cases: results.cases,
            timeless: args.times() == Times::Hidden,
            ..(results.page)()
        }),
        Format::Github => github::render(results.cases) + &github::inert(&(results.log)()),
    }
}

/// Tells programs that nothing could be checked; people are told on standard error.
pub(crate) fn deliver_failure(args: &OutputArgs, schema: &str, file: &str, why: &Failure) -> Result<(), Failure> {
    let (cases, nothing) = (why.cases(file), String::new);
    let json = || failure::json(why, schema);
    let page = || Document { title: file.to_owned(), ..Document::default() };
    deliver(args, &Results { text: &nothing, json: &json, log: &nothing, cases: &cases, page: &page, exit: why.exit })
}
