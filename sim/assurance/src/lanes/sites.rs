//! Designs with changes to choose among, a change a lane.

use super::LanesError;
use crate::faults::{choose, site, Fault, Selection};
use bloomline_bench::built_in::{read, read_with_faults};
use bloomline_bench::verilator::Design;
use bloomline_engine::{self as engine, Initial, LaneCount, Lanes};

/// A design with changes among which each lane of a simulation chooses one.
///
/// A change is in force where a one-bit signal of its own ([`site`]) is 1; the text says 0 everywhere, and the engine adds a mask of lanes to it.
/// Nothing is simplified across such a signal, so what the text says for 1 is simulated as it stands.
#[derive(Debug, Clone)]
pub struct LaneDesign {
    design: Design,
    read: engine::Design,
    /// Signals of each change: one in each instance of its module.
    sites: Vec<Vec<usize>>,
}

impl LaneDesign {
    /// The design with every fault in it, numbered from 1.
    ///
    /// # Errors
    /// [`LanesError::Fault`] for a fault that has no place in the text, [`LanesError::Engine`] for a text that the built-in simulator does not read.
    pub fn with_faults(design: &Design, faults: &[Fault]) -> Result<LaneDesign, LanesError> {
        let mut chosen = design.clone();
        for (_, text) in chosen.sources.iter_mut().take(1) {
            *text = choose(text, &design.top, faults, Selection::Sites)?;
        }
        Self::of_text(chosen, faults.len())
    }

    /// A design whose text has the signals of changes 1 to `changes` already.
    ///
    /// # Errors
    /// As [`LaneDesign::with_faults`]; [`LanesError::NoSite`] for a change without a signal.
    pub fn of_text(design: Design, changes: usize) -> Result<LaneDesign, LanesError> {
        let names: Vec<String> = (1..=changes).map(site).collect();
        let plain = read(&design)?;
        let of_change = |path: &str| {
            let (_, name) = path.rsplit_once('.')?;
            names.iter().position(|site| site == name)
        };
        let (mut paths, mut sites) = (Vec::new(), vec![Vec::new(); changes]);
        for path in plain.names() {
            if let Some(change) = of_change(path) {
                sites[change].push(paths.len());
                paths.push(path.to_string());
            }
        }
        if let Some(change) = sites.iter().position(Vec::is_empty) {
            return Err(LanesError::NoSite {
                top: design.top.clone(),
                site: names[change].clone(),
            });
        }
        Ok(LaneDesign {
            read: read_with_faults(&design, &paths)?,
            design,
            sites,
        })
    }

    /// The design, under whose ports it is simulated.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// Opens as many lanes as needed, at most [`LaneDesign::MOST`] changes: lane `i + 1` has change `changes[i]` in force, lane 0 and those behind the
    /// last have none. Returns the lanes, and which of them have a change.
    ///
    /// # Errors
    /// [`LanesError::Engine`] for a design of several clocks or a change that does not exist.
    pub fn open(
        &self,
        changes: &[usize],
        initial: Initial,
    ) -> Result<(Lanes, Vec<u64>), LanesError> {
        let count = match changes.len() {
            0..=63 => LaneCount::L64,
            64..=127 => LaneCount::L128,
            128..=255 => LaneCount::L256,
            _ => LaneCount::L512,
        };
        let mut lanes = self.read.open_lanes(count, initial)?;
        let words = count.lanes() / 64;
        let mut watched = vec![0; words];
        for (change, lane) in changes.iter().zip(1..count.lanes()) {
            let mut mask = vec![0; words];
            mask[lane / 64] = 1 << (lane % 64);
            watched[lane / 64] |= mask[lane / 64];
            for &place in self.sites.get(change.wrapping_sub(1)).into_iter().flatten() {
                lanes.set_fault(place, 0, &mask)?;
            }
        }
        Ok((lanes, watched))
    }

    /// Most changes that one simulation has in force.
    pub const MOST: usize = 511;
}
