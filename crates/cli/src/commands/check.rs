//! `impasse check`.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use driver::{Choice, DeadCode, Inquiry, Listing, ModelInfo, NetSource, NetworkSource, Report, ReportResult, Unused};
use evidence::{Budget, CertificateFile, CertifiedProperty, Question, TraceFile};
use explain::Chart;
use explain::Explanation;
use explain::text::Limits;
use formats::chart;
use formats::figures::show_count;
use formats::html::{self, Document};
use formats::text::{Detail, render};
use formats::{Case, Outcome, Times, itf};
use model::{NamedProperty, Property, Span};

use crate::args::{CheckArgs, Format, ModelArgs};
use crate::deliver::{Results, can_deliver, deliver, deliver_failure};
use crate::exit::{Done, Exit, Failure};
use crate::input::{Model, Models, Patience, Refused};
use crate::picture::{self, NoPicture, PICTURE, PictureFile};
use crate::progress::Live;
use crate::{budget, diagnostics, output, question, telling};

/// A model, what was asked of it, and the answers.
struct Answered {
    model: Model,
    asked: Vec<NamedProperty>,
    report: Report,
    /// The questions of the command line.
    given: Vec<Question>,
}

impl Answered {
    /// Everything that there is a certificate for.
    fn proofs(&self) -> impl Iterator<Item = CertifiedProperty> {
        let proof = |result: &ReportResult| {
            Some(CertifiedProperty {
                model: self.model.loaded.system.name().to_owned(),
                property: result.property.clone(),
                question: self.given.iter().find(|q| q.name() == result.property).cloned(),
                certificate: result.certificate.clone()?,
            })
        };
        self.report.results.iter().filter_map(proof)
    }
}

/// Answers the questions and exits with the worst answer.
pub(crate) fn run(args: &CheckArgs) -> Done {
    let (answered, report) = match answer(args) {
        Ok(found) => found,
        Err(failure) => {
            let file = args.model.file.display().to_string();
            deliver_failure(&args.output, Report::SCHEMA, &file, &failure)?;
            return Err(failure);
        }
    };
    let exit = |r: &ReportResult| exit(&answered, r);
    let worst = report.results.iter().map(exit).fold(Exit::Holds, Exit::worst);
    // The answer first: whatever becomes of the other files, it is not lost.
    show(args, (&report, &answered), exit, worst)?;
    args.trace.as_deref().map_or(Ok(()), |path| save(path, &report, &answered))?;
    args.certificate.as_deref().map_or(Ok(()), |path| save_certificates(path, &answered, args.model.options()))?;
    args.picture.as_ref().map_or(Ok(()), |file| draw(file, &answered))?;
    tell(args, &answered)?;
    Ok(worst)
}

/// The answers, and the code of the worst of them; nothing is shown or saved.
pub(crate) fn report(args: &CheckArgs) -> Result<(Report, Exit), Failure> {
    let (answered, report) = answer(args)?;
    let worst = report.results.iter().map(|r| exit(&answered, r)).fold(Exit::Holds, Exit::worst);
    Ok((report, worst))
}

/// The answers with everything that could be saved of them.
pub(crate) struct Judged {
    pub(crate) report: Report,
    pub(crate) worst: Exit,
    /// One page for all.
    pub(crate) html: String,
    /// The sequence chart of each result that has one, as a drawing.
    pub(crate) charts: Vec<Option<String>>,
    /// The certificates, if there are any.
    pub(crate) certificate: Option<CertificateFile>,
}

/// The same, for who looks at it; nothing is shown or saved.
pub(crate) fn judge(args: &CheckArgs) -> Result<Judged, Failure> {
    let (answered, report) = answer(args)?;
    let worst = report.results.iter().map(|r| exit(&answered, r)).fold(Exit::Holds, Exit::worst);
    let cases = cases(&report, |r| exit(&answered, r));
    let document = document(args, &report, &answered);
    let charts = document.charts.clone();
    let html = html::render(&Document { cases: &cases, ..document });
    let certificate = certificates(&answered, args.model.options());
    Ok(Judged { report, worst, html, charts, certificate })
}

