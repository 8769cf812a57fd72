//! Scoreboard: compares the frames that leave with those that the model expects.

use super::error::{hexadecimal, Problem};
use super::frames::OfferedFrame;
use super::script::Room;
use super::sink::LeftFrame;
use bloomline_model::{parse, JudgedFrame, PathFilter, PathLane, Sorted, SortedFrame};
use bloomline_spec::registers::{address, PathCounter};
use bloomline_spec::{FrameClass, Packet, Policy, KEY_QUEUE_ITEMS};
use std::collections::VecDeque;

/// Clocks after which a frame that is dropped by policy is surely gone, when all before it have left.
const SETTLED_CLOCKS: u64 = 3_000;

/// A frame that has come and not left.
#[derive(Debug)]
struct Pending {
    number: u64,
    frame: OfferedFrame,
    /// What it is without the filter.
    sorted: SortedFrame,
    /// What it is; not known before its item was asked for, nor before it leaves where frames may be lost.
    judged: Option<JudgedFrame>,
    /// Policies of its class that may be in force when it leaves.
    policies: Vec<Policy>,
    /// Clock of its last beat.
    came: u64,
}

impl Pending {
    fn may_be_dropped(&self) -> bool {
        self.policies.contains(&Policy::Drop)
    }

    fn is_dropped(&self) -> bool {
        self.policies.iter().all(|&policy| policy == Policy::Drop)
    }

    /// Whether it waits for its item to be asked for.
    fn is_unasked(&self) -> bool {
        self.judged.is_none() && matches!(self.sorted.finding, Sorted::Key(_))
    }

    /// Its class, as far as it is known.
    fn class(&self) -> FrameClass {
        match (&self.judged, &self.sorted.finding) {
            (Some(judged), _) => judged.class,
            (None, Sorted::Class(class)) => *class,
            (None, Sorted::Key(_)) => FrameClass::Unseen,
        }
    }

    /// What may leave in its place, for a report.
    fn expected(&self) -> String {
        let Some(judged) = &self.judged else {
            return "nothing before its item has gone to the filter, or for want of room"
                .to_owned();
        };
        let of = |&policy: &Policy| match judged.by(policy, &self.frame.bytes) {
            Some(bytes) => format!("{policy}: {}", hexadecimal(&bytes)),
            None => "nothing".to_owned(),
        };
        self.policies
            .iter()
            .map(of)
            .collect::<Vec<_>>()
            .join(" or ")
    }
}

/// The model of a path but for its filter, what is under way, and what came of it.
#[derive(Debug)]
pub struct Judge {
    /// Model of the lane without its filter.
    pub lane: PathLane,
    packet: Packet,
    /// Frames leave with so many bytes at least: zeros behind their own.
    least_bytes: usize,
    room: Room,
    pending: VecDeque<Pending>,
    /// So many of them, from the first on, have no item that has not gone to the filter.
    asked: usize,
    /// Policies of each class that may be in force.
    policies: [Vec<Policy>; FrameClass::COUNT],
    /// Beats and keys of what is pending.
    beats: u64,
    keys: u32,
    /// Frames that came whole.
    pub came: u64,
    /// Frames that left, and clock of the last beat of the last of them.
    pub left: u64,
    last_left: u64,
    /// Clock up to which others had the line out.
    line_taken: u64,
    /// No frame is taken for dropped before this clock.
    unsettled_until: u64,
    /// Frames that a mark or a pass may have left as they are, so that MARKED may lack so many.
    pub unsure_marks: u64,
    /// Frames of each class.
    pub by_class: [u64; FrameClass::COUNT],
    /// Frames that were dropped for want of room.
    pub overflows: u64,
    /// Most clocks from a frame's last beat, or the one of what was before it on the line out, to its first.
    pub latency: u64,
    /// Most clocks from a frame's last beat to its first.
    pub wait: u64,
}

