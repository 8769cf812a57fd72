//! Events of a card, found by comparing its counters with those of the call before.

use crate::checks::{call, present, shared, write, Failure};
use crate::device::BloomlineDevice;
use crate::status::BloomlineStatus;
use bloomline_driver::Event;

/// Kind of an event.
#[repr(C)]
#[allow(non_camel_case_types, reason = "these are the names in C")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BloomlineEventKind {
    /// Halves were recycled, `count` times.
    BLOOMLINE_RECYCLED = 0,
    /// `count` keys found no empty cell in a sliding-window filter and were not stored.
    BLOOMLINE_ELEMENTS_LOST = 1,
    /// `count` items left a counter at its greatest value.
    BLOOMLINE_ITEMS_SATURATED = 2,
    /// `count` removals were of keys that the filter did not hold.
    BLOOMLINE_ITEMS_UNDERFLOWED = 3,
    /// The filter accepted no items for `count` clock cycles.
    BLOOMLINE_STALLED = 4,
    /// A counter decreased: the card was reset or reconfigured.
    BLOOMLINE_RESTARTED = 5,
    /// `count` reads (by items, refreshes, scans or the host) found memory words with a parity error.
    BLOOMLINE_WRONG_WORDS = 6,
    /// `count` frames were dropped because a buffer of a packet path or an Ethernet port was full; the counters OVERFLOWS say which.
    BLOOMLINE_FRAMES_OVERFLOWED = 7,
    /// The link state of an Ethernet port changed; `count` is the port's number.
    BLOOMLINE_LINK_CHANGED = 8,
    /// `count` reads found memory words with a flipped bit, which was corrected.
    BLOOMLINE_WORDS_CORRECTED = 9,
    /// `count` reads found memory words with an error that cannot be corrected.
    BLOOMLINE_WORDS_UNCORRECTABLE = 10,
}

/// An event and its size.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct BloomlineEvent {
    /// Kind of the event.
    pub kind: BloomlineEventKind,
    /// Size of the event, as described at its kind; 0 where the kind has none.
    pub count: u64,
}

/// The greatest number of events that one call returns.
pub const BLOOMLINE_MOST_EVENTS: usize = 16;

/// Reads the counters and returns the events since the previous call with this device; the first call returns none. No event is
/// lost between calls, however long, unless the device is reset; the time of an event is not known. A reset is reported
/// (`BLOOMLINE_RESTARTED`) if a counter is lower after it; what was counted before it is then unknown. `events` has room for
/// `BLOOMLINE_MOST_EVENTS` events; `count` receives their number.
///
/// # Safety
/// `device` is open; `events` and `count` point to memory for the results.
#[no_mangle]
pub unsafe extern "C" fn bloomline_events(
    device: *const BloomlineDevice,
    events: *mut BloomlineEvent,
    count: *mut usize,
) -> BloomlineStatus {
    call(|| {
        present(events, "events")?;
        present(count, "count")?;
        // SAFETY: the caller's promise.
        let device = unsafe { shared(device, "device")? };
        let happened = device.events.since_last(&device.device)?;
        if happened.len() > BLOOMLINE_MOST_EVENTS {
            return Err(Failure::argument(format!(
                "{} events: more than BLOOMLINE_MOST_EVENTS of this release",
                happened.len()
            )));
        }
        for (place, &event) in happened.iter().enumerate() {
            // SAFETY: the caller's promise of room for as many.
            unsafe { events.add(place).write(event.into()) };
        }
        // SAFETY: the caller's promise.
        unsafe { write(count, "count", happened.len()) }
    })
}

impl From<Event> for BloomlineEvent {
    fn from(event: Event) -> BloomlineEvent {
        let (kind, count) = match event {
            Event::Recycled { times } => (BloomlineEventKind::BLOOMLINE_RECYCLED, times),
            Event::Lost { elements } => (BloomlineEventKind::BLOOMLINE_ELEMENTS_LOST, elements),
            Event::Saturated { items } => (BloomlineEventKind::BLOOMLINE_ITEMS_SATURATED, items),
            Event::Underflowed { items } => {
                (BloomlineEventKind::BLOOMLINE_ITEMS_UNDERFLOWED, items)
            }
            Event::Stalled { clocks, .. } => (BloomlineEventKind::BLOOMLINE_STALLED, clocks),
            Event::WrongWords { slots } => (BloomlineEventKind::BLOOMLINE_WRONG_WORDS, slots),
            Event::CorrectedWords { slots } => {
                (BloomlineEventKind::BLOOMLINE_WORDS_CORRECTED, slots)
            }
            Event::UncorrectableWords { slots } => {
                (BloomlineEventKind::BLOOMLINE_WORDS_UNCORRECTABLE, slots)
            }
            Event::Overflowed { frames, .. } => {
                (BloomlineEventKind::BLOOMLINE_FRAMES_OVERFLOWED, frames)
            }
            Event::LinkChanged { port, .. } => {
                (BloomlineEventKind::BLOOMLINE_LINK_CHANGED, port as u64)
            }
            Event::Restarted => (BloomlineEventKind::BLOOMLINE_RESTARTED, 0),
        };
        BloomlineEvent { kind, count }
    }
}