/// What a page has besides its cases.
fn document(args: &CheckArgs, report: &Report, answered: &[Answered]) -> Document<'static> {
    let limits = if args.all_steps { Limits::NONE } else { Limits::SHORT };
    let chart = |result: &ReportResult| {
        let trace = result.trace.as_ref()?;
        let of = |a: &&Answered| a.model.loaded.system.name() == trace.model;
        let system = &answered.iter().find(of)?.model.loaded.system;
        Chart::new(system, result.explanation.as_ref()?, limits).map(|chart| chart::svg(&chart))
    };
    // Of a net there is no text.
    let sources = answered.iter().take(1).filter(|a| a.model.net.is_none());
    Document {
        title: format!("{} ({})", report.model.name, report.model.file),
        cases: &[],
        charts: report.results.iter().map(chart).collect(),
        sources: sources.map(|a| (a.model.input.name.clone(), a.model.input.text.clone())).collect(),
        timeless: false,
    }
}

fn cases(report: &Report, exit: impl Fn(&ReportResult) -> Exit) -> Vec<Case> {
    Case::all(report, |r| match exit(r) {
        Exit::Holds => Outcome::Passed,
        Exit::Unknown => Outcome::Undecided,
        _ => Outcome::Failed,
    })
}

fn exit(answered: &[Answered], result: &ReportResult) -> Exit {
    let denied = answered.iter().any(|a| a.model.denied.contains(&result.property));
    if denied { Exit::of_denied(result) } else { Exit::of(result) }
}

/// Saves the first run, and each run of a list under a numbered name.
fn save(path: &Path, report: &Report, answered: &[Answered]) -> Result<(), Failure> {
    let write = |to: &Path, trace: &TraceFile| {
        let states = path.as_os_str().to_string_lossy().to_ascii_lowercase().ends_with(".itf.json");
        output::write_file(to, &if states { itf(trace, answered, &report.model.file)? } else { trace.to_json() })
    };
    match report.results.iter().find_map(|r| r.trace.as_ref()) {
        Some(trace) => write(path, trace)?,
        None => output::complain("note: there is no run to save; nothing was written"),
    }
    // Every list is of the same deadlocks.
    let listed = report.results.iter().map(|r| &r.deadlocks).find(|list| !list.is_empty());
    for (deadlock, number) in listed.into_iter().flatten().zip(1..) {
        let mut numbered = path.as_os_str().to_owned();
        numbered.push(format!(".{number}"));
        write(Path::new(&numbered), &deadlock.trace)?;
    }
    Ok(())
}

/// A run with its states.
fn itf(trace: &TraceFile, answered: &[Answered], file: &str) -> Result<String, Failure> {
    let broken = |why: String| Failure::internal(format!("the run that was found is none: {why}"));
    let of = |a: &&Answered| a.model.loaded.system.name() == trace.model;
    let property = |a: &Answered| a.asked.iter().find(|p| p.name == trace.property).cloned();
    let found = answered.iter().filter(of).find_map(|a| Some((&a.model.loaded.system, property(a)?)));
    let (system, property) = found.expect("a run is of one of the models, and about what was asked of it");
    let steps = trace.trace(system).map_err(|e| broken(e.to_string()))?;
    let run = check::replay(system, &property.property, &steps).map_err(|e| broken(e.to_string()))?;
    itf::render(&run, file, &property.name).ok_or_else(|| {
        let most = show_count(itf::MAX_STATES as u64);
        let why =
            format!("the run has more than {most} states, too many for an ITF file; another name saves its steps");
        Failure { exit: Exit::Unknown, ..Failure::input(why) }
    })
}

/// Saves all certificates.
fn save_certificates(path: &Path, answered: &[Answered], options: Vec<String>) -> Result<(), Failure> {
    let Some(file) = certificates(answered, options) else {
        output::complain("note: there is no certificate to save; nothing was written");
        return Ok(());
    };
    let problem = |e: std::io::Error| Failure::input(format!("cannot write {}: {e}", path.display()));
    let mut to = BufWriter::new(File::create(path).map_err(problem)?);
    file.write(&mut to).and_then(|()| to.flush()).map_err(problem)
}

