//! Terminal view of the history of samples.

use super::super::readings::{Half, Readings};
use super::curves::{self, percent, ACTIVE, FROZEN};
use super::history::History;
use super::screen::{Colour, Line, Screen, Span};
use serde_json::{Map, Value};

const NAME_COLUMNS: usize = 16;
/// For the count of bits behind a bar.
const BITS_COLUMNS: usize = 36;
const LEAST_CURVE_ROWS: usize = 7;
const LEAST_EVENT_ROWS: usize = 3;
/// Rows of events where there is room.
const EVENT_ROWS: usize = 8;

const GOOD: Colour = Colour::Green;
const BAD: Colour = Colour::Red;
/// Names of counters of frames that were lost for want of room, and of damaged ones.
const LOSSES: [&str; 6] = [
    "overflows",
    "underruns",
    "frames_bad_fcs",
    "frames_broken",
    "frames_error",
    "lost",
];

/// Draws everything that fits.
pub fn draw(screen: &mut Screen, history: &History) {
    let mut left = screen.area();
    let Some(now) = &history.now else {
        let text = history.error.as_deref();
        let text = text.unwrap_or("waiting for the first sample");
        return screen.write(left, 0, 0, &[text.into()]);
    };
    let event_rows = match left.rows {
        0..=30 => LEAST_EVENT_ROWS,
        _ => EVENT_ROWS,
    };
    screen.write_all(left.take(2), head_of(now, history));
    let fills = left.take(now.halves.len());
    let gauges = now.halves.iter();
    let gauges = gauges.map(|half| gauge(half, now.threshold, fills.columns));
    screen.write_all(fills, gauges);
    let rows = numbers(now, history);
    screen.write_all(left.take(rows.len()), rows);
    let for_events = left.rows.saturating_sub(event_rows);
    if for_events >= LEAST_CURVE_ROWS {
        let shown = curves::of(history);
        let places = left.take(for_events).split(shown.len());
        for (curve, place) in shown.iter().zip(places) {
            curve.draw(screen, place);
        }
    }
    let events = screen.frame(left, &["events, by sample".into()]);
    let lines = history.events.iter();
    let lines = lines.map(|(sample, event)| vec![format!("{sample:>6}  {event}").into()]);
    screen.write_all(events, lines);
}

fn head_of(now: &Readings, history: &History) -> [Line; 2] {
    let name = format!(
        "{} ({}, geometry {})   sample {}   q ends",
        now.filter, now.kind, now.geometry_hash, history.samples
    );
    let state = match (&history.error, now.running) {
        (Some(error), _) => Span::coloured(error, BAD).bold(),
        (None, running) => Span::coloured(now.state(), if running { GOOD } else { BAD }),
    };
    [vec![Span::from(name).bold()], vec![state]]
}

/// Name, share, a bar of it over the columns that are left, bits.
fn gauge(half: &Half, threshold: Option<u64>, columns: usize) -> Line {
    let limit = match (half.name, threshold) {
        ("active", Some(threshold)) => format!(", threshold {threshold}"),
        _ => String::new(),
    };
    let name = format!("{:NAME_COLUMNS$}{:6.2}% ", half.name, 100.0 * half.fill);
    let bits = format!(" {} bits{limit}", half.bits_set);
    let left = columns.saturating_sub(name.len() + BITS_COLUMNS);
    let full = (half.fill.clamp(0.0, 1.0) * left as f64).round() as usize;
    let bar = "█".repeat(full) + &"░".repeat(left - full);
    let colour = match half.name {
        "active" => ACTIVE,
        _ => FROZEN,
    };
    vec![name.into(), Span::coloured(bar, colour), bits.into()]
}