impl Judge {
    /// A judge of an empty lane, whose frames leave with at least so many bytes.
    pub fn new(lane: PathLane, least_bytes: usize) -> Judge {
        let mut judge = Judge {
            packet: lane.packet(),
            lane,
            least_bytes,
            room: Room::Awaited,
            pending: VecDeque::new(),
            asked: 0,
            policies: Default::default(),
            beats: 0,
            keys: 0,
            came: 0,
            left: 0,
            last_left: 0,
            line_taken: 0,
            unsettled_until: 0,
            unsure_marks: 0,
            by_class: [0; FrameClass::COUNT],
            overflows: 0,
            latency: 0,
            wait: 0,
        };
        judge.forget();
        judge
    }

    /// Nothing is under way, and policies are those of the model.
    fn forget(&mut self) {
        self.pending.clear();
        self.asked = 0;
        (self.beats, self.keys, self.unsure_marks) = (0, 0, 0);
        for &class in FrameClass::ALL {
            self.policies[class as usize] = vec![self.lane.policy(class)];
        }
    }

    /// A reset: what was under way is lost; frames may be dropped late before the clock `until`.
    pub fn reset(&mut self, until: u64) {
        self.lane.reset();
        self.unsettled_until = until;
        self.forget();
    }

    /// The filter takes items from this clock on, as its STATUS says.
    pub fn runs(&mut self, clock: u64) {
        self.unsettled_until = clock;
    }

    /// An episode begins; nothing is under way.
    pub fn begin(&mut self, room: Room) {
        self.room = room;
    }