/// All certificates, if there are any.
fn certificates(answered: &[Answered], options: Vec<String>) -> Option<CertificateFile> {
    let proofs: Vec<CertifiedProperty> = answered.iter().flat_map(Answered::proofs).collect();
    let set = answered.first().map(|a| a.model.set()).unwrap_or_default();
    (!proofs.is_empty()).then(|| CertificateFile::new(set, options, proofs))
}

/// How long the net may take that a picture is of.
const DRAWING: Duration = Duration::from_millis(500);

/// Draws the process of the first run.
fn draw(file: &PictureFile, answered: &[Answered]) -> Result<(), Failure> {
    let first = |a: &Answered| a.report.results.iter().find_map(|r| r.trace.clone());
    let Some((model, trace)) = answered.iter().find_map(|a| Some((&a.model, first(a)?))) else {
        output::complain("note: there is no run to draw; nothing was written");
        return Ok(());
    };
    let broken = |why: &str| Failure::internal(format!("the run that was found is none: {why}"));
    // The answer is known: what cannot be drawn, or not soon, is told and nothing else.
    let start = Instant::now();
    let net = match picture::net_until(model, &|| start.elapsed() > DRAWING) {
        Ok(net) => net,
        Err(no) => {
            output::complain(&format!("note: {}; no picture was written", no.summary));
            return Ok(());
        }
    };
    let trace = trace.trace(&model.loaded.system).map_err(|e| broken(&e.to_string()))?;
    let run = picture::run(&net, &model.loaded.system, &trace, PICTURE);
    match run.and_then(|run| picture::process(&net, &run, PICTURE)) {
        Ok(picture) => output::write_file(&file.path, &file.language.write(&picture)),
        Err(NoPicture::Unknown(why)) => {
            output::complain(&format!("note: {why}; no picture was written"));
            Ok(())
        }
        Err(other) => Err(other.failure(broken)),
    }
}

/// Draws the first run as a chart, and who waits for whom in the first deadlock.
fn tell(args: &CheckArgs, answered: &[Answered]) -> Result<(), Failure> {
    let first = |wanted: fn(&Explanation) -> bool| {
        let told = |a: &'_ Answered| a.report.results.iter().position(|r| r.explanation.as_ref().is_some_and(wanted));
        let (a, number) = answered.iter().find_map(|a| Some((a, told(a)?)))?;
        Some((&a.model.loaded.system, a.report.results[number].explanation.as_ref()?))
    };
    let limits = if args.all_steps { Limits::NONE } else { Limits::SHORT };
    if let Some(file) = &args.telling.chart {
        telling::write_chart(file, first(|_| true), limits)?;
    }
    if let Some(file) = &args.telling.wait_for {
        telling::write_waiting(file, first(|e| e.conclusion.deadlock().is_some()))?;
    }
    Ok(())
}

