//! A device over time: samples at a steady pace, and what happened between two of them.
//!
//! The gateware counts and does not call: an event is that a counter stands higher than before, so nothing is missed however
//! slowly one looks, and nothing is known of when between two samples it happened. A reset is seen only if a counter stands lower after it
//! than in the sample before: what was counted in between is then not known, and a reset after which every counter has caught up is not seen.

use crate::device::{CounterRegister, Counters, Device, Part, Status};
use crate::error::DriverError;
use crate::path_settings::PathSettings;
use crate::ports::PortLink;
use crate::transport::Transport;
use bloomline_spec::registers::{CellCounter, CuckooCounter, RecyclingCounter, SlidingCounter};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Something that happened between two samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A half was recycled.
    Recycled {
        /// How often.
        times: u64,
    },
    /// Elements found no empty cell in a sliding-window filter: each may be forgotten within the window.
    Lost {
        /// How many.
        elements: u64,
    },
    /// Items left a counter at its greatest value, from where it no longer counts.
    Saturated {
        /// How many.
        items: u64,
    },
    /// Items were removed that were not there, which spoils the counts of others.
    Underflowed {
        /// How many.
        items: u64,
    },
    /// Slots met memory words of wrong parity.
    WrongWords {
        /// How many slots: items, refreshes, scans and words for the host.
        slots: u64,
    },
    /// Slots met memory words with a flipped bit, which was corrected (`memory.ecc`).
    CorrectedWords {
        /// How many slots: items, refreshes and words for the host.
        slots: u64,
    },
    /// Slots met memory words with an error that cannot be corrected, and used them as they were (`memory.ecc`).
    UncorrectableWords {
        /// How many slots.
        slots: u64,
    },
    /// The filter took no items.
    Stalled {
        /// The counter of the cause.
        cause: CounterRegister,
        /// For how many clocks.
        clocks: u64,
    },
    /// Frames came for which there was no room.
    Overflowed {
        /// The counter that tells where: of a packet path or an Ethernet port.
        counter: CounterRegister,
        /// How many frames.
        frames: u64,
    },
    /// The link of an Ethernet port is another than before.
    LinkChanged {
        /// The port.
        port: usize,
        /// What its PHY tells now.
        link: PortLink,
    },
    /// A counter went back: the device was reset or configured anew. What it counted between the sample before and the reset is lost. A reset after
    /// which every counter reached its earlier value again is not seen.
    Restarted,
}

/// What a device showed at one time. Its registers are read one after the other; each for itself is of one instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// When the counters were read.
    pub at: Instant,
    /// What the filter is doing.
    pub status: Status,
    /// Its counters.
    pub counters: Counters,
    /// Its threshold, where it has one.
    pub threshold: Option<u64>,
    /// Its maximum age in ticks of 1024 clocks; recycling filters with `features.max_age`.
    pub max_age_ticks: Option<u32>,
    /// Bits set in the active half; recycling filters.
    pub bits_active: Option<u64>,
    /// Bits set in the frozen half; recycling filters.
    pub bits_frozen: Option<u64>,
    /// Bit-setting messages of this cycle; recycling filters.
    pub messages: Option<u64>,
    /// What is set in each packet path; none without one.
    pub paths: Vec<PathSettings>,
    /// The links of the Ethernet ports of a line card.
    pub links: Vec<PortLink>,
    /// What happened since the sample before; none in a first one.
    pub events: Vec<Event>,
}

