//! A filter beside other structures that forget by age, in the same memory at the same rate.

use super::{Page, Table};
use crate::forecast::{short, stated, whole, Line};
use crate::{Error, Filter};
use bloomline_spec::{Layout, CUCKOO_TABLES};
use bloomline_theory::peers::{
    better_ranges, compare, Accesses, Peer, Range, Remembers, Size, Structure, KEPT_SHARE,
};
use bloomline_theory::Figure;
use bloomline_verify::report::{Curves, Prediction};
use bloomline_verify::text::percent;
use serde::Serialize;
use serde_json::{json, Map, Value};

/// Least advantage in the reach of another structure that is worth a sentence.
const WORTH_SAYING: f64 = 1.05;
/// Points of a curve.
const POINTS: u32 = 160;

/// The filter and the others, each with formula and source.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    rate: f64,
    memory_bits: u64,
    /// The specification's own filter first.
    peers: Vec<Peer>,
    advice: Vec<String>,
    ranges: Vec<Range>,
    /// Place of the age-partitioned filter that `ranges` speaks of.
    rival: Option<usize>,
}

impl Filter {
    /// Compares the filter with other structures that forget by age: double buffering, one filter a block, age-partitioned, stable and
    /// time-decaying Bloom filters, blocked ones, cuckoo and quotient filters with generations, and SWAMP, each with the sizes that remember
    /// longest in the same memory at the same average rate.
    ///
    /// # Errors
    /// [`Error::NothingToCompare`] for filters that forget nothing by themselves; [`Error::NoRates`] as [`Filter::plan`].
    pub fn compare(&self) -> Result<Comparison, Error> {
        self.planned().check_rates()?;
        let own = match self.own_peer() {
            Some(own) => own,
            None => {
                return Err(Error::NothingToCompare {
                    file: self.file().to_owned(),
                    kind: self.design().kind().to_string(),
                })
            }
        };
        let rate = match self.design().target_fpr() {
            Some(target) if own.fpr.value <= target => target,
            _ => own.fpr.value,
        };
        let memory_bits = self.design().memory_bits();
        let banks = own.accesses.banks.try_into().unwrap_or(u32::MAX);
        let mut peers = vec![own];
        peers.extend(compare(memory_bits, rate, banks));
        let rival = peers
            .iter()
            .rposition(|peer| peer.structure == Structure::AgePartitioned);
        let ranges = match rival {
            Some(rival) => better_ranges(&[&peers[0], &peers[rival]]),
            None => Vec::new(),
        };
        let mut comparison = Comparison {
            rate,
            memory_bits,
            peers,
            advice: Vec::new(),
            ranges,
            rival,
        };
        comparison.advice = comparison.advise();
        Ok(comparison)
    }

    /// This filter as the comparison sees it; none where it forgets nothing by itself.
    fn own_peer(&self) -> Option<Peer> {
        let figure = |key: &str| -> Option<Figure> {
            let line: &Line = self.lines().iter().find(|line| line.key == key)?;
            Some(Figure::new(line.value, line.formula.clone(), line.accuracy))
        };
        let value = |key: &str| figure(key).map(|figure| figure.value);
        let clock_hz = self.design().clock_hz() as f64;
        let items_a_clock = value("items_per_second")? / clock_hz;
        let memory_bits = self.design().memory_bits() as f64;
        let busiest_bank = 2.0 / items_a_clock;
        let size = |name, value| Size { name, value };
        let sliding = |window: u64, fingerprint_bits: u32, generation_items, accesses| {
            Some(Peer {
                structure: Structure::SlidingWindow,
                sizes: vec![
                    size("window keys", window),
                    size("fingerprint bits", fingerprint_bits.into()),
                    size("generation keys", generation_items),
                ],
                memory_bits,
                fpr: figure("fpr")?,
                remembers: Remembers::Generations {
                    kept: window as f64,
                    gone: window as f64 + value("slack_used")?.max(1.0),
                },
                accesses,
            })
        };
        let design = self.design();
        if let Some(geometry) = design.recycling() {
            let cycle = value("messages_per_cycle")?;
            let (phases, k) = (geometry.phases(), geometry.hashes());
            let (kept, gone) = match phases {
                1 => (0.0, cycle),
                _ => (cycle, 2.0 * cycle),
            };
            let banks = match geometry.layout() {
                Layout::Partitioned => phases * k,
                Layout::Shared => phases,
            };
            return Some(Peer {
                structure: match phases {
                    1 => Structure::OnePhase,
                    _ => Structure::TwoPhases,
                },
                sizes: vec![
                    size("k", k.into()),
                    size("filters", phases.into()),
                    size("partition bits", geometry.partition_bits()),
                    size("generation keys", cycle.round() as u64),
                ],
                memory_bits,
                fpr: figure("fpr_average")?,
                remembers: Remembers::Generations { kept, gone },
                accesses: Accesses {
                    reads: f64::from(phases * k),
                    writes: k.into(),
                    banks: banks.into(),
                    busiest_bank,
                },
            });
        }
        if let Some(geometry) = design.sliding() {
            return sliding(
                geometry.window(),
                geometry.fingerprint_bits(),
                geometry.generation_items(),
                Accesses {
                    reads: 2.0,
                    writes: 1.0,
                    banks: 2,
                    busiest_bank,
                },
            );
        }
        let geometry = design.cuckoo()?;
        let (stashed, moves) = (value("stashed")?, value("moves")?);
        sliding(
            geometry.window(),
            geometry.fingerprint_bits(),
            geometry.generation_items(),
            Accesses {
                reads: CUCKOO_TABLES as f64 + moves,
                writes: 1.0 - stashed + moves,
                banks: CUCKOO_TABLES as u64,
                busiest_bank,
            },
        )
    }
}

