//! Claims about the report.

use bloomline_verify::report::{
    render, write, BitsSetSeries, Claim, Curves, Fact, LatencyHistogram, Prediction, RatePoint,
    RateSeries, ReportData,
};
use bloomline_verify::stats::Verdict;

/// A report such as a run gives: a sawtooth of 40 cycles, a rate that settles, two latencies. With
/// `BLOOMLINE_REPORT_SAMPLE` set, it is also written there, to be looked at.
fn sample() -> ReportData {
    let (mut points, mut recycles, mut bits) = (Vec::new(), Vec::new(), 0.0_f64);
    for item in 0..28_000_u64 {
        bits += 4.0 * (1.0 - bits / 4096.0);
        if bits > 2048.0 {
            recycles.push(item);
            bits = 4.0;
        }
        points.push((item, bits as u64));
    }
    let rate = |i: u64| {
        let items = i * 5000;
        let rate = 0.0157 + 0.004 * (i as f64 * 0.7).sin() / (i as f64);
        let half = 0.0157 * 2.6 / (items as f64 * 0.0157).sqrt();
        RatePoint {
            items,
            rate,
            low: rate - half,
            high: rate + half,
        }
    };
    ReportData {
        title: "onehit".into(),
        summary: "A two-phase recycling filter of 131 072 bits, compared clock by clock with its reference model on \
                  1 000 000 items, and its false-positive rate with the prediction."
            .into(),
        verdict: Some(Verdict::Pass),
        highlights: vec![
            Fact::new("False-positive rate", "0.01569"),
            Fact::new("Mismatches", "0"),
            Fact::new("Items a clock", "1.000"),
            Fact::new("Recycles without a stall", "1 407"),
        ],
        predictions: vec![
            Prediction {
                name: "False-positive rate, average".into(),
                value: "0.0156589".into(),
                formula: "Σn E[Π bᵢ/m'; Σ bᵢ ≤ σ] / Σn P(Σ bᵢ ≤ σ)".into(),
                source: "exact, k-fold convolution".into(),
            },
            Prediction {
                name: "Messages a cycle".into(),
                value: "710.27".into(),
                formula: "Σn P(Σ bᵢ(n) ≤ σ)".into(),
                source: "exact".into(),
            },
        ],
        kind: String::new(),
        notes: vec![Fact::new("Remembers", "the last <keys>")],
        charts: Vec::new(),
        results: vec![
            Claim {
                name: "False-positive rate".into(),
                measured: "0.01569 (0.01551 to 0.01587)".into(),
                expected: "0.015659".into(),
                verdict: Some(Verdict::Pass),
                ..Claim::default()
            },
            Claim {
                name: "State test".into(),
                measured: "z = 0.42".into(),
                expected: "|z| < 2.58".into(),
                verdict: Some(Verdict::Pass),
                ..Claim::default()
            },
            Claim {
                name: "False negatives within a phase".into(),
                measured: "0".into(),
                expected: "0".into(),
                verdict: Some(Verdict::Pass),
                ..Claim::default()
            },
            Claim {
                name: "Worst-case rate".into(),
                measured: "0.031 (41 events)".into(),
                expected: "0.0312".into(),
                verdict: Some(Verdict::Inconclusive),
                ..Claim::default()
            },
        ],
        bits_set: Some(BitsSetSeries { points, recycles, threshold: Some(2048) }),
        rate: Some(RateSeries { points: (1..=200).map(rate).collect(), predicted: 0.015_659, bound: false, confidence: 0.99 }),
        curves: Some(Curves {
            heading: "Errors <by> share".into(),
            x: "error".into(),
            y: "share of keys".into(),
            logarithmic: true,
            measured_name: "measured".into(),
            measured: vec![(0.0, 1.0), (1.0, 0.5), (100.0, 0.001)],
            predicted_name: "bound".into(),
            predicted: vec![(1.0, 1.0), (1000.0, 0.0001)],
            marks: vec![(10.0, 0.01)],
        }),
        latency: Some(LatencyHistogram { items_by_clocks: [(11, 993_012), (12, 5_410), (13, 1_578)].into() }),
        specification: "name = \"onehit\"\n[filter]\nkind = \"recycling\"\nmemory_bits = 131072\nhashes = 4\n".into(),
        provenance: vec![
            Fact::new("Command", "bloomline verify onehit.toml --items 1000000 --seed 1"),
            Fact::new("Simulator", "Verilator 5.48.0, -O3"),
        ],
    }
}

