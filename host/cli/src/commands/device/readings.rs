//! Named values of a sample for stats, the exporter and the terminal view.

use super::path_and_ports::{of_part, Host, Path, Port};
use bloomline_driver::{Design, Part, Sample};
use bloomline_spec::{Erase, TICK_CLOCKS};
use serde::Serialize;

/// A half of a recycling filter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Half {
    /// `active` or `frozen`.
    pub name: &'static str,
    /// Bits set.
    pub bits_set: u64,
    /// Share of its bits that are set, from 0 to 1.
    pub fill: f64,
}

/// Everything a device shows; what the kind has not is left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Readings {
    /// Name of the filter.
    pub filter: String,
    /// Its kind.
    pub kind: &'static str,
    /// Hash over everything that changes the gateware.
    pub geometry_hash: String,
    /// It takes items.
    pub running: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_half: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epoch: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spare_epochs: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covered: Option<bool>,
    /// Of a filter with a spare half: it is erased, so that a recycle would not wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spare_half_empty: Option<bool>,
    /// The secret of the hash is still the specification's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_secret: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_age_ticks: Option<u32>,
    /// The greatest age in milliseconds, by the clock of the specification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_age_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits_active: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits_frozen: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<u64>,
    /// The halves of a recycling filter, the active one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub halves: Vec<Half>,
    /// Rate at which fresh keys are seen right now, predicted from the fill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fpr_from_fill: Option<f64>,
    /// Rate that the specification aims at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_fpr: Option<f64>,
    /// What the specification leaves out: nothing of it is read, and a count of 0 is none of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_built: Vec<&'static str>,
    /// Those of the filter, by the names of the register map, in lower case.
    pub counters: serde_json::Map<String, serde_json::Value>,
    /// The packet path of a card between streams, or the lanes of a line card.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<Path>,
    /// The Ethernet ports of a line card.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<Port>,
    /// The host port of a line card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<Host>,
}

/// Ticks of an age in milliseconds.
pub fn ticks_in_ms(ticks: u32, clock_hz: u64) -> f64 {
    f64::from(ticks) * f64::from(TICK_CLOCKS) * 1e3 / clock_hz as f64
}

impl Readings {
    /// Those of a sample of such a device.
    pub fn of(design: &Design, sample: &Sample) -> Readings {
        let status = sample.status;
        let halves = halves(design, sample);
        let has_epochs = design.erase() == Some(Erase::Epoch);
        Readings {
            filter: design.common().name().to_owned(),
            kind: design.kind().word(),
            geometry_hash: format!("{:016x}", design.geometry_hash()),
            running: status.running,
            active_half: status.active_half,
            epoch: status.epoch.filter(|_| has_epochs),
            spare_epochs: status.spare_epochs.filter(|_| has_epochs),
            covered: status.covered.filter(|_| has_epochs),
            spare_half_empty: status
                .covered
                .filter(|_| design.erase() == Some(Erase::SpareHalf)),
            public_secret: status.public_secret,
            generation: status.generation,
            threshold: sample.threshold,
            max_age_ticks: sample.max_age_ticks,
            max_age_ms: sample
                .max_age_ticks
                .map(|ticks| ticks_in_ms(ticks, design.clock_hz())),
            bits_active: sample.bits_active,
            bits_frozen: sample.bits_frozen,
            messages: sample.messages,
            fpr_from_fill: fpr_from_fill(design, &halves),
            target_fpr: design.target_fpr(),
            halves,
            not_built: design.left_out(),
            counters: of_part(&sample.counters, Part::Filter),
            paths: Path::all(design, sample),
            ports: Port::all(sample),
            host: Host::of(design, sample),
        }
    }

    /// The state in words.
    pub fn state(&self) -> String {
        if !self.running {
            return "not running: coming out of configuration, reset or clear".to_owned();
        }
        let parts = [
            self.active_half.map(|half| format!("half {half} active")),
            self.epoch.map(|epoch| format!("epoch {epoch}")),
            self.generation.map(|number| format!("generation {number}")),
        ];
        let parts = parts.into_iter().flatten();
        std::iter::once("running".to_owned())
            .chain(parts)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

fn halves(design: &Design, sample: &Sample) -> Vec<Half> {
    let Some(geometry) = design.recycling() else {
        return Vec::new();
    };
    let half = |name, bits_set: Option<u64>| {
        bits_set.map(|bits_set| Half {
            name,
            bits_set,
            fill: bits_set as f64 / geometry.half_bits() as f64,
        })
    };
    let frozen = (geometry.phases() == 2).then(|| half("frozen", sample.bits_frozen));
    half("active", sample.bits_active)
        .into_iter()
        .chain(frozen.flatten())
        .collect()
}

/// Probability that a fresh key is seen with halves as full as these: `1 - prod(1 - f^k)`.
///
/// k independent functions over partitions as full as their half; unequal ones give less, for a product is greatest where its
/// factors are equal. Two functions in place of k add what `plan` says.
fn fpr_from_fill(design: &Design, halves: &[Half]) -> Option<f64> {
    let hashes = design.common().hashes() as i32;
    let missed = |half: &Half| 1.0 - half.fill.powi(hashes);
    (!halves.is_empty()).then(|| 1.0 - halves.iter().map(missed).product::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_spec::{FilterSpec, EXAMPLES};
    use std::path::Path;

    #[test]
    fn the_rate_is_that_of_either_half() {
        let (file, text) = EXAMPLES[0];
        let sizing = FilterSpec::from_toml(text, Path::new(file)).and_then(|spec| spec.validate());
        let geometry = sizing.and_then(|sizing| sizing.with_threshold(30_000));
        let design = Design::from(geometry.expect("an example"));
        let half = |name, fill| Half {
            name,
            bits_set: 0,
            fill,
        };
        let rate = fpr_from_fill(&design, &[half("active", 0.5), half("frozen", 0.1)]);
        let expected = 1.0 - (1.0 - 0.0625) * (1.0 - 0.0001);
        assert!((rate.expect("two halves") - expected).abs() < 1e-15);
        assert_eq!(fpr_from_fill(&design, &[]), None);
    }
}
