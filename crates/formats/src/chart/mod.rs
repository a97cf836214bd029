//! Sequence charts in the languages that draw them, and as drawings.

mod mermaid;
mod plantuml;
mod svg;

pub use mermaid::mermaid;
pub use plantuml::plantuml;
pub use svg::svg;

#[cfg(test)]
mod tests {
    use explain::{Chart, ExchangeKind, Lane, Row};

    use super::*;

    /// A chart with names that each language could take for something else.
    fn awkward() -> Chart {
        let lane = |name: &str, is_channel| Lane { name: name.to_owned(), is_channel };
        let arrow = |from, to, kind, text: &str| Row::Arrow { from, to, kind, text: text.to_owned() };
        Chart {
            title: "a \"run\"; of <m>\n#1".to_owned(),
            lanes: vec![lane("end", false), lane("P[0]", false), lane("q\"s", true)],
            rows: vec![
                Row::Note { lane: 0, text: "1. a->b: x := 1; y := #2".to_owned() },
                arrow(0, 2, ExchangeKind::Send, "2. <end>"),
                Row::Remark("steps 3 to 9 are left out".to_owned()),
                Row::ForEver,
                arrow(2, 1, ExchangeKind::Receive, "10. **bold**"),
                arrow(0, 1, ExchangeKind::Rendezvous, "11. c: \\n"),
                arrow(0, 1, ExchangeKind::Joint, "12. a%b"),
                arrow(1, 2, ExchangeKind::Lost, "13. lost"),
                Row::Fate { lane: 1, text: "waits for x".to_owned() },
            ],
        }
    }

    #[test]
    fn mermaid_takes_nothing_of_a_text_for_its_own() {
        let text = mermaid(&awkward());
        let wanted = [
            "sequenceDiagram",
            "  participant l0 as #101;nd",
            "  participant l1 as P[0]",
            "  participant l2 as channel q#34;s",
            "  Note over l0: 1. a-#62;b#58; x #58;= 1#59; y #58;= #35;2",
            "  l0->>l2: 2. #60;#101;nd#62;",
            "  Note over l0,l2: steps 3 to 9 are left out",
            "  loop for ever",
            "  l2->>l1: 10. **bold**",
            "  l0->>l1: 11. c#58; #92;n",
            "  l0->l1: 12. a#37;b",
            "  l1-xl2: 13. lost",
            "  end",
            "  Note over l1: waits for x",
        ];
        assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), wanted);
        assert_eq!(text.lines().next(), Some("%% a \"run\"; of <m> #1"));
    }

    #[test]
    fn plantuml_takes_nothing_of_a_text_for_its_own() {
        let text = plantuml(&awkward());
        let wanted = [
            "@startuml",
            "title a <U+0022>run<U+0022>; of <U+003C>m> #1",
            "participant \"end\" as l0",
            "participant \"P[0]\" as l1",
            "queue \"q<U+0022>s\" as l2",
            "note over l0 : 1. a->b: x := 1; y := #2",
            "l0 -> l2 : 2. <U+003C>end>",
            "... steps 3 to 9 are left out ...",
            "loop for ever",
            "l2 -> l1 : 10. *<U+002A>bold*<U+002A>",
            "l0 -> l1 : 11. c: <U+005C>n",
            "l0 <-> l1 : 12. a<U+0025>b",
            "l1 ->x l2 : 13. lost",
            "end",
            "note over l1 : waits for x",
            "@enduml",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn a_drawing_has_every_lane_and_every_row() {
        let text = svg(&awkward());
        for part in
            ["&lt;m&gt;", ">P[0]</text>", ">q&quot;s</text>", "for ever", "class=\"frame\"", "13. lost", "waits for x"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(text.matches("class=\"life\"").count(), 3);
        assert_eq!(text.matches("class=\"arrow").count(), 5);
        assert_eq!(text.matches("url(#tip)").count(), 3, "what is done together has no tip, nor what is lost");
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }
}
