//! What happened since the last look.

use crate::border::{call, present, shared, write, Failure};
use crate::device::BloomlineDevice;
use crate::status::BloomlineStatus;
use bloomline_driver::Event;
use std::sync::PoisonError;

/// Something that happened.
#[repr(C)]
#[allow(non_camel_case_types, reason = "these are the names in C")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BloomlineEventKind {
    /// A half was recycled, so many times.
    BLOOMLINE_RECYCLED = 0,
    /// So many elements found no empty cell in a sliding-window filter.
    BLOOMLINE_ELEMENTS_LOST = 1,
    /// So many items left a counter at its greatest value.
    BLOOMLINE_ITEMS_SATURATED = 2,
    /// So many items were removed that were not there.
    BLOOMLINE_ITEMS_UNDERFLOWED = 3,
    /// The filter took no items for so many clocks.
    BLOOMLINE_STALLED = 4,
    /// A counter went back: the card was reset or configured anew.
    BLOOMLINE_RESTARTED = 5,
    /// So many items, refreshes, scans and words for the host met memory words of wrong parity.
    BLOOMLINE_WRONG_WORDS = 6,
    /// So many frames came to a packet path or an Ethernet port for which there was no room; its counter OVERFLOWS says where.
    BLOOMLINE_FRAMES_OVERFLOWED = 7,
    /// The link of an Ethernet port is another than before; `count` is the port.
    BLOOMLINE_LINK_CHANGED = 8,
}

/// An event, and how much of it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct BloomlineEvent {
    /// Which event.
    pub kind: BloomlineEventKind,
    /// How often, how many or for how many clocks, or which port; 0 where it says nothing.
    pub count: u64,
}

/// Most events that one look gives.
pub const BLOOMLINE_MOST_EVENTS: usize = 16;

/// Reads the counters and says what happened since the last call with this device; nothing in the first. Nothing is missed in
/// between, however long, and nothing is known of when. `events` has room for `BLOOMLINE_MOST_EVENTS`; `count` gets how many
/// there are.
///
/// # Safety
/// `device` is open; `events` and `count` lead to room.
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
        let sample = device.device.sample()?;
        let mut seen = device.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let happened = match seen.as_ref() {
            Some(before) => sample.events_since(before),
            None => Vec::new(),
        };
        *seen = Some(sample);
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