impl<T: Transport> Device<T> {
    /// Everything the device shows of itself. Traffic: that of [`Device::confirm`], a read of each of STATUS, THRESHOLD, MAX_AGE, BITS_ACTIVE, BITS_FROZEN
    /// and MESSAGES that the kind has, that of [`Device::path_settings`] for each packet path, a read of LINK on a line card,
    /// and a burst of two for each counter.
    ///
    /// # Errors
    /// Those of [`Device::confirm`], or a failed access.
    pub fn sample(&self) -> Result<Sample, DriverError> {
        self.confirm()?;
        let recycling = self.design().recycling().is_some();
        let counts = self.design().recycling();
        let counts = counts.is_some_and(|geometry| geometry.has_count_registers());
        let of_recycling = |read: &dyn Fn() -> Result<u64, DriverError>| match counts {
            true => read().map(Some),
            false => Ok(None),
        };
        Ok(Sample {
            status: self.status()?,
            threshold: match self.design().thresholds() {
                Some(_) => Some(self.threshold()?),
                None => None,
            },
            max_age_ticks: match recycling && self.design().has_max_age() {
                true => Some(self.max_age_ticks()?),
                false => None,
            },
            bits_active: of_recycling(&|| self.bits_active())?,
            bits_frozen: of_recycling(&|| self.bits_frozen())?,
            messages: of_recycling(&|| self.messages())?,
            paths: (0..self.design().lanes())
                .map(|lane| self.path_settings(lane))
                .collect::<Result<_, _>>()?,
            links: match self.design().ports() {
                0 => Vec::new(),
                _ => self.links()?,
            },
            at: Instant::now(),
            counters: self.counters()?,
            events: Vec::new(),
        })
    }
}

impl Sample {
    /// How far a counter went on since `before`; `None` if it went back or is in one of them only.
    pub fn since(&self, before: &Sample, counter: CounterRegister) -> Option<u64> {
        self.counters.since(&before.counters, counter)
    }

    /// Items a second since `before`; `None` where that has no meaning, as across a reset.
    pub fn items_per_second(&self, before: &Sample) -> Option<f64> {
        if self.restarted_since(before) {
            return None;
        }
        let seconds = self.at.checked_duration_since(before.at)?.as_secs_f64();
        let items = self.since(before, RecyclingCounter::Items.into())?;
        (seconds > 0.0).then(|| items as f64 / seconds)
    }

    /// Whether a counter went back.
    fn restarted_since(&self, before: &Sample) -> bool {
        let mut counters = self.counters.iter();
        counters.any(|(counter, _)| self.since(before, counter).is_none())
    }

    /// What happened since `before`, by the counters of both.
    pub fn events_since(&self, before: &Sample) -> Vec<Event> {
        if self.restarted_since(before) {
            return vec![Event::Restarted];
        }
        let event = |(counter, _): (CounterRegister, u64)| {
            let by = self.since(before, counter).filter(|&by| by > 0)?;
            let is = |other: CounterRegister| other == counter;
            if is(RecyclingCounter::Recycles.into()) {
                Some(Event::Recycled { times: by })
            } else if is(SlidingCounter::Lost.into()) || is(CuckooCounter::Lost.into()) {
                Some(Event::Lost { elements: by })
            } else if is(CellCounter::Saturated.into()) {
                Some(Event::Saturated { items: by })
            } else if is(CellCounter::Underflows.into()) {
                Some(Event::Underflowed { items: by })
            } else if is(RecyclingCounter::ParityErrors.into())
                || is(CellCounter::ParityErrors.into())
                || is(SlidingCounter::ParityErrors.into())
            {
                Some(Event::WrongWords { slots: by })
            } else if counter.name() == RecyclingCounter::EccCorrected.name() {
                Some(Event::CorrectedWords { slots: by })
            } else if counter.name() == RecyclingCounter::EccUncorrectable.name() {
                Some(Event::UncorrectableWords { slots: by })
            } else if counter.part() != Part::Filter {
                (counter.name() == "OVERFLOWS").then_some(Event::Overflowed {
                    counter,
                    frames: by,
                })
            } else if counter.name().starts_with("STALL") {
                Some(Event::Stalled {
                    cause: counter,
                    clocks: by,
                })
            } else {
                None
            }
        };
        let of_counters = self.counters.iter().filter_map(event);
        let links = self.links.iter().zip(&before.links).enumerate();
        let of_links = links
            .filter(|(_, (now, before))| now != before)
            .map(|(port, (&link, _))| Event::LinkChanged { port, link });
        of_counters.chain(of_links).collect()
    }
}