impl Comparison {
    /// What a user should know of it, a sentence or two each.
    pub fn advice(&self) -> &[String] {
        &self.advice
    }

    /// Texts and tables.
    pub fn page(&self) -> Page {
        let mut page = Page::default();
        page.text(format!(
            "\nOther structures in {} bits at an average rate of at most {}; keys are new keys between two occurrences of a key\n\n",
            whole(self.memory_bits as f64),
            percent(self.rate),
        ));
        let mut reach = Table::of_numbers([
            "",
            "99 % kept",
            "half kept",
            "rate",
            "bits/key",
            "reads",
            "writes",
            "banks",
            "items/clock",
        ]);
        let mut sizes = Table::new(["", "sizes", "forgets"]);
        for (place, peer) in self.peers.iter().enumerate() {
            let name = named(place, peer);
            let accesses = &peer.accesses;
            reach.add_row([
                name.clone(),
                keys(peer.remembers.reach(KEPT_SHARE)),
                keys(peer.remembers.reach(0.5)),
                percent(peer.fpr.value),
                bits(bits_a_key(peer)),
                short(accesses.reads),
                short(accesses.writes),
                accesses.banks.to_string(),
                short(accesses.items_a_clock()),
            ]);
            sizes.add_row([name, sized(peer), peer.structure.forgets().to_owned()]);
        }
        page.table(reach);
        page.text("\n\n> the specification. 99 % kept: the most new keys in between at which at most 1 % of the returning keys are forgotten. half kept: 50 %. Every row counts a key as kept if it would be seen without what other keys have written: seen by chance is not kept\nbits/key: memory over that number. items/clock: what memories with two ports let through, at most\n\n");
        page.table(sizes);
        page.text("\n");
        for advice in &self.advice {
            page.text(format!("\n{advice}\n"));
        }
        page.text("\nFormulas of the comparison\n\n");
        for (place, peer) in self.peers.iter().enumerate() {
            page.text(format!(
                "{} ({}): {}; {}\n",
                named(place, peer),
                peer.structure.source(),
                peer.fpr.formula,
                stated(peer.fpr.accuracy),
            ));
        }
        page
    }

    /// The keys that are missed against the distance of their occurrences: this filter beside each of the others.
    pub(super) fn charts(&self) -> Vec<Curves> {
        let most = 1.6 * self.peers[0].remembers.reach(0.99);
        let curve = |peer: &Peer| -> Vec<(f64, f64)> {
            (0..=POINTS)
                .map(|point| {
                    let distance = (most * f64::from(point) / f64::from(POINTS)).round();
                    (distance, peer.missed(distance))
                })
                .collect()
        };
        let chart = |other: usize| Curves {
            heading: format!(
                "Missed keys, beside {} in the same memory",
                self.peers[other].structure.name()
            ),
            x: "new keys between two occurrences of a key".into(),
            y: "share that is missed".into(),
            measured_name: "this filter".into(),
            measured: curve(&self.peers[0]),
            predicted_name: self.peers[other].structure.name().into(),
            predicted: curve(&self.peers[other]),
            ..Curves::default()
        };
        (1..self.peers.len()).map(chart).collect()
    }

    /// The other structures as lines of a page: what they keep, and by which formula.
    pub(super) fn predictions(&self) -> Vec<Prediction> {
        let others = self.peers.iter().skip(1);
        others
            .map(|peer| Prediction {
                name: format!("{} ({})", peer.structure.name(), sized(peer)),
                value: format!(
                    "99 % kept up to {} new keys at a rate of {}, {} bits a key, {} banks, {} items a clock",
                    keys(peer.remembers.reach(KEPT_SHARE)),
                    percent(peer.fpr.value),
                    bits(bits_a_key(peer)),
                    peer.accesses.banks,
                    short(peer.accesses.items_a_clock()),
                ),
                formula: peer.fpr.formula.clone(),
                source: format!(
                    "{}, {}",
                    peer.structure.source(),
                    stated(peer.fpr.accuracy)
                ),
            })
            .collect()
    }

    /// The structure, other than the own one, that keeps most keys of those that `counts`.
    fn longest(&self, counts: impl Fn(&Peer) -> bool) -> Option<usize> {
        let reach = |place: &usize| self.peers[*place].remembers.reach(KEPT_SHARE);
        (1..self.peers.len())
            .filter(|place| counts(&self.peers[*place]))
            .max_by(|a, b| reach(a).total_cmp(&reach(b)))
    }