#[test]
fn a_report_stands_alone_and_is_well_formed() {
    let text = render(&sample()).expect("a report");
    for forbidden in [
        "<script", "http://", "https://", "@import", "url(", "src=", "href=",
    ] {
        assert!(!text.contains(forbidden), "{forbidden} in the report");
    }
    for role in ["#010101", "#020202", "#030303", "#040404", "#050505"] {
        assert!(
            !text.contains(role),
            "a chart colour {role} was left that does not follow the page"
        );
    }
    let mut open: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(1) {
        let name = tag.split(['>', ' ', '\n']).next().unwrap_or_default();
        let empty = tag
            .split('>')
            .next()
            .is_some_and(|head| head.ends_with('/'))
            || ["!DOCTYPE", "meta", "br"].contains(&name);
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "a wrong closing tag"),
            None if empty => {}
            None => open.push(name),
        }
    }
    assert_eq!(open, Vec::<&str>::new());
    assert_eq!(text.matches("<svg").count(), 4);
    if let Some(path) = std::env::var_os("BLOOMLINE_REPORT_SAMPLE") {
        write(&sample(), path.as_ref()).expect("it is written");
    }
}

#[test]
fn every_given_text_is_shown_escaped() {
    let mut data = sample();
    data.title = "a<b>&c".into();
    data.specification = "name = \"<x>\"".into();
    data.results[0].measured = "1 < 2".into();
    let text = render(&data).expect("a report");
    for shown in [
        "a&lt;b&gt;&amp;c",
        "name = &quot;&lt;x&gt;&quot;",
        "1 &lt; 2",
        "710.27",
        "Messages a cycle",
        "The first 12 of",
    ] {
        assert!(text.contains(shown), "{shown} is missing");
    }
    assert!(!text.contains("a<b>"));
}

#[test]
fn an_empty_report_has_a_heading_alone() {
    let data = ReportData {
        title: "nothing".into(),
        ..ReportData::default()
    };
    let text = render(&data).expect("a report");
    assert!(text.contains("nothing") && !text.contains("<section") && !text.contains("<svg"));
}

#[test]
fn odd_series_are_drawn_or_refused_without_a_panic() {
    let mut data = sample();
    data.bits_set = Some(BitsSetSeries {
        points: vec![(5, 0)],
        recycles: vec![],
        threshold: None,
    });
    let point = RatePoint {
        items: 0,
        rate: f64::NAN,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };
    data.rate = Some(RateSeries {
        points: vec![point],
        predicted: 0.0,
        bound: false,
        confidence: 0.99,
    });
    data.curves = Some(Curves {
        logarithmic: true,
        measured: vec![(0.0, f64::NAN), (-1.0, f64::INFINITY)],
        ..Curves::default()
    });
    data.latency = Some(LatencyHistogram {
        items_by_clocks: [(0, 1), (1_000_000, u64::MAX / 2)].into(),
    });
    let _ = render(&data);
}

#[test]
fn a_report_is_written_whole_and_can_be_read_back_as_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new/folder/report.html");
    write(&sample(), &path).expect("it is written");
    write(&sample(), &path).expect("it is written again");
    assert_eq!(
        std::fs::read_to_string(&path).expect("the file"),
        render(&sample()).expect("a report")
    );
    assert_eq!(
        std::fs::read_dir(path.parent().expect("a folder"))
            .expect("entries")
            .count(),
        1,
        "nothing is left over"
    );
    // serde_json may read the last digit of a long fraction differently, so the fractions here are short.
    let rates = RatePoint {
        items: 5,
        rate: 0.5,
        low: 0.25,
        high: 0.75,
    };
    let data = ReportData {
        rate: Some(RateSeries {
            points: vec![rates],
            predicted: 0.5,
            bound: false,
            confidence: 0.75,
        }),
        ..sample()
    };
    let json = serde_json::to_string(&data).expect("data");
    assert!(
        serde_json::from_str::<ReportData>(&json).expect("data") == data,
        "the data changed on their way"
    );
    let blocked = path.join("below-a-file.html");
    assert!(write(&sample(), &blocked)
        .expect_err("no folder")
        .to_string()
        .contains("below-a-file.html"));
}
