//! Drops what two taps deliver twice: every frame of a capture, and a copy of it sixteen frames later.
//!
//! ```text
//! bloomline emit admit.toml --out out/admit      # hdl/specification/examples/admit.toml, for a simulation with [card] empty
//! bloomline serve admit.toml --udp 0
//! cargo run --release -p bloomline-driver --example deduplicate -- etherbone:127.0.0.1:PORT out/admit/manifest.json bro.org.pcap
//! ```
//!
//! A frame's key is a digest of its bytes; the recycling filter says whether it came by before. Of two phases it never forgets
//! what came within the last cycle, so no copy gets through; of the others it drops some by mistake, which an exact set counts.

use bloomline_driver::{connect, Design, Item, Verdict};
use bloomline_spec::{CellOperation, Key};
use pcap_file::pcap::PcapReader;
use std::collections::{HashSet, VecDeque};
use std::error::Error;
use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

/// Frames that the second tap is behind.
const BEHIND: usize = 16;

/// What became of the frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Frames that both taps delivered.
    pub frames: usize,
    /// Of them those that an exact set has seen before.
    pub copies: usize,
    /// Copies that the card let through.
    pub let_through: usize,
    /// Frames that are no copies and were dropped all the same.
    pub dropped_by_mistake: usize,
}

/// The frames of a capture as two taps deliver them.
fn two_taps(capture: &Path) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let mut reader = PcapReader::new(File::open(capture)?)?;
    let (mut frames, mut second) = (Vec::new(), VecDeque::new());
    while let Some(packet) = reader.next_packet() {
        let frame = packet?.data.into_owned();
        second.push_back(frame.clone());
        frames.push(frame);
        if second.len() > BEHIND {
            frames.extend(second.pop_front());
        }
    }
    frames.extend(second);
    Ok(frames)
}

/// 64 bits of SipHash-1-3 of the frame's bytes.
fn digest(frame: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(frame);
    hasher.finish()
}

/// Sends every frame's digest to the card at `url`.
///
/// # Errors
/// Those of the capture, the design and the card.
pub fn run(url: &str, design: &Path, capture: &Path) -> Result<Outcome, Box<dyn Error>> {
    let design = Design::load(design)?;
    let bits = design.common().key_bits();
    let digests: Vec<u64> = two_taps(capture)?.iter().map(|f| digest(f)).collect();
    let item = |&digest: &u64| {
        let key = Key::from_integer(digest.into(), bits)?;
        Ok(Item::new(CellOperation::TestAndInsert, key))
    };
    let items: Vec<Item> = digests
        .iter()
        .map(item)
        .collect::<Result<_, Box<dyn Error>>>()?;
    let card = connect(url, &design)?;
    let verdicts = card.apply_all(&items, |_| {})?;

    let mut exact = HashSet::new();
    let mut outcome = Outcome {
        frames: digests.len(),
        copies: 0,
        let_through: 0,
        dropped_by_mistake: 0,
    };
    for (digest, verdict) in digests.iter().zip(verdicts) {
        let is_copy = !exact.insert(*digest);
        let is_dropped = verdict.as_ref().is_some_and(Verdict::is_positive);
        outcome.copies += usize::from(is_copy);
        outcome.let_through += usize::from(is_copy && !is_dropped);
        outcome.dropped_by_mistake += usize::from(!is_copy && is_dropped);
    }
    Ok(outcome)
}

// The test that runs this file as a module of its own has no use for it.
#[allow(dead_code)]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, design, capture] = &arguments[..] else {
        return Err("usage: deduplicate URL DESIGN CAPTURE".into());
    };
    let outcome = run(url, Path::new(design), Path::new(capture))?;
    println!("{outcome:#?}");
    Ok(())
}