    fn advise(&self) -> Vec<String> {
        let own = &self.peers[0];
        let own_reach = own.remembers.reach(KEPT_SHARE);
        let speed = own.accesses.items_a_clock();
        let more = |place: usize| {
            let peer = &self.peers[place];
            let reach = peer.remembers.reach(KEPT_SHARE);
            let percent = 100.0 * (reach / own_reach - 1.0);
            (peer, reach, percent)
        };
        let mut advice = Vec::new();
        let as_fast = self.longest(|peer| peer.accesses.items_a_clock() >= 0.999 * speed);
        match as_fast.map(more) {
            Some((peer, reach, percent)) if reach > WORTH_SAYING * own_reach => advice.push(format!(
                "{} ({}) would remember longer at the same throughput: 99 % of the keys up to {} new keys, {} % more than this \
                 filter, with {} memory banks instead of {}.",
                capital(peer.structure.name()),
                sized(peer),
                keys(reach),
                whole(percent),
                peer.accesses.banks,
                own.accesses.banks,
            )),
            _ => advice.push(
                "No other structure with this throughput remembers over 5 % more keys than this filter.".to_owned(),
            ),
        }
        let any = self.longest(|peer| peer.accesses.items_a_clock() < 0.999 * speed);
        if let Some((peer, reach, percent)) = any.map(more) {
            if reach > WORTH_SAYING * own_reach {
                advice.push(format!(
                    "At a lower throughput, at most {} items a clock cycle, a {} would remember 99 % of the keys up to {} new keys, \
                     {} % more.",
                    short(peer.accesses.items_a_clock()),
                    peer.structure.name(),
                    keys(reach),
                    whole(percent),
                ));
            }
        }
        if let Some(rival) = self.rival {
            let rival = &self.peers[rival];
            let better: Vec<String> = self
                .ranges
                .iter()
                .filter(|range| range.best == 1)
                .map(|range| format!("{} to {}", keys(range.from), keys(range.to)))
                .collect();
            let which = format!("the age-partitioned filter ({})", sized(rival));
            advice.push(match better.is_empty() {
                true => format!(
                    "No key that returns, after however many new keys, is forgotten less often by {which} than by this filter."
                ),
                false => format!(
                    "Keys that return after {} new keys are forgotten less often by {which}; of all others this filter forgets as few, up to 0.1 %.",
                    better.join(" and "),
                ),
            });
        }
        advice
    }
}

fn named(place: usize, peer: &Peer) -> String {
    let mark = if place == 0 { "> " } else { "" };
    format!("{mark}{}", peer.structure.name())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

fn sized(peer: &Peer) -> String {
    let sizes = peer.sizes.iter();
    let sizes: Vec<String> = sizes
        .map(|size| format!("{} {}", size.name, whole(size.value as f64)))
        .collect();
    sizes.join(", ")
}

fn keys(reach: f64) -> String {
    whole(reach.floor())
}

/// Bits for each key that is kept, where any is.
fn bits_a_key(peer: &Peer) -> Option<f64> {
    let keeps = peer.remembers.reach(KEPT_SHARE) >= 1.0;
    keeps.then(|| peer.bits_an_element(KEPT_SHARE))
}

fn bits(bits: Option<f64>) -> String {
    match bits {
        None => "-".to_owned(),
        Some(bits) if bits < 1e3 => format!("{bits:.1}"),
        Some(bits) => whole(bits),
    }
}

impl Serialize for Comparison {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let structures = self.peers.iter().enumerate().map(|(place, peer)| {
            let sizes: Map<String, Value> = peer
                .sizes
                .iter()
                .map(|size| (size.name.replace(' ', "_"), size.value.into()))
                .collect();
            json!({
                "own": place == 0,
                "structure": peer.structure,
                "name": peer.structure.name(),
                "source": peer.structure.source(),
                "sizes": sizes,
                "memory_bits": peer.memory_bits,
                "fpr": peer.fpr.value,
                "formula": peer.fpr.formula,
                "accuracy": peer.fpr.accuracy,
                "kept_99_percent": peer.remembers.reach(KEPT_SHARE),
                "kept_half": peer.remembers.reach(0.5),
                "bits_per_key": bits_a_key(peer),
                "reads": peer.accesses.reads,
                "writes": peer.accesses.writes,
                "banks": peer.accesses.banks,
                "port_uses_of_busiest_bank": peer.accesses.busiest_bank,
                "items_per_clock": peer.accesses.items_a_clock(),
                "forgets": peer.structure.forgets(),
            })
        });
        let ranges = self.ranges.iter().map(|range| {
            let best = match range.best {
                0 => self.peers[0].structure,
                _ => Structure::AgePartitioned,
            };
            json!({ "from": range.from, "to": range.to, "best": best })
        });
        json!({
            "rate": self.rate,
            "memory_bits": self.memory_bits,
            "structures": structures.collect::<Vec<_>>(),
            "fewest_forgotten": ranges.collect::<Vec<_>>(),
            "advice": self.advice,
        })
        .serialize(serializer)
    }
}