    /// Nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.pending.is_empty()
    }

    /// Before this clock the filter may still not take items.
    pub fn unsettled_until(&self) -> u64 {
        self.unsettled_until
    }

    /// Something else than its frames was on the line out up to this clock.
    pub fn line_was_taken(&mut self, until: u64) {
        self.line_taken = until;
    }

    /// Clock of the last that came or left.
    pub fn last_progress(&self) -> u64 {
        let came = self.pending.back().map_or(0, |frame| frame.came);
        came.max(self.last_left)
    }

    fn beats_of(&self, bytes: usize) -> u64 {
        (bytes as u64).div_ceil(self.packet.beat_bytes().into())
    }

    fn fits_buffer(&self, bytes: usize) -> bool {
        self.beats_of(bytes) <= u64::from(self.packet.buffer_beats())
    }

    /// Whether a frame of so many bytes surely finds room, or needs none.
    pub fn has_room(&self, bytes: usize) -> bool {
        let beats = self.beats + self.beats_of(bytes);
        self.room != Room::Awaited
            || !self.fits_buffer(bytes)
            || beats <= u64::from(self.packet.buffer_beats())
                && self.pending.len() < self.packet.frame_queue_frames() as usize
                && self.keys < KEY_QUEUE_ITEMS
    }

    /// Whether every frame that finds room leaves: its item is asked for when it goes to the filter, not when the frame has left.
    pub fn loses_nothing(&self) -> bool {
        self.room != Room::Overflowing
    }

    /// A frame has come whole. One with a key waits for [`Judge::ask`].
    pub fn came(&mut self, clock: u64, frame: OfferedFrame) {
        let number = self.came;
        self.came += 1;
        if !self.fits_buffer(frame.bytes.len()) {
            self.overflow();
            return;
        }
        self.beats += self.beats_of(frame.bytes.len());
        let sorted = self.lane.sort(&frame.bytes, frame.bad);
        self.keys += u32::from(matches!(sorted.finding, Sorted::Key(_)));
        self.pending.push_back(Pending {
            number,
            frame,
            sorted,
            judged: None,
            policies: Vec::new(),
            came: clock,
        });
        if self.loses_nothing() {
            let last = self.pending.len() - 1;
            self.judge_by_class(last);
        }
    }

    /// Judges a frame whose class needs no filter.
    fn judge_by_class(&mut self, place: usize) {
        let pending = &mut self.pending[place];
        if let Some(judged) = pending.sorted.without_item() {
            pending
                .policies
                .clone_from(&self.policies[judged.class as usize]);
            pending.judged = Some(judged);
        }
    }

    /// The item of the oldest frame whose item has not gone to the filter yet goes there: its verdict's bit 0. `None` where no frame has one.
    pub fn ask(&mut self, filter: &mut PathFilter) -> Option<bool> {
        let waits = |pending: &Pending| pending.is_unasked();
        let place = self.pending.iter().skip(self.asked).position(waits)? + self.asked;
        self.asked = place + 1;
        let pending = &mut self.pending[place];
        let judged = pending.sorted.judged(&self.lane, filter);
        pending
            .policies
            .clone_from(&self.policies[judged.class as usize]);
        let seen = judged.class == FrameClass::Seen;
        pending.judged = Some(judged);
        Some(seen)
    }

    fn overflow(&mut self) {
        self.lane.overflow();
        self.overflows += 1;
    }

    /// The host begins to write a register of the packet path: from now on both values may be in force.
    pub fn write_begins(&mut self, offset: u32, value: u32) {
        let Some(class) = policy_class(offset) else {
            return;
        };
        let policy = Policy::from_register(value);
        self.policies[class as usize].push(policy);
        for pending in &mut self.pending {
            if pending
                .judged
                .as_ref()
                .is_some_and(|judged| judged.class == class)
            {
                pending.policies.push(policy);
            }
        }
    }

    /// The write was answered: frames that come from now on leave by it. Gives the response of the model.
    pub fn write_ends(&mut self, offset: u32, value: u32) -> u32 {
        let response = self.lane.write(offset, value);
        if let Some(class) = policy_class(offset) {
            self.policies[class as usize] = vec![self.lane.policy(class)];
        }
        response
    }

    /// Frames that are under way leave by the policies in force: none of them has begun to.
    pub fn policies_hold(&mut self) {
        for pending in self.pending.iter_mut().skip(1) {
            if let Some(judged) = &pending.judged {
                pending
                    .policies
                    .clone_from(&self.policies[judged.class as usize]);
            }
        }
    }

    fn pop(&mut self) -> Option<Pending> {
        let pending = self.pending.pop_front()?;
        self.asked = self.asked.saturating_sub(1);
        self.beats -= self.beats_of(pending.frame.bytes.len());
        self.keys -= u32::from(matches!(pending.sorted.finding, Sorted::Key(_)));
        Some(pending)
    }

    /// The oldest frame goes by this policy.
    fn release(&mut self, policy: Policy) {
        if let Some(pending) = self.pop() {
            if let Some(judged) = pending.judged {
                self.by_class[judged.class as usize] += 1;
                self.lane.release_by(policy, &pending.frame.bytes, &judged);
            }
        }
    }

    /// Frames at the front that were dropped for long are gone.
    pub fn settle(&mut self, clock: u64) {
        let settled = clock.saturating_sub(SETTLED_CLOCKS);
        if settled <= self.last_left.max(self.unsettled_until) {
            return;
        }
        while let Some(front) = self.pending.front() {
            if front.judged.is_none() || !front.is_dropped() || front.came >= settled {
                return;
            }
            self.release(Policy::Drop);
        }
    }

    /// A frame has left: it must be the next that may.
    pub fn leaves(
        &mut self,
        left: &LeftFrame,
        unheld: bool,
        filter: &mut PathFilter,
    ) -> Result<(), Problem> {
        if !self.loses_nothing() {
            self.skip_lost(&left.bytes, filter);
        }
        let least = self.least_bytes;
        while let Some(front) = self.pending.front() {
            let Some(judged) = &front.judged else { break };
            let fits = |&&policy: &&Policy| {
                let leaves = judged.by(policy, &front.frame.bytes);
                leaves.is_some_and(|bytes| padded(bytes, least) == left.bytes)
            };
            let mut fitting = front.policies.iter().filter(fits);
            if let Some(&policy) = fitting.next() {
                let marks = |policy| matches!(policy, Policy::Mark(_)) && judged.header.is_some();
                let unsure = fitting.any(|&other| marks(other) != marks(policy));
                self.unsure_marks += u64::from(unsure);
                if unheld && front.came > self.unsettled_until {
                    let from = front.came.max(self.last_left).max(self.line_taken);
                    self.latency = self.latency.max(left.first_clock.saturating_sub(from));
                    self.wait = self.wait.max(left.first_clock.saturating_sub(front.came));
                }
                self.last_left = left.last_clock;
                self.left += 1;
                self.release(policy);
                return Ok(());
            }
            if !front.may_be_dropped() {
                return Err(Problem::Frame {
                    number: front.number,
                    class: judged.class,
                    offered: hexadecimal(&front.frame.bytes),
                    expected: front.expected(),
                    got: hexadecimal(&left.bytes),
                });
            }
            self.release(Policy::Drop);
        }
        let got = hexadecimal(&left.bytes);
        Err(match self.pending.front() {
            Some(front) => Problem::Frame {
                number: front.number,
                class: front.class(),
                offered: hexadecimal(&front.frame.bytes),
                expected: front.expected(),
                got,
            },
            None => Problem::Unexpected { got },
        })
    }

    /// Finds the frame that has left by what a mark does not change, and takes those before it for lost.
    fn skip_lost(&mut self, left: &[u8], filter: &mut PathFilter) {
        let same = |pending: &Pending| same_but_for_marks(&pending.frame.bytes, left);
        if !self.pending.iter().any(same) {
            return;
        }
        while !self.pending.front().is_none_or(same) {
            self.pop();
            self.overflow();
        }
        if !self.pending.is_empty() {
            self.judge_by_class(0);
            if self.pending[0].is_unasked() {
                self.asked = 0;
                self.ask(filter);
            }
        }
    }

    /// Nothing more leaves: what is still under way was dropped, or lost where that may be.
    pub fn end(&mut self, clocks: u64) -> Result<(), Problem> {
        while let Some(front) = self.pending.front() {
            match &front.judged {
                None if self.room == Room::Overflowing => {
                    self.pop();
                    self.overflow();
                }
                Some(_) if front.may_be_dropped() => self.release(Policy::Drop),
                _ => {
                    return Err(Problem::Missing {
                        number: front.number,
                        class: front.class(),
                        expected: front.expected(),
                        clocks,
                    })
                }
            }
        }
        Ok(())
    }

    /// What a counter may read when nothing is under way: from, to.
    pub fn counter(&self, counter: PathCounter) -> (u64, u64) {
        let value = self.lane.counter(counter);
        match counter {
            PathCounter::Marked => {
                let least = value.saturating_sub(self.unsure_marks);
                (least, value + self.unsure_marks)
            }
            _ => (value, value),
        }
    }
}

/// A frame with zeros behind it up to so many bytes.
fn padded(mut frame: Vec<u8>, least: usize) -> Vec<u8> {
    frame.resize(frame.len().max(least), 0);
    frame
}

/// The class whose policy stands at an address.
fn policy_class(offset: u32) -> Option<FrameClass> {
    let by = offset.checked_sub(address::POLICY)?;
    FrameClass::ALL
        .get(by as usize / 4)
        .copied()
        .filter(|_| by % 4 == 0)
}

/// Whether two frames differ at most in what a mark changes.
fn same_but_for_marks(came: &[u8], left: &[u8]) -> bool {
    if came.len() != left.len() {
        return false;
    }
    let header = parse(came).header;
    came.iter().zip(left).enumerate().all(|(at, (a, b))| {
        let marked = header.is_some_and(|header| {
            let by = at.wrapping_sub(header.offset);
            by < 2 || header.version == 4 && (by == 10 || by == 11)
        });
        a == b || marked
    })
}