fn answer(args: &CheckArgs) -> Result<(Vec<Answered>, Report), Failure> {
    let budget = budget::start(&args.limits);
    let engine = args.engine()?;
    let (file, patience, asked) = (args.model.clone(), Patience::new(&args.limits), args.questions.clone());
    let read = budget::in_time(&budget, budget::READING, move || {
        let mut read = Models::read(&file, patience)?;
        read.models.iter().for_each(warn);
        let given = question::given(&asked)?;
        read.models.iter_mut().try_for_each(|m| question::prepare(m, &given, question::place))?;
        Ok((read, given))
    });
    let (Models { models, mut refused }, given) = read?;
    if args.dead_code && models.len() > 1 {
        return Err(Failure::usage("--dead-code is about one process: name it with --process".to_owned()));
    }
    refused.retain(|r| is_asked(args, r));
    let asked = questions(args, &given, &models, &refused)?;
    let all = asked.iter().flatten();
    if args.all && !all.clone().any(|p| matches!(p.property, Property::DeadlockFree)) {
        output::complain("note: --all lists deadlocks, and deadlock is not asked for; --deadlock asks for it");
    }
    args.files.fit(&engine)?;
    if args.files.leaves_checkpoints() && models.len() > 1 {
        return Err(Failure::usage("--checkpoint is about one process: name it with --process".to_owned()));
    }
    can_deliver(&args.output)?;
    args.trace.as_deref().map_or(Ok(()), output::can_write)?;
    args.certificate.as_deref().map_or(Ok(()), output::can_write)?;
    telling::can_write(&args.telling)?;
    if let Some(file) = &args.picture {
        output::can_write(&file.path)?;
    }
    let mut open = all.count();
    let mut answered = Vec::new();
    for (mut model, mut asked) in models.into_iter().zip(asked) {
        let share = asked.len();
        let mut report = answers(args, &engine, &model, &asked, &budget.shares(share, open))?;
        while let Some(number) = report.unforeseen {
            let widening = move || model.widen(number).map(|widened| (model, widened));
            let widened;
            (model, widened) = budget::in_time(&budget, budget::READING, widening)?;
            refused = match widened {
                Ok(refused) => refused,
                Err(why) => {
                    let open = report.results.iter_mut().filter(|r| r.unforeseen.is_some());
                    open.for_each(|r| r.reason = Some(why.clone()));
                    break;
                }
            };
            refused.retain(|r| is_asked(args, r));
            asked = questions(args, &given, std::slice::from_ref(&model), &refused)?.remove(0);
            report = answers(args, &engine, &model, &asked, &budget.shares(share, open))?;
        }
        open -= share;
        if let (Some(DeadCode::Known { steps, .. }), Some(reading)) = (&mut report.dead_code, &model.reading) {
            let never = reading.never_done().into_iter();
            steps.extend(never.map(|(process, name, span)| Unused {
                name,
                processes: vec![process],
                source: Some(model.source.place(span)),
            }));
        }
        keep_questions(&mut report, &given);
        keep_options(&mut report, &args.model.options());
        answered.push(Answered { model, asked, report, given: given.clone() });
    }
    let whole = whole(&answered, refused, &args.model.file);
    Ok((answered, whole))
}

/// One report of all, in the order of the text.
fn whole(answered: &[Answered], refused: Vec<Refused>, file: &Path) -> Report {
    let spans = |a: &Answered| a.asked.iter().map(|p| p.span).collect::<Vec<_>>();
    let placed = |a: &Answered| spans(a).into_iter().zip(a.report.results.clone()).collect::<Vec<_>>();
    let mut results: Vec<(Option<Span>, ReportResult)> = answered.iter().flat_map(placed).collect();
    if !refused.is_empty() || answered.len() > 1 {
        results.extend(refused.into_iter().map(|r| (Some(r.span), undecided(r, answered))));
        results.sort_by_key(|(span, _)| *span);
    }
    let results = results.into_iter().map(|(_, result)| result).collect();
    if let [only] = answered {
        return Report { results, ..only.report.clone() };
    }
    let name = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let model = ModelInfo::of_all(name, &file.display().to_string(), answered.iter().map(|a| &a.report.model));
    Report::new(model, results)
}

fn undecided(refused: Refused, answered: &[Answered]) -> ReportResult {
    let source = answered.first().map(|a| a.model.source.place(refused.span));
    ReportResult { source, ..ReportResult::undecided(refused.name, refused.kind, refused.why) }
}

/// Shows the front end's remarks.
pub(crate) fn warn(model: &Model) {
    let warnings = &model.loaded.warnings;
    if !warnings.is_empty() {
        output::complain(&diagnostics::render(&model.input.name, &model.input.text, warnings));
    }
}

fn answers(
    args: &CheckArgs,
    engine: &Choice,
    model: &Model,
    properties: &[NamedProperty],
    budget: &Budget,
) -> Result<Report, Failure> {
    let set = model.set();
    let list = Listing {
        deadlocks: args.all,
        dead_code: args.dead_code,
        certificates: args.certificate.is_some() || args.certified,
        hints: args.hint,
    };
    let threads = args.threads();
    let net = model.net.as_ref().map(|file| NetSource { net: &file.net, threads });
    let network = model.network.as_ref().map(|network| NetworkSource { network, threads });
    let system = &model.loaded.system;
    let (files, known) = (args.files.files(), model.known_error());
    let (source, files, known_error) = (&model.source, files.as_ref(), known.as_ref());
    let inquiry = Inquiry { system, properties, source, set: &set, list, net, network, threads, files, known_error };
    let progress = Live::new(args.progress);
    let report = driver::check(&inquiry, engine, budget, &progress);
    progress.clear();
    let mut report = report.map_err(|contradiction| Failure::internal(contradiction.to_string()))?;
    // People have seen the details with the text that they are about.
    let people_only = args.output.format == Format::Text && args.output.report.is_empty();
    let said = if people_only { model.abstracted.len().min(1) } else { model.abstracted.len() };
    for result in &mut report.results {
        result.warnings.extend_from_slice(&model.abstracted[..said]);
    }
    Ok(report)
}