fn numbers(now: &Readings, history: &History) -> Vec<Line> {
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| {
        rows.push(vec![format!("{name:NAME_COLUMNS$}{value}").into()]);
    };
    let mut spans = Vec::new();
    match (now.fpr_from_fill, now.target_fpr) {
        (Some(rate), Some(target)) => {
            let share = format!("{} of new keys, by the fill", percent(rate));
            row(
                "predicted rate",
                format!("{share}; target {} on average", percent(target)),
            );
        }
        (Some(rate), None) => row(
            "predicted rate",
            format!("{} of new keys, by the fill", percent(rate)),
        ),
        (None, Some(target)) => row("target rate", percent(target)),
        (None, None) => {}
    }
    if let (true, Some(threshold)) = (now.halves.is_empty(), now.threshold) {
        row("threshold", threshold.to_string());
    }
    if !now.not_built.is_empty() {
        row("not built", now.not_built.join(", "));
    }
    for (name, value) in &now.counters {
        row(name, format!("{value}{}", gained(history.gain(name))));
    }
    for (place, path) in now.paths.iter().enumerate() {
        let gain =
            |name: &str| history.gain_of(|readings| readings.paths.get(place)?.counters.get(name));
        spans.push((path.name.clone(), counted(&path.counters, gain)));
    }
    for (place, port) in now.ports.iter().enumerate() {
        let gain =
            |name: &str| history.gain_of(|readings| readings.ports.get(place)?.counters.get(name));
        let link = Span::coloured(port.link(), if port.up { GOOD } else { BAD });
        let mut line = vec![link, "; ".into()];
        line.extend(counted(&port.counters, gain));
        spans.push((port.name.clone(), line));
    }
    if let Some(host) = &now.host {
        let gain =
            |name: &str| history.gain_of(|readings| readings.host.as_ref()?.counters.get(name));
        let mut line = vec![format!("at {}; ", host.at).into()];
        line.extend(counted(&host.counters, gain));
        spans.push(("host".to_owned(), line));
    }
    rows.extend(spans.into_iter().map(|(name, mut line)| {
        line.insert(0, format!("{name:NAME_COLUMNS$}").into());
        line
    }));
    rows
}

/// What a counter gained.
fn gained(gain: Option<u64>) -> String {
    match gain {
        Some(0) | None => String::new(),
        Some(gain) => format!("  +{gain}"),
    }
}