/// Samples of a device, the first at once and then one every `period`; a sample that takes longer than that is followed by the
/// next one directly. Endless: it gives errors as it gives samples, and goes on after either.
#[derive(Debug)]
pub struct Watch<'a, T> {
    device: &'a Device<T>,
    period: Duration,
    due: Option<Instant>,
    last: Option<Sample>,
}

impl<'a, T: Transport> Watch<'a, T> {
    /// Watches `device`.
    pub fn new(device: &'a Device<T>, period: Duration) -> Watch<'a, T> {
        Watch {
            device,
            period,
            due: None,
            last: None,
        }
    }

    /// When the next sample is due; `None` for at once.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    fn sample(&mut self) -> Result<Sample, DriverError> {
        let mut sample = self.device.sample()?;
        if let Some(last) = &self.last {
            sample.events = sample.events_since(last);
        }
        self.last = Some(sample.clone());
        Ok(sample)
    }
}

impl<T: Transport> Iterator for Watch<'_, T> {
    type Item = Result<Sample, DriverError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(due) = self.due {
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
        }
        self.due = Instant::now().checked_add(self.period);
        Some(self.sample())
    }
}

/// Events of a device from one call to the next, each told to one caller, from whatever threads they call.
#[derive(Debug, Default)]
pub struct Events {
    last: Mutex<Option<Sample>>,
}

impl Events {
    /// What happened since the call before; nothing in the first. A reset is seen as [`Event::Restarted`] says.
    ///
    /// # Errors
    /// Those of [`Device::sample`]. The next call then tells what happened since the last one that succeeded.
    pub fn since_last<T: Transport>(&self, device: &Device<T>) -> Result<Vec<Event>, DriverError> {
        self.since_last_of(|| device.sample())
    }

    fn since_last_of(
        &self,
        take: impl FnOnce() -> Result<Sample, DriverError>,
    ) -> Result<Vec<Event>, DriverError> {
        // Held while the sample is taken. Otherwise a thread could compare its sample with a later one of another thread: counters that
        // stand lower look like a restart.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let sample = take()?;
        let events = match last.as_ref() {
            Some(before) => sample.events_since(before),
            None => Vec::new(),
        };
        *last = Some(sample);
        Ok(events)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Counters, Status};
    use std::sync::Barrier;

    fn sample(megabits: u32) -> Sample {
        Sample {
            at: Instant::now(),
            status: Status {
                running: true,
                active_half: None,
                epoch: None,
                spare_epochs: None,
                covered: None,
                public_secret: None,
                turns: None,
                generation: None,
            },
            counters: Counters::default(),
            threshold: None,
            max_age_ticks: None,
            bits_active: None,
            bits_frozen: None,
            messages: None,
            paths: Vec::new(),
            links: vec![PortLink {
                up: true,
                megabits: Some(megabits),
                full_duplex: true,
            }],
            events: Vec::new(),
        }
    }

    #[test]
    fn a_thread_compares_its_sample_with_none_that_was_taken_later() {
        let events = Events::default();
        let told =
            |take: &dyn Fn() -> Sample| events.since_last_of(|| Ok(take())).expect("a sample");
        assert_eq!(told(&|| sample(10)), [], "nothing in the first");
        let taken = Barrier::new(2);
        let (first, second) = std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                taken.wait();
                events.since_last_of(|| Ok(sample(1000)))
            });
            let first = told(&|| {
                let of_now = sample(10);
                taken.wait();
                std::thread::sleep(Duration::from_millis(100));
                of_now
            });
            (first, second.join().expect("no panic").expect("a sample"))
        });
        assert_eq!(first, [], "the link changed later");
        assert!(
            matches!(second[..], [Event::LinkChanged { port: 0, .. }]),
            "{second:?}"
        );
    }
}