fn show(
    args: &CheckArgs,
    (report, answered): (&Report, &[Answered]),
    exit: impl Fn(&ReportResult) -> Exit,
    worst: Exit,
) -> Result<(), Failure> {
    let detail = match (args.quiet, args.all_steps) {
        (true, _) => Detail::Verdicts,
        (false, true) => Detail::Explained(Limits::NONE),
        (false, false) => Detail::Explained(Limits::SHORT),
    };
    let times = args.output.times();
    let cases = cases(report, exit);
    let json = || match times {
        Times::Shown => json(report),
        Times::Hidden => json(&report.clone().without_times()),
    };
    let results = Results {
        text: &|| render(report, detail, times),
        json: &json,
        log: &|| render(report, Detail::Verdicts, times),
        cases: &cases,
        page: &|| document(args, report, answered),
        exit: worst,
    };
    deliver(&args.output, &results)
}

fn json(report: &Report) -> String {
    serde_json::to_string_pretty(report).expect("a report is always JSON") + "\n"
}

/// Whether something that cannot be decided is asked for: by its name, or with all the rest.
fn is_asked(args: &CheckArgs, refused: &Refused) -> bool {
    args.questions.is_empty() || args.questions.property.contains(&refused.name)
}

/// The questions of the command line, or those of the file if there are none, by model.
fn questions(
    args: &CheckArgs,
    given: &[Question],
    models: &[Model],
    refused: &[Refused],
) -> Result<Vec<Vec<NamedProperty>>, Failure> {
    let CheckArgs { questions: args, model: file, .. } = args;
    if args.is_empty() {
        return Ok(models.iter().map(|m| m.loaded.properties.clone()).collect());
    }
    let mut out = vec![Vec::new(); models.len()];
    for name in args.property.iter().filter(|name| !refused.iter().any(|r| r.name == **name)) {
        let named = |m: &Model| m.loaded.properties.iter().find(|p| p.name == *name).cloned();
        let (number, property) = models
            .iter()
            .enumerate()
            .find_map(|(number, model)| Some((number, named(model)?)))
            .ok_or_else(|| unknown(name, models, file))?;
        out[number].push(property);
    }
    for (out, model) in out.iter_mut().zip(models) {
        if args.deadlock {
            out.push(question::deadlock_free());
        }
        if args.partial {
            out.push(question::partial_deadlock_free(model)?);
        }
        if args.divergence {
            out.push(question::divergence_free(model)?);
        }
        for asked in given {
            let place = question::place(asked);
            let place =
                if models.len() > 1 { format!("{place}, asked of {}", model.loaded.system.name()) } else { place };
            out.push(question::read(model, asked, &place)?);
        }
    }
    Ok(out)
}

/// A saved trace must be of use without the command line that it came from.
fn keep_questions(report: &mut Report, asked: &[Question]) {
    for result in &mut report.results {
        if let Some(trace) = &mut result.trace {
            trace.question = asked.iter().find(|q| q.name() == trace.property).cloned();
        }
    }
}

/// Nor without the options by which the model was read.
fn keep_options(report: &mut Report, options: &[String]) {
    for result in &mut report.results {
        let listed = result.deadlocks.iter_mut().map(|deadlock| &mut deadlock.trace);
        result.trace.iter_mut().chain(listed).for_each(|trace| trace.options = options.to_vec());
    }
}

fn unknown(name: &str, models: &[Model], file: &ModelArgs) -> Failure {
    let known: Vec<&str> = models.iter().flat_map(|m| &m.loaded.properties).map(|p| p.name.as_str()).collect();
    Failure::input(format!("{} has no property `{name}`; it has: {}", file.file.display(), known.join(", ")))
}
