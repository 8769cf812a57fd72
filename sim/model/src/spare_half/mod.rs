//! What is the spare half's own in the recycling filter's pipeline: roles and erasing, the room an erase asks for, and access to the
//! array bit by bit. Written from the timing page of the filter with a spare half; the rest of that pipeline is `pipeline`'s.

mod access;
mod room;

use crate::error::ModelError;
use crate::pipeline::ForceCause;
use access::Access;
pub(crate) use access::{AccessKind, Step};
use bloomline_spec::{Erase, RecyclingGeometry};
use room::Room;

/// Clocks of an erase that count the room of before the recycle, and hold nothing up.
const UNKNOWING: u64 = 3;

/// The spare half and what goes with it.
#[derive(Debug, Clone)]
pub(crate) struct SpareHalf {
    phases: u16,
    rows: u64,
    turns: u16,
    /// Clock of the last recycle.
    recycled: Option<u64>,
    /// The clock in which a force recycles, and its cause.
    force: Option<(u64, ForceCause)>,
    room: Room,
    blocked: bool,
    access: Option<Access>,
    /// The bit of a set that stood in the decision stage in the last clock.
    counting: Option<Step>,
    /// New bits of the word that was set last, so far.
    new_bits: u32,
    decision_stage: u64,
    broken: Option<ModelError>,
}

impl SpareHalf {
    /// For a filter that has one.
    pub fn of(geometry: &RecyclingGeometry) -> Option<SpareHalf> {
        (geometry.erase() == Erase::SpareHalf).then(|| SpareHalf {
            phases: geometry.phases() as u16,
            rows: geometry.erase_rows(),
            turns: 0,
            recycled: None,
            force: None,
            room: Room::new(geometry),
            blocked: false,
            access: None,
            counting: None,
            new_bits: 0,
            decision_stage: geometry.timing().decision_stage.into(),
            broken: None,
        })
    }

    /// As if there had been so many turns.
    pub fn set_past(&mut self, turns: u16) {
        self.turns = turns;
    }

    /// Recycles that were decided, of every cause, modulo 65536.
    pub fn turns(&self) -> u16 {
        self.turns
    }

    /// Half that is active at the decision stage, as a host sees it: one of as many as there are phases.
    pub fn phase(&self) -> u16 {
        self.turns % self.phases
    }

    /// Whether the spare half is being erased in this clock.
    pub fn erasing(&self, now: u64) -> bool {
        self.recycled
            .is_some_and(|recycled| now > recycled && now - recycled <= self.rows)
    }

    /// Whether a word of the array is being read or set in this clock.
    pub fn accessing(&self) -> bool {
        self.access.is_some()
    }

    /// Whether a force must wait in this clock.
    pub fn holds_forces(&self, now: u64) -> bool {
        self.erasing(now) || self.accessing()
    }

    /// Whether items wait for the spare half, a clock after it was found so.
    pub fn blocked(&self) -> bool {
        self.blocked
    }

    /// The first promise broken so far.
    pub fn broken(&self) -> Option<ModelError> {
        self.broken
    }

    /// A force is issued in clock `now`.
    pub fn force(&mut self, now: u64, cause: ForceCause) {
        self.force = Some((now + 1, cause));
    }

    /// The cause of the force that recycles in clock `now`.
    pub fn forced(&mut self, now: u64) -> Option<ForceCause> {
        self.force
            .take_if(|(clock, _)| *clock == now)
            .map(|(_, cause)| cause)
    }

    /// A recycle stands in clock `now`.
    pub fn recycle(&mut self, now: u64) {
        if self.erasing(now) {
            let rows = self.rows;
            self.broken.get_or_insert(ModelError::SpareHalfInUse {
                clock: now,
                recycled: self.recycled.unwrap_or(now),
                rows,
            });
        }
        self.recycled = Some(now);
        self.turns = self.turns.wrapping_add(1);
    }

    /// An access is issued in clock `now`.
    pub fn access(&mut self, now: u64, kind: AccessKind) {
        self.access = Some(Access::new(now, kind, self.decision_stage));
        self.new_bits = 0;
    }

    /// The bit of the access that is under way which stands in the decision stage in clock `now`.
    pub fn step(&self, now: u64) -> Option<Step> {
        self.access.as_ref().and_then(|access| access.step(now))
    }

    /// The bit of a set that is counted in this clock; `next` stands in the decision stage, and is counted in the next one.
    pub fn count(&mut self, next: Option<Step>) -> Option<Step> {
        std::mem::replace(&mut self.counting, next)
    }

    /// Counts new bits of the word that is being set; true for the first.
    pub fn add_new_bits(&mut self, new_bits: u32) -> bool {
        let first = self.new_bits == 0 && new_bits > 0;
        self.new_bits += new_bits;
        first
    }

    /// The last bit has passed.
    pub fn end_access(&mut self) {
        self.access = None;
    }

    /// New bits of the word that is being set, so far.
    pub fn new_bits(&self) -> u32 {
        self.new_bits
    }

    /// The threshold register becomes the limit.
    pub fn load_limit(&mut self, threshold: u32) {
        self.room.load_limit(threshold);
    }

    /// Ends clock `now`, which began with so many bits or messages in the active half.
    pub fn clock(&mut self, now: u64, count: u64) {
        let knowing = now
            .checked_sub(UNKNOWING)
            .is_some_and(|then| self.erasing(now) && self.erasing(then));
        self.blocked = knowing && (self.room.low() || self.room.one_at_a_time());
        self.room.clock(count);
    }

    /// A clock with reset ends an access and what is issued in it. Roles and erasing go on.
    pub fn reset(&mut self) {
        self.access = None;
        self.counting = None;
        self.force = None;
    }
}