/// The counters that counted, on one line; losses are red as long as they go on.
fn counted(counters: &Map<String, Value>, gain: impl Fn(&str) -> Option<u64>) -> Line {
    let counted = counters
        .iter()
        .filter(|(_, value)| value.as_u64() != Some(0));
    let mut spans = Line::new();
    for (name, value) in counted {
        if !spans.is_empty() {
            spans.push(", ".into());
        }
        let gain = gain(name);
        let text = format!("{name} {value}{}", gained(gain));
        let lost = LOSSES.contains(&name.as_str()) && gain.is_some_and(|gain| gain > 0);
        spans.push(match lost {
            true => Span::coloured(text, BAD).bold(),
            false => text.into(),
        });
    }
    match spans.is_empty() {
        true => vec!["no frames".into()],
        false => spans,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_driver::{CounterRegister, Event};
    use bloomline_spec::registers::RecyclingCounter;

    fn readings(step: u64, halves: bool) -> Readings {
        let fill = |share: f64| share * (step % 10) as f64 / 10.0;
        let half = |name, fill: f64| Half {
            name,
            bits_set: (65_536.0 * fill) as u64,
            fill,
        };
        let counters = [
            ("items", 1_000_000 * step),
            ("recycles", step / 3),
            ("stall_verdict", 7),
        ];
        Readings {
            filter: "onehit".to_owned(),
            kind: if halves { "recycling" } else { "counting" },
            geometry_hash: "0123456789abcdef".to_owned(),
            running: true,
            active_half: halves.then_some(1),
            epoch: Some(5),
            spare_epochs: Some(14),
            covered: Some(true),
            spare_half_empty: None,
            public_secret: None,
            generation: None,
            threshold: Some(30_000),
            max_age_ticks: Some(0),
            max_age_ms: Some(0.0),
            bits_active: None,
            bits_frozen: None,
            messages: None,
            halves: match halves {
                true => vec![half("active", fill(0.45)), half("frozen", 0.4578)],
                false => Vec::new(),
            },
            fpr_from_fill: halves.then_some(0.0081),
            target_fpr: halves.then_some(0.01),
            not_built: Vec::new(),
            counters: counters
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value.into()))
                .collect(),
            paths: Vec::new(),
            ports: Vec::new(),
            host: None,
        }
    }

    /// The documentation's picture: the example filter with 1,000 keys a second, as its reference model fills.
    #[test]
    fn the_picture_of_the_documentation_is_what_the_view_draws() {
        use bloomline_model::RecyclingFilter;
        use bloomline_spec::{FilterSpec, Key, Operation, EXAMPLES};
        let (file, text) = EXAMPLES[0];
        let sizing = FilterSpec::from_toml(text, file.as_ref()).and_then(|spec| spec.validate());
        let geometry = sizing.and_then(|sizing| sizing.with_threshold(19_694));
        let geometry = geometry.expect("an example");
        let mut filter = RecyclingFilter::new(&geometry);
        let (mut history, mut items, mut recycles) = (History::default(), 0u64, 0);
        for sample in 0..80u32 {
            let arrived = 400 + 250 * u64::from(sample % 7 % 3);
            for _ in 0..arrived {
                items += 1;
                let key = u128::from(items).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c);
                let key = Key::from_integer(key % (1 << 104), 104).expect("104 bits");
                filter.apply(&key, Operation::TestAndInsert);
            }
            let bits = [filter.bits_active(), filter.bits_frozen()];
            let [active, frozen] = bits.map(|bits| bits as f64 / geometry.half_bits() as f64);
            let half = |name, bits_set, fill| Half {
                name,
                bits_set,
                fill,
            };
            let times = filter.recycles() - recycles;
            recycles = filter.recycles();
            let counters = [("items", items), ("recycles", recycles)];
            let readings = Readings {
                geometry_hash: format!("{:016x}", geometry.geometry_hash()),
                active_half: Some((recycles % 2) as u32),
                epoch: Some((1 + recycles / 2 % 15) as u32),
                threshold: Some(geometry.threshold()),
                halves: vec![
                    half("active", bits[0], active),
                    half("frozen", bits[1], frozen),
                ],
                fpr_from_fill: Some(1.0 - (1.0 - active.powi(4)) * (1.0 - frozen.powi(4))),
                counters: counters
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value.into()))
                    .collect(),
                ..readings(1, true)
            };
            let events: Vec<Event> = (times > 0)
                .then_some(Event::Recycled { times })
                .into_iter()
                .collect();
            let rate = (sample > 0).then_some(2.0 * arrived as f64);
            history.add(readings, 0.5 * f64::from(sample), rate, &events);
        }
        let mut screen = Screen::new(24, 116);
        draw(&mut screen, &history);
        let picture = super::super::picture::svg(&screen);
        let file = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../hdl/docs/pictures/watch.svg"
        );
        if std::env::var_os("BLOOMLINE_BLESS").is_some() {
            std::fs::write(file, &picture).expect("written");
        }
        let committed = std::fs::read_to_string(file).expect("the picture");
        assert!(
            picture == committed,
            "BLOOMLINE_BLESS=1 writes {file} again"
        );
    }

    fn screen(history: &History, columns: usize, rows: usize) -> String {
        let mut screen = Screen::new(rows, columns);
        draw(&mut screen, history);
        screen.to_string()
    }

    #[test]
    fn a_recycling_filter_shows_fill_rate_counters_curves_and_events() {
        let mut history = History::default();
        for step in 1..=38 {
            let cause = CounterRegister::from(RecyclingCounter::StallVerdict);
            let events = match step {
                12 => vec![Event::Recycled { times: 1 }],
                30 => vec![Event::Stalled { cause, clocks: 7 }],
                _ => Vec::new(),
            };
            let rate = (step > 1).then_some(2e6 * (1.0 + (step % 7) as f64 / 7.0));
            history.add(readings(step, true), 0.5 * step as f64, rate, &events);
        }
        insta::assert_snapshot!(screen(&history, 110, 26));
    }

    #[test]
    fn a_filter_without_halves_shows_its_counters() {
        let mut history = History::default();
        history.add(readings(1, false), 0.0, None, &[]);
        history.add(readings(2, false), 0.5, Some(2e6), &[Event::Restarted]);
        insta::assert_snapshot!(screen(&history, 70, 16));
    }

    #[test]
    fn a_failure_stands_in_the_head_and_a_small_terminal_is_no_failure() {
        let mut history = History::default();
        assert!(screen(&history, 40, 3).contains("waiting for the first sample"));
        history.failed("no answer within 1s".to_owned());
        assert!(screen(&history, 40, 3).contains("no answer within 1s"));
        history.add(readings(3, true), 0.0, None, &[]);
        history.failed("the link failed".to_owned());
        assert!(screen(&history, 90, 20).contains("the link failed"));
        for (columns, rows) in [(0, 0), (1, 1), (5, 3), (20, 40), (200, 4), (9, 30)] {
            screen(&history, columns, rows);
        }
    }
}
