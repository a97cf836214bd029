//! Explanations as pictures: sequence charts of runs, and who waits for whom in a deadlock.

use std::path::{Path, PathBuf};

use explain::text::Limits;
use explain::{Chart, Explanation};
use formats::chart;
use formats::waiting::Waiting;
use model::System;

use crate::args::TellingArgs;
use crate::exit::Failure;
use crate::output;
use crate::picture::{Language, PictureFile};

/// The language of a sequence chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChartLanguage {
    Mermaid,
    PlantUml,
    Svg,
}

/// A file for a sequence chart.
#[derive(Clone, Debug)]
pub(crate) struct ChartFile {
    pub(crate) path: PathBuf,
    language: ChartLanguage,
}

/// The name of a file for a sequence chart, which says its language.
pub(crate) fn chart_file(text: &str) -> Result<ChartFile, String> {
    let path = PathBuf::from(text);
    let language = match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("mmd" | "mermaid") => ChartLanguage::Mermaid,
        Some("puml" | "plantuml") => ChartLanguage::PlantUml,
        Some("svg") => ChartLanguage::Svg,
        _ => return Err("a sequence chart is an .mmd, a .puml or an .svg file".to_owned()),
    };
    Ok(ChartFile { path, language })
}

/// Fails now if what is wanted could not be written later.
pub(crate) fn can_write(args: &TellingArgs) -> Result<(), Failure> {
    let (chart, waiting) = (args.chart.as_ref(), args.wait_for.as_ref());
    let files = chart.map(|f| &f.path).into_iter().chain(waiting.map(|f| &f.path));
    files.map(PathBuf::as_path).try_for_each(output::can_write)
}

/// Writes what is wanted of one run.
pub(crate) fn write(args: &TellingArgs, told: Option<(&System, &Explanation)>, limits: Limits) -> Result<(), Failure> {
    args.chart.as_ref().map_or(Ok(()), |file| write_chart(file, told, limits))?;
    args.wait_for.as_ref().map_or(Ok(()), |file| write_waiting(file, told))
}

/// Writes the sequence chart of a run, as long as the text of `limits`.
pub(crate) fn write_chart(
    file: &ChartFile,
    told: Option<(&System, &Explanation)>,
    limits: Limits,
) -> Result<(), Failure> {
    let Some((system, explanation)) = told else { return nothing("there is no run to draw") };
    let Some(chart) = Chart::new(system, explanation, limits) else {
        return nothing("no process takes part in the run, so it has no sequence chart");
    };
    let text = match file.language {
        ChartLanguage::Mermaid => chart::mermaid(&chart),
        ChartLanguage::PlantUml => chart::plantuml(&chart),
        ChartLanguage::Svg => chart::svg(&chart),
    };
    output::write_file(&file.path, &text)
}

/// Writes who waits for whom at the end of a run.
pub(crate) fn write_waiting(file: &PictureFile, told: Option<(&System, &Explanation)>) -> Result<(), Failure> {
    let PictureFile { path, language } = file;
    match told.and_then(|(system, e)| Some((system, e.conclusion.deadlock()?))) {
        Some((system, deadlock)) => match Waiting::new(system.name(), deadlock) {
            Some(graph) => write_graph(path, *language, &graph),
            None => nothing("nobody waits for anybody"),
        },
        None => nothing("there is no deadlock to draw"),
    }
}

fn write_graph(path: &Path, language: Language, graph: &Waiting) -> Result<(), Failure> {
    let text = match language {
        Language::Dot => graph.dot(),
        Language::Svg => graph.svg(),
    };
    output::write_file(path, &text)
}

fn nothing(why: &str) -> Result<(), Failure> {
    output::complain(&format!("note: {why}; nothing was written"));
    Ok(())
}
