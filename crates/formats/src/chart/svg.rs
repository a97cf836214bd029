//! Sequence charts as drawings.

use std::fmt::Write as _;

use explain::{Chart, ExchangeKind, Row};

use crate::drawing::{about, labelled_box, page, shortened, width};

const MARGIN: f64 = 24.0;
/// Where the lanes begin, and the height of a row.
const TOP: f64 = 62.0;
const ROW: f64 = 32.0;
/// Longer texts are shortened; the whole text is in the title.
const LABEL: usize = 48;

/// A whole SVG document.
pub fn svg(chart: &Chart) -> String {
    let centres = centres(chart);
    let mut out = String::new();
    let end = TOP + ROW * (chart.rows.len() + 1) as f64;
    let right = centres.last().copied().unwrap_or(0.0) + half(chart, chart.lanes.len() - 1);
    for (lane, x) in chart.lanes.iter().zip(&centres) {
        writeln!(out, "<path class=\"life\" d=\"M{x:.1} {:.1}V{end:.1}\"/>", TOP + 12.0).expect("a string");
        labelled_box(&mut out, if lane.is_channel { "channel" } else { "process" }, (*x, TOP), &lane.name, LABEL);
    }
    let mut frame = None;
    for (i, row) in chart.rows.iter().enumerate() {
        let y = TOP + ROW * (i + 1) as f64;
        match row {
            Row::Arrow { from, to, kind, text } => {
                arrow(&mut out, (centres[*from], centres[*to], y + 8.0), *kind, text)
            }
            Row::Note { lane, text } => labelled_box(&mut out, "note", (centres[*lane], y), text, LABEL),
            Row::Fate { lane, text } => {
                close(&mut out, &mut frame, right, y - ROW / 2.0);
                labelled_box(&mut out, "stuck", (centres[*lane], y), text, LABEL);
            }
            Row::Remark(text) => about(&mut out, (right / 2.0, y + 4.0), text, usize::MAX),
            Row::ForEver => {
                writeln!(out, "<text x=\"{MARGIN}\" y=\"{:.1}\">for ever:</text>", y + 4.0).expect("a string");
                frame = Some(y - ROW / 2.0 + 2.0);
            }
        }
    }
    close(&mut out, &mut frame, right, end - ROW / 2.0);
    let wide = (right + MARGIN).max(width(&chart.title) * 1.25 + 2.0 * MARGIN);
    page(&chart.title, (wide, end + MARGIN), &out)
}

/// Draws the frame around what is repeated, if it is open.
fn close(out: &mut String, frame: &mut Option<f64>, right: f64, bottom: f64) {
    if let Some(top) = frame.take() {
        let (left, right) = (MARGIN / 2.0, right + MARGIN / 2.0);
        writeln!(out, "<path class=\"frame\" d=\"M{left:.1} {top:.1}H{right:.1}V{bottom:.1}H{left:.1}z\"/>")
            .expect("a string");
    }
}

fn arrow(out: &mut String, (from, to, y): (f64, f64, f64), kind: ExchangeKind, text: &str) {
    let (class, tip) = match kind {
        ExchangeKind::Rendezvous | ExchangeKind::Send | ExchangeKind::Receive => ("arrow", " marker-end=\"url(#tip)\""),
        ExchangeKind::Joint => ("arrow", ""),
        ExchangeKind::Lost => ("arrow other", ""),
    };
    // What is lost does not arrive.
    let end = if kind == ExchangeKind::Lost { from + (to - from) * 0.75 } else { to };
    writeln!(out, "<path class=\"{class}\"{tip} d=\"M{from:.1} {y:.1}H{end:.1}\"/>").expect("a string");
    if kind == ExchangeKind::Lost {
        about(out, (end, y + 4.0), "\u{2717}", LABEL);
    }
    about(out, ((from + to) / 2.0, y - 6.0), text, LABEL);
}

/// Half the room that a lane needs.
fn half(chart: &Chart, lane: usize) -> f64 {
    let notes = chart.rows.iter().filter_map(|row| match row {
        Row::Note { lane: own, text } | Row::Fate { lane: own, text } if *own == lane => Some(text),
        _ => None,
    });
    let texts = notes.chain([&chart.lanes[lane].name]);
    texts.map(|text| width(&shortened(text, LABEL)) / 2.0 + 14.0).fold(30.0, f64::max)
}

/// Where the lanes are, so that what is on them and between them has room.
fn centres(chart: &Chart) -> Vec<f64> {
    let mut centres: Vec<f64> = Vec::new();
    for lane in 0..chart.lanes.len() {
        let own = half(chart, lane);
        let beside = match lane.checked_sub(1) {
            // Two notes are never beside each other, but names are, and a note is beside a line.
            Some(before) => {
                let name = |lane: usize| width(&shortened(&chart.lanes[lane].name, LABEL)) / 2.0 + 14.0;
                centres[before] + own.max(half(chart, before)).max(name(before) + name(lane))
            }
            None => own + MARGIN,
        };
        let between = chart.rows.iter().filter_map(|row| match row {
            Row::Arrow { from, to, text, .. } if *from.max(to) == lane && from != to => {
                Some(centres[*from.min(to)] + width(&shortened(text, LABEL)) + 24.0)
            }
            _ => None,
        });
        let centre = between.fold(beside, f64::max);
        centres.push(centre);
    }
    centres
}
