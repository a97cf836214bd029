//! Plots are well-formed, and have a marker for each search that finished.

use std::time::Duration;

use evidence::{Budget, Silent};
use papers::{Axis, Item, Lab, Measured, Plot, Series};
use quick_xml::Reader;
use quick_xml::events::Event;

/// The number of elements of a name; fails unless the text is well-formed.
fn count(svg: &str, name: &str) -> usize {
    let mut reader = Reader::from_str(svg);
    let (mut count, mut depth) = (0, 0);
    loop {
        let event = reader.read_event().expect("well-formed");
        match &event {
            Event::Start(e) | Event::Empty(e) => {
                assert!(e.attributes().all(|a| a.is_ok()), "attributes are well-formed");
                count += usize::from(e.name().as_ref() == name);
            }
            Event::Eof => break,
            _ => {}
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    assert_eq!(depth, 0, "every element is closed");
    count
}

/// A figure of the thesis with some of its rows.
fn figure(name: &str, labels: &[&str]) -> Item {
    let thesis = papers::papers().into_iter().find(|p| p.name == "thesis").expect("it is there");
    let mut item = thesis.items.into_iter().find(|i| i.name == name).expect("it is there");
    item.rows.retain(|r| labels.contains(&r.labels[0].as_str()));
    item
}

fn measure(item: &Item, budget: &Budget) -> Vec<Measured> {
    let mut lab = Lab::new([item], budget, &Silent);
    item.rows.iter().map(|row| lab.measure(row)).collect()
}

#[test]
fn figure_8_1_has_a_point_for_each_search() {
    let item = figure("figure-8.1", &["2", "3", "4", "5", "6", "7"]);
    let plot = Plot::new(&item, &measure(&item, &Budget::unlimited())).expect("it is a plot");
    assert_eq!(plot.series[0].points[0], (2.0, 8.0));
    assert_eq!(plot.series[0].points[5], (7.0, 2186.0));
    let svg = plot.svg();
    assert_eq!((count(&svg, "circle"), count(&svg, "polyline")), (18, 3));
    assert!(svg.contains(">1,000</text>") && svg.contains(">philosophers</text>") && svg.contains(">PS+SLEEP</text>"));
}

#[test]
fn figure_8_3_leaves_out_what_is_not_tried() {
    let item = figure("figure-8.3", &["15000", "500", "150"]);
    let svg = Plot::new(&item, &measure(&item, &Budget::unlimited())).expect("it is a plot").svg();
    assert_eq!((count(&svg, "circle"), count(&svg, "polyline")), (4 + 3 + 3, 4));
    assert!(svg.contains(">states in the cache</text>") && svg.contains(">transitions</text>"));
}

#[test]
fn what_did_not_finish_has_no_point() {
    let item = figure("figure-8.1", &["2", "3", "4", "5", "6", "7"]);
    let rows = measure(&item, &Budget::unlimited().with_timeout(Duration::ZERO));
    let svg = Plot::new(&item, &rows).expect("it is a plot").svg();
    assert_eq!((count(&svg, "circle"), count(&svg, "polyline")), (0, 3));
}

#[test]
fn markup_in_labels_is_escaped() {
    let axis = |label: &str| Axis { label: label.to_owned(), log: false };
    let series = vec![Series { name: "\"<c>\"".to_owned(), points: vec![(1.0, 1.0)] }];
    let svg = Plot { title: "a & b".to_owned(), x: axis("x < 1"), y: axis("y > 1"), series }.svg();
    assert_eq!(count(&svg, "circle"), 1);
    assert!(svg.contains("&quot;&lt;c&gt;&quot;") && svg.contains("a &amp; b"));
}

#[test]
fn tables_are_no_plots() {
    let papers = papers::papers();
    let table = &papers[0].items[0];
    assert!(Plot::new(table, &[]).is_none());
}

#[test]
fn growth_of_unfoldings_is_a_plot() {
    let paper = papers::papers().into_iter().find(|p| p.name == "wang-buy").expect("it is there");
    let mut item = paper.items.into_iter().find(|i| i.name == "growth").expect("it is there");
    item.rows.retain(|r| ["2", "3", "4", "16"].contains(&r.labels[0].as_str()));
    let svg = Plot::new(&item, &measure(&item, &Budget::unlimited())).expect("it is a plot").svg();
    assert_eq!((count(&svg, "circle"), count(&svg, "polyline")), (4 + 4 + 4 + 3, 4));
    assert!(svg.contains(">stubborn unfolding</text>") && svg.contains(">events or states</text>"));
}
