use super::super::readings::Readings;
use crate::numbers;
use bloomline_driver::{Event, Part};
use serde_json::Value;
use std::collections::VecDeque;

/// Samples that the curves show at most.
const MOST_POINTS: usize = 512;
const MOST_EVENTS: usize = 64;

/// What was seen so far.
#[derive(Debug, Default)]
pub struct History {
    /// The last sample.
    pub now: Option<Readings>,
    /// The one before it.
    pub before: Option<Readings>,
    /// What the curves show, oldest first.
    pub points: VecDeque<Point>,
    /// Events, newest first, each with the number of its sample.
    pub events: VecDeque<(u64, String)>,
    /// Samples so far.
    pub samples: u64,
    /// Why the last sample failed, if it did.
    pub error: Option<String>,
}

/// A sample, as far as the curves show it.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// Since the first sample.
    pub seconds: f64,
    /// Items a second since the sample before.
    pub rate: Option<f64>,
    /// Fill of the active half and of the frozen one, from 0 to 1.
    pub fills: [Option<f64>; 2],
    /// Rate of fresh keys that are seen, predicted from the fill.
    pub predicted: Option<f64>,
}

impl History {
    /// One more sample, at a time since the first, with the items a second since the one before.
    pub fn add(&mut self, readings: Readings, seconds: f64, rate: Option<f64>, events: &[Event]) {
        self.samples += 1;
        self.error = None;
        let fill = |place: usize| readings.halves.get(place).map(|half| half.fill);
        self.points.push_back(Point {
            seconds,
            rate,
            fills: [fill(0), fill(1)],
            predicted: readings.fpr_from_fill,
        });
        if self.points.len() > MOST_POINTS {
            self.points.pop_front();
        }
        for event in events {
            self.events.push_front((self.samples, in_words(event)));
        }
        self.events.truncate(MOST_EVENTS);
        self.before = self.now.replace(readings);
    }

    /// A sample that failed.
    pub fn failed(&mut self, error: String) {
        self.samples += 1;
        self.error = Some(error);
    }

    /// How far a counter of the filter went on with the last sample.
    pub fn gain(&self, counter: &str) -> Option<u64> {
        self.gain_of(|readings| readings.counters.get(counter))
    }

    /// How far a counter that is found like this went on with the last sample.
    pub fn gain_of<'a>(&'a self, find: impl Fn(&'a Readings) -> Option<&'a Value>) -> Option<u64> {
        let value = |readings: &'a Option<Readings>| find(readings.as_ref()?)?.as_u64();
        value(&self.now)?.checked_sub(value(&self.before)?)
    }
}

/// An event as a person would say it.
pub fn in_words(event: &Event) -> String {
    match event {
        Event::Recycled { times } => format!("recycled {}", numbers::times(*times)),
        Event::Lost { elements } => format!("{elements} elements lost: no room for them"),
        Event::Saturated { items } => format!("{items} items left a counter at its greatest value"),
        Event::Underflowed { items } => format!("{items} items removed that were not there"),
        Event::WrongWords { slots } => format!("wrong parity met {slots} times"),
        Event::CorrectedWords { slots } => {
            format!("flipped bits of memory corrected in {slots} reads")
        }
        Event::UncorrectableWords { slots } => {
            format!("memory errors that cannot be corrected met {slots} times")
        }
        Event::Stalled { cause, clocks } => {
            format!("{} for {clocks} clocks", cause.name().to_lowercase())
        }
        Event::Overflowed { counter, frames } => {
            format!(
                "{frames} frames lost in {}: no room for them",
                counter.part()
            )
        }
        Event::LinkChanged { port, link } => format!("{} is {link}", Part::Port(*port)),
        Event::Restarted => "the device was reset".to_owned(),
    }
}

/// A number with three digits and the prefix of its size.
pub fn short(number: f64) -> String {
    let prefixes = ["", " k", " M", " G", " T"];
    let mut scaled = number;
    let mut prefix = 0;
    while scaled.abs() >= 999.5 && prefix + 1 < prefixes.len() {
        scaled /= 1000.0;
        prefix += 1;
    }
    let decimals = match scaled.abs() {
        _ if prefix == 0 => 0,
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    format!("{scaled:.decimals$}{}", prefixes[prefix])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        let shown = [0.0, 12.4, 999.4, 999.6, 1234.0, 99_960.0, 1.5e8, 2e13, 3e16].map(short);
        let expected = [
            "0", "12", "999", "1.00 k", "1.23 k", "100 k", "150 M", "20.0 T", "30000 T",
        ];
        assert_eq!(shown, expected);
    }
}
